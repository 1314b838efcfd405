"""What a baseline file holds of accepted runs, and how a result differs from it.

model: 1
vocabulary: {name: …, version: 1}
cases:
  default:
    cycles: 4711
    breakdown: …          # what is 0 is left out
    counters: …
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import Field

from machines.description.strict_yaml import read_yaml_file
from machines.description.validation import validate
from machines.diagnostics import InputError, input_error, nearest
from sim.results.result import Result
from sim.results.vocabulary import Vocabulary, vocabularies
from sim.workload.inputs import Form

MOST_COUNTERS = 8
"""Counters that moved which are named; of more it is said how many."""


REMEDY = "remove the file, and accept the results anew with --update"
"""Baselines are written by simrun alone: one that it cannot read may be of an older one."""


class Metrics(Form):
    """What is held of one case."""

    cycles: int = Field(ge=0, description="Simulated cycles.")
    breakdown: dict[str, int] = Field({}, description="Where they went; reasons of 0 left out.")
    counters: dict[str, int] = Field({}, description="Counters that are not 0.")


class Words(Form):
    """The vocabulary of the results that were accepted."""

    name: str = Field(description="The kind of machine that it is of.")
    version: int = Field(ge=1, description="A counter that is newer has no accepted value.")


class Baseline(Form):
    """A baseline file."""

    model: int = Field(ge=1, description="Version of the timing model that made it.")
    vocabulary: Words = Field(description="What its figures are.")
    cases: dict[str, Metrics] = Field(description="Metrics by case.")

    def is_behind(self, vocabulary: Vocabulary) -> bool:
        """Whether the vocabulary has words by now that the file does not know."""
        return self.vocabulary.version < vocabulary.version


@dataclass(frozen=True)
class Tolerance:
    """How far a metric may move: a fraction of the baseline, by name or for all."""

    everywhere: float = 0.0
    by_metric: Mapping[str, float] = field(default_factory=dict)

    def allows(self, metric: str, before: int, now: int) -> bool:
        return abs(now - before) <= self.by_metric.get(metric, self.everywhere) * before

    def allows_share(self, whole: int, before: int, now: int) -> bool:
        """Whether a part of the breakdown may move so: as far as the cycles may."""
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
            _check_metric(name)
            by_metric[name] = fraction
        else:
            everywhere = fraction
    return Tolerance(everywhere, by_metric)


def _check_metric(name: str) -> None:
    found = vocabularies().values()
    metrics = ["cycles", *dict.fromkeys(c.name for one in found for c in one.counters)]
    if name not in metrics:
        raise input_error(f"there is no metric '{name}'", hint=nearest(name, metrics))


def read_baseline(path: Path) -> Baseline | None:
    """The baseline file, or None if there is none.

    Raises InputError if it is damaged, or of a time when baselines held something else.
    """
    if not path.is_file():
        return None
    node = read_yaml_file(path)
    try:
        return validate(Baseline, node)
    except InputError as error:
        raise InputError(replace(one, hint=REMEDY) for one in error.diagnostics) from None


def baseline_text(results: Sequence[Result]) -> str:
    """A baseline file that accepts the results of all cases of a workload, in their order."""
    first = results[0]
    lines = [
        "# Written by `simrun check --update`: accepted cycles and counters (those not 0).",
        f"model: {first.model}",
        f"vocabulary: {{name: {first.kind}, version: {first.vocabulary.version}}}",
        "cases:",
    ]
    for result in results:
        case = metrics_of(result)
        lines += [f"  {result.variant}:", f"    cycles: {case.cycles}"]
        for part in ("breakdown", "counters"):
            values = getattr(case, part)
            if values:
                lines.append(f"    {part}:")
                lines += [f"      {key}: {value}" for key, value in values.items()]
    return "\n".join(lines) + "\n"


def metrics_of(result: Result) -> Metrics:
    """What a baseline holds of a result."""
    return Metrics(
        cycles=result.cycles,
        breakdown={cause: cycles for cause, cycles in result.breakdown.items() if cycles},
        counters={name: value for name, value in result.counters.items() if value},
    )


@dataclass(frozen=True)
class Differences:
    """How a result differs from what was accepted, in lines for people.

    moved  what fails
    new    counters that nobody could have accepted yet
    """

    moved: list[str]
    new: list[str]


def differences(baseline: Baseline, result: Result, tolerance: Tolerance) -> Differences:
    """Compare a result with what the baseline holds of its case."""
    before, now = baseline.cases[result.variant], metrics_of(result)
    counters = _counters(baseline, result.vocabulary, before.counters, now.counters)
    moved = [
        f"{name} {_change(a, b)}"
        for name, (a, b) in counters.items()
        if not tolerance.allows(name, a, b)
    ]
    more = len(moved) - MOST_COUNTERS
    of_counters = moved[:MOST_COUNTERS] + ([f"{more} more counters"] if more > 0 else [])
    return Differences(
        [
            *_of_versions(baseline, result),
            *_of_cycles(before, now, tolerance),
            *of_counters,
        ],
        [
            f"{name} is new: {value} (held once --update accepts it)"
            for name, value in now.counters.items()
            if name not in counters
        ],
    )


def _of_versions(baseline: Baseline, result: Result) -> Iterator[str]:
    if baseline.vocabulary.name != result.kind:
        held, said = baseline.vocabulary.name, result.kind
        yield f"the baseline holds figures of kind '{held}', and these are of kind '{said}'"
    if baseline.model != result.model:
        yield f"model version {baseline.model} → {result.model}: the timing model has changed"


def _of_cycles(before: Metrics, now: Metrics, tolerance: Tolerance) -> Iterator[str]:
    """The cycles, and if they or a share of the breakdown moved too far, all shares that moved."""
    shares = {
        cause: (before.breakdown.get(cause, 0), now.breakdown.get(cause, 0))
        for cause in {**before.breakdown, **now.breakdown}
    }
    whole = sum(before.breakdown.values())
    cycles_moved = not tolerance.allows("cycles", before.cycles, now.cycles)
    if cycles_moved:
        yield f"cycles {_change(before.cycles, now.cycles)}"
    if cycles_moved or any(not tolerance.allows_share(whole, a, b) for a, b in shares.values()):
        yield from (f"  {cause} {_change(a, b)}" for cause, (a, b) in shares.items() if a != b)


def _counters(
    baseline: Baseline, vocabulary: Vocabulary, before: Mapping[str, int], now: Mapping[str, int]
) -> dict[str, tuple[int, int]]:
    """Values before and now of all counters but those that the baseline's vocabulary had not."""
    since = {counter.name: counter.since for counter in vocabulary.counters}
    return {
        name: (before.get(name, 0), now.get(name, 0))
        for name in {**before, **now}
        if name in before or since[name] <= baseline.vocabulary.version
    }


def _change(before: int, now: int) -> str:
    percent = f" ({100 * (now - before) / before:+.2f} %)" if before else ""
    return f"{before} → {now}{percent}"
