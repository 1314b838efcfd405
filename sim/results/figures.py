"""The figures of a run, or of a region of it: cycles, counters, where the time went.

A region's figures are those of the run up to its end less those up to its beginning, where that is
right: of what only grows.  A level is what it is at the end; a counter of which a region's value
cannot be told so, such as a maximum, is left out (`sim.results.vocabulary.Counter.region`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sim.cores import Outcome
from sim.results.energy import Events
from sim.results.laws import LawBroken
from sim.results.layer import Layer
from sim.results.vocabulary import Vocabulary

Counts = dict[str, int]


@dataclass(frozen=True)
class Figures:
    """What was counted.

    cycles     of the core clock
    causes     the columns of `stalls`
    executed   int64[instructions], `stalls`: int64[instructions, causes]; None of a core that does
               not say what instructions cost
    columns    int64[instructions], by the names of the kind's columns
    layers     of a program that has some
    work       what was done of that of which there is a roof (see `sim.results.roofline`)
    events     what takes energy (see `sim.results.energy`), by name; `events_of`: the same of each
               instruction, int64[instructions]
    """

    cycles: int
    counters: Counts
    breakdown: Counts
    causes: Sequence[str]
    executed: np.ndarray | None
    stalls: np.ndarray | None
    columns: Mapping[str, np.ndarray]
    layers: Sequence[Layer] = ()
    work: Mapping[str, int] = field(default_factory=dict)
    events: Mapping[str, int] = field(default_factory=dict)
    events_of: Mapping[str, np.ndarray] = field(default_factory=dict)


def figures_of(outcome: Outcome, vocabulary: Vocabulary, with_energy: bool = False) -> Figures:
    """Of a run up to where it is; nothing changes them later.

    with_energy  whether events are wanted of which energy is estimated
    """
    is_told = outcome.executed is not None
    columns = {one.name: one.value(outcome.statistics) for one in vocabulary.columns if is_told}
    return Figures(
        outcome.cycles,
        vocabulary.count(outcome.statistics),
        dict(outcome.breakdown),
        tuple(outcome.causes),
        _copied(outcome.executed),
        _copied(outcome.stalls),
        {name: np.array(column) for name, column in columns.items()},
        tuple(vocabulary.layers(outcome.statistics)),
        dict(vocabulary.roofline.work(outcome.statistics)) if vocabulary.roofline else {},
        *(_events(outcome.statistics, vocabulary.energy) if with_energy else ()),
    )


def _events(statistics: Any, energy: Events | None) -> tuple[dict[str, int], dict[str, np.ndarray]]:
    if energy is None:
        return {}, {}
    told = energy.of_instructions(statistics) if energy.of_instructions is not None else {}
    return dict(energy.counts(statistics)), {name: np.array(of) for name, of in told.items()}


def between(begin: Figures | None, end: Figures, vocabulary: Vocabulary) -> Figures:
    """Of a region, from the beginning of the run if it has none; raises LawBroken if something that
    only grows has become less."""
    begin = begin or _nothing(end)
    growing = {one.name for one in vocabulary.counters if one.region == "difference"}
    levels = {one.name: end.counters[one.name] for one in vocabulary.counters
              if one.region == "level" and one.name in end.counters}  # fmt: skip
    grown = {
        name: _grown(name, begin.counters.get(name, 0), value)
        for name, value in end.counters.items()
        if name in growing
    }
    return Figures(
        _grown("cycles", begin.cycles, end.cycles),
        {name: (levels | grown)[name] for name in end.counters if name in levels or name in grown},
        {name: _grown(name, begin.breakdown.get(name, 0), n) for name, n in end.breakdown.items()},
        end.causes,
        _grown_array("executed", begin.executed, end.executed),
        _grown_array("stalls", begin.stalls, end.stalls),
        {name: _grown_array(name, begin.columns[name], c) for name, c in end.columns.items()},
        [
            layer.since(begin.layers[k] if begin.layers else None)
            for k, layer in enumerate(end.layers)
        ],
        {name: _grown(name, begin.work.get(name, 0), n) for name, n in end.work.items()},
        {name: _grown(name, begin.events.get(name, 0), n) for name, n in end.events.items()},
        {
            name: _grown_array(name, begin.events_of.get(name, np.zeros_like(of)), of)
            for name, of in end.events_of.items()
        },
    )


def _nothing(like: Figures) -> Figures:
    """The figures of a run that has not begun."""
    executed = None if like.executed is None else np.zeros_like(like.executed)
    stalls = None if like.stalls is None else np.zeros_like(like.stalls)
    columns = {name: np.zeros_like(column) for name, column in like.columns.items()}
    return Figures(0, {}, {}, like.causes, executed, stalls, columns)


def _grown(name: str, begin: int, end: int) -> int:
    if end < begin:
        raise LawBroken(f"{name} only grows: {begin} where the region begins, {end} at its end")
    return end - begin


def _grown_array(name: str, begin: np.ndarray | None, end: np.ndarray | None) -> np.ndarray | None:
    if begin is None or end is None:
        return None
    if (end < begin).any():
        raise LawBroken(f"{name} only grows, and has become less within the region")
    return end - begin


def _copied(array: np.ndarray | None) -> np.ndarray | None:
    return None if array is None else np.array(array)
