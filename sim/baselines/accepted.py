"""What a baseline file holds of accepted runs.

workload: saxpy
machine: itanium2
machine_file: ../mine.yaml            # of a machine that is a file, from the workload's folder
vocabulary: {name: …, version: 1}
cases:
  default:
    reason: "stores no longer wait for the queue"
    revision: "0a1b2c3d4e5f-dirty"
    identity:
      machine: "…"
      …
    cycles: 4711
    breakdown: …          # what is 0 is left out
    counters: …

Cases stand in the order of the workload, all other names are sorted, and a case whose figures did
not move stays as it is, with the reason that it was accepted for: a change of the file shows what
moved.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from machines.description.strict_yaml import MERGE_MARKERS, MOST_BYTES, read_yaml
from machines.description.validation import validate
from machines.diagnostics import InputError, input_error
from machines.reading import read_text
from sim.forms import Form
from sim.results.result import Result
from sim.results.vocabulary import Vocabulary

if TYPE_CHECKING:
    from sim.identity import Identity

REMEDY = "remove the file, and accept the results anew with --update --reason TEXT"
"""Baselines are written by simrun alone: one that it cannot read may be of an older one."""
UNMERGED = (
    "git left both sides of a merge here: take one (git checkout --ours FILE, or --theirs), and "
    "check: what moved is accepted with --update --reason TEXT"
)
DIGITS = 12
"""Of a digest: enough that no two states of one thing are ever taken for the same."""
LONGEST_REASON = 200

Digest = Annotated[str, Field(pattern=f"^[0-9a-f]{{{DIGITS}}}$")]


class Origin(Form):
    """What of a result's identity (`sim.identity`) says something later: digests, shortened.

    The text of the simulator is none of it, as every edit changes that; the revision tells it.
    """

    machine: Digest = Field(description="What its description says.")
    source: Digest = Field(description="The files that the program was compiled from.")
    passes: Digest = Field(description="Compiler passes with their options.")
    program: Digest = Field(description="What ran.")
    inputs: Digest = Field(description="Arguments, files, and what the host did.")
    expectations: Digest = Field(description="What had to come out.")
    limits: Digest = Field(description="Where the run would have ended.")
    model: int = Field(ge=1, description="Version of the timing model.")


class Metrics(Form):
    """The figures that are held of one case."""

    cycles: int = Field(ge=0, description="Simulated cycles.")
    breakdown: dict[str, int] = Field({}, description="Where they went; reasons of 0 left out.")
    counters: dict[str, int] = Field({}, description="Counters that are not 0.")


class Accepted(Metrics):
    """A case: its figures, and why and when they were accepted as results of what."""

    reason: str = Field(min_length=1, description="Why they were accepted.")
    revision: str | None = Field(None, description="The commit on which; '-dirty': with changes.")
    identity: Origin = Field(description="What they are results of.")

    @property
    def metrics(self) -> Metrics:
        """The figures alone."""
        return Metrics(cycles=self.cycles, breakdown=self.breakdown, counters=self.counters)


class Words(Form):
    """The vocabulary of the results that were accepted."""

    name: str = Field(description="The kind of machine that it is of.")
    version: int = Field(ge=1, description="A counter that is newer has no accepted value.")


class Baseline(Form):
    """A baseline file."""

    workload: str = Field(description="The workload's name.")
    machine: str = Field(description="The machine's name.")
    machine_file: str | None = Field(None, description="Of one that is a file: where it lies.")
    vocabulary: Words = Field(description="What its figures are.")
    cases: dict[str, Accepted] = Field(description="What is held, by case.")

    def is_behind(self, vocabulary: Vocabulary) -> bool:
        """Whether the vocabulary has words by now that the file does not know."""
        return self.vocabulary.version < vocabulary.version


@dataclass(frozen=True)
class Run:
    """A finished run, and what it is a result of."""

    result: Result
    origin: Origin


@dataclass(frozen=True)
class Acceptance:
    """Why figures are accepted, and on which revision (None where nothing tells)."""

    reason: str
    revision: str | None = None

    def of(self, run: Run) -> Accepted:
        """What a baseline holds of a run that is accepted."""
        figures = metrics_of(run.result).model_dump()
        return Accepted(
            reason=self.reason, revision=self.revision, identity=run.origin, **figures
        )  # fmt: skip


def check_reason(reason: str) -> str:
    """The reason, without blanks around it; raises InputError if it is not a line of text."""
    text = reason.strip()
    if not text or not text.isprintable() or len(text) > LONGEST_REASON:
        message = f"a reason is one line of at most {LONGEST_REASON} characters"
        raise input_error(message, hint="say what moved the figures, and why that is right")
    return text


def origin_of(identity: Identity) -> Origin:
    """What a baseline holds of a result's identity."""
    parts = {name: getattr(identity, name) for name in Origin.model_fields}
    return Origin(**{n: p[:DIGITS] if isinstance(p, str) else p for n, p in parts.items()})


