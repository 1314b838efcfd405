"""The state of the SIMT core as flat arrays: what the jitted `advance` reads and writes.

What program and machine fix before the run stands in arrays too, so that the jitted text holds no
figure of any machine but the width of a warp.  A table is one array of int64 with named columns:

    warps[warp * WARP_COLUMNS + SINCE]        warp = core * warps of a sub-core + bit
    cores[core * CORE_COLUMNS + READY]        core = sm * sub-cores + sub-core

so that what a scheduler looks at of its warps stands side by side.  An SM numbers its slots for
warps across the sub-cores: slot = bit * sub-cores + sub-core.  Arrays begin with a line of the
host's caches, and rows that are looked at all the time are whole ones.
"""

from __future__ import annotations

from typing import NamedTuple

from machines.array_fields import I64, U8, U32
from machines.kinds.simt.reconvergence import Groups
from machines.threads.spaces import GLOBAL, LOCAL, SHARED
from sim.cores.host import HOST_LINE
from sim.cores.simt.memory.parameters import WarpMemory

NEVER = 1 << 50
"""A cycle that does not come."""
SM_BITS = 12
"""What says which SM, in a number that also has a cycle: no machine may have more SMs, and NEVER
fits in front of them."""
(
    LANES, LOAD, STORE, ATOMIC, JUMP, BRANCH, EXIT, TRAP, BAR_SYNC, BAR_ARRIVE, MEET, TOGETHER,
    FENCE, BSSY, BSYNC, BREAK, MARKER, SLEEP, NOTHING,
) = range(19)  # fmt: skip
"""KIND of an instruction.  LANES: its meaning is all.  MEET: waits for lanes of the warp;
TOGETHER: does, and then has a meaning."""

(
    SHAPE, KIND, PIPE, INTERVAL, CLASS, LATENCY, CONFLICTS, REPEATED_CONFLICTS,
    NEEDS, WRITES, SPOILS, PATTERN, OFFSET, BYTES, ELEMENTS, DESTINATIONS,
) = range(16)  # fmt: skip
DESTINATION, WAITED, OPERANDS = 16, 26, 48
(
    FUNCTION, CASE, SLOTS, GUARD, IS_GLOBAL, BEGINS_BLOCK, TARGET, MEETING_PC, SPACE, IS_SIGNED,
    ADDRESS, STALL_COUNT, YIELDS, WRITE_COUNTER, READ_COUNTER, WAIT_MASK, READ_LATENCY,
    NARROW_ADDRESS, RESULTS_WIDE, DEFERS, DATA, WAITS, COUNTS, BEHIND_RESULT,
) = range(72, 96)  # fmt: skip
CODE_COLUMNS = 12 * HOST_LINE
"""Columns of `code`, which has a row for each pc.

SHAPE             which of the ways to issue it is the shortest
FUNCTION, CASE    the written function that runs its meaning, by address, and which of its cases
PIPE, INTERVAL    the pipe and for how many cycles it is taken; SLOTS: issue slots
CONFLICTS         cycles that sources in one bank hold the dispatch port; REPEATED_CONFLICTS: the
                  same if the sub-core's previous instruction was the one before, of the warp
GUARD             as in `machines.kinds.simt.program`
IS_GLOBAL         other SMs can notice it, or change what it reads: it may happen only in the order
                  of cycles
BEGINS_BLOCK      the next pc begins a block
SPACE …           of accesses: see `machines.operations.row.Access`; ADDRESS: its entry of OPERANDS
DESTINATION …     the scoreboard entries of what it writes, counted from the warp's first;
                  DESTINATIONS: how many there are
WAITED …          what has to be there before it issues, in the order in which reasons count: a
                  scoreboard entry << WAITED_BITS | a column of `producers`; WAITS: how many,
                  behind which others up to WAITED_AT_ONCE stand that nobody waits for
OPERANDS …        two columns an operand: what `operand_address` of `lane_words` makes an address of
STALL_COUNT …     control bits; BEHIND_RESULT: cycles from when its result is ready until whoever
                  needs it may issue, for the counter that all of them wait for
NARROW_ADDRESS    the address is of 32 bits; RESULTS_WIDE: an access's registers are pairs
DEFERS …          see `deferred`
DATA              of accesses: the first operand that is loaded or stored
COUNTS            it adds one to integers of shared memory, and wants nothing back
PATTERN           of accesses of words in shared memory: the pattern of its addresses, which is the
                  warp's of that number modulo PATTERNS while nobody else takes it; -1: of others
SPOILS            the patterns that do not hold any more, as bits
"""
ANY, PLAIN_LANES, PLAIN_PARAMETER, PLAIN_WORDS = range(4)
"""SHAPE.  A plain instruction takes one issue slot, has no guard, waits for its turn to be computed
(see `deferred`) and is followed by one of its block; control bits say nothing.  LANES: its meaning
is all; PARAMETER: it loads one; WORDS: it loads from shared memory and has a PATTERN."""
MOST_SOURCES, MOST_DESTINATIONS, MOST_OPERANDS = 11, 10, 12
WAITED_BITS, WAITED_AT_ONCE = 12, 4
AS_GUARD, AGAIN, NEVER_LATER, REASON, AS_SOURCE = range(5)
"""Columns of a row of `producers`, where cycles stand that pass from when a result is ready until
who needs it may issue: whose guard it is; who writes the register again; nobody.  REASON: why one
waits for it, of `stall_reasons`.  From AS_SOURCE on, for each pipe: who reads it there."""
PRODUCER_BITS = 12
"""What says in an entry of `scoreboard` where the producer's row of `producers` begins."""
WRITE_BITS = 61
FROM_SHARED, PREDICATE_WRITTEN, EVERYTHING = 1 << 61, 1 << 62, -1
NO_PC = -1
"""WRITES and NEEDS: registers modulo WRITE_BITS, and what else they name."""

