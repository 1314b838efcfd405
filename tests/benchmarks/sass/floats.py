"""What floating-point instructions and conversions of SASS do to lanes."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from tests.benchmarks.sass.instruction import Instruction
from tests.benchmarks.sass.lanes import CannotExecute, Threads
from tests.benchmarks.sass.operands import MASK, Meaning, bits, floating, put, signed_of, words_of

_ROUNDED = ("RM", "RP", "RZ")


def fused(a: np.ndarray, b: np.ndarray, c: np.ndarray, way: str = "") -> np.ndarray:
    """a·b + c of f32, rounded once: the sum of f64 is made odd where it is not exact.  `way` is RM
    (down), RP (up), RZ (towards zero), else to nearest."""
    p, q = a.astype(np.float64) * b.astype(np.float64), c.astype(np.float64)
    total = p + q
    back = total - p
    error = (p - (total - back)) + (q - back)
    bits = total.view(np.int64)
    nudge = np.where((error > 0) == (total > 0), 1, -1)
    odd = np.where((error != 0) & (bits & 1 == 0) & np.isfinite(total), bits + nudge, bits)
    nearest = odd.view(np.float64).astype(np.float32)
    if not way:
        return nearest
    over = (nearest.astype(np.float64) - total) - error
    down = (over > 0) & ((way == "RM") | ((way == "RZ") & (nearest > 0)))
    up = (over < 0) & ((way == "RP") | ((way == "RZ") & (nearest < 0)))
    lower = np.nextafter(nearest, np.float32(-np.inf))
    return np.where(down, lower, np.where(up, np.nextafter(nearest, np.float32(np.inf)), nearest))


def arithmetic(instruction: Instruction) -> Meaning:
    target, *read = instruction.operands
    operation = instruction.operation
    wide = operation[0] == "D"
    way = next((form for form in instruction.modifiers if form in _ROUNDED), "")
    if way and operation != "FFMA":
        return _refuse_late(instruction)
    flushes, saturates = "FTZ" in instruction.modifiers, "SAT" in instruction.modifiers
    values = [floating(o, wide) for o in read]

    def run(threads: Threads, at: np.ndarray) -> None:
        words = [value(threads, at) for value in values]
        if flushes:
            words = [_flushed(word) for word in words]
        if operation[1:] == "ADD":
            result = words[0] + words[1]
        elif operation[1:] == "MUL":
            result = words[0] * words[1]
        elif wide:
            product = words[0].astype(np.longdouble) * words[1].astype(np.longdouble)
            result = (product + words[2]).astype(np.float64)
        else:
            result = fused(*words, way)
        if flushes:
            result = _flushed(result)
        if saturates:
            result = np.clip(result, 0, 1)
        put(threads, target, at, words_of(result), pair=wide)

    return run


def _flushed(value: np.ndarray) -> np.ndarray:
    small = np.abs(value) < np.float32(2.0**-126)
    return np.where(small, np.copysign(np.float32(0), value), value)


def _refuse_late(instruction: Instruction) -> Meaning:
    """Refused only where threads come to it."""

    def run(threads: Threads, at: np.ndarray) -> None:
        raise CannotExecute(str(instruction))

    return run


def function(instruction: Instruction) -> Meaning:
    target, value = instruction.operands
    form = instruction.modifiers[0]
    functions = {
        "RCP": lambda x: 1 / x,
        "RSQ": lambda x: 1 / np.sqrt(x),
        "SQRT": np.sqrt,
        "EX2": np.exp2,
        "LG2": np.log2,
        "SIN": lambda x: np.sin(2 * np.pi * x),
        "COS": lambda x: np.cos(2 * np.pi * x),
        "TANH": np.tanh,
    }
    if form in ("RCP64H", "RSQ64H"):
        return _upper_function(instruction, functions[form[:3]])
    if form not in functions or len(instruction.modifiers) > 1:
        raise CannotExecute(str(instruction))
    read = floating(value)

    def run(threads: Threads, at: np.ndarray) -> None:
        result = functions[form](_flushed(read(threads, at)).astype(np.float64))
        put(threads, target, at, words_of(_flushed(result.astype(np.float32))))

    return run


def _upper_function(instruction: Instruction, function: Callable) -> Meaning:
    """Of the upper half of an f64."""
    target, value = instruction.operands
    read = bits(value)

    def run(threads: Threads, at: np.ndarray) -> None:
        whole = ((read(threads, at) & MASK) << np.uint64(32)).view(np.float64)
        put(threads, target, at, function(whole).view(np.uint64) >> np.uint64(32))

    return run


def may_be_slow(instruction: Instruction) -> Meaning:
    """FCHK: whether a quotient needs the slow path."""
    flag, first, second = instruction.operands
    a, b = floating(first), floating(second)

    def run(threads: Threads, at: np.ndarray) -> None:
        x, y = a(threads, at), b(threads, at)
        e, f = (np.frexp(v)[1].astype(int) for v in (x, y))
        odd = ~np.isfinite(x) | ~np.isfinite(y) | (y == 0) | (f < -124) | (f > 126)
        odd |= (np.abs(e - f) > 124) | ((x != 0) & (e < -100))
        threads.set_predicate(flag, at, odd)

    return run


def to_integer(instruction: Instruction) -> Meaning:
    target, value = instruction.operands
    forms = instruction.modifiers
    wide = "F64" in forms
    if "S64" in forms or "U64" in forms:
        raise CannotExecute(str(instruction))
    kind = next((f for f in forms if f in ("U32", "U16", "S16", "U8", "S8")), "S32")
    low, high = {
        "S32": (-(2**31), 2**31 - 1), "U32": (0, 2**32 - 1), "U16": (0, 65535),
        "S16": (-32768, 32767), "U8": (0, 255), "S8": (-128, 127),
    }[kind]  # fmt: skip
    read = floating(value, wide)
    way = next((_WAYS[form] for form in forms if form in _WAYS), np.rint)

    def run(threads: Threads, at: np.ndarray) -> None:
        whole = way(np.nan_to_num(read(threads, at).astype(np.float64), nan=0.0))
        result = np.clip(whole, low, high).astype(np.int64)
        put(threads, target, at, result.view(np.uint64))

    return run


_WAYS = {"TRUNC": np.trunc, "FLOOR": np.floor, "CEIL": np.ceil}


def to_whole(instruction: Instruction) -> Meaning:
    target, value = instruction.operands
    wide = "F64" in instruction.modifiers
    way = next((_WAYS[form] for form in instruction.modifiers if form in _WAYS), np.rint)
    read = floating(value, wide)
    return lambda threads, at: put(threads, target, at, words_of(way(read(threads, at))), wide)


def from_integer(instruction: Instruction) -> Meaning:
    target, value = instruction.operands
    forms = instruction.modifiers
    if any(f in forms for f in ("S64", "U64", "F16", "S16", "S8")):
        raise CannotExecute(str(instruction))
    wide, unsigned = "F64" in forms, any(f in forms for f in ("U32", "U16", "U8"))
    part = re.search(r"\.(B[0-3]|H[01])$", value)
    read = bits(value[: part.start()] if part else value)

    def run(threads: Threads, at: np.ndarray) -> None:
        word = read(threads, at) & MASK
        if part:
            width = 8 if part[1][0] == "B" else 16
            word = word >> np.uint64(width * int(part[1][1])) & np.uint64((1 << width) - 1)
        elif "U16" in forms or "U8" in forms:
            word &= np.uint64(0xFFFF if "U16" in forms else 0xFF)
        number = word.astype(np.int64) if unsigned else signed_of(word)
        result = number.astype(np.float64)
        if not wide:
            single = number.astype(np.float32)
            if "RP" in forms:
                single = np.where(
                    single.astype(np.float64) < result,
                    np.nextafter(single, np.float32(np.inf)),
                    single,
                )
            result = single
        put(threads, target, at, words_of(result), pair=wide)

    return run


def between_floats(instruction: Instruction) -> Meaning:
    target, value = instruction.operands
    kinds = [form for form in instruction.modifiers if form in ("F32", "F64")]
    if len(kinds) != 2:
        raise CannotExecute(str(instruction))
    to_wide, from_wide = kinds[0] == "F64", kinds[1] == "F64"
    read = floating(value, from_wide)

    def run(threads: Threads, at: np.ndarray) -> None:
        number = read(threads, at).astype(np.float64 if to_wide else np.float32)
        put(threads, target, at, words_of(number), pair=to_wide)

    return run


def constant_halves(instruction: Instruction) -> Meaning:
    """HFMA2 of zeros and two constants: how ptxas writes a number into a register."""
    target, *read = instruction.operands
    if read[:2] != ["-RZ", "RZ"] or len(read) != 4:
        raise CannotExecute(str(instruction))
    if any(not re.fullmatch(r"[-+]?[\d.]+(e[-+]\d+)?", one) for one in read[2:]):
        raise CannotExecute(str(instruction))
    high, low = (int(np.float16(float(one)).view(np.uint16)) for one in read[2:])
    return lambda threads, at: put(
        threads, target, at, np.full(len(at), high << 16 | low, np.uint64)
    )
