"""Transfers that share links, against a model that looks at every cycle: exact where one link is
shared, within a hundredth of their time where ways cross on several."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from functools import partial

import pytest
import simpy

from sim.cores.cluster.transfers.sharing import Network, Transfer
from tests.campaign.seeds import campaign, check_all, short_form
from tests.sim.cluster.cycle_links import Load, handed_out, served_in_turn

WIDTHS = [Fraction(n) for n in (1, 2, 3, 16, 64, 128, 512)]
WIDTHS += [Fraction(512, 5), Fraction(98), Fraction(128, 3), Fraction(400, 7)]
SHARE = Fraction(1, 100)
"""Of a transfer's time by which it may end early or late."""
ROUNDING = 2
"""Cycles: what is less than a piece."""


def ended(capacities: Sequence[Fraction], turn: int, loads: Sequence[Load]) -> list[int]:
    """When each transfer ends on the links of the simulator."""
    environment = simpy.Environment()
    network = Network(environment, capacities, turn)
    links = [network.link(f"link {k}", width) for k, width in enumerate(capacities)]
    done = [-1] * len(loads)

    def go(number: int, load: Load):
        yield environment.timeout(load.start)

        def end() -> None:
            assert done[number] == -1
            done[number] = int(environment.now)

        way = tuple((links[link], size) for link, size in load.way)
        network.start(Transfer((0, number), load.size, way, end))

    for number, load in enumerate(loads):
        environment.process(go(number, load))
    environment.run()
    assert all(link.users == {} for link in links)
    return done


def check_one_link(seed: int) -> None:
    """Every transfer goes over one link, and over one of its own that is no narrower."""
    rng = random.Random(seed)
    width = rng.choice(WIDTHS)
    turn = rng.choice([1, 7, 16, 64, 512])
    count = rng.randrange(1, 10)
    own = [width * rng.choice([1, 1, 2, 5]) for _ in range(count)]
    late = rng.choice([1, 20, 200])
    loads = []
    for number in range(count):
        size = rng.choice([1, turn, 3 * turn, rng.randrange(1, 3000), rng.randrange(1, 3000)])
        loads.append(
            Load(rng.choice([0, rng.randrange(late)]), size, ((number + 1, size), (0, size)))
        )
    assert ended([width, *own], turn, loads) == served_in_turn(width, turn, loads)


def check_crossing_ways(seed: int) -> None:
    """Each goes over a link of its own and some of several shared ones, with more or fewer
    bytes there: parts of it on controllers, lines that are written twice, rows that are opened."""
    rng = random.Random(seed)
    shared = [rng.choice(WIDTHS[3:]) for _ in range(rng.randrange(2, 7))]
    count = rng.randrange(2, 11)
    own = [rng.choice(WIDTHS[3:]) for _ in range(count)]
    turn = rng.choice([16, 64])
    loads = []
    for number in range(count):
        size = rng.randrange(8_000, 80_000, 4)
        chosen = rng.sample(range(len(shared)), rng.randrange(1, min(4, len(shared)) + 1))
        way = [(link, size * rng.choice([4, 4, 4, 8, 2, 1, 25]) // 4) for link in chosen]
        start = rng.choice([0, rng.randrange(1500)])
        loads.append(Load(start, size, ((len(shared) + number, size), *way)))
    found = ended([*shared, *own], turn, loads)
    wanted = handed_out([*shared, *own], loads)
    for load, end, want in zip(loads, found, wanted, strict=True):
        assert abs(end - want) <= SHARE * (want - load.start) + ROUNDING, (found, wanted)


@pytest.mark.parametrize("seed", range(60))
def test_one_link_is_served_in_turn(seed):
    check_one_link(seed)


@pytest.mark.parametrize("seed", short_form(range(12), 1))
def test_ways_that_cross(seed):
    check_crossing_ways(seed)


@campaign(part=75, first=0, end=300)
def test_many_mixes(seeds):
    check_all(check_one_link, seeds)
    check_all(check_crossing_ways, seeds)


def test_turns_are_taken_again_when_who_met_them_elsewhere_is_gone():
    """Two share link 0, which is the narrowest for both; a third meets the first on link 1."""
    environment = simpy.Environment()
    network = Network(environment, [Fraction(16)] * 2, 64)
    narrow, other = (network.link(name, Fraction(width)) for name, width in (("a", 4), ("b", 16)))
    ends: dict[str, int] = {}
    for number, (name, size, way) in enumerate(
        (("first", 4096, (narrow, other)), ("second", 4096, (narrow,)), ("third", 256, (other,)))
    ):
        way = tuple((link, size) for link in way)
        done = partial(lambda name: ends.setdefault(name, int(environment.now)), name)
        network.start(Transfer((number,), size, way, done))
    environment.run(until=10)
    assert narrow.turns is None and not ends
    environment.run(until=100)
    assert [*ends] == ["third"] and narrow.turns is not None
    environment.run()
    assert ends["second"] - ends["first"] <= 64 / 4 and ends["second"] == 2 * 4096 / 4
