"""`sim.run`: what it takes is checked as on the command line, and what it gives is short."""

from __future__ import annotations

import io
import tomllib
from pathlib import Path

import numpy as np
import pytest

import sim
from tests.sim.conftest import UPDATE

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "options, message",
    [
        ({"quantum": 0}, "quantum: expected an integer from 1 to 1e\\+14, found 0"),
        ({"quantum": 2.0}, "quantum: expected an integer"),
        ({"quantum": True}, "quantum: expected an integer"),
        ({"cycle_limit": -1}, "cycle_limit: expected an integer from 1 to 1e\\+14, found -1"),
        ({"cycle_limit": 10**30}, "cycle_limit: expected an integer"),
        ({"cycle_limit": "9"}, "cycle_limit: expected an integer"),
        ({"machine": 3}, "machine: expected a name, a path, a mapping or a Machine, found 3"),
        ({"machine": ""}, "machine: expected a name, .*, found ''"),
        ({"variant": 0}, "variant: expected a text, found 0"),
        ({"overrides": 3}, "overrides: expected texts like 'path=value', found 3"),
        ({"overrides": [3]}, "overrides: expected texts like 'path=value'"),
        ({"overrides": "a=b"}, "'a'"),
        ({"overrides": "a"}, "'a' is not an override"),
        ({"passes": 3}, "passes: expected names"),
        ({"passes": [3]}, "passes: expected names"),
        ({"passes": "default,,dce"}, "a name is missing in the passes 'default,,dce'"),
        ({"trust": "yes"}, "trust: expected True or False, found 'yes'"),
        ({"on_progress": 1}, "on_progress: expected a function, found 1"),
        ({"arguments": ["n"]}, "arguments: expected a mapping from names to values, found a list"),
        ({"arguments": {1: 2}}, "arguments: it has the key 1, which is no text"),
        ({"arguments": {"m": 2}}, "the workload has no argument 'm'"),
        ({"arguments": {"n": {1, 2}}}, "arguments: 'n' is of type set"),
        ({"arguments": {"n": 2.5}}, "arguments:1:4: error: 'n': 2.5 is not an integer"),
        ({"arguments": {"x": np.zeros(8)}}, "'x' is an array f32\\[n\\], the workload gives f64"),
        ({"arguments": {"x": np.zeros(7, "f4")}}, "axis 0 of 'x' has 7 elements, n is 8"),
        ({"arguments": {"x": np.zeros(8, complex)}}, "1:4: error: no argument is an array of comp"),
        ({"arguments": {"x": np.array(["a"] * 8)}}, "no argument is an array of <U1"),
    ],
)
def test_what_is_wrong_names_its_parameter(tiny: Path, options: dict, message: str):
    with pytest.raises(sim.InputError, match=message):
        sim.run(tiny, **options)


@pytest.mark.parametrize("path", [3, None, "", "a\0b", b"workload.yaml"])
def test_a_path_that_is_none(path: object):
    with pytest.raises(sim.InputError, match="workload: expected a path"):
        sim.run(path)


def test_all_ways_to_say_the_same(tiny: Path):
    change = "memory.main.latency_cycles=500 cycles"
    by_path = {"memory.main.latency_cycles": "500 cycles"}
    less = "default,-modulo_schedule"
    slow = sim.run(tiny, overrides=change, passes=less)
    assert slow.to_json() == sim.run(tiny, overrides=by_path, passes=less.split(",")).to_json()
    assert slow.cycles > sim.run(tiny, passes="default").cycles


def test_arguments_of_a_caller(tiny: Path):
    x = np.arange(20, dtype="f4")[::-2]
    given = {"n": np.int64(10), "x": x, "y": [0.5] * 10, "a": 2}
    result = sim.run(tiny, arguments={**given, "a": 2.0})
    assert result.ok and result.outputs["y"].tolist() == (2 * x + 0.5).tolist()
    same = sim.run(tiny, arguments={**given, "a": 2.0, "x": x.astype(">f4")})
    assert same.to_json() == result.to_json()
    form = {"dtype": "f32", "shape": [10], "value": 3}
    assert sim.run(tiny, arguments={**given, "a": 2.0, "x": form}).outputs["y"][0] == 6.5
    recorded = result.provenance["arguments"]
    assert recorded["n"] == 10 and recorded["x"]["shape"] == [10]
    assert (
        recorded["x"]["array"]
        != sim.run(tiny, arguments={**given, "a": 2.0, "x": x + 1}).provenance["arguments"]["x"][
            "array"
        ]
    )
    assert sim.run(tiny).provenance["arguments"] == {}


def test_arguments_of_the_command_line(tiny: Path, simrun):
    np.save("x.npy", np.ones(3, np.float32))
    words = ["--arg", "n=3", "--arg", "x={dtype: f32, file: x.npy}", "--arg", "y=[1, 2, 3]"]
    ended = simrun(str(tiny), *words, "--out", "results")
    assert ended.code == 0 and "y: 3 of 3" in ended.out
    assert simrun(str(tiny), "--out", "results").code == 0
    assert len(list(Path("results").glob("tiny.itanium2*.json"))) == 2


def test_oracles_of_ones_own(tiny: Path, simrun):
    Path("own.py").write_text(
        "import numpy as np\n\n\n"
        "def by_name(y, x, a):\n    y *= 1\n    return a * x + y\n\n\n"
        "def of_expressions(both, more):\n    assert both.dtype == np.float64 and more == 7\n"
        "    return both\n"
    )
    text = tiny.read_text()
    for spelling in ('"own.py:by_name"', '"own.py:of_expressions", of: ["a * x + y", "n - 1"]'):
        tiny.write_text(text.replace('equals: "a * x + y"', f"oracle: {spelling}"))
        assert simrun("workload.yaml").code == 2
        ended = simrun("workload.yaml", "--trust")
        assert ended.code == 0 and "y: 8 of 8 as oracle own.py:" in ended.out
        assert sim.run(tiny, trust=True).ok
        assert simrun("check", "workload.yaml", *UPDATE).code == 2
        assert simrun("check", "workload.yaml", *UPDATE, "--trust").code == 0
        assert simrun("check", "workload.yaml", "--trust").code == 0
    Path("own.py").write_text("def of_expressions(both, more):\n    return both + 1\n")
    assert simrun("workload.yaml", "--trust").code == 1
    assert not Path("__pycache__").exists()


def test_a_result_prints_as_one_line(tiny: Path):
    result = sim.run(tiny)
    assert repr(result) == (
        f"<Result of tiny on itanium2: done, outputs right, {result.cycles} cycles>"
    )
    stopped = sim.run(tiny, cycle_limit=1)
    assert repr(stopped) == f"<Result of tiny on itanium2: limit, {stopped.cycles} cycles>"
    print(result, file=(out := io.StringIO()))
    assert out.getvalue() == f"{result!r}\n"


def test_types_are_shipped():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "py.typed" in project["tool"]["setuptools"]["package-data"]["*"]
    for package in ("sim", "compiler", "machines"):
        assert (ROOT / package / "py.typed").is_file()
