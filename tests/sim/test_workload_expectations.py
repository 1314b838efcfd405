"""Expectations: what counts as equal, and what is said about the first difference."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from machines.diagnostics import InputError
from machines.strict_yaml import read_yaml
from sim.expectations import Check, check_expectation, compare, expect
from sim.inputs import DTYPES

INPUTS = {
    "x": np.array([1e8, -1e8, 1.0], np.float64),
    "i": np.array([1, 2, 3], np.int32),
    "n": np.asarray(2, np.int64),
}


def judge(text: str, got: object, dtype: str, folder: Path = Path()) -> Check:
    """Compare `got` with the expectation: an array as the output y, a number as what returns."""
    output = np.asarray(got, DTYPES[dtype])
    inputs = {**INPUTS, "y": np.zeros_like(output)}
    node = read_yaml(text, "w.yaml")
    assert check_expectation(node, inputs) == []
    name = "y" if output.ndim else "return"
    return compare(expect(name, node, inputs, dtype, folder), output)


def test_integers_are_exact():
    assert judge('{equals: "i * 2"}', [2, 4, 6], "i32").ok
    wrong = judge('{equals: "i * 2"}', [2, 5, 7], "i32")
    assert str(wrong) == "y[1] is 5, expected 4 by 'i * 2'; 2 of 3 differ"


def test_integers_do_not_wrap_to_the_outputs_type_unless_they_are_told_to():
    assert judge('{equals: "i32(i * 0x40000000)"}', [2**30, -(2**31), -(2**30)], "i32").ok
    assert judge('{equals: "u32(i - 2)"}', [2**32 - 1, 0, 1], "u32").ok
    for text, got, dtype in [
        ('{equals: "i * 0x40000000"}', [2**30, -(2**31), -(2**30)], "i32"),
        ('{equals: "i - 2"}', [2**32 - 1, 0, 1], "u32"),
        ('{equals: "i + 25600"}', [1, 2, 3], "u8"),
        ('{equals: "4294967295"}', -1, "i32"),
    ]:
        with pytest.raises(InputError, match="cannot hold"):
            judge(text, got, dtype)


@pytest.mark.parametrize(
    "text, got, dtype",
    [
        ("4294967295", -1, "i32"),
        ("18446744073709551615", -1, "i64"),
        ("-1", 2**64 - 1, "u64"),
        ("[257]", [1], "u8"),
        ("{values: [-255]}", [1], "u8"),
        ("1e39", 1.0, "f32"),
        ("1" + 399 * "0", 1.0, "f64"),
    ],
)
def test_numbers_that_the_output_cannot_hold_are_refused(text: str, got: object, dtype: str):
    with pytest.raises(InputError, match=f"does not fit into {dtype}"):
        judge(text, got, dtype)


def test_all_64_bits_of_an_unsigned_output_are_compared():
    assert judge("[18446744073709551615]", [2**64 - 1], "u64").ok
    assert judge('{equals: "y - 1"}', [2**64 - 1], "u64").ok
    wrong = judge('{equals: "y - 1"}', [2**63 - 1], "u64")
    assert (wrong.expected, wrong.got) == (2**64 - 1, 2**63 - 1)


def test_booleans():
    assert judge("[true, false]", [True, False], "boolean").ok
    assert not judge("true", False, "boolean").ok
    assert judge('{equals: "i > 1"}', [False, True, True], "boolean").ok
    for text, got, dtype in [("true", 1, "i32"), ("2", True, "boolean")]:
        with pytest.raises(InputError, match=r"expected a number, found true|not a boolean"):
            judge(text, got, dtype)


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


@pytest.mark.parametrize(
    "text, got",
    [
        ('{equals: "i"}', [1, 2, 3, 4]),
        ('{equals: "i"}', [[1, 2, 3]]),
        ('{equals: "reshape(arange(6), 3, 2)"}', [[0, 1, 2], [3, 4, 5]]),
        ('{equals: "i", compare: prefix}', [1, 2]),
        ("[1, 2, 3, 4]", [[1, 2], [3, 4]]),
        ("[[1, 2], [3, 4]]", [1, 2, 3, 4]),
        ("{values: [1, 2, 3]}", [[1, 2], [3, 4]]),
        ("{values: [1, 2, 3], compare: prefix}", [[1, 2], [3, 4]]),
        ("[1]", 1),
        ('{equals: "i[:1]"}', 1),
    ],
)
def test_other_shapes_are_refused(text: str, got: object):
    with pytest.raises(InputError, match=r"'(y|return)' is .*, the expectation an array of shape"):
        judge(text, got, "i32")


@pytest.mark.parametrize(
    "text, got",
    [
        ("[[1, 2], [3, 4]]", [[1, 2], [3, 4]]),
        ("{values: [1, 2, 3, 4]}", [[1, 2], [3, 4]]),
        ("{values: [1]}", 1),
        ('{equals: "i", compare: prefix}', [1, 2, 3, 4]),
        ("{values: [1, 2], compare: prefix}", [[1, 2], [3, 4]]),
        ("{values: [], compare: prefix}", []),
    ],
)
def test_these_shapes_agree(text: str, got: object):
    assert judge(text, got, "i32").ok


def test_a_prefix_leaves_the_rest_alone():
    assert judge("{values: [1, 9], compare: prefix}", [1, 2, 3], "i32").compared == 2
    assert not judge("{values: [1, 9], compare: prefix}", [1, 2, 3], "i32").ok
    with pytest.raises(InputError, match="a single number, of which there is no prefix"):
        judge("{values: [1], compare: prefix}", 1, "i32")


def test_an_expectation_of_nothing_is_refused():
    for text in ("{values: [], compare: prefix}", '{equals: "i[:0]", compare: prefix}'):
        with pytest.raises(InputError, match="nothing is expected of 'y'"):
            judge(text, [1, 2], "i32")


@pytest.mark.parametrize("tolerance", ["rtol: .inf", "atol: .inf", "rtol: .nan", "atol: -1"])
def test_tolerances_are_finite_and_not_negative(tolerance: str):
    node = read_yaml(f'{{equals: "x", {tolerance}}}', "w.yaml")
    (finding,) = check_expectation(node, INPUTS)
    assert "finite" in finding.message or "greater than or equal to 0" in finding.message


def test_integers_have_no_tolerance():
    with pytest.raises(InputError, match="compared exactly: there is no 'rtol'"):
        judge('{equals: "i", rtol: 0.5}', [1, 2, 3], "i32")


def test_matrices_report_both_indices():
    wrong = judge('{equals: "reshape(arange(4), 2, 2)"}', [[0, 1], [9, 3]], "i32")
    assert wrong.first == (1, 0)


def test_files(tmp_path: Path):
    matrix = np.array([[1, 2, 3], [4, 5, 6]], np.int32)
    np.save(tmp_path / "c.npy", matrix)
    np.save(tmp_path / "f.npy", np.asfortranarray(matrix))
    np.save(tmp_path / "t.npy", np.ascontiguousarray(matrix.T))
    np.save(tmp_path / "one.npy", np.int32(7))
    (tmp_path / "raw").write_bytes(matrix.tobytes())
    for file in ("c.npy", "f.npy", "raw"):
        assert judge(f"{{file: {file}}}", matrix, "i32", tmp_path).ok
    assert judge("{file: one.npy}", 7, "i32", tmp_path).ok
    with pytest.raises(InputError, match=r"the expectation an array of shape \[3, 2\]"):
        judge("{file: t.npy}", matrix, "i32", tmp_path)


def test_oracles_take_arguments_and_expressions():
    assert judge("{oracle: sorted, of: i}", [1, 2, 3], "i32").ok
    assert judge('{oracle: sorted, of: ["i[::-1] * n"]}', [2, 4, 6], "i32").ok


def test_a_float_cannot_be_expected_of_integers():
    with pytest.raises(InputError, match="the expectation is a float"):
        judge('{equals: "i / 2"}', [0, 1, 1], "i32")
    with pytest.raises(InputError, match=r"-1\.0 is not an integer"):
        judge("-1.0", -1, "i32")


def test_oracles_refuse_what_they_do_not_take():
    data = np.frombuffer(b"123456789", np.uint8)
    inputs = {"data": data, "wide": data.astype(np.int32), "x": data.astype(float)}

    def crc(of: str) -> int:
        node = read_yaml(f'{{oracle: crc32, of: ["{of}"]}}', "w.yaml")
        return int(expect("return", node, inputs, "u32", Path()).value.value)

    assert crc("data") == crc("data[0:9]") == crc("wide * 1") == 0xCBF43926
    for of, words in [
        ("wide", r"i32\[9\]"),
        ("x", r"f64\[9\]"),
        ("wide * 9", r"i64\[9\]"),
        ("data[0]", "u8"),
    ]:
        with pytest.raises(InputError, match=f"takes u8\\[n\\] as 'data', this is {words}"):
            crc(of)


def test_an_oracle_without_an_answer(recwarn: pytest.WarningsRecorder):
    with pytest.raises(InputError, match="the oracle has no answer"):
        judge("{oracle: pointer_chase, of: [i, n]}", 1, "i64")
    assert not recwarn
