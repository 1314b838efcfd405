"""Counters over time: how much each grew in every so many cycles.

    wanted = wanted_of("1000:DRAM_*", vocabulary)       # every 1000 cycles, these
    result.series.counters["DRAM_BYTES_READ"]           # a number for each interval

`sim.sampling` takes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from machines.diagnostics import input_error, nearest
from sim.results.vocabulary import Counter, Vocabulary

_WRITTEN = re.compile(r"\s*(\d+)\s*(?::(.*))?", re.S)
HINT = "N, or N:COUNTER,… such as 1000:DRAM_*"


@dataclass(frozen=True)
class Wanted:
    """A series that is wanted: every so many cycles, of these counters."""

    every: int
    counters: Sequence[Counter]


@dataclass(frozen=True)
class Series:
    """Of a run.

    every      cycles of an interval; the last one may be shorter
    cycles     where each ends
    counters   how much each counter grew in each interval; of a level what it was at its end
    breakdown  the same of the reasons that time went to
    """

    every: int
    cycles: Sequence[int]
    counters: Mapping[str, Sequence[int]]
    breakdown: Mapping[str, Sequence[int]]

    def to_dict(self) -> dict[str, Any]:
        """As plain data; without what stayed 0 all the time."""
        return {
            "every": self.every,
            "cycles": list(self.cycles),
            "counters": {name: list(of) for name, of in self.counters.items() if any(of)},
            "breakdown": {name: list(of) for name, of in self.breakdown.items() if any(of)},
        }

    def rows(self) -> Iterator[dict[str, int]]:
        """An interval each: the cycle at which it ends, counters and reasons."""
        plain = self.to_dict()
        columns = plain["breakdown"] | plain["counters"]
        for k, cycle in enumerate(self.cycles):
            yield {"cycle": cycle, **{name: of[k] for name, of in columns.items()}}


def wanted_of(written: str | int, vocabulary: Vocabulary) -> Wanted:
    """What 'N' or 'N:COUNTER,…' asks for; patterns may stand for counters, and all that can be told
    of an interval are meant where none are named.  Raises InputError."""
    found = _WRITTEN.fullmatch(str(written))
    if found is None or not int(found.group(1)):
        raise input_error(f"series: '{written}' is no number of cycles", hint=HINT)
    told = [one for one in vocabulary.counters if one.region != "none"]
    if found.group(2) is None:
        return Wanted(int(found.group(1)), told)
    chosen: dict[str, Counter] = {}
    for pattern in (part.strip() for part in found.group(2).split(",")):
        those = [one for one in told if fnmatchcase(one.name, pattern)]
        if not those:
            raise _nothing(pattern, vocabulary)
        chosen |= {one.name: one for one in those}
    return Wanted(int(found.group(1)), list(chosen.values()))


def _nothing(pattern: str, vocabulary: Vocabulary) -> Exception:
    names = [one.name for one in vocabulary.counters]
    if pattern in names:
        message = f"series: '{pattern}' cannot be told of a part of a run"
        return input_error(message, hint="it is a maximum: the whole run's is in its counters")
    hint = nearest(pattern, names) or HINT
    return input_error(f"series: there is no counter '{pattern}'", hint=hint)
