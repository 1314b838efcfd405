"""Pipelined loops in machine code, and what their rotating registers forbid around them.

    preheader:  clrrrb                             %a lives here, in the kernel or behind it: it may
                mov r35 = %x                       have no register that rotates, since rotation
    kernel:     (p16) add r32 = %a, r36            would carry it off under another name
                br.ctop kernel
    exit:       mov %y = r38

A kernel is one block; its last instruction is a loop branch with the attribute 'kernel'.  Registers
that rotate are named as real ones.
"""

from __future__ import annotations

from compiler.ir.builder import Builder
from compiler.ir.module import Block, Function, Guard, Instruction
from compiler.targets.epic.flow import machine_liveness, successors
from compiler.targets.epic.registers import PREFIX, files_of, is_virtual
from compiler.targets.epic.selector import PSEUDO
from machines.instructions import operations
from machines.kinds.epic import Epic


def is_kernel(block: Block) -> bool:
    """Whether a block is the kernel of a pipelined loop."""
    return bool(block.instructions) and "kernel" in block.instructions[-1].attributes


def kernels(function: Function) -> list[Block]:
    """The kernels of a function, in layout order."""
    return [block for block in function.blocks.values() if is_kernel(block)]


def rotating_registers(function: Function, description: Epic, file: str) -> frozenset[int]:
    """Numbers of the registers of a file that rotate in a function."""
    region = description.registers[file].rotating
    if region is None or not kernels(function):
        return frozenset()
    first, last = region
    return frozenset(range(first, first + function.rotating if file == "general" else last + 1))


def kept_still(function: Function, description: Epic) -> frozenset[str]:
    """The virtual registers that may have no rotating register: those that are alive somewhere in
    a block that names one or turns rotation back."""
    rotating = {
        f"{PREFIX[file]}{number}"
        for file in PREFIX
        for number in rotating_registers(function, description, file)
    }
    if not rotating:
        return frozenset()
    live = machine_liveness(function)
    found: set[str] = set()
    for name, block in function.blocks.items():
        named = {register for i in block.instructions for register, _ in files_of(i)}
        if named & rotating or is_kernel(block) or _turns_back(block):
            found |= named
            found.update(live.names(live.live_in[name] | live.live_out[name]))
    return frozenset(name for name in found if is_virtual(name))


def _turns_back(block: Block) -> bool:
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


def split_before_kernels(function: Function, names: frozenset[str]) -> frozenset[str]:
    """Give registers that kernels only read a copy of their own before each kernel.

    Returns the copies: only they have to stay in registers.
    """
    follow = successors(function)
    builder = Builder(function)
    copies: set[str] = set()
    for kernel in kernels(function):
        read = {register: file for i in kernel.instructions for register, file in files_of(i)}
        for name in sorted(names & read.keys()):
            copy = f"{name}.{kernel.name}"
            copies.add(copy)
            function.types[copy] = function.types[name]
            for block_name, block in function.blocks.items():
                if kernel.name in follow[block_name] and block is not kernel:
                    builder.at(block, _end(block))
                    for instruction in _copy_instructions(copy, name, read[name]):
                        builder.insert(instruction)
            for instruction in kernel.instructions:
                _read_instead(builder, instruction, name, copy)
    return frozenset(copies)


def _end(block: Block) -> int:
    """Where control may first leave a block."""
    for index, instruction in enumerate(block.instructions):
        if instruction.operation.control:
            return index
    return len(block.instructions)


def _copy_instructions(copy: str, name: str, file: str) -> list[Instruction]:
    """`copy` = `name`."""
    table = operations().family("ia64")
    if file == "predicate":
        zero = Instruction(table["cmp.ne"], (copy, "p0"), ("r0", "r0"))
        one = Instruction(table["cmp.eq"], (copy, "p0"), ("r0", "r0"), Guard(name))
        return [zero, one]
    operation, *operands = PSEUDO["mov.f" if file == "floating" else "mov"](name)
    return [Instruction(table[operation], (copy,), tuple(operands))]


def _read_instead(builder: Builder, instruction: Instruction, name: str, copy: str) -> None:
    guard = instruction.guard
    builder.change(
        instruction,
        operands=tuple(copy if value == name else value for value in instruction.operands),
        guard=Guard(copy) if guard and guard.name == name else guard,
    )
