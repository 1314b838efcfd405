"""What results of a kind of machine say, declared once: reports, checks and lists read it here.

vocabulary = vocabulary_of("epic")
vocabulary.count(outcome.statistics)        # {'CPU_CYCLES': 4711, …}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from machines.kinds import kind_named, kinds
from sim.results.counters import Counter, Headline


@dataclass(frozen=True)
class Vocabulary:
    """The words of a kind's results.

    name       the kind's
    counters   in the order in which results list them
    headlines  figures people look at first
    """

    name: str
    counters: Sequence[Counter]
    headlines: Sequence[Headline] = ()

    def count(self, statistics: Any) -> dict[str, int]:
        """The counters of a run: what the machine models, by name."""
        values = {counter.name: counter.value(statistics) for counter in self.counters}
        return {name: value for name, value in values.items() if value is not None}


def vocabulary_of(kind: str) -> Vocabulary:
    """What results of a kind of machine say."""
    return kind_named(kind).part("vocabulary", Vocabulary)


def vocabularies() -> Mapping[str, Vocabulary]:
    """Those of all kinds, by kind."""
    return {name: vocabulary_of(name) for name in kinds()}
