"""A roofline as text: what was used of everything, the points, and a chart of them.

ops/s      of f32
 1.1 T ┤            ccccccccccccccc
       │        ccbb
       │    cc bb  B
17.2 G ┤cc  bb          A
       └──────────────────────────
        1/16                    64   operations a byte
a DRAM, b L2, c L1: the roof of each level; A, B, C: what the run did
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, floor, log2
from typing import Any

from sim.results.roofline import BYTES, Point, Roofline, Used
from sim.results.sections import Section, Share, scaled
from sim.results.shown import ENDINGS, aligned, shown

COLUMNS, ROWS = 64, 14
"""Of the chart."""
BAR = 20
"""Columns of a full bar."""
LETTERS = "abcdefghijklmnop"
_UNITS = {BYTES: "B/s"}


def sections_of(roofline: Roofline) -> Iterator[Section]:
    """What was used of each roof, and the points."""
    rows: list[tuple[str | Share, ...]] = []
    for one in (*(o for o in roofline.operations if o.amount), *roofline.levels):
        unit = _UNITS.get(one.roof.of, "op/s")
        peak = "no limit" if one.peak is None else f"{scaled(float(one.peak))}{unit}"
        part = 0.0 if one.part is None else float(one.part)
        rate = f"{scaled(float(one.rate))}{unit}"
        rows.append((one.name, rate, peak, f"{100 * part:.1f} %", Share(round(1000 * part))))
    title = "of what the machine can do at most: a second, at most, part"
    yield Section(title, rows, "<>>><")
    points = [
        (
            f"{point.operations.name}, {point.level.name}",
            f"{float(point.intensity):.3g}",
            f"{scaled(float(point.achieved))}op/s",
            "" if point.roof is None else f"{scaled(float(point.roof))}op/s",
            "" if point.roof is None else f"{100 * float(point.achieved / point.roof):.1f} %",
        )
        for point in roofline.points
    ]
    if points:
        yield Section("points: operations a byte, a second, roof, part of it", points, "<>>>>")


def bound_text(roofline: Roofline) -> str:
    """What is used most, in words."""
    bound = roofline.bound
    if bound is None or bound.part is None:
        return "nothing that has a roof was used"
    return f"most used is {bound.name}, {100 * float(bound.part):.1f} % of what there is"


def chart(roofline: Roofline) -> list[str]:
    """A picture of the type of operations of which most of the peak was used, of those that are
    not done aside if there are any; nothing of a run without points that have roofs."""
    used = [one for one in roofline.operations if one.amount and one.peak]
    if not used:
        return []
    of = max(used, key=lambda one: (not one.roof.aside, one.part or 0))
    points = [p for p in roofline.points if p.operations is of and p.level.peak]
    return _drawn(of, points) if points else []


def _drawn(of: Used, points: Sequence[Point]) -> list[str]:
    peak = float(of.peak or 0)
    widths = [float(point.level.peak or 0) for point in points]
    at = [float(point.intensity) for point in points]
    ridges = [peak / width for width in widths]
    left, right = floor(log2(min(*at, *ridges))) - 1, ceil(log2(max(*at, *ridges))) + 1
    top = log2(peak)
    lowest = min([float(p.achieved) for p in points] + [2.0**left * max(widths)])
    low = min(floor(log2(lowest)), top - 1)

    def column(intensity: float) -> int:
        return round((log2(intensity) - left) / (right - left) * (COLUMNS - 1))

    def row(rate: float) -> int:
        return round((top - log2(rate)) / (top - low) * (ROWS - 1))

    cells = [[" "] * COLUMNS for _ in range(ROWS)]
    for letter, width in reversed(list(zip(LETTERS, widths, strict=False))):
        for x in range(COLUMNS):
            intensity = 2.0 ** (left + x / (COLUMNS - 1) * (right - left))
            y = row(min(peak, width * intensity))
            if 0 <= y < ROWS:
                cells[y][x] = letter
    for letter, point in zip(LETTERS, points, strict=False):
        cells[row(float(point.achieved))][column(float(point.intensity))] = letter.upper()
    names = [f"{scaled(2.0**top)}op/s", f"{scaled(2.0**low)}op/s"]
    margin = max(map(len, names))
    ticks = {0: names[0], ROWS - 1: names[1]}
    lines = [f"{of.name}, by operations a byte of each level"]
    for y, line in enumerate(cells):
        mark = "┤" if y in ticks else "│"
        lines.append(f"{ticks.get(y, ''):>{margin}} {mark}{''.join(line)}".rstrip())
    lines.append(f"{'':>{margin}} └{'─' * COLUMNS}")
    ends = _power(left), _power(right)
    gap = COLUMNS - len(ends[0]) - len(ends[1])
    lines.append(f"{'':>{margin}}  {ends[0]}{'':>{gap}}{ends[1]}")
    named = ", ".join(f"{a} {p.level.name}" for a, p in zip(LETTERS, points, strict=False))
    lines.append(f"roofs of {named}; capitals: what the run did")
    return lines


def _power(exponent: int) -> str:
    """A power of two: '1/16', '64'."""
    return str(2**exponent) if exponent >= 0 else f"1/{2**-exponent}"


def text_of(result: Any) -> str:
    """The whole of a result, or that it has none."""
    ending = ENDINGS[result.status]
    head = f"{result.title}: {ending}, {shown(result.cycles)} cycles at {result.clock / 1e9:g} GHz"
    roofline = result.roofline
    if roofline is None:
        return f"{head}; no roofline\n"
    lines = [f"{head}; {bound_text(roofline)}"]
    for section in sections_of(roofline):
        rows = [[_bar(c) if isinstance(c, Share) else c for c in row] for row in section.rows]
        lines += ["", section.title, *aligned(rows, section.sides)]
    picture = chart(roofline)
    return "\n".join([*lines, *(["", *picture] if picture else [])]) + "\n"


def _bar(share: Share) -> str:
    return "█" * round(share.thousandths * BAR / 1000) or "▏"
