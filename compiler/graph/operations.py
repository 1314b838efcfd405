"""The operation classes of graphs, a hierarchy: what each takes, gives, and means.

`Operation` ── `Terminal` ── `Elementwise` (rows of the operation table, `Constant`)
            │             ├─ `Structural` (tuples, lengths, rows, views: nothing is computed)
            │             ├─ `Indexed` (gather, scatter, …)
            │             ├─ `Reduction` (reduce, scan)
            │             └─ `Each` (any terminal done for every element of arrays)
            └─ `NonTerminal` (lambdas and what calls them)

An instance is a value: equal instances are one operation.  `compute` says what a terminal means for
Python numbers, lists (arrays) and tuples; it raises `GraphFault`.  What non-terminals mean is in
`compiler.graph.interpret`.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, ClassVar

from compiler.graph.types import Array, Function, GraphType, Tuple
from machines.instructions import operations
from machines.operations.evaluate import evaluator, faults
from machines.operations.row import Operation as TableRow
from machines.types import I1, I64
from machines.types import Type as Scalar


class IllTyped(Exception):
    """An operation does not take such arguments."""


class GraphFault(Exception):
    """What stops a program: `kind` is 'division by zero', 'index out of range', 'equal indices',
    'unequal lengths' or 'negative length'."""

    def __init__(self, kind: str):
        super().__init__(kind)
        self.kind = kind


OUT_OF_RANGE = "index out of range"
EQUAL_INDICES = "equal indices"
UNEQUAL = "unequal lengths"
NEGATIVE = "negative length"


class Operation:
    """What a node does."""

    may_fault: ClassVar[bool] = False
    is_terminal: ClassVar[bool] = True

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        """The type of its value; raises IllTyped."""
        raise NotImplementedError


class Terminal(Operation):
    """A primitive operation."""

    def compute(self, *values: Any) -> Any:
        """Its value; raises GraphFault."""
        raise NotImplementedError

    def elements(self, values: Sequence[Any]) -> int | None:
        """The element operations for such arguments; None: as many as its class has."""
        return None


class NonTerminal(Operation):
    """A lambda, or what calls lambdas."""

    is_terminal = False


class Elementwise(Terminal):
    """Of scalars."""


class Structural(Terminal):
    """Of the form of values; no element is computed."""


class Indexed(Terminal):
    """Of elements by their indices."""


class Reduction(Terminal):
    """Of many elements, in ascending order from a start value."""


def expect(ok: bool, message: str) -> None:
    """Raises IllTyped unless it is so."""
    if not ok:
        raise IllTyped(message)


def _takes(name: str, arguments: Sequence[GraphType], count: int) -> None:
    expect(len(arguments) == count, f"{name} takes {count} arguments, not {len(arguments)}")


def _takes_at_least(name: object, arguments: Sequence[GraphType], fewest: int) -> None:
    count = len(arguments)
    expect(count >= fewest, f"{name} takes at least {fewest} arguments, not {count}")


def _array(name: str, type: GraphType) -> Array:
    expect(isinstance(type, Array), f"{name} takes an array, not {type}")
    return type


def _integers(name: str, type: GraphType) -> None:
    wanted = Array(I64)
    expect(type == wanted, f"{name} takes indices or lengths of type {wanted}, not {type}")


# Elementwise -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Parameter(Terminal):
    """A parameter of a lambda, of which there is one however many are alike."""

    name: str
    type: GraphType
    unique: int

    def __str__(self) -> str:
        return f"parameter {self.name}"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        return self.type


@dataclass(frozen=True, slots=True)
class Constant(Elementwise):
    """A literal; `bits` are what tells it from others (0.0 from -0.0)."""

    value: int | float
    type: Scalar
    bits: bytes

    @classmethod
    def of(cls, value: int | float, type: Scalar) -> Constant:
        """The literal of a type, rounded or wrapped to it as the IR holds it."""
        from compiler.ir.builder import canonical

        held = canonical(value, type)
        bits = struct.pack("<d", held) if type.is_float else struct.pack("<q", held)
        return cls(held if held == held else float("nan"), type, bits)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Constant) and (self.bits, self.type) == (other.bits, other.type)

    def __hash__(self) -> int:
        return hash((self.bits, self.type))

    def __str__(self) -> str:
        return f"const.{self.type} {self.value!r}"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        _takes("a constant", arguments, 0)
        return self.type

    def compute(self) -> int | float:
        return self.value


@dataclass(frozen=True, slots=True)
class Row(Elementwise):
    """A row of the operation table, by its name among the IR's."""

    name: str

    def __str__(self) -> str:
        return self.name

    @property
    def row(self) -> TableRow:
        return scalar_rows()[self.name]

    @property
    def may_fault(self) -> bool:  # type: ignore[override]
        return bool(self.row.faults_if)

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        expect(self.name in scalar_rows(), f"there is no scalar operation '{self.name}'")
        wanted = tuple(operand.kind for operand in self.row.reads)
        _takes(self.name, arguments, len(wanted))
        for type, kind in zip(arguments, wanted, strict=True):
            expect(type == kind, f"{self.name} takes {kind}, not {type}")
        return self.row.writes[0].kind

    def compute(self, *values: Any) -> Any:
        if self.row.faults_if and faults(self.row)(*values):
            raise GraphFault(self.row.fault)
        return evaluator(self.row)(*values)


