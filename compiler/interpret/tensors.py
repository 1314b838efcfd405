"""Tensor operations in the interpreter: a function is made for each instruction.

    tensor.add.f32 a[0:n], b[2:6], any(a[0:4], c[x:y])   ->   tensor0(0, n, 2, 6, 0, 4, x, y)

Operand by operand an `any` is drawn and an interval is checked against its buffer; then the sizes
are; then every element is read, and then written (`machines.tensors`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from compiler.ir.module import AnyOf, Descriptor, Instruction, Interval, Value
from machines.layout import Memory
from machines.operations.row import Region
from machines.tensors.elements import stored_type
from machines.tensors.loops import python_loops
from machines.tensors.places import Cells, Place
from machines.tensors.work import Loops, checked, perform

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
    """Runs one tensor instruction on a memory.

    draw   gives the bits that `any` needs
    loops  runs the loops of its row
    target where it writes, if that is another memory than the one it reads
    """

    def __init__(
        self,
        instruction: Instruction,
        memory: Memory,
        draw: Callable[[], int],
        observe: Observe | None = None,
        loops: Loops = python_loops,
        target: Memory | None = None,
    ):
        self.row, self.draw, self.observe = instruction.operation, draw, observe
        self.loops = loops
        memories = {"load": memory, "store": memory if target is None else target}
        self.intervals = {
            operand.name: [
                (len(one.bounds), _cells(memories[operand.kind.access], one, operand.kind))
                for one in candidates(value)
            ]
            for operand, value in zip(self.row.reads, instruction.operands, strict=True)
            if isinstance(operand.kind, Region)
        }

    def __call__(self, *arguments: int | float) -> int | float | None:
        """The result of a reduction; raises MemoryFault and OperationFault."""
        places, scalars = self._operands(iter(arguments))
        known = checked(self.row, places, scalars)
        self._report(places, "load")
        result = perform(self.row, places, known, self.loops)
        self._report(places, "store")
        return result

    def _operands(self, arguments: Iterator[int | float]) -> tuple[dict, dict]:
        """The place of every interval by operand, and the scalars by operand."""
        places, scalars = {}, {}
        for operand in self.row.reads:
            possible = self.intervals.get(operand.name)
            if possible is None:
                scalars[operand.name] = next(arguments)
                continue
            bounds = [[next(arguments) for _ in range(count)] for count, _ in possible]
            chosen = self._choice(len(possible))
            _, cells = possible[chosen]
            places[operand.name] = cells.at(*bounds[chosen])
        return places, scalars

    def _choice(self, count: int) -> int:
        """ceil(log2(count)) bits of the stream, the lowest first, modulo `count`."""
        bits = range((count - 1).bit_length())
        return sum(self.draw() << bit for bit in bits) % count

    def _report(self, places: dict[str, Place], kind: str) -> None:
        if self.observe is None:
            return
        for position, operand in enumerate(self.row.reads):
            if isinstance(operand.kind, Region) and operand.kind.access == kind:
                for address, size in places[operand.name].segments():
                    self.observe(position, kind, address, size)


def _cells(memory: Memory, descriptor: Descriptor, region: Region) -> Cells:
    elements = memory.view(descriptor.buffer, stored_type(region.type))
    is_stored, in_byte = region.access == "store", region.type.in_byte
    return Cells(memory.address(descriptor.buffer), elements, is_stored, in_byte)
