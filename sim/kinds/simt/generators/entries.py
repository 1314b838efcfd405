"""The kernels of a PTX file and the parameters that they declare, without reading what they do.

entries(".visible .entry add(.param .u64 .ptr .global .align 1 add_param_0, .param .u32 n)")
{"add": (Declared("u64", 8), Declared("u32", 4))}
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from machines.reading import read_text

MOST_BYTES = 64 << 20
_ENTRY = re.compile(r"\.entry\s+([\w$%.]+)\s*(?:\(([^)]*)\))?")
_PARAMETER = re.compile(r"\.param\s+(?:\.align\s+\d+\s+)?\.(\w+)[^\[]*(?:\[(\d+)\])?")


@dataclass(frozen=True)
class Declared:
    """A parameter: PTX's type of its elements, and bytes in all."""

    type: str
    bytes: int


def entries(text: str) -> dict[str, tuple[Declared, ...]]:
    """The parameters of each kernel, by its name."""
    found = {}
    for name, between in _ENTRY.findall(text):
        written = [_PARAMETER.search(one) for one in between.split(",")]
        found[name] = tuple(_declared(one) for one in written if one is not None)
    return found


def _declared(written: re.Match[str]) -> Declared:
    bits = re.search(r"\d+$", written[1])
    return Declared(written[1], int(written[2] or 1) * (int(bits[0]) // 8 if bits else 1))


def ptx_of(path: Path) -> str:
    """The text of a PTX file; raises InputError."""
    return read_text(path, MOST_BYTES)
