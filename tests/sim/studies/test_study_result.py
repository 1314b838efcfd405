"""Studies from Python: what they find is what the command line finds; processes and files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sim
from machines.cache import software
from sim.studies.study_result import StudyResult


def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def scheduler(work: Callable, tasks: Any) -> Any:
        while (task := next(tasks, None)) is not None:
            yield task, work(task)

    monkeypatch.setattr("sim.studies.study_result.local", lambda jobs: scheduler)


def test_a_study_is_a_mapping(tiny: Path, monkeypatch: pytest.MonkeyPatch):
    """It has a level that is refused, and leaves no file behind."""
    in_this_process(monkeypatch)
    before, told = set(Path().iterdir()), []
    levels = ["5 cycles", "8 cycles", "99 cycles"]
    axes = {"l2": {"set": "memory.l2.latency", "values": levels}}
    study = {"study": "mine", "workload": ".", "axes": axes, "derive": {"each": "cycles / 8"}}
    found = sim.study(study, on_progress=lambda *seen: told.append(seen))
    assert set(Path().iterdir()) == before and told == [(1, 3), (2, 3), (3, 3)]
    cycles = [sim.run(".", overrides={"memory.l2.latency": x}).cycles for x in levels[:2]]
    assert [row.figures.get("cycles") for row in found.rows] == [*cycles, None]
    assert repr(found) == "<StudyResult of mine: 3 points, 2 done, 1 refused>" and not found.ok
    head, *_, third, why = str(found).splitlines()[:5]
    assert (head.split(), third.split()[-1]) == (["l2", "cycles", "each"], "refused")
    assert why == "refused at l2=99 cycles:"
    shown = found._repr_html_()
    assert all(f">{cell}</td>" in shown for cell in ("8 cycles", cycles[1], "refused", why))


def test_its_rows_are_those_of_the_command_line(
    studied: Callable, simrun: Callable, monkeypatch: pytest.MonkeyPatch
):
    """And what one has run the other finds."""
    in_this_process(monkeypatch)
    path = studied(derive='{each: "cycles / 8"}', base="{l2: 5 cycles}").path
    found = sim.study(path)
    assert isinstance(found, StudyResult) and found.ok and found.best is None
    assert simrun("study", "show", str(path)).out == f"{found}\n"
    assert [row.coordinates["a"] for row in found.rows] == [2.5, 3.5, 2.5, 3.5]
    pytest.importorskip("matplotlib", reason="matplotlib is of the extra 'plots'")
    assert len(found.plot("speedup").axes[0].patches) == 4
    with pytest.raises(sim.InputError, match="there is no plot 'effect'"):
        found.plot("effect")
    pytest.importorskip("pandas", reason="pandas is of the extra 'tables'")
    frame = found.to_frame()
    assert frame["cycles"].tolist() == [row.figures["cycles"] for row in found.rows]


def test_it_is_refused_where_it_would_run_other_code(
    studied: Callable, monkeypatch: pytest.MonkeyPatch
):
    in_this_process(monkeypatch)
    monkeypatch.setattr(software, "STARTED", 0.0)  # before any file was what it is now
    with pytest.raises(sim.InputError, match="have changed since this process began"):
        sim.study(studied().path)


@pytest.mark.parametrize(
    "given, options, message",
    [
        (3, {}, "study: expected a path, found 3"),
        ("none.yaml", {}, "cannot read none.yaml"),
        ({"study": "s", "axes": {"a": {"seed": "x", "values": {}}}}, {}, "study:5:5: .*'values'"),
        ({}, {"jobs": 0}, "jobs: expected an integer from 1"),
        ({}, {"trust": 1}, "trust: expected True or False"),
        ({}, {"store": 1}, "store: expected a path"),
        ({}, {"on_progress": 1}, "on_progress: expected a function"),
    ],
)
def test_what_is_wrong_is_said(given: Any, options: Any, message: str):
    with pytest.raises(sim.InputError, match=message):
        sim.study(given, **options)
