"""Rotating registers for the values of a modulo schedule.

    II = 2, x: written at 0, read at 5     iteration 0   x in r32 at 0, seen as r34 at 5
                                           iteration 1   x in r32 at 2, seen as r34 at 7
    three iterations' x are alive at once, in three registers, under names that move up by one with
    every rotation.

A value that is written in stage s into register R is named R + k, k rotations later.  In physical
terms iteration i's value lives in register R - s - i of the ring; two values may share one if they
are not alive at the same time.  So for every pair of values some differences between their R are
forbidden, modulo the size of the ring.  Values are placed first fit, in several orders.

B. R. Rau, M. Lee, P. P. Tirumalai, M. S. Schlansker, "Register allocation for software pipelined
loops", PLDI 1992.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lifetime:
    """A value of the loop.

    start     flat time at which it is first written
    end       flat time of its last read, omega * II included; the register is still taken then
    live_in   how many iterations before the first one its value is read of: that many are written
              before the loop
    live_out  the last iteration's value is read after the loop
    is_guarded   only the loop's iterations write it.  If not, the passes that fill and drain the
                 pipeline write it too, for iterations that there are not, over what is live_in as
                 well
    last_write   flat time at which it may be changed for the last time; None: there is one write
    """

    name: str
    start: int
    end: int
    live_in: int = 0
    live_out: bool = False
    is_guarded: bool = True
    last_write: int | None = None


@dataclass(frozen=True, slots=True)
class _RingLifetime:
    """A lifetime as the ring sees it.

    stage        of the first write
    first, last  the times that the value of iteration 0 takes
    rest         the last time that the last iteration's takes, if it were iteration 0
    before       how many are there before the loop
    is_guarded   as in Lifetime
    written      the stage of the last write
    low, high    the names it goes by, from its R on
    """

    name: str
    stage: int
    first: int
    last: int
    rest: int
    before: int
    is_guarded: bool
    written: int
    low: int
    high: int


def allocate(
    lifetimes: Sequence[Lifetime], ii: int, stages: int, size: int
) -> dict[str, int] | None:
    """The register, from 0, that each value is written to; None if none was found.

    Every name that the loop and what stands around it use lies within 0 … size - 1: R when it is
    written, R + k after k rotations, R - s + j for the value of iteration -j before the loop, and
    R + stages - s for the last value after it.
    """
    on_ring = [_on_ring(lifetime, ii, stages) for lifetime in lifetimes]
    for order in _ORDERS:
        found = _first_fit(sorted(on_ring, key=order), ii, size)
        if found is not None:
            return found
    return None


def smallest_ring(
    lifetimes: Sequence[Lifetime], ii: int, stages: int, sizes: Iterable[int]
) -> tuple[int, dict[str, int]] | None:
    """The first of several sizes that is enough, and the registers in it."""
    for size in sizes:
        if most_alive(lifetimes, ii) <= size:
            found = allocate(lifetimes, ii, stages, size)
            if found is not None:
                return size, found
    return None


def most_alive(lifetimes: Iterable[Lifetime], ii: int) -> int:
    """The most values that are alive in one cycle of the kernel: no ring can be smaller."""
    alive = [0] * ii
    for lifetime in lifetimes:
        for time in range(lifetime.start, max(lifetime.start, lifetime.end) + 1):
            alive[time % ii] += 1
    return max(alive, default=0)


def _on_ring(lifetime: Lifetime, ii: int, stages: int) -> _RingLifetime:
    stage = lifetime.start // ii
    last = max(lifetime.start, lifetime.end)
    rest, low, high = last, 0, last // ii - stage
    if lifetime.live_in:
        low, high = min(low, 1 - stage), max(high, lifetime.live_in - stage)
    if lifetime.live_out:
        rest, high = max(last, stages * ii - 1), max(high, stages - stage)
    return _RingLifetime(
        name=lifetime.name,
        stage=stage,
        first=lifetime.start,
        last=last,
        rest=rest,
        before=lifetime.live_in,
        is_guarded=lifetime.is_guarded,
        written=stage if lifetime.last_write is None else lifetime.last_write // ii,
        low=low,
        high=high,
    )


_ORDERS: tuple[Callable[[_RingLifetime], tuple], ...] = (
    lambda p: (p.first, -p.last, p.name),
    lambda p: (p.first - p.last, p.first, p.name),
    lambda p: (p.last, p.first, p.name),
)
"""By start, by length, by end."""


def _first_fit(lifetimes: list[_RingLifetime], ii: int, size: int) -> dict[str, int] | None:
    whole = (1 << size) - 1
    found: dict[str, int] = {}
    placed: list[tuple[_RingLifetime, int]] = []
    for lifetime in lifetimes:
        low, high = max(0, -lifetime.low), size - 1 - max(0, lifetime.high)
        free = whole >> low << low & (1 << high + 1) - 1 if high >= low else 0
        if any(m and m % size == 0 for m in _meetings(lifetime, lifetime, ii)):
            return None  # it would meet itself
        for other, register in placed:
            for m in _meetings(lifetime, other, ii):
                free &= ~(1 << (register - other.stage + lifetime.stage + m) % size)
        if not free:
            return None
        register = (free & -free).bit_length() - 1
        placed.append((lifetime, register))
        found[lifetime.name] = register
    return found


def _meetings(lifetime: _RingLifetime, other: _RingLifetime, ii: int) -> Iterator[int]:
    """The m for which iteration i + m of `lifetime` and some iteration i of `other` are alive in
    one cycle.  They are in one register of the ring if their R - s differ by m."""
    yield from _overlaps(lifetime, other.first, other.last, ii)
    # The values there before the loop, from -1 on, with those that are written in it.
    for j in range(1, other.before + 1):
        end = (other.last - j * ii - lifetime.first) // ii
        yield from (j + i for i in range(_first_iteration(lifetime), end + 1))
        yield from (j - k for k in range(1, lifetime.before + 1))
    for j in range(1, lifetime.before + 1):
        end = (lifetime.last - j * ii - other.first) // ii
        yield from (-j - i for i in range(_first_iteration(other), end + 1))
    # The last iteration's value outlives the loop, in which no later one writes if it is guarded.
    later = _overlaps(lifetime, other.first, other.rest, ii)
    yield from (m for m in later if m <= 0 or not lifetime.is_guarded)
    later = _overlaps(other, lifetime.first, lifetime.rest, ii)
    yield from (-m for m in later if m <= 0 or not other.is_guarded)


def _first_iteration(lifetime: _RingLifetime) -> int:
    """The first iteration whose write of a value happens while the loop runs."""
    return 0 if lifetime.is_guarded else -lifetime.written


def _overlaps(lifetime: _RingLifetime, first: int, last: int, ii: int) -> range:
    """The iterations of `lifetime` whose value is alive at some time from `first` to `last`."""
    return range(-((lifetime.last - first) // ii), (last - lifetime.first) // ii + 1)
