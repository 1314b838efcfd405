"""What an instruction touches in memory, as far as its address says.

    b = address.ptr a        b: &a
    o = shl.i64 i, 2         o: 4 i
    p = add.ptr b, o         p: &a + 4 i
    q = add.ptr p, 12        q: &a + 4 i + 12
    x = load.i32 q           4 bytes at &a + 4 i + 12; in a[12:64] bytes if i is known to be 0 … 12

Addresses are sums modulo 2**64 of variables with factors and of a number of bytes.  The names are
those of SSA form: two addresses of the same sum are the same number only where no variable of the
sum has been assigned in between, which those who compare them have to see to; extents hold always.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.analyses.cache import cached_by_version
from compiler.analyses.control_flow import control_flow
from compiler.analyses.value_ranges import ValueRange, trailing_zeros, value_ranges
from compiler.ir.module import AnyOf, Descriptor, Function, Instruction, Value
from machines.isa import Region
from machines.numbers import sign_extend
from machines.types import I64, PTR

MOST_TERMS = 4
"""A longer sum is a variable of its own."""

Terms = tuple[tuple[str, int], ...]
"""Variables with their factors, by name; '&a' is the address of buffer a."""


@dataclass(frozen=True, slots=True)
class Sum:
    """`terms` and a number, modulo 2**64."""

    terms: Terms
    offset: int

    def plus(self, other: Sum, times: int = 1) -> Sum:
        factors = dict(self.terms)
        for name, factor in other.terms:
            factors[name] = sign_extend(factors.get(name, 0) + times * factor, 64)
        terms = tuple(sorted((n, f) for n, f in factors.items() if f))
        return Sum(terms, sign_extend(self.offset + times * other.offset, 64))

    def times(self, number: int) -> Sum:
        return Sum((), 0).plus(self, number)


@dataclass(frozen=True, slots=True)
class Extent:
    """Bytes low … high - 1 of a declared buffer."""

    buffer: str
    low: int
    high: int

    def meets(self, other: Extent) -> bool:
        return self.buffer == other.buffer and self.low < other.high and other.low < self.high


@dataclass(frozen=True, slots=True)
class Place:
    """Bytes that an access touches if its guard lets it.

    address  where, None if that is not known
    size     how many bytes, all of which it touches if the address is known
    extent   where they lie for sure, None if that may be anywhere
    """

    address: Sum | None
    size: int
    extent: Extent | None

    def may_meet(self, other: Place) -> bool:
        """Whether the two may have a byte in common while their variables keep their values.

        Distances count modulo 2**64, so that an address may come before another either way round.
        """
        if self.extent and other.extent and not self.extent.meets(other.extent):
            return False
        if self.address and other.address and self.address.terms == other.address.terms:
            ahead = (other.address.offset - self.address.offset) % (1 << 64)
            return ahead < self.size or (1 << 64) - ahead < other.size
        return True


@dataclass(frozen=True, slots=True)
class Touched:
    """What an instruction reads and writes in memory."""

    loads: tuple[Place, ...] = ()
    stores: tuple[Place, ...] = ()


class Addresses:
    """The addresses of a function in SSA form (its reached blocks)."""

    def __init__(self, function: Function):
        self._anchors = {f"&{name}": buffer for name, buffer in function.buffers.items()}
        self._ranges = value_ranges(function)
        self._sums: dict[str, Sum] = {}
        self._touched: dict[Instruction, Touched] = {}
        for name in control_flow(function).reverse_postorder:
            for instruction in function.blocks[name].instructions:
                kinds = [operand.kind for operand in instruction.operation.writes]
                if kinds in ([PTR], [I64]):
                    found = self._sum_of(instruction)
                    if found is not None and len(found.terms) <= MOST_TERMS:
                        self._sums[instruction.results[0]] = found

    def sum(self, value: Value) -> Sum:
        """A pointer or i64 as a sum; of what nothing is known: the variable itself."""
        if isinstance(value, str):
            return self._sums.get(value) or Sum(((value, 1),), 0)
        return Sum((), int(value))

    def range(self, value: Value) -> ValueRange | None:
        """The numbers an integer may be, None if nothing is known of the variable."""
        return self._ranges.get(value) if isinstance(value, str) else ValueRange.of_number(value)

    def touched(self, instruction: Instruction) -> Touched:
        """The places an instruction loads and stores, in its operands' order."""
        if instruction not in self._touched:
            self._touched[instruction] = self._places(instruction)
        return self._touched[instruction]

    def _places(self, instruction: Instruction) -> Touched:
        access = instruction.operation.access
        if access is not None:
            place = (self.accessed(instruction),)
            return Touched(place, ()) if access.kind == "load" else Touched((), place)
        loads, stores = [], []
        for region, interval in instruction.intervals:
            places = loads if region.access == "load" else stores
            any_of = interval.candidates if isinstance(interval, AnyOf) else (interval,)
            places += [self._described(one, region, len(any_of) == 1) for one in any_of]
        return Touched(tuple(loads), tuple(stores))

    def accessed(self, instruction: Instruction) -> Place:
        """The place of a scalar load or store."""
        access = instruction.operation.access
        names = [operand.name for operand in instruction.operation.reads]
        pointer = instruction.operands[names.index(access.address)]
        return self.place(self.sum(pointer), access.bytes)

    def place(self, address: Sum, size: int) -> Place:
        """`size` bytes at an address."""
        return Place(address, size, self._extent(address, size))

    def is_aligned(self, address: Sum, size: int) -> bool:
        """Whether an address in a declared buffer is certainly a multiple of `size`."""
        zeros = [trailing_zeros(address.offset)]
        for name, factor in address.terms:
            if name not in self._anchors:
                known = self._ranges.get(name)
                zeros.append(trailing_zeros(factor) + (known.zeros if known else 0))
        return min(zeros) >= size.bit_length() - 1

    def _extent(self, address: Sum, size: int) -> Extent | None:
        """Of an address that is a buffer's plus something certainly inside it."""
        anchor, low, high = None, address.offset, address.offset
        for name, factor in address.terms:
            if name in self._anchors:
                if anchor is not None or factor != 1:
                    return None
                anchor = self._anchors[name]
            else:
                known = self._ranges.get(name)
                if known is None:
                    return None
                ends = known.low * factor, known.high * factor
                low, high = low + min(ends), high + max(ends)
        if anchor is None or low < 0 or high + size > anchor.size:
            return None
        return Extent(anchor.name, low, high + size)

    def _described(self, descriptor: Descriptor, region: Region, certain: bool) -> Place:
        """The place of a descriptor; what goes past the buffer faults and touches nothing."""
        width, buffer = region.type.bytes, self._anchors[f"&{descriptor.buffer}"]
        low, high = (self.range(bound) for bound in (descriptor.low, descriptor.high))
        start = max(low.low * width, 0) if low else 0
        end = min(high.high * width, buffer.size) if high else buffer.size
        known = certain and descriptor.is_exact
        address = Sum(((f"&{buffer.name}", 1),), start) if known else None
        return Place(address, end - start, Extent(buffer.name, start, end))

    def _sum_of(self, instruction: Instruction) -> Sum | None:
        """The result as a sum of other variables, None if it is not one."""
        if instruction.guard is not None or instruction.is_phi:
            return None
        name = instruction.operation.name
        if name == "address.ptr":
            return Sum(((f"&{instruction.operands[0]}", 1),), 0)
        if name in ("copy.i64", "copy.ptr", "const.i64", "int.ptr.i64", "ptr.i64.ptr"):
            return self.sum(instruction.operands[0])
        if name == "neg.i64":
            return self.sum(instruction.operands[0]).times(-1)
        if name not in ("add.i64", "add.ptr", "sub.i64", "sub.ptr", "mul.i64", "shl.i64"):
            return None
        a, b = map(self.sum, instruction.operands)
        if name.startswith(("add", "sub")):
            return a.plus(b, 1 if name.startswith("add") else -1)
        if name == "shl.i64":
            return a.times(1 << b.offset) if not b.terms and 0 <= b.offset < 64 else None
        if b.terms:
            a, b = b, a
        return None if b.terms else a.times(b.offset)


@cached_by_version
def addresses(function: Function) -> Addresses:
    """The addresses of a function in SSA form."""
    return Addresses(function)
