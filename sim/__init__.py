"""Program in, Result out: what a Python caller does is here, and imported when it is used.

    result = sim.run("workloads/saxpy/workload.yaml", machine="epic3")
    machine = sim.load_machine("itanium2", {"memory.l1d.size": "32KiB"})
    compilation = sim.compile(source=TEXT, language="python", machine=machine)
    with sim.session("workloads/saxpy/workload.yaml") as s: …
    found = sim.study("workloads/studies/issue_width.yaml", jobs=2)
    x = sim.as_elements([0.5, 3.0], "bf16")        # an array of a type that numpy has not
    sim.as_numbers(result.outputs["y"])            # the numbers of one

Each is told of by its docstring (`help(sim.run)`); what is wrong with what it is given is an
`InputError`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from machines.changed_code import watch
from machines.diagnostics import InputError

watch(__name__)

if TYPE_CHECKING:
    from machines.description.load import Machine
    from machines.elements import as_elements, as_numbers
    from sim.door import compile, load_machine, run, session, study
    from sim.results.result import Result
    from sim.stepping import Session
    from sim.studies.study_result import StudyResult
    from sim.timeline.window import TraceWindow
else:  # for whom types are checked there is nothing but what is imported above

    def __getattr__(name: str) -> Any:
        """The door, opened when it is used: `import sim` alone takes no time."""
        if name not in _WHERE:
            raise AttributeError(f"module 'sim' has no attribute '{name}'")
        return getattr(import_module(_WHERE[name]), name)


__all__ = [
    "InputError", "Machine", "Result", "Session", "StudyResult", "TraceWindow",
    "as_elements", "as_numbers", "compile", "load_machine", "run", "session", "study",
]  # fmt: skip

_WHERE = {
    **dict.fromkeys(("compile", "load_machine", "run", "session", "study"), "sim.door"),
    **dict.fromkeys(("as_elements", "as_numbers"), "machines.elements"),
    "Machine": "machines.description.load",
    "Result": "sim.results.result",
    "Session": "sim.stepping",
    "StudyResult": "sim.studies.study_result",
    "TraceWindow": "sim.timeline.window",
}


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
