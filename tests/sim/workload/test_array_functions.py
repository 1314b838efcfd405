"""Functions of arrays run: arguments of every type go in, results of every type come out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sim
from compiler.levels.arrays import depth
from machines.diagnostics import InputError
from machines.elements import DTYPES
from sim.results.result import Result
from tests.sim.array_functions import line_of, ran, workload_of
from tests.sim.conftest import UPDATE

MACHINES = ("itanium2", "teaching_gpu")
on_machines = pytest.mark.parametrize("machine", MACHINES)

LANES = {
    "a": 2.0,
    "x": {"dtype": "f32", "shape": [50], "random": {"seed": 1, "low": -1, "high": 1}},
    "y": {"dtype": "f32", "shape": [50], "random": {"seed": 2, "low": -1, "high": 1}},
}
VARYING = {"vectorize": {"over": ["x", "y"]}, "allow": ["unchecked"]}
MATRIX = {
    "rows": {"values": {"parts": [[0, 1, 0], [1.0, 2.0, 3.0]]}, "lengths": [2, 0, 1]},
    "x": [3.0, 4.0],
}


def outputs(result: Result) -> dict[str, Any]:
    assert result.status == "done", result.fault
    return {name: array.tolist() for name, array in result.outputs.items()}


@on_machines
def test_saxpy_of_lanes(machine: str, tmp_path: Path):
    expect = {"return": {"equals": "a * x + y"}}
    result = ran(tmp_path, "saxpy", LANES, machine=machine, expect=expect, **VARYING)
    assert result.ok and result.checks[0].compared == 50
    assert list(result.outputs) == ["return"] and result.outputs["return"].dtype == np.float32
    assert result.returned is None


def test_saxpy_of_one_lane_gives_a_number(tmp_path: Path):
    result = ran(tmp_path, "saxpy", {"a": 2.0, "x": 3.0, "y": 0.5}, expect={"return": 6.5})
    assert result.ok and result.returned == 6.5 and result.outputs == {}


@on_machines
def test_a_sparse_matrix_of_ragged_rows(machine: str, tmp_path: Path):
    result = ran(tmp_path, "spmv", MATRIX, machine=machine, expect={"return": [11.0, 0.0, 9.0]})
    assert result.ok


@on_machines
def test_a_filter_whose_length_the_run_tells(machine: str, tmp_path: Path):
    result = ran(tmp_path, "positive", {"xs": [1, -2, 3, 0, 5]}, machine=machine)
    assert outputs(result) == {"return": [1, 3, 5]}


def test_a_wrong_length_is_a_failed_check(tmp_path: Path):
    result = ran(tmp_path, "positive", {"xs": [1, -2, 3]}, expect={"return": [1, 3, 5]})
    assert not result.ok and result.exit_code == 1
    assert str(result.checks[0]) == "return has 2 elements, expected 3 by given"
    assert result.to_dict()["checks"][0]["lengths"] == {"expected": 3, "got": 2}


def test_forms_of_expectation(tmp_path: Path):
    (tmp_path / "own.py").write_text("def kept(xs):\n    return xs[xs > 0]\n")
    np.save(tmp_path / "wanted.npy", np.array([1, 3, 5], np.int32))
    forms = [
        {"oracle": "own.py:kept", "of": ["xs"]}, {"values": [1, 3, 5]}, {"file": "wanted.npy"},
        {"values": [1, 3], "compare": "prefix"},
    ]  # fmt: skip
    for form in forms:
        path = workload_of(tmp_path, "positive", {"xs": [1, -2, 3, 5]}, expect={"return": form})
        assert sim.run(path, trust=True).ok, form
    result = ran(tmp_path, "positive", {"xs": [1, 1, 2]}, expect={"return": 1})
    assert str(result.checks[0]).startswith("return[2] is 2, expected 1 by given")


@on_machines
def test_a_tuple_is_several_outputs(machine: str, tmp_path: Path):
    expect = {
        "return.0": 2,
        "return.1.0": {"equals": "xs"},
        "return.1.1": [1, 0, 1],
        "return.2": 250,
    }
    result = ran(tmp_path, "summary", {"xs": [1, -2, 3], "k": 250}, machine=machine, expect=expect)
    assert result.ok, [str(check) for check in result.checks]
    assert [str(array.dtype) for array in result.outputs.values()] == [
        "int32", "int32", "bool", "uint8",
    ]  # fmt: skip
    assert result.returned is None


@on_machines
def test_rows_come_out_one_behind_another(machine: str, tmp_path: Path):
    assert outputs(ran(tmp_path, "triangle", {"n": 4}, machine=machine)) == {
        "return.lengths": [0, 1, 2, 3],
        "return.values.0": [0, 0, 1, 0, 1, 2],
        "return.values.1": [False, False, False, False, False, True],
    }


def test_a_tuple_with_an_array_goes_in(tmp_path: Path):
    expect = {"return.0": {"equals": "t_1 * 1"}, "return.1": {"equals": "t_0"}}
    result = ran(tmp_path, "swapped", {"t": {"parts": [0.1, [-7, 8]]}}, expect=expect)
    assert result.ok and outputs(result) == {"return.0": [-7, 8], "return.1": 0.1}


def test_more_arguments_than_registers(tmp_path: Path):
    arrays = {name: [k, 2 * k, 5] for k, name in enumerate("abcdefg")}
    given = {**arrays, "p": True, "h": [10, 20, 30], "k": 0.1}
    for p, wanted in ((True, [10, 20, 35]), (False, [-10, -20, -25])):
        result = ran(tmp_path, "many", {**given, "p": p})
        assert outputs(result) == {"return.0": wanted, "return.1": 0.1}


NOTHING = {
    "spmv": {"rows": {"values": {"parts": [[], []]}, "lengths": []}, "x": []},
    "positive": {"xs": []},
    "saxpy": {"a": 1.0, "x": [], "y": []},
}


@pytest.mark.parametrize("entry", NOTHING)
def test_nothing_in_nothing_out(entry: str, tmp_path: Path):
    more = VARYING if entry == "saxpy" else {}
    assert outputs(ran(tmp_path, entry, NOTHING[entry], **more)) == {"return": []}


def test_rows_of_no_elements(tmp_path: Path):
    given = {"rows": {"values": {"parts": [[], []]}, "lengths": [0, 0]}, "x": [1.0]}
    assert outputs(ran(tmp_path, "spmv", given)) == {"return": [0.0, 0.0]}
    assert outputs(ran(tmp_path, "triangle", {"n": 0})) == {
        "return.lengths": [], "return.values.0": [], "return.values.1": [],
    }  # fmt: skip


ROWS = [
    [[4, 5], [6, 7]],
    {"dtype": "i32", "shape": [2, 2], "range": {"start": 4}},
    {"values": [4, 5, 6, 7], "lengths": [2, 2]},
    {"values": {"dtype": "i32", "values": [4, 5, 6, 7]},
     "lengths": {"dtype": "i64", "shape": [2], "value": 2}},
]  # fmt: skip


@pytest.mark.parametrize("rows", ROWS)
def test_ways_to_write_rows(rows: Any, tmp_path: Path):
    over = {"vectorize": {"over": ["xs", "i"], "rules": "none"}}
    assert outputs(ran(tmp_path, "at", {"xs": rows, "i": [1, 0]}, **over)) == {"return": [5, 6]}


def test_parts_have_names_in_expressions(tmp_path: Path):
    over = {"vectorize": {"over": ["xs", "i"]}}
    given = {"xs": {"values": [4, 5, 6], "lengths": [2, 1]}, "i": [1, 0]}
    expect = {"return": {"equals": "xs_values[1:] + xs_lengths * 0"}}
    assert ran(tmp_path, "at", given, expect=expect, **over).ok


ELEMENTS = {
    "u8": [0, 255], "u16": [0, 65535], "u32": [0, 2**32 - 1], "u64": [0, 2**64 - 1],
    "i8": [-128, 127], "i16": [-(2**15), 2**15 - 1], "i64": [-(2**63), 2**63 - 1],
    "boolean": [False, True], "f32": [-0.5, 3.0e38], "f64": [0.1, -1e300],
}  # fmt: skip


@on_machines
@pytest.mark.parametrize("dtype", ELEMENTS)
def test_elements_of_every_type(dtype: str, machine: str, tmp_path: Path):
    program = (
        "from __future__ import annotations\nfrom compiler.kernel import *\n\n\n"
        f"@function\ndef f(xs: {dtype}[:], x: {dtype}) -> tuple[{dtype}[:], {dtype}]:\n"
        "    return ([xs[1 - i] for i in range(2)], x)\n"
    )
    values = ELEMENTS[dtype]
    given = {"xs": values, "x": values[1]}
    got = ran(tmp_path, "f", given, program=program, machine=machine).outputs
    wanted = np.array(values, DTYPES[dtype])
    assert got["return.0"].dtype == got["return.1"].dtype == wanted.dtype
    assert got["return.0"].tolist() == wanted[::-1].tolist() and got["return.1"] == wanted[1]


def test_arrays_of_a_caller(tmp_path: Path):
    path = workload_of(tmp_path, "spmv", MATRIX)
    parts = [np.array([1, 0], np.int32), np.array([2, 3], np.float32)]
    rows = {"values": {"parts": parts}, "lengths": np.array([1, 1])}
    assert outputs(sim.run(path, arguments={"rows": rows})) == {"return": [8.0, 9.0]}


# ---- Faults --------------------------------------------------------------------------------------

FAULTS = [
    ("at", {"xs": [4, 5], "i": 2}, {}, "index out of range", "xs[i]"),
    ("quotients", {"xs": [4], "d": 0}, {}, "division by zero", "x // d"),
    ("positive", {"xs": {"dtype": "i32", "shape": [999], "value": 1}}, {"scratch": "1KiB"},
     "scratch memory too small", "[x for x"),
]  # fmt: skip


@on_machines
@pytest.mark.parametrize("entry, arguments, more, kind, place", FAULTS)
def test_a_fault_has_its_place(
    entry: str, arguments: Any, more: Any, kind: str, place: str, machine: str, tmp_path: Path
):
    result = ran(tmp_path, entry, arguments, machine=machine, expect={"return": 1}, **more)
    assert result.status == "fault" and result.exit_code == 3
    assert result.outputs == {} and result.checks == [] and result.returned is None
    assert result.fault["kind"] == kind and result.fault["cycle"] <= result.cycles
    assert result.fault["location"]["file"] == "functions.py"
    assert result.fault["location"]["line"] == line_of(place)
    assert result.fault["message"].startswith(f"functions.py:{line_of(place)}:")
    assert ("'scratch: SIZE'" in result.fault["message"]) == ("scratch" in kind)


@pytest.mark.parametrize("size", [64, 68, 72, 76, 90, 101, 127, 128])
def test_an_arena_of_any_size_is_enough_or_too_small(size: int, tmp_path: Path):
    """Its last words, its head, and sizes that are no whole words, are where room can be found
    that is not there."""
    result = ran(tmp_path, "positive", {"xs": [1, -2, 3, 0, 5]}, scratch=f"{size} B")
    if size < 128:
        assert result.fault["kind"] == "scratch memory too small"
    else:
        assert outputs(result) == {"return": [1, 3, 5]}


# ---- Programs and what is made of them -----------------------------------------------------------


GRAPH = """\
func mean(arr: f32[:]) -> f32 {
    s1 = const.f32 0.0
    s2 = reduce[add.f32](s1, arr): f32
    s3 = length(arr): i64
    s4 = float_s.i64.f32(s3): f32
    s5 = div.f32(s2, s4): f32
    return s5
}
"""


def test_a_graph_runs(tmp_path: Path):
    (tmp_path / "mean.graph").write_text(GRAPH)
    path = workload_of(
        tmp_path, "mean", {"arr": {"values": [1, 2, 4, 5], "lengths": [3, 1]}},
        vectorize={"over": ["arr"]}, expect={"return": {"values": [7 / 3, 5]}},
    )  # fmt: skip
    path.write_text(path.read_text().replace("functions.py", "mean.graph"))
    assert sim.run(path).ok


@pytest.mark.parametrize("more", [{}, {"vectorize": {"over": ["x"]}}])
def test_a_graph_that_takes_a_function_is_no_program(more: Any, tmp_path: Path):
    text = "func f(g: (f32) -> f32, x: f32) -> f32 {\n    s1 = apply(g, x): f32\n    return s1\n}\n"
    (tmp_path / "f.graph").write_text(text)
    path = workload_of(tmp_path, "f", {"g": 1.0, "x": 1.0}, **more)
    path.write_text(path.read_text().replace("functions.py", "f.graph"))
    with pytest.raises(InputError, match=r"f.graph:1:6: error: the parameter 'g' is a function"):
        sim.run(path)


def test_definitions_too_far_behind_each_other(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(depth, "_DEPTH", 0)
    count = 4 * sys.getrecursionlimit()
    lines = [f"    s{i + 1} = each.neg.f32({f's{i}' if i else 'x'}): f32[:]" for i in range(count)]
    text = "\n".join(["func f(x: f32[:]) -> f32[:] {", *lines, f"    return s{count}", "}", ""])
    (tmp_path / "f.graph").write_text(text)
    path = workload_of(tmp_path, "f", {"x": [1.0]}, vectorize={"over": ["x"]})
    path.write_text(path.read_text().replace("functions.py", "f.graph"))
    with pytest.raises(InputError, match=r"f.graph:\d+:\d+: error: its definitions are nested"):
        sim.run(path)


def test_a_part_and_a_parameter_of_one_name(tmp_path: Path):
    text = """
