"""Laws that the figures of every run keep; a run that breaks one is a mistake of the simulator's.

What a kind's vocabulary declares is checked here, and what holds of all kinds: the breakdown says
nothing that is not declared, its shares are counts, and they add up to the whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from numbers import Integral
from typing import Any

import numpy as np

from sim.cores import Outcome
from sim.results.vocabulary import Law, Vocabulary
from sim.timeline.summary import Summary


class LawBroken(AssertionError):
    """Two figures that must be equal are not: the simulator is wrong."""


def check_outcome(vocabulary: Vocabulary, outcome: Outcome) -> None:
    """Raise LawBroken if what a run says of itself cannot be."""
    check_laws((*_of_all_kinds(vocabulary, outcome), *vocabulary.laws), outcome.statistics)


def check_sums(vocabulary: Vocabulary, summary: Summary, statistics: Any) -> None:
    """Raise LawBroken if the timeline of a run does not add up to its figures."""
    for one in vocabulary.sums:
        figures, added = one.equals(statistics), summary.sums[one.name]
        if not isinstance(figures, Mapping):
            figures = {None: figures}
        for part in {**figures, **added}:
            name = one.name if part is None else f"{one.name} ({part})"
            _compare(f"{name} on the timeline", added.get(part, 0), figures.get(part, 0))


def check_laws(laws: Iterable[Law], statistics: Any) -> None:
    """Raise LawBroken if statistics break one of the laws."""
    for law in laws:
        left, right = law.left(statistics), law.right(statistics)
        if isinstance(left, Mapping) and isinstance(right, Mapping):
            for part in {**left, **right}:
                _compare(f"{law.name} ({part})", left.get(part), right.get(part))
        else:
            _compare(law.name, left, right)


def _compare(law: str, left: Any, right: Any) -> None:
    for side in (left, right):
        if isinstance(side, np.ndarray):
            raise LawBroken(f"{law}: a side of a law is a number, not an array of {side.shape}")
    if left != right:
        raise LawBroken(f"{law}: {left} is not {right}")


def _of_all_kinds(vocabulary: Vocabulary, outcome: Outcome) -> Iterator[Law]:
    said = {*outcome.breakdown, *outcome.causes}
    known = {reason.name for reason in vocabulary.reasons}
    yield Law("reasons said = reasons declared", lambda _: sorted(said - known), lambda _: [])
    odd = {n: of for n, of in outcome.breakdown.items() if not isinstance(of, Integral) or of < 0}
    yield Law(
        "shares are whole numbers and not negative", lambda _: list(odd.items()), lambda _: []
    )
    total = sum(outcome.breakdown.values())
    yield Law("breakdown = whole", lambda _: total, vocabulary.whole)
    if vocabulary.in_whole and outcome.stalls is not None:
        by_cause = dict(zip(outcome.causes, outcome.stalls.sum(axis=0).tolist(), strict=True))
        lost = {cause: outcome.breakdown.get(cause, 0) for cause in outcome.causes}
        yield Law("lost by instructions = lost", lambda _: by_cause, lambda _: lost)
