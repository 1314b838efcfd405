"""A GPU workload on the thread interpreter, which knows neither warps nor time."""

from __future__ import annotations

import numpy as np

from compiler.targets.simt.interpret import interpret
from sim.expectations import Check, compare
from sim.launches import STEP, Launch
from sim.runner import compile_workload, launch
from sim.workload import Case, Workload

LIMIT = 10**9


def judged(workload: Workload, case: Case) -> list[Check]:
    """Run the launches of a case in order and compare what they leave with what is expected."""
    compiled = compile_workload(workload)
    prepared = launch(compiled, case)
    for step in prepared.steps:
        for number in range(step.most):
            _clear(prepared.memory, step)
            values = [number if value == STEP else value for value in step.values]
            outcome = interpret(
                prepared.program, compiled.machine.description, prepared.memory, step.kernel,
                step.grid, values, limit=LIMIT,
            )  # fmt: skip
            assert outcome.status == "done", outcome
            if step.flag and not prepared.memory.view(step.flag).any():
                break
    outputs = {name: _array(prepared, name) for name in prepared.expected}
    return [compare(expected, outputs[name]) for name, expected in prepared.expected.items()]


def _clear(memory, step: Launch) -> None:
    if step.flag:
        memory.view(step.flag)[:] = 0


def _array(prepared, name: str) -> np.ndarray:
    like = prepared.inputs[name]
    return prepared.memory.view(name).view(like.dtype).reshape(like.shape)
