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
    NOW="The cycle in which the instruction issues that reads it.",
    CLOCK_HERTZ="The clock.",
)

UNIT = Unit("special_registers")
