"""A measured region of a run: its figures alone are told, warm-up is left out.

    measure: {after: 2, until: 5}        # of a workload: steps 3, 4 and 5 of its host

A region begins and ends where the run is at rest (`sim.cores.rest`); there the laws of the kind
hold, so they hold of what lies between.  To look changes nothing: no cycle moves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from machines.diagnostics import input_error
from sim.cores import Outcome
from sim.cores.rest import Plain, Rest
from sim.results.figures import Figures, between, figures_of
from sim.results.laws import check_outcome
from sim.results.layer import Layer
from sim.results.vocabulary import Vocabulary
from sim.status import DONE
from sim.workload.region import Region


@dataclass
class Measuring:
    """Takes the figures of a region, where the run comes to its ends.

    rested  the points of rest so far, in steps
    with_energy  whether the events that energy is estimated of are figures, too
    """

    region: Region
    vocabulary: Vocabulary
    begun: Figures | None = None
    ended: Figures | None = None
    rested: list[int] = field(default_factory=list)
    with_energy: bool = False

    def at_rest(self, rest: Rest) -> None:
        self.rested.append(rest.steps)
        if rest.steps == self.region.after:
            self.begun = self._figures(rest.outcome)
        if rest.steps == self.region.until and self.has_begun:
            self.ended = self._figures(rest.outcome)

    @property
    def has_begun(self) -> bool:
        return self.begun is not None or self.region.after == 0

    def figures(self, outcome: Outcome) -> tuple[Figures, dict[str, Any]]:
        """Of the region of a run that has ended, and what it says of the region.

        Of a run that ended early, before the region began, they are those of the whole run, and
        `begin` is None.  Raises InputError if it ended well and was not at rest there.
        """
        whole = figures_of(outcome, self.vocabulary, self.with_energy)
        if outcome.status == DONE:
            self._check()
        end = self.ended or whole
        first = self.begun.cycles if self.begun is not None else 0
        said = {
            "after": self.region.after,
            "until": self.region.until,
            "begin": first if self.has_begun else None,
            "end": end.cycles,
            "run_cycles": whole.cycles,
        }
        if not self.has_begun:
            return whole, said
        return between(self.begun, end, self.vocabulary), said

    def _check(self) -> None:
        """Raise InputError if the run was not at rest where the region begins or ends."""
        if not self.has_begun:
            raise input_error(never_at_rest("the region", self.region.after, self.rested))
        if self.region.until is not None and self.ended is None:
            raise input_error(never_at_rest("the region", self.region.until, self.rested))

    def _figures(self, outcome: Callable[[], Outcome]) -> Figures:
        found = outcome()
        check_outcome(self.vocabulary, found)
        return figures_of(found, self.vocabulary, self.with_energy)

    def at_begin(self) -> Plain:
        """The figures where the region began, None if it has not, for a state that is kept."""
        if self.begun is None or self.ended is not None:
            return None
        return {"after": self.region.after, **asdict(self.begun)}

    def restore(self, state: Plain, steps: int) -> None:
        """Go on where `at_begin` was asked for, after so many steps.

        Raises InputError if the region began before, and elsewhere.
        """
        if not 0 < self.region.after < steps:
            return
        if state is None or state["after"] != self.region.after:
            message = f"the region begins after step {self.region.after}, before the state was kept"
            raise input_error(message, hint="let it begin there or later, or leave --from out")
        told = {key: value for key, value in state.items() if key != "after"}
        self.begun = Figures(**{**told, "layers": [Layer(**one) for one in state["layers"]]})


def never_at_rest(what: str, wanted: int, rested: Sequence[int]) -> str:
    """Why a run was not at rest after so many steps."""
    if not rested:
        return f"{what}: the run is never at rest, as it has no steps of a host"
    steps = max(rested)
    if wanted > steps:
        return f"{what}: the host has {steps} steps at whose ends the run is at rest, not {wanted}"
    known = ", ".join(map(str, rested[:20]))
    return f"{what}: after {wanted} steps the run is not at rest; it is after {known}"
