"""Registers of values in a rotating file: nobody's value is overwritten while it is read."""

from __future__ import annotations

import random

from compiler.targets.epic.scheduling.rotating_registers import (
    Lifetime,
    allocate,
    most_alive,
    smallest_ring,
)
from tests.campaign.seeds import campaign, check_all


def names_of(lifetime: Lifetime, register: int, ii: int, stages: int) -> list[int]:
    """Every name that the documentation of `allocate` gives a value."""
    stage = lifetime.start // ii
    last = max(lifetime.start, lifetime.end) // ii - stage
    names = [register + k for k in range(last + 1)]
    names += [register - stage + j for j in range(1, lifetime.live_in + 1)]
    return names + ([register + stages - stage] if lifetime.live_out else [])


def run_loop(
    lifetimes: list[Lifetime],
    registers: dict[str, int],
    ii: int,
    stages: int,
    size: int,
    trips: int,
) -> None:
    """Execute a loop of `trips` iterations on a ring that really rotates, value by value."""
    ring: list[tuple[str, int] | None] = [None] * size  # by physical place

    def place(name: int, rotations: int) -> int:
        assert 0 <= name < size
        return (name - rotations) % size

    events: dict[int, list] = {}
    for life in lifetimes:
        base, stage = registers[life.name], life.start // ii
        for j in range(1, life.live_in + 1):
            ring[place(base - stage + j, 0)] = (life.name, -j)
        surplus = 0 if life.is_guarded else stages
        for i in range(-max(surplus, life.live_in), trips + surplus):
            if 0 <= i < trips or not life.is_guarded:
                events.setdefault(life.start + i * ii, []).append(("write", life, i))
            reads = max(life.start, life.end) + i * ii
            if reads >= 0 and life.end > life.start and -life.live_in <= i < trips:
                events.setdefault(reads, []).append(("read", life, i))
    passes = trips + stages - 1
    for time in sorted(t for t in events if 0 <= t < passes * ii):
        rotations = time // ii
        for what, life, i in sorted(events[time], key=lambda event: event[0], reverse=True):
            base, stage = registers[life.name], life.start // ii
            if what == "write":
                ring[place(base, rotations)] = (life.name, i)
        for what, life, i in events[time]:
            if what == "read":
                base, stage = registers[life.name], life.start // ii
                name = base + (time - i * ii) // ii - stage
                assert ring[place(name, rotations)] == (life.name, i)
    for life in lifetimes:
        if life.live_out:
            name = registers[life.name] + stages - life.start // ii
            assert ring[place(name, passes)] == (life.name, trips - 1)


def random_lifetimes(seed: int) -> tuple[list[Lifetime], int, int]:
    draw = random.Random(seed)
    ii, stages = draw.randint(1, 6), draw.randint(1, 8)
    found = []
    for number in range(draw.randint(1, 14)):
        start = draw.randrange(ii * stages)
        live_in = draw.choice((0, 0, 0, 1, 2))
        end = draw.randint(start, ii * stages - 1 + ii * live_in)
        is_guarded = live_in > 0 or draw.random() < 0.6
        found.append(Lifetime(f"v{number}", start, end, live_in, draw.random() < 0.2, is_guarded))
    return found, ii, stages


def check_lifetimes(seed: int) -> None:
    lifetimes, ii, stages = random_lifetimes(seed)
    size, registers = smallest_ring(lifetimes, ii, stages, range(1, 97))
    for lifetime in lifetimes:
        names = names_of(lifetime, registers[lifetime.name], ii, stages)
        assert min(names) >= 0 and max(names) < size
    for trips in (1, 2, 3, stages, stages + 1, 2 * size):
        run_loop(lifetimes, registers, ii, stages, size, trips)


def test_no_value_is_lost():
    check_all(check_lifetimes, range(300))


@campaign(500)
def test_no_value_is_lost_in_many(seeds):
    check_all(check_lifetimes, seeds)


def test_a_value_of_five_cycles_needs_three_registers():
    x = Lifetime("x", 0, 5)
    assert most_alive([x], 2) == 3
    assert allocate([x], 2, 3, 2) is None
    assert allocate([x], 2, 3, 3) == {"x": 0}


def test_what_is_read_of_the_iteration_before_has_a_register_before_the_loop():
    """A sum of stage 1: r[R] is written, r[R + 1] read; the first value goes to r[R - 1 + 1]."""
    assert allocate([Lifetime("sum", 3, 5, live_in=1)], 2, 2, 2) == {"sum": 0}


def test_none_if_the_ring_is_too_small():
    values = [Lifetime(f"v{n}", 0, 3) for n in range(4)]
    assert allocate(values, 4, 1, 3) is None
    assert set(allocate(values, 4, 1, 4).values()) == {0, 1, 2, 3}
