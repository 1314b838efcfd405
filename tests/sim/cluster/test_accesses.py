"""What is kept of a memory's accesses, beside all of them."""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest

from machines.kinds.cluster.program import Kernel, ScratchpadBuffer
from machines.types import I8
from sim.cores.cluster.races.accesses import FEW_PLACES, Accesses, Spot
from sim.cores.cluster.races.bytes_touched import Bytes
from sim.cores.cluster.races.order import LANES, Lane, Step, meet
from sim.cores.cluster.races.own_accesses import MOST_UNDER_WAY, OwnAccesses

PARTS = {"a": "a", "b": "a", "c": "c"}
"""`a` stands at 0, `b` at 32, `c` at 4096."""


@dataclass(eq=False)
class Work:
    """A command, which knows when it was given what had ended."""

    lane: Lane
    epoch: int
    bytes: Bytes


def some_bytes(
    stream: random.Random, extent: int, where: str = "abc", stores: float = 0.4
) -> Bytes:
    buffer = stream.choice(where)
    start = {"a": 0, "b": 32, "c": 4096}[buffer] + 4 * stream.randrange(extent)
    steps = ((stream.randrange(2, 4), 16),) if stream.random() < 0.2 else ()
    length = 4 if steps else 4 * stream.randrange(1, 5)
    return Bytes(buffer, "nram", stream.random() < stores, start, length, steps)


class All:
    """Everything that was done, and every one is compared with every other."""

    def __init__(self) -> None:
        self.done: list[Work] = []

    def is_unordered(self, work: Work) -> bool:
        found = any(
            (one.bytes.stores or work.bytes.stores)
            and one.lane is not work.lane
            and not work.lane.core.knows(one.lane, one.epoch)
            and one.bytes.common(work.bytes) is not None
            for one in self.done
        )
        self.done.append(work)
        return found


def check_own(seed: int) -> tuple[int, bool]:
    """One core, which waits now and then; how many commands until nothing says what comes first,
    and whether lists were long."""
    stream = random.Random(f"own {seed}")
    step = Step(0, 1)
    core = step.core()
    step.begins()
    own, everything = OwnAccesses(PARTS), All()
    extent, wait = stream.choice((8, 1000)), stream.choice((0.02, 0.3, 0.9))
    stores, both = stream.choice((0.01, 0.4)), stream.choice((0.02, 0.5))
    lanes = stream.sample(core.lanes, 2)
    for number in range(400):
        lane = lanes[stream.random() < both]
        for queue, where in LANES.items():
            if stream.random() < wait:
                left = stream.randrange(3)
                core.waited(queue, min(left, core.lanes[where].given))
        work = Work(lane, core.give(lane), some_bytes(stream, extent, stores=stores))
        found = own.come(work, Spot(work.bytes))
        assert bool(found) == everything.is_unordered(work), number
        assert all(one.theirs.common(one.ours) for one in found)
        if found:
            return number, bool(own._many)
    return 400, bool(own._many)


def test_what_one_core_has_not_waited_for_is_all_there_is_to_know():
    found = [check_own(seed) for seed in range(60)]
    assert sum(number < 400 for number, _ in found) > 20
    assert sum(number > 50 for number, _ in found) > 8
    assert any(is_long for _, is_long in found)


def check_shared(seed: int) -> tuple[int, int]:
    """Cores that meet; how many commands until nothing says what comes first, and the places."""
    stream = random.Random(f"shared {seed}")
    step = Step(0, 1)
    cores = [step.core() for _ in range(4)]
    step.begins()
    shared, everything = Accesses(), All()
    shared.only = step
    spots: dict[tuple[int, Bytes], Spot] = {}
    extent = stream.choice((100, 4000))
    for number in range(600):
        core = stream.choice(cores)
        lane = core.lanes[stream.randrange(2)]
        if stream.random() < 0.9:
            core.waited(next(iter(LANES)), 0)
        if stream.random() < 0.3:
            come = cores if stream.random() < 0.7 else stream.sample(cores, 2)
            for one in come:
                for queue in LANES:
                    one.waited(queue, 0)
            meet(come)
        one = some_bytes(stream, extent, "c", stores=stream.choice((0.01, 0.4)))
        work = Work(lane, core.give(lane), one)
        found = shared.come(work, spots.setdefault((core.number, one), Spot(one)))
        assert bool(found) == everything.is_unordered(work), number
        if found:
            return number, 0
    return 600, len([*shared.last])


