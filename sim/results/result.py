"""The result of a run: what happened, where the cycles went, and what it was a run of.

A result is a function of the inputs and of simrun's version alone: two processes write the same
bytes.  What belongs to the host (seconds, absolute paths) is in `Result.host` and is never part of
`to_dict()`.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from machines.diagnostics import input_error
from machines.elements import common_name, in_memory
from sim.kinds.printed import Printed
from sim.results.energy import Estimate
from sim.results.histograms import Counted
from sim.results.layer import Layer
from sim.results.line import Line
from sim.results.roofline import Roofline
from sim.results.series import Series
from sim.results.shown import outcome_words
from sim.results.vocabulary import Vocabulary, vocabulary_of
from sim.status import DONE, EXIT_CODES
from sim.workload.comparison import Check

if TYPE_CHECKING:
    from machines.description.load import Machine
    from sim.results.compared import Comparison
    from sim.results.figures import Figures
    from sim.timeline.summary import Summary

FORMAT = 2
"""Version of the layout of `Result.to_dict()`."""


@dataclass(repr=False)
class Result:
    """One run.

    status      'done', 'fault', 'limit' (cycle limit), 'hang' or 'interrupted'
    cycles      of the core clock, up to the end or to where the run was cut short
    kind        of the machine
    counters    by name; the kind's vocabulary says what each means
    breakdown   where the time went, by reason, each cycle once
    returned    what the program returned, or None
    outputs     array arguments after the run; of a function of arrays its result: 'return' if that
                is an array of scalars, else its parts: 'return.0', 'return.lengths', …
    checks      expectations compared (none unless the run is done)
    lines       cost by source line, in source order
    layers      cost by layer of a program that has some, in their order, and two rows more: what
                belongs to none, and the time in which no program was at work
    roofline    what the machine could have done of what it did, and what bounds it; None of a kind
                that has none, or of a run of no cycle
    series      counters over time, if they were asked for: of the whole run, whatever the region
    histograms  of what happened, if they were asked for
    energy      estimates of energy and area, of a machine whose file has figures of it
    fault       how the program failed: kind, source location, address, cycle (None if it did not)
    provenance  versions and content hashes of everything that the result depends on
    host        seconds and paths on this machine; not part of the result
    steps       what the host did, each with the first and the last cycle
    region      of what cycles, counters, breakdown and lines are the figures, if not of the whole
                run: `after` and `until` which steps of the host, its first and its last cycle
                (`begin` None: it was not reached, they are the whole run's), and `run_cycles`
    printed     what the program printed; None if it is none that prints
    described   the machine, where it is at hand; not part of the result
    timeline    of a run that was traced what its timeline adds up to; not part of the result
    figures     what instructions cost; not part of the result
    """

    workload: str
    variant: str
    machine: str
    kind: str
    clock: int
    status: str
    cycles: int
    counters: dict[str, int]
    breakdown: dict[str, int]
    returned: int | float | None
    outputs: dict[str, np.ndarray]
    checks: list[Check]
    lines: list[Line]
    fault: dict[str, Any] | None
    provenance: dict[str, Any]
    host: dict[str, Any] = field(default_factory=dict)
    steps: list[dict[str, Any]] = field(default_factory=list)
    region: dict[str, Any] | None = None
    printed: Printed | None = None
    layers: list[Layer] = field(default_factory=list)
    roofline: Roofline | None = None
    energy: Estimate | None = None
    series: Series | None = None
    histograms: list[Counted] | None = None
    described: Machine | None = None
    timeline: Summary | None = None
    figures: Figures | None = None

    def __repr__(self) -> str:
        """One line; `outputs` and the rest are there to be asked for."""
        how = self.status
        if self.status == DONE:
            how += ", " + outcome_words(self.ok, bool(self.checks))
        return f"<Result of {self.title}: {how}, {self.cycles} cycles>"

    def _repr_html_(self) -> str:
        """The report, as a notebook shows it."""
        from sim.results.html import of_result

        return of_result(self)

    @property
    def title(self) -> str:
        """What ran: 'saxpy (small) on itanium2'."""
        case = self.workload + ("" if self.variant == "default" else f" ({self.variant})")
        return f"{case} on {self.machine}"

    @property
    def vocabulary(self) -> Vocabulary:
        """What the words of the result mean."""
        return vocabulary_of(self.kind)

    @property
    def model(self) -> int:
        """Version of the timing model."""
        return self.provenance["model"]

    @property
    def headlines(self) -> list[tuple[str, str, str]]:
        """Figures people look at first: (label, value, note)."""
        words = self.vocabulary
        return [*words.summary(self), *words.describe(self.counters, self.cycles)]

    @property
    def seconds(self) -> float:
        """Simulated time."""
        return self.cycles / self.clock

    @property
    def ok(self) -> bool:
        """True if the program ended and every expectation held."""
        return self.status == DONE and all(check.ok for check in self.checks)

    @property
    def exit_code(self) -> int:
        """0 done and right, 1 done and wrong, 3 faulted or ran into a limit, 130 interrupted."""
        return EXIT_CODES[self.status] or (0 if self.ok else 1)

    def compare(self, other: Result) -> Comparison:
        """What `other` is beside this result: what moved, what differs, what cannot be compared.

        Raises InputError if it is no result.

        >>> print(plain.compare(slower))  # doctest: +SKIP
        """
        from sim.results.beside import beside

        if not isinstance(other, Result):
            raise input_error(f"other: expected a Result, found a {type(other).__name__}")
        machines = [one.described or one.host.get("machine") for one in (self, other)]
        return beside(self.to_dict(), other.to_dict(), machines)

    def to_frame(self, what: str = "counters") -> Any:
        """A part as a pandas DataFrame: "counters", "breakdown", "lines" or "series" (columns in
        `sim.results.frames`).

        Raises InputError for another word, and without pandas.
        """
        from sim.results.frames import frame_of

        return frame_of(self, what)

    def to_dict(self) -> dict[str, Any]:
        """The whole result as plain data; outputs as type, shape and SHA-256 of their bytes."""
        return {
            "format": FORMAT,
            "workload": self.workload,
            "variant": self.variant,
            "machine": self.machine,
            "vocabulary": {"name": self.kind, "version": self.vocabulary.version},
            "status": self.status,
            "complete": self.status == DONE,
            "ok": self.ok,
            "cycles": self.cycles,
            **({"region": self.region} if self.region else {}),
            "clock_hz": self.clock,
            "counters": dict(self.counters),
            "breakdown": dict(self.breakdown),
            "returned": _plain(self.returned),
            "outputs": {name: _described(array) for name, array in self.outputs.items()},
            **_printed(self.printed),
            "checks": [_check(check) for check in self.checks],
            "lines": [_line(line) for line in self.lines],
            **({"layers": [o.to_dict(self.clock) for o in self.layers]} if self.layers else {}),
            **({"roofline": self.roofline.to_dict()} if self.roofline else {}),
            **({"energy": self.energy.to_dict()} if self.energy else {}),
            **({"series": self.series.to_dict()} if self.series else {}),
            **_histograms(self.histograms),
            **({"steps": self.steps} if self.steps else {}),
            "fault": self.fault,
            "provenance": self.provenance,
        }

    def to_json(self) -> str:
        """`to_dict` as JSON text, the same bytes in every process."""
        return to_json(self.to_dict())


def to_json(content: Mapping[str, Any] | list[Any]) -> str:
    """JSON with a fixed layout, in ASCII, which every encoding has; NaN and infinities must have
    been written as text."""
    return json.dumps(content, indent=1, allow_nan=False) + "\n"


def _plain(value: object) -> object:
    """A number that JSON can hold."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def _printed(printed: Printed | None) -> dict[str, Any]:
    """The text, and of one that was too long how many bytes were not kept."""
    if printed is None:
        return {}
    return {"stdout": printed.text, **({"stdout_lost": printed.lost} if printed.lost else {})}


def _histograms(found: list[Counted] | None) -> dict[str, Any]:
    return {} if found is None else {"histograms": [one.to_dict() for one in found]}


def _described(array: np.ndarray) -> dict[str, Any]:
    digest = hashlib.sha256(in_memory(array).tobytes()).hexdigest()
    return {"dtype": common_name(array.dtype), "shape": list(array.shape), "sha256": digest}


def _check(check: Check) -> dict[str, Any]:
    content: dict[str, Any] = {"output": check.name, "source": check.source, "ok": check.ok}
    content["compared"] = check.compared
    content["rtol"], content["atol"] = _plain(check.relative), _plain(check.absolute)
    if check.ulps is not None:
        content["ulps"] = check.ulps
    if not check.ok:
        content["differing"] = check.differing
        content["first"] = list(check.first) if check.first is not None else None
        if check.lengths is not None:
            content["lengths"] = {"expected": check.lengths[0], "got": check.lengths[1]}
        content["expected"], content["got"] = _plain(check.expected), _plain(check.got)
    return content


def _line(line: Line) -> dict[str, Any]:
    return {
        "file": line.file,
        "line": line.line,
        "text": line.text,
        "executed": line.executed,
        "lost": {cause: cycles for cause, cycles in line.lost.items() if cycles},
        **line.columns,
    }