@cache
def scalar_rows() -> dict[str, TableRow]:
    """The rows of the IR that compute one scalar of scalars, by name."""
    return {
        row.name: row
        for row in operations().family("ir").values()
        if len(row.writes) == 1
        and row.meaning
        and not row.access
        and not row.control
        and not row.implicit_reads
        and "literal" not in row.flags
        and all(
            isinstance(o.kind, Scalar) and (o.kind.is_integer or o.kind.is_float)
            for o in (*row.reads, *row.writes)
        )
    }


# Structural --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MakeTuple(Structural):
    def __str__(self) -> str:
        return "tuple"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        return Tuple(arguments)

    def compute(self, *values: Any) -> Any:
        return values


@dataclass(frozen=True, slots=True)
class Item(Structural):
    """A part of a tuple."""

    index: int

    def __str__(self) -> str:
        return f"item[{self.index}]"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        _takes("item", arguments, 1)
        (type,) = arguments
        expect(isinstance(type, Tuple), f"item takes a tuple, not {type}")
        expect(self.index < len(type.parts), f"{type} has no part {self.index}")
        return type.parts[self.index]

    def compute(self, value: Any) -> Any:
        return value[self.index]


@dataclass(frozen=True, slots=True)
class Length(Structural):
    def __str__(self) -> str:
        return "length"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        _takes("length", arguments, 1)
        _array("length", arguments[0])
        return I64

    def compute(self, values: Any) -> Any:
        return len(values)


@dataclass(frozen=True, slots=True)
class Zip(Structural):
    """Arrays of one length as an array of tuples; unequal lengths fault."""

    may_fault = True

    def __str__(self) -> str:
        return "zip"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        expect(bool(arguments), "zip takes at least one array")
        return Array(Tuple(tuple(_array("zip", type).element for type in arguments)))

    def compute(self, *arrays: Any) -> Any:
        if len({len(array) for array in arrays}) > 1:
            raise GraphFault(UNEQUAL)
        return list(zip(*arrays, strict=True))


@dataclass(frozen=True, slots=True)
class Iota(Structural):
    """0, 1, … below a length."""

    may_fault = True

    def __str__(self) -> str:
        return "iota"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        expect(arguments == (I64,), "iota takes one i64")
        return Array(I64)

    def compute(self, length: int) -> Any:
        if length < 0:
            raise GraphFault(NEGATIVE)
        return list(range(length))


@dataclass(frozen=True, slots=True)
class Replicate(Structural):
    """One value as often as a number says: a view, never memory."""

    may_fault = True

    def __str__(self) -> str:
        return "replicate"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        _takes("replicate", arguments, 2)
        expect(arguments[1] == I64, f"replicate takes an i64 as length, not {arguments[1]}")
        return Array(arguments[0])

    def compute(self, value: Any, length: int) -> Any:
        if length < 0:
            raise GraphFault(NEGATIVE)
        return [value] * length


@dataclass(frozen=True, slots=True)
class Spread(Structural):
    """Each element as often as the number at its place says: a view."""

    may_fault = True

    def __str__(self) -> str:
        return "spread"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        _takes("spread", arguments, 2)
        _integers("spread", arguments[1])
        return _array("spread", arguments[0])

    def compute(self, values: Any, counts: Any) -> Any:
        if len(values) != len(counts):
            raise GraphFault(UNEQUAL)
        if any(count < 0 for count in counts):
            raise GraphFault(NEGATIVE)
        return [v for v, count in zip(values, counts, strict=True) for _ in range(count)]


