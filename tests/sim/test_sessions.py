"""Runs that are let on piece by piece end as they do in one go; what is seen of them is a copy."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import sim
from sim.results.html import of_result

ROOT = Path(__file__).parents[2]
WORKLOADS = {
    "epic": "tests/sim/fields/calls.yaml",
    "simt": "tests/sim/fields/parting.yaml",
    "cluster": "workloads/chip/copies/cores/workload.yaml",
}


@pytest.mark.parametrize("steps", [(7,), (1000,), (1, 1, 64, 3, 500)])
@pytest.mark.parametrize("kind", WORKLOADS)
def test_the_result_is_that_of_a_run(kind: str, steps: tuple[int, ...]):
    path = ROOT / WORKLOADS[kind]
    with sim.session(path) as session:
        turn, before = 0, 0
        while session.advance(steps[turn % len(steps)]):
            assert session.cycle == before + steps[turn % len(steps)]
            turn, before = turn + 1, session.cycle
        assert session.done
        result = session.finish()
    assert result.to_json() == sim.run(path).to_json()
    assert session.cycle == result.cycles


@pytest.mark.parametrize("kind", WORKLOADS)
def test_views_are_copies(kind: str):
    """Looking changes nothing, and what was seen does not change later."""
    path = ROOT / WORKLOADS[kind]
    seen = []
    with sim.session(path) as session:
        assert session.views
        while session.advance(50):
            seen += [(table, str(table)) for table in map(session.view, session.views)]
        result = session.finish()
    assert result.to_json() == sim.run(path).to_json()
    assert all(str(table) == text for table, text in seen)
    assert len({text for _, text in seen}) > len(session.views)  # something happened


def test_a_session_that_is_left(tiny: Path):
    session = sim.session(tiny)
    session.advance(10)
    session.close()
    for use in (session.advance, session.finish, lambda: session.view("registers")):
        with pytest.raises(sim.InputError, match="the session is closed"):
            use()


def test_what_is_wrong_is_told(tiny: Path):
    with sim.session(tiny) as session:
        with pytest.raises(sim.InputError, match="cycles: expected"):
            session.advance(0)
        with pytest.raises(sim.InputError, match=r"has no view 'register'\n.*registers"):
            session.view("register")
        session.finish()
        assert session.advance(5) is False


def test_a_limit_ends_it_where_it_ends_a_run(tiny: Path):
    with sim.session(tiny, cycle_limit=100) as session:
        session.advance(70)
        assert session.advance(70) is False
        result = session.finish()
    assert (result.status, result.cycles) == ("limit", 100)
    assert result.to_json() == sim.run(tiny, cycle_limit=100).to_json()


WHOLE = {
    "workload": "tiny",
    "arguments": {
        "n": 8,
        "a": 2.5,
        "x": np.arange(8, dtype="f4"),
        "y": np.ones(8, "f4"),
    },
    "expect": {"y": {"equals": "a * x + y"}},
}


def test_everything_as_python_values(tiny: Path):
    """The machine, the program's text and the workload, under the files' checks."""
    source = (tiny.parent / "tiny.py").read_text()
    machine = {"extends": "itanium2", "name": "mine", "source": "assumed: for a test"}
    machine |= {"memory": {"l2": {"latency": "6 cycles"}}}
    result = sim.run(WHOLE, source=source, language="python", machine=machine)
    assert (result.ok, result.machine) == (True, "mine")
    usual = sim.run(tiny)
    same = sim.run(WHOLE, source=source, language="python", machine="itanium2")
    assert (same.cycles, same.counters) == (usual.cycles, usual.counters)
    loaded = sim.load_machine("itanium2", {"memory.l2.latency": "6 cycles"})
    assert sim.run(tiny, machine=loaded).cycles == result.cycles
    assert "fma" in sim.compile(source=source, language="python", machine=loaded).listing


@pytest.mark.parametrize(
    "given, options, message",
    [
        ({**WHOLE, "argument": {}}, {}, "unknown key 'argument'"),
        (WHOLE, {"machine": {"extends": "itanium2", "name": "m", "memry": {}}}, "memry"),
        (WHOLE, {"machine": {"extends": "itanium", "nam": "m"}}, "nam"),
        ({"workload": "x"}, {"machine": "itanium2"}, "'program' is missing"),
    ],
)
def test_values_are_checked_as_files_are(tiny: Path, given: dict, options: dict, message: str):
    text = {} if "program" in message else {"source": tiny.with_name("tiny.py").read_text()}
    text |= {"language": "python"} if text else {}
    with pytest.raises(sim.InputError, match=message):
        sim.run(given, **{"machine": "itanium2", **options, **text})


def test_a_notebook_shows_no_markup_of_programs(tiny: Path):
    """Names and source lines are text, whatever they contain."""
    kernel = tiny.with_name("tiny.py")
    line = "y[i] = a * x[i] + y[i]"
    kernel.write_text(
        kernel.read_text().replace(line, f"{line}  # <script>alert(1)</script> & <b>")
    )
    result = sim.run(tiny)
    for shown in (result._repr_html_(), of_result(result)):
        assert "<script>" not in shown and "&lt;script&gt;" in shown
        assert "http" not in shown
        assert str(result.cycles) in shown.replace("\N{NO-BREAK SPACE}", "").replace(" ", "")


def test_frames(tiny: Path):
    pytest.importorskip("pandas")
    result = sim.run(tiny)
    counters = result.to_frame("counters").set_index("counter")["value"]
    assert counters["CPU_CYCLES"] == result.cycles
    assert result.to_frame("breakdown")["cycles"].sum() == result.cycles
    lines = result.to_frame("lines")
    lost = lines[[name for name in lines if name.startswith("lost_")]]
    assert (lost.sum(axis=1) == lines["lost"]).all()
    with pytest.raises(sim.InputError, match="a result has no 'line'"):
        result.to_frame("line")


def test_a_study_from_python(tiny: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("machines.kept.software.STARTED", 4e9)
    told: list[tuple[int, int]] = []
    axes = {"l2": {"set": "memory.l2.latency", "values": ["5 cycles", "99 cycles"]}}
    content = {"study": "mine", "workload": str(tiny.parent), "axes": axes}
    found = sim.study(content, on_progress=lambda *now: told.append(now))
    assert [row.status for row in found.rows] == ["done", "refused"]
    assert (found.ok, told) == (False, [(1, 2), (2, 2)])
    assert str(found).splitlines()[0].split() == ["l2", "cycles"]
    assert "5 cycles" in found._repr_html_()
    assert not list(tiny.parent.glob("*.sqlite"))


def test_a_study_refuses_to_run_other_code_than_this(tiny: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("machines.kept.software.STARTED", 0.0)  # all files have changed since
    content = {"study": "mine", "workload": ".", "axes": {"a": {"argument": "a", "values": [1]}}}
    with pytest.raises(sim.InputError, match="changed since this process began"):
        sim.study(content)


def test_the_door_is_opened_when_it_is_used():
    """`import sim` alone imports nothing of size."""
    code = "import sys, sim; print('numpy' in sys.modules, 'sim.door' in sys.modules)"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert ended.stdout.split() == ["False", "False"]
