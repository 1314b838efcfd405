"""Measured regions: figures of some steps of the host alone, and nothing moves for that."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sim
from machines.diagnostics import InputError
from sim.identity import identity_of
from sim.results.figures import Figures, between
from sim.results.laws import LawBroken
from sim.results.result import Result
from sim.results.vocabulary import Counter, vocabulary_of
from sim.runner import compile_workload
from sim.workload.region import Region, read_region
from sim.workload.schema import workload_of
from tests.sim.rests import ROOT, WORKLOADS, Content, side_by_side, small_heat, workload

NAMES = ("hand_tuned_copy", "gpu_small_heat", "chip_clusters", "chip_side_by_side")


def measured(content: Content, after: int, until: int | None = None) -> Result:
    region = {"after": after, **({"until": until} if until else {})}
    return sim.run({**content, "measure": region})


def figures(result: Result) -> dict[str, int]:
    """What can be added up."""
    differences = {one.name for one in result.vocabulary.counters if one.region == "difference"}
    found = {"cycles": result.cycles}
    found |= {f"why {name}": value for name, value in result.breakdown.items()}
    found |= {name: n for name, n in result.counters.items() if name in differences}
    for line in result.lines:
        place = f"{line.file}:{line.line}"
        lost = {f"{place} {cause}": cycles for cause, cycles in line.lost.items()}
        found |= {f"{place} executed": line.executed, **lost}
        found |= {f"{place} {name}": value for name, value in line.columns.items()}
    return found


@pytest.mark.parametrize("name", NAMES)
def test_regions_add_up_to_the_run_and_move_nothing(name: str):
    content = WORKLOADS[name]()
    whole = sim.run(content)
    steps = len(whole.steps)
    parts = [measured(content, 0, 2), measured(content, 2)]
    for part in parts:
        assert part.region["run_cycles"] == whole.cycles
        assert (part.steps, part.returned, part.ok) == (whole.steps, whole.returned, whole.ok)
        same = ("outputs", "checks", "provenance", "status")
        assert all(part.to_dict()[key] == whole.to_dict()[key] for key in same)
    first, second = map(figures, parts)
    assert {key: first[key] + second[key] for key in first} == figures(whole)
    assert figures(measured(content, 0, steps)) == figures(whole)


def test_a_region_is_where_its_steps_are():
    content = WORKLOADS["gpu_small_heat"]()
    result = measured(content, 1, 2)
    before, step, _ = result.steps
    assert result.region == {
        "after": 1,
        "until": 2,
        "begin": before["end"],
        "end": step["end"],
        "run_cycles": result.steps[-1]["end"],
    }
    assert result.cycles == step["end"] - before["end"] == result.counters["ELAPSED_CYCLES"]
    assert sum(result.breakdown.values()) == result.cycles * 2  # sub-cores of teaching_gpu


def test_a_second_call_finds_what_the_first_has_brought():
    content = workload("pointer_chase", calls=2)
    cold, warm = measured(content, 0, 1), measured(content, 1)
    assert cold.counters["L1D_MISSES"] > 0 and warm.counters["L1D_MISSES"] == 0
    assert sim.run(workload("pointer_chase")).cycles == cold.cycles > warm.cycles


def test_levels_and_maxima_are_no_differences():
    content = small_heat()
    whole, part = sim.run(content), measured(content, 2)
    assert part.counters["L2_BYTES_DIRTY"] == whole.counters["L2_BYTES_DIRTY"] > 0
    assert "RECONVERGENCE_MOST_GROUPS" in whole.counters
    assert "RECONVERGENCE_MOST_GROUPS" not in part.counters
    missing = whole.counters.keys() - part.counters.keys()
    assert missing == {c.name for c in whole.vocabulary.counters if c.region == "none"}
    labels = [label for label, _, _ in whole.headlines]
    labels.remove("kernels")  # when each was at work is known of the run as a whole
    assert [label for label, _, _ in part.headlines] == labels


def test_reports_say_which_region():
    result = measured(WORKLOADS["gpu_small_heat"](), 1)
    assert "figures of steps 2 to the last alone: cycles" in result._repr_html_()
    assert result.to_dict()["region"]["until"] is None


def test_a_run_that_ends_before_its_region_says_so():
    content = {**WORKLOADS["hand_tuned_copy"](), "measure": {"after": 2}, "limits": {"cycles": 50}}
    result = sim.run(content)
    assert (result.status, result.region["begin"], result.cycles) == ("limit", None, 50)
    assert "step 2 did not begin: figures of the whole run" in result._repr_html_()


@pytest.mark.parametrize(
    ("content", "region", "message"),
    [
        (workload("saxpy"), {"after": 1}, "between steps of the host, and the workload has none"),
        (workload("saxpy", calls=2), {"after": 3}, "has 2 steps at whose ends"),
        (workload("saxpy", calls=2), {"after": 1, "until": 4}, "has 2 steps at whose ends"),
        (workload("saxpy", calls=2), {"after": 1, "until": 1}, "ends with a later one"),
        (workload("saxpy", calls=2), {"after": -1}, "greater than or equal to 0"),
        (workload("saxpy", calls=2), {"until": 2}, "after"),
        (workload("saxpy", calls=2), {"after": 1, "to": 2}, "to"),
        (workload("chip/tasks/mixed"), {"after": 1}, "after 1 steps the run is not at rest"),
    ],
)
def test_regions_that_cannot_be_are_refused(content: Content, region: Any, message: str):
    with pytest.raises(InputError, match=message):
        sim.run({**content, "expect": {}, "measure": region})


def test_a_region_of_the_command_line(simrun):
    path = [str(ROOT / "workloads/gpu/heat"), "--machine", "h100", "--json", "--measure"]
    assert json.loads(simrun(*path, "2:4").out)["region"]["until"] == 4
    for text, message in (("x", "'x' is no region"), ("3:3", "ends with a later one")):
        refused = simrun(*path, text)
        assert refused.code == 2 and message in refused.err


def test_a_comparison_says_that_regions_differ(tmp_path):
    content = WORKLOADS["gpu_small_heat"]()
    text = str(measured(content, 1, 2).compare(sim.run(content)))
    assert "their figures are of steps 2 to 2 and of the whole run" in text


def test_a_variant_may_have_a_region_of_its_own():
    variants = {"all": {}, "late": {"measure": {"after": 2}}}
    content = {**WORKLOADS["hand_tuned_copy"](), "measure": {"after": 1}, "variants": variants}
    regions = [sim.run(content, variant=name).region["after"] for name in variants]
    assert regions == [1, 2]


def test_what_has_become_less_breaks_a_law():
    words = vocabulary_of("epic")
    begin = Figures(10, {"LOADS_RETIRED": 5}, {"issuing": 10}, (), None, None, {})
    with pytest.raises(LawBroken, match="LOADS_RETIRED only grows: 5 where the region begins, 4"):
        between(begin, replace(begin, counters={"LOADS_RETIRED": 4}), words)
    executed = replace(begin, executed=np.array([2, 3]))
    with pytest.raises(LawBroken, match="executed only grows"):
        between(executed, replace(executed, executed=np.array([3, 2])), words)


def test_counters_say_what_they_are_of_a_region():
    def none(statistics: Any) -> None:
        return None

    assert Counter("A", "events", "A.", none).region == "difference"
    assert Counter("B", "events", "B.", none, aggregation="maximum").region == "none"
    epic = vocabulary_of("epic")
    with pytest.raises(ValueError, match="'C' of a region is 'mean', not 'difference' or 'level'"):
        replace(epic, counters=(*epic.counters, Counter("C", "events", "C.", none, region="mean")))


@pytest.mark.parametrize("after", [1, 3])
def test_a_region_is_taken_up_with_its_run(after: int, tmp_path):
    """A state that is kept within a region knows where that began."""
    content = {**side_by_side(), "measure": {"after": after}}
    plain = sim.run(content).to_json()
    with sim.session(content) as session:
        assert session.rest(3)
        session.checkpoint(tmp_path / "kept.npz")
    assert sim.run(content, checkpoint=tmp_path / "kept.npz").to_json() == plain
    elsewhere = {**content, "measure": {"after": 2}}
    with pytest.raises(InputError, match="begins after step 2, before the state was kept"):
        sim.run(elsewhere, checkpoint=tmp_path / "kept.npz")


def test_a_region_is_part_of_what_a_result_is_a_result_of():
    described = workload_of(workload("hand_tuned/copy", calls=3))
    compiled, case = compile_workload(described), described.case()
    whole, *parts = (
        identity_of(compiled, replace(case, measure=region))
        for region in (None, Region(1), Region(2), Region(1, 2))
    )
    assert all(part.moved_since(whole) == ("limits",) for part in parts)
    assert len({part.key for part in parts}) == 3


def test_a_region_of_the_command_line_is_told_so(tiny: Path, simrun: Callable):
    """No line of the workload says it."""
    ended = simrun("run", str(tiny), "--measure", "1:2")
    assert ended.code == 2 and "error: --measure: a region begins and ends between" in ended.err
    assert "workload.yaml" not in ended.err
    assert read_region("4:") == read_region("4") == Region(4)
    for text in ("", ":", ":4", "4:x", "4::", "-1"):
        with pytest.raises(InputError, match="is no region"):
            read_region(text)