def test_what_all_cores_know_to_have_ended_is_forgotten():
    found = [check_shared(seed) for seed in range(24)]
    assert sum(number < 600 for number, _ in found) > 4
    assert sum(number == 600 for number, _ in found) > 4
    assert max(places for _, places in found) < 300


class Cores:
    """Of a step, which come to DRAM."""

    def __init__(self, count: int):
        self.step = Step(0, 1)
        self.cores = [self.step.core() for _ in range(count)]
        self.step.begins()
        self.shared = Accesses()
        self.shared.only = self.step

    def come(self, number: int, spot: Spot) -> bool:
        """Whether that has no order to something."""
        lane = self.cores[number].lanes[0]
        return bool(self.shared.come(Work(lane, lane.core.give(lane), spot.bytes), spot))

    def meet(self, *numbers: int) -> None:
        cores = [self.cores[number] for number in numbers]
        for core in cores:
            core.waited(next(iter(LANES)), 0)
        meet(cores)

    def sweep(self, *numbers: int) -> None:
        """Come to many places, and meet behind each."""
        for number in range(1, 4 * FEW_PLACES):
            assert not self.come(numbers[0], Spot(word(number)))
            self.meet(*numbers)


def word(number: int) -> Bytes:
    return Bytes("x", "dram", True, 4 * number, 4, ())


def test_a_place_that_was_swept_away_is_looked_for_again():
    two, again = Cores(2), Spot(word(0))
    assert not two.come(0, again)
    two.meet(0, 1)
    two.sweep(0, 1)
    assert not two.come(0, again)
    assert two.come(1, Spot(again.bytes))


def test_what_a_third_core_does_not_know_is_not_forgotten():
    three = Cores(3)
    assert not three.come(0, Spot(word(0)))
    three.meet(0, 1)
    three.sweep(0, 1)
    assert three.come(2, Spot(word(0)))


@pytest.mark.parametrize("meetings", [100, 400])
def test_memory_does_not_grow_with_the_run(meetings: int):
    """Layers that write what nobody comes to again."""
    step = Step(0, 1)
    cores = [step.core() for _ in range(4)]
    step.begins()
    shared = Accesses()
    shared.only = step
    for layer in range(meetings):
        for core in cores:
            for tile in range(8):
                lane = core.lanes[0]
                start = 64 * ((layer * 4 + core.number) * 8 + tile)
                work = Work(lane, core.give(lane), Bytes("x", "dram", True, start, 64, ()))
                assert not shared.come(work, Spot(work.bytes))
            core.waited(next(iter(LANES)), 0)
        meet(cores)
    assert len([*shared.last]) < 300


def test_buffers_that_share_bytes_are_one_part():
    def buffer(name: str, space: str, address: int, size: int) -> ScratchpadBuffer:
        return ScratchpadBuffer(name, I8, size, space, address)

    buffers = (
        buffer("d", "nram", 192, 64), buffer("a", "nram", 0, 100), buffer("b", "nram", 64, 64),
        buffer("c", "nram", 100, 28), buffer("e", "nram", 128, 64), buffer("s", "sram", 0, 256),
        buffer("f", "nram", 130, 8),
    )  # fmt: skip
    parts = Kernel("main", (), buffers).parts
    groups: dict[str, set[str]] = {}
    for name, part in parts.items():
        groups.setdefault(part, set()).add(name)
    assert sorted(map(sorted, groups.values())) == [["a", "b", "c"], ["d"], ["e", "f"], ["s"]]


def test_a_long_list_is_shortened_by_what_has_ended():
    step = Step(0, 1)
    core = step.core()
    step.begins()
    own, lane = OwnAccesses(PARTS), core.lanes[0]
    for number in range(4 * MOST_UNDER_WAY):
        core.waited(next(iter(LANES)), 2)
        one = Bytes("c", "nram", True, 4096 + 4 * number, 4, ())
        own.come(Work(lane, core.give(lane), one), Spot(one))
    assert not own._many
