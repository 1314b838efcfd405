"""`simrun study` from the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest


def test_a_study_from_its_plan_to_its_files(studied: Callable, simrun: Callable, tmp_path: Path):
    path = str(studied("\n  l2: {set: memory.l2.latency, values: [5 cycles, 99 cycles]}").path)
    planned = simrun("study", path, "--dry-run")
    assert planned.code == 0
    assert planned.out.splitlines()[-1] == "2 points, 0 known, 2 to run"
    assert not Path(path).with_suffix(".sqlite").exists()

    ended = simrun("study", path, "--jobs", "2")
    assert ended.code == 1
    head, done, refused, why, *_ = ended.out.splitlines()
    assert head.split() == ["l2", "cycles"]
    assert done.startswith("5 cycles")
    assert refused.split() == ["99", "cycles", "-", "refused"]
    assert why == "refused at l2=99 cycles:"

    shown = simrun("study", "show", path)
    assert (shown.code, shown.out) == (1, ended.out)
    assert simrun("study", "export", path, "-o", "out.json").code == 0
    assert [one["status"] for one in json.loads(Path("out.json").read_text())] == [
        "done",
        "refused",
    ]
    retried = simrun("study", "retry", path, "--only", "refused")
    assert retried.err == "1 points wait again\n"
    assert retried.out == ended.out
    assert simrun("study", "compare", path, "l2=5 cycles", "l2=5 cycles").code == 0
    none = simrun("study", "compare", path, "l2=5 cycles", "l2=99 cycles")
    assert (none.code, none.err.splitlines()[0]) == (
        2,
        "error: l2=99 cycles has no result  [study-store]",
    )
    gone = simrun("study", "gc", str(Path(path).with_suffix(".sqlite")), "--remove", "mine")
    assert gone.out == "1 results removed\n"


@pytest.mark.parametrize(
    "words, message",
    [
        (["show", "study.yaml"], "there is no store study.sqlite"),
        (["export", "study.yaml", "-o", "out.xlsx"], "there is no store study.sqlite"),
        (["study.yaml", "--plot", "effect=a.svg"], "there is no plot 'effect'"),
        (["none.yaml"], "cannot read none.yaml"),
        (["gc", "none.sqlite"], "there is no store none.sqlite"),
        (["compare", "study.yaml", "l3=5", "l2=1"], "'l3=5' names no axis"),
        (["compare", "study.yaml", "l2=7 cycles", "l2=1"], "axis 'l2' has no level '7 cycles'"),
    ],
)
def test_what_is_wrong_is_told(studied: Callable, simrun: Callable, words: list, message: str):
    studied()
    ended = simrun("study", *words)
    assert ended.code == 2
    assert message in ended.err


def test_points_run_on_dask(studied: Callable):
    """Of one worker, in this process."""
    distributed = pytest.importorskip("distributed")
    from sim.studies.conduct import conduct
    from sim.studies.on_dask import on_dask
    from sim.studies.plan import Plan
    from sim.studies.store import Store
    from sim.studies.study_file import read_study

    study = studied()
    plan = Plan(read_study(study.path))
    options = {"n_workers": 1, "threads_per_worker": 1, "processes": False}
    with distributed.LocalCluster(**options, dashboard_address=None) as cluster:
        scheduler = on_dask(cluster.scheduler_address)
        with Store.open(study.store) as store:
            store.begin("mine", "", plan.points, ())
            outcomes = [one.status for _, one in conduct(plan, store, scheduler)]
    assert outcomes == ["done"] * 4
