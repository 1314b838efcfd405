"""Kernels of generators as they compiled them, run and held to numpy."""

from __future__ import annotations

import pytest

import sim
from tests.campaign.seeds import spread
from tests.corpus.keeping import KEPT, Unit, kept, workload, wrong

GENERATORS = sorted(path.name.removesuffix(".tar.xz") for path in KEPT.glob("*.tar.xz"))
UNITS = [unit for name in GENERATORS for unit in kept(name)]


def run(unit: Unit) -> sim.Result:
    return sim.run(workload(unit), source=unit.ptx.decode())


@pytest.mark.parametrize("unit", spread(UNITS, 6), ids=lambda unit: unit.path)
def test_a_kernel_is_right(unit: Unit):
    result = run(unit)
    assert result.status == "done"
    assert wrong(unit, result.outputs) == []


def test_there_are_kernels_of_all_generators():
    assert GENERATORS == ["cute", "numba", "nvrtc", "triton", "warp"] and len(UNITS) >= 40


def test_a_value_that_is_off_is_found():
    unit = next(one for one in UNITS if one.meta["expect_kinds"])
    outputs = {name: unit.data[f"expect_{name}"].copy() for name in unit.meta["expect_kinds"]}
    assert wrong(unit, outputs) == []
    first = next(iter(outputs.values())).reshape(-1)
    first[len(first) // 2] += 1
    assert len(wrong(unit, outputs)) == 1
