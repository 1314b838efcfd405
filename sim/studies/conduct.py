"""Have the points of a study run, and keep what they come to as it comes.

    for point, outcome in conduct(plan, store, local(jobs=2)): …

The process that conducts is alone to write the store; workers only run.  Each point is stored when
it is there, so whatever is killed, nothing is lost but what was running.  A point whose process
dies is tried again, by another process, a few times.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from machines.cache.file_dependencies import recorded
from machines.cache.results import software
from machines.diagnostics import InputError, input_error
from sim.identity import Identity
from sim.studies.plan import Plan, Point
from sim.studies.point import (
    DIED,
    Outcome,
    contents,
    identity_of_point,
    is_known_whole,
    run_point,
)
from sim.studies.store import Store
from sim.workers import Died, results_as_they_come

MOST_TRIES = 3
"""Of a point whose process dies."""

Scheduler = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[tuple[Any, Any]]]
"""scheduler(work, tasks) -> each task with its result, or `Died`, as soon as there is one; it asks
for tasks when it can use one, also after there was none."""


def local(jobs: int) -> Scheduler:
    """Processes of this machine."""
    return lambda work, tasks: results_as_they_come(work, tasks, jobs)


def conduct(
    plan: Plan, store: Store, scheduler: Scheduler, points: Iterable[Point] | None = None
) -> Iterator[tuple[Point, Outcome]]:
    """Yields the points, each once it is stored: known ones, then those that were run, as they
    end.

    To be used while results are kept.  Raises InputError if simrun's files, or those that points
    are made of, change meanwhile: a table of two of them would be none.
    """
    study = plan.study.name
    chosen = (*plan.points, *plan.bases) if points is None else tuple(points)
    text = software().digest_of()
    files = _Files()
    queue = _Queue(chosen, store, files)
    known = frozenset(store.keys())
    for point, result in scheduler(partial(_work, known=known), queue):
        yield from _stored(store, study, queue.take_known())
        if isinstance(result, Died):
            queue.tries[point.name] += 1
            if queue.tries[point.name] < MOST_TRIES:
                queue.again.append(point)
                continue
            result = Outcome(DIED, diagnostics=f"{result}, {MOST_TRIES} times")
        elif result.software != text:
            raise _changed("the files of simrun or of a plugin")
        elif result.is_known:
            result = replace(result, status=store.status(result.key))
        files.note(result.files)
        yield from _stored(store, study, [(point, result)])
    yield from _stored(store, study, queue.take_known())


def known_points(plan: Plan, store: Store) -> Iterator[tuple[Point, Outcome]]:
    """The points whose results are in the store; nothing runs."""
    for point in (*plan.points, *plan.bases):
        outcome = _known(point, store)
        if outcome is not None:
            yield point, outcome


def identities_now(points: Iterable[Point]) -> dict[str, Identity | str]:
    """What results of points would be results of now, by their names; of those that cannot be run,
    why.  Programs that are not kept are compiled."""
    found: dict[str, Identity | str] = {}
    for point in points:
        try:
            found[point.name] = identity_of_point(point.setting)
        except InputError as error:
            found[point.name] = str(error)
    return found


def _work(point: Point, known: frozenset[str]) -> Outcome:
    return run_point(point.setting, known)


def _stored(
    store: Store, study: str, found: Iterable[tuple[Point, Outcome]]
) -> Iterator[tuple[Point, Outcome]]:
    for point, outcome in found:
        store.put(study, point, outcome)
        yield point, outcome


def _known(point: Point, store: Store) -> Outcome | None:
    """What is known of a point, if its program was kept and its result is stored."""
    with recorded() as answers:
        try:
            identity = identity_of_point(point.setting, only_kept=True)
        except (InputError, LookupError):
            return None
    status = store.status(identity.key)
    if status is None or not is_known_whole(point.setting):
        return None
    return Outcome(status, identity, files=contents(answers))


def _changed(what: str) -> InputError:
    hint = "run it again: what is stored is found again where it still holds"
    return input_error(f"{what} changed during the study", hint=hint)


class _Files:
    """The files that points were made of."""

    def __init__(self) -> None:
        self._digests: dict[str, str] = {}

    def note(self, files: Iterable[tuple[str, str]]) -> None:
        """Raises InputError for one that had another content before."""
        for path, digest in files:
            if self._digests.setdefault(path, digest) != digest:
                raise _changed(path)


class _Queue:
    """Points that have to run; those that are known are set aside as they are met."""

    def __init__(self, points: Iterable[Point], store: Store, files: _Files):
        self._points, self._store, self._files = iter(points), store, files
        self._knows = store.has_results()
        self._known: list[tuple[Point, Outcome]] = []
        self.again: deque[Point] = deque()
        self.tries: Counter[str] = Counter()

    def __iter__(self) -> _Queue:
        return self

    def __next__(self) -> Point:
        """Raises StopIteration where there is none now; there may be one later."""
        if self.again:
            return self.again.popleft()
        for point in self._points:
            outcome = _known(point, self._store) if self._knows else None
            if outcome is None:
                return point
            self._files.note(outcome.files)
            self._known.append((point, outcome))
        raise StopIteration

    def take_known(self) -> list[tuple[Point, Outcome]]:
        """The known ones since this was asked last."""
        found, self._known = self._known, []
        return found
