"""Functions of CUDA's device runtime that a file declares and does not define: malloc and free, and
the barrier of a grid.

    .extern .func (.param .b64 r) malloc (.param .b64 n);     ->   … and the text that defines it

They are PTX (`device_runtime.ptx`), which is read as if it stood behind the file; code of theirs
belongs to the line that calls them.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

_TEXT = Path(__file__).with_suffix(".ptx")
_DEFINED = re.compile(r"^\.func (?:\([^)]*\) )?(\w+) ", re.MULTILINE)
_DECLARED = re.compile(r"\.extern\s+\.func\s*(?:\([^)]*\)\s*)?([\w$]+)")

TRAPS = {"free": "free of what malloc did not give out, or of what was freed already"}
"""Why a function of theirs traps, by its name."""


@cache
def _runtime() -> str:
    return _TEXT.read_text(encoding="utf-8")


@cache
def names() -> frozenset[str]:
    """The functions there are."""
    return frozenset(_DEFINED.findall(_runtime()))


def with_runtime(text: str) -> str:
    """A file's text, and behind it the runtime's if the file declares a function of it."""
    if ".extern" not in text or not names().intersection(_DECLARED.findall(text)):
        return text
    return f"{text}\n{_runtime()}"
