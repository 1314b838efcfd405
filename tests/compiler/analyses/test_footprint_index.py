"""The index of footprints against asking them one by one."""

from __future__ import annotations

from random import Random

import pytest

from compiler.analyses.memory.addresses import Extent, Footprint
from compiler.analyses.memory.footprint_index import FootprintIndex
from compiler.analyses.values.affine import Polynomial

BASES = tuple(Polynomial.atom(name, 64) for name in "pq")
ENDS = (-(1 << 63), (1 << 63) - 8)


def some_footprint(random: Random) -> Footprint:
    """In a buffer, behind one of two bases, both, or anywhere; near the ends of memory too."""
    kind = random.randrange(5)
    low, size = random.randrange(16), random.randrange(1, 9)
    extent = Extent(random.choice("ab"), low, low + size)
    if kind == 0:
        return extent.footprint
    if kind == 1:
        return Footprint(None, 0, size, extent)
    offset = low + random.choice((0, 0, 0, *ENDS))
    base = random.choice(BASES)
    known = extent if kind == 2 and base is BASES[0] and 0 <= offset < 16 else None
    return Footprint(base, offset, size, known and Extent("a", low, low + size))


@pytest.mark.parametrize("seed", range(40))
def test_the_index_says_what_the_footprints_say(seed):
    random = Random(seed)
    footprints = [some_footprint(random) for _ in range(12)]
    index = FootprintIndex(footprints)
    for footprint in (*footprints, *(some_footprint(random) for _ in range(6))):
        met = sum(1 << k for k, other in enumerate(footprints) if footprint.may_meet(other))
        assert index.meeting(footprint) == met
        if footprint.base is not None:
            parts = sum(1 << k for k, other in enumerate(footprints) if _is_part(other, footprint))
            assert index.parts(footprint) == parts
            assert index.inside(footprint) & parts == parts
            for k, other in enumerate(footprints):
                if index.inside(footprint) >> k & 1:
                    assert _is_part(other, footprint) or _is_held(other.extent, footprint)


def _is_part(part: Footprint, whole: Footprint) -> bool:
    ahead = part.offset - whole.offset
    return part.base == whole.base and ahead >= 0 and ahead + part.size <= whole.size


def _is_held(extent: Extent | None, whole: Footprint) -> bool:
    """Whether a whole footprint is all of an extent, and this one inside that."""
    around = whole.extent
    return (
        extent is not None
        and around is not None
        and around.high - around.low == whole.size
        and extent.buffer == around.buffer
        and around.low <= extent.low
        and extent.high <= around.high
    )
