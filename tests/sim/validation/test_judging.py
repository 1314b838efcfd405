"""Errors by class and mechanism, ladders and intervals, worked out by hand."""

from __future__ import annotations

from math import isnan
from pathlib import Path

import numpy as np
import pytest

from sim.validation.benchmarks import Benchmark, BenchmarkForm, Suite
from sim.validation.comparison import Comparison
from sim.validation.judging import (
    Compared,
    by_class,
    by_mechanism,
    interval_of_mean,
    ladders,
    summary,
)
from sim.validation.report import as_content, report_lines


def compared(name, simulated, measured, spread=0.0, **form):
    benchmark = Benchmark(name, Path("w.yaml"), BenchmarkForm(value="kernel", **form))
    return Compared(benchmark, simulated, measured, measured - spread, measured + spread)


FOUR = [
    compared("a", 1.1, 1.0, mechanism="banks"),  # 10 %
    compared("b", 150.0, 100.0, mechanism="banks", **{"class": "held_out"}),  # 50 %
    compared("c", 8.0, 10.0, mechanism="rows", **{"class": "held_out"}),  # 20 %
    compared("d", 1000.0, 1000.0, **{"class": "never_looked_at"}),  # 0 %
]
SUITE = Suite(
    tuple(one.benchmark for one in FOUR),
    {"rows": "of DRAM", "banks": "of shared memory", "none": "shown by nobody"},
    {},
)


def test_mean_median_and_largest():
    found = summary(FOUR)  # 10, 50, 20, 0: the mean is 80 / 4, the median between 10 and 20
    assert found.benchmarks == 4
    assert found.mean == pytest.approx(20) and found.median == pytest.approx(15)
    assert found.largest == pytest.approx(50)


def test_correlation_is_of_logarithms():
    """Measured 1, e, e², simulated 1, e², e: logarithms 0, 1, 2 and 0, 2, 1, whose deviations
    (-1, 0, 1) and (-1, 1, 0) have the product 1 and squares that add up to 2 each."""
    e = float(np.e)
    found = summary([compared("a", 1, 1), compared("b", e * e, e), compared("c", e, e * e)])
    assert found.correlation == pytest.approx(1 / 2)


def test_one_figure_has_no_correlation_and_none_has_nothing():
    assert isnan(summary(FOUR[:1]).correlation) and summary(FOUR[:1]).mean == pytest.approx(10)
    assert isnan(summary([]).mean) and summary([]).benchmarks == 0


@pytest.mark.parametrize(("values", "interval"), [
    ([7], (7, 7)),
    ([5, 5, 5], (5, 5)),
    # of two, both once in four: means 2, 4, 6 with 1/4, 1/2, 1/4
    ([2, 6], (2, 6)),
    # the 9 is drawn k times of 3 with a third each: P(0) = 8/27 > 2.5 %, P(3) = 1/27 > 2.5 %
    ([0, 0, 9], (0, 9)),
    # the 8 is drawn k times of 4 with a fourth each: P(4) = 1/256 < 2.5 % < P(3 or 4) = 13/256
    ([0, 0, 0, 8], (0, 6)),
])  # fmt: skip
def test_the_interval_has_the_middle_95_percent_of_the_means_of_resamples(values, interval):
    assert interval_of_mean(np.array(values, float)) == pytest.approx(interval)


def test_the_interval_of_many_is_about_two_standard_errors():
    """1 000 values, half 0 and half 20: a mean's standard error is 10 / sqrt(1000) = 0.316."""
    low, high = interval_of_mean(np.array([0.0, 20.0] * 500))
    assert low == pytest.approx(10 - 1.96 * 0.316, abs=0.03)
    assert high == pytest.approx(10 + 1.96 * 0.316, abs=0.03)


def test_the_interval_is_the_same_every_time():
    """Means of forty roots all differ, so that other resamples would have other quantiles."""
    values = np.sqrt(np.arange(40.0))
    assert interval_of_mean(values) == interval_of_mean(values.copy())


def test_groups_are_those_of_the_file_in_its_order():
    classes = by_class(FOUR)
    assert {name: [one.benchmark.name for one in group] for name, group in classes.items()} == {
        "chosen_by": ["a"], "held_out": ["b", "c"], "never_looked_at": ["d"],
    }  # fmt: skip
    mechanisms = by_mechanism(SUITE, FOUR)
    assert list(mechanisms) == ["rows", "banks"]  # none of the third; d is of none
    assert summary(mechanisms["banks"]).mean == pytest.approx(30)


