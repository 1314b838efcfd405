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

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
STATISTICS = 7

READY, HELD, SYNCING, MEETING, YIELDED = range(5)
"""States of a waiting group: it may run; it is held at a barrier of its block of threads; it waits
at a convergence barrier; it waits for lanes that an instruction names; it may run, but barriers do
not wait for it."""
BEFORE, AFTER = 1, 2
"""Bits of `markers`, uint8[pcs]: check before the instruction, and where control goes from it."""
NOWHERE = -1
CONVERGENCE_BARRIERS = 16


OfWarps = NDArray[np.int64]
OfGroups = np.ndarray[tuple[int, int], np.dtype[np.int64]]
OfLanes = np.ndarray[tuple[int, int, int], np.dtype[np.int64]]


class Groups(NamedTuple):
    """The groups of all resident warps: int64 arrays, the first index is the warp's.

    pc, mask, meet_at  [warps] of the running group: its pc (NOWHERE if none can run), lanes, and
                       under `ipdom` the pc where it is popped
    live               [warps] lanes that have not finished
    backward           [warps] backward branches the running group has taken since it was chosen
    count              [warps] waiting groups; under `ipdom` they are a stack, the top last
    pcs, lanes, state  [warps, 2 x width] of the waiting groups, in [0, count)
    tag                [warps, 2 x width] the pc where an entry of the stack is popped, the number
                       of the barrier, or the lanes waited for
    since              [warps, 2 x width] when it began to wait, by `clock` [warps]; under `ipdom`
                       the number of the barrier at which the top is held
    cohort             [warps, barriers, width] for a lane the lanes that take part with it
    statistics         [warps, STATISTICS]
    """

    pc: OfWarps
    mask: OfWarps
    meet_at: OfWarps
    live: OfWarps
    backward: OfWarps
    count: OfWarps
    clock: OfWarps
    pcs: OfGroups
    lanes: OfGroups
    state: OfGroups
    tag: OfGroups
    since: OfGroups
    cohort: OfLanes
    statistics: OfGroups


def make_groups(warps: int, width: int, barriers: int = CONVERGENCE_BARRIERS) -> Groups:
    """Room for warps of up to 64 lanes; `barriers` may be 1 where no barrier converges."""
    single = [np.zeros(warps, np.int64) for _ in range(7)]
    waiting = [np.zeros((warps, 2 * width), np.int64) for _ in range(5)]
    cohort = np.zeros((warps, barriers, width), np.int64)
    return Groups(*single, *waiting, cohort, np.zeros((warps, STATISTICS), np.int64))


def begin(groups, warp, pc, mask):
    """All lanes of `mask` start at a pc."""
    groups.pc[warp] = pc
    groups.mask[warp] = mask
    groups.live[warp] = mask
    groups.meet_at[warp] = NOWHERE
    groups.backward[warp] = 0
    groups.count[warp] = 0
    groups.clock[warp] = 0
    for barrier in range(groups.cohort.shape[1]):
        for lane in range(groups.cohort.shape[2]):
            groups.cohort[warp, barrier, lane] = 0
    if groups.statistics[warp, MOST_GROUPS] == 0:
        groups.statistics[warp, MOST_GROUPS] = 1


def branch(groups, warp, rules, markers, pc, taken, fall, taken_mask, reconverge):
    """The running group executes the branch at a pc: the lanes of `taken_mask` go to `taken`, the
    others to `fall`; `reconverge` is the pc of its immediate post-dominator, or NOWHERE."""
    mask = groups.mask[warp]
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
        groups.mask[warp] = taken_mask
        merged = _wait(groups, warp, rules, fall, fall_mask, READY, 0)
        target = taken
    else:
        groups.mask[warp] = fall_mask
        merged = _wait(groups, warp, rules, taken, taken_mask, READY, 0)
        target = fall
    return DIVERGED | merged | jump(groups, warp, rules, markers, pc, target)


def jump(groups, warp, rules, markers, pc, target):
    """The running group goes from a pc to a pc, all of it."""
    groups.pc[warp] = target
    count = groups.count[warp]
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
        if count > 0 and target == groups.meet_at[warp]:
            return _pop(groups, warp)
        return 0
    if target <= pc and count > 0:
        groups.backward[warp] += 1
        if rules[YIELD_AFTER] > 0 and groups.backward[warp] >= rules[YIELD_AFTER]:
            return give_way(groups, warp, rules, target)
    return 0


