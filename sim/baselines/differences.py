"""How a result differs from what was accepted, and why: lines for people, and the figures.

What it is a result of says why (`Origin`).  A program comes of source, passes and machine: where
these are the same and it is not, the compiler has changed.  Figures come of program, machine and
inputs: where these are the same and the figures are not, the timing model has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from machines.diagnostics import input_error, nearest
from sim.baselines.accepted import Accepted, Baseline, Metrics, Origin, Run, metrics_of
from sim.results.vocabulary import Vocabulary, vocabularies

MOST_COUNTERS = 8
"""Counters that moved which are named; of more it is said how many."""
COMPILED_OF = ("machine", "source", "passes")
"""What a program comes of."""
RUN_OF = ("machine", "program", "inputs", "limits")
"""What the figures come of, under one timing model."""

BeforeAndNow = tuple[int, int]


@dataclass(frozen=True)
class Tolerance:
    """How far a metric may move: a fraction of the baseline, by name or for all."""

    everywhere: float = 0.0
    by_metric: Mapping[str, float] = field(default_factory=dict)

    def allows(self, metric: str, before: int, now: int) -> bool:
        return abs(now - before) <= self.by_metric.get(metric, self.everywhere) * before

    def allows_share(self, reason: str, whole: int, before: int, now: int) -> bool:
        """Whether a share of the breakdown may move so: by its name, else as far as the cycles
        may."""
        if reason in self.by_metric:
            return self.allows(reason, before, now)
        return self.allows("cycles", whole, whole + now - before)


def read_tolerance(texts: Sequence[str]) -> Tolerance:
    """Tolerances as the command line gives them: '0.01', '1%', 'cycles=0.5%'.

    Raises InputError if one is no number or of no metric.
    """
    everywhere, by_metric = 0.0, {}
    for text in texts:
        name, named, number = text.rpartition("=")
        if not re.fullmatch(r"\d+(\.\d+)?%?", number):
            raise input_error(f"'{text}' is not a tolerance", hint="write 1% or cycles=0.5%")
        fraction = float(number.rstrip("%")) / (100 if number.endswith("%") else 1)
        if named:
            check_metric(name)
            by_metric[name] = fraction
        else:
            everywhere = fraction
    return Tolerance(everywhere, by_metric)


def check_metric(name: str, others: Sequence[str] = ()) -> None:
    """Raise InputError for what is no metric of any kind of machine, nor one of the others: the
    cycles, a counter, a reason of the breakdown."""
    known = ["cycles", *others]
    for one in vocabularies().values():
        known += [word.name for word in (*one.counters, *one.reasons)]
    if name not in known:
        raise input_error(f"there is no metric '{name}'", hint=nearest(name, known))


@dataclass(frozen=True)
class Cause:
    """A part of what a result is a result of that has changed, and what is known of the change."""

    part: str
    sentence: str

    def __str__(self) -> str:
        return f"cause: {self.part}: {self.sentence}"


@dataclass(frozen=True)
class Differences:
    """How a result differs from what was accepted.

    moved     what fails, in lines for people
    new       counters that nobody could have accepted yet
    causes    what has changed since then; of figures that are equal, too
    cycles    before and now
    reasons   those of the breakdown that moved
    counters  those that moved too far
    """

    moved: list[str]
    new: list[str]
    causes: list[Cause]
    cycles: BeforeAndNow
    reasons: dict[str, BeforeAndNow]
    counters: dict[str, BeforeAndNow]


def differences(baseline: Baseline, run: Run, tolerance: Tolerance) -> Differences:
    """Compare a run with what the baseline holds of its case."""
    held, now = baseline.cases[run.result.variant], metrics_of(run.result)
    known = _counters(baseline, run.result.vocabulary, held.counters, now.counters)
    counters = {name: two for name, two in known.items() if not tolerance.allows(name, *two)}
    shares = {
        reason: (held.breakdown.get(reason, 0), now.breakdown.get(reason, 0))
        for reason in {**now.breakdown, **held.breakdown}
    }
    reasons = {reason: (a, b) for reason, (a, b) in shares.items() if a != b}
    moved = [*_of_cycles(held, now, reasons, tolerance), *_of_counters(counters)]
    causes = list(causes_of(held.identity, run.origin, bool(moved)))
    if moved or held.identity.model != run.origin.model:
        moved += [*map(str, causes), accepted_line(held)]
    new = [
        f"{name} is new: {value} (held once --update accepts it)"
        for name, value in now.counters.items()
        if name not in known
    ]
    return Differences(moved, new, causes, (held.cycles, now.cycles), reasons, counters)


def accepted_line(held: Accepted) -> str:
    """Why and where a case was accepted."""
    at = "" if held.revision is None else f" (at {held.revision})"
    return f"accepted: {held.reason}{at}"


def causes_of(before: Origin, now: Origin, figures_moved: bool) -> Iterator[Cause]:
    """What has changed since; if the figures moved, at least one."""
    changed = {name for name in Origin.model_fields if getattr(before, name) != getattr(now, name)}
    program = "compiles to another program" if "program" in changed else "the program is the same"
    for part in COMPILED_OF:
        if part in changed:
            yield Cause(part, f"changed, {program}")
    if "program" in changed and changed.isdisjoint(COMPILED_OF):
        yield Cause("compiler", "same source, passes and machine, another program")
    for part in ("inputs", "expectations", "limits"):
        if part in changed:
            yield Cause(part, "changed")
    if "model" in changed:
        yield Cause("model", f"version {before.model} → {now.model}: the timing model has changed")
    elif figures_moved and changed.isdisjoint(RUN_OF):
        same = "same program, machine and inputs, other figures"
        yield Cause("model", f"{same}, and its version is still {now.model}")


def _of_cycles(
    before: Metrics, now: Metrics, reasons: Mapping[str, BeforeAndNow], tolerance: Tolerance
) -> Iterator[str]:
    """The cycles, and if they or a share of the breakdown moved too far, all shares that moved."""
    whole = sum(before.breakdown.values())
    cycles_moved = not tolerance.allows("cycles", before.cycles, now.cycles)
    if cycles_moved:
        yield f"cycles {change(before.cycles, now.cycles)}"
    if cycles_moved or any(
        not tolerance.allows_share(reason, whole, *two) for reason, two in reasons.items()
    ):
        yield from (f"  {reason} {change(*two)}" for reason, two in reasons.items())


def _of_counters(counters: Mapping[str, BeforeAndNow]) -> list[str]:
    lines = [f"{name} {change(*two)}" for name, two in counters.items()]
    more = len(lines) - MOST_COUNTERS
    return lines[:MOST_COUNTERS] + ([f"{more} more counters"] if more > 0 else [])


def _counters(
    baseline: Baseline, vocabulary: Vocabulary, before: Mapping[str, int], now: Mapping[str, int]
) -> dict[str, BeforeAndNow]:
    """Values before and now of all counters but those that the baseline's vocabulary had not."""
    since = {counter.name: counter.since for counter in vocabulary.counters}
    return {
        name: (before.get(name, 0), now.get(name, 0))
        for name in {**now, **before}
        if name in before or since[name] <= baseline.vocabulary.version
    }


def change(before: int, now: int) -> str:
    """'100 → 101 (+1.00 %)'."""
    return f"{before} → {now}{percent(before, now)}"


def percent(before: int, now: int) -> str:
    """' (+1.00 %)'; nothing of what was 0."""
    return f" ({100 * (now - before) / before:+.2f} %)" if before else ""
