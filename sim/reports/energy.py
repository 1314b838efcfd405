"""Estimates of energy and area of a run, as text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from sim.results.energy_text import text_of
from sim.results.result import Result


class EnergyReport:
    """Tables of what takes energy."""

    name = "energy"
    sentence = "estimates of energy and area, of machines whose file has figures of it"

    def write(self, results: Iterable[Result], stream: TextIO, *, several: bool) -> None:
        for index, result in enumerate(results):
            stream.write(("\n" if index else "") + text_of(result))


PLUGIN = EnergyReport()
