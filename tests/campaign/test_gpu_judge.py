"""All GPU workloads on the thread interpreter, in full size."""

from __future__ import annotations

import pytest

from sim.workload.schema import read_workload
from tests.workloads.gpu_judge import judged
from workloads.compile_kernels import GPU, sources

CASES = [(path, case.name) for path in sources(GPU) for case in read_workload(path.parent).cases()]


@pytest.mark.campaign
@pytest.mark.parametrize("source, case", CASES, ids=[f"{p.stem}-{case}" for p, case in CASES])
def test_outputs_of_the_threads(source, case):
    workload = read_workload(source.parent)
    checks = judged(workload, workload.case(case))
    assert checks and all(check.ok for check in checks), [str(check) for check in checks]
