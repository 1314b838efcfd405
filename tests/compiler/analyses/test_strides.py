"""Intervals with strides against the sets of their elements."""

from __future__ import annotations

import random

import pytest

from compiler.analyses.memory.strides import intervals_are_apart
from compiler.ir.module import Descriptor

pytestmark = pytest.mark.quick


def elements(one: Descriptor) -> set[int]:
    starts = {one.low}
    for count, stride in one.steps:
        starts = {start + k * stride for start in starts for k in range(count)}
    return {start + k for start in starts for k in range(one.high - one.low)}


def some(rng: random.Random, strides: list[int]) -> Descriptor:
    low = rng.randrange(12)
    steps = tuple((rng.randint(1, 4), stride) for stride in strides)
    return Descriptor("a", low, low + rng.randint(1, 6), steps)


@pytest.mark.parametrize("seed", range(4))
def test_equal_strides_are_exact(seed: int):
    rng, apart = random.Random(seed), 0
    for _ in range(500):
        strides = [rng.choice((3, 7, 8, 20)) for _ in range(rng.randint(0, 2))]
        a, b = some(rng, strides), some(rng, strides)
        assert intervals_are_apart(a, b) == elements(a).isdisjoint(elements(b)), (a, b)
        plain = some(rng, [])
        assert intervals_are_apart(a, plain) == elements(a).isdisjoint(elements(plain)), (a, plain)
        apart += intervals_are_apart(a, b)
    assert 50 < apart < 450


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ((0, 2, ((4, 8),)), (2, 4, ((4, 9),))),  # other strides
        ((0, 2, ((4, 0),)), (2, 4, ((4, 0),))),  # all at one place
        ((0, 2, ((4, -8),)), (2, 4, ((4, -8),))),
        ((0, "n", ()), (8, 9, ())),  # a bound that is not known
        ((0, 2, (("n", 8),)), (2, 4, ((4, 8),))),
    ],
)
def test_what_is_not_known_is_taken_to_meet(a: tuple, b: tuple):
    assert not intervals_are_apart(Descriptor("a", *a), Descriptor("a", *b))


def test_other_buffers_are_not_asked_about():
    assert not intervals_are_apart(Descriptor("a", 0, 1), Descriptor("b", 4, 5))
