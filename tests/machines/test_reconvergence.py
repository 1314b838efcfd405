"""The four policies by hand: the stack, markers, barriers, held and missing lanes, 64 lanes."""

from __future__ import annotations

import numpy as np
import pytest

from machines.kinds.simt import reconvergence as rules_of
from machines.kinds.simt.reconvergence import (
    AFTER,
    BARRIERS,
    BEFORE,
    CHECK,
    CHECKS,
    COUNT,
    DIVERGED,
    EARLIEST_PC,
    FINISHED,
    IPDOM,
    LANES,
    LARGEST_GROUP,
    LIVE,
    MARKERS,
    MASK,
    MERGED,
    MIN_PC,
    MOST_GROUPS,
    NOTHING_CAN_RUN,
    NOWHERE,
    PC,
    WAITS,
    make_groups,
)

ROWS = 64
ALL_LANES = np.int64(-1)
SIGN = np.int64(-(2**63))


class Warp:
    """A warp of up to 64 lanes and its rules; calls are passed on with both."""

    def __init__(self, policy: int, lanes: int, selection: int = EARLIEST_PC, yield_after: int = 0):
        self.groups = make_groups(1, 64)
        self.rules = np.array([policy, selection, yield_after])
        self.marked = np.zeros(ROWS, np.uint8)
        rules_of.begin(self.groups, 0, 0, np.int64(lanes))

    @property
    def running(self) -> tuple[int, int]:
        """Row and lanes."""
        return int(self.groups.running[0, PC]), int(self.groups.running[0, MASK])

    def branch(self, row: int, taken: int, fall: int, mask: int, meet: int = NOWHERE) -> int:
        given = taken, fall, np.int64(mask), meet
        return rules_of.branch(self.groups, 0, self.rules, self.marked, row, *given)

    def jump(self, row: int, target: int) -> int:
        return rules_of.jump(self.groups, 0, self.rules, self.marked, row, target)

    def count(self, column: int) -> int:
        return int(self.groups.statistics[0, column])

    def end(self, lanes: int | None = None) -> int:
        """Lanes of the running group finish; all if none are told."""
        return self.leave(np.int64(self.running[1] if lanes is None else lanes))

    def __getattr__(self, name: str):
        function = getattr(rules_of, name)
        if name in ("bssy", "break_"):
            return lambda *given: function(self.groups, 0, *given)
        return lambda *given: function(self.groups, 0, self.rules, *given)


def test_the_stack_runs_the_taken_side_first_and_meets_at_the_post_dominator():
    warp = Warp(IPDOM, 0b1111)
    assert warp.branch(0, 10, 1, 0b0011, meet=20) == DIVERGED
    assert warp.running == (10, 0b0011)
    assert warp.jump(10, 20) == CHECK  # the other side is next
    assert warp.running == (1, 0b1100)
    assert warp.jump(5, 20) == CHECK | MERGED
    assert warp.running == (20, 0b1111)
    assert warp.end() == FINISHED
    assert warp.count(CHECKS) == 2 and warp.count(MOST_GROUPS) == 3


def test_a_side_that_is_at_the_meeting_row_is_not_pushed():
    warp = Warp(IPDOM, 0b1111)
    warp.branch(0, 10, 20, 0b0011, meet=20)
    assert warp.running == (10, 0b0011) and warp.groups.running[0, COUNT] == 1
    assert warp.jump(10, 20) & MERGED
    assert warp.running == (20, 0b1111)


def test_a_loop_does_not_let_the_stack_grow():
    warp = Warp(IPDOM, ALL_LANES)
    for lane in range(63):  # one lane leaves each time
        warp.branch(5, 0, 6, -(2 << lane), meet=6)
        assert warp.running[0] == 0
    assert warp.count(MOST_GROUPS) == 2
    assert warp.branch(5, 0, 6, 0, meet=6) & MERGED
    assert warp.running == (6, -1)


@pytest.mark.parametrize("policy", [IPDOM, MARKERS, MIN_PC, BARRIERS])
def test_lanes_of_a_group_end_and_the_others_run_on(policy):
    warp = Warp(policy, 0b1111)
    warp.branch(0, 10, 1, 0b0111, meet=20)
    pc, lanes = warp.running
    assert warp.end(0b0100 & lanes) == 0
    assert warp.running == (pc, lanes & ~0b0100)
    assert warp.groups.running[0, LIVE] == 0b1111 & ~(0b0100 & lanes)
    assert warp.end() == CHECK  # the other side is next
    assert warp.running[1] == 0b1111 & ~lanes
    assert warp.end() == FINISHED