(
    SINCE, HELD_UNTIL, HOLD_REASON, CHECK_UNTIL, WAIT_REASON, THROTTLE_SEEN, KNOWN, PENDING_WRITES,
    PENDING_FIRST, PENDING_END, PENDING_LANES, STORES_DONE, STARTED, BLOCK, GRID, NUMBER, COUNTER,
) = range(17)  # fmt: skip
"""Columns of a row of `warps`.  The first eight, which every issue wants, are a line of the host.

A waiting warp's time from SINCE on is HOLD_REASON up to HELD_UNTIL, a reconvergence check up to
CHECK_UNTIL, WAIT_REASON up to the cycle in `ready_at`; then it is kept back by its pipe or by other
warps.  THROTTLE_SEEN: cycles that its pipe had kept warps back when it became ready.
BLOCK         of `blocks`; NUMBER: of the warp in it
STORES_DONE   when the last of its stores has arrived
PENDING_…     see `deferred`
KNOWN         the patterns that hold, as bits, see `shared_words`
COUNTER       six columns: when the counters of control bits become free, and READ as reason
"""
COUNTERS = 6
(
    PATTERN_NUMBER, PATTERN_LANES, PATTERN_LOW, PATTERN_HIGH, PATTERN_BITS, PATTERN_LIMIT,
    PATTERN_PASSES, PATTERN_PARTS,
) = range(8)  # fmt: skip
"""Columns of `patterns`: its number as instructions have it, and the lanes that were looked at; the
least and the largest address, and every bit of any; bytes of shared memory; passes and parts, see
`shared_memory`."""
PATTERNS, PATTERN_COLUMNS = 4, HOST_LINE
WARP_COLUMNS = -(-(COUNTER + 2 * COUNTERS) // HOST_LINE) * HOST_LINE

(
    READY, NEXT_READY, LAST, YIELDED, FOLLOWING_PC, IDLE_SINCE, OLDEST, ISSUED, RESIDENT, LEAVING,
    TAKEN,
) = range(11)  # fmt: skip
"""Columns of a row of `cores`.

READY, RESIDENT  warps, as bits; LEAVING: those whose lanes have all ended; TAKEN: also those that
                 are gone, of blocks that still run
NEXT_READY       the next cycle in which a warp becomes ready
LAST             the bit number that issued last, FOLLOWING_PC the pc behind what it issued
IDLE_SINCE       the cycle up to which `lost` is settled
OLDEST           the bit number of the oldest warp, -1: none
YIELDED          before this cycle the last warp is not picked
"""
CORE_COLUMNS = 2 * HOST_LINE

SHUT, THROTTLED, SERVED, HEAD = range(4)
"""Columns of a row of `pipes`: the cycle behind its last instruction; cycles in which it could not
take one, so far and foreseen; when it has served what it took; head of its queue."""
PIPE_COLUMNS = 4
QUEUE_AND_INTERVAL_COLUMNS = 2

(
    BLOCK_GRID, BLOCK_INDEX, BLOCK_THREADS, BLOCK_WARPS, BLOCK_PENDING, BLOCK_BEGAN,
) = range(6)  # fmt: skip
"""Columns of a row of `blocks`, a slot for a block of threads in an SM: its grid (-1: free) and
its index there; threads and warps that are left; when it began."""
ARRIVED, WANTED, LAST_ARRIVAL = range(3)
"""Columns of a row of `barriers`, one for each barrier of a block slot: threads that have come,
threads wanted (0: all that are left), when the last one counted."""
BLOCK_COLUMNS, BARRIER_COLUMNS = 6, 3

(
    GRID_KERNEL, GRID_NUMBER, GRID_BLOCKS, GRID_NEXT_BLOCK, GRID_LEFT, GRID_END, GRID_THREADS,
    GRID_WARPS, GRID_REGISTERS, GRID_SHARED, GRID_SHARED_TAKEN, GRID_FIRST_PC, GRID_LOCAL,
    GRID_PARAMETERS, GRID_X, GRID_Y, GRID_Z, BLOCK_X, BLOCK_Y, BLOCK_Z, GRID_BEGAN, GRID_CARVE_OUT,
    GRID_DYNAMIC, GRID_PARAMETER_BYTES, GRID_LOCAL_BYTES,
) = range(25)  # fmt: skip
"""Columns of a row of `grids`: launches that have begun.  GRID_LEFT: blocks not finished;
GRID_REGISTERS: of a warp, as given out; GRID_SHARED: bytes of a block, GRID_SHARED_TAKEN: as given
out; GRID_LOCAL: from a thread's local memory to the next thread's, of which it may use
GRID_LOCAL_BYTES; GRID_PARAMETERS: where its parameters are in `param`; GRID_DYNAMIC: bytes of
its dynamic shared memory.  GRID_BEGAN: cycle of `start`; GRID_END: of its last block's."""
GRID_COLUMNS = 25

SM_BLOCKS, SM_SHARED, SM_CARVE_OUT, SM_ARRIVALS, SM_WRITES = range(5)
"""Columns of a row of `sms`: blocks and shared memory in use; shared memory there is; from when a
thread can arrive at a barrier; stores and atomics so far."""
SM_COLUMNS = HOST_LINE
ACTING_WARP, ACTING_PC, ACTING_LINE = range(3)
"""Columns of a row of `acting`: of an SM's last access that had to wait for its turn; the line is
the first that it wants."""
ACTING_COLUMNS = 4

(
    SMS, SUBCORES, SM_WARPS, CORE_WARPS, CORE_REGISTERS, SM_CTAS, BARRIERS, PIPES, CLASSES,
    BRANCH_LATENCY, CHECK_COST, BARRIER_LATENCY, ARRIVALS, SCHEDULER, BY_CONTROL_BITS, WINDOW,
    REGISTER_STRIDE, PREDICATE_STRIDE, SCOREBOARD_STRIDE, REGISTERS_AT, SHARED_STRIDE,
    LOCAL_STRIDE, MOST_QUEUE, TRACES, CLOCK_HZ, BLOCK_SLOTS, FIRST_PREDICATE, WIDTH, BUFFERS,
    LEAVES, PIPE_STRIDE, BLOCK_LATENCY, BLOCK_INTERVAL,
) = range(33)  # fmt: skip
"""Entries of `parameters`.

BARRIERS         of a block that the program uses
WINDOW           SMs run ahead of each other up to the next multiple of it
REGISTER_STRIDE  32-bit words of a warp's registers; they begin at word REGISTERS_AT
FIRST_PREDICATE  of a warp's scoreboard entries
SHARED_STRIDE    bytes of a block slot's shared memory; LOCAL_STRIDE: of a warp's local memory
TRACES           events that the trace holds; BUFFERS: entries of `starts`
PIPE_STRIDE      pipes of a sub-core: PIPES and some that nothing goes to
BLOCK_LATENCY    cycles from the end of a block to the beginning of one in its place
BLOCK_INTERVAL   ticks of the memory system from the beginning of a block to the next one's
"""
PARAMETERS = 33
LRR, GTO, GTY = range(3)

(
    CYCLE, GRIDS, GRIDS_LEFT, NEXT_SM, AGES, RESIDENT_CYCLES, FAULT, FAULT_ADDRESS, FAULT_WARP,
    FAULT_LANE, FAULT_PC, FAULT_CYCLE, TRACED, ENDED, FIRST_GRID, WARPS_RUN, BLOCKS_RUN, LATEST_END,
    NEXT_BEGIN,
) = range(19)  # fmt: skip
"""Entries of `scalars`.

GRIDS, GRIDS_LEFT  rows of `grids` in use, and of those not finished; FIRST_GRID: the first that has
                   blocks which have not begun
NEXT_SM            where the next block is tried first
RESIDENT_CYCLES    of warps that have left
ENDED              1: a grid has ended since the last call; LATEST_END: when
NEXT_BEGIN         the tick from which on a block may begin
"""
SCALARS = 19

(
    NO_FAULT, OUT_OF_BOUNDS, MISALIGNED, TRAPPED, BAD_SHARED, BAD_LOCAL, BAD_PARAMETER,
    BAD_BARRIER,
) = range(8)  # fmt: skip
FAULTS = (
    "none", "out of bounds", "misaligned", "trap", "out of bounds of shared memory",
    "out of bounds of local memory", "out of bounds of the parameters", "no such barrier",
)  # fmt: skip

(
    EVENT_CYCLE, EVENT_SM, EVENT_SLOT, EVENT_BLOCK, EVENT_PC, EVENT_LANES, EVENT_KIND,
    EVENT_HELD, EVENT_CHECK, EVENT_READY, EVENT_HOLD_REASON, EVENT_WAIT_REASON, EVENT_SINCE,
    EVENT_THROTTLED, EVENT_THROTTLE, EVENT_CONFLICTS, EVENT_SERVED, EVENT_DONE, EVENT_BLOCK_SLOT,
    EVENT_BARRIER, EVENT_VALUE,
) = range(21)  # fmt: skip
"""Columns of a row of `events`.  Of all: which one of `trace_events`, when, and in which SM.

SLOT, PC, LANES     of what happens to a warp: its slot, where it stands, lanes
BLOCK, BLOCK_SLOT   index of its block, and the slot of that in the SM
HELD … THROTTLED    of waits: HELD_UNTIL and what follows there, `ready_at`, and the cycles in which
                    its pipe, for the reason THROTTLE, kept it back
CONFLICTS           of an issue: cycles that the dispatch port is held
SERVED, DONE        of an issue: when its pipe has served it, when an access is done; NOT_SERVED
BARRIER, VALUE      of barriers: its number, and threads that have come, or when they go on
"""
EVENT_COLUMNS = 21
NOT_SERVED = -1

(
    CTAID, NCTAID, NTID, GRIDID, WARPID, NWARPID, SMID, NSMID, DYNAMIC_SMEM, TOTAL_SMEM, NOW,
    CLOCK_HERTZ,
) = (0, 3, 6, 9, 10, 11, 12, 13, 14, 15, 16, 17)  # fmt: skip
TID = 20
OF_LANES = 4
"""Entries of a warp's part of `specials`: three for each of the triples; from TID on, `width` times
OF_LANES: x, y and z of every lane, and the lanes that it executes the instruction at hand with."""


CONSTANT, PARAMETER, GENERIC = 3, 4, 5
"""Spaces of instructions beside those of addresses."""
SPACES = {
    "global": GLOBAL, "shared": SHARED, "local": LOCAL, "const": CONSTANT, "param": PARAMETER,
    "generic": GENERIC,
}  # fmt: skip
FIXED_MASKS = 2
"""The first of `masks`: no lane and all."""


FIXED = (
    "code", "markers", "producers", "throttles", "queues", "rules", "starts", "ends",
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
    markers      uint8[pcs]   as in `machines.kinds.simt.program`
    producers    int64[…]  a row for each class, behind one of what nobody has written
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
    scoreboard   int64[…]   of each register of each warp: ready << PRODUCER_BITS | where the row
                            of its producer begins
    patterns     int64[warps * PATTERNS * PATTERN_COLUMNS]
    warps, cores, pipes, blocks, barriers, grids, sms, scalars   int64, see the columns
    ready_at     int64[warps]  from when each could issue; NEVER: not by itself, or there is none
    next_pcs     int64[warps]  what each waits to issue, or waits in: its waiting is charged to that
    ages         int64[warps]  larger for younger ones
    free_at      int64[cores * PIPE_STRIDE]  from when each pipe can take the next instruction
    waiting      int64[cores * PIPE_STRIDE]  warps whose next instruction goes there, as bits
    turns        int64[cores]  the next cycle in which each sub-core could issue
    rings        int64[cores * pipes * MOST_QUEUE]  when instructions that wait will be served
    times        int64[SMs]  the next cycle in which each could issue
    runs, acts   int64[2 * LEAVES]  for `turns`, of each SM of a part the next cycle in which it may
                 run ahead, or is to act, and in SM_BITS behind it the SM, from LEAVES on; before
                 that the lesser one of entries 2k and 2k + 1 in entry k
    acting       int64[SMs * ACTING_COLUMNS]  for `foresight`
    progress     int64[(parts + 1) * HOST_LINE]  for each part, from when on it may act, in a line
                 of its own; the cycle up to which to advance
    shared, local, param         uint8
    stalls       int64[pcs * reasons]  cycles of warps by the pc waited at
    executed     int64[pcs]  warp instructions; active int64[pcs] their lanes
    diverged     int64[pcs]  branches both sides of which were taken
    lost         int64[cores * LOST_COLUMNS]  cycles of sub-cores that did not issue, by reason
    addresses    int64[2 * width]  of the access at hand: of the lanes, and where in the host
    events       int64[… * EVENT_COLUMNS]  the trace
    core_registers int64[cores]  registers given out; core_warps: warps
    """

    code: I64
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
    ready_at: I64
    next_pcs: I64
    ages: I64
    cores: I64
    turns: I64
    pipes: I64
    free_at: I64
    waiting: I64
    blocks: I64
    barriers: I64
    grids: I64
    sms: I64
    scalars: I64
    rings: I64
    times: I64
    runs: I64
    acts: I64
    acting: I64
    progress: I64
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
    core_registers: I64
    groups: Groups
    memory: WarpMemory
