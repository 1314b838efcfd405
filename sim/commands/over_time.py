"""The options that say what is counted over time, or by size, beside what every result says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from machines.diagnostics import input_error
from sim.commands.parameters import PATH, TEXT

if TYPE_CHECKING:
    from sim.results.vocabulary import Vocabulary

OPTIONS = (
    click.option("--series", "series", type=TEXT, metavar="N[:COUNTERS]",
                 help="Also counters over time, every N cycles: 1000, or 1000:DRAM_*,L2_*."),
    click.option("--series-to", "series_to", type=PATH, metavar="FILE",
                 help="Write that series to a file: CSV, JSON, Parquet."),
    click.option("--histograms", "histograms", is_flag=True,
                 help="Also how long loads and stalls take, and the like, as histograms."),
)  # fmt: skip


@dataclass(frozen=True)
class OverTime:
    """What is wanted.

    series      as it is written, None: none; `series_to`: the file that it goes to
    histograms  whether they are
    """

    series: str | None
    series_to: Path | None
    histograms: bool

    @property
    def unused(self) -> dict[str, bool]:
        """By option, whether it is given: what runs nothing has no use for it."""
        return {"series": self.series is not None, "histograms": self.histograms}

    def of(self, vocabulary: Vocabulary) -> dict[str, Any]:
        """What `sim.runner.execute` is asked for; raises InputError."""
        from sim.results.series import wanted_of

        wanted = wanted_of(self.series, vocabulary) if self.series is not None else None
        return {"series": wanted, "histograms": self.histograms}


def over_time(command: Callable[..., int]) -> Callable[..., int]:
    """Gives a command these options as one argument: `over_time`."""

    @wraps(command)
    def with_wanted(
        *, series: str | None, series_to: Path | None, histograms: bool, **others: Any
    ) -> int:
        if series_to is not None and series is None:
            raise input_error("--series-to: there is no --series", hint="--series 1000")
        return command(over_time=OverTime(series, series_to, histograms), **others)

    for option in reversed(OPTIONS):
        with_wanted = option(with_wanted)
    return with_wanted
