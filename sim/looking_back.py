"""The last cycles of a run whose core notes only a part of it: which these are is known when it has
ended.  So it runs once without a trace, and once more, as every run of the same inputs is the same:
together they cost less than to note everything.

    request, last = looking_back(prepared, request)
    outcome = simulate(request)
    if last is not None:
        last.tell(outcome)
"""

from __future__ import annotations

from dataclasses import replace

from sim.cores import Outcome, Request, core_of
from sim.prepared_case import PreparedCase
from sim.simulate import simulate


class LookingBack:
    """A run that has been done, whose end is to be told.

    It takes a copy of the memory, which is to hold the inputs.
    """

    def __init__(self, prepared: PreparedCase, request: Request):
        self._prepared, self._request = prepared, request
        self._inputs = request.memory.bytes.copy()

    def tell(self, outcome: Outcome) -> None:
        """Hand on what happened in the last cycles; memory is left as it is."""
        window, memory = self._request.trace_window, self._request.memory
        assert window is not None and window.last is not None
        if not outcome.cycles:
            return
        left = memory.bytes.copy()
        memory.bytes[...] = self._inputs
        begin = max(0, outcome.cycles - window.last)
        again = simulate(
            replace(
                self._request,
                host=self._prepared.host(),
                cycle_limit=outcome.cycles,
                trace_window=replace(window, last=None, begin=begin),
                on_rest=None,
            )
        )
        assert again.cycles == outcome.cycles, "a run of the same inputs is the same"
        memory.bytes[...] = left


def looking_back(prepared: PreparedCase, request: Request) -> tuple[Request, LookingBack | None]:
    """The request of the first run, and what is to be told when it has ended, if anything is."""
    window = request.trace_window
    is_of_end = request.on_trace is not None and window is not None and window.last is not None
    if not is_of_end or not core_of(request.machine).notes_windows:
        return request, None
    return replace(request, on_trace=None, trace_window=None), LookingBack(prepared, request)


def notes_all(request: Request) -> bool:
    """Whether a traced run notes all that happens, so that it adds up to the figures of the run."""
    if request.on_trace is None:
        return False
    window = request.trace_window
    is_part = window is not None and window.is_part
    return not (is_part and core_of(request.machine).notes_windows)
