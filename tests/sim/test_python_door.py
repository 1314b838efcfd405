"""What Python callers give is checked as on the command line, and what they get is short."""

from __future__ import annotations

import io
import re
import signal
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sim
from tests.sim.conftest import KERNEL, UPDATE

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


# ---- Values in place of files -------------------------------------------------------------------

MINE = {
    "extends": "itanium2",
    "name": "mine",
    "source": "assumed: test",
    "memory": {"main": {"latency_cycles": "99 cycles"}},
}
X = np.arange(8, dtype="f4")
TINY: dict[str, Any] = {
    "workload": "tiny",
    "program": "tiny.py",
    "machine": "itanium2",
    "arguments": {"n": 8, "a": 2.5, "x": X, "y": np.ones(8, "f4")},
    "expect": {"y": {"equals": "a * x + y"}},
}


def test_a_workload_is_what_its_file_would_be(tiny: Path):
    """And the text of its program, which no file of that name is taken for."""
    from_file = sim.run(tiny)
    assert sim.run(TINY).to_json() == from_file.to_json()
    given = X.copy()
    held = sim.session({**TINY, "arguments": {**TINY["arguments"], "x": given}})
    given[:] = 0  # what a caller changes later is the caller's
    assert held.finish().to_json() == from_file.to_json()
    Path("tiny.py").write_text("# another\n" * 9 + KERNEL.replace("a * x", "x[i] * x"))
    assert sim.run(TINY, source=KERNEL).to_json() == from_file.to_json()
    assert sim.run(tiny, source=KERNEL).to_json() == from_file.to_json() != sim.run(tiny).to_json()
    without = {key: value for key, value in TINY.items() if key not in ("program", "machine")}
    for language in ("python", ".py"):
        result = sim.run(without, source=KERNEL, language=language, machine="itanium2")
        assert (result.cycles, result.ok) == (from_file.cycles, True)
    assert {line.text for line in result.lines} <= set(KERNEL.splitlines())


def test_what_must_come_out_may_be_arrays(tiny: Path):
    expected = 2.5 * X + 1
    for right in (expected, {"values": expected, "rtol": 1e-6}, {"values": expected.tolist()}):
        assert sim.run({**TINY, "expect": {"y": right}}).ok
    expected[5] += 1
    wrong = sim.run({**TINY, "expect": {"y": expected}})
    assert not wrong.ok and wrong.checks[0].first == (5,)


def test_a_machine_is_given_in_every_way(tiny: Path):
    change = {"memory.l2.latency": "9 cycles"}
    Path("mine.yaml").write_text(sim.load_machine(MINE).tree.text)
    loaded = [
        sim.run(tiny, machine=one, overrides=change)
        for one in (MINE, "mine.yaml", Path("mine.yaml"), sim.load_machine(MINE))
    ]
    loaded.append(sim.run(tiny, machine=sim.load_machine(MINE, change)))
    loaded.append(sim.session(TINY, machine=MINE, overrides=change).finish())
    assert len({result.to_json() for result in loaded}) == 1
    result = loaded[0]
    assert result.provenance["overrides"] == ["memory.l2.latency=9 cycles"]
    changed = {field.one.path for field in sim.run(tiny).compare(result).fields}
    assert changed == {"name", "memory.l2.latency", "memory.main.latency_cycles"}


@pytest.mark.parametrize(
    "change, options, message",
    [
        ({"expekt": 1}, {}, "workload:12:1: error: unknown key 'expekt'"),
        ({"expect": {"z": 1}}, {}, "workload:10:3: error: there is no argument 'z'"),
        ({"expect": {"y": X[1:]}}, {}, "workload:10:6: error: .* the expectation an array of sha"),
        (
            {"expect": {"y": {"equals": "a + b"}}},
            {},
            "workload:11:17: error: 'b' is not an argument",
        ),
        (
            {"limits": {"cycles": X}},
            {},
            "workload:13:3: error: 'cycles': should be a valid integer",
        ),
        ({"arguments": {**TINY["arguments"], "x": X * 1.0j}}, {}, "workload:7:6: .*of complex"),
        ({"arguments": {**TINY["arguments"], "x": X[1:]}}, {}, "workload:7:6: .* 7 elements, n is"),
        ({"arguments": {**TINY["arguments"], "x": sim}}, {}, "'arguments.x' is of type module"),
        ({"program": "none.py"}, {}, "workload:2:10: error: there is no program none.py"),
        ({"program": "a.bc"}, {"source": "x"}, "'.bc' files are no text: a.bc"),
        ({"program": None}, {"source": "x"}, "'program'"),
        ({}, {"source": b"x"}, "source: expected a text, found b'x'"),
        ({}, {"source": KERNEL.replace("range(n)", "range(m)")}, "tiny.py:6:20: .* 'm'"),
        ({}, {"language": "python"}, "language: there is no 'source'"),
        ({}, {"source": "x", "language": "pyton"}, "language: there is no 'pyton'"),
        ({}, {"source": "x", "language": ".bc"}, "language: there is no '.bc'"),
        ({}, {"machine": {**MINE, "clock": 1}}, "machine:7:8: .*'clock': 1 has no unit"),
        ({}, {"machine": MINE, "overrides": "memory.l9=1"}, "there is no 'l9' in 'memory'"),
    ],
)
def test_values_are_checked_as_files_are(tiny: Path, change: Any, options: Any, message: str):
    with pytest.raises(sim.InputError, match=message):
        sim.run({**TINY, **change}, **options)


