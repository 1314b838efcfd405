"""Random kernels compiled whole: the rows of the machine leave the memory that the IR says."""

from __future__ import annotations

import numpy as np
import pytest

from tests.campaign.seeds import short_form
from tests.programs.random_kernels import generate
from tests.sim.simt.random_kernel_runs import compiled, expected, machine_of, run_rows


@pytest.mark.parametrize("policy", ["markers", "barriers"])
@pytest.mark.parametrize("seed", short_form(range(12), 2))
def test_rows_do_what_the_ir_says(seed, policy):
    kernel, machine = generate(seed), machine_of(policy)
    program = compiled(kernel, machine)
    assert np.array_equal(run_rows(kernel, program).bytes, expected(kernel, machine).bytes)
