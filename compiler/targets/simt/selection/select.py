"""Selection: IR in variable form -> rows of the family `ptx` over virtual registers.

    x = sub.i32 a, 5             sub.s32 %x, %a, 5
    y = load.f32 p          ->   ld.global.b32 %y, %p, 0
    branch c, BB2, BB3           bra %c, BB2, BB3

On entry the function has no phis, no tied values and no calls.  On exit every operation is a row of
the machine; at the top of the first block parameters are loaded, and variables that may be read
before they are written are set to zero.  The rules are in the modules `select_*`; `selector` says
what they may rely on.
"""

from __future__ import annotations

from collections.abc import Iterable

from compiler.analyses.control_flow import control_flow
from compiler.analyses.liveness import liveness
from compiler.ir.builder import Builder
from compiler.ir.module import Function, Instruction
from compiler.targets.simt.selection import (  # noqa: F401  (their rules register themselves)
    select_control,
    select_floats,
    select_integers,
    select_memory,
    select_threads,
)
from compiler.targets.simt.selection.selector import Selector, file_of
from machines.diagnostics import input_error
from machines.kinds.simt.fields import Simt
from machines.kinds.simt.program import KernelFrame, KernelParameter
from machines.types import I1, I8, I16


def select_function(function: Function, description: Simt) -> None:
    """Replace the IR of a kernel by machine operations, and say in its `kernel` what it needs.

    Raises InputError for an operation without a rule, and for a function that returns a value.  One
    of a level above the IR leaves in memory what it returns.
    """
    if function.result is not None and function.body is None:
        raise input_error(
            f"'{function.name}' returns a value, and a kernel returns nothing",
            function.location,
            hint="store the result through a pointer",
        )
    if control_flow(function).predecessors[function.entry.name]:
        Builder(function).new_entry()  # for what runs once
    s = Selector(function, description.warp_width)
    function.frame = _frame(s, function)
    code = {name: s.select(block) for name, block in function.blocks.items()}
    arguments = _load_parameters(s, function.frame)
    for name, block in function.blocks.items():
        block.instructions = code[name]
    function.result = None
    entry = function.entry
    entry.instructions = [*arguments, *entry.instructions]
    function.types = s.types
    function.version += 1
    entry.instructions = [*_zeros(s, liveness(function).live_in[entry.name]), *entry.instructions]
    function.version += 1


def _frame(s: Selector, function: Function) -> KernelFrame:
    """What the kernel needs: parameters at multiples of their size, buffers as the IR lays them
    out."""
    parameters, end = [], 0
    for name, t in function.parameters:
        offset = -(-end // t.bytes) * t.bytes
        parameters.append(KernelParameter(name, t, offset, t.bytes))
        end = offset + t.bytes
    shared, local = s.layouts["shared"], s.layouts["local"]
    sizes = function.buffers
    return KernelFrame(
        parameters,
        shared.size,
        [(name, offset, sizes[name].size) for name, offset in shared.offsets.items()],
        local=local.size,
        meets=function.body is not None and function.body.together,
    )


def _load_parameters(s: Selector, frame: KernelFrame) -> list[Instruction]:
    s.out, s.location = [], s.function.location
    for parameter in frame.parameters:
        t, register = parameter.type, s.variable(parameter.name)
        if t is I1:
            byte = s.new("ld.param.u8", parameter.offset)
            s.emit("setp.ne.s32", (register,), (byte, 0))
        elif t is I16:
            s.emit("cvt.s32.s16", (register,), (s.new("ld.param.s16", parameter.offset),))
        else:
            kind = "s8" if t is I8 else f"b{t.bits}"
            s.emit(f"ld.param.{kind}", (register,), (parameter.offset,))
    return s.out


def _zeros(s: Selector, registers: Iterable[str]) -> list[Instruction]:
    """What gives registers the value of a variable that was never assigned."""
    s.out, s.location = [], None
    for register in registers:
        s.emit(f"mov.{file_of(s.types[register])}", (register,), (0,))
    return s.out