from compiler.kernel import f32, function

@function
def f(x: tuple[f32, f32], x_0: f32) -> f32:
    return x[0] + x_0
"""
    with pytest.raises(InputError, match="'x_0' is a parameter, and what expressions call a part"):
        ran(tmp_path, "f", {"x": {"parts": [1.0, 2.0]}, "x_0": 5.0}, program=text)


def test_a_function_is_written_for_other_tools(tmp_path: Path, simrun):
    path = workload_of(tmp_path, "spmv", MATRIX)
    assert "scratch" in simrun(str(path), "--emit", str(tmp_path / "spmv.s")).out
    arrays = {name: [1] for name in "abcdefgh"}
    path = workload_of(tmp_path, "many", {**arrays, "p": True, "k": 0.1})
    refused = simrun(str(path), "--emit", str(tmp_path / "many.s"))
    assert refused.code == 2 and "than registers: h" in refused.err


def test_sums_of_products_are_rounded_once_where_that_is_allowed(tmp_path: Path):
    head = "from compiler.kernel import f64, function\n\n\n@function\n"
    text = head + "def f(a: f64, c: f64) -> f64:\n    return a * a + c\n"
    given = {"a": 1.0000000001, "c": -1.0}
    found = [
        ran(tmp_path, "f", given, program=text, **more).returned
        for more in ({}, {"allow": ["contract"]})
    ]
    assert found == [2.000000165480742e-10, 2.000000165580742e-10]


# ---- Passes and what is kept ---------------------------------------------------------------------


def test_options_reach_whatever_passes_there_are(tmp_path: Path):
    expect = {"return": {"equals": "a * x + y"}}
    path = workload_of(tmp_path, "saxpy", LANES, expect=expect, **VARYING)
    plain = sim.run(path)
    assert plain.ok and plain.provenance["passes"] == [
        "default",
        {"vectorize": {"over": "x,y", "allow": "unchecked"}},
        {"lower_graph": {"allow": "unchecked"}},
    ]
    assert sim.run(path, passes="default,-number_values").ok
    passes = ["default", {"vectorize": {"over": "x,y"}}]
    written = workload_of(tmp_path, "saxpy", LANES, expect=expect, passes=passes)
    assert sim.run(written).ok


def test_what_is_allowed_makes_another_program(tmp_path: Path):
    given = {"xs": [4, 5], "i": 1}
    checked, unchecked = (ran(tmp_path, "at", given, allow=a) for a in ([], ["unchecked"]))
    assert checked.returned == unchecked.returned == 5
    assert checked.provenance["program"] != unchecked.provenance["program"]


def test_rules_of_a_file_beside_the_workload(tmp_path: Path):
    (tmp_path / "own_rules.py").write_text("")
    over = {"over": ["x", "y"], "rules": "own_rules.py"}
    result = ran(tmp_path, "saxpy", LANES, vectorize=over)
    assert result.provenance["passes"][1] == {"vectorize": {"over": "x,y", "rules": "own_rules.py"}}


def test_rules_that_make_other_vectors_than_arrays(tmp_path: Path):
    """Pairs of value and slope: x³ + 2x at 3."""
    derivatives = Path(__file__).parents[2] / "compiler" / "levels" / "arrays" / "derivatives.py"
    (tmp_path / "derivatives.py").write_text(derivatives.read_text())
    text = """
