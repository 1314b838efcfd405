"""SIMT machines: kernels of PTX rows that warps of threads run."""

from compiler.targets import Target
from compiler.targets.simt.emit import emit_program
from compiler.targets.simt.listing import print_listing
from compiler.targets.simt.mark_program import with_markers
from compiler.targets.simt.pipeline import PASSES
from compiler.targets.simt.verify import verify
from machines.kinds.simt.program import KernelFrame, KernelParameter

TARGET = Target(
    passes=PASSES,
    last_form="scheduled",
    verify=verify,
    called=lambda function: (),
    emit=emit_program,
    listing=print_listing,
    finish=with_markers,
    several=True,
    calls=False,
    records=(KernelFrame, KernelParameter),
)
