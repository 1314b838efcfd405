"""What random functions give by Awkward Array, for all lanes at once: its names are those of
`lane_judge`.

A value is one array over lanes.  A comprehension goes on with the elements of all lanes as its own
lanes, an arm of a branch with those that take it, a loop with those that are live.  Of a value of
lanes around, each of them takes what its lane there has.

No lane may fault: arms that a lane does not take are not computed for it, but nothing says of which
lane a fault would be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import awkward as ak
import numpy as np

from tests.programs import lane_judge
from tests.programs.functions.types import Type, is_tuple


@dataclass(frozen=True, eq=False)
class Lanes:
    """Lanes; of each the one among the lanes around that it belongs to."""

    count: int
    parents: np.ndarray | None = None
    around: Lanes | None = None


@dataclass(frozen=True, eq=False)
class Value:
    """An array over lanes."""

    lanes: Lanes
    array: ak.Array


ONE = Lanes(1)
"""What is the same for all lanes is an array over this one."""


def is_known(*values: Any) -> bool:
    """Whether scalars are literals, or follow from them."""
    return not any(isinstance(value, Value) for value in values)


def _extreme(a: np.ndarray, b: np.ndarray, largest: bool) -> np.ndarray:
    """A number before NaN, and -0 less than 0."""
    better = b > a if largest else b < a
    if a.dtype.kind == "f":
        better |= np.isnan(a) | ((a == 0) & (b == 0) & (np.signbit(a) == largest))
    return np.where(better, b, a)


_OPERATORS: dict[str, Callable] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "//": np.floor_divide,
    "%": np.remainder,
    "&": np.bitwise_and,
    "|": np.bitwise_or,
    "^": np.bitwise_xor,
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "min": lambda a, b: _extreme(a, b, False),
    "max": lambda a, b: _extreme(a, b, True),
}
_UNARY = {"-": np.negative, "abs": np.abs, "sqrt": np.sqrt, "not": np.logical_not}


class Judge:
    """Goes through a program for some lanes."""

    def __init__(self, lanes: Lanes) -> None:
        self.lanes = lanes

    @property
    def names(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in lane_judge.NAMES}

    # Lanes

    def here(self, value: Any) -> ak.Array:
        """A value as an array over the lanes that it is computed for now."""
        if is_known(value):
            return ak.Array(np.full(self.lanes.count, value))
        way, lanes = [], self.lanes
        while lanes is not value.lanes:
            way.append(lanes.parents)
            lanes = lanes.around
        array = value.array
        for parents in reversed(way):
            array = array[parents]
        return array

    def flat(self, value: Any) -> np.ndarray:
        """The same of scalars."""
        return ak.to_numpy(self.here(value))

    def value(self, array: ak.Array | np.ndarray) -> Value:
        return Value(self.lanes, ak.Array(array))

    @contextmanager
    def among(self, parents: np.ndarray) -> Iterator[None]:
        """Lanes that belong to these of the lanes around."""
        around = self.lanes
        self.lanes = Lanes(len(parents), parents, around)
        try:
            yield
        finally:
            self.lanes = around

    def changed(
        self, states: Sequence[Any], live: np.ndarray, step: Callable[[], Sequence[Any]]
    ) -> tuple[Value, ...]:
        """The states, where lanes are live what a step gives."""
        before = [self.here(s) for s in states]
        with self.among(np.flatnonzero(live)):
            after = [self.here(s) for s in step()]
        source = np.arange(len(live))
        source[live] = len(live) + np.arange(np.count_nonzero(live))
        pairs = zip(before, after, strict=True)
        return tuple(self.value(ak.concatenate([a, b])[source]) for a, b in pairs)

    # Scalars

    def binary(self, op: str, a: Any, b: Any) -> Any:
        if is_known(a, b):
            return lane_judge.binary(op, a, b)
        with np.errstate(all="ignore"):
            return self.value(_OPERATORS[op](self.flat(a), self.flat(b)))

    def unary(self, op: str, a: Any) -> Any:
        if is_known(a):
            return lane_judge.unary(op, a)
        with np.errstate(all="ignore"):
            return self.value(_UNARY[op](self.flat(a)))

    def cast(self, type: str, value: Any) -> Any:
        if is_known(value):
            return lane_judge.cast(type, value)
        array, target = self.flat(value), lane_judge.SCALARS[type]
        with np.errstate(all="ignore"):
            if array.dtype.kind != "f" or type not in lane_judge.BITS:
                return self.value(array.astype(target))
            least, most = lane_judge.limits(type)
            above, below = array >= float(most), array < least
            fits = ~(above | below | np.isnan(array))
            made = np.where(fits, array, 0).astype(target)
        made[above], made[below] = most, least
        return self.value(made)

    # Tuples and arrays

    def make(self, *parts: Any) -> Value:
        return self.value(ak.zip(tuple(self.here(p) for p in parts), depth_limit=1))

    def listed(self, *parts: Any) -> Value:
        ones = np.ones(self.lanes.count, np.int64)
        rows = [ak.unflatten(self.here(part), ones) for part in parts]
        return self.value(ak.concatenate(rows, axis=1))

    def behind(self, one: Any, other: Any) -> Value:
        return self.value(ak.concatenate([self.here(one), self.here(other)], axis=1))

    def item(self, value: Any, index: int) -> Value:
        return self.value(self.here(value)[str(index)])

    def length(self, values: Any) -> Value:
        return self.value(ak.num(self.here(values), axis=1))

    def index(self, values: Any, at: Any) -> Value:
        one = ak.unflatten(self.flat(at), np.ones(self.lanes.count, np.int64))
        return self.value(ak.flatten(self.here(values)[one], axis=1))

    def iota(self, count: Any) -> Value:
        counts = self.flat(count)
        zeros = ak.unflatten(np.zeros(counts.sum(), np.int64), counts)
        return self.value(ak.local_index(zeros, axis=1))

    upto = iota

    def replicate(self, value: Any, count: Any) -> Value:
        counts = self.flat(count)
        lanes = np.repeat(np.arange(self.lanes.count), counts)
        return self.value(ak.unflatten(self.here(value)[lanes], counts))

    def flatten(self, rows: Any) -> Value:
        return self.value(ak.flatten(self.here(rows), axis=2))

    def rows(self, values: Any, lengths: Any) -> Value:
        lengths = self.here(lengths)
        flat = ak.flatten(self.here(values), axis=1)
        made = ak.unflatten(flat, ak.flatten(lengths, axis=1))
        return self.value(ak.unflatten(made, ak.num(lengths, axis=1)))

    def gather(self, values: Any, indices: Any) -> Value:
        return self.value(self.here(values)[self.here(indices)])

    def keep(self, mask: Any, values: Any) -> Value:
        return self.value(self.here(values)[self.here(mask)])

    def scatter(self, array: Any, indices: Any, values: Any) -> Value:
        array, values = self.here(array), ak.flatten(self.here(values), axis=1)
        flat, source = ak.flatten(array, axis=1), np.arange(ak.sum(ak.num(array, axis=1)))
        source[self._places(array, indices)] = len(flat) + np.arange(len(values))
        made = ak.concatenate([flat, values])[source]
        return self.value(ak.unflatten(made, ak.num(array, axis=1)))

    def scatter_add(self, array: Any, indices: Any, values: Any) -> Value:
        array, values = self.here(array), ak.flatten(self.here(values), axis=1)
        flat = ak.to_numpy(ak.flatten(array, axis=1)).copy()
        with np.errstate(all="ignore"):
            np.add.at(flat, self._places(array, indices), ak.to_numpy(values))  # in order
        return self.value(ak.unflatten(flat, ak.num(array, axis=1)))

    def _places(self, array: ak.Array, indices: Any) -> np.ndarray:
        """Where indices are in the elements of all lanes."""
        counts = ak.to_numpy(ak.num(array, axis=1))
        return ak.to_numpy(ak.flatten(self.here(indices) + (np.cumsum(counts) - counts), axis=1))

    # Calls

    def choose(self, test: Any, then: Callable, other: Callable) -> Any:
        if is_known(test):
            return then() if test else other()
        return self._either(test, lambda: [then()], lambda: [other()])[0]

    def when(self, test: Any, then: Callable, other: Callable, values: tuple) -> tuple:
        if is_known(test):
            return then(*values) if test else other(*values)
        return self._either(test, lambda: then(*values), lambda: other(*values))

    def _either(self, test: Any, then: Callable, other: Callable) -> tuple[Value, ...]:
        mask = self.flat(test)
        arms, lanes = [], (np.flatnonzero(mask), np.flatnonzero(~mask))
        for arm, own in zip((then, other), lanes, strict=True):
            with self.among(own):
                arms.append([self.here(value) for value in arm()])
        order = np.argsort(np.concatenate(lanes))
        return tuple(self.value(ak.concatenate(pair)[order]) for pair in zip(*arms, strict=True))

    def loop(self, test: Callable, step: Callable, states: tuple) -> tuple:
        while (live := self.flat(test(*states))).any():
            states = self.changed(states, live, lambda s=states: step(*s))
        return states

    def walk(self, step: Callable, values: Any, states: tuple) -> tuple:
        counts = self.flat(self.length(values))
        for k in range(max(counts, default=0)):

            def at(s: tuple = states, k: int = k) -> tuple:
                return step(self.index(values, np.int64(k)), *s)

            states = self.changed(states, counts > k, at)
        return states

    def each(self, function: Callable, test: Callable | None, *arrays: Any) -> Value:
        held = [self.here(array) for array in arrays]
        counts = ak.to_numpy(ak.num(held[0], axis=1))
        parents = np.repeat(np.arange(len(counts)), counts)
        with self.among(parents):
            elements = [self.value(ak.flatten(array, axis=1)) for array in held]
            kept = np.arange(len(parents))
            if test is not None:
                kept = np.flatnonzero(self.flat(test(*elements)))
            with self.among(kept):
                made = self.here(function(*elements))
        return self.value(ak.unflatten(made, np.bincount(parents[kept], minlength=len(counts))))

    def reduce(self, function: Callable, start: Any, values: Any) -> Any:
        return self.walk(lambda value, state: [function(state, value)], values, (start,))[0]

    def scan(self, function: Callable, start: Any, values: Any) -> Value:
        def step(value: Any, state: Any, whole: Any) -> list:
            state = function(state, value)
            return [state, self.append(whole, state)]

        none = self.value(self.here(values)[:, :0])
        return self.walk(step, values, (start, none))[1]

    def append(self, values: Any, value: Any) -> Value:
        one = ak.unflatten(self.here(value), np.ones(self.lanes.count, np.int64))
        return self.value(ak.concatenate([self.here(values), one], axis=1))


def column(type: Type, values: Sequence[Any]) -> ak.Array:
    """Values of a type as one array, which has the type too where there are none."""
    if isinstance(type, str):
        held = [lane_judge.held(type, value) for value in values]
        return ak.Array(np.array(held, lane_judge.SCALARS[type]))
    if is_tuple(type):
        parts = enumerate(type[1:])
        parts = tuple(column(part, [value[k] for value in values]) for k, part in parts)
        return ak.zip(parts, depth_limit=1)
    flat = column(type[1], [element for value in values for element in value])
    return ak.unflatten(flat, np.array([len(value) for value in values], np.int64))


def results(type: Type, values: ak.Array) -> list[Any]:
    """The value of every lane, in plain numbers, lists and tuples."""
    return [lane_judge.plain(lane_judge.held(type, value)) for value in ak.to_list(values)]
