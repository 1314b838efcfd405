"""What is wanted of a run where it is at rest: figures of a region, its state in a file, a pause.

stops = Stops(measuring, keep, write)
request = replace(request, on_rest=stops)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from machines.diagnostics import input_error
from sim.cores import Outcome
from sim.cores.rest import Rest
from sim.measured import Measuring, never_at_rest
from sim.status import DONE


@dataclass(frozen=True)
class Keep:
    """The state after so many steps of the host is to be written into a file."""

    path: Path
    after: int


@dataclass
class Stops:
    """
    write        write(path, rest): keeps the state of the run at rest
    pause_after  steps after which it pauses where it is at rest; None: it does not
    rested       the points of rest so far, in steps; `last` is the last one
    """

    measuring: Measuring | None = None
    keep: Keep | None = None
    write: Callable[[Path, Rest], None] | None = None
    pause_after: int | None = None
    rested: list[int] = field(default_factory=list)
    last: Rest | None = None

    def __call__(self, rest: Rest) -> bool:
        self.last = rest
        self.rested.append(rest.steps)
        # What a region's figures ask of a core is done in the run that goes on from here too.
        if self.keep is not None and rest.steps == self.keep.after:
            self.write(self.keep.path, rest)
        if self.measuring is not None:
            self.measuring.at_rest(rest)
        return self.pause_after is not None and rest.steps >= self.pause_after

    @property
    def has_kept(self) -> bool:
        """Whether the run was at rest where it was to be kept."""
        return self.keep is not None and self.keep.after in self.rested

    def check(self, outcome: Outcome) -> None:
        """Raise InputError if a run that has ended well was not."""
        keep = self.keep
        if outcome.status == DONE and keep is not None and not self.has_kept:
            raise input_error(never_at_rest("the state to keep", keep.after, self.rested))