def fall_into(groups, warp, rules, markers, pc):
    """The running group runs on from the pc before into one where a block begins."""
    return jump(groups, warp, rules, markers, pc - 1, pc)


def mark(groups, warp, rules, pc):
    """The running group executes an explicit marker at a pc."""
    groups.pc[warp] = pc + 1
    if rules[POLICY] == MARKERS:
        return _check(groups, warp, rules)
    return 0


def leave(groups, warp, rules):
    """The lanes of the running group finish."""
    lanes = groups.mask[warp]
    groups.live[warp] &= ~lanes
    groups.mask[warp] = 0
    groups.pc[warp] = NOWHERE
    if groups.live[warp] == 0:
        groups.count[warp] = 0
        return FINISHED
    if rules[POLICY] == IPDOM:
        for k in range(groups.count[warp]):
            groups.lanes[warp, k] &= ~lanes
        return _pop(groups, warp)
    events = _end_meetings(groups, warp)
    if rules[POLICY] == BARRIERS:
        for barrier in range(groups.cohort.shape[1]):
            events |= _withdraw(groups, warp, barrier, lanes)
    return events | _next(groups, warp, rules)


def hold(groups, warp, rules, pc, barrier):
    """The running group waits at a barrier of its block of threads, at a pc, and is to go on in
    the next.  Under `ipdom` nothing else of the warp can run then."""
    lanes = groups.mask[warp]
    if rules[POLICY] == IPDOM:
        _push(groups, warp, pc + 1, lanes, HELD, groups.meet_at[warp])
        groups.since[warp, groups.count[warp] - 1] = barrier
        groups.mask[warp] = 0
        groups.pc[warp] = NOWHERE
        return NOTHING_CAN_RUN
    merged = _wait(groups, warp, rules, pc + 1, lanes, HELD, barrier)
    return merged | _next(groups, warp, rules)


def release(groups, warp, rules, barrier):
    """The lanes held at a barrier may go on; they do at once if no other group is running."""
    if rules[POLICY] == IPDOM:
        top = groups.count[warp] - 1
        if groups.mask[warp] != 0:
            return 0
        if groups.state[warp, top] != HELD or groups.since[warp, top] != barrier:
            return NOTHING_CAN_RUN
        _take_top(groups, warp)
        return 0
    events = 0
    k = 0
    while k < groups.count[warp]:
        if groups.state[warp, k] == HELD and groups.tag[warp, k] == barrier:
            pc, lanes = groups.pcs[warp, k], groups.lanes[warp, k]
            _remove(groups, warp, k)
            events |= _wait(groups, warp, rules, pc, lanes, READY, 0)
            k = 0
        else:
            k += 1
    if groups.mask[warp] != 0:
        return events
    if groups.count[warp] == 1 and groups.state[warp, 0] == READY:
        _take(groups, warp, 0)
        return events
    return events | _next(groups, warp, rules)


def bssy(groups, warp, barrier):
    """The lanes of the running group take part in a convergence barrier from now on, together, and
    no longer with those they took part with before."""
    lanes = groups.mask[warp]
    events = _withdraw(groups, warp, barrier, lanes)
    _set_cohort(groups, warp, barrier, lanes, lanes)
    return events


def bsync(groups, warp, rules, pc, barrier):
    """The running group, at a pc, waits for all that take part with it, and goes on in the next.
    Lanes that do not take part go on at once."""
    rest = groups.mask[warp]
    groups.pc[warp] = pc + 1
    alone = rest & ~rest
    complete = -1
    events = CHECK
    while rest != 0:
        cohort = groups.cohort[warp, barrier, _first_lane(rest)]
        if cohort == 0:
            part = _bit(_first_lane(rest))
            alone |= part
        else:
            part = rest & cohort
            _push(groups, warp, pc + 1, part, SYNCING, barrier)
        rest &= ~part
    k = 0
    while k < groups.count[warp]:
        if groups.state[warp, k] == SYNCING and groups.tag[warp, k] == barrier:
            first = _first_lane(groups.lanes[warp, k])
            events |= _wake(groups, warp, barrier, groups.cohort[warp, barrier, first])
        k += 1
    _count_check(groups, warp)
    groups.mask[warp] = alone
    if alone != 0:
        return events
    for k in range(groups.count[warp]):
        if groups.state[warp, k] == READY and groups.pcs[warp, k] == pc + 1:
            complete = k
    if complete >= 0:
        _take(groups, warp, complete)
        return events
    return events | _next(groups, warp, rules)


