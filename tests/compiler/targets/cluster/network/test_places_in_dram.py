"""Where tensors stand in DRAM: no two at one time at one place, and close together."""

from __future__ import annotations

import random

import pytest

from compiler.targets.cluster.network.memory import _at_one_time, _in_order, _placed, _Span


def spans_of(seed: int) -> list[_Span]:
    draw, found = random.Random(seed), []
    for number in range(draw.randrange(1, 40)):
        first = draw.randrange(30)
        last = min(first + draw.choice((0, 1, 1, 2, 3, 20)), 30)
        found.append(_Span(f"t{number}", draw.randrange(1, 500), first, last))
    return found


@pytest.mark.parametrize("seed", range(60))
def test_no_two_at_once_at_one_place(seed):
    spans, unit = spans_of(seed), random.Random(seed).choice((1, 16))
    places, total = _placed(spans, unit)
    for k, one in enumerate(spans):
        assert places[one.tensor] % unit == 0 and places[one.tensor] + one.count <= total
        for other in spans[:k]:
            if one.meets(other):
                low, high = sorted((one, other), key=lambda span: places[span.tensor])
                assert places[low.tensor] + low.count <= places[high.tensor]
    by_size = _in_order(sorted(spans, key=lambda span: -span.count), unit)
    assert total <= max(end for _, end, _ in by_size)
    assert total <= 1.05 * _at_one_time(spans, unit)


def test_where_the_largest_first_leave_gaps():
    spans = spans_of(11)
    by_size = _in_order(sorted(spans, key=lambda span: -span.count), 16)
    least = _at_one_time(spans, 16)
    assert max(end for _, end, _ in by_size) > 1.1 * least
    assert _placed(spans, 16)[1] < 1.01 * least
