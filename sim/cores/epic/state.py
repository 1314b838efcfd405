"""The state of a core as flat arrays: what the jitted `advance` reads and writes.

Everything a program or a machine fixes before the run stands in arrays too, so the jitted text
holds no figure of any machine and serves every program.
"""

from __future__ import annotations

from typing import NamedTuple

from machines.array_fields import F64, I32, I64, U8, U16, U32
from machines.kinds.epic.stalls import CAUSES
from sim.cores.epic.memory.hierarchy import Hierarchy

# Registers of all files in one numbering, for values and scoreboard alike: f6 is entry FLOATING + 6
# of `floating`.  Among the general ones there is room for more stacked registers than have names.
GENERAL, FLOATING, PREDICATE, BRANCH_REGISTER, APPLICATION = 0, 288, 416, 482, 490
NO_PREDICATE, HELD, REGISTERS = PREDICATE + 64, PREDICATE + 65, APPLICATION + 16
"""NO_PREDICATE: what a write of p0 goes to.  HELD: a general register where the result of `alloc`
waits for its frame."""
FIRST_PREDICATE, LAST_PREDICATE = PREDICATE + 1, PREDICATE + 63
PREDICATES = range(FIRST_PREDICATE, LAST_PREDICATE + 1)
"""Those that change: p0 does not."""
ALL_PREDICATES = REGISTERS
"""In a mark: all of them at once (`mov pr =`)."""
IMMEDIATES = 512
"""Where the entries of `names` begin that stand for immediates."""

(
    OPCODE, GUARD, FLAGS, SKIP, OPERAND, THIRD_MARK, ADDRESS_REGISTER, MARK, SECOND_MARK, WIDE,
) = (0, 1, 2, 3, 4, 8, 9, 10, 11, 12)  # fmt: skip
"""Columns of a row of `code`, 16-bit words.

SKIP              distance to the next syllable that is not a plain nop
OPERAND           five columns: register numbers and small unsigned immediates
ADDRESS_REGISTER  general register that holds the address of a memory access
MARK, SECOND_MARK written registers that someone may have to wait for: number | class << MARK_SHIFT;
                  0: none
THIRD_MARK        the same for the incremented address of a memory access, and the third of a loop
                  branch (which have at most four operands)
WIDE              four columns, one 64-bit number: the immediate, address or target packet; of
                  `alloc`, the register of its result
GUARD also says, from NEEDS_SHIFT on, how many stacked registers a frame must have for the syllable.
"""
NEEDS_SHIFT, REGISTER_MASK = 9, 511
MARK_SHIFT = 9
NOT_AN_OPERATION = 0xFFFF
"""Opcode of the second half of a long instruction."""
CODE_COLUMNS = 16
WIDE_WORD, WORDS_PER_ROW = 3, 4
"""The same in 64-bit words."""
MAXIMUM_OPERANDS = ADDRESS_REGISTER - OPERAND
LARGEST_NARROW, LARGEST_SKIP = 0x1FF, 0xFFFF

LOADS, STORES, PREFETCHES, BRANCHES, MAY_FAULT, MARKED, CLEARS_FIRST, CLEARS_SECOND = (
    1 << bit for bit in range(8)
)
"""Bits of FLAGS.  MARKED: a column …MARK is not 0.  CLEARS_…: a false guard clears the predicate in
that operand."""
MEMORY = LOADS | STORES | PREFETCHES
SPECIAL = MEMORY | BRANCHES | MAY_FAULT | MARKED
"""Something is left to do when the operation is done."""
SIZE_SHIFT, SIZE_MASK, TEN_BYTES, FAR, FLOATING_LOAD = 8, 7, 5, 1 << 11, 1 << 12
"""Of memory accesses: log2 of the size, or TEN_BYTES.  FAR: enters the caches at the level that
holds floating data, not at L1D."""
CONDITIONAL, COUNTED, INDIRECT, RETURNS, CALLS, HINTED_TAKEN, DYNAMIC = (
    1 << bit for bit in range(8, 15)
)
RARE_BRANCHES = INDIRECT | RETURNS | CALLS
FRAMES = 1 << 8
"""Of what neither accesses memory nor branches: it may change the frame."""
ROTATES = CLEARS_FIRST
"""Of branches, which clear nothing."""
RENAMED = 1 << 15
"""A register in the columns of operands and address or in GUARD may mean another: all of them are
looked up in `names`.  (Those of marks always are.)"""

(
    FIRST, END, NEXT_PACKET, CHECKS, CHECKS_END, FIRST_LINE, LAST_LINE, COUNT,
) = range(8)  # fmt: skip
"""Columns of a row of `packets`.  A packet is what issues in one cycle when the pipe stands at a
syllable with so many bundles fetched: syllables up to END, of which FIRST is the first that is no
plain nop (it may be END or later); then NEXT_PACKET; its entries of `checks`; the lines of code it
stands in, counted from the first bundle; instructions (COUNT)."""
PACKET_COLUMNS = 8

