"""Expectations: what counts as equal, and what is said about the first difference."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from machines.description.strict_yaml import read_yaml
from machines.diagnostics import InputError
from machines.elements import DTYPES
from sim.workload.comparison import Check, compare
from sim.workload.expectations import check_expectation, expect

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
    assert judge('{equals: "u64(y - 1)"}', [2**64 - 1], "u64").ok
    wrong = judge('{equals: "u64(y - 1)"}', [2**63 - 1], "u64")
    assert (wrong.expected, wrong.got) == (2**64 - 1, 2**63 - 1)
    for text, dtype in [("y - 1", "u64"), ("y + (1 << 63)", "i64"), ("y + (1 << 64)", "u64")]:
        with pytest.raises(InputError, match=f"{dtype} cannot hold"):
            judge(f'{{equals: "{text}"}}', [0], dtype)


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


def test_integers_carry_no_error():
    """Whatever their size on the way: only what is rounded at the end may be off."""
    text = '{equals: "float((arange(20) * 2654435761) % 1000)"}'
    right = np.arange(20) * 2654435761 % 1000
    for dtype in ("f32", "f64"):
        assert judge(text, right, dtype).ok
        for wrong in (np.zeros(20), np.roll(right, 1), right + 0.001):
            assert not judge(text, wrong, dtype).ok
    for text in ("2 ** 64", "2 ** 62 * 4", "7 ** 77 - 7 ** 77"):
        assert not judge(f'{{equals: "{text}"}}', 3.5, "f64").ok
    assert judge('{equals: "2 ** 64"}', 2.0**64, "f64").ok


def test_what_nothing_rounds_must_be_equal():
    epsilon = np.finfo(np.float32).eps
    assert judge('{equals: "x[::-1] * 2"}', [2, -2e8, 2e8], "f32").ok
    assert not judge('{equals: "x[::-1] * 2"}', [2, -2e8, 2e8 * (1 + epsilon)], "f32").ok
    assert judge('{equals: "x[::-1] * 0.1"}', [0.1, -1e7, 1e7 * (1 + epsilon)], "f32").ok
    assert judge('{equals: "x[::-1] * 2", rtol: 1e-6}', [2, -2e8, 2e8 * (1 + epsilon)], "f32").ok


def test_the_remainder_of_floats():
    """2.6e12 % 1000 is exact to the size of 2.6e12, and means nothing in f32."""
    text = '{equals: "(float(arange(1, 20)) * 2654435761.1) % 1000"}'
    right = np.arange(1.0, 20) * 2654435761.1 % 1000
    assert judge(text, right + 1e-6 * (np.arange(19) == 2), "f64").ok  # 3 times it is rounded
    for wrong in (right + 1e-3, np.roll(right, 1)):
        assert not judge(text, wrong, "f64").ok
    with pytest.raises(InputError, match="would accept zeros"):
        judge(text, right, "f32")


def test_integers_at_the_edge_of_a_rounding_are_not_expected():
    with pytest.raises(InputError, match=r"element \[0\] of what is expected depends on how"):
        judge('{equals: "int(i * 0.7 * 10)"}', [7, 14, 21], "i32")
    assert judge('{equals: "int(i * 0.7 * 10 + 0.5)"}', [7, 14, 21], "i32").ok


@pytest.mark.parametrize(
    "text, accepted",
    [
        ('{equals: "x", atol: 1e300}', "zeros"),
        ('{equals: "x", rtol: 1}', "zeros"),
        ("{values: [1, 2, 1.5], atol: 2}", "zeros"),
        ("{values: [10, 10.5, 10], atol: 1}", "the values moved by one element"),
        ('{equals: "x * 0.999", rtol: 0.01}', "'x' in its place"),
        ('{equals: "(x + 1e24) - 1e24"}', "zeros"),
        ('{equals: "where(abs(x) > 1, 1 / (0.1 * 3 - 0.3), 0)"}', "anything"),
        ('{equals: "x / (0.1 * 3 - 0.1 * 3)"}', "anything"),
        ('{equals: "x // (0.1 * 3 - 0.1 * 3)"}', "anything"),
        ('{equals: "x % (0.1 * 3 - 0.1 * 3)"}', "anything"),
        ('{equals: "(0.1 * 3 - 0.1 * 3 + 0 * x) ** -1.0"}', "anything"),
        ('{equals: "log(0.1 * 3 - 0.1 * 3 + 0 * x)"}', "anything"),
        ('{equals: "sqrt(0.3 - 0.1 * 3 + 0 * x)"}', "anything"),
    ],
)
def test_a_tolerance_that_judges_nothing_is_refused(text: str, accepted: str):
    with pytest.raises(InputError, match=f"the tolerance of 'y' .* would accept {accepted}"):
        judge(text, [30, 50, 40], "f64")


def test_an_untouched_output_is_not_accepted():
    node = read_yaml('{equals: "x + 0.5", atol: 0.6}', "w.yaml")
    with pytest.raises(InputError, match="would accept 'x' as it was"):
        expect("x", node, INPUTS, "f64", Path())


def test_tolerances_of_zero_expectations():
    with pytest.raises(InputError, match="would accept numbers larger than every input"):
        judge("{values: [0, 0], atol: 1e9}", [0, 0], "f64")
    assert judge("{values: [0, 0, 0], atol: 1e-9}", [1e-10, 0, -1e-10], "f64").ok
    assert judge("0", [0.0, 0.0], "f64").ok


def test_the_tolerance_is_told():
    assert str(judge('{equals: "i * 2"}', [2, 4, 6], "i32")) == "y: 3 of 3 as 'i * 2'"
    told = str(judge('{equals: "i / 3"}', [1 / 3, 2 / 3, 1], "f64"))
    assert told == "y: 3 of 3 as 'i / 3' within rtol 1e-12, atol 8.88e-16"
    told = str(judge('{equals: "i / 3", rtol: 1e-3}', [1 / 3, 2 / 3, 2], "f64"))
    assert told.startswith("y[2] is 2.0, expected 1.0 by 'i / 3' within rtol 0.001, atol 8.88e-16;")
    told = str(judge('{equals: "i / 3", rtol: 0, atol: 0.01}', [1 / 3, 2 / 3, 1], "f64"))
    assert told.endswith(" within rtol 0, atol 0.01")
    assert str(judge('{equals: "i * 2.0"}', [2, 4, 6], "f32")) == "y: 3 of 3 as 'i * 2.0'"


def test_floats_that_the_output_cannot_hold():
    with pytest.raises(InputError, match=r"y\[0\] is to be 1e\+64, which f32 cannot hold"):
        judge('{equals: "x ** 8"}', [1, 1, 1], "f32")
    assert judge('{equals: "f32(x ** 8)"}', [np.inf, np.inf, 1], "f32").ok


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
        ("{values: [[1], [2]]}", [1, 2]),
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
        ("{values: [[1, 2], [3, 4]]}", [[1, 2], [3, 4]]),
        ("{values: [[1, 2]], compare: prefix}", [[1, 2], [3, 4]]),
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
    (tmp_path / "all.bin").write_bytes(matrix.tobytes())
    for file in ("c.npy", "f.npy", "all.bin"):
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
        return int(expect("return", node, inputs, "u32", Path()).value)

    assert crc("data") == crc("data[0:9]") == crc("wide * 1") == 0xCBF43926
    for of, words in [
        ("wide", r"i32\[9\]"),
        ("x", r"f64\[9\]"),
        ("wide * 9", r"i64\[9\]"),
        ("data[0]", "u8"),
    ]:
        with pytest.raises(InputError, match=f"takes u8\\[n\\] as 'data', this is {words}"):
            crc(of)


def test_an_oracle_of_the_workloads_own_runs_only_if_it_is_trusted(tmp_path: Path):
    (tmp_path / "own.py").write_text("open('ran', 'w')\n\n\ndef twice(i):\n    return 2 * i\n")
    node = read_yaml('{oracle: "own.py:twice"}', "w.yaml")
    inputs = {**INPUTS, "y": np.zeros(3, np.int32)}
    with pytest.raises(InputError, match="--trust"):
        expect("y", node, inputs, "i32", tmp_path)
    assert not Path("ran").exists() and not (tmp_path / "ran").exists()
    (tmp_path / "own.py").write_text("def twice(i):\n    i *= 2\n    return i\n")
    found = expect("y", node, inputs, "i32", tmp_path, trusted=True)
    assert found.value.tolist() == [2, 4, 6] and inputs["i"].tolist() == [1, 2, 3]


def test_an_oracle_without_an_answer(recwarn: pytest.WarningsRecorder):
    with pytest.raises(InputError, match="the oracle has no answer"):
        judge("{oracle: pointer_chase, of: [i, n]}", 1, "i64")
    assert not recwarn
