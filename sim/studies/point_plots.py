"""Pictures of points: fronts, speed-ups, what figures tell, where cycles went."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from sim.studies.axis_plots import grouped
from sim.studies.directions import Directions
from sim.studies.drawing import (
    HEIGHT,
    ORDINARY,
    OTHERS,
    PALETTE,
    STRONG,
    WIDTH,
    check_any,
    check_count,
    figure_label,
    label,
    picture_of,
    prefixed,
    text,
)
from sim.studies.figures import CYCLES, SECONDS
from sim.studies.plan import Plan
from sim.studies.study_file import Axis
from sim.studies.table import Table

MOST_BARS = 120
MOST_LISTED = 40
"""Points of a front that are named."""
FEWER = "leave out levels by 'where', or draw effects"


def pareto(plan: Plan, table: Table, figure_type: Any) -> Any:
    """The first two shown figures, and the points that no other beats in both."""
    first, second = table.shown[:2]
    points = [
        (row.figures[first], row.figures[second], row)
        for row in table.rows
        if row.figures.get(first) is not None and row.figures.get(second) is not None
    ]
    check_any(points)
    better = Directions(plan.study)
    signs = [-1 if better.is_more(name) else 1 for name in (first, second)]
    front = pareto_front([(x, y) for x, y, _ in points], *signs)
    names = {(x, y): label(row) for x, y, row in reversed(points)}
    listed = front[:MOST_LISTED]
    height = max(HEIGHT, 0.17 * len(listed) + 1)
    picture = picture_of(figure_type, plan, table, "who is beaten by nobody", WIDTH + 1.5, height)
    cell = picture.subplots()
    cell.plot([x for x, _, _ in points], [y for _, y, _ in points], "o", color=ORDINARY, alpha=0.5)
    cell.plot([x for x, _ in front], [y for _, y in front], "o-", color=STRONG)
    for number, place in enumerate(listed, 1):
        offset = (5, 5) if number % 2 else (-11, -11)  # so that neighbours stay apart
        cell.annotate(str(number), place, textcoords="offset points", xytext=offset, fontsize=7)
    told = [cell.plot([], [], " ")[0] for _ in listed]
    lines = [f"{number}  {names[place]}" for number, place in enumerate(listed, 1)]
    if len(front) > len(listed):
        told, lines = [*told, told[0]], [*lines, f"… and {len(front) - len(listed)} more"]
    picture.legend(told, lines, loc="outside center right", fontsize=7, handlelength=0,
                   title="the front", title_fontsize=8)  # fmt: skip
    heads = [
        f"{figure_label(plan, name)}\n({'more' if better.is_more(name) else 'less'} is better)"
        for name in (first, second)
    ]
    cell.set_xlabel(heads[0])
    cell.set_ylabel(heads[1])
    cell.margins(0.1)
    prefixed(cell.xaxis)
    prefixed(cell.yaxis)
    cell.grid(alpha=0.3)
    return picture


def pareto_front(
    points: Sequence[tuple[float, float]], x_sign: int = 1, y_sign: int = 1
) -> list[tuple[float, float]]:
    """The points to which no other is better in one and at least equal in the other, by the first.

    x_sign, y_sign  1 where less is better, -1 where more is
    """
    front, least = [], math.inf
    for x, y in sorted({(x_sign * x, y_sign * y) for x, y in points}):
        if y < least:
            front.append((x_sign * x, y_sign * y))
            least = y
    return sorted(front)


def speedups(plan: Plan, table: Table) -> list[tuple[Any, float]]:
    """Rows with the simulated time of the point that each is compared with, divided by its own:
    clocks may differ, so that cycles tell nothing."""
    seconds = {row.name: row.figures.get(SECONDS) for row in (*table.rows, *table.bases)}
    found = []
    for row in table.rows:
        base = plan.base_of(plan.point_called(row.coordinates))
        if base is not None and seconds.get(base.name) and seconds[row.name]:
            found.append((row, seconds[base.name] / seconds[row.name]))
    return found


def speedup(plan: Plan, table: Table, figure_type: Any) -> Any:
    """Bars of `speedups`."""
    found = speedups(plan, table)
    check_any(found)
    check_count(found, MOST_BARS, FEWER)
    height = max(HEIGHT / 2, 0.25 * len(found)) + 0.8
    picture = picture_of(figure_type, plan, table, "speed-up", WIDTH, height)
    cell = picture.subplots()
    colours = grouped([row for row, _ in found])
    bars = cell.barh(range(len(found)), [value for _, value in found],
                     color=[colours[row.name] for row, _ in found])  # fmt: skip
    cell.set_yticks(range(len(found)), [f"{label(row)} " for row, _ in found])
    cell.set_ylabel(", ".join(text(axis) for axis in table.axes))
    for told in cell.bar_label(bars, fmt="%.3f", padding=3):  # over the line at 1
        told.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 0.5})
    cell.margins(x=0.15, y=0.01)
    cell.invert_yaxis()
    cell.axvline(1, color=STRONG, linewidth=1)
    base = ", ".join(f"{name} {level.label}" for name, level in plan.study.base.items())
    cell.set_xlabel(f"time of the base ({text(base)}) by time of the point; more is better")
    return picture


def tornado(plan: Plan, table: Table, figure_type: Any) -> Any:
    """How far time moves with each figure, the most telling first."""
    found = sorted(elasticities(plan, table).items(), key=lambda one: -abs(one[1]))
    check_any(found)
    height = max(HEIGHT / 2, 0.35 * len(found)) + 0.8
    picture = picture_of(figure_type, plan, table, "what time depends on", WIDTH, height)
    cell = picture.subplots()
    names = [text(name) for name, _ in found]
    bars = cell.barh(names, [value for _, value in found], color=ORDINARY)
    cell.bar_label(bars, fmt="%+.3f", padding=3)
    cell.margins(x=0.2)
    cell.invert_yaxis()
    cell.axvline(0, color="black", linewidth=0.8)
    cell.set_xlabel("per cent of time for one per cent of the figure")
    return picture


def elasticities(plan: Plan, table: Table) -> dict[str, float]:
    """By axis, the slope of log time over log figure between the levels next to the base's, of
    points that differ from the base in this axis alone; means over repetitions and other axes
    that the base does not name."""
    study = plan.study
    times = {row.name: row.figures.get(SECONDS) for row in (*table.rows, *table.bases)}
    slopes: dict[str, list[float]] = {}
    for axis in study.axes:
        if axis.name not in study.base or not is_stepped(axis):
            continue
        for ends in _neighbours(plan, axis, table):
            (a, x), (b, y) = (
                (number, times.get(plan.point({**levels, axis.name: level}).name))
                for levels, level, number in ends
            )
            if x and y and a > 0 and b > a:
                slope = (math.log(y) - math.log(x)) / (math.log(b) - math.log(a))
                slopes.setdefault(axis.name, []).append(slope)
    return {name: sum(values) / len(values) for name, values in slopes.items()}


def _neighbours(plan: Plan, axis: Axis, table: Table) -> Iterator[Any]:
    """For each base point: the levels below and above that of the base, or the base's itself."""
    levels = sorted(axis.levels, key=lambda level: level.number)
    at = next(k for k, one in enumerate(levels) if one.label == plan.study.base[axis.name].label)
    low, high = levels[max(at - 1, 0)], levels[min(at + 1, len(levels) - 1)]
    if low is high:
        return
    seen: set[str] = set()
    for row in table.rows:
        base = plan.base_of(plan.point_called(row.coordinates))
        if base.name not in seen:
            seen.add(base.name)
            yield [(base.levels, level, level.number) for level in (low, high)]


