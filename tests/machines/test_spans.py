"""Things that span some of a line: those that meet a span are among those near it."""

from __future__ import annotations

from random import Random

from machines.tensors.spans import Spans


def test_whatever_meets_a_span_is_near_it():
    draw = Random(1)
    for _ in range(30):
        spans: Spans[tuple[int, int]] = Spans()
        lows = [draw.randrange(200) for _ in range(draw.randrange(1, 12))]
        placed = [(low, low + draw.choice([1, 2, 3, 8, 50])) for low in lows]
        for one in placed:
            spans.add(one, *one)
        for _ in range(30):
            low = draw.randrange(220)
            high = low + draw.choice([1, 2, 9, 64])
            near = spans.near(low, high)
            meet = {one for one in placed if one[0] < high and low < one[1]}
            assert meet <= set(near) and len(near) <= len(placed)
