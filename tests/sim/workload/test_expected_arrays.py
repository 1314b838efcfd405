"""A numpy array as what is expected: what it costs, and that it says what a list says."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from machines.diagnostics import InputError
from sim.workload.comparison import compare
from sim.workload.expectations import expect
from sim.workload.schema import workload_of


@pytest.fixture(autouse=True)
def program(tmp_path: Path, monkeypatch):
    """Workloads from Python name programs beside them: in the current folder."""
    (tmp_path / "fill.ptx").write_text("")
    monkeypatch.chdir(tmp_path)


def expectation(value: object):
    """The node of what is expected of y."""
    content = {
        "workload": "w",
        "program": "fill.ptx",
        "machine": "teaching_gpu",
        "arguments": {"y": {"dtype": "i32", "shape": [4], "value": 0}},
        "expect": {"y": value},
    }
    return workload_of(content).case().expect["y"]


def judged(value: object, got: list, dtype: str = "i32"):
    """What comparing `got` with an expectation says, or why there is none."""
    output = np.array(
        got, {"i32": np.int32, "u8": np.uint8, "f32": np.float32, "boolean": bool}[dtype]
    )
    inputs = {"y": np.zeros_like(output)}
    try:
        return compare(expect("y", expectation(value), inputs, dtype, Path()), output)
    except InputError as error:
        return [(one.message, one.hint) for one in error.diagnostics]


def calls(count: int) -> int:
    """Python's calls for an expectation of so many elements, from the caller's array on."""
    counted = 0

    def count_one(frame, event, argument):
        nonlocal counted
        counted += event == "call"

    array = np.full(count, np.iinfo(np.int32).min, np.int32)
    sys.setprofile(count_one)
    try:
        assert compare(expect("y", expectation(array), {"y": array}, "i32", Path()), array).ok
    finally:
        sys.setprofile(None)
    return counted


def test_an_array_costs_a_comparison():
    calls(10)
    assert calls(100_000) < calls(10) + 100


def test_where_an_expectation_is_from_is_said_without_printing_it(monkeypatch):
    """Nor do lists get printed whole."""
    node = expectation([0] * 1000)
    monkeypatch.setattr(type(node), "__repr__", lambda self: pytest.fail("printed"))
    zeros = np.zeros(1000, np.int32)
    assert expect("y", node, {"y": zeros}, "i32", Path()).source == "given"


@pytest.mark.parametrize("dtype", ["i32", "u8", "f32", "boolean"])
@pytest.mark.parametrize(
    "array",
    [
        np.array([0, 1, 1, 0], np.int64),
        np.array([0, 1, 1, 0], np.uint8),
        np.array([0, 1, 1, 0], ">i4"),
        np.array([0, 1, 256, -1], np.int16),
        np.array([0, 1, 2**40, -1], np.int64),
        np.array([0.0, 1.0, 1.0, 0.5], np.float32),
        np.array([0.0, 1.0, 1e300, np.nan], np.float64),
        np.array([0.0, np.inf, 1.0, 0.0], np.float64),
        np.array([False, True, True, False]),
        np.array([0, 1, 1, 0], object),
        np.array(["a", "b", "c", "d"]),
        np.array([[0, 1], [1, 0]], np.int32),
        np.array([0, 1, 1], np.int32),
    ],
    ids=lambda array: f"{array.dtype}-{array.flat[-1]}",
)
def test_an_array_says_what_a_list_says(array: np.ndarray, dtype: str):
    try:
        listed = judged(array.tolist(), [0, 1, 1, 0], dtype)
    except InputError as error:
        listed = [one.message for one in error.diagnostics]
    try:
        given = judged(array, [0, 1, 1, 0], dtype)
    except InputError as error:
        given = [one.message for one in error.diagnostics]
    assert given == listed
