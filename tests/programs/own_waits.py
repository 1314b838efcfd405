"""Programs whose waits and barriers are not those that the compiler placed: some are missing, some
stand elsewhere.

    code = with_own_waits(compiled(program, machine), random.Random(seed))
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace

from compiler import Compilation
from compiler.ir.copy import copy_function
from compiler.ir.module import Block, Function, Instruction
from compiler.targets.cluster.emit import emit_program
from machines.instructions.cluster_control import BARRIERS, WAITS


def without_each_wait(code: Compilation) -> Iterator[Compilation]:
    """The program without one of its waits, for each of them."""
    for number in range(len(_all(code.functions, WAITS))):
        functions = [copy_function(function) for function in code.functions]
        _all(functions, WAITS)[number].leave_out()
        yield _emitted(code, functions)


def with_own_waits(code: Compilation, stream: random.Random) -> Compilation:
    """The program with up to two waits less, some a few commands later, and perhaps with a barrier
    less, at which then nobody is."""
    functions = [copy_function(function) for function in code.functions]
    for _ in range(stream.choice((0, 0, 1, 1, 2))):
        waits = _all(functions, WAITS)
        if waits:
            stream.choice(waits).leave_out()
    for _ in range(stream.choice((0, 1, 2))):
        waits = _all(functions, WAITS)
        if waits:
            stream.choice(waits).move(stream.randint(-2, 2))
    barriers = _all(functions, BARRIERS)
    if barriers and stream.random() < 0.4:
        gone = stream.choice(barriers).what
        for barrier in reversed(barriers):
            if barrier.what == gone:
                barrier.leave_out()
    return _emitted(code, functions)


class _At:
    """An instruction in its block."""

    def __init__(self, block: Block, index: int):
        self.block, self.index = block, index

    @property
    def instruction(self) -> Instruction:
        return self.block.instructions[self.index]

    @property
    def what(self) -> tuple:
        return self.instruction.operation.name, self.instruction.operands

    def leave_out(self) -> None:
        del self.block.instructions[self.index]

    def move(self, by: int) -> None:
        """Within its block, in front of its end; over no barrier and no wait, as others count."""
        instructions = self.block.instructions
        wait = instructions.pop(self.index)
        at = min(max(self.index + by, 0), len(instructions) - 1)
        instructions.insert(at, wait)


def _all(functions: list[Function], rows: Callable | dict) -> list[_At]:
    return [
        _At(block, index)
        for function in functions
        for block in function.blocks.values()
        for index, instruction in enumerate(block.instructions)
        if instruction.operation.name in rows
    ]


def _emitted(code: Compilation, functions: list[Function]) -> Compilation:
    program = emit_program(functions, code.module, code.machine.description)
    return replace(code, functions=functions, program=program)
