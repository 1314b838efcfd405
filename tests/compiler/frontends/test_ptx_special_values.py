"""Kernels with every approximate instruction of f32 give an H100's bits, in the interpreter and on
the core."""

from __future__ import annotations

import numpy as np
import pytest

from tests.compiler.frontends.half_runs import interpreted, on_core, run
from tests.machines.special_functions import measured

DIFFERENT_STEP = 31
"""Every so manyth input: prime to the 16 mantissas of an exponent."""


@pytest.mark.parametrize("where, step", [
    (on_core, DIFFERENT_STEP),
    (interpreted, DIFFERENT_STEP * 8 + 1),
    pytest.param(on_core, 1, marks=pytest.mark.campaign),
])  # fmt: skip
def test_every_exponent(where, step):
    inputs, wanted = measured.single_inputs()[::step].tolist(), measured.single_outputs()
    forms = list(measured.INSTRUCTIONS)
    found = run(forms, [[(bits,) for bits in inputs]] * len(forms), where)
    for form, results in zip(forms, found, strict=True):
        bits = np.array(results)[:, 0]
        wrong = np.flatnonzero(bits != wanted[form][::step])
        assert len(wrong) == 0, (form, [(hex(inputs[k]), hex(bits[k])) for k in wrong[:5]])


@pytest.mark.parametrize("where", [on_core, interpreted])
def test_quotients(where):
    operands = [bits[:: measured.STEP].tolist() for bits in measured.quotient_operands()]
    forms = list(measured.QUOTIENTS)
    found = run(forms, [list(zip(*operands, strict=True))] * len(forms), where)
    for form, results in zip(forms, found, strict=True):
        assert measured.digest(np.array(results)[:, 0]) == measured.QUOTIENTS[form]["sample"]
