"""Random calls of the C library of C programs, and of this computer's own.

    case = random_call(seed)       # a function, and what it is given
    here(case), there(case)        # what it gives, and what it leaves in the buffers it was given

`here` runs in the IR interpreter; pointers among the results are given as distances.
"""

from __future__ import annotations

import ctypes
import random
from dataclasses import dataclass
from functools import cache

import numpy as np

from compiler.frontends.llvm import PLUGIN
from compiler.interpret.functions import interpret, memory_for
from compiler.ir.module import Module

LIBC = ctypes.CDLL(None)
LETTERS = b"aabbcABz09 -+x\t\n.,\x80\xff"
BUFFERS = 64
"""Bytes of each text that is given."""

SIGN, TRUTH, NUMBER, PLACE, LENGTH, TEXT = "sign", "truth", "number", "place", "length", "text"
"""What is compared of a result: its sign, whether it is 0, all of it, where it points to in the
first or the second text, nothing but what it says of lengths."""

FUNCTIONS = {
    "memcmp": ("ppn", SIGN), "bcmp": ("ppn", TRUTH), "memchr": ("pcn", PLACE),
    "mempcpy": ("ppn", PLACE), "strlen": ("s", NUMBER), "strnlen": ("sn", NUMBER),
    "strcmp": ("ss", SIGN), "strncmp": ("ssn", SIGN), "strcpy": ("ps", PLACE),
    "stpcpy": ("ps", PLACE), "strncpy": ("psn", PLACE), "strcat": ("ss", PLACE),
    "strncat": ("ssn", PLACE), "strchr": ("sc", PLACE), "strrchr": ("sc", PLACE),
    "strstr": ("ss", PLACE), "strspn": ("ss", NUMBER), "strcspn": ("ss", NUMBER),
    "strpbrk": ("ss", PLACE), "strtol": ("deb", NUMBER), "strtoul": ("deb", NUMBER),
    "atoi": ("d", NUMBER), "atol": ("d", NUMBER),
    **dict.fromkeys((
        "isalpha", "isdigit", "isalnum", "isblank", "iscntrl", "isgraph", "islower", "isprint",
        "ispunct", "isspace", "isupper", "isxdigit",
    ), ("h", TRUTH)),
    "tolower": ("h", NUMBER), "toupper": ("h", NUMBER), "abs": ("i", NUMBER), "labs": ("l", NUMBER),
}  # fmt: skip
"""Parameters (p bytes, s a text, d digits, e where to put the end, n size, c character as int,
h the same but -1 … 255, b a base, i int, l long), and what is compared of the result."""
NARROW = "cbhi"
NARROW_RESULTS = ("memcmp", "bcmp", "strcmp", "strncmp", "atoi", "abs", "tolower", "toupper")


@dataclass(frozen=True)
class Call:
    """Of `snprintf` the values stand behind room and format."""

    name: str
    given: tuple[bytes | int | float, ...]


# What is called


def random_call(seed: int) -> Call:
    draw = random.Random(seed)
    if draw.random() < 0.5:
        return _formatted(draw)
    name = draw.choice(list(FUNCTIONS))
    return Call(name, tuple(_argument(draw, kind) for kind in FUNCTIONS[name][0]))


