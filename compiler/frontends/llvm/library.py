"""The functions of the C library that a printed module needs without calling them by name.

    udiv i128 %a, %b                   ->   __udivti3
    call double @llvm.sin.f64(double)  ->   sin

They are linked in with those that it declares (`worker.py`).  The files are what clang 16 makes of
the .c files beside them.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from machines.diagnostics import Location

HERE = Path(__file__).parent
NAMES = ("streams", "libc", "wide", "exponentials", "trigonometry", "floats", "operations")
"""Of the files; one that needs another stands before it."""
WITH_ARGUMENTS = ("printf", "sprintf", "snprintf", "fprintf")
"""Of each there is one, with `v` before its name, that takes a va_list."""
OPERATIONS = (
    "abs", "labs", "llabs", "memcpy", "memmove", "memset", "abort",
    *(
        f"{name}{suffix}"
        for name in ("sqrt", "fabs", "floor", "ceil", "trunc", "rint", "nearbyint", "round",
                     "roundeven", "fmin", "fmax", "copysign", "fma", "lrint", "llrint", "lround",
                     "llround")
        for suffix in ("", "f")
    ),
)  # fmt: skip
"""Functions that are operations where they are called: code is needed of those whose addresses are
taken."""
OF_ONE = (
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh",
    "exp", "exp2", "exp10", "log", "log2", "log10",
)  # fmt: skip
"""Functions of mathematics of one float that LLVM has, too: `llvm.sin.f64`."""
OF_TWO = ("pow", "atan2")

_PAIR, _OF_PAIR, _OF_PAIRS = "{ i64, i64 }", "(i64, i64)", "(i64, i64, i64, i64)"
_DECLARED = {
    **{f"__{name}ti3": (_PAIR, _OF_PAIRS) for name in ("udiv", "umod", "div", "mod")},
    **{f"__float{un}tidf": ("double", _OF_PAIR) for un in ("", "un")},
    **{f"__float{un}tisf": ("float", _OF_PAIR) for un in ("", "un")},
    **{f"__fix{uns}dfti": (_PAIR, "(double)") for uns in ("", "uns")},
    **{
        f"{name}{suffix}": (kind, f"({', '.join([kind] * count)})")
        for names, count in ((OF_ONE, 1), ((*OF_TWO, "fmod"), 2))
        for name in names
        for kind, suffix in (("double", ""), ("float", "f"))
    },
    **dict.fromkeys(("__powidf2", "ldexp"), ("double", "(double, i32)")),
    **dict.fromkeys(("__powisf2", "ldexpf"), ("float", "(float, i32)")),
}
_DIVISION = re.compile(r"\b([us])(div|rem)\b[^,@]*?\bi(\d+)")
_TO_FLOAT = re.compile(r"\b([us])itofp\b[^,@]*?\bi(\d+) .* to (?:<\d+ x )?(float|double)")
_FROM_FLOAT = re.compile(r"\bfpto([us])i(?: .* to (?:<\d+ x )?|\.sat\.(?:v\d+)?)i(\d+)")
_CALL = re.compile(rf"@llvm\.({'|'.join((*OF_ONE, *OF_TWO, 'powi', 'ldexp'))})\.(?:v\d+)?f(32|64)")
_REMAINDER = re.compile(r"= frem [^%,]*?\b(float|double)\b")


_POINTED = re.compile(rf"@({'|'.join(OPERATIONS)})\b(?![\w.$(-])")
_FUNCTION = re.compile(r"(?:[a-z]\w*[ *]+)+(\w+)\((?:[^;]*$|.*\{)")


def libraries(printed: str) -> list[str]:
    """The files that have what a module may need."""
    names = NAMES if _POINTED.search(printed) else NAMES[:-1]
    return [str(HERE / f"{name}.ll") for name in names]


@cache
def _sources() -> dict[str, Location]:
    """Where functions of the library begin in C, by name; the file's name is the same wherever
    simrun is installed."""
    found = {}
    for name in NAMES:
        text = (HERE / f"{name}.c").read_text(encoding="utf-8")
        for number, line in enumerate(text.splitlines(), 1):
            if head := _FUNCTION.match(line):
                found.setdefault(head[1], Location(f"<C library>/{name}.c", number))
    return found


def source_of(function: str) -> Location | None:
    """The line of C where a function of the library begins; of one for floats that of double."""
    plain = function.split(".")[0]
    return _sources().get(plain) or _sources().get(plain.removesuffix("f"))


def of_width(name: str, is_float: bool) -> str:
    """The function of the library for one that LLVM has: `powi` of double is `__powidf2`."""
    if name == "powi":
        return "__powisf2" if is_float else "__powidf2"
    return f"{name}f" if is_float else name


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
    found |= {of_width(name, bits == "32") for name, bits in _CALL.findall(printed)}
    found |= {of_width("fmod", kind == "float") for kind in _REMAINDER.findall(printed)}
    return {
        name: f"declare {result} @{name}{parameters}"
        for name, (result, parameters) in _DECLARED.items()
        if name in found
    }
