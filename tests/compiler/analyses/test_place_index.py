"""The index of places against asking them one by one."""

from __future__ import annotations

from random import Random

import pytest

from compiler.analyses.memory.addresses import Extent, Place
from compiler.analyses.memory.place_index import PlaceIndex
from compiler.analyses.values.affine import Polynomial

BASES = tuple(Polynomial.atom(name, 64) for name in "pq")
ENDS = (-(1 << 63), (1 << 63) - 8)


def some_place(random: Random) -> Place:
    """In a buffer, behind one of two bases, both, or anywhere; near the ends of memory too."""
    kind = random.randrange(5)
    low, size = random.randrange(16), random.randrange(1, 9)
    extent = Extent(random.choice("ab"), low, low + size)
    if kind == 0:
        return extent.place
    if kind == 1:
        return Place(None, 0, size, extent)
    offset = low + random.choice((0, 0, 0, *ENDS))
    base = random.choice(BASES)
    known = extent if kind == 2 and base is BASES[0] and 0 <= offset < 16 else None
    return Place(base, offset, size, known and Extent("a", low, low + size))


@pytest.mark.parametrize("seed", range(40))
def test_the_index_says_what_the_places_say(seed):
    random = Random(seed)
    places = [some_place(random) for _ in range(12)]
    index = PlaceIndex(places)
    for place in (*places, *(some_place(random) for _ in range(6))):
        met = sum(1 << k for k, other in enumerate(places) if place.may_meet(other))
        assert index.meeting(place) == met
        if place.base is not None:
            parts = sum(1 << k for k, other in enumerate(places) if _is_part(other, place))
            assert index.parts(place) == parts
            assert index.inside(place) & parts == parts
            for k, other in enumerate(places):
                if index.inside(place) >> k & 1:
                    assert _is_part(other, place) or _is_held(other.extent, place)


def _is_part(part: Place, whole: Place) -> bool:
    ahead = part.offset - whole.offset
    return part.base == whole.base and ahead >= 0 and ahead + part.size <= whole.size


def _is_held(extent: Extent | None, whole: Place) -> bool:
    """Whether a whole place is all of an extent, and this one inside that."""
    around = whole.extent
    return (
        extent is not None
        and around is not None
        and around.high - around.low == whole.size
        and extent.buffer == around.buffer
        and around.low <= extent.low
        and extent.high <= around.high
    )
