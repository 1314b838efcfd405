"""What results of kinds from a package say: words that cannot be, and where the time went."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.outside.test_outside_kinds import installed, simrun_in
from tests.sim.pages.read_pages import holds_together, read


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("laws=(", "counters_of=(", "unexpected keyword argument 'counters_of'"),
        ("reasons=REASONS", "reasons=('issuing', 'load')", "'issuing': it is of type str, not a"),
        ("counters=COUNTERS", "counters=COUNTERS * 2", "two counters have the name 'INSTRUCTIONS'"),
    ],
)
def test_words_that_cannot_be_are_one_message(old: str, new: str, said: str, tmp_path: Path):
    folder = installed(tmp_path / "words")
    file = folder / "scalar5" / "vocabulary.py"
    assert file.read_text().count(old) == 1
    file.write_text(file.read_text().replace(old, new))
    with simrun_in(folder) as simrun:
        refused = simrun("workloads/dot/workload.yaml", code=2).stderr
        assert "compute.work" in simrun("list", "reasons").stdout
    assert refused.count("error:") == 1 and said in refused
    assert "machine kind 'scalar5' has no usable " in refused


CUT_OFF = {
    "compute.work": 0, "compute.transfer": 4, "compute.begin": 10, "compute.wait": 26,
    "compute.bus": 0, "compute.idle": 0,
    "copy.transfer": 16, "copy.begin": 10, "copy.wait": 14, "copy.bus": 0, "copy.idle": 0,
}  # fmt: skip
"""The first 40 cycles of `one_tile`, in the midst of a transfer and of a wait."""


def test_a_run_that_is_cut_off_says_what_it_was_doing(tmp_path: Path):
    words = ["workloads/one_tile/workload.yaml", "--cycle-limit", "40", "--json"]
    with simrun_in(installed(tmp_path / "cut_off")) as simrun:
        told = json.loads(simrun(*words, code=3).stdout)
    assert told["cycles"] == 40 and told["breakdown"] == CUT_OFF
    assert told["counters"]["BUS_CYCLES"] == 20


def test_time_that_nobody_counts_breaks_a_law(tmp_path: Path):
    folder = installed(tmp_path / "uncounted")
    file = folder / "duo" / "core.py"
    work = 'yield from self.spend(name, "work", self.environment.timeout(turns))'
    assert work in file.read_text()
    file.write_text(file.read_text().replace(work, "yield self.environment.timeout(turns)"))
    with simrun_in(folder) as simrun:
        ended = simrun("workloads/one_tile/workload.yaml", code=70)
    assert "breakdown = whole: 176 is not 180" in ended.stderr


def test_runs_that_never_rest_are_not_kept_and_have_no_regions(tmp_path: Path):
    keep = ("--checkpoint", "kept.npz", "--checkpoint-at", "1")
    cases = (keep, "the run is never at rest"), (("--measure", "1"), "and the workload has none")
    with simrun_in(installed(tmp_path / "rest")) as simrun:
        for words, said in cases:
            refused = simrun("workloads/one_tile/workload.yaml", *words, code=2).stderr
            assert refused.count("error:") == 1 and said in refused


def test_rooflines_and_series_by_hand(tmp_path: Path):
    """`one_tile` computes 64 of 16 elements a cycle, and moves 512, 768 and 512 bytes of 32 a cycle
    in 90 cycles: 26 of the first copy, 64 of the product, which takes 24 for its bytes and 4 for
    its elements, and 26."""
    words = ["workloads/one_tile/workload.yaml", "--series", "45:BUS_*", "--histograms", "--json"]
    with simrun_in(installed(tmp_path / "rooflines")) as simrun:
        told = json.loads(simrun(*words).stdout)
        text = simrun("workloads/one_tile/workload.yaml", "--report", "roofline").stdout
        shown = simrun("explain", "workloads/one_tile/workload.yaml", "--show", "roofline").stdout
        refused = simrun("explain", "workloads/dot/workload.yaml", "--show", "roofline", code=2)
    roofline = told["roofline"]
    (point,) = roofline["points"]
    assert told["cycles"] == 90 and roofline["bound"]["by"] == "bus"
    assert point["intensity"] == 64 / 1792 and point["achieved"] == 64e9 / 90
    assert point["roof"] == 32e9 * 64 / 1792 and roofline["bound"]["part"] == 56 / 90
    assert text == shown and "elements, bus" in text
    assert "has no roofline" in refused.stderr and "duo" in refused.stderr
    # A transfer counts when it has ended: the first copy until 26, the product until 60.
    assert told["series"]["counters"] == {"BUS_CYCLES": [16, 40]}
    assert told["series"]["cycles"] == [45, 90]
    bus = {one["reason"]: one["total"] for one in told["histograms"]}
    assert bus["copy.transfer"] == 32 and bus["compute.transfer"] == 24 and bus["compute.work"] == 4


def test_a_kind_that_says_nothing_in_the_midst_of_a_run_has_no_series(tmp_path: Path):
    with simrun_in(installed(tmp_path / "series")) as simrun:
        refused = simrun("workloads/dot/workload.yaml", "--series", "10", code=2).stderr
    assert "scalar5, a machine of kind 'scalar5', has no series" in refused
    assert refused.count("error:") == 1


def test_runs_of_kinds_from_a_package_have_pages(tmp_path: Path):
    """By their vocabularies alone: no file of pages knows them."""
    pytest.importorskip("vl_convert")
    folder = installed(tmp_path / "paged")
    with simrun_in(folder) as simrun:
        for workload, reason, track in (
            ("workloads/dot/workload.yaml", "issuing", "ex"),
            ("workloads/one_tile/workload.yaml", "compute.work", "copy"),
        ):
            result = json.loads(simrun(workload, "--json").stdout)
            simrun(workload, "--page", str(tmp_path / "page.html"))
            page = read((tmp_path / "page.html").read_text(encoding="utf-8"))
            data = holds_together(page)
            [run] = data["runs"]
            assert run["result"] == result and run["result"]["breakdown"][reason]
            assert any(track in name.lower() for name in run["timeline"]["tracks"])
            assert any(reason in one.text for one in page.all("th"))