def is_stepped(axis: Axis) -> bool:
    """Whether an axis has numbers one beside the other."""
    return axis.has_numbers and len(axis.levels) > 1


def breakdown(plan: Plan, table: Table, figure_type: Any) -> Any:
    """The cycles of each point, divided as its breakdown is."""
    rows = [row for row in table.rows if row.breakdown and row.figures.get(CYCLES)]
    check_any(rows)
    check_count(rows, MOST_BARS, FEWER)
    total: Counter[str] = Counter()
    parts = []
    for row in rows:
        whole = sum(row.breakdown.values()) or 1
        scale = row.figures[CYCLES] / whole
        parts.append({name: scale * count for name, count in row.breakdown.items()})
        total.update(parts[-1])
    named = [name for name, cycles in total.most_common(len(PALETTE)) if cycles]
    height = max(HEIGHT / 2, 0.25 * len(rows)) + 1.2
    picture = picture_of(figure_type, plan, table, "where the cycles went", WIDTH + 1.5, height)
    cell, left = picture.subplots(), [0.0] * len(rows)
    others = [sum(n for name, n in one.items() if name not in named) for one in parts]
    stacks = [(name, [one.get(name, 0.0) for one in parts]) for name in named]
    stacks += [("all others", others)] if any(others) else []
    for (name, values), colour in zip(stacks, (*PALETTE, OTHERS), strict=False):
        shade = OTHERS if name == "all others" else colour
        cell.barh(range(len(rows)), values, left=left, label=text(name), color=shade)
        left = [a + b for a, b in zip(left, values, strict=True)]
    cell.set_yticks(range(len(rows)), [f"{label(row)} " for row in rows])
    cell.set_ylabel(", ".join(text(axis) for axis in table.axes))
    cell.margins(y=0.01)
    cell.invert_yaxis()
    cell.set_xlabel("cycles (less is better)")
    prefixed(cell.xaxis)
    picture.legend(loc="outside center right", fontsize=7)
    return picture
