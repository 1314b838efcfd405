"""Clusters of blocks: their barrier, and where the shared memory of each block is.

A thread comes to the barrier (arrive) and waits there later.  It is *pending* until the barrier
opens, which it does when all threads of the cluster that have not ended are.

What a block does, others of its cluster notice on other SMs: barriers, all accesses to shared
memory of a program that has rows about clusters, and the beginning of blocks are acts (see
`turns`).  What an act begins on another SM, it begins LATENCY or a block's latency later, and SMs
run no farther ahead of each other than that.
"""

from __future__ import annotations

from machines.operations.row import Operation
from machines.threads.spaces import MOST_CLUSTER
from sim.cores.simt import tables
from sim.cores.simt.unit import STEP, Decoded, Instruction, Sizes, Unit, kinds
from sim.cores.simt.units.convergence import refuse_guard
from sim.cores.simt.units.instructions import INSTRUCTION

CLUSTER = tables.clusters.columns(
    LEFT="Blocks that have not finished; 0: the row is free.",
    SIZE="Blocks.",
    THREADS="Threads that are left.",
    PENDING="Threads that are.",
    LAST_ARRIVAL="When the last of them counted.",
    OPENED="From when threads go on behind the barrier that opened last.",
    SLOTS=(MOST_CLUSTER, "Of `blocks`, by rank."),
)
BLOCK_CLUSTER = tables.blocks.columns(
    CLUSTER="Of `clusters`.",
    RANK="Its rank there.",
)
WARP_CLUSTER = tables.warps.columns(
    CAME="Lanes that have come to the barrier of the cluster and not waited there.",
    PENDING="Those for which it has not opened.",
)
GRID_CLUSTER = tables.grids.columns(
    SIZE="Blocks of a cluster.",
    EXTENT=(3, "The same along x, y and z."),
    IS_SAID="Whether the kernel or its launch says so.",
)
OF_CLUSTER = tables.code.columns(RELAXED="It does not wait for its stores.")
CLUSTERS = tables.parameters.columns(
    USED="The program has rows about clusters.",
    LATENCY="Cycles from the last arrival until threads go on.",
    GPCS="Groups of SMs: SM n belongs to group n * GPCS // SMs.",
)
CLUSTERED = tables.scalars.columns(
    WOKEN="1: an act has begun something on other SMs.",
    NEXT_GPC="Where the next cluster is tried first.",
    NEXT_ROW="Where a free row is looked for first.",
)
KINDS = kinds(
    STEP.CONTROLS,
    ARRIVE="Threads come to the barrier of their cluster and go on.",
    WAIT="Threads wait for those that have not come.",
)
BARRIER_OF_CLUSTER = 1 << 20
"""What lanes are held at there; barriers of a block have smaller numbers."""


def kind_of(row: Operation) -> int | None:
    if row.meets is None or row.meets.among != "cluster":
        return None
    return KINDS.WAIT if row.meets.waits else KINDS.ARRIVE


def decode(instruction: Instruction) -> None:
    if instruction.row.meets.waits and instruction.guard:
        refuse_guard(instruction)
    instruction.into[INSTRUCTION.IS_ACT] = True
    instruction.into[OF_CLUSTER.RELAXED] = not instruction.row.meets.releases


def sizes(decoded: Decoded) -> Sizes:
    machine = decoded.machine
    yield CLUSTERS.USED, decoded.has_clusters
    yield CLUSTERS.LATENCY, latency_of(decoded)
    yield CLUSTERS.GPCS, machine.gpcs


def latency_of(decoded: Decoded) -> int:
    """That of the cluster's barrier; where each block is a cluster, that of the block's."""
    machine = decoded.machine
    return machine.clusters.barrier_latency if machine.clusters else machine.barriers.latency


UNIT = Unit("clusters", (KINDS,), kind_of, decode_own=decode, parameters=sizes)
