"""Points run when something that they depend on has changed, and only then."""

from __future__ import annotations

import json
import signal
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from machines.cache.software import Software
from machines.diagnostics import InputError
from sim.studies.plan import Setting
from sim.studies.point import Outcome, run_point
from sim.studies.table import same_runs
from sim.workers import Died

FOUR = [{"l2": l2, "a": a} for l2 in ("5 cycles", "8 cycles") for a in (2.5, 3.5)]


def contents(path: Path) -> list:
    """All that a store says, but for seconds."""
    with sqlite3.connect(path) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        points = db.execute("SELECT * FROM points ORDER BY study, position").fetchall()
        return [points, db.execute("SELECT * FROM results ORDER BY key").fetchall()]


def test_a_study_runs_once(studied: Callable):
    study = studied()
    first = study.run()
    assert [outcome.status for outcome in first] == ["done"] * 4
    assert study.ran == FOUR
    before = contents(study.store)
    again = study.run()
    assert study.asked == FOUR
    assert [outcome.is_known for outcome in again] == [True] * 4
    assert contents(study.store) == before


def test_a_new_axis_runs_only_what_is_new(studied: Callable):
    studied().run()
    wider = studied("\n  l2: {set: memory.l2.latency, values: [5 cycles, 8 cycles, 9 cycles]}"
                    "\n  n: {argument: a, values: [2.5]}")  # fmt: skip
    wider.run()
    assert wider.ran == [{"l2": "9 cycles", "n": 2.5}]


CHANGES = {
    "the program": ("tiny.py", "a * x[i]", "x[i] * a"),
    "an input": ("workload.yaml", "value: 1", "value: 2"),
    "an expectation": ("workload.yaml", '"a * x + y"', '"x * a + y"'),
    "a limit": ("workload.yaml", "arguments:", "limits: {cycles: 99999}\narguments:"),
    "a figure": ("mine.yaml", "200 cycles", "210 cycles"),
}
SAME = {
    "a comment on a machine": ("mine.yaml", "name: mine", "name: mine  # ours"),
    "a comment on a workload": ("workload.yaml", "machine:", "# ours\nmachine:"),
    "how a figure is written": ("mine.yaml", "200 cycles", "200.0 cycles"),
}


@pytest.mark.parametrize("what", [*CHANGES, *SAME])
def test_what_is_run_again(studied: Callable, tiny: Path, what: str):
    (tiny.parent / "mine.yaml").write_text(
        "extends: itanium2\nname: mine\nmemory: {main: {latency_cycles: "
        '{value: 200 cycles, source: "assumed: for a test"}}}\n'
    )
    tiny.write_text(tiny.read_text().replace("itanium2", "mine.yaml"))
    study = studied("\n  a: {argument: a, values: [2.5]}")
    study.run()
    file, old, new = (CHANGES | SAME)[what]
    path = tiny.parent / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    study.run()
    assert len(study.ran) == (2 if what in CHANGES else 1)
    path.write_text(text)
    study.run()
    assert len(study.ran) == (2 if what in CHANGES else 1)  # the first result is there still


def test_an_input_file_counts_by_its_content(studied: Callable, tiny: Path):
    data = tiny.parent / "x.raw"
    data.write_bytes(bytes(32))
    old = "x: {dtype: f32, shape: [8], range: {}}"
    tiny.write_text(tiny.read_text().replace(old, "x: {dtype: f32, file: x.raw}"))
    study = studied("\n  a: {argument: a, values: [2.5]}")
    study.run()
    data.write_bytes(bytes(31) + b"\x40")
    study.run()
    data.write_bytes(bytes(32))
    study.run()
    assert len(study.ran) == 2


@pytest.mark.parametrize("package", ["sim", "compiler"])
def test_the_text_of_the_software_counts(
    studied: Callable, monkeypatch: pytest.MonkeyPatch, package: str
):
    """Another simulator makes other results.  Another compiler may: the point goes to a worker,
    which finds that the program is the same, and runs nothing."""
    study = studied("\n  a: {argument: a, values: [2.5]}")
    study.run()
    digests = Software()._digests
    changed = {**digests, package: "another"}
    monkeypatch.setattr(Software, "_digests", property(lambda self: changed))
    [outcome] = study.run()
    assert len(study.asked) == 2
    assert outcome.is_known == (package == "compiler")
    monkeypatch.setattr(Software, "_digests", property(lambda self: digests))
    study.run()
    assert len(study.asked) == 2


