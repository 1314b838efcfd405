"""Tensor operations in the interpreter: a function is made for each instruction.

    tensor.add.f32 a[0:n], b[2:6], any(a[0:4], c[x:y])   ->   tensor0(0, n, 2, 6, 0, 4, x, y)

Operand by operand an `any` is drawn and an interval is checked against its buffer; then the sizes
are; then every element is read, and then written.  Elements are computed with the row's meaning, in
the loops of its walk.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import as_strided

from compiler.ir.module import AnyOf, Descriptor, Instruction, Interval, Value
from compiler.ir.printer import numpy_type
from compiler.ir.segments import MOST_ELEMENTS, first_outside, overlap
from compiler.ir.tensor_sizes import misfit
from machines.layout import Memory, MemoryFault
from machines.operations.evaluate import NAMESPACE, OperationFault
from machines.operations.meaning import parsed
from machines.operations.row import Operation, Region
from machines.types import Type
from machines.vocabulary.numbers import wrap

Observe = Callable[[int, str, int, int], None]
"""Is told of an access: operand position, 'load' or 'store', address, bytes."""


def candidates(interval: Interval) -> tuple[Descriptor, ...]:
    """The descriptors an operand may stand for."""
    return interval.candidates if isinstance(interval, AnyOf) else (interval,)


def tensor_arguments(instruction: Instruction) -> Iterator[Value]:
    """What a `TensorUnit` is called with: all bounds and scalars, in the operands' order."""
    for value in instruction.operands:
        if isinstance(value, Interval):
            for candidate in candidates(value):
                yield from candidate.bounds
        else:
            yield value


class TensorUnit:
    """Runs one tensor instruction on a memory; `draw` gives the bits that `any` needs."""

    def __init__(
        self,
        instruction: Instruction,
        memory: Memory,
        draw: Callable[[], int],
        observe: Observe | None = None,
    ):
        self.row, self.draw, self.observe = instruction.operation, draw, observe
        self.compute = element_loops(self.row)
        self.stored = next((r.type for r in self.row.regions if r.access == "store"), None)
        self.intervals = {
            operand.name: [_Cells(memory, one, operand.kind) for one in candidates(value)]
            for operand, value in zip(self.row.reads, instruction.operands, strict=True)
            if isinstance(operand.kind, Region)
        }

    def __call__(self, *arguments: int | float) -> int | float | None:
        """The result of a reduction; raises MemoryFault and OperationFault."""
        found, scalars = self._operands(iter(arguments))
        sizes = {name: place.elements.size for name, place in found.items()}
        if misfit(self.row.walk, sizes | scalars):
            raise OperationFault("size mismatch")
        read = {name: place.elements.ravel().tolist() for name, place in found.items()}
        self._report(found, "load")
        computed = self.compute(next(iter(sizes.values())), **read, **scalars)
        if self.stored is None:
            return computed[0]
        target = next(iter(found.values())).elements
        target[...] = _stored(computed, self.stored).reshape(target.shape)
        self._report(found, "store")
        return None

    def _operands(self, arguments: Iterator[int | float]) -> tuple[dict, dict]:
        """The place of every interval by operand, and the scalars by operand."""
        found, scalars = {}, {}
        for operand in self.row.reads:
            possible = self.intervals.get(operand.name)
            if possible is None:
                scalars[operand.name] = next(arguments)
                continue
            bounds = [[next(arguments) for _ in range(one.bounds)] for one in possible]
            chosen = self._choice(len(possible))
            found[operand.name] = possible[chosen].at(*bounds[chosen])
        return found, scalars

    def _choice(self, count: int) -> int:
        """ceil(log2(count)) bits of the stream, the lowest first, modulo `count`."""
        bits = range((count - 1).bit_length())
        return sum(self.draw() << bit for bit in bits) % count

    def _report(self, found: dict, kind: str) -> None:
        if self.observe is None:
            return
        for position, operand in enumerate(self.row.reads):
            if isinstance(operand.kind, Region) and operand.kind.access == kind:
                for address, size in found[operand.name].segments():
                    self.observe(position, kind, address, size)


