"""A GPU workload on the thread interpreter, which knows neither warps nor time."""

from __future__ import annotations

from compiler.targets.simt.interpret import interpret
from sim.cores.simt.host_steps import Launch
from sim.prepared_case import prepare
from sim.runner import compile_workload
from sim.workload.comparison import Check, compare
from sim.workload.schema import Case, Workload

LIMIT = 10**9


def judged(workload: Workload, case: Case) -> list[Check]:
    """Run the launches of a case in order and compare what they leave with what is expected."""
    compiled = compile_workload(workload)
    prepared = prepare(compiled, case)
    for action in prepared.bound.actions(prepared.memory):
        if isinstance(action, Launch):
            outcome = interpret(
                prepared.program, compiled.machine.description, prepared.memory, action.kernel,
                action.grid, action.parameters, limit=LIMIT,
            )  # fmt: skip
            assert outcome.status == "done", outcome
    return [
        compare(expected, prepared.output(name)) for name, expected in prepared.expected.items()
    ]