from compiler.kernel import f64, function

@function
def f(x: f64, k: f64) -> f64:
    return x * x * x + k * x
"""
    given = {"x": {"parts": [3.0, 1.0]}, "k": {"parts": [2.0, 0.0]}}
    over = {"over": ["x", "k"], "rules": "derivatives.py"}
    result = ran(tmp_path, "f", given, program=text, vectorize=over)
    assert outputs(result) == {"return.0": 33.0, "return.1": 29.0}


def test_a_baseline_holds_and_a_kept_program_needs_no_compiler(tmp_path: Path, simrun):
    path = workload_of(tmp_path, "spmv", MATRIX, expect={"return": [11.0, 0.0, 9.0]})
    assert simrun("check", str(path), *UPDATE).code == 0
    ended = simrun("check", str(path))
    assert ended.code == 0 and "1 checked, 0 failed" in ended.out


def test_passes_are_named_or_a_list(tmp_path: Path):
    """Said once, though a function of arrays reads them, too."""
    path = workload_of(tmp_path, "spmv", MATRIX, machine="teaching_gpu")
    text = path.read_text()
    path.write_text(f"{text}\npasses: {{epic: default}}\n")
    with pytest.raises(InputError, match="'default', or a list of passes") as refused:
        sim.run(path)
    assert len(refused.value.diagnostics) == 1