def test_a_barrier_waits_no_longer_for_lanes_of_a_group_that_end():
    warp = Warp(BARRIERS, 0b111)
    warp.bssy(0)
    warp.branch(1, 10, 2, 0b110)
    warp.bsync(20, 0)
    assert warp.running == (10, 0b110)
    assert warp.end(0b010) == 0 and warp.running == (10, 0b100)
    warp.end()
    assert warp.running == (21, 0b001)


def test_lanes_that_end_leave_every_entry_of_the_stack():
    warp = Warp(IPDOM, 0b111)
    warp.branch(0, 10, 1, 0b001, meet=20)
    assert warp.end() == CHECK  # lane 0 returns early
    assert warp.running == (1, 0b110)
    warp.jump(1, 20)
    assert warp.running == (20, 0b110)
    assert warp.end() == FINISHED


def test_without_a_meeting_row_the_sides_run_to_their_ends():
    warp = Warp(IPDOM, 0b11)
    warp.branch(0, 10, 1, 0b01)
    assert warp.end() == CHECK
    assert warp.running == (1, 0b10)
    assert warp.end() == FINISHED


def test_markers_check_before_a_row_and_after_one():
    warp = Warp(MARKERS, 0b11)
    warp.branch(0, 10, 1, 0b10)
    assert warp.running == (1, 0b01)
    assert warp.jump(1, 10) == 0  # not marked: it runs past the one that waits there
    warp.marked[3] = AFTER
    assert warp.jump(3, 10) == CHECK | MERGED
    warp.branch(10, 20, 11, 0b10)
    warp.marked[20] = BEFORE
    assert warp.fall_into(warp.marked, 20) == CHECK | MERGED
    assert warp.running == (20, 0b11)


def test_an_explicit_marker_checks_behind_itself():
    warp = Warp(MARKERS, 0b11)
    warp.branch(0, 10, 1, 0b10)
    warp.jump(1, 10)
    assert warp.mark(10) == CHECK  # lane 1 stands in front of the marker
    assert warp.running == (10, 0b10)
    assert warp.mark(10) == CHECK | MERGED
    assert warp.running == (11, 0b11)


def test_groups_that_wait_at_one_row_become_one():
    warp = Warp(MIN_PC, 0b111)
    warp.branch(0, 10, 1, 0b001)
    assert warp.branch(1, 10, 2, 0b010) & MERGED
    assert warp.running == (2, 0b100) and warp.groups.running[0, COUNT] == 1


def test_the_largest_group_goes_first_and_of_equal_ones_the_earliest():
    warp = Warp(MIN_PC, ALL_LANES, selection=LARGEST_GROUP)
    warp.branch(0, 10, 1, ~np.int64(7))
    assert warp.running == (10, ~7)
    warp.branch(10, 30, 20, SIGN)  # 60 lanes at 20, 3 at 1, 1 at 30
    assert warp.running[0] == 20
    assert warp.end() == CHECK
    assert warp.running == (1, 7)
    warp = Warp(MIN_PC, 0b11, selection=LARGEST_GROUP)
    warp.branch(0, 10, 1, 0b01)
    assert warp.running == (1, 0b10)


@pytest.mark.parametrize("policy", [MARKERS, MIN_PC, BARRIERS])
def test_held_lanes_are_not_chosen_until_they_are_released(policy: int):
    warp = Warp(policy, 0b11)
    warp.branch(0, 10, 1, 0b10)
    assert warp.hold(1, 5) & CHECK  # lane 0 waits at barrier 5 in row 1
    assert warp.running == (10, 0b10)
    assert warp.hold(10, 5) == NOTHING_CAN_RUN
    assert warp.running == (NOWHERE, 0)
    assert warp.release(4) == NOTHING_CAN_RUN
    assert warp.release(5) == CHECK
    assert warp.running == (2, 0b01)


def test_lanes_held_at_one_barrier_go_on_together_without_a_check():
    warp = Warp(MARKERS, 0b11)
    warp.branch(0, 3, 1, 0b10)
    warp.hold(1, 0)
    warp.jump(3, 1)
    assert warp.hold(1, 0) == MERGED | NOTHING_CAN_RUN
    assert warp.release(0) == 0
    assert warp.running == (2, 0b11)


