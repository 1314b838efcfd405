"""The IR's data structure: modules of functions of blocks of instructions.

The same structure holds IR before selection and machine instructions after it; the rows of the
operation table say what an instruction means.  *Variable form*: a name may be assigned often.
*SSA form*: once, with phis at block heads.  Passes change a function only through
`compiler.ir.builder`, which bumps `Function.version`, the key of cached analyses.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import Any

from machines.diagnostics import InputError, Location
from machines.operations.row import Label, OperandKind, Operation, Region, Symbol
from machines.signature import Argument
from machines.types import PTR, Type


@dataclass(frozen=True, slots=True)
class Descriptor:
    """`a[low:high]`: the elements low … high - 1 of a buffer.

    `a[0:64, 8 by 256, 4 by 4096]` is strided: `steps` are the pairs (8, 256) and (4, 4096).  Such
    are 8 segments of 64 elements, each 256 elements behind the one before, and that 4 times, each
    time 4096 elements further on.  Its elements in order: those of a segment, then the next
    segment, then the next 8 segments.

    A bound, a count and a stride is a number or the name of an i64 variable; with numbers alone the
    descriptor is *exact*.
    """

    buffer: str
    low: int | str
    high: int | str
    steps: tuple[tuple[int | str, int | str], ...] = ()

    @property
    def bounds(self) -> tuple[int | str, ...]:
        """All that it says: low, high, and count and stride of each step."""
        return (self.low, self.high, *chain.from_iterable(self.steps))

    @property
    def is_exact(self) -> bool:
        return not self.variables

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables among its bounds."""
        return tuple(bound for bound in self.bounds if isinstance(bound, str))

    @property
    def size(self) -> int:
        """The number of elements of an exact one."""
        return (self.high - self.low) * math.prod(count for count, _ in self.steps)

    def with_bounds(self, replace: Callable[[int | str], int | str]) -> Descriptor:
        """The same buffer with other bounds."""
        steps = tuple((replace(count), replace(stride)) for count, stride in self.steps)
        return Descriptor(self.buffer, replace(self.low), replace(self.high), steps)

    def __str__(self) -> str:
        steps = "".join(f", {count} by {stride}" for count, stride in self.steps)
        return f"{self.buffer}[{self.low}:{self.high}{steps}]"


@dataclass(frozen=True, slots=True)
class AnyOf:
    """`any(a[0:32], b[0:64])`: one of several intervals; which one is known only while it runs.

    The interpreter draws it from the stream of `opaque` conditions.
    """

    candidates: tuple[Descriptor, ...]

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables among its candidates' bounds."""
        return tuple(name for candidate in self.candidates for name in candidate.variables)

    def __str__(self) -> str:
        return f"any({', '.join(map(str, self.candidates))})"


Interval = Descriptor | AnyOf
"""What an operand of a `Region` kind may be."""
Value = str | int | float | Interval
"""An operand: a variable, label or buffer name (the row's operand kind says which), a literal, or
memory."""
IR_FORMS = ("ir", "ssa")
"""Forms of code that is IR; every other form is a level's (see `machines.levels`), or machine
code."""


@dataclass(frozen=True, slots=True)
class Guard:
    """`@name` or `@!name`: the instruction takes effect only if the i1 is true (false)."""

    name: str
    negated: bool = False

    def __str__(self) -> str:
        return f"@{'!' if self.negated else ''}{self.name}"


