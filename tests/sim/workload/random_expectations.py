"""Random expectations, and the outputs of a program that computes the same another way.

The expression is made together with a second evaluator of its own: element by element, integers as
Python's, floats in the type of the output, sums in a random order.  What it gives is right.  What
has nothing to do with it (zeros, the inputs, the values moved by one element) is wrong, unless it
happens to be the same.  What is a little off is wrong too: an integer that is one more always, a
float unless it is one of those few that are differences of far larger ones.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from machines.description.strict_yaml import read_yaml
from machines.diagnostics import InputError
from machines.elements import DTYPES
from machines.types import I16
from sim.workload.comparison import RELATIVE, Expected, compare
from sim.workload.expectations import check_expectation, expect

Number = int | np.floating
Value = Number | list[Number]

LARGE = (2654435761, 2**31, 2**32 - 1, 2**53 + 1, 2**62, 2**63, 2**64, 2**64 - 1, 10**25)
REFUSED = ("would accept", "depends on how", "too large for a float", "no number, or infinite")
"""What may be said of an expectation that nothing could be judged by."""


A_LITTLE = {"f32": 1e-4, "f64": 1e-10}
"""Relative errors that no sum or product of a few numbers makes by rounding."""


class Extraordinary(Exception):
    """The program's floats overflow, vanish or are NaN: no error bound is meant for that."""


@dataclass
class Program:
    """How the second evaluator computes: its inputs, the type of its floats, the order of sums."""

    inputs: dict[str, Value]
    real: type[np.floating]
    dice: random.Random

    def as_real(self, value: Number) -> np.floating:
        return self.ordinary(self.real(value))

    def ordinary(self, value: np.floating) -> np.floating:
        if not math.isfinite(value) or (value and not 1e-30 < abs(value) < 1e30):
            raise Extraordinary
        return value

    def added_up(self, values: list[Number]) -> Number:
        """In a random order: one after the other, or halves of halves."""
        values = self.dice.sample(values, len(values))
        if self.dice.random() < 0.5 and len(values) > 1:
            middle = len(values) // 2
            return self.added_up(values[:middle]) + self.added_up(values[middle:])
        total = values[0]
        for value in values[1:]:
            total = total + value
        return total


class Part(NamedTuple):
    """An expression with its second evaluator."""

    text: str
    is_real: bool
    is_array: bool
    value: Callable[[Program], Value]


def _each(function: Callable[..., Number], *values: Value) -> Value:
    """A function of every element; single numbers stand beside each."""
    count = next((len(value) for value in values if isinstance(value, list)), None)
    if count is None:
        return function(*values)
    rows = [value if isinstance(value, list) else [value] * count for value in values]
    return [function(*row) for row in zip(*rows, strict=True)]


def _elements(value: Value) -> list[Number]:
    return value if isinstance(value, list) else [value]


def _wrap(number: int, dtype: str) -> int:
    bits = DTYPES[dtype].itemsize * 8
    number %= 1 << bits
    return number - (1 << bits) if dtype[0] == "i" and number >> (bits - 1) else number


