"""The state of the SIMT core as flat arrays: what the jitted `advance` reads and writes.

What program and machine fix before the run stands in arrays too, so that the jitted text holds no
figure of any machine.  A table is one array of int64, the columns of which the units of an SM
declare (see `tables`):

    warps[warp * WARP_COLUMNS + SINCE]           warp = sub-core * warps of a sub-core + bit
    subcores[subcore * SUBCORE_COLUMNS + READY]  subcore = sm * sub-cores of an SM + which of them

so that what a scheduler looks at of its warps stands side by side.  An SM numbers its slots for
warps across the sub-cores: slot = bit * sub-cores + sub-core.
"""

from __future__ import annotations

from typing import NamedTuple

from machines.array_fields import I64, U8, U32
from machines.kinds.simt.reconvergence import Groups
from sim.cores.simt import tables
from sim.cores.simt import units as _units  # noqa: F401  (all units have declared their columns)
from sim.cores.simt.memory.parameters import WarpMemory
from sim.cores.simt.tables import HOST_LINE, NEVER

__all__ = ("HOST_LINE", "NEVER", "CoreState")
SM_BITS = 12
"""What says which SM, in a number that also has a cycle: no machine may have more SMs, and NEVER
fits in front of them."""
CODE_COLUMNS, WARP_COLUMNS = tables.code.width, tables.warps.width
SUBCORE_COLUMNS, PIPE_COLUMNS = tables.subcores.width, tables.pipes.width
BLOCK_COLUMNS, BARRIER_COLUMNS = tables.blocks.width, tables.barriers.width
CLUSTER_COLUMNS = tables.clusters.width
GRID_COLUMNS, SM_COLUMNS = tables.grids.width, tables.sms.width
PATTERN_COLUMNS, ACTING_COLUMNS = tables.patterns.width, tables.acting.width
OBJECT_COLUMNS, DUE_COLUMNS = tables.objects.width, tables.due.width
MARK_COLUMNS, KNOWN_COLUMNS = tables.marks.width, tables.known.width
COUNTER_COLUMNS, EVENT_COLUMNS = tables.counters.width, tables.events.width
PARAMETERS, SCALARS = tables.parameters.width, tables.scalars.width
TID = tables.specials.width
OF_LANES = 4
"""A warp's part of `specials`: the columns of that table; from TID on, `width` times OF_LANES: x, y
and z of every lane, and the lanes that it executes the instruction at hand with."""
FIXED_MASKS = 2
"""The first of `masks`: no lane and all."""


FIXED = (
    "code", "lists", "markers", "producers", "throttles", "queues", "rules", "starts", "ends",
    "bytes", "addresses", "runs", "acts", "acting", "progress",
)  # fmt: skip
"""Fields of `CoreState` that program and machine decide, the memory, and what holds nothing between
two instructions; some hold addresses of this process."""
SUMS, SCRATCH = ("stalls", "executed", "active", "diverged"), (
    "addresses", "runs", "acts", "acting",
)  # fmt: skip
"""Those of which each part of the SMs has its own (see `parts`): what is only added to, and what
holds nothing between two calls."""
GROW = ("grids", "shared", "local", "param")
"""Those that launches make larger."""


class CoreState(NamedTuple):
    """All SMs and the program.

    Fixed before the run:
    code         int64[pcs * CODE_COLUMNS]
    lists        int64[…]  what instructions have different numbers of: see `code`
    markers      uint8[pcs]   as in `machines.kinds.simt.program`
    producers    int64[…]  see `units.scoreboard`
    throttles    int64[pipes]    why a warp waits for a pipe
    queues       int64[pipes]    instructions that wait in front of it
    parameters   int64[PARAMETERS]
    rules        int64[3]        as `machines.kinds.simt.reconvergence` wants them
    starts, ends                 as in `machines.layout.Memory`
    bytes        uint8[span]     the memory
    Changed by the run:
    words        uint32[…]  broadcast constants, then the registers of all warps: a register of 32
                 bits is `width` words, one of 64 bits its low halves and then its high ones
    masks        int64[…]   0 and -1, then the predicates of all warps: lanes as bits
    specials     int64[warps * (TID + OF_LANES * width)]
    scoreboard   int64[…]   of each register of each warp: see `units.scoreboard`
    patterns     int64[warps * PATTERNS * PATTERN_COLUMNS]
    warps, subcores, pipes, blocks, barriers, clusters, grids, sms, scalars, counters
                 int64: the tables whose columns units declare
    ready_at     int64[warps]  from when each could issue; NEVER: not by itself, or there is none
    next_pcs     int64[warps]  what each waits to issue, or waits in: its waiting is charged to that
    ages         int64[warps]  larger for younger ones
    free_at      int64[sub-cores * PIPE_STRIDE]  from when each pipe can take the next instruction
    waiting      int64[sub-cores * PIPE_STRIDE]  warps whose next instruction goes there, as bits
    turns        int64[sub-cores]  the next cycle in which each sub-core could issue
    rings        int64[sub-cores * pipes * MOST_QUEUE]  when instructions that wait will be served
    times        int64[SMs]  the next cycle in which each could issue
    runs, acts   int64[2 * LEAVES]  for `turns`, of each SM of a part the next cycle in which it may
                 run ahead, or is to act, and in SM_BITS behind it the SM, from LEAVES on; before
                 that the lesser one of entries 2k and 2k + 1 in entry k
    acting       int64[SMs * ACTING_COLUMNS]  for `foresight`
    progress     int64[(parts + 1) * HOST_LINE]  for each part, from when on it may act, in a line
                 of its own; the cycle up to which to advance
    copies       int64[threads * …]   see `units.async_copies`; nothing without copies
    marks, known  int64: who used words of shared memory, and who knows of it: see there
    objects, due  int64: tables whose columns units declare; nothing without barrier objects
    shared, local, param         uint8
    stalls       int64[pcs * reasons]  cycles of warps by the pc waited at
    executed     int64[pcs]  warp instructions; active int64[pcs] their lanes
    diverged     int64[pcs]  branches both sides of which were taken
    lost         int64[sub-cores * LOST_COLUMNS]  cycles of sub-cores that did not issue, by reason
    addresses    int64[…]  of the access at hand: of the lanes, where in the host,
                 and the words of a tensor map
    events       int64[… * EVENT_COLUMNS]  the trace
    subcore_registers int64[sub-cores]  registers given out
    """

    code: I64
    lists: I64
    markers: U8
    producers: I64
    throttles: I64
    queues: I64
    parameters: I64
    rules: I64
    starts: I64
    ends: I64
    bytes: U8
    words: U32
    masks: I64
    specials: I64
    scoreboard: I64
    patterns: I64
    warps: I64
    counters: I64
    ready_at: I64
    next_pcs: I64
    ages: I64
    subcores: I64
    turns: I64
    pipes: I64
    free_at: I64
    waiting: I64
    blocks: I64
    barriers: I64
    clusters: I64
    grids: I64
    sms: I64
    scalars: I64
    rings: I64
    times: I64
    runs: I64
    acts: I64
    acting: I64
    progress: I64
    copies: I64
    marks: I64
    known: I64
    objects: I64
    due: I64
    shared: U8
    local: U8
    param: U8
    stalls: I64
    executed: I64
    active: I64
    diverged: I64
    lost: I64
    addresses: I64
    events: I64
    subcore_registers: I64
    groups: Groups
    memory: WarpMemory
