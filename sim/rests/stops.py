"""What is wanted of a run where it is at rest: figures of a region, its state in a file, a pause.

stops = Stops(measuring, keep, pack)
request = replace(request, on_rest=stops)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from machines.diagnostics import input_error
from sim.cores import Outcome
from sim.cores.rest import Rest
from sim.rests.checkpoint import write_checkpoint
from sim.rests.measured import Measuring, never_at_rest
from sim.rests.warm import WarmStates
from sim.status import DONE


@dataclass(frozen=True)
class Keep:
    """The state after so many steps of the host is to be written into a file."""

    path: Path
    after: int


@dataclass
class Stops:
    """
    pack         pack(rest) -> the state of the run at rest, as a file's bytes
    warm         where the state is kept for other runs
    pause_after  steps after which it pauses where it is at rest; None: it does not
    rested       the points of rest so far, in steps; `last` is the last one
    """

    measuring: Measuring | None = None
    keep: Keep | None = None
    pack: Callable[[Rest], bytes] | None = None
    warm: WarmStates | None = None
    pause_after: int | None = None
    rested: list[int] = field(default_factory=list)
    last: Rest | None = None

    @property
    def is_idle(self) -> bool:
        """Whether nothing is wanted."""
        return self.measuring is None and self.keep is None and self.warm is None

    def __call__(self, rest: Rest) -> bool:
        self.last = rest
        self.rested.append(rest.steps)
        # What a region's figures ask of a core is done in the run that goes on from here too.
        if self.keep is not None and rest.steps == self.keep.after:
            self.write(self.keep.path)
        if self.warm is not None and rest.steps == self.warm.until:
            self.warm.put(self.pack(rest))
        if self.measuring is not None:
            self.measuring.at_rest(rest)
        return self.pause_after is not None and rest.steps >= self.pause_after

    def write(self, path: Path) -> None:
        """Keep the run, which is at rest, in a file."""
        write_checkpoint(path, self.pack(self.last))

    @property
    def has_kept(self) -> bool:
        """Whether the run was at rest where it was to be kept."""
        return self.keep is not None and self.keep.after in self.rested

    def check(self, outcome: Outcome) -> None:
        """Raise InputError if a run that has ended well was not at rest where it was to be."""
        wanted = [self.keep.after] if self.keep is not None else []
        wanted += [self.warm.until] if self.warm is not None else []
        for steps in wanted if outcome.status == DONE else ():
            if steps not in self.rested:
                raise input_error(never_at_rest("the state to keep", steps, self.rested))