@dataclass(frozen=True, slots=True)
class Flatten(Structural):
    """The elements of all rows, one row after another."""

    def __str__(self) -> str:
        return "flatten"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        _takes("flatten", arguments, 1)
        return _array("flatten", _array("flatten", arguments[0]).element)

    def compute(self, rows: Any) -> Any:
        return [value for row in rows for value in row]


@dataclass(frozen=True, slots=True)
class Rows(Structural):
    """Values cut into rows of these lengths, which add up to their number."""

    may_fault = True

    def __str__(self) -> str:
        return "rows"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        _takes("rows", arguments, 2)
        _integers("rows", arguments[1])
        return Array(_array("rows", arguments[0]))

    def compute(self, values: Any, lengths: Any) -> Any:
        if any(length < 0 for length in lengths):
            raise GraphFault(NEGATIVE)
        if sum(lengths) != len(values):
            raise GraphFault(UNEQUAL)
        cut, at = [], 0
        for length in lengths:
            cut.append(values[at : at + length])
            at += length
        return cut


# Indexed -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Index(Indexed):
    """An element by its index; one out of range faults (none counts from the end)."""

    may_fault = True

    def __str__(self) -> str:
        return "index"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        _takes("index", arguments, 2)
        expect(arguments[1] == I64, f"an index is an i64, not {arguments[1]}")
        return _array("index", arguments[0]).element

    def compute(self, values: Any, index: int) -> Any:
        if not 0 <= index < len(values):
            raise GraphFault(OUT_OF_RANGE)
        return values[index]


@dataclass(frozen=True, slots=True)
class Gather(Indexed):
    """The elements at these indices."""

    may_fault = True

    def __str__(self) -> str:
        return "gather"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        _takes("gather", arguments, 2)
        _integers("gather", arguments[1])
        return _array("gather", arguments[0])

    def compute(self, values: Any, indices: Any) -> Any:
        return [Index().compute(values, i) for i in indices]


@dataclass(frozen=True, slots=True)
class Scatter(Indexed):
    """An array with other values at these indices, no two of which may be equal."""

    may_fault = True

    def __str__(self) -> str:
        return "scatter"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        _takes("scatter", arguments, 3)
        _integers("scatter", arguments[1])
        expect(arguments[0] == arguments[2], "scatter takes values of the array's type")
        return _array("scatter", arguments[0])

    def compute(self, array: Any, indices: Any, values: Any) -> Any:
        if len(indices) != len(values):
            raise GraphFault(UNEQUAL)
        changed, seen = list(array), set()
        for i, value in zip(indices, values, strict=True):
            if not 0 <= i < len(array):
                raise GraphFault(OUT_OF_RANGE)
            if i in seen:
                raise GraphFault(EQUAL_INDICES)
            seen.add(i)
            changed[i] = value
        return changed


@dataclass(frozen=True, slots=True)
class ScatterReduce(Indexed):
    """An array in which values are combined into what is at these indices, in ascending order."""

    row: str
    may_fault = True

    def __str__(self) -> str:
        return f"scatter_reduce[{self.row}]"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        Scatter().result(arguments)
        element = _array("scatter_reduce", arguments[0]).element
        expect(
            Row(self.row).result((element, element)) == element, f"{self.row} combines no {element}"
        )
        return arguments[0]

    def compute(self, array: Any, indices: Any, values: Any) -> Any:
        if len(indices) != len(values):
            raise GraphFault(UNEQUAL)
        changed, combine = list(array), Row(self.row).compute
        for i, value in zip(indices, values, strict=True):
            changed[i] = combine(Index().compute(changed, i), value)
        return changed


@dataclass(frozen=True, slots=True)
class Filter(Indexed):
    """The elements where a mask is true."""

    may_fault = True

    def __str__(self) -> str:
        return "filter"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        _takes("filter", arguments, 2)
        expect(arguments[1] == Array(I1), f"filter takes a mask of i1, not {arguments[1]}")
        return _array("filter", arguments[0])

    def compute(self, values: Any, mask: Any) -> Any:
        if len(values) != len(mask):
            raise GraphFault(UNEQUAL)
        return [value for value, keep in zip(values, mask, strict=True) if keep]


