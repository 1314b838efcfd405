"""The register frame: `alloc` on entry for the stacked registers a function uses, and what stands
around its calls.

    entry:  mov %1 = ar.pfs              entry:  alloc r2 = ar.pfs, 1, 3, 1, 0    (r32; r33 … r35)
            …                                    mov r33 = ar.pfs
            adds o0 = 0, r34       ->            …
            br.call b0 = @f                      adds r36 = 0, r34
                                                 adds r12 = -32, r12              (two spill slots)
    after:  adds r35 = 0, r8                     br.call b0 = @f
                                         after:  adds r12 = 32, r12
                                                 adds r35 = 0, r8

Outputs stand behind all other stacked registers, so they get their numbers last.  The slots of
spilled registers are below the stack pointer, where the callee's will be too: it goes below them
while the callee runs.
"""

from __future__ import annotations

from compiler.ir.builder import Builder
from compiler.ir.module import Function, Instruction
from compiler.targets.epic.calling import Convention
from compiler.targets.epic.registers.operands import OUTPUT, PREFIX, files_of, register_operands
from compiler.targets.epic.registers.pressure import allocatable
from compiler.targets.epic.registers.spilling import move_stack_pointer, stack_bytes
from machines.instructions import operations
from machines.kinds.epic.code import ROTATING
from machines.kinds.epic.fields import Epic

GENERAL = PREFIX["general"]


def outputs(function: Function) -> int:
    """How many registers the calls of a function pass arguments in."""
    numbers = (int(name[1:]) for name in _registers(function) if name[0] == OUTPUT)
    return max(numbers, default=-1) + 1


def _registers(function: Function) -> list[str]:
    """Every general register that is named, as often as it is."""
    return [
        name
        for _, instruction in function.instructions()
        for name, file in files_of(instruction)
        if file == "general"
    ]


def open_frame(function: Function, description: Epic) -> None:
    """Put `alloc` first if stacked general registers are used, and give outputs their numbers.

    The register that receives ar.pfs is one that nothing uses or, failing that, one that holds
    nothing on entry.
    """
    region = description.registers["general"].rotating
    if region is None:
        return
    first = region[0]
    used = [int(name[1:]) for name in _registers(function) if name[0] == GENERAL]
    highest = max(used, default=0)
    rotating = ROTATING.of(function)
    if rotating:
        highest = max(highest, first + rotating - 1)
    passed = outputs(function)
    if highest < first and not passed:
        return
    arguments = Convention(description).arguments(function)
    inputs = sum(name[0] == GENERAL for name in arguments)
    candidates = [
        number
        for number in allocatable(description, "general")
        if f"{GENERAL}{number}" not in arguments
    ]
    unused = (number for number in candidates if number < first and number not in used)
    free = next(unused, candidates[0])
    locals = max(max(highest, free) - first + 1 - inputs, 0)
    alloc = Instruction(
        operations()["ia64", "alloc"],
        (f"{GENERAL}{free}",),
        (inputs, locals, passed, rotating),
        location=function.location,
    )
    builder = Builder(function)
    builder.at(function.entry, 0)
    builder.insert(alloc)
    if passed:
        _number_outputs(builder, first + inputs + locals)
    _keep_slots(builder, description)


def _number_outputs(builder: Builder, first: int) -> None:
    def number(name: str) -> str:
        return f"{GENERAL}{first + int(name[1:])}" if name[0] == OUTPUT else name

    for _, instruction in builder.function.instructions():
        results, operands = list(instruction.results), list(instruction.operands)
        for names, indexed in zip(
            (results, operands), register_operands(instruction.operation), strict=True
        ):
            for index, _ in indexed:
                names[index] = number(names[index])
        attributes = dict(instruction.attributes)
        if "passes" in attributes:
            attributes["passes"] = tuple(map(number, attributes["passes"]))
        builder.change(
            instruction,
            results=tuple(results),
            operands=tuple(operands),
            attributes=attributes,
        )


def _keep_slots(builder: Builder, description: Epic) -> None:
    """Let the stack pointer go below the slots for each call; the caller needs it as it was."""
    function = builder.function
    size = stack_bytes(function)
    if not size:
        return
    following = [*list(function.blocks.values())[1:], None]
    for block, after in zip(list(function.blocks.values()), following, strict=True):
        if block.instructions and block.instructions[-1].operation.control == "call":
            builder.at(block, len(block.instructions) - 1)
            for instruction in move_stack_pointer(description, -size):
                builder.insert(instruction)
            builder.at(after, 0)
            for instruction in move_stack_pointer(description, size):
                builder.insert(instruction)
    pointer = f"{GENERAL}{description.registers['general'].stack_pointer}"
    for _, instruction in function.instructions():
        if instruction.operation.control == "return":
            builder.change(instruction, attributes={**instruction.attributes, "passes": (pointer,)})