def test_under_the_stack_a_held_group_holds_its_warp():
    warp = Warp(IPDOM, 0b11)
    warp.branch(0, 10, 1, 0b10, meet=20)
    assert warp.hold(10, 3) == NOTHING_CAN_RUN
    assert warp.release(2) == NOTHING_CAN_RUN
    assert warp.release(3) == 0
    assert warp.running == (11, 0b10)
    warp.jump(11, 20)
    assert warp.running == (1, 0b01)


def test_a_convergence_barrier_waits_for_all_that_take_part():
    warp = Warp(BARRIERS, 0b111)
    warp.bssy(0)
    warp.branch(0, 10, 1, 0b010)
    assert warp.jump(1, 20) == 0
    assert warp.bsync(20, 0) == CHECK
    assert warp.running == (10, 0b010)
    warp.jump(10, 20)
    assert warp.bsync(20, 0) == CHECK | MERGED
    assert warp.running == (21, 0b111)
    assert warp.bsync(30, 0) == CHECK and warp.running == (31, 0b111)  # nobody takes part now


def test_a_barrier_does_not_wait_for_lanes_that_break_it_or_end():
    warp = Warp(BARRIERS, 0b111)
    warp.bssy(0)
    warp.branch(0, 10, 1, 0b110)
    warp.bsync(20, 0)
    assert warp.running == (10, 0b110)
    warp.branch(10, 30, 11, 0b100)
    warp.break_(0)  # lane 1
    assert warp.running == (11, 0b010)
    warp.end()
    assert warp.running == (30, 0b100)
    warp.end()
    assert warp.running == (21, 0b001)
    warp = Warp(BARRIERS, 0b11)
    warp.bssy(0)
    warp.branch(0, 10, 1, 0b10)
    warp.bsync(20, 0)
    assert warp.end() == CHECK
    assert warp.running == (21, 0b01)


def test_groups_that_begin_a_barrier_apart_wait_apart():
    warp = Warp(BARRIERS, 0b1111)
    warp.branch(0, 10, 1, 0b1100)
    warp.bssy(0)
    warp.branch(1, 30, 2, 0b0010)
    warp.bsync(20, 0)
    assert warp.running == (10, 0b1100)
    warp.bssy(0)
    assert warp.bsync(20, 0) == CHECK
    assert warp.running == (21, 0b1100)  # not with lane 0, which waits there for lane 1
    warp.end()
    assert warp.running == (30, 0b0010)
    assert warp.bsync(20, 0) == CHECK | MERGED
    assert warp.running == (21, 0b0011)


def test_who_still_waits_is_known_when_others_have_met():
    warp = Warp(BARRIERS, 0b1111)
    warp.branch(0, 10, 1, 0b1100)
    warp.bssy(0)
    warp.branch(1, 30, 2, 0b0010)
    warp.bsync(20, 0)
    warp.bssy(0)
    warp.branch(11, 40, 12, 0b1000)
    warp.bsync(20, 0)
    assert warp.running == (30, 0b0010)
    assert warp.bsync(20, 0) == CHECK | MERGED
    assert warp.running == (21, 0b0011)
    warp.end()
    assert warp.running == (40, 0b1000)
    assert warp.bsync(20, 0) == CHECK | MERGED  # with lane 2, which waits for it
    assert warp.running == (21, 0b1100)


def spin(policy: int, yield_after: int) -> int | None:
    """Two lanes take a lock by turns: rows 0 bssy, 1 `while not taken`, 2 bsync, 3 unlock, 4 exit.

    Returns the steps it takes, None if it does not end.
    """
    warp = Warp(policy, 0b11, yield_after=yield_after)
    free, events = True, 0
    for step in range(500):
        if events & FINISHED:
            return step
        row, mask = warp.running
        if row == 0:
            warp.bssy(0)
            events = warp.jump(0, 1)
        elif row == 1:
            got = mask & -mask if free else 0
            free = free and not got
            events = warp.branch(1, 1, 2, mask & ~got, meet=2)
        elif row == 2:
            events = warp.bsync(2, 0) if policy == BARRIERS else warp.jump(2, 3)
        elif row == 3:
            free = True
            events = warp.jump(3, 4)
        else:
            events = warp.end()
    return None