@dataclass(frozen=True, slots=True)
class Merge(Indexed):
    """For each of a mask the next element of the first array if true, else of the second."""

    may_fault = True

    def __str__(self) -> str:
        return "merge"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        _takes("merge", arguments, 3)
        expect(arguments[0] == Array(I1), f"merge takes a mask of i1, not {arguments[0]}")
        expect(
            arguments[1] == arguments[2],
            f"merge takes arrays of one type, not {arguments[1]} and {arguments[2]}",
        )
        return _array("merge", arguments[1])

    def compute(self, mask: Any, then: Any, other: Any) -> Any:
        taken = sum(mask)
        if taken != len(then) or len(mask) - taken != len(other):
            raise GraphFault(UNEQUAL)
        sources = iter(other), iter(then)
        return [next(sources[bool(choice)]) for choice in mask]


# Reductions --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reduce(Reduction):
    """A start value combined with every element in ascending order."""

    row: str

    def __str__(self) -> str:
        return f"reduce[{self.row}]"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        _takes("reduce", arguments, 2)
        element = _array("reduce", arguments[1]).element
        expect(arguments[0] == element, f"reduce starts with {element}, not {arguments[0]}")
        combined = Row(self.row).result((element, element))
        expect(combined == element, f"{self.row} gives {combined}, not {element}")
        expect(not Row(self.row).may_fault, f"{self.row} may fault")
        return element

    def compute(self, start: Any, values: Any) -> Any:
        combine = Row(self.row).compute
        for value in values:
            start = combine(start, value)
        return start


@dataclass(frozen=True, slots=True)
class Scan(Reduction):
    """What `reduce` comes to after each element: as many values as elements."""

    row: str

    def __str__(self) -> str:
        return f"scan[{self.row}]"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        return Array(Reduce(self.row).result(arguments))

    def compute(self, start: Any, values: Any) -> Any:
        combine, made = Row(self.row).compute, []
        for value in values:
            start = combine(start, value)
            made.append(start)
        return made


# For every element -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Each(Terminal):
    """A terminal done for every element of arrays of one length: what vectorization makes of it."""

    of: Terminal

    def __str__(self) -> str:
        return f"each.{self.of}"

    @property
    def may_fault(self) -> bool:  # type: ignore[override]
        return self.of.may_fault

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        expect(bool(arguments), f"{self} takes arrays")
        return Array(self.of.result(tuple(_array(str(self), a).element for a in arguments)))

    def compute(self, *arrays: Any) -> Any:
        if len({len(array) for array in arrays}) > 1:
            raise GraphFault(UNEQUAL)
        return [self.of.compute(*lane) for lane in zip(*arrays, strict=True)]


# Lambdas -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Lambda(NonTerminal):
    """A user-defined function: the symbols of its parameters; the argument is its result."""

    parameters: tuple[int, ...]
    types: tuple[GraphType, ...]
    name: str = ""

    def __str__(self) -> str:
        return "lambda"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        _takes("a lambda", arguments, 1)
        return Function(self.types, arguments[0])


def _calls(name: str, function: GraphType, arguments: Sequence[GraphType]) -> GraphType:
    """What a function gives for such arguments."""
    expect(isinstance(function, Function), f"{name} takes a lambda, not {function}")
    given, wanted = tuple(arguments), function.parameters
    expect(given == wanted, f"{name} calls {function} with ({', '.join(map(str, given))})")
    return function.result


@dataclass(frozen=True, slots=True)
class Apply(NonTerminal):
    """apply(f, a…): a call."""

    def __str__(self) -> str:
        return "apply"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        _takes_at_least(self, arguments, 1)
        return _calls("apply", arguments[0], arguments[1:])


@dataclass(frozen=True, slots=True)
class If(NonTerminal):
    """if(p, f, g, a…): f(a…) if p, else g(a…)."""

    def __str__(self) -> str:
        return "if"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        _takes_at_least(self, arguments, 3)
        p, then, other, *rest = arguments
        expect(p == I1, f"a condition is i1, not {p}")
        taken, left = _calls("if", then, rest), _calls("if", other, rest)
        expect(taken == left, f"the arms give {taken} and {left}")
        return taken


@dataclass(frozen=True, slots=True)
class While(NonTerminal):
    """while(p, f, s…): while p(s…) holds, the s… become the parts of f(s…); gives their tuple."""

    may_fault = True  # it need not end

    def __str__(self) -> str:
        return "while"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        _takes_at_least(self, arguments, 2)
        test, step, *states = arguments
        expect(_calls("while", test, states) == I1, "the condition of a while is i1")
        made = _calls("while", step, states)
        expect(made == Tuple(tuple(states)), f"the state {Tuple(tuple(states))} becomes {made}")
        return made


