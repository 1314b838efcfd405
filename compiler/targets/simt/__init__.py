"""SIMT machines: kernels of PTX rows that warps of threads run."""

from compiler.targets import Target
from compiler.targets.simt.emit import emit_program
from compiler.targets.simt.listing import listing
from compiler.targets.simt.mark_program import with_markers
from compiler.targets.simt.pipeline import PASSES
from compiler.targets.simt.verify import verify
from machines.kinds.simt.fields import Simt
from machines.kinds.simt.program import KernelFrame, KernelParameter


def _pace(description: Simt) -> tuple[str, ...]:
    """With a scoreboard results are waited for; control bits say how long their own latencies
    are."""
    scoreboard = description.dependences.kind == "scoreboard"
    return ("classes", "pipes", "memory") if scoreboard else ()


TARGET = Target(
    passes=PASSES,
    lowers={"arrays": ("vectorize", "lower_graph")},
    last_form="scheduled",
    verify=verify,
    called=lambda function: (),
    emit=emit_program,
    listing=listing,
    finish=with_markers,
    several=True,
    calls=False,
    records=(KernelFrame, KernelParameter),
    threads=lambda description: description.warp_width,
    pace=_pace,
)
