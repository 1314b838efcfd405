"""EPIC machines: bundles of IA-64 instructions."""

from compiler.costs import Cost, Costs
from compiler.targets import Emit, Target
from compiler.targets.epic.assembly import listed_assembly
from compiler.targets.epic.emit import called, emit_program
from compiler.targets.epic.kernels import PipelinedLoop
from compiler.targets.epic.passes.bundlers import bundlers
from compiler.targets.epic.pipeline import PASSES
from compiler.targets.epic.scheduling.modulo import schedulers
from compiler.targets.epic.standalone import standalone, usage
from compiler.targets.epic.verify import verify

COSTS = Costs(
    product=Cost(4, 14),  # to the floating-point unit and back
    short_product=Cost(2, 2),
    folded_shifts=range(1, 5),  # shladd
)

TARGET = Target(
    passes=PASSES,
    lowers={"arrays": ("vectorize", "lower_graph")},
    last_form="bundled",
    verify=verify,
    called=called,
    emit=emit_program,
    listing=listed_assembly,
    costs=COSTS,
    emits=(Emit((".s", ".S", ".asm"), "a stand-alone program for GNU as", standalone, usage),),
    plugins={"scheduler": schedulers, "bundler": bundlers},
    records=(PipelinedLoop,),
    # Results are waited for, and groups that ports cannot take at once are split.
    pace=lambda description: ("latencies", "memory", "branches", "dispersal", "ports"),
)
