"""Selection: IR in variable form -> machine operations over virtual registers.

    x = sub.i32 a, 5           adds %1 = -5, %a
                          ->   sxt4 %x = %1
    branch p, BB2, BB3         (%!p) br.cond.dpnt BB3          (BB2 follows)

On entry the function has no phis and no tied values.  On exit every operation is a row of the
machine; parameters are moved from their registers at the top of the first block, together with
costly constants used in loops and zeros for variables that may be read before they are written.
The rules are in the modules `select_*`; `selector` says what they may rely on.
"""

from __future__ import annotations

from compiler.analyses.control_flow import control_flow
from compiler.analyses.loops import loops
from compiler.ir.builder import Builder
from compiler.ir.module import Block, Function, Instruction
from compiler.machine_code.liveness import MachineLiveness
from compiler.machine_code.operands import is_virtual
from compiler.targets.epic.calling import Convention
from compiler.targets.epic.registers.operands import complement_of, is_complement, machine_liveness
from compiler.targets.epic.selection import (  # noqa: F401  (their rules register themselves)
    select_booleans,
    select_calls,
    select_compares,
    select_control,
    select_divisions,
    select_floats,
    select_integers,
    select_memory,
)
from compiler.targets.epic.selection.loose_integers import loose_variables
from compiler.targets.epic.selection.selector import Selector
from machines.kinds.epic.fields import Epic
from machines.types import F64, I1


def select_function(function: Function, description: Epic) -> None:
    """Replace the IR of a function by machine operations.

    Raises InputError for an operation without a rule, or if arguments do not fit the registers.
    """
    if control_flow(function).predecessors[function.entry.name]:
        Builder(function).new_entry()  # for what runs once
    depth = loops(function).depth
    calling = Convention(description)
    s = Selector(function, loose_variables(function), calling)
    saved = select_calls.save_return(s) if function.callees else []
    code = {
        name: s.select(block, in_loop=depth.get(name, 0) > 0)
        for name, block in function.blocks.items()
    }
    arguments = _receive_arguments(s, calling.arguments(function))
    entry = function.entry
    for name, block in function.blocks.items():
        block.instructions = code[name]
    entry.instructions = [*saved, *arguments, *s.pool_code, *entry.instructions]
    function.types = s.types
    function.version += 1
    zeros = _zeros(s, machine_liveness(function), entry.name)
    entry.instructions = [*zeros, *entry.instructions]
    _end_blocks_at_calls(function)


def _end_blocks_at_calls(function: Function) -> None:
    """Let what stands behind a call begin a block."""
    builder = Builder(function)
    pieces: dict[str, list[Instruction]] = {}
    for name, block in function.blocks.items():
        at = pieces[name] = []
        for instruction in block.instructions:
            at.append(instruction)
            if instruction.operation.control == "call":
                at = pieces[builder.fresh_block(f"{name}.after")] = []
    whole = function.blocks
    function.blocks = {name: whole.get(name) or Block(name) for name in pieces}
    for name, code in pieces.items():
        builder.set_instructions(function.blocks[name], code)


def _receive_arguments(s: Selector, registers: list[str]) -> list[Instruction]:
    s.out, s.location = [], s.function.location
    for (name, t), register in zip(s.function.parameters, registers, strict=True):
        if t.bits == 1:
            s.emit("cmp.eq", (s.complement(name), s.variable(name)), (register, "r0"))
        else:
            s.emit("mov.f" if t.is_float else "mov", (s.variable(name),), (register,))
    return s.out


def _zeros(s: Selector, live: MachineLiveness, entry: str) -> list[Instruction]:
    """Zeros for the virtual registers that some path reads before it writes them."""
    s.out, s.location = [], None
    for name in live.names(live.live_in[entry]):
        if not is_virtual(name):
            continue
        if s.types[name] is I1:
            other = complement_of(name)
            true, false = (name, other) if is_complement(name) else (other, name)
            if (true, false) not in [i.results for i in s.out]:
                s.types[true] = s.types[false] = I1
                s.emit("cmp.eq", (true, false), ("r0", "r0"))
        elif s.types[name] is F64:
            s.emit("mov.f", (name,), ("f0",))
        else:
            s.emit("addl", (name,), (0, "r0"))
    return s.out
