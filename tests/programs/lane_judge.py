"""What random functions give for one lane, by numpy scalars: nothing of the compiler is used.

A fault is a value, `Fault`, that whatever needs it gives in its turn; so a value that nothing needs
cannot fault, and of several faults that a lane runs into all kinds and places are known.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from itertools import pairwise
from typing import Any

import numpy as np

ZERO = "division by zero"
RANGE = "index out of range"
EQUAL = "equal indices"
UNEQUAL = "unequal lengths"
NEGATIVE = "negative length"

JUDGED = "<judged>"
"""The file name of the code that calls what is here; its lines are those of the program's text."""

SCALARS = {
    "i32": np.int32,
    "i64": np.int64,
    "u32": np.uint32,
    "u64": np.uint64,
    "f32": np.float32,
    "f64": np.float64,
    "boolean": bool,
}
BITS = {"i32": 32, "i64": 64, "u32": 32, "u64": 64}
NAMES_OF_TYPES = {scalar: name for name, scalar in SCALARS.items()}


@dataclass(frozen=True)
class Fault:
    """The faults a lane may end with, in whatever order it is computed: each a kind and a line."""

    faults: frozenset[tuple[str, int]]

    @classmethod
    def of(cls, *kinds: str) -> Fault:
        """Those of the judged line that is computed."""
        frame = sys._getframe(1)
        while frame.f_code.co_filename != JUDGED:
            frame = frame.f_back
        return cls(frozenset((kind, frame.f_lineno) for kind in kinds))


def merged(values: Any) -> Fault | None:
    """The faults among values, as one."""
    faults = [value.faults for value in values if isinstance(value, Fault)]
    return Fault(frozenset().union(*faults)) if faults else None


def _strict(function: Callable) -> Callable:
    """It needs all it is given, and what it makes is whole."""

    @wraps(function)
    def wrapper(*values: Any) -> Any:
        fault = merged(values)
        made = fault if fault is not None else function(*values)
        if isinstance(made, list | tuple):
            return merged(made) or made
        return made

    return wrapper


def wrap(value: int, type: str) -> Any:
    """An integer of a width: its low bits."""
    bits = BITS[type]
    value &= (1 << bits) - 1
    is_negative = type.startswith("i") and value >> (bits - 1)
    return SCALARS[type](value - (1 << bits) if is_negative else value)


def limits(type: str) -> tuple[int, int]:
    """The least and the greatest integer of a type."""
    bits = BITS[type]
    return (0, (1 << bits) - 1) if type[0] == "u" else (-1 << (bits - 1), (1 << (bits - 1)) - 1)


@_strict
def cast(type: str, value: Any) -> Any:
    if type == "boolean":
        return bool(value != 0)
    if type in BITS and isinstance(value, np.floating):
        if np.isnan(value):
            return wrap(0, type)
        least, most = limits(type)
        if np.isinf(value):
            return SCALARS[type](least if value < 0 else most)
        return SCALARS[type](min(max(least, int(value)), most))
    if type in BITS:
        return wrap(int(value), type)
    with np.errstate(all="ignore"):
        return SCALARS[type](value)


def _extreme(a: Any, b: Any, largest: bool) -> Any:
    if isinstance(a, np.floating):
        if np.isnan(a):
            return b
        if np.isnan(b):
            return a
        if a == 0 and b == 0:
            return b if np.signbit(a) == largest else a
    return (b if b > a else a) if largest else (b if b < a else a)


def _floor(op: str, a: Any, b: Any) -> Any:
    if b == 0:
        return Fault.of(ZERO)
    quotient, rest = divmod(int(a), int(b))
    return quotient if op == "//" else rest


_INTEGER = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
}
_FLOAT = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide}
_RELATIONS = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


@_strict
def binary(op: str, a: Any, b: Any) -> Any:
    """An operator of two scalars of one type."""
    if op in _RELATIONS:
        return bool(_RELATIONS[op](a, b))
    if op in ("min", "max"):
        return _extreme(a, b, op == "max")
    if isinstance(a, np.floating):
        with np.errstate(all="ignore"):
            return _FLOAT[op](a, b)
    type = NAMES_OF_TYPES[a.__class__]
    made = _floor(op, a, b) if op in ("//", "%") else _INTEGER[op](int(a), int(b))
    return made if isinstance(made, Fault) else wrap(made, type)


@_strict
def unary(op: str, a: Any) -> Any:
    if op == "not":
        return not a
    if isinstance(a, np.floating):
        with np.errstate(all="ignore"):
            return {"-": np.negative, "abs": np.abs, "sqrt": np.sqrt}[op](a)
    type = NAMES_OF_TYPES[a.__class__]
    return wrap(-int(a) if op == "-" else abs(int(a)), type)


def choose(test: Any, then: Callable, other: Callable) -> Any:
    """One arm, and only it."""
    if isinstance(test, Fault):
        return test
    return then() if test else other()


@_strict
def make(*parts: Any) -> Any:
    return parts


@_strict
def listed(*parts: Any) -> Any:
    return list(parts)


@_strict
def behind(one: Any, other: Any) -> Any:
    return one + other


@_strict
def item(value: Any, index: int) -> Any:
    return value[index]


@_strict
def length(values: Any) -> Any:
    return np.int64(len(values))


@_strict
def index(values: Any, at: Any) -> Any:
    return values[int(at)] if 0 <= at < len(values) else Fault.of(RANGE)


