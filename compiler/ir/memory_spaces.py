"""Where buffers outside the flat memory stand: shared memory of a block, local memory of a thread.

    tile: f32[256] in shared            tile  offset    0
    flag: i8[1] in shared       ->      flag  offset 1024
    sums: f64[8] in shared              sums  offset 1032, 1096 bytes in all

A kernel has the buffers whose addresses it or a function it calls takes, one after another in the
order of declaration, each at a multiple of its element's size.  Their generic addresses lie in the
windows of machines/threads/spaces.py.  Buffers in `global`, in `constant` and in spaces that a kind
of machine declares so stand in the flat memory; where those in its other spaces stand, only such
machines know (`compiler.ir.facts`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from compiler.ir.facts import is_flat, space_named
from compiler.ir.module import Buffer, Descriptor, Function, Instruction
from machines.layout import Extent, natural_alignment
from machines.operations.row import Callee, Symbol
from machines.program import ProgramBuffer
from machines.threads.spaces import LOCAL_BASE, SHARED_BASE

BASES = {"shared": SHARED_BASE, "local": LOCAL_BASE}
"""The generic address at which a window begins."""


@dataclass(frozen=True, slots=True)
class SpaceLayout:
    """Buffers of one space: name -> offset in bytes, and the bytes they take together."""

    offsets: Mapping[str, int]
    size: int


def flat_buffers(buffers: Mapping[str, Buffer]) -> list[Buffer]:
    """The buffers that stand in the flat memory, in the order of declaration."""
    return [buffer for buffer in buffers.values() if is_flat(buffer.space)]


def alignment_of(buffer: Buffer) -> int:
    """A power of two of which its address is certainly a multiple, in bytes."""
    if buffer.alignment is not None:
        return buffer.alignment
    space = space_named(buffer.space)
    if not space.is_flat:
        return buffer.dtype.bytes
    if space.alignment is not None:
        return space.alignment
    return natural_alignment(buffer.dtype.bytes, buffer.size)


def extent_of(buffer: Buffer) -> Extent:
    """The place that a buffer wants in the flat memory."""
    return Extent(buffer.name, buffer.size, alignment_of(buffer), buffer.section)


def program_buffer(buffer: Buffer) -> ProgramBuffer:
    """What a program has of a buffer in the flat memory."""
    return ProgramBuffer(
        buffer.name, buffer.dtype, buffer.count, buffer.data, alignment_of(buffer), buffer.section
    )


def space_layout(function: Function, space: str) -> SpaceLayout:
    """The 'shared' or 'local' buffers of a kernel and of what it calls."""
    used = set(_buffers_used(function))
    offsets, end = {}, 0
    for buffer in function.buffers.values():
        if buffer.space == space and buffer.name in used:
            alignment = alignment_of(buffer)
            offsets[buffer.name] = start = (end + alignment - 1) // alignment * alignment
            end = start + buffer.size
    return SpaceLayout(offsets, end)


def space_addresses(function: Function) -> dict[str, int]:
    """Generic addresses of the shared and local buffers of a kernel, by name."""
    return {
        name: base + offset
        for space, base in BASES.items()
        for name, offset in space_layout(function, space).offsets.items()
    }


def reachable(function: Function) -> dict[str, Function]:
    """A function and all that it may call, by name, itself first; it calls itself as it is, not as
    its module has it."""
    found = {function.name: function}
    pending = [function]
    while pending:
        for name in pending.pop().callees:
            if name not in found:
                found[name] = function.functions[name]
                pending.append(found[name])
    return found


def is_of_threads(instruction: Instruction, buffers: Mapping[str, Buffer]) -> bool:
    """True if only a thread of a grid, or a core of many, can run it: a row of these, or one that
    names a buffer that does not stand in the flat memory."""
    named = (buffers[name] for name in _buffers_named(instruction) if name in buffers)
    return instruction.operation.is_of_many or any(not is_flat(b.space) for b in named)


def _buffers_used(function: Function) -> Iterator[str]:
    for one in reachable(function).values():
        for _, instruction in one.instructions():
            yield from _buffers_named(instruction)


def _buffers_named(instruction: Instruction) -> Iterator[str]:
    kinds = (operand.kind for operand in instruction.operation.reads)
    for kind, value in zip(kinds, instruction.operands, strict=False):
        if isinstance(kind, Symbol) and not isinstance(kind, Callee):
            yield str(value)
        elif isinstance(value, Descriptor):
            yield value.buffer
