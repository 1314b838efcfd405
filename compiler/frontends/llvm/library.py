"""The functions of the C library that a printed module needs without calling them by name.

    udiv i128 %a, %b                   ->   __udivti3
    call double @llvm.sin.f64(double)  ->   sin

They are linked in with those that it declares (`worker.py`).  The files are what clang 16 makes of
the .c files beside them.
"""

from __future__ import annotations

import re
from pathlib import Path

LIBRARIES = tuple(
    str(Path(__file__).with_name(name)) for name in ("libc.ll", "wide.ll")
)  # fmt: skip

_PAIR, _OF_PAIR, _OF_PAIRS = "{ i64, i64 }", "(i64, i64)", "(i64, i64, i64, i64)"
_DECLARED = {
    **{f"__{name}ti3": (_PAIR, _OF_PAIRS) for name in ("udiv", "umod", "div", "mod")},
    **{f"__float{un}tidf": ("double", _OF_PAIR) for un in ("", "un")},
    **{f"__float{un}tisf": ("float", _OF_PAIR) for un in ("", "un")},
    **{f"__fix{uns}dfti": (_PAIR, "(double)") for uns in ("", "uns")},
}
_DIVISION = re.compile(r"\b([us])(div|rem)\b[^,@]*?\bi(\d+)")
_TO_FLOAT = re.compile(r"\b([us])itofp\b[^,@]*?\bi(\d+) .* to (?:<\d+ x )?(float|double)")
_FROM_FLOAT = re.compile(r"\bfpto([us])i(?: .* to (?:<\d+ x )?|\.sat\.(?:v\d+)?)i(\d+)")


def needed(printed: str) -> dict[str, str]:
    """The functions, each with the line that declares it."""
    found = {
        f"__{'u' if sign == 'u' else ''}{'div' if what == 'div' else 'mod'}ti3"
        for sign, what, bits in _DIVISION.findall(printed)
        if int(bits) > 64
    }
    for sign, bits, kind in _TO_FLOAT.findall(printed):
        if int(bits) > 64:
            found.add(f"__float{'un' * (sign == 'u')}ti{kind[0].replace('f', 's')}f")
    for sign, bits in _FROM_FLOAT.findall(printed):
        if int(bits) > 64:
            found.add(f"__fix{'uns' * (sign == 'u')}dfti")
    return {
        name: f"declare {result} @{name}{parameters}"
        for name, (result, parameters) in _DECLARED.items()
        if name in found
    }