class _Place(NamedTuple):
    """Elements of a buffer: of a strided interval an array of segments, else one segment."""

    address: int
    elements: np.ndarray

    def segments(self) -> Iterator[tuple[int, int]]:
        """Address and bytes of each, none if there is no element."""
        shape, strides = self.elements.shape, self.elements.strides
        for index in np.ndindex(shape[:-1] if self.elements.size else (0,)):
            offset = sum(k * stride for k, stride in zip(index, strides, strict=False))
            yield self.address + offset, shape[-1] * self.elements.itemsize


class _Cells:
    """A buffer as elements, for one descriptor.

    bounds  how many numbers it is asked with: low, high, and count and stride of each step
    """

    def __init__(self, memory: Memory, descriptor: Descriptor, region: Region):
        self.address, self.size = memory.address(descriptor.buffer), region.type.bytes
        self.all = memory.view(descriptor.buffer, numpy_type(region.type))
        self.is_stored, self.bounds = region.access == "store", len(descriptor.bounds)

    def at(self, low: int, high: int, *steps: int) -> _Place:
        """What the descriptor is with these numbers; nothing if a segment or a count is.

        Raises MemoryFault with the address of the first element asked for that is outside, and
        OperationFault for a number of elements that is not possible, or segments that are written
        and overlap.
        """
        pairs = [*zip(steps[::2], steps[1::2], strict=True)]
        if low <= high and any(count < 0 for count, _ in pairs):
            raise OperationFault("size mismatch")
        size = (high - low) * math.prod(count for count, _ in pairs)
        if low <= high and size == 0:
            return _Place(self.address, self.all[:0])
        outside = (low, high) if low > high else first_outside(low, high, pairs, len(self.all))
        if outside is not None:
            raise self._fault(*outside)
        if not pairs:
            return _Place(self.address + low * self.size, self.all[low:high])
        if self.is_stored and overlap(low, high, pairs):
            raise OperationFault("overlapping segments")
        if size > MOST_ELEMENTS:
            raise OperationFault("size mismatch")
        shape = [count for count, _ in reversed(pairs)]
        strides = [stride * self.size for _, stride in reversed(pairs)]
        segments = as_strided(self.all[low:high], (*shape, high - low), (*strides, self.size))
        return _Place(self.address + low * self.size, segments)

    def _fault(self, low: int, high: int) -> MemoryFault:
        """Of a segment that is not inside."""
        count = len(self.all)
        outside = count if 0 <= low < min(high, count) else low
        address = wrap(self.address + outside * self.size)
        return MemoryFault("out of bounds", address, (high - low) * self.size)


def _stored(values: list, type: Type) -> np.ndarray:
    """Elements as they stand in memory: every NaN is the canonical one."""
    array = np.array(values, numpy_type(type))
    if type.is_float:
        array[np.isnan(array)] = np.nan
    return array


@cache
def element_loops(row: Operation) -> Callable[..., list]:
    """`compute(size, **operands)`: the written elements from lists of elements and scalars.

    tensor.matmul.i8 gives

        def compute(size, d, a, b, m, k, n):
            d = [0] * (1 * m * n)
            if not d: return d
            for i in range(m):
                for j in range(n):
                    for l in range(k):
                        d[i * n + j] = sign_extend(d[i * n + j] + …, 8)
            return d
    """
    walk, target = row.walk, row.operands[0].name
    extents = dict(walk.extents)[target]
    parameters = ", ".join(["size", *(operand.name for operand in row.reads)])
    lines = [f"def compute({parameters}):"]
    lines.append(f" {target} = [{walk.start}] * ({' * '.join(['1', *extents])})")
    # Without elements one extent is 0, and another may be any number of turns that do nothing.
    lines.append(f" if not {target}: return {target}")
    for depth, (index, extent) in enumerate(walk.loops, start=1):
        lines.append(f"{' ' * depth}for {index} in range({extent}):")
    elements = {name: f"{name}[{element}]" for name, element in walk.elements}
    lines.append(" " * (len(walk.loops) + 1) + parsed(row.meaning).placed(elements))
    lines.append(f" return {target}")
    space = dict(NAMESPACE)
    exec("\n".join(lines) + "\n", space)
    return space["compute"]
