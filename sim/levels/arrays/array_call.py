"""A call of a function of arrays: what the machine is given for a case, and what it leaves.

The arguments are passed, and the result is left, as `machines.levels.arrays.types` says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from machines.description.strict_yaml import Node
from machines.diagnostics import InputError, Location, input_error
from machines.elements import DTYPES
from machines.layout import Memory
from machines.levels.arrays.function import ArrayFunction
from machines.levels.arrays.types import (
    ARENA,
    ARENA_SIZE,
    ARENA_TOO_SMALL,
    ARENA_UNIT,
    Array,
    Passing,
    Tuple,
    arena_head,
    columns,
    passing,
    words,
)
from sim.levels.arrays.arguments import lane_findings, read_arguments
from sim.levels.arrays.binding import scratch_of
from sim.workload.inputs import given_array
from sim.workload.schema import Case


@dataclass(frozen=True)
class ArrayCall:
    """A function of arrays with its arguments.

    case     the case as its kind of machine sees it: its arguments are what carries them
    inputs   what expectations are told of
    carried  arguments by carrier
    """

    function: ArrayFunction
    passed: Passing
    case: Case
    inputs: Mapping[str, np.ndarray]
    carried: Mapping[str, np.ndarray]

    @property
    def arrays(self) -> dict[str, np.ndarray]:
        """Columns of which no parameter is the address."""
        return {c.name: self.carried[c.name] for c in self.passed.in_arena if c.is_column}

    def write(self, memory: Memory) -> None:
        """Write what stands in the arena's first words."""
        arena = memory.view(ARENA)
        for k, carrier in enumerate(self.passed.in_arena):
            if carrier == ARENA_SIZE:
                value = np.asarray(arena.size // ARENA_UNIT * ARENA_UNIT)
            elif carrier.is_column:
                value = np.asarray(memory.address(carrier.name))
            else:
                value = self.carried[carrier.name]
            arena[8 * k : 8 * k + value.nbytes] = np.frombuffer(value.tobytes(), np.uint8)

    def fault(self, memory: Memory) -> tuple[str, Location | None, str] | None:
        """What ended the run that the memory is left of, where, and what can be done."""
        number = int(_word(memory.view(ARENA), self.passed.status, "i64")[0])
        if not number:
            return None
        kind, place = self.function.faults[number - 1]
        return kind, place, f"give it more, '{ARENA}: SIZE'" if kind == ARENA_TOO_SMALL else ""

    @property
    def results(self) -> dict[str, tuple[str, tuple[int, ...] | None]]:
        """The outputs: element type, and the shape of a number, None of an array."""
        return dict(_named(self.function.result, "return"))

    @property
    def gives_number(self) -> bool:
        """Whether the result is a single number, which results of a run have as `returned`."""
        return not isinstance(self.function.result, Array | Tuple)

    def outputs(self, memory: Memory) -> dict[str, np.ndarray]:
        """The result of the run that the memory is left of."""
        arena, result = memory.view(ARENA), self.function.result
        places = range(self.passed.result, arena.size, 8)
        held = [_word(arena, at, word) for at, word in zip(places, words(result), strict=False)]
        return dict(_value(arena, result, held, "return"))


def array_call(compiled: Any, case: Case, function: ArrayFunction) -> ArrayCall:
    """The call that a case makes; raises InputError with every finding."""
    workload = compiled.workload
    found = read_arguments(function, case.arguments, workload.tree, workload.folder)
    findings = lane_findings(function.lanes, found, case.arguments)
    if findings:
        raise InputError(findings)
    passed = passing(function.parameters, function.together)
    nodes = {
        carrier.name: _as_node(found.carried[carrier.name], case, carrier.name)
        for carrier in passed.in_registers
    }
    nodes[ARENA] = _arena(workload.tree, scratch_of(workload.form), passed, function)
    own = replace(case, arguments=nodes, expect={})
    return ArrayCall(function, passed, own, found.named, found.carried)


def _arena(tree: Node, size: int, passed: Passing, function: ArrayFunction) -> Node:
    least = arena_head(passed, function.result)
    if size < least:
        message = f"'{ARENA}' is {size} bytes: arguments and result take {least} of them"
        raise InputError(tree.finding(message, key=ARENA))
    return given_array(np.zeros(size, np.uint8), tree)


def _as_node(value: np.ndarray, case: Case, name: str) -> Node:
    """What carries an argument, as if it were written where the argument is."""
    node = case.arguments[name.partition(".")[0]]
    return given_array(value, node) if value.ndim else Node(value.item(), node.location, node.text)


# ---- The result ----------------------------------------------------------------------------------


def _named(type: Any, name: str) -> Iterator[tuple[str, tuple[str, tuple[int, ...] | None]]]:
    """The outputs that a result of a type is."""
    if isinstance(type, Tuple):
        for k, part in enumerate(type.parts):
            yield from _named(part, f"{name}.{k}")
    elif isinstance(type, Array):
        for column, leaf in columns(type.element, name):
            if not column.endswith(".starts"):
                yield column, (str(leaf), None)
    else:
        yield name, (type, ())


def _value(
    arena: np.ndarray, type: Any, held: Sequence[np.ndarray], name: str
) -> Iterator[tuple[str, np.ndarray]]:
    """The outputs that a value is, of which there are the words."""
    if isinstance(type, Tuple):
        for k, (part, own) in enumerate(_split(type, held)):
            yield from _value(arena, part, own, f"{name}.{k}")
    elif isinstance(type, Array):
        yield from _elements(arena, type.element, _rows(arena, type.element, held), name)
    else:
        yield name, held[0].reshape(())


def _elements(
    arena: np.ndarray, type: Any, held: Sequence[np.ndarray], name: str
) -> Iterator[tuple[str, np.ndarray]]:
    """The outputs that the elements of an array are, of which there are columns of words."""
    if isinstance(type, Tuple):
        for k, (part, own) in enumerate(_split(type, held)):
            yield from _elements(arena, part, own, f"{name}.{k}")
    elif isinstance(type, Array):
        yield f"{name}.lengths", held[0]
        rows = _rows(arena, type.element, held)
        yield from _elements(arena, type.element, rows, f"{name}.values")
    else:
        yield name, held[0]


def _split(type: Tuple, held: Sequence[np.ndarray]) -> Iterator[tuple[Any, Sequence[np.ndarray]]]:
    """The parts of a tuple, each with its words."""
    at = 0
    for part in type.parts:
        count = len(words(part))
        yield part, held[at : at + count]
        at += count


def _rows(arena: np.ndarray, element: Any, held: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The words of the elements of arrays, one array behind another."""
    lengths, *places = held
    found = []
    for word, column in zip(words(element), places, strict=True):
        dtype = DTYPES[str(word)]
        ends = column + lengths * dtype.itemsize
        if np.any((column < 0) | (lengths < 0) | (ends > arena.size)):
            hint = "without 'allow: [unchecked]' a fault may say why"
            raise input_error("what came out does not lie in scratch memory", hint=hint)
        pairs = zip(column.tolist(), ends.tolist(), strict=True)
        rows = [arena[place:end] for place, end in pairs]
        found.append(np.concatenate([arena[:0], *rows]).view(dtype))
    return found


def _word(arena: np.ndarray, at: int, word: Any) -> np.ndarray:
    """A word of the arena's first ones, as an array of one element."""
    dtype = DTYPES[str(word)]
    return arena[at : at + dtype.itemsize].copy().view(dtype)
