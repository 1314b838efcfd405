"""What warps of a block know of what the others have done, jitted.

    warp 1  ld.shared [0]     at time 5
            bar.sync          it tells the barrier: I have done all up to 5; then it is 6
    warp 2  bar.sync          it learns that
            cp.async [0]      which it may, as it knows what warp 1 has done up to 5

The time of a block goes on when somebody tells something.  Each warp has a row of `known`, and so
has each place where warps tell and learn: the barriers of the block, that of the cluster, barrier
objects (one row for the phase that is open, one for those that are over), and one place for all
fences and atomics.  A warp's row says of each other warp up to which time it knows what that one
has done, as in vector clocks.  What another block tells is not asked: of clusters, who tells
something elsewhere tells it as a fence does.
"""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from sim.cores.jit import inlined, jitted
from sim.cores.simt import state as at
from sim.cores.simt.units.async_copies import (
    BLOCK_COPIES,
    COPYING,
    KNOWN,
    MARKING,
    MEETING_ROWS,
    MOST_WARPS,
    WAITS,
)
from sim.cores.simt.units.block_dispatcher import RESIDENT

TOLD = int(KNOWN.PRODUCTS)
"""The columns of a row that others learn: those before these."""


@inlined
def number_of_warp(state, warp):
    """Which of its block's warps a warp is, as far as they are told apart."""
    return state.warps[index(warp * at.WARP_COLUMNS) + RESIDENT.NUMBER] & MOST_WARPS - 1


@inlined
def block_of(state, warp):
    """The block slot of a warp."""
    return state.warps[index(warp * at.WARP_COLUMNS) + RESIDENT.BLOCK]


@inlined
def row_of(state, block, number):
    """Where a row of a block begins: of a warp by its number, or of a place."""
    return index((block * state.parameters[MARKING.ROWS] + number) * at.KNOWN_COLUMNS)


@inlined
def own_row(state, warp):
    """That of a warp."""
    return row_of(state, block_of(state, warp), number_of_warp(state, warp))


@inlined
def barrier_row(state, block, barrier):
    """That of a barrier of a block."""
    return row_of(state, block, state.parameters[MARKING.BARRIERS] + barrier)


@inlined
def object_row_of(state, block, number, is_over):
    """That of a barrier object: of the phase that is open, or of those that are over."""
    return row_of(state, block, state.parameters[MARKING.OBJECTS] + 2 * number + is_over)


@inlined
def place_row(state, block, which):
    """That of one of MEETING_ROWS."""
    return row_of(state, block, MOST_WARPS + which)


@inlined
def now_of(state, block):
    """The time of a block."""
    return state.blocks[index(block * at.BLOCK_COLUMNS) + BLOCK_COPIES.NOW]


@inlined
def pass_time(state, block):
    """The time of a block, which goes on."""
    now = now_of(state, block)
    state.blocks[index(block * at.BLOCK_COLUMNS) + BLOCK_COPIES.NOW] = now + 1
    return now


@jitted
def learn(state, into, other):
    """A row takes in what another says."""
    known = state.known
    for column in range(TOLD):
        theirs = known[other + index(column)]
        if theirs > known[into + index(column)]:
            known[into + index(column)] = theirs


@jitted
def tell(state, warp, place):
    """A warp says at a place what it has done, and what it knows."""
    block = block_of(state, warp)
    own = own_row(state, warp)
    state.known[own + KNOWN.DONE + index(number_of_warp(state, warp))] = pass_time(state, block)
    learn(state, place, own)


@inlined
def meet_at_fences(state, warp):
    """A fence or an atomic: who has come to one before is known, and who comes later will know."""
    if state.parameters[COPYING.USED]:
        place = place_row(state, block_of(state, warp), MEETING_ROWS.FENCES)
        tell(state, warp, place)
        learn(state, own_row(state, warp), place)


@jitted
def fence_proxies(state, warp):
    """Copies and products may see what a warp has stored, and what others have that it knows of."""
    if not state.parameters[COPYING.USED]:
        return
    own, known = own_row(state, warp), state.known
    mine = index(number_of_warp(state, warp))
    known[own + KNOWN.DONE + mine] = pass_time(state, block_of(state, warp))
    for other in range(MOST_WARPS):
        done = known[own + KNOWN.DONE + index(other)]
        column = own + KNOWN.FENCED + index(other)
        known[column] = max(known[column], done)


@inlined
def tell_cluster(state, warp):
    """A warp comes to the barrier of the cluster."""
    if state.parameters[COPYING.USED]:
        tell(state, warp, place_row(state, block_of(state, warp), MEETING_ROWS.CLUSTER))


@inlined
def open_cluster(state, block):
    """The barrier of the cluster opens."""
    if state.parameters[COPYING.USED]:
        place = place_row(state, block, MEETING_ROWS.CLUSTER_OPEN)
        learn(state, place, place_row(state, block, MEETING_ROWS.CLUSTER))


@inlined
def learn_of_cluster(state, warp):
    """A warp goes on behind the barrier of the cluster."""
    if state.parameters[COPYING.USED]:
        place = place_row(state, block_of(state, warp), MEETING_ROWS.CLUSTER_OPEN)
        learn(state, own_row(state, warp), place)


@jitted
def open_barrier(state, block, barrier, waiting):
    """A barrier of a block opens: warps that wait there learn what has been told."""
    place = barrier_row(state, block, barrier)
    for number in range(MOST_WARPS):
        if (waiting >> number) & 1:
            learn(state, row_of(state, block, number), place)
    for column in range(TOLD):
        state.known[place + index(column)] = 0


@jitted
def forget_meetings(state, block):
    """A block begins: nobody knows anything."""
    if not state.parameters[COPYING.USED]:
        return
    first = row_of(state, block, int64(0))
    for column in range(state.parameters[MARKING.ROWS] * at.KNOWN_COLUMNS):
        state.known[first + index(column)] = 0
    state.blocks[index(block * at.BLOCK_COLUMNS) + BLOCK_COPIES.NOW] = 1


@inlined
def knows(state, own, other, time):
    """Whether whose row begins at `own` knows what a warp, by its number, has done at a time."""
    return state.known[own + KNOWN.DONE + index(other)] >= time


# Waits -------------------------------------------------------------------------------------------


@inlined
def note_wait(numbers, ring, landed, now):
    """Somebody has waited for what was before `landed`: the last WAITS of these stand in `numbers`
    from `ring` on, the latest first."""
    for k in range(2 * WAITS - 1, 1, -1):
        numbers[ring + index(k)] = numbers[ring + index(k - 2)]
    numbers[ring] = landed
    numbers[ring + index(1)] = now


@inlined
def when_waited(numbers, ring, number):
    """When somebody has waited for a number, who has: the first time; 0: long ago."""
    time = int64(0)
    for k in range(WAITS):
        if numbers[ring + index(2 * k)] > number:
            time = numbers[ring + index(2 * k + 1)]
    if numbers[ring + index(2 * WAITS - 2)] > number:
        time = int64(0)
    return time
