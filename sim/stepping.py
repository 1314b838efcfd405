"""A run that is let on piece by piece, and looked at in between.

    with sim.session("workloads/saxpy/workload.yaml") as s:
        while s.advance(1000):
            print(s.view("registers"))
        result = s.finish()

However it is let on, its result is that of `sim.run`, byte for byte.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack
from math import inf
from pathlib import Path
from types import TracebackType

from machines.diagnostics import input_error, nearest
from sim import options
from sim.cores import Request
from sim.looking_back import LookingBack, looking_back
from sim.prepared_case import PreparedCase
from sim.results.result import Result
from sim.runner import result_of, stopping
from sim.simulate import Simulation
from sim.state_views import StateTable, read_view, state_views_of
from sim.timeline.recording import Recording


class Session:
    """One run (see `sim.session`).  It runs in this thread, only while a method is called.

    cycle  everything before it has happened; of a run that has ended its cycles
    done   whether the run has ended, however it did
    views  what can be looked at: sentences by name, as the kind of machine declares them
    """

    def __init__(
        self,
        prepared: PreparedCase,
        request: Request,
        resume: Path | None = None,
        recording: Recording | None = None,
        files: ExitStack | None = None,
    ):
        """`recording` takes the run's timeline; `files` are closed when the run ends, or the
        session is closed."""
        self._prepared, self._recording, self._files = prepared, recording, files or ExitStack()
        request, self._stops = stopping(prepared, request, resume=resume, can_pause=True)
        self._request: Request = request
        self._last: LookingBack | None = None
        if resume is None:
            self._request, self._last = looking_back(prepared, request)
        request = self._request
        self._seconds = 0.0
        self._result: Result | None = None
        self._views = {view.name: view for view in state_views_of(request.machine.kind)}
        self._simulation: Simulation | None = Simulation(request)
        self.cycle = request.resumed.cycle if request.resumed is not None else 0
        self._rest = self._stops.last

    def __repr__(self) -> str:
        how = "done" if self.done else "closed" if self._simulation is None else "running"
        workload, machine = self._prepared.compiled.workload.name, self._request.machine.name
        return f"<Session of {workload} on {machine}: {how}, cycle {self.cycle}>"

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def done(self) -> bool:
        return self._result is not None

    @property
    def views(self) -> Mapping[str, str]:
        return {name: view.sentence for name, view in self._views.items()}

    def advance(self, cycles: int = 1) -> bool:
        """Go on by so many cycles, or to the end if that comes before; whether more may come.

        Ctrl-C ends the run, as it ends `sim.run`: its result is there, marked interrupted.  Raises
        InputError if this is no number of cycles, or the session is closed.
        """
        self._go_on(self.cycle + options.count("cycles", cycles))
        return not self.done

    def rest(self, steps: int = 1) -> bool:
        """Go on until the run is at rest and at least so many steps of its host have ended, or to
        its end if that comes before; whether it is at rest there.

        It is at rest between steps of which no other is under way.  Raises InputError if this is no
        number of steps, or the session is closed.
        """
        if self._rest is not None and self._rest.steps >= options.count("steps", steps):
            return True
        self._stops.pause_after = options.count("steps", steps)
        self._go_on(inf)
        self._stops.pause_after = None
        if not self.done:
            self._rest = self._stops.last
            self.cycle = self._rest.cycle
        return not self.done

    @property
    def steps(self) -> int | None:
        """How many steps of the host have ended, if the run is at rest; else None."""
        return self._rest.steps if self._rest is not None else None

    def checkpoint(self, path: str | os.PathLike[str]) -> None:
        """Write what the run is, into a file that `sim.session` and `sim.run` go on from.

        Raises InputError if it is not at rest (see `rest`), if its kind of machine cannot be kept,
        or if the file cannot be written.
        """
        file = options.path("path", path)
        self._open()
        if self._rest is None:
            hint = "s.rest() goes on to where no step of its host is under way"
            raise input_error("the run is not at rest: it cannot be kept", hint=hint)
        self._stops.write(file)

    def finish(self) -> Result:
        """Go on to the end; the result, also when it is asked for again.

        Raises InputError if the session was closed before.
        """
        self._go_on(inf)
        assert self._result is not None
        return self._result

    def view(self, name: str) -> StateTable:
        """What the machine holds now, or held at the end: copies, which nothing changes later.

        Raises InputError if its kind declares no such view, or the session is closed.
        """
        if name not in self._views:
            machine = self._request.machine
            message = f"{machine.name}, a machine of kind '{machine.kind}', has no view '{name}'"
            raise input_error(message, hint=nearest(name, self._views))
        return read_view(self._views[name], self._open().state, self.cycle)

    def close(self) -> None:
        """Leave the rest of the run.  A result that is there stays."""
        if self._simulation is not None:
            self._simulation.close()
            self._simulation = None
            self._files.close()

    def _go_on(self, before: float) -> None:
        if self.done:
            return
        self._rest = None
        simulation, begin = self._open(), time.perf_counter()
        try:
            simulation.go_on(before)
        except BaseException:  # there is nothing to go on with
            self._files.pop_all().__exit__(*sys.exc_info())
            self.close()
            raise
        self._seconds += time.perf_counter() - begin
        outcome = simulation.outcome
        if outcome is not None:
            if self._last is not None:
                self._last.tell(outcome)
            self._result = result_of(
                self._prepared, self._request, outcome, self._seconds, self._stops, self._recording
            )
            self._files.close()
        if outcome is not None or before < inf:
            self.cycle = int(before) if outcome is None else outcome.cycles

    def _open(self) -> Simulation:
        if self._simulation is None:
            raise input_error("the session is closed", hint="open another: sim.session(…)")
        return self._simulation