@dataclass
class Maker:
    """Makes expressions over the inputs of one case."""

    dice: random.Random
    count: int
    reals: list[str]
    integers: list[str]
    scalars: dict[str, bool] = field(default_factory=lambda: {"n": False, "a": True})

    def part(self, is_real: bool, depth: int) -> Part:
        return self.real(depth) if is_real else self.integer(depth)

    # ---- Integers --------------------------------------------------------------------------

    def integer(self, depth: int) -> Part:
        if depth <= 0 or self.dice.random() < 0.1:
            return self._plain_integer()
        made = self.dice.choice(
            [self._integers, self._integers, self._integers, self._divided, self._shifted,
             self._power, self._cast, self._compared, self._picked, self._truncated,
             self._running, self._chosen, self._extreme, self._unary]
        )  # fmt: skip
        return made(depth - 1, False)

    def _plain_integer(self) -> Part:
        kind = self.dice.randrange(5)
        if kind == 0:
            number = self.dice.choice([self.dice.randint(-20, 20), self.dice.choice(LARGE)])
            return Part(f"({number})", False, False, lambda program: number)
        if kind == 1:
            return Part("arange(n)", False, True, lambda program: list(range(self.count)))
        if kind == 2:
            return Part("n", False, False, lambda program: program.inputs["n"])
        name = self.dice.choice(self.integers)
        return Part(name, False, True, lambda program: program.inputs[name])

    def _integers(self, depth: int, _: bool) -> Part:
        a, b = self.integer(depth), self.integer(depth)
        symbol, function = self.dice.choice(
            [("+", lambda x, y: x + y), ("-", lambda x, y: x - y), ("*", lambda x, y: x * y),
             ("&", lambda x, y: x & y), ("|", lambda x, y: x | y), ("^", lambda x, y: x ^ y)]
        )  # fmt: skip
        return self._binary(symbol, function, a, b, False)

    def _divided(self, depth: int, _: bool) -> Part:
        a, b = self.integer(depth), self.integer(0)
        divisor = Part(f"(abs({b.text}) + 1)", False, b.is_array, lambda p: _each(
            lambda x: abs(x) + 1, b.value(p)))  # fmt: skip
        symbol = self.dice.choice(["//", "%"])
        function = {"//": lambda x, y: x // y, "%": lambda x, y: x % y}[symbol]
        return self._binary(symbol, function, a, divisor, False)

    def _shifted(self, depth: int, _: bool) -> Part:
        a, count = self.integer(depth), self.dice.choice([0, 1, 3, 31, 40, 64])
        left = self.dice.random() < 0.5
        function = (lambda x: x << count) if left else (lambda x: x >> count)
        symbol = "<<" if left else ">>"
        text = f"({a.text} {symbol} {count})"
        return Part(text, False, a.is_array, lambda program: _each(function, a.value(program)))

    def _power(self, depth: int, is_real: bool) -> Part:
        a, power = self.part(is_real, depth), self.dice.randint(0, 4)
        to_the = (lambda p: p.real(power)) if is_real else (lambda p: power)
        return self._of_one(
            f"({a.text} ** {power})", is_real, a, lambda p: lambda x: x ** to_the(p)
        )

    def _cast(self, depth: int, _: bool) -> Part:
        dtype = self.dice.choice(["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"])
        return wrapped(self.integer(depth), dtype)

    def _compared(self, depth: int, _: bool) -> Part:
        is_real = self.dice.random() < 0.5
        a = self.part(is_real, depth)
        b = self._nearly(a) if is_real and self.dice.random() < 0.2 else self.part(is_real, 0)
        symbol, function = self.dice.choice(
            [("<", lambda x, y: int(x < y)), (">=", lambda x, y: int(x >= y)),
             ("==", lambda x, y: int(x == y)), ("!=", lambda x, y: int(x != y))]
        )  # fmt: skip
        return self._binary(symbol, function, a, b, False)

    def _nearly(self, a: Part) -> Part:
        """The same number by another way, on which it may be rounded."""
        three = Part("3.0", True, False, lambda program: program.as_real(3.0))
        times = self._binary("*", lambda x, y: x * y, a, three, True)
        return self._binary("/", lambda x, y: x / y, times, three, True)

    def _truncated(self, depth: int, _: bool) -> Part:
        a = self.real(depth)
        return self._of_one(f"int({a.text})", False, a, lambda p: int)

    # ---- Floats ----------------------------------------------------------------------------

    def real(self, depth: int) -> Part:
        if depth <= 0 or self.dice.random() < 0.1:
            return self._plain_real()
        made = self.dice.choice(
            [self._reals, self._reals, self._reals, self._terms, self._mixed, self._from_integer,
             self._from_integer, self._floored, self._smooth, self._picked, self._running,
             self._chosen, self._extreme, self._unary, self._power, self._remainder]
        )  # fmt: skip
        return made(depth - 1, True)

    def _plain_real(self) -> Part:
        kind = self.dice.randrange(4)
        if kind == 0:
            number = self.dice.choice([0.1, 0.5, 2.0, 3.75, 1e3, 1 / 3, 1e8])
            return Part(repr(number), True, False, lambda program: program.as_real(number))
        if kind == 1:
            return Part("a", True, False, lambda program: program.inputs["a"])
        name = self.dice.choice(self.reals)
        return Part(name, True, True, lambda program: program.inputs[name])

    def _reals(self, depth: int, _: bool) -> Part:
        a, b = self.real(depth), self.real(depth)
        symbol, function = self.dice.choice(
            [("+", lambda x, y: x + y), ("-", lambda x, y: x - y), ("*", lambda x, y: x * y),
             ("/", lambda x, y: x / y)]
        )  # fmt: skip
        return self._binary(symbol, function, a, b, True)

    def _terms(self, depth: int, _: bool) -> Part:
        """A sum of several terms, which a program may add in any order; some of them cancel."""
        terms = [self.real(depth), *(self.real(0) for _ in range(self.dice.randint(1, 2)))]
        signs = [1, *(self.dice.choice([1, -1]) for _ in terms[1:])]
        kind = self.dice.randrange(4)
        if kind == 0:
            terms, signs = [*terms, terms[0]], [*signs, -1]
        if kind == 1:  # exact only if these two are added first
            large = [
                Part(f"float(i * 10 + {k})", True, True, lambda p, k=k: [
                    p.as_real(10 * one + k) for one in p.inputs["i"]])
                for k in range(2)
            ]  # fmt: skip
            terms, signs = [*large, *terms], [1, -1, *signs]

        def added(program: Program) -> Value:
            values = [_each(program.as_real, term.value(program)) for term in terms]
            return _each(
                lambda *x: _checked(
                    program,
                    True,
                    program.added_up([-v if s < 0 else v for s, v in zip(signs, x, strict=True)]),
                ),
                *values,
            )

        pairs = zip(signs[1:], terms[1:], strict=True)
        text = terms[0].text + "".join(f" {'+-'[s < 0]} {term.text}" for s, term in pairs)
        return Part(f"({text})", True, any(term.is_array for term in terms), added)

    def _mixed(self, depth: int, _: bool) -> Part:
        return self._binary("*", lambda x, y: x * y, self.integer(depth), self.real(depth), True)

    def _remainder(self, depth: int, _: bool) -> Part:
        symbol, function = self.dice.choice([("%", np.mod), ("//", np.floor_divide)])
        return self._binary(symbol, function, self.real(depth), self.real(0), True)

    def _from_integer(self, depth: int, _: bool) -> Part:
        a = self.integer(depth)
        return self._of_one(f"float({a.text})", True, a, lambda p: lambda x: x)

    def _floored(self, depth: int, _: bool) -> Part:
        a, name = self.real(depth), self.dice.choice(["floor", "ceil"])
        function = {"floor": np.floor, "ceil": np.ceil}[name]
        return self._of_one(f"{name}({a.text})", True, a, lambda p: function)

    def _smooth(self, depth: int, _: bool) -> Part:
        a = self.real(depth)
        text, function = self.dice.choice(
            [(f"sqrt(abs({a.text}))", lambda x: np.sqrt(abs(x))),
             (f"exp(sin({a.text}))", lambda x: np.exp(np.sin(x))), (f"cos({a.text})", np.cos),
             (f"log(abs({a.text}) + 1)", lambda x: np.log(abs(x) + type(x)(1))),
             (f"f32({a.text})", lambda x: np.float32(x))]
        )  # fmt: skip
        return self._of_one(text, True, a, lambda p: function)

    # ---- Of both kinds ---------------------------------------------------------------------

    def _unary(self, depth: int, is_real: bool) -> Part:
        a = self.part(is_real, depth)
        text, function = self.dice.choice([(f"abs({a.text})", abs), (f"(-{a.text})", lambda x: -x)])
        return self._of_one(text, is_real, a, lambda p: function)

    def _extreme(self, depth: int, is_real: bool) -> Part:
        name, function = self.dice.choice([("min", min), ("max", max)])
        a = self.part(is_real, depth)
        if self.dice.random() < 0.3:
            text = f"{name}({a.text})"
            return Part(text, is_real, False, lambda program: function(_elements(a.value(program))))
        b = self.part(is_real, depth)
        text, is_array = f"{name}({a.text}, {b.text})", a.is_array or b.is_array
        return Part(text, is_real, is_array, lambda p: _each(function, a.value(p), b.value(p)))

    def _running(self, depth: int, is_real: bool) -> Part:
        a, kind = self.part(is_real, depth), self.dice.randrange(3)
        if kind == 0:
            b = self.part(is_real, 0)
            if a.is_array and b.is_array:
                return Part(f"dot({a.text}, {b.text})", is_real, False, lambda p: _checked(
                    p, is_real, p.added_up(_each(lambda x, y: x * y, a.value(p), b.value(p)))
                ))  # fmt: skip
        if kind == 1 and a.is_array:

            def sums(program: Program) -> list[Number]:
                values = a.value(program)
                return [
                    _checked(program, is_real, program.added_up(values[: k + 1]))
                    for k in range(len(values))
                ]

            return Part(f"cumsum({a.text})", is_real, True, sums)  # fmt: skip
        if is_real and a.is_array and self.dice.random() < 0.3:
            text = f"sum(concatenate({a.text}, -{a.text}))"  # each program rounds another way
            return Part(text, True, False, lambda p: _checked(
                p, True, p.added_up([*a.value(p), *(-x for x in a.value(p))])))  # fmt: skip
        return Part(f"sum({a.text})", is_real, False, lambda p: _checked(
            p, is_real, p.added_up(_elements(a.value(p)))))  # fmt: skip

    def _chosen(self, depth: int, is_real: bool) -> Part:
        condition = self._compared(depth, False)
        a, b = self.part(is_real, depth), self.part(is_real, depth)
        text = f"where({condition.text}, {a.text}, {b.text})"
        is_array = condition.is_array or a.is_array or b.is_array
        return Part(text, is_real, is_array, lambda p: _each(
            lambda c, x, y: x if c else y, condition.value(p), a.value(p), b.value(p)
        ))  # fmt: skip

    def _picked(self, depth: int, is_real: bool) -> Part:
        a = self.part(is_real, depth)
        if not a.is_array:
            return a
        if self.dice.random() < 0.5:
            return Part(f"{a.text}[::-1]", is_real, True, lambda p: a.value(p)[::-1])
        index = self.integer(depth)
        text, is_array = f"{a.text}[({index.text}) % n]", index.is_array

        def picked(program: Program) -> Value:
            values = a.value(program)
            return _each(lambda k: values[k % self.count], index.value(program))

        return Part(text, is_real, is_array, picked)

    def _of_one(
        self, text: str, is_real: bool, a: Part, function: Callable[[Program], Callable]
    ) -> Part:
        def value(program: Program) -> Value:
            compute = function(program)
            return _each(lambda x: _checked(program, is_real, compute(x)), a.value(program))

        return Part(text, is_real, a.is_array, value)

    def _binary(self, symbol: str, function: Callable, a: Part, b: Part, is_real: bool) -> Part:
        def value(program: Program) -> Value:
            x, y = a.value(program), b.value(program)
            if a.is_real != b.is_real or is_real:
                x, y = _each(program.as_real, x), _each(program.as_real, y)
            return _each(lambda p, q: _checked(program, is_real, function(p, q)), x, y)

        return Part(f"({a.text} {symbol} {b.text})", is_real, a.is_array or b.is_array, value)


def _checked(program: Program, is_real: bool, value: Number) -> Number:
    """A float in the program's type, or the integer as it is."""
    if not is_real:
        return value
    with np.errstate(all="ignore"):
        return program.as_real(value)


def wrapped(part: Part, dtype: str) -> Part:
    """The part of integers in a type that wraps."""
    text = f"{dtype}({part.text})"
    return Part(
        text, False, part.is_array, lambda p: _each(lambda x: _wrap(x, dtype), part.value(p))
    )


# ---- One case -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """An expectation of the output `y`, or of what is returned, and the program's inputs."""

    text: str
    name: str
    dtype: str
    inputs: dict[str, np.ndarray]
    part: Part

    def right(self, seed: int) -> np.ndarray | None:
        """What the second evaluator gives; None if its numbers are extraordinary."""
        real = np.float32 if self.dtype == "f32" else np.float64
        values = {name: _listed(array, real) for name, array in self.inputs.items()}
        try:
            with np.errstate(all="ignore"):
                found = self.part.value(Program(values, real, random.Random(seed)))
                if self.dtype[0] == "f":
                    found = _each(real, found)
        except (Extraordinary, OverflowError):
            return None
        shape = () if self.name == "return" else self.inputs["y"].shape
        found = np.array(found, object if self.dtype[0] != "f" else real)
        return np.broadcast_to(found, shape).astype(DTYPES[self.dtype])

    def wrong(self, expected: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
        """Outputs of programs that do not compute it, which may still happen to be the same."""
        yield "zeros", np.zeros_like(expected)
        if expected.ndim:
            for places, end in ((1, 0), (-1, -1)):
                moved = np.roll(expected, places)
                yield f"moved by {places}", moved.copy()
                moved[end] = expected[end]
                yield f"moved by {places}, the end kept", moved
        for name, array in self.inputs.items():
            if array.shape == expected.shape:
                yield f"the input {name}", _cast(array, DTYPES[self.dtype])


def _listed(array: np.ndarray, real: type[np.floating]) -> Value:
    if array.dtype.kind != "f":
        return array.tolist()
    return [real(x) for x in array] if array.ndim else real(array)


def _cast(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """An input where the output is: its numbers as far as the type holds them."""
    with np.errstate(all="ignore"):
        if dtype.kind == "f" or array.dtype.kind != "f":
            return array.astype(dtype)
        return np.clip(array, I16.lowest, I16.highest).astype(np.int64).astype(dtype)


def make_case(seed: int) -> Case:
    """The case of a seed."""
    dice = random.Random(seed)
    dtype = dice.choice(["f32", "f64", "f32", "f64", "i32", "u32", "i64", "u64", "u8"])
    count = dice.randint(2, 9)
    real = DTYPES[dtype] if dtype[0] == "f" else DTYPES["f64"]
    draw = np.random.default_rng(seed)
    scale = dice.choice([1.0, 100.0])
    inputs = {
        "n": np.asarray(count, np.int64),
        "a": np.asarray(draw.uniform(-4, 4), real),
        "x": (draw.uniform(-scale, scale, count)).astype(real),
        "z": draw.integers(-50, 50, count).astype(real),
        "i": draw.integers(-1000, 1000, count).astype(np.int32),
        "u": draw.integers(0, 2**64 - 1, count, dtype=np.uint64, endpoint=True),
        "b": draw.integers(0, 255, count, dtype=np.uint8, endpoint=True),
        "y": _cast(draw.uniform(-9, 9, count), DTYPES[dtype]),
    }
    maker = Maker(dice, count, ["x", "z"], ["i", "u", "b"])
    part = maker.part(dtype[0] == "f" and dice.random() < 0.9, dice.randint(1, 4))
    if dtype[0] != "f":
        part = wrapped(part, dtype)
    name = "y" if part.is_array or dice.random() < 0.3 else "return"
    return Case(part.text, name, dtype, inputs, part)


def check_case(seed: int) -> str:
    """Judge the right outputs of a seed's case and the wrong ones: 'judged', 'judged loosely' if
    floats that are a little off are right, or why there was nothing to judge.  Raises
    AssertionError.
    """
    case = make_case(seed)
    try:
        expected = _expected(case)
    except InputError as error:
        reasons = REFUSED if case.dtype[0] != "f" else (*REFUSED, "cannot hold")
        reason = next((reason for reason in reasons if reason in str(error)), None)
        assert reason, f"{case.text} of {case.dtype}: {error}"
        return reason
    right = case.right(seed)
    if right is None:
        return "extraordinary"
    found = compare(expected, right)
    assert found.ok, f"a right output of {case.dtype} is refused: {found}"
    _check_wrong(case, expected)
    if case.dtype[0] == "f":
        _check_stated_tolerance(case, random.Random(seed))
    off = a_little_off(case.dtype, right)
    found = compare(expected, off)
    if found.differing == np.count_nonzero(off != right):
        return "judged"
    assert case.dtype[0] == "f", f"{off.tolist()} is accepted: {found}"
    return "judged loosely"


def _expected(case: Case, tolerance: str = "") -> Expected:
    node = read_yaml(f'{{equals: "{case.text}"{tolerance}}}', "w.yaml")
    assert check_expectation(node, case.inputs) == []
    return expect(case.name, node, case.inputs, case.dtype, Path())


def _check_wrong(case: Case, expected: Expected) -> None:
    dtype = DTYPES[case.dtype]
    for what, wrong in case.wrong(expected.value.astype(dtype)):
        if not _same(case.dtype, wrong, expected.value):
            found = compare(expected, wrong)
            assert not found.ok, f"{what} of {case.dtype} {wrong.tolist()} is accepted: {found}"


def _check_stated_tolerance(case: Case, dice: random.Random) -> None:
    """One that is as large as the values may be: it is refused, or judges."""
    key, size = dice.choice(["atol", "rtol"]), dice.choice([1e-3, 0.5, 1, 2, 30, 1e4, 1e300])
    try:
        expected = _expected(case, f", {key}: {size}")
    except InputError as error:
        assert "would accept" in str(error), f"{case.text} of {case.dtype}: {error}"
        return
    _check_wrong(case, expected)


def a_little_off(dtype: str, right: np.ndarray) -> np.ndarray:
    """Every element another one, but near: of integers the next."""
    if dtype[0] == "f":
        return (right * (1 + A_LITTLE[dtype])).astype(right.dtype)
    with np.errstate(over="ignore"):
        return (right + np.ones((), right.dtype)).astype(right.dtype)


def _same(dtype: str, other: np.ndarray, expected: np.ndarray) -> bool:
    """Whether an output happens to be the expected one, as far as floats of its type tell."""
    if dtype[0] != "f":
        return np.array_equal(other, expected)
    return np.allclose(other.astype(np.float64), expected, rtol=RELATIVE[dtype], atol=0)


def check_cases(seeds: range) -> Counter[str]:
    """How many cases ended in which way; fails with the first ones that are misjudged."""
    outcomes: Counter[str] = Counter()
    failed = {}
    for seed in seeds:
        try:
            outcomes[check_case(seed)] += 1
        except AssertionError as error:
            failed[seed] = str(error)
    assert not failed, f"{len(failed)} of {len(seeds)}: {list(failed.items())[:5]}"
    return outcomes