def metrics_of(result: Result) -> Metrics:
    """What a baseline holds of a result."""
    return Metrics(
        cycles=result.cycles,
        breakdown={cause: cycles for cause, cycles in result.breakdown.items() if cycles},
        counters={name: value for name, value in result.counters.items() if value},
    )


def read_baseline(path: Path) -> Baseline | None:
    """The baseline file, or None if there is none.

    Raises InputError if it is damaged, or of a time when baselines held something else.
    """
    if not path.is_file():
        return None
    try:
        return _read(read_text(path, MOST_BYTES), str(path))
    except InputError as error:
        first = error.diagnostics[0]  # who wrote none of it has no use for all of them
        is_merge = first.hint == MERGE_MARKERS
        hint = UNMERGED if is_merge else REMEDY if first.location else first.hint
        raise InputError(replace(first, hint=hint)) from None


@lru_cache(512)
def _read(text: str, file: str) -> Baseline:
    """Of each text once: pytest asks which cases there are, and later for each of them."""
    return validate(Baseline, read_yaml(text, file))


def baseline_of(
    cases: Mapping[str, Accepted], result: Result, machine_file: str | None
) -> Baseline:
    """A baseline that holds these cases; the result is that of one of them."""
    return Baseline(
        workload=result.workload,
        machine=result.machine,
        machine_file=machine_file,
        vocabulary=Words(name=result.kind, version=result.vocabulary.version),
        cases=dict(cases),
    )


def baseline_text(baseline: Baseline) -> str:
    """The text of a baseline file."""
    return "".join(f"{line}\n" for line in _lines(baseline))


def _lines(baseline: Baseline) -> Iterator[str]:
    words = baseline.vocabulary
    yield "# Written by `simrun check --update`: accepted cycles and counters (those not 0)."
    yield f"workload: {_quoted(baseline.workload)}"
    yield f"machine: {_quoted(baseline.machine)}"
    if baseline.machine_file is not None:
        yield f"machine_file: {_quoted(baseline.machine_file)}"
    yield f"vocabulary: {{name: {words.name}, version: {words.version}}}"
    yield "cases:"
    for name, case in baseline.cases.items():
        yield f"  {name}:"
        yield f"    reason: {_quoted(case.reason)}"
        if case.revision is not None:
            yield f"    revision: {_quoted(case.revision)}"
        yield from _part("identity", case.identity.model_dump())
        yield f"    cycles: {case.cycles}"
        yield from _part("breakdown", case.breakdown)
        yield from _part("counters", case.counters)


def _part(name: str, values: Mapping[str, str | int]) -> Iterator[str]:
    """A mapping below a case, its names sorted; nothing if it is empty."""
    if values:
        yield f"    {name}:"
        yield from (f"      {key}: {_quoted(value)}" for key, value in sorted(values.items()))


def _quoted(value: str | int) -> str:
    """A value as YAML; texts in quotes, so that no digest is read as a number."""
    return json.dumps(value, ensure_ascii=False)
