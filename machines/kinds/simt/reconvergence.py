"""How the threads of a warp part, wait, are chosen again and meet, under four policies.

A warp runs one *group* of its lanes, in lockstep; the others wait.  `Groups` holds the running
group (its pc and its lanes) and those that wait; the functions below are what can happen to
the running group.  Each leaves the next running group in `pc` and `mask` and returns event bits.

    ipdom     a stack: the threads of a branch meet at its immediate post-dominator, the side that
              branches runs first (Fung et al., "Dynamic Warp Formation", MICRO 2007)
    markers   at a marker, choose again among all groups, and merge those that stand at one pc
    min_pc    the same where any block begins (Diamos et al., "SIMD Re-convergence at Thread
              Frontiers", MICRO 2011)
    barriers  bssy names the lanes that take part, bsync waits for them; nothing else merges (US
              patent 10067768).  A barrier does not wait for lanes that have yielded

Edges 0>1 0>5 1>2 1>3 2>4 3>4 3>5 4>0, a pc a block, markers at 0, 3, 4, 5.  Threads a and b go
0 1 2 4 0 5, c goes 0 1 3 4 0 5 and d goes 0 1 3 5; under `markers`:

    begin      abcd at 0         the first choice is no check
    branch     abcd at 1
    branch     ab at 2, cd wait at 3: diverged, the lower goes on
    jump       ab reach 4, marked: check; cd at 3 are the earliest, and do not check 3 again
    branch     c at 4, d waits at 5: diverged; 4 is marked: check, c and ab merge
    jump       abc reach 0, marked: check
    branch     abc reach 5, marked: check, d joins: 7 blocks, 4 checks
    leave      FINISHED

`min_pc` makes 6 checks, one for each block but the first; `ipdom` issues 9 blocks, as ab and c run
4 and 0 apart.  Checks made while diverged are counted apart too: the others choose nothing.

The functions are written for two readers: Python, and numba, which compiles their text.  Lanes are
bits of an int64, lane 63 the sign.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from machines.array_fields import of
from machines.kinds.simt.lane_bits import bit, first_lane, lane_count

MARKERS, IPDOM, MIN_PC, BARRIERS = range(4)
POLICIES = ("markers", "ipdom", "min_pc", "barriers")
"""Names of the policies, by number."""
EARLIEST_PC, LARGEST_GROUP = range(2)
SELECTIONS = ("earliest_pc", "largest_group")
"""Names of the rules by which a group is chosen, by number; a tie goes to the earliest pc."""
POLICY, SELECTION, YIELD_AFTER = range(3)
"""Elements of `rules`, int64[3].  Under `barriers` a group yields after this many taken backward
branches while other lanes of its warp are unfinished; 0: never."""

CHECK, DIVERGED, MERGED, WAITS, NOTHING_CAN_RUN, FINISHED = 1, 2, 4, 8, 16, 32
"""Event bits.  CHECK: lanes or pcs were compared to decide who runs.  WAITS: the instruction did
not take place, the group waits in front of it.  NOTHING_CAN_RUN: all unfinished lanes wait; `mask`
is 0.  FINISHED: no lane is left."""

CHECKS, DIVERGED_CHECKS, DIVERGENCES, MERGES, MOST_GROUPS, GROUP_SUM, SAMPLES = range(7)
"""Columns of `statistics`: checks, and those of them made while diverged; branches whose both sides
were taken; merges; the most groups (entries of the stack) alive at a time, and over SAMPLES
transfers of control the sum of those alive."""

READY, HELD, SYNCING, MEETING, YIELDED = range(5)
"""States of a waiting group: it may run; it is held at a barrier of its block of threads; it waits
at a convergence barrier; it waits for lanes that an instruction names; it may run, but barriers do
not wait for it."""
BEFORE, AFTER = 1, 2
"""Bits of `markers`, uint8[pcs]: check before the instruction, and where control goes from it."""
NOWHERE = -1
CONVERGENCE_BARRIERS = 16


PC, MASK, MEET_AT, LIVE, BACKWARD, COUNT, CLOCK = range(7)
"""Columns of `running`.

PC, MASK, MEET_AT  of the running group: its pc (NOWHERE if none can run), its lanes, and under
                   `ipdom` the pc where it is popped
