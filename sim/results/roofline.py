"""The roofline of a run: what its machine can do at most, what the run did of it, what bounds it.

    roofline = roofline_of(work, roofs.peaks(machine), cycles, clock)
    for point in roofline.points: ...

A *roof* is something that a machine has so much of in a cycle: operations of a type, or bytes of a
level of memory.  A kind declares in its vocabulary which there are (`Roofs`): how much a run did of
each, from what was counted, and how much a machine can do of it in a cycle, from its description.
A type of operations and a level of memory make a *point*: so many operations for a byte there
(intensity), so many a second.  Its roof is the lower one of what the units can do and what the
bytes allow, so no point lies above it (Williams, Waterman, Patterson, CACM 52(4), 2009); with a
level each it is the hierarchical roofline that Nsight Compute and Intel Advisor draw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

OPERATIONS, BYTES = "operations", "bytes"
OF = OPERATIONS, BYTES
"""What there is so much of in a cycle."""


@dataclass(frozen=True)
class Roof:
    """What a machine has so much of.

    name  'f32', 'DRAM'
    of    OPERATIONS or BYTES
    peak  in a cycle of the clock, of the whole machine; None of what nothing limits but who asks
    aside whether programs do most of it on the way to something else, as they add to addresses:
          pictures prefer other types
    """

    name: str
    of: str
    peak: Fraction | None
    sentence: str
    aside: bool = False


@dataclass(frozen=True)
class Roofs:
    """What a kind of machine has roofs of (a part of its vocabulary).

    work   of the statistics of a run: how much of each was done, by name; it only grows
    peaks  of the description of a machine: its roofs, operations first, then levels of memory from
           the farthest to the nearest; all names that `work` may have are there
    names  of all roofs that machines of the kind may have
    """

    work: Callable[[Any], Mapping[str, int]]
    peaks: Callable[[Any], Sequence[Roof]]
    names: Callable[[], Sequence[str]]


@dataclass(frozen=True)
class Used:
    """A roof, and how much a run did of it in so many cycles of a clock."""

    roof: Roof
    amount: int
    cycles: int
    clock: int

    @property
    def name(self) -> str:
        return self.roof.name

    @property
    def rate(self) -> Fraction:
        """A second."""
        return Fraction(self.amount * self.clock, self.cycles)

    @property
    def peak(self) -> Fraction | None:
        """A second, at most."""
        return None if self.roof.peak is None else self.roof.peak * self.clock

    @property
    def part(self) -> Fraction | None:
        """Of the most that there could be."""
        return self.rate / self.peak if self.peak else None

    def to_dict(self) -> dict[str, Any]:
        """As plain data; figures of a second."""
        unit = self.roof.of
        return {
            "name": self.name,
            unit: self.amount,
            f"{unit}_per_second": float(self.rate),
            f"peak_{unit}_per_second": None if self.peak is None else float(self.peak),
            "part": None if self.part is None else float(self.part),
        }


@dataclass(frozen=True)
class Point:
    """Operations of a type over the bytes of a level."""

    operations: Used
    level: Used

    @property
    def intensity(self) -> Fraction:
        """Operations for a byte."""
        return Fraction(self.operations.amount, self.level.amount)

    @property
    def achieved(self) -> Fraction:
        """Operations a second."""
        return self.operations.rate

    @property
    def roof(self) -> Fraction | None:
        """Operations a second at most, of such an intensity; None if nothing limits them."""
        limits = [self.operations.peak] if self.operations.peak is not None else []
        if self.level.peak is not None:
            limits.append(self.level.peak * self.intensity)
        return min(limits, default=None)

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "operations": self.operations.name,
            "level": self.level.name,
            "intensity": float(self.intensity),
            "achieved": float(self.achieved),
            "roof": None if self.roof is None else float(self.roof),
        }


@dataclass(frozen=True)
class Roofline:
    """Of a run, or of a region of it: all that its machine has, used or not."""

    operations: Sequence[Used]
    levels: Sequence[Used]

    @property
    def points(self) -> Iterator[Point]:
        """Of what was done, and of levels that bytes were moved at."""
        for one in self.operations:
            for level in self.levels:
                if one.amount and level.amount:
                    yield Point(one, level)

    @property
    def bound(self) -> Used | None:
        """That of which most was used; None if nothing was."""
        known = [one for one in (*self.operations, *self.levels) if one.part]
        return max(known, key=lambda one: one.part, default=None)

    def to_dict(self) -> dict[str, Any]:
        """As plain data: of operations those that were done."""
        bound = self.bound
        return {
            "operations": [one.to_dict() for one in self.operations if one.amount],
            "levels": [one.to_dict() for one in self.levels],
            "points": [point.to_dict() for point in self.points],
            "bound": None if bound is None else {"by": bound.name, "part": float(bound.part)},
        }


def roofline_of(
    work: Mapping[str, int], roofs: Sequence[Roof], cycles: int, clock: int
) -> Roofline | None:
    """Of so much work in so many cycles; None of a run of none.

    Raises ValueError for work that the machine has no roof for, or roofs of one name.
    """
    names = [roof.name for roof in roofs]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"there are two roofs '{name}'")
    for roof in roofs:
        if roof.of not in OF:
            raise ValueError(f"roof '{roof.name}' is of {roof.of!r}, not of {' or '.join(OF)}")
    if unknown := sorted(name for name, amount in work.items() if amount and name not in names):
        raise ValueError(f"there is work of '{unknown[0]}', and no roof for it")
    if not cycles:
        return None
    used = [Used(roof, work.get(roof.name, 0), cycles, clock) for roof in roofs]
    return Roofline(
        [one for one in used if one.roof.of == OPERATIONS],
        [one for one in used if one.roof.of == BYTES],
    )