COLUMN_SHIFT, GUARD_SHIFT, SYLLABLE_SHIFT = 9, 17, 23
"""An entry of `checks`: register | column of `toward` | guard | syllable, counted from the
packet's FIRST: an operand or destination that may have to be waited for if the guard is true.
Register and guard are entries of `names`."""
COLUMN_MASK, GUARD_MASK = 255, 63

(
    CYCLE, PACKET, LINE_HELD, HELD_UNTIL, FAULT, FAULT_ADDRESS, FAULT_SYLLABLE,
    RETURN_TOP, MEMORY_WRITES, PREFETCHES_DROPPED, MISALIGNED_LOADS, MISALIGNED_STORES, UNFORESEEN,
) = range(13)  # fmt: skip
"""Entries of `scalars`.

HELD_UNTIL  latest of the `pending` cycles that are not operand waits
FAULT       number of the fault, an index into `faults()` of write_core, and what it is about
RETURN_TOP  calls so far, less returns
UNFORESEEN  1: an indirect branch went to a packet that is not `foreseen`
"""
SCALARS = 13

(
    MISPREDICT, TAKEN_BUBBLE,
    NEAR_LEVEL, FAR_LEVEL, PREFETCH_LEVEL, LOCAL_HISTORY, HISTORY_ENTRIES, HISTORY_BITS, COUNTERS,
    RETURN_STACK, PERFECT_COUNTED_LOOPS, USE_COLUMNS,
    HOLDS, MOVES, LARGEST_FRAME, STACKED,
    FIRST_GENERAL, FIRST_FLOATING, FIRST_ROTATING_PREDICATE,
    NAMED_GENERAL, NAMED_FLOATING, NAMED_PREDICATES, ROTATING_FLOATING, ROTATING_PREDICATES,
    FLOATING_RING, PREDICATE_RING, REGION_RING, MISALIGNED_COST,
    BUNDLES, REASONS, BACKING, TRACES, RANK,
) = range(33)  # fmt: skip
"""Entries of `parameters`: what the machine's description gives as single numbers.  From RANK on
stands the rank of each cause of `machines.kinds.epic.stalls` in the order of priority; HOLDS has a
bit for each that holds the pipe until a cycle known beforehand (the others are operands that are
waited for).

MOVES             registers the register stack engine saves or restores a cycle
STACKED           stacked registers there are; LARGEST_FRAME: that a frame may have
FIRST_…           number of the first register of a file that may rotate
NAMED_…           how many from there on the program names; 0 if nothing renames registers
ROTATING_…        how many rotate
…_RING            where the ring of a file begins in `rings`
MISALIGNED_COST   cycles in which an access that is not aligned is served, or NEVER_SERVED
BUNDLES …         how many bundles, causes and registers of the backing store there are
TRACES            rows that `told` has room for; 0: no trace is wanted
"""
NEVER_SERVED = -1
NEVER = 1 << 62
"""A cycle that does not come."""
PARAMETERS = RANK + len(CAUSES)

SPAN, UNIT_SHIFT, BUFFERS = range(3)
"""Entries of `extents`: how many bytes of memory there are, those of a unit of `whole` as a power
of two, and how many entries `starts` has."""

MARKER, NAMED, BOTTOM, SAVED, REGISTERS_SAVED, REGISTERS_RESTORED, STAGE, ROTATES_NOW = range(8)
"""Entries of `frame`: the marker, see `machines.instructions.ia64_frame`; that of the frame in
`names`; stacked registers of the frames below; how many of those, the oldest, are in the backing
store; counts; what a loop branch says (see `machines.instructions.ia64_operands`)."""
FRAME_ENTRIES = 8

PREDICTED, WRONG_PATH, WRONG_TARGET = range(3)
"""Entries of `branches`: branches predicted, and those whose direction or target was wrong."""

GO_ON, TAKEN, ENDED, STOPPED, LEFT = range(5)
"""What follows a syllable: the next one; the packet at a branch's target; nothing, as the program
has ended, or as the syllable faulted.  LEFT: it has done nothing, and is to be executed by code
that does what is rare."""
BETWEEN = -1
"""What code of packets returns if it has left no syllable."""
NO_CAUSE = -1

ROWS, ANSWERED, FIRST_ROW, ROW_COLUMNS = 0, 1, 8, 6
"""Places in `told`: how many rows there are, what each level of caches had answered before an
access, and where rows begin."""
ISSUE_ROW, LOST_ROW, BRANCH_ROW, FETCH_ROW, ACCESS_ROW = range(5)
"""What a row is of.  Its columns: this, a cycle, and what `noting` is given."""
IS_TAKEN, HAS_ROTATED = 1, 2
"""Bits of a row of a branch."""
MOST_ROWS = 64
"""That are noted in a cycle."""

UNTRAINED = 255
"""A two-bit counter of a branch that has not been seen."""

