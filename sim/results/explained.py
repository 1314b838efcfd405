"""What a counter is, at length: its formula, its place in the model, its name on the real machine.

A kind keeps these beside its counters, as tables by name or by what names begin and end with:

    COUNTERS = explained(counters, formulas=…, places=…, names=…)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from sim.results.vocabulary import Counter

REGIONS = {
    "difference": "what it grew by",
    "level": "what it is at the end",
    "none": "cannot be told",
}
"""Of a region of a run."""


def explained(
    counters: Sequence[Counter],
    *,
    formulas: Mapping[str, str],
    places: Mapping[str, str],
    names: Mapping[str, str],
) -> tuple[Counter, ...]:
    """The counters with what tables say of them, of patterns the first that fits."""
    return tuple(
        replace(
            one,
            formula=_fitting(formulas, one.name),
            place=_fitting(places, one.name),
            real=_fitting(names, one.name),
        )
        for one in counters
    )


def _fitting(table: Mapping[str, str], name: str) -> str:
    if name in table:
        return table[name]
    return next((said for pattern, said in table.items() if fnmatchcase(name, pattern)), "")


def rows_of(counter: Counter, kind: str) -> Iterator[tuple[str, str]]:
    """What is told of a counter, in words: (about what, text)."""
    yield "means", counter.sentence
    yield "unit", counter.unit
    yield "of", f"machines of kind '{kind}', since version {counter.since} of their vocabulary"
    yield "formula", counter.formula or "none: it is counted"
    several = "add up" if counter.aggregation == "sum" else "the largest counts"
    yield "of parts", f"values of parts, cores and runs: {several}"
    yield "of a region", REGIONS[counter.region]
    yield "counted in", counter.place or "its kind does not say where"
    yield "hardware", counter.real or "no counter of the real machine is known to be this"