@dataclass(slots=True, eq=False)
class Instruction:
    """One operation.

    results   names written, in the order of `operation.writes`
    operands  values read, in the order of `operation.reads`; labels of terminators included;
              for a phi: label, value, label, value, …; for `return`: nothing or the result; for
              a call: the function's name, then the arguments
    otherwise the previous value of a guarded result in SSA form (`else x2`), in results' order
    """

    operation: Operation
    results: tuple[str, ...] = ()
    operands: tuple[Value, ...] = ()
    guard: Guard | None = None
    otherwise: tuple[Value, ...] = ()
    attributes: dict[str, object] = field(default_factory=dict)
    location: Location | None = None

    @property
    def is_phi(self) -> bool:
        return "phi" in self.operation.flags

    @property
    def variables_read(self) -> tuple[str, ...]:
        """Names of the variables it reads: its guard, its operands, its tied previous values."""
        found = [self.guard.name] if self.guard else []
        for value in chain(self.values, self.otherwise):
            if isinstance(value, str):
                found.append(value)
            elif isinstance(value, Interval):
                found += value.variables
        return tuple(found)

    @property
    def values(self) -> tuple[Value, ...]:
        """The operands that are values: all but labels and buffer names."""
        if self.is_phi:
            return self.operands[1::2]
        names = self.operation.name_positions
        if not names:
            return self.operands
        return tuple(value for k, value in enumerate(self.operands) if k not in names)

    @property
    def intervals(self) -> tuple[tuple[Region, Interval], ...]:
        """The memory that a tensor operation names, in the order of its operands."""
        return tuple(
            (operand.kind, value)
            for operand, value in zip(self.operation.reads, self.operands, strict=False)
            if isinstance(operand.kind, Region)
        )

    def operands_with(self, replace: Callable[[str], Value]) -> tuple[Value, ...]:
        """The operands with `replace(name)` in place of every variable, bounds included."""

        def new(value: Value, kind: OperandKind | None) -> Value:
            if isinstance(value, str) and not isinstance(kind, (Label, Symbol)):
                return replace(value)
            return _with_bounds(value, replace) if isinstance(value, Interval) else value

        if self.is_phi:
            return tuple(
                new(value, None) if position % 2 else value
                for position, value in enumerate(self.operands)
            )
        kinds = chain((o.kind for o in self.operation.reads), repeat(None))
        return tuple(new(v, k) for v, k in zip(self.operands, kinds, strict=False))

    @property
    def labels(self) -> tuple[str, ...]:
        """The blocks a terminator may go to."""
        operands = self.operands
        return tuple(str(operands[k]) for k in self.operation.label_positions if k < len(operands))


def _with_bounds(value: Interval, replace: Callable[[str], Value]) -> Interval:
    if isinstance(value, AnyOf):
        return AnyOf(tuple(_with_bounds(one, replace) for one in value.candidates))
    return value.with_bounds(lambda bound: replace(bound) if isinstance(bound, str) else bound)


@dataclass(slots=True, eq=False)
class Block:
    """Instructions of which the last (and only the last) is a terminator.

    `notes` is what the kind of machine that it is for knows of it (`machines.code_facts`).
    """

    name: str
    instructions: list[Instruction] = field(default_factory=list)
    location: Location | None = None
    notes: dict[str, Any] = field(default_factory=dict)

    @property
    def terminator(self) -> Instruction:
        return self.instructions[-1]

    @property
    def successors(self) -> tuple[str, ...]:
        """Names of the blocks control may go to, each once, in the terminator's order."""
        return tuple(dict.fromkeys(self.terminator.labels))


