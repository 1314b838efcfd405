"""The programs for chips of clusters: what their pages say is what their baselines hold."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import sim
from sim.baselines.accepted import Metrics, read_baseline
from sim.baselines.checking import baseline_path
from sim.oracles.registry import built_in
from sim.workload.schema import read_workload
from tests.campaign.seeds import spread
from workloads.tables import FOLDER

CHIP = FOLDER / "chip"
PUBLISHED = sorted((CHIP / "published").glob("*.yaml"))
PAGES = sorted(CHIP.rglob("README.md"))
ROW = re.compile(r"^\| \[\w+(?:/\w+)?\]\((?P<folder>[\w/]+)/program\.sir\)(?P<cells>.*)\|$", re.M)
BY_WAY = re.compile(r"^\| `(?P<name>[\w/]+)` \|(?P<set>[^|]*)\|(?P<cycles>[ \d|]+)\|$", re.M)
ROWS_BY_WAY = BY_WAY.findall((CHIP / "overlap" / "README.md").read_text(encoding="utf-8"))
WAYS = ("iodma", "gdma_mvdma", "auto")
ORACLES = built_in()


def _accepted(folder: Path) -> Metrics:
    workload = folder / "workload.yaml"
    baseline = read_baseline(baseline_path(workload, read_workload(workload).form.machine))
    return baseline.cases["default"]


def test_every_workload_stands_in_a_table():
    named = {page.parent / row["folder"] for page in PAGES for row in ROW.finditer(_text(page))}
    assert named == {path.parent for path in CHIP.rglob("workload.yaml")}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_tables_say_the_cycles_of_the_baselines(page: Path):
    for row in ROW.finditer(_text(page)):
        cycles = f"{_accepted(page.parent / row['folder']).cycles:,}".replace(",", " ")
        assert cycles in [cell.strip() for cell in row["cells"].split("|")], row[0]


def _text(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def test_two_buffers_save_what_can_be_saved():
    """Nine tenths of the lesser of copying and computing, at least."""
    sequential, double = (_accepted(CHIP / "overlap" / name) for name in ("sequential", "double"))
    cores = 16
    copies = sequential.breakdown["iodma.setup"] + sequential.breakdown["iodma.transfer"]
    least = min(copies, sequential.breakdown["compute.matrix"]) / cores
    assert sequential.cycles - double.cycles >= 0.9 * least


@pytest.mark.parametrize("row", spread(ROWS_BY_WAY, 4, 1), ids=" ".join)
def test_ways_to_dram_take_what_the_page_says(row: tuple[str, str, str]):
    name, changes, cycles = row
    wanted = [int(cell.replace(" ", "")) for cell in cycles.split("|")]
    found = []
    for way in WAYS:
        figures = [
            figure
            for figure in re.findall(r"`(.*?)`", changes)
            if way != "iodma" or "staging" not in figure
        ]
        path = CHIP / name / "workload.yaml"
        found.append(
            sim.run(path, overrides=[f"dram_path={way}", *figures], timing_only=True).cycles
        )
    assert found == wanted


def test_pipelines_are_never_slower_than_one_tile_after_the_other():
    cycles = {path.parent.name: _accepted(path.parent).cycles
              for path in (CHIP / "pipelines").glob("*/workload.yaml")}  # fmt: skip
    sequential = cycles.pop("sequential")
    assert len(cycles) == 5
    assert max(cycles.values()) < sequential


SIXTEEN_CORES = ("ladder_direct", "ladder_sram", "ladder_ping_pong")
"""Published for all cores of a chip; one cluster of it does a quarter of the work."""


@pytest.mark.parametrize("path", spread(PUBLISHED, 2), ids=lambda p: p.stem)
def test_programs_beside_measurements_run(path: Path):
    """Few rounds of what is published, with values, so that races are looked for; what they take
    is on their page.  Of scalar code two columns of the result are right."""
    is_scalar = path.stem.startswith("scalar")
    arguments = {"rounds": 1} if "ladder" in path.stem else {"n": 2} if is_scalar else {}
    overrides = ["clusters=1"] if path.stem in SIXTEEN_CORES else []
    result = sim.run(path, overrides=overrides, arguments=arguments)
    assert result.status == "done", result.fault
    if is_scalar:
        a, b = (result.outputs[name].reshape(-1, 256).astype(np.float64) for name in "ab")
        np.testing.assert_allclose(result.outputs["c"][:2], a[0] @ b[:, :2], rtol=1e-5, atol=1e-3)


def test_row_maxima_and_softmax():
    rows = np.array([[0.0, 1.0], [3.0, 3.0]], np.float32)
    assert ORACLES["row_maxima"](rows).tolist() == [1.0, 3.0]
    e = np.e
    np.testing.assert_allclose(ORACLES["softmax"](rows), [[1 / (1 + e), e / (1 + e)], [0.5, 0.5]])


def test_layer_norm_of_two_numbers():
    """Mean 2, variance 1: one below and one above, times 2, plus 10."""
    rows, scale, shift = np.array([[1.0, 3.0]]), np.array([2.0, 2.0]), np.array([10.0, 10.0])
    np.testing.assert_allclose(ORACLES["layer_norm"](rows, scale, shift), [[8, 12]], atol=1e-4)


def test_attention_to_keys_that_are_alike_takes_the_mean():
    query, keys = np.array([[1.0, 2.0]]), np.ones((2, 2))
    values = np.array([[1.0, 0.0], [3.0, 4.0]])
    np.testing.assert_allclose(ORACLES["attention"](query, keys, values), [[2.0, 2.0]])
