"""Programs of ptx rows from their text form, for tests.

    program = kernel('''
            bra.uni loop
        loop:
            r1 = add.s32 r1, 1
            p0 = setp.lt.s32 r1, 10
            bra p0, loop, done
        done:
            exit
    ''', parameters=[("n", I32)])

The rows are those of form 'allocated', and not verified: a register that nothing writes holds 0.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from compiler.targets.simt import TARGET
from compiler.text_form import parse
from machines.kinds.simt.program import KernelFrame, KernelParameter, WarpProgram
from machines.operations.row import Operation
from machines.types import Type


def kernel(
    text: str, parameters: Sequence[tuple[str, Type]] = (), registers: int = 0, **frame: int
) -> WarpProgram:
    """The program of one kernel, `k`, whose blocks are `text`; one that has no name, the first, is
    'entry'.

    registers  at least so many of a thread
    frame      fields of its `KernelFrame`
    """
    entry = "" if re.match(r"\s*[\w.]+:", text) else "entry:\n"
    module = f"form allocated of ptx\nfunc @k() {{\n{entry}{text}\n}}\n"
    return emitted(module, frame_of(parameters, **frame), registers)


def emitted(text: str, frame: KernelFrame | None = None, registers: int = 0) -> WarpProgram:
    """The program of a module's only function; `frame` if it does not say its own."""
    module = parse(text, "rows.sir", TARGET.records)
    [function] = module.functions.values()
    function.frame = function.frame or frame or KernelFrame()
    program = TARGET.emit([function], module, None)
    made = program.kernels[function.name]
    made = replace(made, registers=max(made.registers, registers))
    return replace(program, kernels={function.name: made})


def line(row: Operation, operands: Sequence[str]) -> str:
    """A row with its operands in the order of the table: what it writes stands before '='."""
    written, read = operands[: len(row.writes)], operands[len(row.writes) :]
    results = f"{', '.join(written)} = " if written else ""
    return f"{results}{row.name} {', '.join(read)}".rstrip()


def frame_of(parameters: Sequence[tuple[str, Type]], **fields: int) -> KernelFrame:
    """A frame with parameters one behind the other, each aligned to its size."""
    placed, offset = [], 0
    for name, kind in parameters:
        offset = -(-offset // kind.bytes) * kind.bytes
        placed.append(KernelParameter(name, kind, offset, kind.bytes))
        offset += kind.bytes
    return KernelFrame(parameters=placed, **fields)