@dataclass(frozen=True, slots=True)
class Map(NonTerminal):
    """map(f, xs…): f of the elements of arrays of one length."""

    may_fault = True

    def __str__(self) -> str:
        return "map"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        _takes_at_least(self, arguments, 1)
        function, *arrays = arguments
        expect(bool(arrays), "map takes at least one array")
        return Array(_calls("map", function, [_array("map", a).element for a in arrays]))


@dataclass(frozen=True, slots=True)
class Fold(NonTerminal):
    """fold(f, xs, s…): for each x of xs in ascending order, the s… become the parts of f(x, s…)."""

    def __str__(self) -> str:
        return "fold"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        _takes_at_least(self, arguments, 2)
        function, array, *states = arguments
        made = _calls("fold", function, [_array("fold", array).element, *states])
        expect(made == Tuple(tuple(states)), f"the state {Tuple(tuple(states))} becomes {made}")
        return made


@dataclass(frozen=True, slots=True)
class WhileEach(NonTerminal):
    """while.each(p, f, S…, C…): a while of every lane, all live lanes together.  p and f are
    vectorized: they take arrays of the live lanes' states and of their `captured` last ones, which
    do not change.  A lane that is done does no more work.  Gives an array of tuples."""

    captured: int = 0
    may_fault = True

    def __str__(self) -> str:
        return f"while.each[{self.captured}]"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        _takes_at_least(self, arguments, 2 + self.captured)
        test, step, *arrays = arguments
        states = arrays[: len(arrays) - self.captured]
        expect(_calls("while.each", test, arrays) == Array(I1), "the condition is an i1 a lane")
        made = Array(Tuple(tuple(_array("while.each", a).element for a in states)))
        given = _calls("while.each", step, arrays)
        expect(given == made, f"the state {made} becomes {given}")
        return made


@dataclass(frozen=True, slots=True)
class FoldEach(NonTerminal):
    """fold.each(f, XS, S…, C…): a fold of every lane over a row of its own, all lanes whose row is
    not at its end together; f is vectorized, the `captured` last arguments do not change."""

    captured: int = 0

    def __str__(self) -> str:
        return f"fold.each[{self.captured}]"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        _takes_at_least(self, arguments, 2 + self.captured)
        function, rows, *arrays = arguments
        states = arrays[: len(arrays) - self.captured]
        made = Array(Tuple(tuple(_array("fold.each", a).element for a in states)))
        given = _calls("fold.each", function, [_array("fold.each", rows).element, *arrays])
        expect(given == made, f"the state {made} becomes {given}")
        return made


STRUCTURES: dict[str, Terminal] = {
    str(op): op
    for op in (
        MakeTuple(), Length(), Zip(), Iota(), Replicate(), Spread(), Flatten(), Rows(),
        Index(), Gather(), Scatter(), Filter(), Merge(),
    )
}  # fmt: skip
CALLS: dict[str, NonTerminal] = {str(op): op for op in (Apply(), If(), While(), Map(), Fold())}


NO_PRIMITIVES: Mapping[str, Terminal] = MappingProxyType({})


def named(text: str, primitives: Mapping[str, Terminal] = NO_PRIMITIVES) -> Operation | None:
    """The operation that text calls so, but lambdas, parameters and constants; None: there is none.

    primitives  those that files of rules declare, by name

    >>> str(named("each.reduce[add.f32]"))
    'each.reduce[add.f32]'
    """
    if text.startswith("each."):
        inner = named(text.removeprefix("each."), primitives)
        return Each(inner) if isinstance(inner, Terminal) else None
    name, bracket, rest = text.partition("[")
    if bracket and rest.endswith("]"):
        inside = rest.removesuffix("]")
        rowed = {"reduce": Reduce, "scan": Scan, "scatter_reduce": ScatterReduce}
        counted = {"item": Item, "while.each": WhileEach, "fold.each": FoldEach}
        if name in rowed and inside in scalar_rows():
            return rowed[name](inside)
        if name in counted and inside.isdecimal():
            return counted[name](int(inside))
        return None
    if text in scalar_rows():
        return Row(text)
    return STRUCTURES.get(text) or CALLS.get(text) or primitives.get(text)
