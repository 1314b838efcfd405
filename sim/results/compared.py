"""Two results beside each other: what moved, what differs, and what cannot be compared.

    compare(a.to_dict(), b.to_dict()).cycles.change

Results are compared as the plain data of `Result.to_dict()`, or less of it: what one of them does
not hold is said, and the rest is compared.  `a` is what is compared with, as a baseline is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sim.results.moved import (
    Content,
    LinesMoved,
    Moved,
    StepsMoved,
    counters_moved,
    lines_moved,
    reasons_moved,
    steps_moved,
)
from sim.results.shown import ending_words
from sim.workload.region import steps_of

if TYPE_CHECKING:
    from machines.description.field_differences import FieldDifference

COMPARISON = 1
"""Version of the layout of `Comparison.to_dict()`."""
ACCEPTED = "accepted"
"""Status of what a baseline holds: of a run that was done and right."""
PARTS = {
    "clock_hz": "time",
    "breakdown": "breakdown",
    "counters": "counters",
    "lines": "source lines",
    "steps": "steps of the host",
    "outputs": "outputs",
}
"""Parts that a result need not hold, and what they are called."""
OF_ONE_KIND = ("breakdown", "counters", "lines", "steps", "machine")
"""Of these and of the provenance, what has the words of one kind of machine."""
FIELDS = "fields of the machines"
TIMING_ONLY, RACES = "timing_only", "races"
DESCRIBED = "described"
"""Of the provenance: a machine that is nowhere by its name, as plain data."""
NO_PARTS = {TIMING_ONLY, RACES, DESCRIBED}
"""Of the provenance, what is not compared itself."""
LONGEST = 60
"""Characters of a value in a sentence."""


@dataclass(frozen=True)
class Side:
    """One of two results: what it is of, and how it ended.

    changes  of the machine and the passes, and arguments in place of the workload's own
    """

    workload: str
    variant: str
    machine: str
    kind: str
    ending: str
    changes: tuple[str, ...]

    @property
    def title(self) -> str:
        case = "" if self.variant == "default" else f" ({self.variant})"
        changes = f" with {', '.join(self.changes)}" if self.changes else ""
        return f"{self.workload}{case} on {self.machine}{changes}: {self.ending}"


@dataclass(frozen=True)
class Differs:
    """Something that is no figure, with its value in both; None is one that does not have it."""

    name: str
    a: Any
    b: Any

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {"name": self.name, "a": self.a, "b": self.b}


@dataclass(frozen=True)
class Comparison:
    """What `b` is beside `a`; lists have what moved or differs, what moved most first.

    warnings      why figures may say little: another workload, a run that did not end, …
    not_compared  what cannot be compared, and why; these parts are None
    cycles        of the core clock
    seconds       simulated
    whole         what the breakdown adds up to; the changes of `reasons` add up to its change
    reasons       of the breakdown
    counters      those that only one result has come last
    lines         source lines
    steps         what the host did
    outputs       by type, shape and SHA-256; 'return' is the returned value
    provenance    what the results depend on
    fields        of the machines
    """

    a: Side
    b: Side
    warnings: list[str]
    not_compared: list[str]
    cycles: Moved
    seconds: Moved | None
    whole: Moved | None
    reasons: list[Moved] | None
    counters: list[Moved] | None
    lines: LinesMoved | None
    steps: StepsMoved | None
    outputs: list[Differs] | None
    provenance: list[Differs]
    fields: list[FieldDifference] | None

    @property
    def equal(self) -> bool:
        """Whether nothing that was compared differs."""
        moved = (self.lines, self.steps)
        parts = [part for one in moved if one is not None for part in (one.moved, one.unmatched)]
        differing = (self.reasons, self.counters, self.outputs, self.provenance, self.fields)
        return not self.cycles.change and not any((*parts, *differing))

    def __str__(self) -> str:
        """For people, as `simrun compare` prints it."""
        from sim.results.comparison_text import comparison_lines

        return "\n".join(comparison_lines(self))

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "comparison": COMPARISON,
            "a": self.a.__dict__,
            "b": self.b.__dict__,
            "warnings": self.warnings,
            "not_compared": self.not_compared,
            "cycles": self.cycles.figures(),
            "seconds": None if self.seconds is None else self.seconds.figures(),
            "breakdown": None if self.whole is None else self.whole.figures(),
            "reasons": _plain(self.reasons),
            "counters": _plain(self.counters),
            "lines": None if self.lines is None else self.lines.to_dict(),
            "steps": None if self.steps is None else self.steps.to_dict(),
            "outputs": _plain(self.outputs),
            "provenance": _plain(self.provenance),
            "fields": _plain(self.fields),
        }


def compare(a: Content, b: Content, fields: Sequence[FieldDifference] | None = None) -> Comparison:
    """Compare two results.

    fields  of the machines that differ; None if nobody could read both machines again
    """
    why_not = _why_not(a, b, fields)
    provenance = [
        Differs(key, a["provenance"][key], b["provenance"][key])
        for key in a["provenance"]
        if key in b["provenance"] and key not in NO_PARTS and _differs(a, b, key)
    ]
    if not any(one.name == "machine" for one in provenance):
        fields = []

    def of(part: str, make: Callable[..., Any]) -> Any:
        """What is made of a part of both, None of a part that cannot be compared."""
        can_be = part in a and part in b and part not in why_not
        return make(a[part], b[part]) if can_be else None

    return Comparison(
        a=_side(a),
        b=_side(b),
        warnings=[*_of_sides(a, b), *_of_what_ran(a, b)],
        not_compared=_grouped(why_not),
        cycles=Moved("cycles", a["cycles"], b["cycles"]),
        seconds=of("clock_hz", lambda *clocks: _seconds(a["cycles"], b["cycles"], *clocks)),
        whole=of("breakdown", lambda *wholes: Moved("total", *(sum(w.values()) for w in wholes))),
        reasons=of("breakdown", reasons_moved),
        counters=of("counters", counters_moved),
        lines=of("lines", lines_moved),
        steps=of("steps", steps_moved),
        outputs=of("outputs", lambda *outputs: _outputs(a, b)),
        provenance=provenance,
        fields=None if fields is None or "machine" in why_not else list(fields),
    )


def _why_not(a: Content, b: Content, fields: Sequence[FieldDifference] | None) -> dict[str, str]:
    """Parts that cannot be compared, and why; parts of the provenance among them."""
    found = {}
    of_a, of_b = ({*PARTS} & {*one} | {*one["provenance"]} - NO_PARTS for one in (a, b))
    for part in (*PARTS, *a["provenance"], *b["provenance"]):
        if (part in of_a) != (part in of_b):
            found[part] = f"{'B' if part in of_a else 'A'} holds none"
    sides = {"A": a, "B": b}
    if timed := [side for side, one in sides.items() if one["provenance"].get(TIMING_ONLY)]:
        found["outputs"] = f"{' and '.join(timed)} computed none (--timing-only)"
    if cut := [side for side, one in sides.items() if not one["complete"]]:
        found["outputs"] = f"{' and '.join(cut)} did not come to the end"
    if fields is None and "machine" not in found and _differs(a, b, "machine"):
        found["machine"] = "not both machines are there to be read as they were"
    if a["vocabulary"]["name"] != b["vocabulary"]["name"]:
        kinds = " and ".join(f"'{one['vocabulary']['name']}'" for one in (a, b))
        held = [part for part in OF_ONE_KIND if part in of_a | of_b]
        found |= dict.fromkeys(held, f"the machines are of kinds {kinds}")
    return found


def _grouped(why_not: Content) -> list[str]:
    """A sentence for each reason, with all that it is the reason for."""
    parts: dict[str, list[str]] = {}
    for part, why in why_not.items():
        parts.setdefault(why, []).append({**PARTS, "machine": FIELDS}.get(part, part))
    return [f"{', '.join(some)}: {why}" for why, some in parts.items()]


def _differs(a: Content, b: Content, key: str) -> bool:
    return a["provenance"].get(key) != b["provenance"].get(key)


def _side(one: Content) -> Side:
    provenance = one["provenance"]
    arguments = provenance.get("arguments", {}).items()
    passes = provenance.get("passes", "default")
    changes = [
        *provenance.get("overrides", []),
        *(f"{name}={_short(value)}" for name, value in arguments),
        *([] if passes == "default" else [f"passes {_short(passes)}"]),
    ]
    ending = "accepted baseline"
    if one["status"] != ACCEPTED:
        ending = ending_words(one["status"], one["ok"], bool(one.get("checks")))
    kind = one["vocabulary"]["name"]
    return Side(one["workload"], one["variant"], one["machine"], kind, ending, tuple(changes))


def _of_sides(a: Content, b: Content) -> Iterator[str]:
    """Why the figures of one of them may say little."""
    for name, one in (("A", a), ("B", b)):
        if not one["complete"]:
            yield f"{name} did not come to its end: its figures are of the part that ran"
        elif not one["ok"]:
            yield f"{name} has WRONG OUTPUTS: its cycles are those of something else"


def _of_what_ran(a: Content, b: Content) -> Iterator[str]:
    """Why figures may have moved without any merit of the machine or the program."""
    for key in ("workload", "variant"):
        if a[key] != b[key]:
            yield f"they are of other {key}s: '{a[key]}' and '{b[key]}'"
    arguments = [one["provenance"].get("arguments", {}) for one in (a, b)]
    if arguments[0] != arguments[1]:
        yield f"they have other arguments: {' and '.join(map(_short, arguments))}"
    inputs = [one["provenance"].get("inputs") for one in (a, b)]
    if None not in inputs and inputs[0] != inputs[1] and arguments[0] == arguments[1]:
        yield "they have other inputs: arguments, the files of arrays, or what the host does"
    regions = [steps_of(one.get("region")) for one in (a, b) if one["status"] != ACCEPTED]
    if len({*regions}) > 1:
        yield f"their figures are of {regions[0]} and of {regions[1]}"
    if a["vocabulary"]["name"] != b["vocabulary"]["name"]:
        return
    models = [one["provenance"]["model"] for one in (a, b)]
    if models[0] != models[1]:
        yield f"the timing model has changed: version {models[0]} and {models[1]}"
    versions = [one["vocabulary"]["version"] for one in (a, b)]
    if versions[0] != versions[1]:
        yield f"the words of results have changed: version {versions[0]} and {versions[1]}"


def _seconds(cycles_a: int, cycles_b: int, clock_a: int, clock_b: int) -> Moved:
    return Moved("seconds", cycles_a / clock_a, cycles_b / clock_b)


def _outputs(a: Content, b: Content) -> list[Differs]:
    """Outputs that differ; a returned value and a printed text stand beside them."""
    of_a, of_b = (
        {"return": one.get("returned"), "stdout": one.get("stdout"), **one["outputs"]}
        for one in (a, b)
    )
    return [
        Differs(name, of_a.get(name), of_b.get(name))
        for name in {**of_a, **of_b}
        if of_a.get(name) != of_b.get(name)
    ]


def _short(value: object) -> str:
    """A value of the provenance in a sentence."""
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _plain(some: Sequence[Any] | None) -> list[dict[str, Any]] | None:
    return None if some is None else [one.to_dict() for one in some]