@dataclass(slots=True, eq=False, weakref_slot=True)
class Function:
    """`blocks` is in layout order; the first is the entry.  `types` gives every variable's type.
    `locations` says where parameters are declared, as far as the source has them.

    `signature` says what the source language knows of the arguments, by name in order, and
    `returns` of the result; None if it has no more to say than `parameters` and `result`.
    `buffers` and `functions` are those of its module.

    `noalias` names the pointer parameters of which the source promises that what is accessed
    through them is accessed through nothing else.  `loop_distances` is what was found of the
    accesses of
    innermost loops, which carry their number in the attribute 'access': (a, b) -> the least number
    of iterations after which b may touch what a touched, None if it never does.  `valueless` are
    the registers that the source reads though it gives them no value.  `notes` is what the kind of
    machine that it is for knows of it (`machines.code_facts`), and `frame` what else the target
    does, a dataclass of its `records`.

    `body` is what a function of another level is before it is lowered (see `machines.levels`), and
    then what a caller has to know of it; None if it was IR from the beginning.

    `known` is what analyses found of it, by analysis, each with the version that it is of.
    """

    name: str
    parameters: list[tuple[str, Type]] = field(default_factory=list)
    result: Type | None = None
    blocks: dict[str, Block] = field(default_factory=dict)
    types: dict[str, Type] = field(default_factory=dict)
    version: int = 0
    location: Location | None = None
    locations: dict[str, Location] = field(default_factory=dict)
    signature: dict[str, Argument] | None = None
    returns: Argument | None = None
    buffers: Mapping[str, Buffer] = field(default_factory=dict)
    functions: Mapping[str, Function] = field(default_factory=dict, repr=False)
    noalias: frozenset[str] = frozenset()
    loop_distances: dict[tuple[int, int], int | None] = field(default_factory=dict)
    valueless: tuple[str, ...] = ()
    notes: dict[str, Any] = field(default_factory=dict)
    frame: Any = None
    body: Any = None
    known: dict[Any, tuple[int, Any]] = field(default_factory=dict, repr=False)

    @property
    def entry(self) -> Block:
        return next(iter(self.blocks.values()))

    @property
    def callees(self) -> tuple[str, ...]:
        """Names of the functions it calls, or may call through a pointer, each once (IR only)."""
        found: dict[str, None] = {}
        for _, i in self.instructions():
            if i.operation.calls_through:
                pointed = (buffer.function for buffer in self.buffers.values())
                found |= dict.fromkeys(name for name in pointed if name is not None)
            elif i.operation.calls:
                found[str(i.operands[0])] = None
        return tuple(found)

    def instructions(self) -> Iterator[tuple[Block, Instruction]]:
        """Every instruction with its block, in layout order."""
        for block in self.blocks.values():
            for instruction in block.instructions:
                yield block, instruction


@dataclass(frozen=True, slots=True)
class Buffer:
    """`name: dtype[count] in SPACE`, with optional initial bytes (little-endian).

    `alignment` in bytes is None for what `machines.layout.natural_alignment` says.  `section`, one
    of `machines.layout.SECTIONS`, is that of an object of a language like C: a linker lays
    it beside others, and the source promises that what is accessed through its address lies in it.

    `function` names the function that it describes, if its address is that function's: then its
    first word is where the code begins, which is known once the program is laid out, and reads 0 in
    the IR.
    """

    name: str
    dtype: Type
    count: int
    space: str = "global"
    data: bytes | None = None
    location: Location | None = None
    function: str | None = None
    alignment: int | None = None
    section: str | None = None

    @property
    def size(self) -> int:
        """Size in bytes."""
        return self.dtype.size(self.count)


def argument_types(call: Instruction, callee: Function) -> list[Type]:
    """The types of the operands behind a call's function; `callee` is that or its prototype."""
    through = [PTR] if call.operation.calls_through else []
    return [*through, *(t for _, t in callee.parameters)]


@dataclass(slots=True, eq=False)
class Module:
    """Functions and buffers by name; `source` is the text that locations point into.

    `entry` names the function that runs when the caller names none; None if the source leaves it
    open.  `refused` are functions of the source that this IR cannot say: why, for who names one.
    `form` is 'ir', or another one if the source was machine code already: passes that lead there
    have nothing to do then.  `family` is that of the operations, `location` where both are said.
    """

    functions: dict[str, Function] = field(default_factory=dict)
    buffers: dict[str, Buffer] = field(default_factory=dict)
    source: str | None = None
    entry: str | None = None
    refused: dict[str, InputError] = field(default_factory=dict)
    form: str = "ir"
    family: str = "ir"
    location: Location | None = None
