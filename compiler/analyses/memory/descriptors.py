"""The memory descriptors of a function, and which access names which.

    a: i32[8], b: i8[64]                   as one line of bytes: a is 0 … 31, b is 32 … 95
    tensor.fill.i32 a[0:4], 0              a[0,15]   exact: bytes 0 … 15 of a, both included
    tensor.fill.i8 b[8:n], 0               b[8,n]    inexact: any bytes of b from 8 on
    tensor.fill.i8 any(b[0:8], c[0:8]), 0            one of the candidates b[0,7] and c[0,7]
    tensor.fill.i8 b[8:9, 4 by 2], 0       b[8,8, 4 by 2]   inexact: any bytes of b from 8 to 14
    store.i8 p, 0                          *         p may point anywhere: all are candidates

What an access names is its *must* descriptor, every other descriptor of the function that overlaps
it is a *may* descriptor; an access with several candidates has no must descriptor.  The terms are
those of the Chinese patent application "Method for computing data dependence in a program and
computer-readable storage medium", 2021.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from compiler.analyses.memory.constant_addresses import Bytes, constant_addresses
from compiler.ir.facts import places
from compiler.ir.module import AnyOf, Buffer, Descriptor, Function, Instruction, Interval
from machines.operations.row import Operation, Region
from machines.tensors.segments import span

UNNAMED = "*"
"""The variable that stands for all bytes that no other descriptor names."""


@dataclass(frozen=True, slots=True)
class MemoryDescriptor:
    """An interval of a variable.

    variable    a buffer, or UNNAMED
    text        `a[0,31]` in bytes, both included; an unknown bound is its variable's name
    exact       both bounds are known
    base        where its variable begins on the line of all variables
    start, end  the first and the last byte of the line that it may touch
    """

    variable: str
    text: str
    exact: bool
    base: int
    start: int
    end: int


@dataclass(slots=True, eq=False)
class Access:
    """One memory operand of an instruction.

    number      among all accesses of the function
    block, index, position   where it stands: block, instruction and operand
    kind        'load' or 'store'
    text        `a[0,31]`, `any(a[0,31], b[0,63])` or `*`
    must        the descriptor it names, None if it has several candidates
    candidates  the descriptors it may be (shared between accesses)
    """

    number: int
    block: str
    index: int
    position: int
    instruction: Instruction
    kind: str
    text: str
    must: int | None
    candidates: Sequence[int]

    @property
    def is_guarded(self) -> bool:
        return self.instruction.guard is not None

    @property
    def line(self) -> int | None:
        """The source line of its instruction, None if it has none."""
        return self.instruction.location.line if self.instruction.location else None


LOAD, STORE, GUARDED_STORE = 0, 1, 2
"""Kinds of accesses in `MemoryAccesses.kinds`; what is sent to others, whose memories have the same
names, may not be written here, just like what is guarded."""


class MemoryAccesses:
    """What a function loads and stores.

    descriptors  each once, in the order in which the function names them
    names        what accesses name: text, must descriptor and candidates, as an `Access` has them
    kinds        of every access LOAD, STORE or GUARDED_STORE; accesses are in layout order, of an
                 instruction first what it loads, then what it stores
    named        of every access its place in `names`
    begins       of every block, in layout order, its first access, and how many accesses there are
    """

    def __init__(self, function: Function):
        self._blocks = tuple(function.blocks)
        self._rows: dict[str, list[tuple[int, int]]] = {}
        self._instructions: list[tuple[Instruction, int]] = []
        self.kinds: list[int] = []
        self.named: list[int] = []
        self.begins = [0]
        names = _Names(function)
        known = names.known
        for block in function.blocks.values():
            for index, instruction in enumerate(block.instructions):
                row = instruction.operation
                positions = self._rows.get(row.name)
                if positions is None:
                    positions = self._rows[row.name] = _memory_operands(row)
                if positions:
                    self._instructions.append((instruction, index))
                    is_sent = row.walk is not None and row.is_of_many
                    store = GUARDED_STORE if instruction.guard or is_sent else STORE
                    in_regions = row.access is None and not row.orders_memory
                    value = key = None if in_regions else names.scalar(instruction)
                    for position, stores in positions:
                        if in_regions:
                            value = key = instruction.operands[position]
                        if type(value) is Descriptor:
                            key = value.buffer, value.low, value.high, value.steps  # hashed fast
                        name = known.get(key)
                        self.named.append(names.number(key, value) if name is None else name)
                        self.kinds.append(store if stores else LOAD)
            self.begins.append(len(self.kinds))
        self.descriptors: Sequence[MemoryDescriptor] = names.descriptors.descriptors
        self.names: Sequence[tuple[str, int | None, Sequence[int]]] = names.names

    def __len__(self) -> int:
        return len(self.kinds)

    @cached_property
    def accesses(self) -> Sequence[Access]:
        """All of them, as objects."""
        found: list[Access] = []
        instructions = iter(self._instructions)
        for block, end in zip(self._blocks, self.begins[1:], strict=True):
            while len(found) < end:
                instruction, index = next(instructions)
                for position, _ in self._rows[instruction.operation.name]:
                    number = len(found)
                    kind = "store" if self.kinds[number] else "load"
                    name = self.names[self.named[number]]
                    site = (number, block, index, position)
                    found.append(Access(*site, instruction, kind, *name))
        return found

    @cached_property
    def of_block(self) -> Mapping[str, Sequence[Access]]:
        """The accesses of every block."""
        pairs = zip(self._blocks, pairwise(self.begins), strict=True)
        return {name: self.accesses[begin:end] for name, (begin, end) in pairs}


def memory_accesses(function: Function) -> MemoryAccesses:
    """The loads and stores of a verified function, in variable or SSA form."""
    return MemoryAccesses(function)


Named = Interval | Bytes | None
"""What an access names; None if nothing is known of it."""
Bounds = tuple[str, int | str, int | str, tuple]
"""A descriptor as a tuple."""


class _Names:
    """Gives what accesses name its number."""

    def __init__(self, function: Function):
        self.function = function
        self.descriptors = _Descriptors(function)
        self.names: list[tuple[str, int | None, Sequence[int]]] = []
        self.known: dict[Named | Bounds, int] = {}

    @cached_property
    def bytes(self) -> Mapping[Instruction, Bytes]:
        return constant_addresses(self.function)

    def scalar(self, instruction: Instruction) -> Named:
        """What is accessed through an address."""
        return None if instruction.operation.orders_memory else self.bytes.get(instruction)

    def number(self, key: Named | Bounds, value: Named) -> int:
        """Of what has none yet; `key` is what it is known by."""
        self.known[key] = len(self.names)
        self.names.append(self.descriptors.named(value))
        return self.known[key]


def _memory_operands(row: Operation) -> list[tuple[int, bool]]:
    """Position of the memory operands of a row, and whether it stores there; loads first."""
    if row.orders_memory:
        return [(0, False), (0, True)]
    if row.access is not None:
        names = [operand.name for operand in row.reads]
        return [(names.index(row.access.address), row.access.kind == "store")]
    found = [
        (position, operand.kind.access == "store")
        for position, operand in enumerate(row.reads)
        if isinstance(operand.kind, Region)
    ]
    return sorted(found, key=lambda operand: operand[1])


def _line(function: Function) -> tuple[dict[str, int], int]:
    """Where every buffer begins on the line of all variables, and how long that is: one behind the
    other, but those that have addresses in a space stand there as they do in it."""
    placed: dict[str, list[Buffer]] = {}
    addresses, bases, end = places(function), {}, 0
    for buffer in function.buffers.values():
        if buffer.name in addresses:
            placed.setdefault(buffer.space, []).append(buffer)
        else:
            bases[buffer.name] = end
            end += buffer.size
    for some in placed.values():
        bases |= {buffer.name: end + addresses[buffer.name] for buffer in some}
        end += max(addresses[buffer.name] + buffer.size for buffer in some)
    return bases, end


class _Descriptors:
    """Gives every descriptor its number."""

    def __init__(self, function: Function):
        self.buffers = function.buffers
        self.bases, self.size = _line(function)
        self.descriptors: list[MemoryDescriptor] = []
        self.numbers: dict[str, int] = {}
        self.everything: list[int] = []

    def named(self, value: Named) -> tuple[str, int | None, Sequence[int]]:
        """Text, must descriptor and candidates of an operand."""
        if value is None:
            self.number(MemoryDescriptor(UNNAMED, UNNAMED, False, 0, self.size, self.size))
            return UNNAMED, None, self.everything
        if isinstance(value, AnyOf):
            numbers = tuple(dict.fromkeys(map(self.described, value.candidates)))
            texts = (self.descriptors[number].text for number in numbers)
            return f"any({', '.join(texts)})", None, numbers
        if isinstance(value, Bytes):
            number = self.number_of_bytes(value.buffer, value.low, value.high)
        else:
            number = self.described(value)
        return self.descriptors[number].text, number, (number,)

    def described(self, value: Descriptor) -> int:
        """In bytes; where a bound is a variable, every byte of the buffer it may reach."""
        buffer = self.buffers[value.buffer]
        size = buffer.dtype.size
        low = value.low if isinstance(value.low, str) else size(value.low)
        high = value.high if isinstance(value.high, str) else size(value.high) - 1
        if value.steps:
            return self.strided(value, low, high)
        if value.is_exact:
            return self.number_of_bytes(value.buffer, low, high)
        base = self.bases[value.buffer]
        start = 0 if isinstance(low, str) else min(low, buffer.size - 1)
        end = buffer.size - 1 if isinstance(high, str) else max(high, start)
        text = f"{value.buffer}[{low},{high}]"
        return self.number(
            MemoryDescriptor(value.buffer, text, False, base, base + start, base + end)
        )

    def strided(self, value: Descriptor, low: int | str, high: int | str) -> int:
        """Inexact: from its first byte to its last, or all of the buffer."""
        buffer, base = self.buffers[value.buffer], self.bases[value.buffer]
        size = buffer.dtype.size
        steps = "".join(
            f", {count} by {stride if isinstance(stride, str) else size(stride)}"
            for count, stride in value.steps
        )
        start, end = (0, buffer.count)
        if value.is_exact:
            start, end = span(value.low, value.high, value.steps)
        first, last = base + size(start), base + size(end) - 1
        text = f"{value.buffer}[{low},{high}{steps}]"
        return self.number(MemoryDescriptor(value.buffer, text, False, base, first, last))

    def number_of_bytes(self, buffer: str, low: int, high: int) -> int:
        base = self.bases[buffer]
        text = f"{buffer}[{low},{high}]"
        return self.number(MemoryDescriptor(buffer, text, True, base, base + low, base + high))

    def number(self, descriptor: MemoryDescriptor) -> int:
        found = self.numbers.setdefault(descriptor.text, len(self.descriptors))
        if found == len(self.descriptors):
            self.descriptors.append(descriptor)
            self.everything.append(found)
        return found
