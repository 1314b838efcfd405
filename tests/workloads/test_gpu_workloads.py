"""The GPU workloads on the jitted core: right outputs, whichever way threads come together."""

from __future__ import annotations

import pytest

import sim
from tests.campaign.seeds import spread
from workloads.compile_kernels import GPU

STRUCTURED = ("histogram", "mandelbrot", "spmv", "string_match")
UNSTRUCTURED = ("exception", "interpreter", "short_circuit", "two_breaks")
POLICIES = ("markers", "ipdom", "min_pc", "barriers")


def _issued(name: str, policy: str) -> int:
    """Warp instructions of a workload, whose outputs are right."""
    result = sim.run(GPU / name, overrides=[f"reconvergence.policy={policy}"])
    assert result.status == "done", result.fault
    assert result.ok, [str(check) for check in result.checks]
    return result.counters["WARP_INSTRUCTIONS"]


@pytest.mark.parametrize("name", spread(STRUCTURED, 4))
def test_structured_flow_costs_the_same(name):
    """Loops and branches that end where their post-dominators are: no policy can merge earlier."""
    markers, ipdom, min_pc, _ = (_issued(name, policy) for policy in POLICIES)
    assert markers == ipdom == min_pc


@pytest.mark.parametrize("name", spread(UNSTRUCTURED, 4, 3))
def test_unstructured_flow_meets_before_post_dominators(name):
    markers, ipdom, min_pc, barriers = (_issued(name, policy) for policy in POLICIES)
    assert markers == min_pc < ipdom
    assert markers < barriers


@pytest.mark.parametrize(
    ("machine", "name"),
    [
        ("rtx4090", "saxpy"),
        ("rtx_pro_6000", "scan"),
        *(
            pytest.param(machine, path.parent.name, marks=pytest.mark.campaign)
            for machine in ("rtx4090", "l40s", "rtx_pro_6000")
            for path in sorted(GPU.glob("*/*.cu"))
        ),
    ],
)
def test_the_further_gpus_compute_the_same(machine, name):
    """Their code is compiled for sm_90, which 8.9 is not."""
    settings = [] if machine == "rtx_pro_6000" else ["compute_capability=9.0"]
    result = sim.run(GPU / name, machine=machine, overrides=settings)
    assert result.status == "done", result.fault
    assert result.ok, [str(check) for check in result.checks]
