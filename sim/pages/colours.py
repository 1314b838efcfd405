"""Which colour a word has, everywhere on a page: reasons of time, and labels of timelines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sim.pages.content import GREY
from sim.results.vocabulary import Vocabulary

MOST = 10
"""Colours that are told apart; what is rarer is grey."""
FIRST = 0
"""Of the time in which instructions issue, and of what just lasts; idle time is grey."""


def of_reasons(
    breakdown: Mapping[str, int], spent: Sequence[Mapping[str, int]], vocabulary: Vocabulary
) -> dict[str, int]:
    """Of reasons: issuing has the first, then what took most time.

    Parts of several wholes ('copy.idle', 'compute.idle') that are called alike have one colour.
    """
    weights: dict[str, int] = {}
    whole = sum(breakdown.values()) or 1
    of_lines = sum(sum(line.values()) for line in spent) or 1
    for name, cycles in breakdown.items():
        weights[last(name)] = weights.get(last(name), 0) + cycles * of_lines
    for line in spent:
        for name, cycles in line.items():
            weights[last(name)] = weights.get(last(name), 0) + cycles * whole
    weights = {name: weight for name, weight in weights.items() if weight}
    idle = {last(reason.name) for reason in vocabulary.reasons if reason.idle}
    others = sorted(weights.keys() - idle - {vocabulary.issuing}, key=lambda n: (-weights[n], n))
    found = {name: k if k < MOST else GREY for k, name in enumerate(others, FIRST + 1)}
    found |= {vocabulary.issuing: FIRST} if vocabulary.issuing in weights else {}
    return found | {name: GREY for name in weights if name in idle}


def last(name: str) -> str:
    """The part of 'whole.part'."""
    return name.rpartition(".")[2]


def tone_of(name: str, colours: Mapping[str, int]) -> int:
    """The colour of a reason."""
    return colours.get(last(name), GREY)


def of_labels(timeline: Mapping[str, Any], colours: Mapping[str, int]) -> dict[str, int]:
    """Of what a timeline's spans are called: reasons have theirs; of others, if they are few, each
    has one, else all have the first."""
    totals: dict[str, int] = {}
    names = timeline["names"]
    for label, begin, end in zip(
        timeline["label"], timeline["begin"], timeline["end"], strict=True
    ):
        totals[names[label]] = totals.get(names[label], 0) + end - begin
    ordered = sorted(totals, key=lambda name: -totals[name])
    others = [name for name in ordered if last(name) not in colours]
    free = [tone for tone in range(MOST) if tone not in colours.values()]
    own = dict(zip(others, free, strict=False)) if len(others) <= len(free) else {}
    return {name: colours.get(last(name), own.get(name, FIRST)) for name in ordered}
