"""The options that say which part of a timeline `--trace` writes."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from sim.bounds import MOST_CYCLES
from sim.commands.parameters import TEXT

CYCLES = click.IntRange(0, MOST_CYCLES)
OPTIONS = (
    click.option("--trace-from", "begin", type=CYCLES, metavar="CYCLE",
                 help="Of the trace: only from this cycle on."),
    click.option("--trace-to", "end", type=CYCLES, metavar="CYCLE",
                 help="Of the trace: only up to this cycle, which is not part of it."),
    click.option("--trace-last", "last", type=CYCLES, metavar="N",
                 help="Of the trace: only N cycles before the end, a fault or a hang."),
    click.option("--trace-on", "tracks", type=TEXT, multiple=True, metavar="TRACK",
                 help="Of the trace: only such a track and those within it: 'SM 0/warp *'."),
    click.option("--trace-at", "places", type=TEXT, multiple=True, metavar="PLACE",
                 help="Of the trace: only what is at FILE:LINE or a label of the program."),
)  # fmt: skip


def trace_window(command: Callable[..., int]) -> Callable[..., int]:
    """Gives a command these options as one argument: `window`, None if there are none."""

    @wraps(command)
    def with_window(
        *, begin: int | None, end: int | None, last: int | None,
        tracks: tuple[str, ...], places: tuple[str, ...], **others: Any,
    ) -> int:  # fmt: skip
        if not (tracks or places) and begin is end is last is None:
            return command(window=None, **others)
        from sim.timeline.window import TraceWindow

        return command(window=TraceWindow(begin, end, last, tracks, places), **others)

    for option in reversed(OPTIONS):
        with_window = option(with_window)
    return with_window
