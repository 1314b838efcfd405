"""Copies of functions, for callers that keep the original."""

from __future__ import annotations

from dataclasses import replace

from compiler.ir.module import Function, Instruction


def copy_instruction(instruction: Instruction) -> Instruction:
    """The same instruction with attributes of its own."""
    return replace(instruction, attributes=dict(instruction.attributes))


def copy_function(function: Function) -> Function:
    """A function that can be changed without changing the original; rows and types are shared."""
    blocks = {
        name: replace(
            block,
            instructions=[copy_instruction(i) for i in block.instructions],
            notes=dict(block.notes),
        )
        for name, block in function.blocks.items()
    }
    return replace(
        function,
        parameters=list(function.parameters),
        blocks=blocks,
        types=dict(function.types),
        loop_distances=dict(function.loop_distances),
        notes=dict(function.notes),
        known={},
    )
