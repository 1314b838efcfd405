"""Tensor statements of random programs.

    t_i64.1 = and.i64 i64_2, 15
    t_i64.2 = add.i64 t_i64.1, 4
    @!i1_0 tensor.add.i16 tensor0[t_i64.1:t_i64.2], any(tensor0[2:6], tensor1[0:4]), tensor0[4:8]

Every tensor row of the operation table can appear.  There are few buffers and intervals are short,
so that many of them overlap.  Unless faults are wanted, intervals lie in their buffers and fit
together, whatever the variables hold.
"""

from __future__ import annotations

from typing import Any

from compiler.ir.builder import add_buffer, canonical
from compiler.ir.module import AnyOf, Buffer, Descriptor, Interval, Value
from machines.instructions import operations
from machines.operations.row import Operation, Region
from machines.tensors.elements import array_of
from machines.tensors.sizes import extents_of, misfit, sizes_of
from machines.types import I64, IN_MEMORY, PTR, Type, scalar_type

COUNTS = (16, 32, 64)  # elements of a buffer
LONGEST = 8  # elements of an interval whose length is a variable
DIMENSIONS = (1, 2, 3)


class TensorStatements:
    """Adds its buffers to the program of a generator, and statements where it is told to."""

    def __init__(self, generator: Any):
        self.generator, self.random = generator, generator.random
        self.chance = generator.chance
        self.inexact = generator.options.inexact and I64 in generator.types
        self.indirect = generator.options.indirect
        self.buffers = self._buffers()
        held = {buffer.dtype for buffer in self.buffers}
        self.rows = _rows(held, {*generator.types}, generator.options.exclude)

    def _buffers(self) -> list[Buffer]:
        """Two or three; mostly of one type, so that operands can lie in several of them.  Small
        elements stand beside the type that their scalars are."""
        types = [t for t in self.generator.types if t is not PTR]
        if not types:
            raise ValueError("tensors need a type of elements")
        small = [t for t in IN_MEMORY if t.in_byte == 1 and scalar_type(t) in types]
        main, other = self.random.choice(types), self.random.choice(types)
        made = [self._buffer("tensor0", main), self._buffer("tensor1", main)]
        if self.chance(0.5):
            made.append(self._buffer("tensor2", self.random.choice((main, other, *small))))
        return made

    def _buffer(self, name: str, type: Type) -> Buffer:
        count = self.random.choice(COUNTS)
        data = None
        if self.chance(0.7):
            known = scalar_type(type)
            values = [canonical(self.generator.literal(known), type) for _ in range(count)]
            data = array_of(values, type).tobytes()
        return add_buffer(self.generator.module, Buffer(name, type, count, data=data))

    def statement(self) -> None:
        """One tensor instruction, and what computes its bounds."""
        generator = self.generator
        row = self.random.choice(self.random.choice(self.rows))
        extents, sizes = self._extents(row)
        operands: list[Value] = []
        for operand in row.reads:
            if isinstance(operand.kind, Region):
                operands.append(self._interval(operand.kind.type, sizes[operand.name]))
            elif operand.name in extents:
                operands.append(self._dimension(extents[operand.name]))
            else:
                operands.append(generator.value(operand.kind))
        result = None
        if row.writes:
            names = generator.pools[row.writes[0].kind][: generator.options.variables]
            result = self.random.choice(names)
        generator.builder.emit(row, *operands, result=result, guard=generator.guard())

    def _extents(self, row: Operation) -> tuple[dict[str, int], dict[str, Value]]:
        """Of an operation that can be done: extents and sizes; only a size that is that of all
        intervals may be a variable."""
        walk = row.walk
        if walk.extents == ("size",) and not walk.limits:
            size = self._size()
            return {}, {name: size if text == "size" else int(text) for name, text in walk.sizes}
        while True:
            free = [name for name in walk.extents if name not in row.extents]
            known = {name: self.random.choice(DIMENSIONS) for name in row.extents}
            known |= {n: self.random.choice(DIMENSIONS) for n, text in walk.sizes if text in free}
            if misfit(walk, known) is None:
                sizes = sizes_of(walk, extents_of(walk, known))
                if max(sizes.values()) <= min(COUNTS):
                    return known, sizes

    def _size(self) -> Value:
        if self.inexact and self.chance(0.2):
            return self._masked(LONGEST)
        return self.random.choice((1, 2, 4, 4, 8, self.random.randrange(1, 17)))

    def _dimension(self, value: int) -> Value:
        return self._variable(value) if self.inexact and self.chance(0.3) else value

    def _interval(self, type: Type, size: Value) -> Interval:
        if not (self.indirect and self.chance(0.25)):
            return self._descriptor(type, size)
        count = self.random.randrange(1, 5)
        return AnyOf(tuple(self._descriptor(type, size) for _ in range(count)))

    def _descriptor(self, type: Type, size: Value) -> Descriptor:
        buffer = self.random.choice([b for b in self.buffers if b.dtype is type])
        if isinstance(size, str) or (self.inexact and self.chance(0.35)):
            return self._inexact(buffer, size)
        low = self._place(buffer.count - size)
        plain = Descriptor(buffer.name, low, low + size)
        return self._strided(plain, buffer) if self.chance(0.3) else plain

    def _strided(self, plain: Descriptor, buffer: Buffer) -> Descriptor:
        """As many elements in segments: `a[0:2, 3 by 5]`, `a[x:2, y by 5]`, or the same if they do
        not fit.  One in two is written with two steps, some of them backwards."""
        length = self.random.choice(_divisors(plain.size))
        inner = self.random.choice(_divisors(plain.size // length))
        steps, reach = [], length
        for count in (inner, plain.size // length // inner):
            stride = reach + self.random.choice((0, 0, 1, 3))
            reach += (count - 1) * stride
            steps.append((count, stride))
        if self.chance(0.3):
            steps.reverse()
        if self.chance(0.5):
            steps = [step for step in steps if step[0] > 1]
        low = self._place(buffer.count - reach) if reach <= buffer.count else -1
        if low < 0 or not steps:
            return plain
        if self.chance(0.2):  # from the last segment back to the first
            low += sum((count - 1) * stride for count, stride in steps)
            steps = [(count, -stride) for count, stride in steps]
        found = Descriptor(buffer.name, low, low + length, tuple(steps))
        known = not self.inexact or self.chance(0.6)
        return found if known else found.with_bounds(self._perhaps_variable)

    def _perhaps_variable(self, bound: int) -> Value:
        faults = self.generator.options.faults and self.chance(0.03)
        bound += self.random.choice((-1, 1, 9)) if faults else 0
        return self._variable(bound) if faults or self.chance(0.4) else bound

    def _inexact(self, buffer: Buffer, size: Value) -> Descriptor:
        """`a[x:y]`, `a[2:x]` or `a[x:9]`."""
        longest = LONGEST if isinstance(size, str) else size
        if self.generator.options.faults and self.chance(0.06):
            change = self.random.choice(("add", "sub"))
            size = self._compute(change, self._variable(size), self._masked(2 * buffer.count))
        how = self.random.randrange(3)
        if how == 0:
            low = self._masked(buffer.count - longest)
            return Descriptor(buffer.name, low, self._compute("add", low, size))
        place = self._place(buffer.count - longest)
        if how == 1:
            high = self._compute("add", self._variable(size), place)
            return Descriptor(buffer.name, place, high)
        low = self._compute("sub", place + longest, self._variable(size))
        return Descriptor(buffer.name, low, place + longest)

    def _place(self, last: int) -> int:
        """An element from 0 to `last`, often one that other intervals begin at."""
        often = self.random.choice((0, 0, 2, 4, 8))
        return often if often <= last and self.chance(0.7) else self.random.randrange(last + 1)

    # Values that only the run knows

    def _variable(self, value: Value) -> str:
        """`value` in a variable."""
        return value if isinstance(value, str) else self._compute("const", value)

    def _masked(self, most: int) -> str:
        """Some number from 0 to at most `most`."""
        mask = (1 << most.bit_length()) - 1
        mask = mask if mask <= most else mask >> 1
        return self._compute("and", self.generator.variable(I64), mask)

    def _compute(self, name: str, *operands: Value) -> str:
        result = self.generator.temporary(I64)
        return self.generator.builder.emit(f"{name}.i64", *operands, result=result)


def _divisors(number: int) -> list[int]:
    return [part for part in range(1, number + 1) if number % part == 0]


def _rows(held: set[Type], known: set[Type], exclude: frozenset[str]) -> list[list[Operation]]:
    """The tensor rows of buffers and scalars of these types in groups of one operation, but those
    that take a buffer that is larger than some."""
    groups: dict[str, list[Operation]] = {}
    for name, row in operations().family("ir").items():
        group = ".".join(name.split(".")[:2])
        scalars = [o for o in row.operands if o.name not in row.extents]
        kinds = {o.kind for o in scalars if isinstance(o.kind, Type)}
        fits = row.walk and {region.type for region in row.regions} <= held and kinds <= known
        is_used = not {name, group, "tensor"} & exclude and not row.is_of_many
        if fits and is_used and group != "tensor.lookup":
            groups.setdefault(group, []).append(row)
    return list(groups.values())