(
    NO_FAULT, OUT_OF_BOUNDS, MISALIGNED, NOT_CODE, BAD_FRAME, NOT_IN_FRAME, STACK_IS_FULL,
    STACK_IS_EMPTY,
) = range(8)  # fmt: skip
"""Faults of the core itself; those of rows follow, see `sim.cores.epic.write_core.faults`."""
FAULTS_WITH_ADDRESS = (OUT_OF_BOUNDS, MISALIGNED, NOT_CODE)


class CoreState(NamedTuple):
    """One core and its program.

    What machine and program decide, constants of code that is made for them:
    code         uint16[(syllables + 1) * CODE_COLUMNS]   the last row runs off the end
    wide         int64[syllables * WORDS_PER_ROW]   the same bytes
    packets      int32[packets * PACKET_COLUMNS]
    checks       uint32[checks]
    entries      int32[bundles]   packet at which a branch to a bundle goes on
    foreseen     uint8[packets]   1: an indirect branch, a call or the caller may go to this packet
    toward       int32[classes * USE_COLUMNS]   cycles from a producer of a class to a use
    longest      int64[classes]   the most of those
    nominal      int64[classes]   of loads and semaphores: cycles in which the nearest cache that
                                  may have the data answers
    waits        int64[classes]   stall cause of who waits for it
    parameters   int64[PARAMETERS]

    Outside, the memory of the program and what is made for it:
    extents      int64[3]
    whole, starts, ends           as in `machines.layout.Memory`
    bytes1, bytes2, bytes4, bytes8  the program's memory, seen as unsigned (8: signed) numbers
    told         int64[FIRST_ROW + TRACES * ROW_COLUMNS]   see `noting`
    bound        int64[packets]   address of the code that is made for a packet and those that
                 follow it, or 0

    Changed by the run:
    rings        uint16[…]  three rings, registers in order and once more, so that a turned ring is
                 a stretch: the stacked registers, the floating and the predicate ones that rotate;
                 and that of the general registers that rotate, which a frame fills
    general, predicates, branch_registers int64[REGISTERS], application int64[16],
    floating float64[REGISTERS], significands, tags int64[REGISTERS]
                 by number of the register; NO_PREDICATE takes what is written to p0, which stays 1;
                 a floating register is (value, significand, tag): see
                 `machines.vocabulary.floating`
    names        uint16[IMMEDIATES + LARGEST_NARROW + 1]  the register that each number in the
                 program means now; immediates stand for themselves
    frame        int64[FRAME_ENTRIES]
    backing      int64[…]  stacked registers that the register stack engine has saved
    settled      int64[REGISTERS]  cycle from which no use of the register waits
    issued       int64[REGISTERS]  cycle at which its producer issued; of a load: as if it had hit
    producer     int64[REGISTERS]  class of that producer
    pending      int64[causes]     cycle until which each cause holds the pipe
    blamed       int64[causes]     syllable that waits, or that made the pipe wait: the branch, the
                 access that met a full queue
    lost         int64[causes]     lost cycles by cause, in order of priority
    stalls       int64[syllables * causes]   the same by the syllable blamed
    packet_counts int64[packets]   how often each packet issued
    cut          int64[syllables]  how often a syllable's packet issued but it did not execute,
                 because a branch before it was taken or a syllable faulted
    squashed     int64[syllables]  how often its guard was false
    history int64[entries], counters uint8[counters], targets int64[entries], returns int64[stack]
                 branch prediction: past outcomes, two-bit counters, last targets, return stack
    branches     int64[3]
    scalars      int64[SCALARS]
    """

    code: U16
    wide: I64
    packets: I32
    checks: U32
    entries: I32
    foreseen: U8
    toward: I32
    longest: I64
    nominal: I64
    waits: I64
    parameters: I64
    extents: I64
    whole: U8
    starts: I64
    ends: I64
    bytes1: U8
    bytes2: U16
    bytes4: U32
    bytes8: I64
    told: I64
    bound: I64
    rings: U16
    general: I64
    floating: F64
    significands: I64
    tags: I64
    predicates: I64
    branch_registers: I64
    application: I64
    names: U16
    frame: I64
    backing: I64
    settled: I64
    issued: I64
    producer: I64
    pending: I64
    blamed: I64
    lost: I64
    stalls: I64
    packet_counts: I64
    cut: I64
    squashed: I64
    history: I64
    counters: U8
    targets: I64
    returns: I64
    branches: I64
    scalars: I64
    caches: Hierarchy

    CONSTANT = (
        "code", "wide", "packets", "checks", "entries", "foreseen", "toward", "longest", "nominal",
        "waits", "parameters",
    )  # fmt: skip
    OUTSIDE = (
        "extents", "whole", "starts", "ends", "bytes1", "bytes2", "bytes4", "bytes8",
        "told", "bound",
    )  # fmt: skip


FIXED = (*CoreState.CONSTANT, *CoreState.OUTSIDE)
"""Fields of which a run changes nothing that is the core's own."""