def break_(groups, warp, barrier):
    """The lanes of the running group no longer take part in a convergence barrier."""
    return _withdraw(groups, warp, barrier, groups.mask[warp])


def is_here(groups, warp, lanes):
    """Whether all of the lanes that have not ended are in the running group."""
    return lanes & groups.live[warp] & ~groups.mask[warp] == 0


def set_aside(groups, warp, rules, pc, lanes):
    """Lanes of the running group stay in front of an instruction, which they may execute by
    themselves.  `ipdom` has no place for them."""
    groups.mask[warp] &= ~lanes
    _wait(groups, warp, rules, pc, lanes, READY, 0)


def meet(groups, warp, rules, pc, lanes):
    """The running group is about to execute at a pc what the named lanes execute together.

    Returns WAITS if some are missing; the group executes it when they are there, with all that wait
    for the same lanes.  Under `ipdom` nothing else of the warp can run then."""
    mask = groups.mask[warp]
    if is_here(groups, warp, lanes):
        return 0
    if rules[POLICY] == IPDOM:
        _push(groups, warp, pc, mask, MEETING, lanes)
        groups.mask[warp] = 0
        groups.pc[warp] = NOWHERE
        return WAITS | NOTHING_CAN_RUN
    gathered = mask | _meeting(groups, warp, pc, lanes)
    if lanes & groups.live[warp] & ~gathered != 0:
        _push(groups, warp, pc, mask, MEETING, lanes)
        return WAITS | _next(groups, warp, rules)
    k = groups.count[warp] - 1
    while k >= 0:
        if _meets(groups, warp, k, pc, lanes):
            _remove(groups, warp, k)
        k -= 1
    groups.mask[warp] = gathered
    groups.statistics[warp, MERGES] += 1
    return MERGED


def give_way(groups, warp, rules, pc):
    """The running group, which is to go on at a pc, lets those run that have waited longest; no
    convergence barrier waits for it meanwhile.  Only `barriers` has it."""
    groups.backward[warp] = 0
    groups.pc[warp] = pc
    if rules[POLICY] != BARRIERS:
        return 0
    _push(groups, warp, pc, groups.mask[warp], YIELDED, 0)
    events = 0
    for barrier in range(groups.cohort.shape[1]):
        k = 0
        while k < groups.count[warp]:
            if groups.state[warp, k] == SYNCING and groups.tag[warp, k] == barrier:
                first = _first_lane(groups.lanes[warp, k])
                events |= _wake(groups, warp, barrier, groups.cohort[warp, barrier, first])
            k += 1
    _count_check(groups, warp)
    oldest = -1
    for k in range(groups.count[warp]):
        waits_longer = oldest < 0 or groups.since[warp, k] < groups.since[warp, oldest]
        if waits_longer and _may_run(groups, warp, k):
            oldest = k
    _take(groups, warp, oldest)
    return events | CHECK


# Choosing and merging.


def _goes_on(rules, pc, lanes, other_pc, other_lanes):
    """Whether the first of two groups is the one to run."""
    if rules[SELECTION] == LARGEST_GROUP:
        size, other = _lane_count(lanes), _lane_count(other_lanes)
        if size != other:
            return size > other
    return pc < other_pc


def _count_check(groups, warp):
    groups.statistics[warp, CHECKS] += 1
    if groups.count[warp] > 0:
        groups.statistics[warp, DIVERGED_CHECKS] += 1


def _check(groups, warp, rules):
    """Choose again among the running group and those that are ready."""
    _count_check(groups, warp)
    events = CHECK
    k = groups.count[warp] - 1
    while k >= 0:
        if groups.state[warp, k] == READY and groups.pcs[warp, k] == groups.pc[warp]:
            groups.mask[warp] |= groups.lanes[warp, k]
            _remove(groups, warp, k)
            groups.statistics[warp, MERGES] += 1
            events |= MERGED
        k -= 1
    best = _best(groups, warp, rules)
    if best >= 0:
        pc, lanes = groups.pcs[warp, best], groups.lanes[warp, best]
        if _goes_on(rules, pc, lanes, groups.pc[warp], groups.mask[warp]):
            groups.pcs[warp, best] = groups.pc[warp]
            groups.lanes[warp, best] = groups.mask[warp]
            groups.pc[warp] = pc
            groups.mask[warp] = lanes
    return events


