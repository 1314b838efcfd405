"""The estimates of a run's energy, by source lines and layers, too."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from machines.description.schema import Estimates
from sim.results.energy import Estimate, Events, energy_of, estimate_of
from sim.results.figures import Figures
from sim.results.profile import shown_file


def estimate_for(
    figures: Figures, known: Events, table: Estimates, clock: int, program: Any, folder: Path
) -> Estimate:
    """Of the figures of a run, of a region of it, by source lines and layers, too."""
    whole = estimate_of(figures.events, table, figures.cycles / clock)
    by_line: dict[tuple[str, int], float] = {}
    told = {name: of for name, of in figures.events_of.items() if name in table.events}
    if told:
        taken = sum(of * table.events[name].energy for name, of in told.items())
        for location, energy in zip(program.locations, taken.tolist(), strict=True):
            if location is not None and energy:
                key = shown_file(location.file, folder), location.line
                by_line[key] = by_line.get(key, 0.0) + energy
    layers = [
        (layer.name, energy_of(known.of_layer(layer), table.events))
        for layer in (figures.layers if known.of_layer is not None else ())
    ]
    lines = [(*key, by_line[key]) for key in sorted(by_line)]
    return replace(whole, lines=lines, layers=layers)
