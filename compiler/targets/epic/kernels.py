"""Pipelined loops in machine code, and what their rotating registers forbid around them.

    preheader:  clrrrb                             %a lives here, in the kernel or behind it: it may
                mov r35 = %x                       have no register that rotates, since rotation
    kernel:     (p16) add r32 = %a, r36            would carry it off under another name
                br.ctop kernel
    exit:       mov %y = r38

A kernel is one block; its last instruction is a loop branch with the attribute 'kernel', a
`PipelinedLoop`.  Each instruction of it has a number ('node'), its row ('cycle') and stage, and
the numbers of those of its row that must stand in an earlier slot ('after').  Registers that rotate
are named as real ones.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.analyses.code_flow import successors
from compiler.ir.builder import Builder
from compiler.ir.module import Block, Function, Guard, Instruction
from compiler.machine_code.operands import is_virtual
from compiler.targets.epic.registers.operands import PREFIX, files_of, machine_liveness
from compiler.targets.epic.selection.selector import PSEUDO
from machines.instructions import operations
from machines.instructions.ia64_control import FIRST_ROTATING_PREDICATE
from machines.kinds.epic.code import ROTATING
from machines.kinds.epic.fields import Epic


@dataclass(frozen=True, slots=True)
class PipelinedLoop:
    """A kernel's modulo schedule: the cycles from one iteration to the next, the stages of one.

    res_mii, rec_mii   the bounds that resources and recurrences set on ii
    least_ii  no smaller ii has a schedule, as was proved
    """

    ii: int
    stages: int
    res_mii: int
    rec_mii: int
    least_ii: int


def is_kernel(block: Block) -> bool:
    """Whether a block is the kernel of a pipelined loop."""
    return bool(block.instructions) and "kernel" in block.instructions[-1].attributes


def kernels(function: Function) -> list[Block]:
    """The kernels of a function, in layout order."""
    return [block for block in function.blocks.values() if is_kernel(block)]


def rotating_registers(function: Function, description: Epic, file: str) -> frozenset[int]:
    """Numbers of the registers of a file that pipelined loops of a function take."""
    if not kernels(function):
        return frozenset()
    return frozenset(taken_by_rotation(description, file, ROTATING.of(function)))


def taken_by_rotation(description: Epic, file: str, general: int) -> range:
    """Numbers of the registers of a file that hold nothing else when a loop is pipelined, if so
    many general registers rotate: of the predicates all that `mov pr.rot` sets."""
    registers = description.registers[file]
    if registers.rotating is None:
        return range(0)
    first, last = registers.rotating
    if file == "predicate":
        return range(FIRST_ROTATING_PREDICATE, registers.count)
    return range(first, first + general if file == "general" else last + 1)


def rotating_blocks(function: Function, description: Epic) -> frozenset[str]:
    """The blocks that name a rotating register or clear the rotation."""
    rotating = {
        f"{PREFIX[file]}{number}"
        for file in PREFIX
        for number in rotating_registers(function, description, file)
    }
    if not rotating:
        return frozenset()
    return frozenset(
        name
        for name, block in function.blocks.items()
        if is_kernel(block)
        or _clears_rotation(block)
        or any(register in rotating for i in block.instructions for register, _ in files_of(i))
    )


def static_registers(function: Function, rotating: frozenset[str]) -> set[str]:
    """The virtual registers that need a register that does not rotate: those that are alive
    somewhere in one of the blocks `rotating`."""
    found: set[str] = set()
    if not rotating:
        return found
    live = machine_liveness(function)
    for name in rotating:
        code = function.blocks[name].instructions
        found.update(register for i in code for register, _ in files_of(i))
        found.update(live.names(live.live_in[name] | live.live_out[name]))
    return {name for name in found if is_virtual(name)}


def _clears_rotation(block: Block) -> bool:
    return any(i.operation.name.startswith("clrrrb") for i in block.instructions)


def invariants(function: Function) -> frozenset[str]:
    """The virtual registers that kernels read: they cannot be kept in memory, since a kernel's
    schedule has no room for loads."""
    return frozenset(
        register
        for block in kernels(function)
        for instruction in block.instructions
        for register, _ in files_of(instruction)
        if is_virtual(register)
    )


def split_around_kernels(function: Function, names: frozenset[str]) -> frozenset[str]:
    """Give registers that kernels name copies of their own: made before each kernel, and copied
    back behind it if the kernel writes them.

    Returns the copies: only they have to stay in registers.
    """
    builder = Builder(function)
    copies: set[str] = set()
    for kernel in kernels(function):
        files = {register: file for i in kernel.instructions for register, file in files_of(i)}
        written = {register for i in kernel.instructions for register in i.results}
        own = {name: f"{name}.{kernel.name}" for name in sorted(names & files.keys())}
        copies.update(own.values())
        function.types.update({copy: function.types[name] for name, copy in own.items()})
        before, behind = _around(function, kernel)
        for name, copy in own.items():
            for block in before:
                builder.at(block, _end(block))
                builder.insert(_copied(copy, name, files[name]))
            for block in behind if name in written else ():
                builder.at(block, 0)
                builder.insert(_copied(name, copy, files[name]))
        for instruction in kernel.instructions:
            _name_instead(builder, instruction, own)
    return frozenset(copies)


def _around(function: Function, kernel: Block) -> tuple[list[Block], list[Block]]:
    """The blocks that a kernel is entered from, and those that it leaves to."""
    follow, blocks = successors(function), function.blocks
    before = [b for n, b in blocks.items() if kernel.name in follow[n] and b is not kernel]
    return before, [blocks[n] for n in follow[kernel.name] if n != kernel.name]


def _end(block: Block) -> int:
    """Where control may first leave a block."""
    for index, instruction in enumerate(block.instructions):
        if instruction.operation.control:
            return index
    return len(block.instructions)


def _copied(copy: str, name: str, file: str) -> Instruction:
    """`copy` = `name`."""
    table = operations().family("ia64")
    if file == "predicate":
        return Instruction(table["cmp.eq.unc"], (copy, "p0"), ("r0", "r0"), Guard(name))
    operation, *operands = PSEUDO["mov.f" if file == "floating" else "mov"](name)
    return Instruction(table[operation], (copy,), tuple(operands))


def _name_instead(builder: Builder, instruction: Instruction, own: dict[str, str]) -> None:
    guard = instruction.guard
    builder.change(
        instruction,
        results=tuple(own.get(name, name) for name in instruction.results),
        operands=tuple(own.get(value, value) for value in instruction.operands),
        guard=guard and Guard(own.get(guard.name, guard.name)),
    )
