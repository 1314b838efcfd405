"""EPIC machines: bundles of IA-64 instructions."""

from compiler.targets import Target
from compiler.targets.epic.allocation import allocate
from compiler.targets.epic.assembly import print_assembly
from compiler.targets.epic.emit import called, emit_program
from compiler.targets.epic.select import select_function

PLUGIN = Target(
    name="epic",
    select=select_function,
    allocate=allocate,
    verify=lambda function: (),
    called=called,
    emit=emit_program,
    listing=print_assembly,
)
