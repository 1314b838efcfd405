"""The table: what is compared, then and now, their ratio, and how far the pairs agree."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median, quantiles

ROW = "{:40} {:>13} {:>9} {:>9} {:>7} {:>13}"
HEAD = ROW.format("", "instructions", "then", "now", "ratio", "middle half")


def line(
    name: str,
    then: Sequence[float],
    now: Sequence[float],
    digits: int = 3,
    instructions: int | None = None,
    ratios: Sequence[float] | None = None,
) -> str:
    """A row: medians, and of the pairs' ratios the one in the middle and where half of them lie.

    `ratios`, now to then, are those of `then` and `now` unless they are given.
    """
    ratios = ratios_of(then, now) if ratios is None else ratios
    low, middle, high = quantiles(ratios, n=4) if len(ratios) > 1 else [*ratios] * 3
    return ROW.format(
        name,
        "" if instructions is None else f"{instructions:,}".replace(",", " "),
        f"{median(then):.{digits}f}",
        f"{median(now):.{digits}f}",
        f"{middle:.2f}",
        f"{low:.2f} – {high:.2f}",
    )


def ratios_of(then: Sequence[float], now: Sequence[float]) -> list[float]:
    """Now to then, pair by pair."""
    return [new / old for old, new in zip(then, now, strict=True)]
