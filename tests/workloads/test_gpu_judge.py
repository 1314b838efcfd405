"""The PTX of the GPU workloads, unmodified, leaves what their oracles say, thread by thread.

Those that take seconds are in tests/campaign.
"""

from __future__ import annotations

import pytest

from sim.workload.schema import read_workload
from tests.campaign.seeds import spread
from tests.workloads.gpu_judge import judged
from workloads.compile_kernels import GPU

QUICK = (
    "bfs", "bitonic_sort", "exception", "interpreter", "ray_march", "short_circuit", "stencil",
    "two_breaks",
)  # fmt: skip


@pytest.mark.parametrize("name", spread(QUICK, 3, 2))
def test_outputs_of_the_threads(name: str):
    workload = read_workload(GPU / name)
    for case in workload.cases():
        checks = judged(workload, case)
        assert checks and all(check.ok for check in checks), [str(check) for check in checks]
