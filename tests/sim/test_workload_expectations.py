"""Expectations: what counts as equal, and what is said about the first difference."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from machines.diagnostics import InputError
from machines.strict_yaml import read_yaml
from sim.expectations import Check, check_expectation, compare, expect

INPUTS = {
    "x": np.array([1e8, -1e8, 1.0], np.float64),
    "i": np.array([1, 2, 3], np.int32),
    "n": np.asarray(2, np.int64),
}


def judge(text: str, got: list | float, dtype: str, folder: Path = Path()) -> Check:
    node = read_yaml(text, "w.yaml")
    assert check_expectation(node, INPUTS) == []
    kinds = {"f32": np.float32, "f64": np.float64, "i32": np.int32, "u32": np.uint32}
    return compare(expect("y", node, INPUTS, dtype, folder), np.asarray(got, kinds[dtype]))


def test_integers_are_exact():
    assert judge('{equals: "i * 2"}', [2, 4, 6], "i32").ok
    wrong = judge('{equals: "i * 2"}', [2, 5, 7], "i32")
    assert str(wrong) == "y[1] is 5, expected 4 by 'i * 2'; 2 of 3 differ"


def test_integers_wrap_to_the_outputs_type():
    assert judge('{equals: "i * 0x40000000"}', [2**30, -(2**31), -(2**30)], "i32").ok
    assert judge('{equals: "i - 2"}', [2**32 - 1, 0, 1], "u32").ok


def test_floats_are_relative_to_their_size():
    assert judge("[1000.0]", [1000.0 * (1 + 0.9e-12)], "f64").ok
    assert not judge("[1000.0]", [1000.0 * (1 + 3e-12)], "f64").ok
    assert judge("[1000.0]", [1000.0 * (1 + 0.9e-6)], "f32").ok
    assert not judge("[1000.0]", [1000.0 * (1 + 3e-6)], "f32").ok


def test_floats_are_no_more_exact_than_their_terms():
    """1e8 - 1e8 + 1: an error of 4·eps·(2e8 + 1) = 1.8e-7 is rounding, more is not."""
    assert judge('{equals: "sum(x)"}', 1.0 + 1.7e-7, "f64").ok
    assert not judge('{equals: "sum(x)"}', 1.0 + 1.9e-7, "f64").ok
    assert not judge('{equals: "sum(x)", atol: 1e-9}', 1.0 + 1.7e-7, "f64").ok


def test_nan_equals_nan_and_an_infinity_itself():
    assert judge("[.nan, .inf]", [np.nan, np.inf], "f64").ok
    assert judge("[.nan, .inf, 1.0]", [1.0, -np.inf, np.nan], "f64").differing == 3


def test_one_number_stands_for_all():
    assert judge("0", [0, 0, 0], "i32").ok


def test_other_lengths_are_wrong_unless_a_prefix_is_asked_for():
    assert "has 4 elements, 3 are expected" in str(judge('{equals: "i"}', [1, 2, 3, 4], "i32"))
    assert judge('{equals: "i", compare: prefix}', [1, 2, 3, 4], "i32").ok
    assert not judge('{equals: "i", compare: prefix}', [1, 2], "i32").ok


def test_matrices_report_both_indices():
    wrong = judge('{equals: "reshape(arange(4), 2, 2)"}', [[0, 1], [9, 3]], "i32")
    assert wrong.first == (1, 0)


def test_files(tmp_path: Path):
    np.save(tmp_path / "y.npy", np.array([1, 2], np.int32))
    assert judge("{file: y.npy}", [1, 2], "i32", tmp_path).ok


def test_oracles_take_arguments_and_expressions():
    assert judge("{oracle: sorted, of: i}", [1, 2, 3], "i32").ok
    assert judge('{oracle: sorted, of: ["i[::-1] * n"]}', [2, 4, 6], "i32").ok


def test_a_float_cannot_be_expected_of_integers():
    with pytest.raises(InputError, match="the expectation is a float"):
        judge('{equals: "i / 2"}', [0, 1, 1], "i32")
