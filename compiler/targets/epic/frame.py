"""The register frame: an `alloc` on entry for the stacked registers a function uses."""

from __future__ import annotations

from compiler.ir.builder import Builder
from compiler.ir.module import Function, Instruction
from compiler.targets.epic.calling import argument_registers
from compiler.targets.epic.pressure import allocatable
from compiler.targets.epic.registers import PREFIX, files_of
from machines.instructions import operations
from machines.kinds.epic import Epic


def open_frame(function: Function, description: Epic) -> None:
    """Put `alloc` first if a stacked general register is used.

    The register that receives ar.pfs is one that nothing uses or, failing that, one that holds
    nothing on entry.
    """
    region = description.registers["general"].rotating
    if region is None:
        return
    first = region[0]
    used = [
        int(name[1:])
        for _, instruction in function.instructions()
        for name, file in files_of(instruction)
        if file == "general"
    ]
    highest = max(used, default=0)
    if function.rotating:
        highest = max(highest, first + function.rotating - 1)
    if highest < first:
        return
    arguments = argument_registers(function, description)
    inputs = sum(name[0] == PREFIX["general"] for name in arguments)
    candidates = [
        number
        for number in allocatable(description, "general")
        if f"{PREFIX['general']}{number}" not in arguments
    ]
    unused = (number for number in candidates if number < first and number not in used)
    free = next(unused, candidates[0])
    highest = max(highest, free)
    alloc = Instruction(
        operations()["ia64", "alloc"],
        (f"{PREFIX['general']}{free}",),
        (inputs, max(highest - first + 1 - inputs, 0), 0, function.rotating),
        location=function.location,
    )
    builder = Builder(function)
    builder.at(function.entry, 0)
    builder.insert(alloc)
