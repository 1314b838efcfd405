"""Segments of strided intervals, against all their elements one by one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from machines.tensors.segments import first_outside, overlap, span

SIZE = 12
COUNTS, STRIDES = st.integers(1, 4), st.integers(-6, 6)


def segments(low: int, high: int, steps: list[tuple[int, int]]) -> list[tuple[int, int]]:
    found = [(low, high)]
    for count, stride in steps:
        found = [
            (low + turn * stride, high + turn * stride)
            for turn in range(count)
            for low, high in found
        ]
    return found


@given(st.integers(-2, 13), st.integers(1, 4), st.lists(st.tuples(COUNTS, STRIDES), max_size=2))
def test_segments(low, length, steps):
    every = segments(low, low + length, steps)
    elements = [element for first, end in every for element in range(first, end)]
    assert span(low, low + length, steps) == (min(elements), max(elements) + 1)
    outside = (one for one in every if one[0] < 0 or one[1] > SIZE)
    assert first_outside(low, low + length, steps, SIZE) == next(outside, None)
    if not overlap(low, low + length, steps):
        assert len(set(elements)) == len(elements)
    elif len(steps) < 2:
        assert len(set(elements)) < len(elements)
