"""The page of runs, gathered as they end.

page = RunPage(Path("out.html"), command)
recorded = page.recorder(prepared)      what takes the run's timeline
page.add(prepared, result, recorded, comparison)
page.write()
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from machines.cache.files import check_writable, write_atomically
from machines.diagnostics import InputError
from sim.cores import core_of
from sim.pages.gathered import facts_of_result, facts_of_run
from sim.pages.library import check_library
from sim.pages.making import page_of_runs
from sim.pages.recorded import Recorded
from sim.results.vocabulary import vocabulary_of
from sim.timeline.window import TraceWindow

if TYPE_CHECKING:
    from machines.description.load import Machine
    from sim.prepared_case import PreparedCase
    from sim.results.compared import Comparison
    from sim.results.result import Result

WINDOW = TraceWindow(begin=0, end=20_000)
"""Of the timeline, unless the command says another one, and if a core notes less for a window."""


class RunPage:
    """A file that is written when all runs have ended."""

    def __init__(self, path: Path, command: Sequence[str] = ()):
        """Raises InputError at once if it could not be written, or without the library."""
        check_library()
        check_writable(path)
        self.path, self._command = path, shlex.join(command)
        self._facts: list[dict[str, Any]] = []

    def recorder(
        self, prepared: PreparedCase, window: TraceWindow | None = None
    ) -> Recorded | None:
        """What is to be called with the timeline of a run; None where runs leave none."""
        events = vocabulary_of(prepared.compiled.machine.kind).events
        return Recorded(events, window) if events else None

    def add(
        self,
        prepared: PreparedCase,
        result: Result,
        recorded: Recorded | None = None,
        versus: Comparison | None = None,
    ) -> None:
        """One more run."""
        gathered = facts_of_run(prepared, result, recorded, versus, self._command)
        self._facts.append(facts_of_result(result) | gathered)

    def write(self) -> None:
        """Write the page of the runs that there were."""
        if self._facts:
            write_atomically(self.path, page_of_runs(self._facts))


def window_for(machine: Machine) -> TraceWindow | None:
    """The part of a timeline that is recorded if nobody says which."""
    return WINDOW if core_of(machine).notes_windows else None


def accepted(compiled: Any, cases: Sequence[Any]) -> Any:
    """How runs are compared with the accepted baseline of their workload; None if there is none."""
    from sim.baselines.versus import BASELINE, find_against

    if compiled.workload.path is None:
        return None
    try:
        return find_against(BASELINE, compiled, cases)
    except InputError:
        return None
