"""Estimates of energy and area as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sim.results.energy import Amount, Estimate
from sim.results.shown import ENDINGS, aligned, shown

MOST = 8
"""Lines and layers that are shown."""


def text_of(result: Any) -> str:
    """The whole of a result, or that nothing is known."""
    head = f"{result.title}: {ENDINGS[result.status]}, {shown(result.cycles)} cycles"
    estimate: Estimate | None = result.energy
    if estimate is None:
        why = f"the file of {result.machine} has no table of energy ('energy:')"
        return f"{head}; nothing is estimated: {why}\n"
    return "\n".join([head, *_lines(estimate)]) + "\n"


def _lines(estimate: Estimate) -> Iterator[str]:
    whole = estimate.total.value
    rows = [
        ("energy", *_energy(estimate.total), "100.0 %"),
        *((name, *_energy(one), _share(one.value, whole)) for name, one in estimate.events.items()),
    ]
    title = f"estimated energy ({estimate.node}): least, most, part"
    yield from ("", title, *aligned(rows, "<>>>>"))
    product = f"{estimate.delay_product:.3g} J s"
    yield from ("", *aligned([("energy times delay", product)], "<>"))
    if estimate.unknown:
        names = [(name, shown(count)) for name, count in estimate.unknown.items()]
        yield from ("", "not in it, as no figure is known: how often", *aligned(names, "<>"))
    lines = sorted(estimate.lines, key=lambda one: (-one[2], one[:2]))[:MOST]
    if lines:
        told = [(f"{file}:{line}", _joules(e), _share(e, whole)) for file, line, e in lines]
        title = "source lines, as far as events belong to instructions"
        yield from ("", title, *aligned(told, "<>>"))
    layers = sorted(estimate.layers, key=lambda one: -one[1])[:MOST]
    if layers:
        told = [(name, _joules(energy), _share(energy, whole)) for name, energy in layers]
        yield from ("", "layers", *aligned(told, "<>>"))
    if estimate.areas:
        rows = [("area", *_area(estimate.area)),
                *((name, *_area(one)) for name, one in estimate.areas.items())]  # fmt: skip
        yield from ("", "estimated area: least, most", *aligned(rows, "<>>>"))


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def _energy(one: Amount) -> tuple[str, str, str]:
    return _joules(one.value), _joules(one.least), _joules(one.most)


def _area(one: Amount) -> tuple[str, str, str]:
    return f"{one.value:.3g} mm2", f"{one.least:.3g} mm2", f"{one.most:.3g} mm2"


def _joules(picojoules: float) -> str:
    """An energy with the prefix of a thousand.

    >>> _joules(1234), _joules(2e9)
    ('1.23 nJ', '2 mJ')
    """
    value, prefixes = picojoules, ("pJ", "nJ", "uJ", "mJ", "J")
    for prefix in prefixes:
        if value < 999.5 or prefix == prefixes[-1]:
            break
        value /= 1000
    return f"{value:.3g} {prefix}"
