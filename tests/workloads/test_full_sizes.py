"""The workloads as they ship expect something of their outputs and take the cycles they should.

`simrun check workloads` runs them on every machine they have baselines of: see `.ci/run`.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
import yaml

import sim
from machines.description.load import load_machine, machine_names
from sim.baselines.accepted import read_baseline
from sim.baselines.checking import baseline_path, find_workloads
from sim.workload.schema import read_workload
from tests.campaign.seeds import spread
from workloads.tables import FOLDER, compiled_workloads

WORKLOADS = compiled_workloads()
ALL = find_workloads([FOLDER, *sorted((FOLDER / "loops").glob("*/*.yaml"))])
CASES = [(path, case.name) for path in WORKLOADS for case in read_workload(path).cases()]
KIB = 1024

LARGER_CACHE = {("pointer_chase", "4MiB")}
"""Cases that Itanium wins: they fit into its L3 of 4 MiB, not into Itanium 2's of 3 MiB."""
SLOWER_CLOCK = {("pointer_chase", "16MiB")}
"""Cases that wait for memory alone: the same nanoseconds are fewer cycles of a slower clock."""


def _cases(path: Path, case: str) -> str:
    return f"{path.parent.name}-{case}"


def test_at_least_fourteen_workloads_are_found():
    assert len(WORKLOADS) >= 14


@pytest.mark.parametrize("path", ALL, ids=lambda path: str(path.relative_to(FOLDER)))
def test_a_check_compares_outputs_and_cycles(path: Path):
    """Every case expects something and is held, on the machine that the workload names; of the
    benchmarks of `validation` cycles alone are meant."""
    workload = read_workload(path)
    held = read_baseline(baseline_path(path, workload.form.machine))
    assert [case.name for case in workload.cases()] == list(held.cases)
    if "validation" not in path.parts:
        assert all(case.expect for case in workload.cases())


def _cycles(path: Path, case: str, machine: str) -> int:
    baseline = read_baseline(baseline_path(path, machine))
    assert baseline is not None, f"{path} has no baseline on {machine}"
    return baseline.cases[case].cycles


@pytest.mark.parametrize("path, case", CASES, ids=[_cases(*case) for case in CASES])
def test_cycles_order_as_the_machines_do(path: Path, case: str):
    """A wider machine is never slower, an older one never faster, within 1 %; see the README."""
    key = (path.parent.name, case)
    itanium, itanium2, epic3 = (
        _cycles(path, case, machine) for machine in ("itanium", "itanium2", "epic3")
    )
    assert epic3 <= 1.01 * itanium2
    if key in LARGER_CACHE | SLOWER_CLOCK:
        assert itanium < itanium2
    else:
        assert itanium2 <= 1.01 * itanium
    if key in SLOWER_CLOCK:
        clocks = {name: load_machine(name).description.clock for name in ("itanium", "itanium2")}
        assert itanium2 / clocks["itanium2"] < itanium / clocks["itanium"]


def _chase(folder: Path, machine: str, size: int, hops: int) -> int:
    """Cycles of `hops` hops over a ring of `size` bytes."""
    form = yaml.safe_load((FOLDER / "pointer_chase" / "workload.yaml").read_text(encoding="utf-8"))
    del form["variants"]
    form["program"] = str(FOLDER / "pointer_chase" / form["program"])
    form["arguments"]["hops"] = hops
    form["arguments"]["ring"]["shape"] = [size // 8]
    path = folder / "workload.yaml"
    path.write_text(yaml.safe_dump(form), encoding="utf-8")
    result = sim.run(path, machine=machine)
    assert result.ok
    return result.cycles


LEVELS = [*product(("l1d", "l2", "l3", "main"), machine_names("epic"))]


@pytest.mark.parametrize("at", spread(LEVELS, 4, 1), ids=" of ".join)
def test_pointer_chase_measures_the_latency_of_every_level(at: tuple[str, str], tmp_path: Path):
    """A hop is shladd (1 cycle, into an address) and ld8, whose result goes into the shladd.

    The ring takes half of the level, or four times the last cache.  Caches are warm after the first
    lap, so that more laps cost the warm latency alone; the run ends without waiting for its last
    load, which therefore has to be a warm one in both runs.
    """
    level, machine = at
    description = load_machine(machine).description
    memory = description.memory
    if level == "main":
        size = 4 * memory.l3.size
        main = memory.main
        latency = main.latency_cycles + round(main.latency_time * 1e-9 * description.clock)
    else:
        cache = getattr(memory, level)
        size, latency = cache.size // 2, cache.latency
    lap = size // (16 * 8)
    laps = max(1, 20 * KIB // lap)
    few = _chase(tmp_path, machine, size, 2 * lap)
    many = _chase(tmp_path, machine, size, (2 + laps) * lap)
    assert (many - few) / (laps * lap) == 1 + latency