def _next(groups, warp, rules):
    """The running group has ended or waits: choose among the ready ones."""
    best = _best(groups, warp, rules)
    if best < 0:
        groups.mask[warp] = 0
        groups.pc[warp] = NOWHERE
        return NOTHING_CAN_RUN
    _count_check(groups, warp)
    _take(groups, warp, best)
    return CHECK


def _best(groups, warp, rules):
    """The index of the ready group to run next, -1 if there is none; yielded ones come last."""
    best = -1
    for k in range(groups.count[warp]):
        if not _may_run(groups, warp, k):
            continue
        if best < 0 or groups.state[warp, k] < groups.state[warp, best]:
            best = k
        elif groups.state[warp, k] == groups.state[warp, best]:
            pc, lanes = groups.pcs[warp, k], groups.lanes[warp, k]
            if _goes_on(rules, pc, lanes, groups.pcs[warp, best], groups.lanes[warp, best]):
                best = k
    return best


def _may_run(groups, warp, k):
    return groups.state[warp, k] == READY or groups.state[warp, k] == YIELDED


def _wait(groups, warp, rules, pc, lanes, state, tag):
    """A group waits; under `markers` and `min_pc` it joins one that waits there in the same way."""
    if rules[POLICY] == MARKERS or rules[POLICY] == MIN_PC:
        for k in range(groups.count[warp]):
            same = groups.state[warp, k] == state and groups.tag[warp, k] == tag
            if same and groups.pcs[warp, k] == pc:
                groups.lanes[warp, k] |= lanes
                groups.statistics[warp, MERGES] += 1
                return MERGED
    _push(groups, warp, pc, lanes, state, tag)
    return 0


def _push(groups, warp, pc, lanes, state, tag):
    k = groups.count[warp]
    groups.pcs[warp, k] = pc
    groups.lanes[warp, k] = lanes
    groups.state[warp, k] = state
    groups.tag[warp, k] = tag
    groups.since[warp, k] = groups.clock[warp]
    groups.clock[warp] += 1
    groups.count[warp] = k + 1
    if k + 2 > groups.statistics[warp, MOST_GROUPS]:
        groups.statistics[warp, MOST_GROUPS] = k + 2


def _remove(groups, warp, k):
    """Take a waiting group out; the last one moves into its place."""
    last = groups.count[warp] - 1
    groups.pcs[warp, k] = groups.pcs[warp, last]
    groups.lanes[warp, k] = groups.lanes[warp, last]
    groups.state[warp, k] = groups.state[warp, last]
    groups.tag[warp, k] = groups.tag[warp, last]
    groups.since[warp, k] = groups.since[warp, last]
    groups.count[warp] = last


def _take(groups, warp, k):
    """A waiting group becomes the running one."""
    groups.pc[warp] = groups.pcs[warp, k]
    groups.mask[warp] = groups.lanes[warp, k]
    groups.backward[warp] = 0
    _remove(groups, warp, k)


# The stack of `ipdom`.


def _push_sides(groups, warp, taken, fall, taken_mask, reconverge):
    """The running group becomes the entry where both sides meet again, and the sides stand on it,
    the taken one on top; a side that is already there is not pushed."""
    mask = groups.mask[warp]
    meet_at = groups.meet_at[warp]
    if reconverge != NOWHERE and reconverge != meet_at:
        _push(groups, warp, reconverge, mask, READY, meet_at)
        meet_at = reconverge
    groups.statistics[warp, GROUP_SUM] += groups.count[warp] + 1
    groups.statistics[warp, SAMPLES] += 1
    if fall == meet_at:
        groups.pc[warp] = taken
        groups.mask[warp] = taken_mask
    elif taken == meet_at:
        groups.pc[warp] = fall
        groups.mask[warp] = mask & ~taken_mask
    else:
        _push(groups, warp, fall, mask & ~taken_mask, READY, meet_at)
        groups.pc[warp] = taken
        groups.mask[warp] = taken_mask
    groups.meet_at[warp] = meet_at
    return 0


def _pop(groups, warp):
    """The running group has reached its meeting pc or ended: the entry below goes on."""
    events = 0
    while groups.count[warp] > 0:
        before = groups.mask[warp]
        _count_check(groups, warp)
        events |= CHECK
        _take_top(groups, warp)
        mask = groups.mask[warp]
        if before != 0 and before != mask and before & ~mask == 0:
            groups.statistics[warp, MERGES] += 1
            events |= MERGED
        at_end = groups.count[warp] > 0 and groups.pc[warp] == groups.meet_at[warp]
        if mask != 0 and not at_end:
            return events
    return events


