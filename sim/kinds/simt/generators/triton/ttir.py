"""The parameters of a kernel as its TTIR says them: names, types, what is assumed to divide them.

    tt.func public @softmax(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32} loc("x"(#loc)),
                            %n: i32 loc("n"(#loc)))

The PTX has none of that, and the metadata neither.  What was equal to 1, and each constexpr, is no
parameter any more.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_FUNCTION = re.compile(r"tt\.func public @([\w$.]+)\((.*?)\)\s*(?:attributes|->|\{)", re.DOTALL)
_NAME = re.compile(r"\s*%([\w$.]+)\s*:\s*")
_DIVIDES = re.compile(r"tt\.divisibility = (\d+)")
_POINTER = re.compile(r"!tt\.ptr<([\w]+)")

ELEMENTS = {
    "i1": "boolean", "i8": "i8", "i16": "i16", "i32": "i32", "i64": "i64",
    "f16": "f16", "bf16": "bf16", "f32": "f32", "f64": "f64",
    "f8E4M3FN": "e4m3", "f8E5M2": "e5m2",
}  # fmt: skip
"""Types of TTIR, and what elements of such are called here; its integers have no sign."""


@dataclass(frozen=True)
class Said:
    """What is said of a parameter.

    type      of TTIR, `points` to elements of if it is a pointer
    multiple  of which its value, or its address, is assumed to be one
    """

    name: str
    type: str
    points: str | None = None
    multiple: int = 1


def parameters(text: str) -> tuple[str, tuple[Said, ...]] | None:
    """The kernel's name and its parameters; None if there is no function as this reads it."""
    found = _FUNCTION.search(text)
    if found is None:
        return None
    said = [_said(one) for one in _parts(found[2])]
    if any(one is None for one in said):
        return None
    return found[1], tuple(said)


def _parts(text: str) -> list[str]:
    """The texts between commas that stand in no brackets."""
    parts, depth, begin = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter in "<({[") - (letter in ">)}]")
        if letter == "," and not depth:
            parts.append(text[begin:at])
            begin = at + 1
    return [one for one in (*parts, text[begin:]) if one.strip()]


def _said(text: str) -> Said | None:
    name = _NAME.match(text)
    if name is None:
        return None
    rest = text[name.end() :]
    type = re.match(r"[^\s{]+", rest)
    divides, pointer = _DIVIDES.search(rest), _POINTER.match(rest)
    if type is None:
        return None
    points = pointer[1] if pointer else None
    return Said(name[1], type[0], points, int(divides[1]) if divides else 1)
