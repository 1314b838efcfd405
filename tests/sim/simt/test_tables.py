"""Arrays of pointers and of structures as arguments, and what is refused of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sim
from machines.diagnostics import InputError
from machines.layout import BASE

PROGRAM = Path(__file__).parents[2] / "compiler" / "frontends" / "ptx" / "pointers.ptx"
X, Y = np.array([1, 2, 3, 4, 5], np.float32), np.array([10, 20], np.float32)


def run(kernel: str, listed: list, given: dict, machine: str = "teaching_gpu", **more: object):
    launch = {"kernel": kernel, "grid": [1], "block": [32], "arguments": listed}
    return sim.run(
        {
            "workload": "tables", "program": str(PROGRAM), "machine": machine,
            "arguments": {"x": X, "y": Y, **given}, "launches": [launch], **more,
        }
    )  # fmt: skip


ROWS = {"rows": {"table": ["x", "x + 2", None, "y + n - 3"]}, "n": 4}
OUT = {"out": np.full(4, -1, np.float32)}


def of_rows(**given: object):
    given = {**ROWS, "lengths": np.array([5, 3, 7, 1], np.int32), **OUT, **given}
    return run("sum_rows", ["rows", "lengths", "n", "out"], given)


def test_an_array_of_pointers():
    result = of_rows()
    assert result.outputs["out"].tolist() == [15, 12, 0, 20]
    rows = result.outputs["rows"]
    assert rows.dtype == np.uint64 and rows[2] == 0 and rows[0] >= BASE
    assert rows[1] - rows[0] == 8


def test_arrays_behind_tables_are_no_parameters_of_their_own():
    """Where a launch lists no arguments, parameters get what is left, in order."""
    lengths = np.array([5, 3, 7, 1], np.int32)
    result = sim.run(
        {
            "workload": "tables", "program": str(PROGRAM), "entry": "sum_rows",
            "machine": "teaching_gpu", "launch": {"grid": [1], "block": [32]},
            "arguments": {"x": X, "y": Y, "rows": ROWS["rows"], "lengths": lengths, "n": 4, **OUT},
        }
    )  # fmt: skip
    assert result.outputs["out"].tolist() == [15, 12, 0, 20]


def cell(data: str | None, count: int) -> dict:
    return {"struct": [{"ptr": data}, {"i32": count}]}


def test_structures_with_pointers_in_memory_and_by_value():
    outer = {"struct": [cell("y", 1), {"f64": 2.0}, {"ptr": "rows"}]}
    given = {
        "cells": {"table": [cell("x", 5), cell("y + 1", 1)]}, "outer": outer,
        "rows": {"table": ["x", "x + 2"]}, "n": 2, "out": np.zeros(2, np.float32),
    }  # fmt: skip
    result = run("sum_cells", ["cells", "n", "outer", "out"], given)
    assert result.outputs["out"].tolist() == [15 * 2 + 20 + 1, 20 * 2 + 20 + 3]
    assert result.outputs["cells"].shape == (2, 16)


def test_elements_point_at_whole_elements_of_their_own_table():
    nodes = [cell("nodes + 2", 1), cell(None, 2), cell("nodes + 1", 3)]
    given = {"nodes": {"table": nodes}, "out": np.zeros(1, np.int32), "rows": {"table": ["x", "y"]}}
    more = {"kernel": "sum_rows", "grid": [1], "block": [1], "arguments": ["rows", "out", 0, "x"]}
    launch = {"kernel": "walk", "grid": [1], "block": [1], "arguments": ["nodes", "out"]}
    result = sim.run(
        {
            "workload": "tables", "program": str(PROGRAM), "machine": "teaching_gpu",
            "arguments": {"x": X, "y": Y, **given}, "launches": [launch, more],
        }
    )  # fmt: skip
    assert result.outputs["out"].tolist() == [132]


def test_a_table_may_be_expected():
    node = cell(None, 7)
    given = {
        "nodes": {"table": [node]},
        "out": np.zeros(1, np.int32),
        "rows": {"table": ["x", "y"]},
    }
    launch = {"kernel": "walk", "grid": [1], "block": [1], "arguments": ["nodes", "out"]}
    reads = {"kernel": "sum_rows", "grid": [1], "block": [1], "arguments": ["rows", "out", 0, "x"]}
    result = sim.run(
        {
            "workload": "tables", "program": str(PROGRAM), "machine": "teaching_gpu",
            "arguments": {"x": X, "y": Y, **given}, "launches": [launch, reads],
            "expect": {"rows": {"equals": "rows"}, "out": {"values": [7]}},
        }
    )  # fmt: skip
    assert result.ok


@pytest.mark.parametrize(
    "rows, message",
    [
        ({"table": []}, "a table is a list of pointers or structures, which is not empty"),
        ({"table": "x"}, "a table is a list"),
        ({"table": ["x"], "dtype": "u64"}, "a table has no 'dtype'"),
        ({"table": ["x", 3]}, "pointers or structures as elements, and this is a number"),
        ({"table": ["n"]}, "this is a number"),
        ({"table": ["z"]}, "there is no argument 'z'"),
        ({"table": ["x", cell("y", 1)]}, "the first is a pointer, this a structure of 16 bytes"),
        ({"table": ["y", "x + 6"]}, "the offset into 'x' is 6"),
        ({"table": ["x", "y", "rows + 4"]}, "the offset into 'rows' is 4"),
        ({"table": [{"struct": [{"ptr": ["x", "y"]}, {"i32": 3.5}]}]}, "3.5 is not an integer"),
    ],
)
def test_what_is_no_table(rows: dict, message: str):
    with pytest.raises(InputError, match=message):
        of_rows(rows=rows, x=X, y=Y)


def test_a_table_is_no_number():
    given = {**ROWS, "lengths": np.array([1], np.int32), **OUT}
    with pytest.raises(InputError, match="is a number, not the array 'rows'"):
        run("sum_rows", ["rows", "lengths", "rows", "out"], given)


def test_machines_without_launches_take_none():
    source = "func @f(p: ptr) {\nentry:\n    return\n}\n"
    workload = {
        "workload": "w", "program": "f.sir", "machine": "itanium2",
        "arguments": {"p": {"table": [None]}},
    }  # fmt: skip
    with pytest.raises(InputError, match="itanium2 take no structures, no tables and no null"):
        sim.run(workload, source=source, language=".sir")
