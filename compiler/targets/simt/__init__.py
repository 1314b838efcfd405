"""SIMT machines: kernels of PTX rows that warps of threads run."""

from compiler.targets import Target
from compiler.targets.simt.allocate import allocate
from compiler.targets.simt.emit import emit_program
from compiler.targets.simt.listing import print_listing
from compiler.targets.simt.select import select_function
from compiler.targets.simt.verify import findings_of

PLUGIN = Target(
    name="simt",
    select=select_function,
    allocate=allocate,
    verify=findings_of,
    called=lambda function: (),  # calls are inlined
    emit=emit_program,
    listing=print_listing,
    several=True,
)
