"""Ranges begin and end where they say, in the unit that they are written in."""

from __future__ import annotations

from fractions import Fraction

import pytest

from machines.diagnostics import InputError
from sim.studies.levels import Number, Range, number_of


@pytest.mark.parametrize(
    "given, levels",
    [
        (Range(1, 9, step=2), [1, 3, 5, 7, 9]),
        (Range(1, 10, step=4), [1, 5, 9]),
        (Range(0.1, 0.5, step=0.1), [0.1, 0.2, 0.3, 0.4, 0.5]),
        (Range("8 KiB", "64 KiB", factor=2), ["8 KiB", "16 KiB", "32 KiB", "64 KiB"]),
        (Range("512 KiB", "2 MiB", factor=2), ["512 KiB", "1024 KiB", "2048 KiB"]),
        (Range("1 MiB", "2 MiB", step="512 KiB"), ["1 MiB", "1.5 MiB", "2 MiB"]),
        (Range("10 cycles", "14 cycles", step="2 cycles"), ["10 cycles", "12 cycles", "14 cycles"]),
        (Range("10 cycles", "14 cycles", step=2), ["10 cycles", "12 cycles", "14 cycles"]),
        (Range(1, 1000, count=4, scale="log"), [1, 10, 100, 1000]),
        (Range(1, 9, count=3), [1, 5, 9]),
        (Range(5, 5, count=1), [5]),
        (Range(1.0, 2.0, count=2), [1.0, 2.0]),
        (Range(1, 9), None),
    ],
)
def test_a_range(given: Range, levels: list | None):
    assert given.levels() == levels


@pytest.mark.parametrize(
    "given, message",
    [
        (Range(9, 1, step=1), "must not exceed"),
        (Range("8 KiB", "9 cycles", step=1), "not of one unit"),
        (Range("8 KiB", 9, step=1), "not of one unit"),
        (Range("eight", 9, step=1), "'from' is no number: 'eight'"),
        (Range(True, 9, step=1), "'from' is no number"),
        (Range(1, 9, step=0), "above 0"),
        (Range(1, 9, step=-1), "above 0"),
        (Range(1, 9, factor=1), "above 1"),
        (Range(0, 9, factor=2), "begins above 0"),
        (Range(0, 9, count=3, scale="log"), "begins above 0"),
        (Range(1, 9, step=1, count=2), "exclude each other"),
        (Range(1, 9, factor=2, scale="linear"), "scale is log"),
        (Range(1, 9, count=2, scale="lin"), "'scale' is one of"),
        (Range(1, 10**9, step=1), "more than 100000 levels"),
        (Range("1 MiB", "2 MiB", step="2 cycles"), "not of the unit"),
        (Range(1, 9, count=0), "'count' is between"),
        (Range(1, 3, count=9), "there are not 9 whole numbers from 1 to 3"),
        (Range(1, 10**9, factor=1.0001), "more than 1000 levels"),
    ],
)
def test_what_is_none(given: Range, message: str):
    with pytest.raises(InputError, match=message):
        given.levels()


def test_numbers_in_base_units():
    assert number_of("8 KiB").base == 8192
    assert number_of("1.5 GHz").base == 1.5e9
    assert number_of("2 us").base == 2000
    assert number_of(3).base == 3
    assert number_of("3 apples") is number_of("x") is number_of(None) is number_of(True) is None
    assert number_of(float("nan")) is None
    assert Number(Fraction(3, 2), "MiB").plain == "1.5 MiB"


def test_between_two_ends():
    """Whole ends have whole numbers between them, by equal factors where that is asked."""
    span = Range("8 KiB", "32 KiB", scale="log").span()
    assert [span.at(s) for s in (0, 0.5, 1)] == ["8 KiB", "16 KiB", "32 KiB"]
    assert Range(0, 10).span().at(0.26) == 3
    assert Range(0.0, 10.0).span().at(0.25) == 2.5


EVEN = [
    (Range(0, 3), 4),
    (Range(-2, 7), 10),
    (Range("1 KiB", "1030 B"), 7),
    (Range("4 cycles", "9 cycles"), 6),
    (Range(5, 5), 1),
]


@pytest.mark.parametrize(("given", "count"), EVEN)
def test_whole_numbers_are_drawn_evenly(given: Range, count: int):
    """Each by an equal part of [0, 1), ends too; on the borders of parts the next one begins."""
    span = given.span()
    low, high = span.low.exact, span.high.exact
    assert high - low + 1 == count
    levels = [span.written(low + k) for k in range(count)]
    assert [span.drawn(Fraction(k, count)) for k in range(count)] == levels
    almost = Fraction(1, 10**9)
    assert [span.drawn(Fraction(k + 1, count) - almost) for k in range(count)] == levels


def test_whole_numbers_by_equal_factors_are_drawn_by_their_part_of_the_way():
    span = Range(1, 7, scale="log").span()
    drawn = [span.drawn((k + 0.5) / 3000) for k in range(3000)]
    assert [drawn.count(2**k) for k in range(3)] == [1000, 585, 322]  # log 2, log 5/4 of log 8
    assert sum(drawn.count(k) for k in (2, 3)) == sum(drawn.count(k) for k in range(4, 8)) == 1000
    assert Range(0.0, 1.0).span().drawn(0.25) == 0.25