@_strict
def iota(count: Any) -> Any:
    return Fault.of(NEGATIVE) if count < 0 else [np.int64(i) for i in range(int(count))]


@_strict
def upto(count: Any) -> Any:
    return [np.int64(i) for i in range(int(count))]


@_strict
def replicate(value: Any, count: Any) -> Any:
    return Fault.of(NEGATIVE) if count < 0 else [value] * int(count)


@_strict
def flatten(rows_: Any) -> Any:
    return [value for row in rows_ for value in row]


@_strict
def rows(values: Any, lengths: Any) -> Any:
    wrong = [NEGATIVE] * any(n < 0 for n in lengths)
    wrong += [UNEQUAL] * (sum(int(n) for n in lengths) != len(values))
    if wrong:
        return Fault.of(*wrong)
    ends = np.cumsum([0, *map(int, lengths)])
    return [values[a:b] for a, b in pairwise(ends)]


@_strict
def gather(values: Any, indices: Any) -> Any:
    return [index(values, i) for i in indices]


def _scattered(array: list, indices: list, values: list) -> Fault | None:
    if len(indices) != len(values):
        return Fault.of(UNEQUAL)
    return Fault.of(RANGE) if any(not 0 <= i < len(array) for i in indices) else None


@_strict
def scatter(array: Any, indices: Any, values: Any) -> Any:
    fault = _scattered(array, indices, values)
    if len(set(map(int, indices))) < len(indices):
        fault = merged([fault, Fault.of(EQUAL)])
    if fault is not None:
        return fault
    changed = dict(zip(map(int, indices), values, strict=True))
    return [changed.get(i, value) for i, value in enumerate(array)]


@_strict
def scatter_add(array: Any, indices: Any, values: Any) -> Any:
    fault = _scattered(array, indices, values)
    if fault is not None:
        return fault
    changed = list(array)
    for i, value in zip(indices, values, strict=True):
        changed[int(i)] = binary("+", changed[int(i)], value)
    return changed


@_strict
def keep(mask: Any, values: Any) -> Any:
    if len(mask) != len(values):
        return Fault.of(UNEQUAL)
    return [value for value, kept in zip(values, mask, strict=True) if kept]


def each(function: Callable, test: Callable | None, *arrays: Any) -> Any:
    """A comprehension."""
    fault = merged(arrays)
    if fault is not None:
        return fault
    if len({len(array) for array in arrays}) > 1:
        return Fault.of(UNEQUAL)
    lanes = list(zip(*arrays, strict=True))
    if test is not None:
        tests = [test(*lane) for lane in lanes]
        fault = merged(tests)
        if fault is not None:
            return fault
        lanes = [lane for lane, kept in zip(lanes, tests, strict=True) if kept]
    made = [function(*lane) for lane in lanes]
    return merged(made) or made


def reduce(function: Callable, start: Any, values: Any) -> Any:
    fault = merged([start, values])
    if fault is not None:
        return fault
    for value in values:
        start = function(start, value)
    return start


def scan(function: Callable, start: Any, values: Any) -> Any:
    fault = merged([start, values])
    if fault is not None:
        return fault
    made = []
    for value in values:
        start = function(start, value)
        made.append(start)
    return merged(made) or made


def taint(test: Any, values: tuple) -> tuple:
    """The variables a statement assigns, if what it depends on faults."""
    return tuple(merged([test, value]) or value for value in values)


def when(test: Any, then: Callable, other: Callable, values: tuple) -> tuple:
    """An `if`: an arm's, of the variables that it changes and those that are new."""
    return taint(test, then(*values) if test is True else other(*values))


def loop(test: Callable, step: Callable, states: tuple) -> tuple:
    """A `while`."""
    while test(*states) is True:
        states = step(*states)
    return taint(test(*states), states)


def walk(step: Callable, values: Any, states: tuple) -> tuple:
    """A `for`; over nothing if the array is a fault."""
    for value in [] if isinstance(values, Fault) else values:
        states = step(value, *states)
    return taint(values, states)


def held(type: Any, value: Any) -> Any:
    """A plain number, list or tuple as the judge computes with it."""
    if isinstance(type, str):
        return wrap(value, type) if type in BITS else SCALARS[type](value)
    if type[0] == "array":
        return [held(type[1], element) for element in value]
    return tuple(held(part, v) for part, v in zip(type[1:], value, strict=True))


def plain(value: Any) -> Any:
    """What the judge computed as plain numbers, lists and tuples.

    The graph's integers have no sign: unsigned ones are given as the signed of the same bits.
    """
    if isinstance(value, Fault):
        return value
    if isinstance(value, list | tuple):
        return type(value)(map(plain, value))
    if isinstance(value, np.unsignedinteger):
        return int(wrap(int(value), NAMES_OF_TYPES[value.__class__].replace("u", "i")))
    return float(value) if isinstance(value, np.floating) else int(value)


def bits(value: Any) -> Any:
    """A value such that those of equal bits are equal: one NaN, two zeros."""
    if isinstance(value, list | tuple):
        return type(value)(map(bits, value))
    if isinstance(value, float):
        return "nan" if value != value else struct.pack("<d", value)
    return int(value)


NAMES: dict[str, Any] = {
    f.__name__: f
    for f in (
        *(index, length, iota, upto, replicate, flatten, rows, gather, scatter, scatter_add),
        *(
            cast,
            binary,
            unary,
            choose,
            make,
            listed,
            behind,
            item,
            keep,
            each,
            reduce,
            scan,
            when,
            loop,
            walk,
        ),
    )
}
