"""What an instruction touches in memory, as far as its address says.

    b = address.ptr a        b: &a
    o = shl.i64 i, 2         o: 4·i
    p = add.ptr b, o         p: &a + 4·i
    q = add.ptr p, 12        q: &a + 4·i + 12
    x = load.i32 q           4 bytes at &a + 4·i + 12; in a[12:64] bytes if i is known to be 0 … 12

Addresses are polynomials in names of SSA form, modulo 2**64.  Unlike
`compiler.analyses.values.induction` this does not follow names round loops: a polynomial says where
an access is now, in terms of what its variables hold now.  Two footprints of the same base are as
far apart as their offsets only where no variable of the base has been assigned in between, which
those who compare them have to see to; extents hold always.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.analyses.cache import cached_by_version
from compiler.analyses.control_flow import control_flow
from compiler.analyses.values.affine import Address, Atom, Polynomial, Range
from compiler.analyses.values.value_ranges import ValueRange, trailing_zeros, value_ranges
from compiler.ir.memory_spaces import alignment_of
from compiler.ir.module import AnyOf, Buffer, Descriptor, Function, Instruction, Value
from machines.operations.row import Region
from machines.tensors.segments import span
from machines.types import I64, PTR, Type

MOST_TERMS = 4
"""A longer sum is a variable of its own."""


@dataclass(frozen=True, slots=True)
class Extent:
    """Bytes low … high - 1 of a declared buffer."""

    buffer: str
    low: int
    high: int

    def meets(self, other: Extent) -> bool:
        return self.buffer == other.buffer and self.low < other.high and other.low < self.high

    @property
    def footprint(self) -> Footprint:
        """All of its bytes."""
        base = Polynomial.atom(Address(self.buffer), 64)
        return Footprint(base, self.low, self.high - self.low, self)


@dataclass(frozen=True, slots=True)
class Footprint:
    """Bytes that an access touches if its guard lets it.

    base    where they begin but for a number, None if nothing is known of that
    offset  that number, of bytes
    size    how many bytes; it touches all of them if the base is known
    extent  where they lie for sure, None if that may be anywhere
    """

    base: Polynomial | None
    offset: int
    size: int
    extent: Extent | None

    def may_meet(self, other: Footprint) -> bool:
        """Whether the two may have a byte in common while their variables keep their values.

        Distances count modulo 2**64, so that either may come first either way round.
        """
        if self.extent and other.extent and not self.extent.meets(other.extent):
            return False
        if self.base is None or self.base != other.base:
            return True
        ahead = (other.offset - self.offset) % (1 << 64)
        return ahead < self.size or (1 << 64) - ahead < other.size


ANYWHERE = Footprint(None, 0, 1, None)
"""What a function that is called may touch, and other threads where they meet this one."""


@dataclass(frozen=True, slots=True)
class Touched:
    """What an instruction reads and writes in memory."""

    loads: tuple[Footprint, ...] = ()
    stores: tuple[Footprint, ...] = ()


class Addresses:
    """The addresses of a function in SSA form (its reached blocks)."""

    def __init__(self, function: Function):
        self._buffers = function.buffers
        self._ranges = value_ranges(function)
        self._forms: dict[str, Polynomial] = {}
        self._touched: dict[Instruction, Touched] = {}
        for name in control_flow(function).reverse_postorder:
            for instruction in function.blocks[name].instructions:
                kinds = [operand.kind for operand in instruction.operation.writes]
                if kinds in ([PTR], [I64]):
                    form = self._form_of(instruction)
                    if form is not None and len(form.terms) <= MOST_TERMS:
                        self._forms[instruction.results[0]] = form

    def form(self, value: Value) -> Polynomial:
        """A pointer or i64; of what nothing is known: the variable itself."""
        if isinstance(value, str):
            return self._forms.get(value) or Polynomial.atom(value, 64)
        return Polynomial.number(int(value), 64)

    def range(self, value: Value) -> ValueRange | None:
        """The numbers an integer may be, None if nothing is known of the variable."""
        return self._ranges.get(value) if isinstance(value, str) else ValueRange.of_number(value)

    def touched(self, instruction: Instruction) -> Touched:
        """The footprints of what an instruction loads and stores, in its operands' order."""
        if instruction not in self._touched:
            self._touched[instruction] = self._touched_by(instruction)
        return self._touched[instruction]

    def accessed(self, instruction: Instruction) -> Footprint:
        """The footprint of a scalar load, store or atomic operation."""
        access = instruction.operation.access
        names = [operand.name for operand in instruction.operation.reads]
        form = self.form(instruction.operands[names.index(access.address)])
        return self.footprint(*_split(form), access.bytes)

    def footprint(self, base: Polynomial, offset: int, size: int) -> Footprint:
        """`size` bytes `offset` behind a base."""
        return Footprint(base, offset, size, self._extent(base, offset, size))

    def is_aligned(self, footprint: Footprint) -> bool:
        """Whether a footprint of known base certainly begins at a multiple of its size."""
        zeros = [trailing_zeros(footprint.offset)]
        for product, factor in footprint.base.terms:
            zeros.append(trailing_zeros(factor) + sum(map(self._zeros, product)))
        return min(zeros) >= trailing_zeros(footprint.size)

    def _zeros(self, atom: Atom) -> int:
        """How many low bits of an atom are certainly 0."""
        if isinstance(atom, Address):
            return trailing_zeros(alignment_of(self._buffers[atom.buffer]))
        known = self._ranges.get(atom)
        return known.zeros if known else 0

    def _touched_by(self, instruction: Instruction) -> Touched:
        row = instruction.operation
        if row.orders_memory:
            return Touched((ANYWHERE,), (ANYWHERE,))
        if row.access is not None:
            footprint = (self.accessed(instruction),)
            return Touched(footprint, ()) if row.access.kind == "load" else Touched((), footprint)
        loads, stores = [], []
        for region, interval in instruction.intervals:
            footprints = loads if region.access == "load" else stores
            any_of = interval.candidates if isinstance(interval, AnyOf) else (interval,)
            footprints += [self._described(one, region, len(any_of) == 1) for one in any_of]
        return Touched(tuple(loads), tuple(stores))

    def _extent(self, base: Polynomial, offset: int, size: int) -> Extent | None:
        """Where the bytes lie if that is certainly inside the one buffer that the base names."""
        buffers = [atom for atom in base.atoms if isinstance(atom, Address)]
        if len(buffers) != 1:
            return None
        (buffer,) = buffers
        inside = base - Polynomial.atom(buffer, 64)
        if buffer in inside.atoms:
            return None
        low, high = inside.range(self._range_of)
        low, high = low + offset, high + offset + size
        if low < 0 or high > self._buffers[buffer.buffer].size:
            return None
        return Extent(buffer.buffer, low, high)

    def _range_of(self, name: Atom) -> Range:
        known = self._ranges.get(name) or ValueRange.of_type(I64)
        return known.low, known.high

    def _described(self, descriptor: Descriptor, region: Region, certain: bool) -> Footprint:
        """The footprint of a descriptor; what goes past the buffer faults and touches nothing."""
        buffer = self._buffers[descriptor.buffer]
        if descriptor.steps:
            return self._strided(descriptor, region.type, buffer)
        low, high = (self.range(bound) for bound in (descriptor.low, descriptor.high))
        start = region.type.size(max(low.low, 0)) if low else 0
        end = min(region.type.size(high.high), buffer.size) if high else buffer.size
        extent = Extent(buffer.name, start, end)
        if certain and descriptor.is_exact:
            return extent.footprint
        return Footprint(None, 0, end - start, extent)

    def _strided(self, descriptor: Descriptor, type: Type, buffer: Buffer) -> Footprint:
        """Something between its first byte and its last; of variables nothing is known."""
        first, end = 0, buffer.count
        if descriptor.is_exact:
            first, end = span(descriptor.low, descriptor.high, descriptor.steps)
        extent = Extent(buffer.name, type.size(first), type.size(end))
        return Footprint(None, 0, extent.high - extent.low, extent)

    def _form_of(self, instruction: Instruction) -> Polynomial | None:
        """The result in terms of other variables, None if it is none of theirs."""
        if instruction.guard is not None or instruction.is_phi:
            return None
        name = instruction.operation.name
        if name == "address.ptr":
            return Polynomial.atom(Address(str(instruction.operands[0])), 64)
        if name in ("copy.i64", "copy.ptr", "const.i64", "int.ptr.i64", "ptr.i64.ptr"):
            return self.form(instruction.operands[0])
        if name == "neg.i64":
            return self.form(instruction.operands[0]).times(-1)
        if name not in ("add.i64", "add.ptr", "sub.i64", "sub.ptr", "mul.i64", "shl.i64"):
            return None
        a, b = map(self.form, instruction.operands)
        if name.startswith("add"):
            return a + b
        if name.startswith("sub"):
            return a - b
        if name == "mul.i64":
            return a * b
        count = b.constant
        return a.times(1 << count) if count is not None and 0 <= count < 64 else None


def _split(form: Polynomial) -> tuple[Polynomial, int]:
    """A polynomial without its number, and the number."""
    factors = dict(form.terms)
    offset = factors.pop((), 0)
    return Polynomial.of(factors, form.bits), offset


@cached_by_version
def addresses(function: Function) -> Addresses:
    """The addresses of a function in SSA form."""
    return Addresses(function)
