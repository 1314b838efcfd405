"""Program in, Result out: what a Python caller does is here, and imported when it is used.

    result = sim.run("workloads/saxpy/workload.yaml", machine="epic3")
    machine = sim.load_machine("itanium2", {"memory.l1d.size": "32KiB"})
    compilation = sim.compile(source=TEXT, language="python", machine=machine)
    with sim.session("workloads/saxpy/workload.yaml") as s: …
    found = sim.study("workloads/studies/issue_width.yaml", jobs=2)

Each is told of by its docstring (`help(sim.run)`); what is wrong with what it is given is an
`InputError`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from machines.diagnostics import InputError

if TYPE_CHECKING:
    from machines.description.load import Machine
    from sim.door import compile, load_machine, run, session, study
    from sim.results.result import Result
    from sim.stepping import Session
    from sim.studies.study_result import StudyResult
else:  # for whom types are checked there is nothing but what is imported above

    def __getattr__(name: str) -> Any:
        """The door, opened when it is used: `import sim` alone takes no time."""
        if name not in _WHERE:
            raise AttributeError(f"module 'sim' has no attribute '{name}'")
        return getattr(import_module(_WHERE[name]), name)


__all__ = [
    "InputError", "Machine", "Result", "Session", "StudyResult",
    "compile", "load_machine", "run", "session", "study",
]  # fmt: skip

_WHERE = {
    **dict.fromkeys(("compile", "load_machine", "run", "session", "study"), "sim.door"),
    "Machine": "machines.description.load",
    "Result": "sim.results.result",
    "Session": "sim.stepping",
    "StudyResult": "sim.studies.study_result",
}


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