def test_a_spin_lock_inside_a_warp_goes_on_only_where_groups_yield():
    assert spin(BARRIERS, yield_after=8) is not None
    assert spin(BARRIERS, yield_after=0) is None
    for policy in (MARKERS, IPDOM, MIN_PC):
        assert spin(policy, yield_after=8) is None


@pytest.mark.parametrize("policy", [MARKERS, MIN_PC, BARRIERS])
def test_lanes_that_act_together_wait_for_each_other(policy: int):
    warp = Warp(policy, 0b111)
    warp.branch(0, 10, 1, 0b110)
    assert warp.meet(5, np.int64(0b011)) == WAITS | CHECK
    assert warp.running == (10, 0b110)
    warp.jump(10, 5)
    assert warp.meet(5, np.int64(0b011)) == MERGED
    assert warp.running[1] == 0b111


def test_lanes_that_wait_for_others_are_left_out():
    """Two tiles of two lanes: each waits for its own."""
    warp = Warp(MARKERS, 0b1111)
    warp.branch(0, 10, 1, 0b1010)
    assert warp.running == (1, 0b0101)
    warp.set_aside(1, np.int64(0b0100))
    assert warp.meet(1, np.int64(0b0011)) & WAITS
    assert warp.running == (1, 0b0100)
    assert warp.meet(1, np.int64(0b1100)) & WAITS
    assert warp.running == (10, 0b1010)
    warp.jump(10, 1)
    warp.set_aside(1, np.int64(0b1000))
    assert warp.meet(1, np.int64(0b0011)) == MERGED
    assert warp.running == (1, 0b0011)
    warp.end()
    assert warp.meet(1, np.int64(0b1100)) == MERGED
    assert warp.running == (1, 0b1100)


def test_nobody_waits_for_lanes_that_have_ended():
    warp = Warp(MARKERS, 0b11)
    warp.branch(0, 10, 1, 0b10)
    assert warp.meet(1, np.int64(0b11)) & WAITS
    assert warp.end() == CHECK
    assert warp.running == (1, 0b01)
    assert warp.meet(1, np.int64(0b11)) == 0


@pytest.mark.parametrize("policy", [MARKERS, MIN_PC, BARRIERS, IPDOM])
def test_every_unfinished_lane_is_in_one_group(policy: int):
    """Whatever happens, in any order; under the stack every lane is in an entry."""
    for seed in range(30):
        random = np.random.default_rng(seed)
        warp = Warp(policy, ALL_LANES, selection=seed % 2, yield_after=3)
        warp.marked[:] = random.integers(0, 4, ROWS)
        for _ in range(150):
            if happen(warp, policy, random) & FINISHED:
                break
            waiting = warp.groups.waiting[0, : warp.groups.running[0, COUNT], LANES].tolist()
            every = 0
            for lanes in (int(warp.groups.running[0, MASK]), *waiting):
                assert policy == IPDOM or every & lanes == 0
                every |= lanes
            assert every == int(warp.groups.running[0, LIVE])


def happen(warp: Warp, policy: int, random: np.random.Generator) -> int:
    """Anything that can happen to the running group."""
    row, mask = warp.running
    row = min(row, ROWS - 4)
    lanes = int(random.integers(-(2**63), 2**63 - 1))
    target, other, barrier = (int(random.integers(0, n)) for n in (60, 60, 3))
    if mask == 0:
        return sum(warp.release(number) & FINISHED for number in range(3))
    kinds = ["branch", "branch", "jump", "hold", "bssy", "bsync", "meet", "leave", "set_aside"]
    choice = random.choice(kinds)
    if choice == "branch":
        return warp.branch(row, target, other, lanes & mask, int(random.integers(-1, 60)))
    if choice == "jump":
        return warp.jump(row, target)
    if choice == "hold":
        return warp.hold(row, barrier)
    if choice == "meet":
        return warp.meet(row, np.int64(lanes))
    if choice == "set_aside":
        lanes &= mask & (mask - 1)  # the first one stays
        return warp.set_aside(row, np.int64(lanes)) or 0 if lanes and policy != IPDOM else 0
    if choice == "leave":
        return warp.end() if random.random() < 0.3 else 0
    if policy != BARRIERS:
        return warp.mark(row)
    return warp.bssy(barrier) if choice == "bssy" else warp.bsync(row, barrier)