def test_wrong_outputs_are_no_number_of_a_table(studied: Callable, tiny: Path):
    tiny.write_text(tiny.read_text().replace('"a * x + y"', '"2.5 * x + y"'))
    study = studied()
    assert [outcome.status for outcome in study.run()] == ["done", "wrong", "done", "wrong"]
    rows = study.table().rows
    assert [bool(row.figures) for row in rows] == [True, False, True, False]
    assert "y" in rows[1].diagnostics
    study.run()
    assert len(study.ran) == 4  # it would be wrong again


def test_what_cannot_run_is_told_and_the_others_run(studied: Callable):
    study = studied("\n  l2: {set: memory.l2.latency, values: [5 cycles, 99 cycles]}")
    done, refused = study.run()
    assert (done.status, refused.status) == ("done", "refused")
    assert "l3 is faster than l2" in refused.diagnostics.lower() or refused.diagnostics
    assert study.table().rows[1].status == "refused"
    study.run()
    assert study.asked[2:] == [{"l2": "99 cycles"}]  # it may be mended


@pytest.mark.parametrize("deaths", [1, 2, 3])
def test_a_point_whose_process_dies_is_tried_again(studied: Callable, deaths: int):
    study = studied("\n  a: {argument: a, values: [2.5, 3.5]}")
    left = [deaths]

    def dying(outcome: Outcome) -> Outcome | Died:
        if study.asked[-1] == {"a": 2.5} and left[0]:
            left[0] -= 1
            return Died(-signal.SIGKILL)
        return outcome

    outcomes = {outcome.status for outcome in study.run(dying)}
    assert outcomes == ({"done", "died"} if deaths == 3 else {"done"})
    assert len(study.asked) == 2 + min(deaths, 2)
    if deaths == 3:
        assert "ended by SIGKILL, 3 times" in study.table().rows[0].diagnostics
        study.run()
        assert [row.status for row in study.table().rows] == ["done", "done"]


def test_software_that_changes_meanwhile_ends_the_study(studied: Callable):
    study = studied()
    with pytest.raises(InputError, match="changed during the study"):
        study.run(lambda outcome: replace(outcome, software="another"))
    assert contents(study.store)[1] == []


def test_the_same_point_by_other_words_is_one_result(studied: Callable):
    study = studied(
        "\n  l2: {levels: {default: {}, written: {set: {memory.l2.latency: 5 cycles}}}}"
    )
    study.run()
    points, results = contents(study.store)
    assert (len(points), len(results)) == (2, 1)
    assert list(same_runs(study.table())) == [("l2", ["default", "written"])]
    one, other = (Setting(".", overrides=(f"memory.l2.latency={n} cycles",)) for n in (5, "5.0"))
    assert run_point(one).document == run_point(other).document


def test_seeds_are_repetitions(studied: Callable, tiny: Path):
    old = "x: {dtype: f32, shape: [8], range: {}}"
    random = "x: {dtype: f32, shape: [8], random: {seed: 0, low: 0, high: 1}}"
    tiny.write_text(tiny.read_text().replace(old, random))
    study = studied("\n  s: {seed: x, from: 1, to: 3, step: 1}")
    study.run()
    digests = {json.dumps(document(study, k)["outputs"]) for k in range(3)}
    assert len(digests) == 3
    [mean] = study.table().means()
    assert (mean.coordinates, mean.figures["cycles"].count) == ({}, 3)
    wrong = studied("\n  s: {seed: y, values: [1]}")
    assert "argument 'y' is not random" in wrong.run()[0].diagnostics


def document(study, position: int) -> dict:
    from sim.studies.store import Store

    with Store.open(study.store, writes=False) as store:
        return store.rows("mine")[position].document


def test_the_program_of_the_base_on_other_machines(studied: Callable, tiny: Path):
    axes = (
        "\n  fp: {set: latencies.fp_arithmetic.result, values: [4 cycles, 9 cycles]}"
        "\n  program: {program: [recompiled, fixed]}"
    )
    study = studied(axes, base="{fp: 4 cycles}")
    assert {outcome.status for outcome in study.run()} == {"done"}
    programs = [document(study, k)["provenance"]["program"] for k in range(4)]
    assert programs[0] == programs[1] == programs[3] != programs[2]


def test_a_program_does_not_run_where_what_it_relies_on_is_missing(studied: Callable):
    fewer = "{count: 100, rotating: [32, 95]}"
    axes = f"\n  r: {{levels: {{usual: {{}}, fewer: {{set: {{registers.general: {fewer}}}}}}}}}"
    study = studied(axes, program="fixed", base="{r: usual}")
    usual, other = study.run()
    assert (usual.status, other.status) == ("done", "refused")
    assert "another 'registers.general.count'" in other.diagnostics
