"""What threads read as special registers."""

from __future__ import annotations

from sim.cores.simt.tables import specials
from sim.cores.simt.unit import Unit

SPECIAL = specials.columns(
    CTAID=(3, "The block's index in the grid."),
    NCTAID=(3, "Blocks of the grid."),
    NTID=(3, "Threads of a block."),
    GRIDID="The launch's number.",
    WARPID="The warp's slot in its SM.",
    NWARPID="Slots for warps of an SM.",
    SMID="The SM.",
    NSMID="SMs.",
    DYNAMIC_SMEM="Bytes of dynamic shared memory.",
    TOTAL_SMEM="Bytes of shared memory.",
    CLUSTERID=(3, "The index of the block's cluster in the grid."),
    NCLUSTERID=(3, "Clusters of the grid."),
    CLUSTER_CTAID=(3, "The block's index in its cluster."),
    CLUSTER_NCTAID=(3, "Blocks of a cluster."),
    CLUSTER_RANK="The block's rank in its cluster.",
    CLUSTER_RANKS="Blocks of the cluster.",
    IS_EXPLICIT="Whether anybody says how many.",
    NOW="The cycle in which the instruction issues that reads it.",
    CLOCK_HERTZ="The clock.",
)

UNIT = Unit("special_registers")
