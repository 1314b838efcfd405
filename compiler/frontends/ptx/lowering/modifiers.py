"""Where types stand among an instruction's modifiers.

max.s16x2.relu            ->   max.relu.s16x2        (so CUDA's headers write it)
atom.global.v2.f32.add    ->   atom.global.v2.add.f32
"""

from __future__ import annotations

from dataclasses import replace

from compiler.frontends.ptx.reading.tree import Operation
from compiler.frontends.ptx.types import OF_INSTRUCTIONS, words

_ANYWHERE = words("add sub fma min max neg abs ex2 tanh cvt setp set atom red ld st")
"""Instructions of which ptxas takes the types in any place."""


def types_last(operation: Operation) -> Operation:
    """The same instruction with its types behind its other modifiers, in their order."""
    parts = operation.parts
    if operation.opcode not in _ANYWHERE:
        return operation
    types = tuple(part for part in parts if part in OF_INSTRUCTIONS)
    others = tuple(part for part in parts if part not in OF_INSTRUCTIONS)
    return operation if parts == others + types else replace(operation, parts=others + types)