def _argument(draw: random.Random, kind: str) -> bytes | int:
    if kind in "ps":
        count = draw.randrange(BUFFERS // 4 if kind == "s" else BUFFERS)
        text = bytes(draw.choices(LETTERS[: draw.choice((2, 4, len(LETTERS)))], k=count))
        return text.ljust(BUFFERS, b"\0")
    if kind == "d":
        spaces, sign = draw.choice(("", " ", "\t\n ")), draw.choice(("", "-", "+", "--"))
        digits = draw.choice(("", "0x", "0X", "0", "09", "0xg")) + str(_number(draw, 68)).strip("-")
        if draw.random() < 0.4:
            digits = draw.choice(("", "0x", "0")) + f"{_number(draw, 68):x}".strip("-")
        return (
            (spaces + sign + digits + draw.choice(("", " 1", "z", ".")))
            .encode()
            .ljust(BUFFERS, b"\0")
        )
    limits = {"n": (0, BUFFERS // 4), "c": (-300, 600), "h": (-1, 255)}
    if kind in limits:
        low, high = limits[kind]
        return draw.choice((draw.randint(low, high), draw.choice(LETTERS) if kind != "n" else 3))
    if kind == "b":
        return draw.choice((0, 2, 8, 10, 16, 36, draw.randint(2, 36)))
    bits = 31 if kind == "i" else 63
    return 0 if kind == "e" else max(_number(draw, bits), 1 - (1 << bits))


def _number(draw: random.Random, bits: int) -> int:
    """Of any length, at limits often."""
    size = draw.randint(1, bits)
    number = draw.choice(
        (draw.getrandbits(size), (1 << size) - 1, (1 << size) - draw.randint(0, 2))
    )
    return -number if draw.random() < 0.4 else number


def _formatted(draw: random.Random) -> Call:
    pieces, values = [], []
    for _ in range(draw.randint(1, 3)):
        flags = "".join(draw.sample("-+ #0", draw.choice((0, 0, 1, 2, 4))))
        width = draw.choice(("", "", "7", "23", "*"))
        precision = draw.choice(("", ".", ".3", ".11", ".*"))
        # glibc fills floats with zeros on the right if their width is negative: not as C says.
        widths = (0, 4, 15) if "0" in flags else (-9, 0, 4, 15)
        values += [draw.choice(widths) for part in (width, precision) if part.endswith("*")]
        kind = draw.choice("diuoxXcspeEfFgG%")
        length = draw.choice(("", "h", "hh", "l", "ll", "z")) if kind in "diuoxX" else ""
        pieces.append(
            f"{draw.choice(('', 'at ', '50%% '))}%{flags}{width}{precision}{length}{kind}"
        )
        if kind in "eEfFgG":
            values.append(_float(draw))
        elif kind == "s":
            values.append(bytes(draw.choices(b"abc ", k=draw.randrange(9))) + b"\0")
        elif kind == "c":
            values.append(draw.choice((65, 97, 255)))
        elif kind == "p":
            values.append(draw.choice((0, draw.getrandbits(47))))
        elif kind != "%":
            values.append(_number(draw, 63 if length in ("l", "ll", "z") else 31))
        if kind == "%":
            pieces[-1] = "%%"
            values = values[: len(values) - sum(p.endswith("*") for p in (width, precision))]
    room = draw.choice((0, 1, 5, 400, 400, 400))
    return Call("snprintf", (room, "|".join(pieces).encode() + b"\0", *values))


def _float(draw: random.Random) -> float:
    return draw.choice((
        0.0, -0.0, 0.5, 1.5, 2.5, 9.995, 99999.95, 1e15, 1e16, 5e-324, float("inf"),
        draw.choice((9.9996e-5, 1e-4, 3e-5, 1.2e-5, 123456.7, 999999.5, 1e6)),
        draw.uniform(-10, 10), draw.uniform(-1e6, 1e6), float(draw.randrange(1000)),
        draw.choice((1, -1)) * draw.random() * 10.0 ** draw.randint(-307, 307),
        draw.randrange(1, 2000) / draw.choice((8, 16, 1000)),
    ))  # fmt: skip


# This computer's


def there(call: Call) -> tuple:
    held = [
        ctypes.create_string_buffer(g, len(g)) if isinstance(g, bytes) else g for g in call.given
    ]
    function = getattr(LIBC, call.name)
    if call.name == "snprintf":
        room, form, *values = held
        out = ctypes.create_string_buffer(b"?" * 500, 500)
        passed = [ctypes.c_double(v) if isinstance(v, float) else _wide(v) for v in values]
        function.restype = ctypes.c_int
        return function(out, ctypes.c_size_t(room), form, *passed), out.raw
    kinds, compared = FUNCTIONS[call.name]
    end = ctypes.c_void_p()
    passed = [
        ctypes.byref(end) if kind == "e" else ctypes.c_int(v) if kind in NARROW else _wide(v)
        for kind, v in zip(kinds, held, strict=True)
    ]
    function.restype = ctypes.c_int if _is_narrow(call.name) else ctypes.c_longlong
    value = function(*passed)
    starts = [ctypes.addressof(h) for h in held if not isinstance(h, int)]
    texts = [h.raw for h in held if not isinstance(h, int)]
    ended = end.value - starts[0] if "e" in kinds else None
    return _compared(value, compared, starts), ended, texts


def _wide(value: object) -> object:
    return ctypes.c_longlong(value) if isinstance(value, int) else value


def _is_narrow(name: str) -> bool:
    return FUNCTIONS[name][1] is TRUTH or name in NARROW_RESULTS


def _compared(value: int, how: str, starts: list[int]) -> object:
    if how == SIGN:
        return (value > 0) - (value < 0)
    if how == TRUTH:
        return value != 0
    if how == PLACE and value:
        return min((value - start for start in starts if value >= start), default=None)
    return value


# Ours


def here(call: Call) -> tuple:
    arrays = {
        f"a{k}": np.frombuffer(given, np.uint8).copy()
        for k, given in enumerate(call.given)
        if isinstance(given, bytes)
    }
    values = {f"a{k}": given for k, given in enumerate(call.given) if not isinstance(given, bytes)}
    if call.name == "snprintf":
        arrays["out"] = np.frombuffer(b"?" * 500, np.uint8).copy()
        kinds = ["double" if isinstance(v, float) else "ptr" if isinstance(v, bytes) else "i64"
                 for v in call.given[2:]]  # fmt: skip
        value, memory = _run(_formatting(tuple(kinds)), arrays, values)
        return value, memory.view("out").tobytes()
    kinds, compared = FUNCTIONS[call.name]
    if "e" in kinds:
        arrays["end"] = np.zeros(1, np.uint64)
    value, memory = _run(_calling(call.name), arrays, values)
    starts = [memory.address(name) for name in arrays if name != "end"]
    ended = int(memory.view("end", "<u8")[0]) - starts[0] if "e" in kinds else None
    texts = [memory.view(name).tobytes() for name in arrays if name != "end"]
    return _compared(value, compared, starts), ended, texts


def _run(module: Module, arrays: dict, values: dict) -> tuple[int, object]:
    function = module.functions["f"]
    kinds = dict(function.parameters)
    given = {name: arrays.get(name, values.get(name)) for name in kinds}
    memory = memory_for(module, given)
    ran = interpret(function, given, memory)
    assert ran.status == "done", ran.fault
    return ran.value, memory


@cache
def _calling(name: str) -> Module:
    """`f` calls a function with its arguments."""
    kinds, _ = FUNCTIONS[name]
    types = ["ptr" if k in "psde" else "i32" if k in NARROW else "i64" for k in kinds]
    names = ["%end" if k == "e" else f"%a{place}" for place, k in enumerate(kinds)]
    given = ", ".join(f"{t} {n}" for t, n in zip(types, names, strict=True))
    result = "i32" if _is_narrow(name) else "i64"
    if FUNCTIONS[name][1] is PLACE:
        made = f"  %p = call ptr @{name}({given})\n  %v = ptrtoint ptr %p to i64\n"
        result, declared = "i64", "ptr"
    else:
        made, declared = f"  %v = call {result} @{name}({given})\n", result
    text = (
        f"declare {declared} @{name}({', '.join(types)})\n"
        f"define {result} @f({given}) {{\n{made}  ret {result} %v\n}}\n"
    )
    return PLUGIN.read(text, f"{name}.ll", entries=["f"])


@cache
def _formatting(kinds: tuple[str, ...]) -> Module:
    values = ", ".join(f"{kind} %a{k}" for k, kind in enumerate(kinds, start=2))
    values = f", {values}" if values else ""
    head = f"define i32 @f(ptr %out, i64 %a0, ptr %a1{values})"
    text = (
        "declare i32 @snprintf(ptr, i64, ptr, ...)\n"
        f"{head} {{\n  %v = call i32 (ptr, i64, ptr, ...) "
        f"@snprintf(ptr %out, i64 %a0, ptr %a1{values})\n  ret i32 %v\n}}\n"
    )
    return PLUGIN.read(text, "snprintf.ll", entries=["f"])
