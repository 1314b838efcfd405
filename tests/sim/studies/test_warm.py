"""Points of a study that go on from one warm state."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import yaml

from machines.cache.entries import Entries
from machines.diagnostics import InputError
from sim.rests.warm import KIND
from sim.studies.plan import Plan
from sim.studies.point import run_point
from sim.studies.study_file import study_of
from tests.sim.rests import workload

CALLS = [{"arguments": {"passes": 3}}, {}, {}]
"""The first call says its own number; the others take the workload's, which an axis changes."""
PASSES = {"argument": "passes", "values": [1, 2]}


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is kept from before; compiled cores are."""
    given = os.environ.get("SIMRUN_CACHE", "")
    monkeypatch.setenv("SIMRUN_CACHE", f"{tmp_path / 'cache'}{os.pathsep}{given}")


@pytest.fixture
def stored(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The states that were kept, by name."""
    found, put = [], Entries.put

    def noted(entries: Entries, kind: str, key: str, content: bytes) -> None:
        if kind == KIND:
            found.append(key)
        put(entries, kind, key, content)

    monkeypatch.setattr(Entries, "put", noted)
    return found


def documents(folder: Path, axes: dict, content: dict, **keys: object) -> list[str]:
    """What the points of a study come to."""
    (folder / "workload.yaml").write_text(yaml.safe_dump(content, sort_keys=False))
    study = study_of({"study": "s", "workload": ".", "axes": axes, **keys}, folder)
    outcomes = [run_point(point.setting) for point in Plan(study).points]
    assert all(one.status == "done" for one in outcomes), outcomes
    return [one.document for one in outcomes]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    source = Path(workload("hand_tuned/copy")["program"])
    (tmp_path / source.name).write_bytes(source.read_bytes())
    return tmp_path


def content() -> dict:
    found = workload("hand_tuned/copy", calls=CALLS, measure={"after": 1})
    return {**found, "program": Path(found["program"]).name}


def test_points_share_a_state_and_come_to_the_same(folder: Path, stored: list[str]):
    plain = documents(folder, {"passes": PASSES}, content())
    assert not stored and len(set(plain)) == 2
    assert documents(folder, {"passes": PASSES}, content(), warm={"until": 1}) == plain
    assert len(stored) == 1
    assert documents(folder, {"passes": PASSES}, content(), warm={"until": 1}) == plain
    assert len(stored) == 1


def test_points_that_differ_before_share_nothing(folder: Path, stored: list[str]):
    """Another number of the first call, other inputs, another machine."""
    every = {**content(), "calls": [{}, {}]}
    assert documents(folder, {"passes": PASSES}, every, warm={"until": 1}) == documents(
        folder, {"passes": PASSES}, every
    )
    assert len(stored) == 2
    seeds = {"seed": {"seed": "source", "values": [1, 2]}}
    machines = {"l2": {"set": "memory.l2.latency", "values": ["5 cycles", "9 cycles"]}}
    for axes, states in ((seeds, 4), (machines, 5)):  # one of which is that of seed 1
        warm = documents(folder, axes, content(), warm={"until": 1})
        assert warm == documents(folder, axes, content())
        assert len(stored) == states


def test_pasts_that_begin_alike_lie_beside_each_other(folder: Path, stored: list[str]):
    """The first call takes one of two numbers, the last another: each past is kept once."""
    calls = [{}, {"arguments": {"passes": 1}}]
    axes = {"passes": PASSES, "again": {"argument": "n", "values": [1000]}}
    for _ in range(2):
        documents(folder, axes, {**content(), "calls": calls}, warm={"until": 1})
    assert len(stored) == 2


def test_a_region_that_began_before_is_part_of_the_past(folder: Path, stored: list[str]):
    early, late = ({**content(), "measure": {"after": n}} for n in (1, 2))
    for one in (early, late, early):
        plain = documents(folder, {"passes": PASSES}, one)
        assert documents(folder, {"passes": PASSES}, one, warm={"until": 2}) == plain
    assert len(stored) == 2 * 2


def test_damaged_states_are_left_alone(folder: Path, stored: list[str]):
    plain = documents(folder, {"passes": PASSES}, content(), warm={"until": 1})
    files = list(Entries().own.glob(f"{KIND}-*"))
    assert len(files) == 1
    files[0].write_bytes(files[0].read_bytes()[:-9])
    assert documents(folder, {"passes": PASSES}, content(), warm={"until": 1}) == plain
    assert len(stored) == 2


def test_a_step_behind_which_nothing_rests_is_refused(folder: Path):
    (folder / "workload.yaml").write_text(yaml.safe_dump(content(), sort_keys=False))
    keys = {"study": "s", "workload": ".", "axes": {"passes": PASSES}, "warm": {"until": 7}}
    outcome = run_point(Plan(study_of(keys, folder)).points[0].setting)
    assert outcome.status == "refused"
    assert "the host has 3 steps at whose ends the run is at rest, not 7" in outcome.diagnostics
    with pytest.raises(InputError, match="greater than or equal to 1"):
        study_of({**keys, "warm": {"until": 0}}, folder)