def test_a_program_is_compiled(tiny: Path):
    machine = sim.load_machine(MINE)
    given = {"language": "python", "machine": machine, "keep": ["count_loops", "bundle"]}
    compilation = sim.compile(source=KERNEL, **given)
    assert repr(compilation) == "<Compilation of saxpy for mine>"
    assert "br.ctop" in compilation.listing and compilation.module.functions.keys() == {"saxpy"}
    kept = {step.name for step in compilation.report.steps if step.printed}
    assert kept == {"count_loops", "bundle"} and compilation.functions[0].name == "saxpy"
    same = [
        sim.compile("tiny.py", machine=MINE),
        sim.compile(tiny, machine=machine),
        sim.compile(TINY, source=KERNEL, machine=MINE),
    ]
    assert {one.program.content_hash for one in same} == {compilation.program.content_hash}
    plain = sim.compile(TINY, passes="default,-modulo_schedule")
    assert plain.machine.name == "itanium2"
    assert plain.program.content_hash != compilation.program.content_hash


@pytest.mark.parametrize(
    "options, message",
    [
        ({}, "program: expected a path, or a text as 'source' and its 'language'"),
        ({"source": "x"}, "program: expected a path, or a text as 'source' and its 'language'"),
        ({"program": "tiny.py"}, "machine: a program names none"),
        ({"program": "no.py", "machine": MINE}, "cannot read no.py"),
        ({"program": "tiny.c", "machine": MINE}, "no front end reads '.c' files"),
        ({"program": "tiny.py", "machine": MINE, "keep": "bundel"}, "keep: no pass 'bundel' ran"),
        ({"program": "tiny.py", "machine": MINE, "keep": 1}, "keep: expected a text, or texts"),
        ({"program": "tiny.py", "machine": MINE, "entry": "f"}, "tiny.py has no function 'f'"),
    ],
)
def test_what_cannot_be_compiled(tiny: Path, options: dict[str, Any], message: str):
    with pytest.raises(sim.InputError, match=message):
        sim.compile(**options)


# ---- What comes back ----------------------------------------------------------------------------


def test_a_result_in_a_notebook(tiny: Path):
    source = KERNEL.replace("= a *", "= 1.0 * a *").replace("):", "):  # <script>&'\"", 1)
    result = sim.run(TINY, source=source)
    shown = result._repr_html_()
    assert "&lt;script&gt;&amp;&#x27;&quot;" in shown and "<script" not in shown
    assert not re.search("(src|href|url)\\b", shown) and len(shown) < 16_000
    assert shown.count("<table") == 3 and f"{result.cycles} cycles" not in shown
    for words in ("tiny on itanium2", "outputs right", "where the cycles went", "float", "total"):
        assert words in shown
    bars = [float(width) for width in re.findall(r"width:([\d.]+)em", shown)]
    assert len(bars) == sum(1 for cycles in result.breakdown.values() if cycles)
    assert sum(bars) == pytest.approx(12, abs=0.1)


def test_an_error_in_a_notebook():
    with pytest.raises(sim.InputError) as raised:
        sim.load_machine({**MINE, "clock": 1})
    assert raised.value._render_traceback_() == str(raised.value).splitlines()


def test_a_result_as_frames(tiny: Path):
    pytest.importorskip("pandas", reason="pandas is of the extra 'tables'")
    result = sim.run(tiny)
    counters, breakdown, lines = (result.to_frame(w) for w in ("counters", "breakdown", "lines"))
    assert dict(zip(counters["counter"], counters["value"], strict=True)) == result.counters
    assert breakdown["cycles"].sum() == result.cycles and breakdown["share"].sum() == 1
    assert lines["lost"].tolist() == [line.lost_cycles for line in result.lines]
    lost = lines[[name for name in lines if name.startswith("lost_")]]
    assert lost.sum().sum() == lines["lost"].sum() > 0
    assert lines["text"].str.contains("y\\[i\\] =").any()
    with pytest.raises(sim.InputError, match="what: a result has no 'line'"):
        result.to_frame("line")


def test_a_result_prints_as_one_line(tiny: Path):
    result = sim.run(tiny)
    assert repr(result) == (
        f"<Result of tiny on itanium2: done, outputs right, {result.cycles} cycles>"
    )
    stopped = sim.run(tiny, cycle_limit=1)
    assert repr(stopped) == f"<Result of tiny on itanium2: limit, {stopped.cycles} cycles>"
    print(result, file=(out := io.StringIO()))
    assert out.getvalue() == f"{result!r}\n"


def test_the_door_is_opened_when_it_is_used():
    """`import sim` alone imports nothing of size."""
    code = "import sys, sim; print('numpy' in sys.modules, 'sim.door' in sys.modules)"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert ended.stdout.split() == ["False", "False"]


def test_types_are_shipped():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "py.typed" in project["tool"]["setuptools"]["package-data"]["*"]
    for package in ("sim", "compiler", "machines"):
        assert (ROOT / package / "py.typed").is_file()


def test_ctrl_c_ends_the_callers_loop(tmp_path: Path):
    """In the midst of the first run of a loop without end."""
    lines = ["func @f(n: i64) -> i64 {", "entry:", "    jump loop", "loop:",
             "    i = phi.i64 [entry: n, loop: m]", "    m = add.i64 i, 1", "    c = ne.i64 m, 0",
             "    branch c, loop, out", "out:", "    return m", "}", ""]  # fmt: skip
    program = "\n".join(lines)
    asked = []

    def interrupt(cycle: int, *more: object) -> None:
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt) as raised:
        for n in range(1, 4):
            asked.append(n)
            content = {"workload": "long", "machine": "itanium2", "arguments": {"n": n}}
            sim.run(content, source=program, language=".sir", on_progress=interrupt)
    assert asked == [1]
    assert raised.value.result.status == "interrupted" and raised.value.result.cycles > 0