def _take_top(groups, warp):
    top = groups.count[warp] - 1
    groups.meet_at[warp] = groups.tag[warp, top]
    _take(groups, warp, top)


# Convergence barriers, and loop_distances.


def _wake(groups, warp, barrier, cohort):
    """If all lanes of a cohort wait at its barrier or have yielded, those that wait become one
    ready group, and the yielded ones a cohort of their own."""
    arrived = cohort & ~cohort
    yielded = cohort & ~cohort
    for k in range(groups.count[warp]):
        if groups.state[warp, k] == SYNCING and groups.tag[warp, k] == barrier:
            arrived |= groups.lanes[warp, k] & cohort
        elif groups.state[warp, k] == YIELDED:
            yielded |= groups.lanes[warp, k] & cohort
    if arrived == 0 or cohort & ~(arrived | yielded) != 0:
        return 0
    _set_cohort(groups, warp, barrier, arrived, 0)
    _set_cohort(groups, warp, barrier, yielded, yielded)
    first = -1
    events = 0
    k = groups.count[warp] - 1
    while k >= 0:
        here = groups.state[warp, k] == SYNCING and groups.tag[warp, k] == barrier
        if here and groups.lanes[warp, k] & arrived != 0:
            if first >= 0:
                groups.lanes[warp, k] |= groups.lanes[warp, first]
                _remove(groups, warp, first)
                groups.statistics[warp, MERGES] += 1
                events |= MERGED
            first = k
        k -= 1
    groups.state[warp, first] = READY
    groups.tag[warp, first] = 0
    return events


def _withdraw(groups, warp, barrier, lanes):
    """Lanes no longer take part in a barrier; those that waited only for them become ready."""
    events = 0
    rest = lanes
    while rest != 0:
        first = _first_lane(rest)
        cohort = groups.cohort[warp, barrier, first]
        left = cohort & ~lanes
        rest &= ~(cohort | _bit(first))
        if cohort != 0:
            _set_cohort(groups, warp, barrier, cohort & lanes, 0)
            _set_cohort(groups, warp, barrier, left, left)
            events |= _wake(groups, warp, barrier, left)
    return events


def _set_cohort(groups, warp, barrier, lanes, cohort):
    for lane in range(groups.cohort.shape[2]):
        if (lanes >> lane) & 1:
            groups.cohort[warp, barrier, lane] = cohort


def _end_meetings(groups, warp):
    """Lanes have finished: groups that waited for no others are ready to execute what they
    wait in front of."""
    events = 0
    k = 0
    while k < groups.count[warp]:
        if groups.state[warp, k] == MEETING:
            pc, lanes = groups.pcs[warp, k], groups.tag[warp, k]
            gathered = _meeting(groups, warp, pc, lanes)
            if lanes & groups.live[warp] & ~gathered == 0:
                events |= _gather(groups, warp, pc, lanes, gathered)
                k = -1
        k += 1
    return events


def _meets(groups, warp, k, pc, lanes):
    """Whether a group waits at a pc for these lanes."""
    is_meeting = groups.state[warp, k] == MEETING and groups.pcs[warp, k] == pc
    return is_meeting and groups.tag[warp, k] == lanes


def _meeting(groups, warp, pc, lanes):
    """The lanes of the groups that wait at a pc for these lanes."""
    found = lanes & ~lanes
    for k in range(groups.count[warp]):
        if _meets(groups, warp, k, pc, lanes):
            found |= groups.lanes[warp, k]
    return found


def _gather(groups, warp, pc, lanes, gathered):
    """The groups that wait for the same lanes at a pc become one that is ready."""
    k = groups.count[warp] - 1
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


# Bits.


def _bit(lane):
    return np.int64(1) << np.int64(lane)


def _first_lane(mask):
    """The lowest lane of a mask that is not empty."""
    lane = 0
    while (mask >> lane) & 1 == 0:
        lane += 1
    return lane


def _lane_count(mask):
    return _half_count(mask & 0xFFFFFFFF) + _half_count((mask >> 32) & 0xFFFFFFFF)


def _half_count(bits):
    """How many of 32 bits are set, by adding neighbouring fields."""
    bits = bits - ((bits >> 1) & 0x55555555)
    bits = (bits & 0x33333333) + ((bits >> 2) & 0x33333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F
    return ((bits * 0x01010101) & 0xFFFFFFFF) >> 24
