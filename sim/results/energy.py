"""Estimates of what a run takes: energy by event, line and layer, and area by structure.

    estimate = estimate_of(events, machine.energy, seconds)
    estimate.total                                  # Amount(picojoules, least, most)

Everything is from the table in the machine's file (`energy`, see `machines/README.md`): an event
happens so often, and takes so much each time, as some source says within some factor.  Of what no
figure is known nothing is estimated: `unknown` names it.  Picojoules and square millimetres.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from machines.diagnostics import InputError, nearest

if TYPE_CHECKING:
    from machines.description.load import Machine
    from machines.description.schema import EnergyFigure, Estimates

STATIC = "static"
"""The part of what flows whatever runs."""
PICO = 1e-12


@dataclass(frozen=True)
class Events:
    """What a kind of machine can tell the energy of (a part of its vocabulary).

    counts           of the statistics of a run: how often each event happened, by name
    of_instructions  the same of each instruction, int64[instructions], as far as it belongs to one;
                     None: it cannot be told
    of_layer         the same of a `sim.results.layer.Layer`, likewise
    names            of all events that machines of the kind may have
    """

    counts: Callable[[Any], Mapping[str, int]]
    names: Callable[[], Sequence[str]]
    of_instructions: Callable[[Any], Mapping[str, Any]] | None = None
    of_layer: Callable[[Any], Mapping[str, int]] | None = None


@dataclass(frozen=True)
class Amount:
    """An estimate, and between what it lies if all sources are as wrong as they may be."""

    value: float
    least: float
    most: float

    @classmethod
    def of(cls, value: float, within: float) -> Amount:
        return cls(value, value / within, value * within)

    @classmethod
    def sum_of(cls, some: Iterable[Amount]) -> Amount:
        parts = list(some)
        names = ("value", "least", "most")
        return cls(*(sum(getattr(one, name) for one in parts) for name in names))

    def to_dict(self, unit: str) -> dict[str, float]:
        """As plain data."""
        return {unit: self.value, f"least_{unit}": self.least, f"most_{unit}": self.most}


@dataclass(frozen=True)
class Estimate:
    """Of a run.

    events   energy by event, and of STATIC if that is known, most first
    unknown  what happened, and of which no figure is known: how often
    lines    (file, line, energy) of source lines, of events that belong to instructions
    layers   (name, energy) of layers of a program that has some
    areas    by structure
    seconds  that the run took
    """

    node: str
    events: Mapping[str, Amount]
    unknown: Mapping[str, int]
    seconds: float
    lines: Sequence[tuple[str, int, float]] = ()
    layers: Sequence[tuple[str, float]] = ()
    areas: Mapping[str, Amount] = field(default_factory=dict)

    @property
    def total(self) -> Amount:
        return Amount.sum_of(self.events.values())

    @property
    def area(self) -> Amount:
        return Amount.sum_of(self.areas.values())

    @property
    def delay_product(self) -> float:
        """Joules times seconds."""
        return self.total.value * PICO * self.seconds

    def to_dict(self) -> dict[str, Any]:
        """As plain data: picojoules, square millimetres."""
        found: dict[str, Any] = {
            "node": self.node,
            **self.total.to_dict("picojoules"),
            "joule_seconds": self.delay_product,
            "events": {name: one.to_dict("picojoules") for name, one in self.events.items()},
            "unknown": dict(self.unknown),
        }
        if self.lines:
            found["lines"] = [
                {"file": file, "line": line, "picojoules": energy}
                for file, line, energy in self.lines
            ]
        if self.layers:
            found["layers"] = [{"name": n, "picojoules": energy} for n, energy in self.layers]
        if self.areas:
            found |= self.area.to_dict("square_millimetres")
            areas = self.areas.items()
            found["areas"] = {name: one.to_dict("square_millimetres") for name, one in areas}
        return found


def check_events(machine: Machine, known: Events | None) -> None:
    """Raise InputError for figures of events that the kind of a machine does not have."""
    table = machine.description.energy
    if table is None:
        return
    names = list(known.names()) if known is not None else []
    node = machine.tree.value["energy"].value["events"]
    findings = [
        node.finding(f"'{name}' is no event that takes energy", nearest(name, names), key=name)
        for name in table.events
        if name not in names
    ]
    if findings:
        raise InputError(findings)


def estimate_of(events: Mapping[str, int], table: Estimates, seconds: float) -> Estimate:
    """Of so many events in so many seconds."""
    found = {
        name: Amount.of(count * table.events[name].energy, table.events[name].within)
        for name, count in events.items()
        if count and name in table.events
    }
    if table.static is not None:
        energy = table.static.power * seconds / PICO
        found[STATIC] = Amount.of(energy, table.static.within)
    unknown = {name: n for name, n in events.items() if n and name not in table.events}
    ordered = dict(sorted(found.items(), key=lambda one: (-one[1].value, one[0])))
    areas = {name: Amount.of(one.area * one.count, one.within) for name, one in table.areas.items()}
    return Estimate(table.node, ordered, unknown, seconds, areas=areas)


def energy_of(events: Mapping[str, int], table: Mapping[str, EnergyFigure]) -> float:
    """Picojoules of events that figures are known of."""
    return sum(count * table[name].energy for name, count in events.items() if name in table)