LIVE               lanes that have not finished
BACKWARD           backward branches that the running group has taken since it was chosen
COUNT              waiting groups; under `ipdom` they are a stack, the top last
CLOCK              how many groups have begun to wait"""
STANDS_AT, LANES, STATE, TAG, SINCE = range(5)
"""Columns of `waiting`.

STANDS_AT, LANES, STATE  of a group: its pc, its lanes, and what it waits for
TAG                      the pc where an entry of the stack is popped, the number of the barrier, or
                         the lanes waited for
SINCE                    when it began to wait, by CLOCK; under `ipdom` the number of the barrier at
                         which the top is held"""
WARP_COLUMNS, GROUP_COLUMNS = 8, 5
"""Of `running` and `statistics`; of `waiting`."""

OfWarps = Annotated[NDArray[np.int64], of(np.int64, None, 8)]
OfGroups = Annotated[NDArray[np.int64], of(np.int64, None, None, 5)]
OfCohorts = Annotated[NDArray[np.int64], of(np.int64, None, None, None)]


class Groups(NamedTuple):
    """The groups of all resident warps: int64 arrays, the first index is the warp's.

    running     [warps, WARP_COLUMNS]
    waiting     [warps, 2 x width, GROUP_COLUMNS]  in [0, COUNT) of the second axis
    cohorts     [warps, barriers, width]  lanes that take part in a convergence barrier together:
                sets of which none has a lane of another, up to the first empty one
    statistics  [warps, WARP_COLUMNS]
    """

    running: OfWarps
    waiting: OfGroups
    cohorts: OfCohorts
    statistics: OfWarps


ZEROS = partial(np.zeros, dtype=np.int64)


def make_groups(
    warps: int,
    width: int,
    barriers: int = CONVERGENCE_BARRIERS,
    zeros: Callable[[tuple[int, ...]], NDArray[np.int64]] = ZEROS,
) -> Groups:
    """Room for warps of up to 64 lanes; `barriers` may be 1 where no barrier converges.  `zeros`
    makes an array of a shape."""
    return Groups(
        running=zeros((warps, WARP_COLUMNS)),
        waiting=zeros((warps, 2 * width, GROUP_COLUMNS)),
        cohorts=zeros((warps, barriers, width)),
        statistics=zeros((warps, WARP_COLUMNS)),
    )


def begin(groups, warp, pc, mask):
    """All lanes of `mask` start at a pc."""
    groups.running[warp, PC] = pc
    groups.running[warp, MASK] = mask
    groups.running[warp, LIVE] = mask
    groups.running[warp, MEET_AT] = NOWHERE
    groups.running[warp, BACKWARD] = 0
    groups.running[warp, COUNT] = 0
    groups.running[warp, CLOCK] = 0
    for barrier in range(groups.cohorts.shape[1]):
        groups.cohorts[warp, barrier, 0] = 0
    if groups.statistics[warp, MOST_GROUPS] == 0:
        groups.statistics[warp, MOST_GROUPS] = 1


def branch(groups, warp, rules, markers, pc, taken, fall, taken_mask, reconverge):
    """The running group executes the branch at a pc: the lanes of `taken_mask` go to `taken`, the
    others to `fall`; `reconverge` is the pc of its immediate post-dominator, or NOWHERE."""
    mask = groups.running[warp, MASK]
    if taken_mask == mask or taken == fall:
        return jump(groups, warp, rules, markers, pc, taken)
    if taken_mask == 0:
        return jump(groups, warp, rules, markers, pc, fall)
    groups.statistics[warp, DIVERGENCES] += 1
    if rules[POLICY] == IPDOM:
        return DIVERGED | _push_sides(groups, warp, taken, fall, taken_mask, reconverge)
    fall_mask = mask & ~taken_mask
    merged = 0
    if _goes_on(rules, taken, taken_mask, fall, fall_mask):
        groups.running[warp, MASK] = taken_mask
        merged = _wait(groups, warp, rules, fall, fall_mask, READY, 0)
        target = taken
    else:
        groups.running[warp, MASK] = fall_mask
        merged = _wait(groups, warp, rules, taken, taken_mask, READY, 0)
        target = fall
    return DIVERGED | merged | jump(groups, warp, rules, markers, pc, target)


def jump(groups, warp, rules, markers, pc, target):
    """The running group goes from a pc to a pc, all of it."""
    groups.running[warp, PC] = target
    count = groups.running[warp, COUNT]
    groups.statistics[warp, GROUP_SUM] += count + 1
    groups.statistics[warp, SAMPLES] += 1
    policy = rules[POLICY]
    if policy == MARKERS:
        if markers[target] & BEFORE or markers[pc] & AFTER:
            return _check(groups, warp, rules)
        return 0
    if policy == MIN_PC:
        return _check(groups, warp, rules)
    if policy == IPDOM:
        if count > 0 and target == groups.running[warp, MEET_AT]:
            return _pop(groups, warp)
        return 0
    if target <= pc and count > 0:
        groups.running[warp, BACKWARD] += 1
        if rules[YIELD_AFTER] > 0 and groups.running[warp, BACKWARD] >= rules[YIELD_AFTER]:
            return give_way(groups, warp, rules, target)
    return 0


def fall_into(groups, warp, rules, markers, pc):
    """The running group runs on from the pc before into one where a block begins."""
    return jump(groups, warp, rules, markers, pc - 1, pc)


def mark(groups, warp, rules, pc):
    """The running group executes an explicit marker at a pc."""
    groups.running[warp, PC] = pc + 1
    if rules[POLICY] == MARKERS:
        return _check(groups, warp, rules)
    return 0


def leave(groups, warp, rules, lanes):
    """Lanes of the running group finish; the others, if any, run on."""
    rest = groups.running[warp, MASK] & ~lanes
    groups.running[warp, LIVE] &= ~lanes
    groups.running[warp, MASK] = rest
    if rest == 0:
        groups.running[warp, PC] = NOWHERE
    if groups.running[warp, LIVE] == 0:
        groups.running[warp, COUNT] = 0
        return FINISHED
    if rules[POLICY] == IPDOM:
        for k in range(groups.running[warp, COUNT]):
            groups.waiting[warp, k, LANES] &= ~lanes
        return _pop(groups, warp) if rest == 0 else 0
    events = _end_meetings(groups, warp)
    if rules[POLICY] == BARRIERS:
        for barrier in range(groups.cohorts.shape[1]):
            events |= _withdraw(groups, warp, barrier, lanes)
    return events | _next(groups, warp, rules) if rest == 0 else events


def hold(groups, warp, rules, pc, barrier):
    """The running group waits at a barrier of its block of threads, at a pc, and is to go on in
    the next.  Under `ipdom` nothing else of the warp can run then."""
    lanes = groups.running[warp, MASK]
    if rules[POLICY] == IPDOM:
        _push(groups, warp, pc + 1, lanes, HELD, groups.running[warp, MEET_AT])
        groups.waiting[warp, groups.running[warp, COUNT] - 1, SINCE] = barrier
        groups.running[warp, MASK] = 0
        groups.running[warp, PC] = NOWHERE
        return NOTHING_CAN_RUN
    merged = _wait(groups, warp, rules, pc + 1, lanes, HELD, barrier)
    return merged | _next(groups, warp, rules)


def release(groups, warp, rules, barrier):
    """The lanes held at a barrier may go on; they do at once if no other group is running."""
    if rules[POLICY] == IPDOM:
        top = groups.running[warp, COUNT] - 1
        if groups.running[warp, MASK] != 0:
            return 0
        if groups.waiting[warp, top, STATE] != HELD or groups.waiting[warp, top, SINCE] != barrier:
            return NOTHING_CAN_RUN
        _take_top(groups, warp)
        return 0
    events = 0
    k = 0
    while k < groups.running[warp, COUNT]:
        if _waits_for(groups, warp, k, HELD, barrier):
            pc, lanes = groups.waiting[warp, k, STANDS_AT], groups.waiting[warp, k, LANES]
            _remove(groups, warp, k)
            events |= _wait(groups, warp, rules, pc, lanes, READY, 0)
            k = 0
        else:
            k += 1
    if groups.running[warp, MASK] != 0:
        return events
    if groups.running[warp, COUNT] == 1 and groups.waiting[warp, 0, STATE] == READY:
        _take(groups, warp, 0)
        return events
    return events | _next(groups, warp, rules)


def bssy(groups, warp, barrier):
    """The lanes of the running group take part in a convergence barrier from now on, together, and
    no longer with those they took part with before."""
    lanes = groups.running[warp, MASK]
    events = _withdraw(groups, warp, barrier, lanes)
    _add_cohort(groups, warp, barrier, lanes)
    return events


def bsync(groups, warp, rules, pc, barrier):
    """The running group, at a pc, waits for all that take part with it, and goes on in the next.
    Lanes that do not take part go on at once."""
    rest = groups.running[warp, MASK]
    groups.running[warp, PC] = pc + 1
    alone = rest & ~rest
    complete = -1
    events = CHECK
    while rest != 0:
        cohort = _cohort_of(groups, warp, barrier, rest)
        if cohort == 0:
            part = bit(first_lane(rest))
            alone |= part
        else:
            part = rest & cohort
            _push(groups, warp, pc + 1, part, SYNCING, barrier)
        rest &= ~part
    events |= _wake_all(groups, warp, barrier)
    _count_check(groups, warp)
    groups.running[warp, MASK] = alone
    if alone != 0:
        return events
    for k in range(groups.running[warp, COUNT]):
        if _is_ready_at(groups, warp, k, pc + 1):
            complete = k
    if complete >= 0:
        _take(groups, warp, complete)
        return events
    return events | _next(groups, warp, rules)


def break_(groups, warp, barrier):
    """The lanes of the running group no longer take part in a convergence barrier."""
    return _withdraw(groups, warp, barrier, groups.running[warp, MASK])


def is_here(groups, warp, lanes):
    """Whether all of the lanes that have not ended are in the running group."""
    return lanes & groups.running[warp, LIVE] & ~groups.running[warp, MASK] == 0


def set_aside(groups, warp, rules, pc, lanes):
    """Lanes of the running group stay in front of an instruction, which they may execute by
    themselves.  `ipdom` has no place for them."""
    groups.running[warp, MASK] &= ~lanes
    _wait(groups, warp, rules, pc, lanes, READY, 0)


def meet(groups, warp, rules, pc, lanes):
    """The running group is about to execute at a pc what the named lanes execute together.

    Returns WAITS if some are missing; the group executes it when they are there, with all that wait
    for the same lanes.  Under `ipdom` nothing else of the warp can run then."""
    mask = groups.running[warp, MASK]
    if is_here(groups, warp, lanes):
        return 0
    if rules[POLICY] == IPDOM:
        _push(groups, warp, pc, mask, MEETING, lanes)
        groups.running[warp, MASK] = 0
        groups.running[warp, PC] = NOWHERE
        return WAITS | NOTHING_CAN_RUN
    gathered = mask | _meeting(groups, warp, pc, lanes)
    if lanes & groups.running[warp, LIVE] & ~gathered != 0:
        _push(groups, warp, pc, mask, MEETING, lanes)
        return WAITS | _next(groups, warp, rules)
    k = groups.running[warp, COUNT] - 1
    while k >= 0:
        if _meets(groups, warp, k, pc, lanes):
            _remove(groups, warp, k)
        k -= 1
    groups.running[warp, MASK] = gathered
    groups.statistics[warp, MERGES] += 1
    return MERGED


def give_way(groups, warp, rules, pc):
    """The running group, which is to go on at a pc, lets those run that have waited longest; no
    convergence barrier waits for it meanwhile.  Only `barriers` has it."""
    groups.running[warp, BACKWARD] = 0
    groups.running[warp, PC] = pc
    if rules[POLICY] != BARRIERS:
        return 0
    _push(groups, warp, pc, groups.running[warp, MASK], YIELDED, 0)
    events = 0
    for barrier in range(groups.cohorts.shape[1]):
        events |= _wake_all(groups, warp, barrier)
    _count_check(groups, warp)
    oldest = -1
    for k in range(groups.running[warp, COUNT]):
        waits_longer = (
            oldest < 0 or groups.waiting[warp, k, SINCE] < groups.waiting[warp, oldest, SINCE]
        )
        if waits_longer and _may_run(groups, warp, k):
            oldest = k
    _take(groups, warp, oldest)
    return events | CHECK


# Choosing and merging.


def _goes_on(rules, pc, lanes, other_pc, other_lanes):
    """Whether the first of two groups is the one to run."""
    if rules[SELECTION] == LARGEST_GROUP:
        size, other = lane_count(lanes), lane_count(other_lanes)
        if size != other:
            return size > other
    return pc < other_pc


def _count_check(groups, warp):
    groups.statistics[warp, CHECKS] += 1
    if groups.running[warp, COUNT] > 0:
        groups.statistics[warp, DIVERGED_CHECKS] += 1


def _check(groups, warp, rules):
    """Choose again among the running group and those that are ready."""
    _count_check(groups, warp)
    events = CHECK
    k = groups.running[warp, COUNT] - 1
    while k >= 0:
        if _is_ready_at(groups, warp, k, groups.running[warp, PC]):
            groups.running[warp, MASK] |= groups.waiting[warp, k, LANES]
            _remove(groups, warp, k)
            groups.statistics[warp, MERGES] += 1
            events |= MERGED
        k -= 1
    best = _best(groups, warp, rules)
    if best >= 0:
        pc, lanes = groups.waiting[warp, best, STANDS_AT], groups.waiting[warp, best, LANES]
        if _goes_on(rules, pc, lanes, groups.running[warp, PC], groups.running[warp, MASK]):
            groups.waiting[warp, best, STANDS_AT] = groups.running[warp, PC]
            groups.waiting[warp, best, LANES] = groups.running[warp, MASK]
            groups.running[warp, PC] = pc
            groups.running[warp, MASK] = lanes
    return events


def _next(groups, warp, rules):
    """The running group has ended or waits: choose among the ready ones."""
    best = _best(groups, warp, rules)
    if best < 0:
        groups.running[warp, MASK] = 0
        groups.running[warp, PC] = NOWHERE
        return NOTHING_CAN_RUN
    _count_check(groups, warp)
    _take(groups, warp, best)
    return CHECK


def _best(groups, warp, rules):
    """The index of the ready group to run next, -1 if there is none; yielded ones come last."""
    best = -1
    for k in range(groups.running[warp, COUNT]):
        if not _may_run(groups, warp, k):
            continue
        if best < 0 or groups.waiting[warp, k, STATE] < groups.waiting[warp, best, STATE]:
            best = k
        elif groups.waiting[warp, k, STATE] == groups.waiting[warp, best, STATE]:
            pc, lanes = groups.waiting[warp, k, STANDS_AT], groups.waiting[warp, k, LANES]
            if _goes_on(
                rules,
                pc,
                lanes,
                groups.waiting[warp, best, STANDS_AT],
                groups.waiting[warp, best, LANES],
            ):
                best = k
    return best


def _waits_for(groups, warp, k, state, tag):
    return groups.waiting[warp, k, STATE] == state and groups.waiting[warp, k, TAG] == tag


def _is_ready_at(groups, warp, k, pc):
    return groups.waiting[warp, k, STATE] == READY and groups.waiting[warp, k, STANDS_AT] == pc


def _may_run(groups, warp, k):
    return groups.waiting[warp, k, STATE] == READY or groups.waiting[warp, k, STATE] == YIELDED


def _wait(groups, warp, rules, pc, lanes, state, tag):
    """A group waits; under `markers` and `min_pc` it joins one that waits there in the same way."""
    if rules[POLICY] == MARKERS or rules[POLICY] == MIN_PC:
        for k in range(groups.running[warp, COUNT]):
            same = _waits_for(groups, warp, k, state, tag)
            if same and groups.waiting[warp, k, STANDS_AT] == pc:
                groups.waiting[warp, k, LANES] |= lanes
                groups.statistics[warp, MERGES] += 1
                return MERGED
    _push(groups, warp, pc, lanes, state, tag)
    return 0


def _push(groups, warp, pc, lanes, state, tag):
    k = groups.running[warp, COUNT]
    groups.waiting[warp, k, STANDS_AT] = pc
    groups.waiting[warp, k, LANES] = lanes
    groups.waiting[warp, k, STATE] = state
    groups.waiting[warp, k, TAG] = tag
    groups.waiting[warp, k, SINCE] = groups.running[warp, CLOCK]
    groups.running[warp, CLOCK] += 1
    groups.running[warp, COUNT] = k + 1
    if k + 2 > groups.statistics[warp, MOST_GROUPS]:
        groups.statistics[warp, MOST_GROUPS] = k + 2


def _remove(groups, warp, k):
    """Take a waiting group out; the last one moves into its place."""
    last = groups.running[warp, COUNT] - 1
    groups.waiting[warp, k, STANDS_AT] = groups.waiting[warp, last, STANDS_AT]
    groups.waiting[warp, k, LANES] = groups.waiting[warp, last, LANES]
    groups.waiting[warp, k, STATE] = groups.waiting[warp, last, STATE]
    groups.waiting[warp, k, TAG] = groups.waiting[warp, last, TAG]
    groups.waiting[warp, k, SINCE] = groups.waiting[warp, last, SINCE]
    groups.running[warp, COUNT] = last


def _take(groups, warp, k):
    """A waiting group becomes the running one."""
    groups.running[warp, PC] = groups.waiting[warp, k, STANDS_AT]
    groups.running[warp, MASK] = groups.waiting[warp, k, LANES]
    groups.running[warp, BACKWARD] = 0
    _remove(groups, warp, k)


# The stack of `ipdom`.


def _push_sides(groups, warp, taken, fall, taken_mask, reconverge):
    """The running group becomes the entry where both sides meet again, and the sides stand on it,
    the taken one on top; a side that is already there is not pushed."""
    mask = groups.running[warp, MASK]
    meet_at = groups.running[warp, MEET_AT]
    if reconverge != NOWHERE and reconverge != meet_at:
        _push(groups, warp, reconverge, mask, READY, meet_at)
        meet_at = reconverge
    groups.statistics[warp, GROUP_SUM] += groups.running[warp, COUNT] + 1
    groups.statistics[warp, SAMPLES] += 1
    if fall == meet_at:
        groups.running[warp, PC] = taken
        groups.running[warp, MASK] = taken_mask
    elif taken == meet_at:
        groups.running[warp, PC] = fall
        groups.running[warp, MASK] = mask & ~taken_mask
    else:
        _push(groups, warp, fall, mask & ~taken_mask, READY, meet_at)
        groups.running[warp, PC] = taken
        groups.running[warp, MASK] = taken_mask
    groups.running[warp, MEET_AT] = meet_at
    return 0


def _pop(groups, warp):
    """The running group has reached its meeting pc or ended: the entry below goes on."""
    events = 0
    while groups.running[warp, COUNT] > 0:
        before = groups.running[warp, MASK]
        _count_check(groups, warp)
        events |= CHECK
        _take_top(groups, warp)
        mask = groups.running[warp, MASK]
        if before != 0 and before != mask and before & ~mask == 0:
            groups.statistics[warp, MERGES] += 1
            events |= MERGED
        at_end = (
            groups.running[warp, COUNT] > 0
            and groups.running[warp, PC] == groups.running[warp, MEET_AT]
        )
        if mask != 0 and not at_end:
            return events
    return events


def _take_top(groups, warp):
    top = groups.running[warp, COUNT] - 1
    groups.running[warp, MEET_AT] = groups.waiting[warp, top, TAG]
    _take(groups, warp, top)


# Convergence barriers, and where groups meet.


def _wake_all(groups, warp, barrier):
    """Let all cohorts go on at a barrier that wait there complete."""
    events = 0
    k = 0
    while k < groups.running[warp, COUNT]:
        if _waits_for(groups, warp, k, SYNCING, barrier):
            cohort = _cohort_of(groups, warp, barrier, groups.waiting[warp, k, LANES])
            events |= _wake(groups, warp, barrier, cohort)
        k += 1
    return events


def _wake(groups, warp, barrier, cohort):
    """If all lanes of a cohort wait at its barrier or have yielded, those that wait become one
    ready group, and the yielded ones a cohort of their own."""
    arrived = cohort & ~cohort
    yielded = cohort & ~cohort
    for k in range(groups.running[warp, COUNT]):
        if _waits_for(groups, warp, k, SYNCING, barrier):
            arrived |= groups.waiting[warp, k, LANES] & cohort
        elif groups.waiting[warp, k, STATE] == YIELDED:
            yielded |= groups.waiting[warp, k, LANES] & cohort
    if arrived == 0 or cohort & ~(arrived | yielded) != 0:
        return 0
    _end_cohort(groups, warp, barrier, cohort)
    _add_cohort(groups, warp, barrier, yielded)
    first = -1
    events = 0
    k = groups.running[warp, COUNT] - 1
    while k >= 0:
        here = _waits_for(groups, warp, k, SYNCING, barrier)
        if here and groups.waiting[warp, k, LANES] & arrived != 0:
            if first >= 0:
                groups.waiting[warp, k, LANES] |= groups.waiting[warp, first, LANES]
                _remove(groups, warp, first)
                groups.statistics[warp, MERGES] += 1
                events |= MERGED
            first = k
        k -= 1
    groups.waiting[warp, first, STATE] = READY
    groups.waiting[warp, first, TAG] = 0
    return events


def _withdraw(groups, warp, barrier, lanes):
    """Lanes no longer take part in a barrier; those that waited only for them become ready."""
    events = 0
    rest = lanes
    while rest != 0 and groups.cohorts[warp, barrier, 0] != 0:
        cohort = _cohort_of(groups, warp, barrier, rest)
        left = cohort & ~lanes
        rest &= ~(cohort | bit(first_lane(rest)))
        if cohort != 0:
            _end_cohort(groups, warp, barrier, cohort)
            _add_cohort(groups, warp, barrier, left)
            events |= _wake(groups, warp, barrier, left)
    return events


def _cohort_of(groups, warp, barrier, lanes):
    """The lanes that take part in a barrier with the lowest of some; none if that does not."""
    lowest = bit(first_lane(lanes))
    for k in range(groups.cohorts.shape[2]):
        cohort = groups.cohorts[warp, barrier, k]
        if cohort == 0 or cohort & lowest != 0:
            return cohort
    return lowest & ~lowest


def _end_cohort(groups, warp, barrier, cohort):
    """Lanes that took part together do not any more; the last cohort moves into their place."""
    found, end = 0, 0
    while end < groups.cohorts.shape[2] and groups.cohorts[warp, barrier, end] != 0:
        if groups.cohorts[warp, barrier, end] == cohort:
            found = end
        end += 1
    groups.cohorts[warp, barrier, found] = groups.cohorts[warp, barrier, end - 1]
    groups.cohorts[warp, barrier, end - 1] = 0


def _add_cohort(groups, warp, barrier, lanes):
    """Lanes take part in a barrier, together; none of them did."""
    if lanes == 0:
        return
    end = 0
    while groups.cohorts[warp, barrier, end] != 0:
        end += 1
    groups.cohorts[warp, barrier, end] = lanes
    if end + 1 < groups.cohorts.shape[2]:
        groups.cohorts[warp, barrier, end + 1] = 0


def _end_meetings(groups, warp):
    """Lanes have finished: groups that waited for no others are ready to execute what they
    wait in front of."""
    events = 0
    k = 0
    while k < groups.running[warp, COUNT]:
        if groups.waiting[warp, k, STATE] == MEETING:
            pc, lanes = groups.waiting[warp, k, STANDS_AT], groups.waiting[warp, k, TAG]
            gathered = _meeting(groups, warp, pc, lanes)
            if lanes & groups.running[warp, LIVE] & ~gathered == 0:
                events |= _gather(groups, warp, pc, lanes, gathered)
                k = -1
        k += 1
    return events


def _meets(groups, warp, k, pc, lanes):
    """Whether a group waits at a pc for these lanes."""
    return _waits_for(groups, warp, k, MEETING, lanes) and groups.waiting[warp, k, STANDS_AT] == pc


def _meeting(groups, warp, pc, lanes):
    """The lanes of the groups that wait at a pc for these lanes."""
    found = lanes & ~lanes
    for k in range(groups.running[warp, COUNT]):
        if _meets(groups, warp, k, pc, lanes):
            found |= groups.waiting[warp, k, LANES]
    return found


def _gather(groups, warp, pc, lanes, gathered):
    """The groups that wait for the same lanes at a pc become one that is ready."""
    k = groups.running[warp, COUNT] - 1
    found = 0
    while k >= 0:
        if _meets(groups, warp, k, pc, lanes):
            _remove(groups, warp, k)
            found += 1
        k -= 1
    _push(groups, warp, pc, gathered, READY, 0)
    if found < 2:
        return 0
    groups.statistics[warp, MERGES] += 1
    return MERGED
