"""Pictures along axes: main effects, series, heat maps."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import Any

from machines.diagnostics import input_error
from sim.studies.drawing import (
    HEIGHT,
    MOST_MARKED,
    ORDINARY,
    PALETTE,
    STRONG,
    WIDTH,
    axis_label,
    check_any,
    check_count,
    figure_label,
    in_short,
    names_along,
    numbers_along,
    picture_of,
    prefixed,
    text,
)
from sim.studies.plan import Plan
from sim.studies.study_file import Axis
from sim.studies.table import Table, TableRow, dead_axes

BAR = 0.28
"""Inches that a bar and the space beside it take."""
MOST_LINES = 16
"""Of a picture of series, whose colours and dashes are told apart."""
DASHES = ("-", "--")


def effects(plan: Plan, table: Table, figure_type: Any) -> Any:
    """Of each axis and each shown figure the main effect."""
    figures = [name for name in table.shown if any(row.figures.get(name) is not None
                                                   for row in table.rows)]  # fmt: skip
    check_any(figures)
    axes = [a for a in varied(plan) if any(len(main_effect(table, a.name, n)) > 1 for n in figures)]
    if not axes:
        message = "there is nothing to draw: no two levels were run with the same others"
        raise input_error(message, hint="main effects need a grid")
    widths = [max(WIDTH * 0.7, 0 if a.has_numbers else BAR * len(_labels(table, a.name)))
              for a in axes]  # fmt: skip
    size = sum(widths), HEIGHT * 0.8 * len(figures) + 0.6
    picture = picture_of(figure_type, plan, table, "main effects", *size)
    grid = picture.subplots(len(figures), len(axes), squeeze=False, sharex="col", sharey="row",
                            width_ratios=widths)  # fmt: skip
    dead = dead_axes(table)
    for row, (cells, name) in enumerate(zip(grid, figures, strict=True)):
        for cell, axis, width in zip(cells, axes, widths, strict=True):
            _effect(cell, axis, name, table, width)
            if axis.name in dead and row == 0:
                cell.set_title("changes nothing", fontsize=8, color=STRONG)
            if row < len(figures) - 1:
                cell.set_xlabel("")
        cells[0].set_ylabel(figure_label(plan, name))
        prefixed(cells[0].yaxis)
    return picture


def varied(plan: Plan) -> list[Axis]:
    """The axes that are no repetitions."""
    return [axis for axis in plan.study.axes if not axis.is_replicate]


def main_effect(table: Table, axis: str, name: str) -> dict[Any, float]:
    """The mean of a figure at each level of an axis.

    It is taken over those settings of the other axes that have the figure at every level that has
    any: a level at which only some programs run would seem better or worse than it is.
    """
    cells = cell_means(table, (axis,), name)
    return {label: mean for (label,), mean in cells.items()}


def cell_means(table: Table, axes: Sequence[str], name: str) -> dict[tuple[Any, ...], float]:
    """The same at each setting of several axes, in the order of the points."""
    found: dict[str, dict[tuple[Any, ...], float]] = {}
    for row in table.rows:
        if row.figures.get(name) is not None:
            others = {k: v for k, v in row.coordinates.items() if k not in axes}
            group = found.setdefault(json.dumps(others), {})
            group[tuple(row.coordinates[axis] for axis in axes)] = row.figures[name]
    places = list(dict.fromkeys(place for group in found.values() for place in group))
    whole = [group for group in found.values() if len(group) == len(places)]
    return {place: fmean(group[place] for group in whole) for place in places if whole}


def _labels(table: Table, axis: str) -> list[Any]:
    return list(dict.fromkeys(row.coordinates[axis] for row in table.rows))


def in_order(axis: Axis, labels: Iterable[Any]) -> list[Any]:
    """Levels by their numbers, or as they are given."""
    labels = list(labels)
    if axis.has_numbers:
        labels.sort(key=lambda label: axis.level_called(label).number)
    return labels


def _effect(cell: Any, axis: Axis, name: str, table: Table, width: float) -> None:
    means = main_effect(table, axis.name, name)
    labels = in_order(axis, means)
    values = [means[label] for label in labels]
    if axis.has_numbers:
        places = numbers_along(cell, axis, labels, width * 0.8)
        cell.plot(places, values, _mark(labels), color=ORDINARY)
    else:
        cell.bar(range(len(labels)), values, color=ORDINARY)
        names_along(cell, axis, labels, width * 0.8)
    cell.grid(alpha=0.3)


def _mark(labels: Sequence[Any]) -> str:
    return "o-" if len(labels) <= MOST_MARKED else "-"


def series(plan: Plan, table: Table, figure_type: Any) -> Any:
    """The first shown figure along the first axis of numbers, a line for each setting of the
    others."""
    axis = next(one for one in varied(plan) if one.has_numbers)
    name = table.shown[0]
    lines: dict[str, dict[Any, float]] = {}
    for row in table.means():
        if name in row.figures:
            others = {k: v for k, v in row.coordinates.items() if k != axis.name}
            setting = ", ".join(map(text, others.values()))
            lines.setdefault(setting, {})[row.coordinates[axis.name]] = row.figures[name].mean
    check_any(lines)
    check_count(lines, MOST_LINES, "leave out levels by 'where', or draw effects")
    picture = picture_of(
        figure_type, plan, table, f"{text(name)} along {text(axis.name)}", WIDTH, HEIGHT
    )
    cell = picture.subplots()
    every = in_order(axis, dict.fromkeys(label for line in lines.values() for label in line))
    numbers_along(cell, axis, every, WIDTH * 0.7)
    for k, (setting, line) in enumerate(lines.items()):
        labels = in_order(axis, line)
        places = [axis.level_called(label).number for label in labels]
        cell.plot(
            places, [line[label] for label in labels], label=setting, markersize=4,
            marker="o" if len(labels) <= MOST_MARKED else None,
            color=PALETTE[k % len(PALETTE)], linestyle=DASHES[k // len(PALETTE)],
        )  # fmt: skip
    others = ", ".join(text(one.name) for one in varied(plan) if one is not axis)
    if len(lines) > 1:
        picture.legend(loc="outside center right", fontsize=7, title=others, title_fontsize=7)
    cell.set_ylabel(figure_label(plan, name))
    prefixed(cell.yaxis)
    cell.grid(alpha=0.3)
    return picture


def heatmap(plan: Plan, table: Table, figure_type: Any) -> Any:
    """The first shown figure over the first two axes, as the mean over the others."""
    across, up = [axis for axis in varied(plan) if len(_labels(table, axis.name)) > 1][:2]
    name = table.shown[0]
    cells = cell_means(table, (across.name, up.name), name)
    check_any(cells)
    columns = in_order(across, dict.fromkeys(x for x, _ in cells))
    rows = in_order(up, dict.fromkeys(y for _, y in cells))
    values = [[cells.get((x, y), float("nan")) for x in columns] for y in rows]
    width = max(WIDTH, 0.55 * len(columns) + 2) if len(columns) <= MOST_MARKED else WIDTH * 1.5
    height = max(HEIGHT, 0.35 * len(rows) + 1.6) if len(rows) <= MOST_MARKED else HEIGHT * 1.6
    what = f"{text(name)} over {text(across.name)} and {text(up.name)}"
    picture = picture_of(figure_type, plan, table, what, width, height)
    cell = picture.subplots()
    image = cell.imshow(values, aspect="auto", origin="lower", cmap="viridis")
    names_along(cell, across, columns, width * 0.7)
    kept = range(0, len(rows), max(1, len(rows) // MOST_MARKED))
    cell.set_yticks(list(kept), [text(rows[k]) for k in kept])
    cell.set_ylabel(axis_label(up))
    if len(columns) <= 12 and len(rows) <= MOST_MARKED:
        _write_values(cell, values)
    prefixed(picture.colorbar(image, label=figure_label(plan, name)).ax.yaxis)
    return picture


def _write_values(cell: Any, values: Sequence[Sequence[float]]) -> None:
    """Numbers in the fields, dark on light and light on dark."""
    known = [value for row in values for value in row if value == value]
    middle = (min(known) + max(known)) / 2
    for y, row in enumerate(values):
        for x, value in enumerate(row):
            if value == value:
                color = "black" if value > middle else "white"
                shown = in_short(value)
                cell.text(x, y, shown, ha="center", va="center", fontsize=7, color=color)


def grouped(rows: Sequence[TableRow]) -> dict[Any, str]:
    """A colour for each level of the first axis that differs, of the palette's as long as they
    last."""
    for axis in rows[0].coordinates if rows else ():
        labels = list(dict.fromkeys(row.coordinates[axis] for row in rows))
        if 1 < len(labels) <= len(PALETTE):
            colours = dict(zip(labels, PALETTE, strict=False))
            return {row.name: colours[row.coordinates[axis]] for row in rows}
    return dict.fromkeys((row.name for row in rows), ORDINARY)
