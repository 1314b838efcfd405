"""What a metric was, commit by commit: the baselines of git's past, of which nothing is run.

    for entry in history(repository, baseline_file, "default", "cycles"): …

A baseline is followed where it was renamed.  Where it began as a copy of another one it begins: git
takes baselines that are alike for copies, and what the other held is no past of this one.  The
change of a commit is that to its (first) parent, so that branches beside each other are no steps; a
merge that takes the file as one of its parents has it changed nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field

from machines.description.strict_yaml import read_yaml
from machines.description.validation import validate
from machines.diagnostics import InputError, input_error, nearest
from sim.baselines.accepted import Words
from sim.baselines.differences import check_metric
from sim.repository import SHORT, Repository
from sim.results.vocabulary import vocabularies

_BEGIN, _BETWEEN = "\x01", "\x02"
_FORMAT = _BEGIN + _BETWEEN.join(("%H", "%P", "%cs", "%s"))


class PastCase(BaseModel):
    """The figures of a case, and why they were accepted; what else a file held does not matter."""

    cycles: int = Field(description="Simulated cycles.")
    breakdown: dict[str, int] = Field({}, description="Where they went.")
    counters: dict[str, int] = Field({}, description="Counters that are not 0.")
    reason: str | None = Field(None, description="Why they were accepted.")


class Past(BaseModel):
    """A baseline of any time that held cases."""

    vocabulary: Words | None = Field(None, description="What its figures are.")
    cases: dict[str, PastCase] = Field(description="Figures by case.")


@dataclass(frozen=True)
class Change:
    """A commit that changed a file: where this stands since, and where it stood before."""

    commit: str
    parent: str | None
    date: str
    subject: str
    path: str | None
    before: str | None


@dataclass(frozen=True)
class Entry:
    """A commit that changed a baseline.

    path     where the baseline stands since; None if the commit removed it
    was      where it stood before, if the commit renamed it
    value    of the metric; None if none is told, and `problem` says why
    before   in the commit's parent; None if there is none
    reason   for which the case was accepted, where the file says so
    """

    commit: str
    date: str
    subject: str
    path: str | None
    was: str | None = None
    value: int | None = None
    before: int | None = None
    reason: str | None = None
    problem: str | None = None

    @property
    def is_step(self) -> bool:
        """Whether the commit moved the metric."""
        return None not in (self.value, self.before) and self.value != self.before

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


def history(repository: Repository, file: Path, case: str, metric: str) -> list[Entry]:
    """The commits that changed a baseline file, the oldest first.

    Raises InputError if no commit has such a file, or none of them tells the metric.
    """
    path = path_in(repository, file)
    changes = list(_changes(repository, path))
    entries = [_entry(repository, change, case, metric) for change in reversed(changes)]
    if not entries:
        raise input_error(f"no commit has a file {path}", hint=_hint(repository, file))
    if all(entry.value is None for entry in entries):
        check_metric(metric)
        problem = next(entry.problem for entry in reversed(entries) if entry.problem)
        raise input_error(f"no commit tells '{metric}' of case '{case}': {problem}")
    return entries


def path_in(repository: Repository, file: Path) -> str:
    """Where a file stands in the repository."""
    return file.resolve().relative_to(repository.root).as_posix()


def is_shallow(repository: Repository) -> bool:
    """Whether the repository was cloned without its whole past."""
    return repository.ask("rev-parse", "--is-shallow-repository").strip() == "true"


def _hint(repository: Repository, file: Path) -> str:
    """What may be meant by a file that there never was."""
    if is_shallow(repository):
        return "this clone is shallow: git fetch --unshallow"
    return f"of machines: {nearest(file.stem, (path.stem for path in file.parent.glob('*.yaml')))}"


def _changes(repository: Repository, path: str) -> Iterator[Change]:
    """The commits that changed a file, the newest first, up to where it began."""
    words = ["log", "-z", "--follow", "--name-status", "--diff-merges=first-parent"]
    text = repository.ask(*words, f"--format={_FORMAT}", "--", path)
    for one in text.split(_BEGIN)[1:]:
        head, _, files = one.partition("\n")
        commit, parents, date, subject = head.strip("\0").split(_BETWEEN)
        if not files:
            continue
        status, *paths = files.strip("\0").split("\0")
        parent, *merged = parents.split(" ")
        if any(
            _blob(repository, commit, paths[-1]) == _blob(repository, one, paths[-1])
            for one in merged
        ):
            continue
        yield Change(
            commit, parent or None, date, subject,
            None if status == "D" else paths[-1], None if status[0] in "AC" else paths[0],
        )  # fmt: skip
        if status[0] == "C":
            return


def _blob(repository: Repository, commit: str, path: str) -> str | None:
    """The name of what a file holds in a commit, None if the commit has no such file."""
    try:
        return repository.ask("rev-parse", "--verify", "--end-of-options", f"{commit}:{path}")
    except InputError:
        return None


def _entry(repository: Repository, change: Change, case: str, metric: str) -> Entry:
    entry = Entry(change.commit, change.date, change.subject, change.path)
    if change.path is None:
        return replace(entry, problem="the file was removed")
    if change.before not in (None, change.path):
        entry = replace(entry, was=change.before)
    try:
        held, value = _value(repository, change.commit, change.path, case, metric)
    except InputError as error:
        return replace(entry, problem=error.diagnostics[0].message)
    before = None
    if change.before is not None and change.parent is not None:
        try:
            _, before = _value(repository, change.parent, change.before, case, metric)
        except InputError:
            before = None  # its own entry says why
    return replace(entry, value=value, before=before, reason=held.reason)


def _value(
    repository: Repository, commit: str, path: str, case: str, metric: str
) -> tuple[PastCase, int]:
    """A case as a commit holds it, and its figure; raises InputError if the file does not tell."""
    text = repository.ask("cat-file", "blob", f"{commit}:{path}")
    past = validate(Past, read_yaml(text, f"{commit[:SHORT]}:{path}"))
    if case not in past.cases:
        raise input_error(f"there is no case '{case}'")
    held = past.cases[case]
    figures = {**held.breakdown, **held.counters, "cycles": held.cycles}
    if metric in figures:
        return held, figures[metric]
    if not _was_known(metric, past.vocabulary):
        raise input_error(f"'{metric}' was not held")
    return held, 0


def _was_known(metric: str, words: Words | None) -> bool:
    """Whether a vocabulary had a metric, so that a baseline without it says 0."""
    vocabulary = vocabularies().get(words.name) if words else None
    known = (*vocabulary.reasons, *vocabulary.counters) if vocabulary else ()
    return any(one.name == metric and one.since <= words.version for one in known)