def ladder(*steps):
    """Of versions with (simulated, measured, spread of the runs)."""
    there = [compared(f"v{at}", *step) for at, step in enumerate(steps, 1)]
    names = tuple(one.benchmark.name for one in there)
    suite = Suite(tuple(one.benchmark for one in there), {}, {"versions": names})
    return list(ladders(suite, there))


def test_a_ladder_in_the_measured_order():
    (found,) = ladder((30, 29), (20, 25), (10, 5))
    assert found.measured == found.simulated == ("v3", "v2", "v1")
    assert (found.pairs, found.kept) == (3, 3)


def test_versions_that_are_simulated_in_another_order():
    (found,) = ladder((30, 29), (10, 25), (20, 5))
    assert found.measured == ("v3", "v2", "v1") and found.simulated == ("v2", "v3", "v1")
    assert (found.pairs, found.kept) == (3, 2)


def test_equal_figures_of_versions_that_differ_are_not_in_order():
    (found,) = ladder((10, 5), (10, 6))
    assert (found.pairs, found.kept) == (1, 0)


def test_versions_whose_runs_overlap_are_no_pair():
    (found,) = ladder((30, 29, 1), (10, 30.5, 1), (20, 5, 1))
    assert (found.pairs, found.kept) == (2, 1)  # 5 < 29 is kept, 5 < 30.5 is not
    assert ladder((30, 29, 1), (10, 30.5, 1)) == []


def test_of_a_ladder_that_was_not_run_nothing_is_said():
    first = compared("first", 1, 1)
    suite = Suite((first.benchmark,), {}, {"versions": ("first", "second")})
    assert list(ladders(suite, [first])) == []


def test_the_text_says_it_by_class_and_by_mechanism():
    said = list(
        report_lines(Comparison(SUITE, False, FOUR, {"e": 3.0}, {"f": "it hangs\nfor ever"}))
    )
    text = "\n".join(said)
    classes = ["figures were chosen by these", "held out", "never looked at"]
    assert [line for line in said if line in classes] == classes
    assert "  1 benchmark: absolute error 10.0 %" in said
    assert (  # of two the interval is from one to the other, and a line goes through both
        "  2 benchmarks: mean absolute error 35.0 % (20.0 to 50.0), median 35.0 %, "
        "correlation of logarithms 1.0000"
    ) in said
    assert any(
        line.startswith("all 4 benchmarks: mean absolute error 20.0 % (")
        and "median 15.0 %," in line
        for line in said
    )
    assert "  rows             1   20.0 %   20.0 %   20.0 %" in said
    assert "  banks            2   30.0 %   30.0 %   50.0 %" in said
    assert "nothing to compare with\n  e        3.00" in text
    assert "did not run to their end\n  f  it hangs\n     for ever" in text


def test_the_data_say_the_same():
    content = as_content(Comparison(SUITE, False, FOUR, {"e": 3.0}, {"f": "it hangs"}))
    assert content["held_out"]["mape"] == pytest.approx(35)
    assert (content["held_out"]["low"], content["held_out"]["high"]) == pytest.approx((20, 50))
    assert content["chosen_by"]["correlation"] is None
    assert content["never_looked_at"]["figures"]["d"]["error"] == 0
    assert content["all"]["median"] == pytest.approx(15)
    assert list(content["mechanisms"]) == ["rows", "banks"]
    assert content["mechanisms"]["banks"]["what"] == "of shared memory"
    assert content["mechanisms"]["banks"]["largest"] == pytest.approx(50)
    assert content["did_not_run"] == {"f": "it hangs"}
    x = np.log([1.1, 150, 8, 1000]), np.log([1, 100, 10, 1000])
    assert content["all"]["correlation"] == pytest.approx(np.corrcoef(*x)[0, 1])


def test_the_text_of_a_ladder_names_both_orders_where_they_differ():
    there = [compared("one", 10, 5), compared("two", 8, 6), compared("three", 20, 7)]
    suite = Suite(tuple(o.benchmark for o in there), {}, {"versions": ("one", "two", "three")})
    said = list(report_lines(Comparison(suite, compared=there)))
    assert "versions of one kernel: 2 of 3 pairs in the measured order" in said
    assert "  versions  2 of 3  measured one < two < three; here two < one < three" in said


@pytest.mark.parametrize(("names", "said"), [
    ("a", "  a  it hangs"), ("a b", "  a, b  it hangs"), ("a b c", "  a and 2 others  it hangs"),
])  # fmt: skip
def test_what_is_wrong_with_several_is_said_once(names, said):
    broken = dict.fromkeys(names.split(), "it hangs")
    assert list(report_lines(Comparison(SUITE, broken=broken))) == [
        "did not run to their end",
        said,
    ]
