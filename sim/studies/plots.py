"""Pictures of studies, by matplotlib (`pip install simrun[plots]`).

    --plot effects=l2.svg     the main effect of each axis on each shown figure
    --plot pareto=front.svg   two shown figures against each other, and who is beaten by nobody
    --plot speedup=bars.png   cycles of the base divided by those of each point
    --plot tornado=fields.svg per cent of cycles for one per cent of each field, around the base

An SVG of the same table is the same bytes in every process.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from statistics import fmean
from typing import Any

from machines.diagnostics import input_error, nearest
from machines.kept.files import check_writable, open_atomically
from machines.optional import optional
from sim.studies.figures import CYCLES
from sim.studies.plan import Plan
from sim.studies.study_file import Axis
from sim.studies.table import Table, TableRow

SUFFIXES = (".svg", ".png")
WIDTH, HEIGHT = 6.4, 4.0
"""Inches of a picture; of several beside each other each has them."""
ORDINARY, STRONG = "#4477aa", "#cc3311"
"""Colours that can be told apart by people who see fewer."""


def check_plots(plots: Sequence[str], plan: Plan) -> None:
    """Raise InputError, before anything runs, for what cannot be drawn."""
    for plot in plots:
        kind, path = _parts(plot)
        _, needs = KINDS[kind]
        problem = needs(plan)
        if problem is not None:
            raise input_error(f"--plot {kind}: {problem[0]}", hint=problem[1])
        check_writable(path)
        optional("matplotlib", "plots")


def draw(plot: str, plan: Plan, table: Table) -> None:
    """Draw a picture, `KIND=FILE`; raises InputError where the table has nothing for it."""
    kind, path = _parts(plot)
    with _style():
        picture = figure(kind, plan, table)
        metadata = {"Date": None} if path.suffix == ".svg" else None
        with open_atomically(path, binary=True) as file:
            picture.savefig(
                file, format=path.suffix[1:], metadata=metadata, bbox_inches="tight", dpi=150
            )


def figure(kind: str, plan: Plan, table: Table) -> Any:
    """A picture as a `matplotlib.figure.Figure`; raises InputError where there is nothing for
    it."""
    _check_kind(kind)
    problem = KINDS[kind][1](plan)
    if problem is not None:
        raise input_error(f"plot {kind}: {problem[0]}", hint=problem[1])
    with _style():
        return KINDS[kind][0](plan, table, optional("matplotlib.figure", "plots").Figure)


def _style() -> AbstractContextManager[None]:
    """No ids that differ from run to run; letters as letters."""
    style = {"svg.hashsalt": "simrun", "svg.fonttype": "none", "font.size": 9}
    return optional("matplotlib", "plots").rc_context(style)


def _check_kind(kind: str) -> None:
    if kind not in KINDS:
        raise input_error(f"there is no plot '{kind}'", hint=nearest(kind, KINDS))


def _parts(plot: str) -> tuple[str, Path]:
    kind, equals, name = plot.partition("=")
    if not equals or not name:
        raise input_error(f"'{plot}' is no plot", hint="write it like effects=l2.svg")
    _check_kind(kind)
    path = Path(name)
    if path.suffix not in SUFFIXES:
        raise input_error(f"cannot draw {path}", hint=f"its name ends in {' or '.join(SUFFIXES)}")
    return kind, path


# ---- Main effects --------------------------------------------------------------------------------


def _effects(plan: Plan, table: Table, figure_type: Any) -> Any:
    """Of each axis and each shown figure the main effect."""
    figures = [name for name in table.shown if any(_values(table, name))]
    _check_any(figures)
    varied = [axis for axis in plan.study.axes if not axis.is_replicate]
    axes = [a for a in varied if any(len(main_effect(table, a.name, n)) > 1 for n in figures)]
    if not axes:
        message = "there is nothing to draw: no two levels were run with the same others"
        raise input_error(message, hint="main effects need a grid")
    picture = figure_type(figsize=(WIDTH * len(axes) * 0.7, HEIGHT * 0.8 * len(figures)))
    grid = picture.subplots(len(figures), len(axes), squeeze=False, sharex="col", sharey="row")
    for cells, name in zip(grid, figures, strict=True):
        for cell, axis in zip(cells, axes, strict=True):
            _effect(cell, axis, name, table)
        cells[0].set_ylabel(name)
    return picture


def main_effect(table: Table, axis: str, name: str) -> dict[Any, float]:
    """The mean of a figure at each level of an axis.

    It is taken over those settings of the other axes that have the figure at every level that has
    any: a level at which only some programs run would seem better or worse than it is.
    """
    found: dict[str, dict[Any, float]] = {}
    for row in table.rows:
        if row.figures.get(name) is not None:
            others = {k: v for k, v in row.coordinates.items() if k != axis}
            group = found.setdefault(json.dumps(others), {})
            group[row.coordinates[axis]] = row.figures[name]
    levels = list(dict.fromkeys(label for group in found.values() for label in group))
    whole = [group for group in found.values() if len(group) == len(levels)]
    return {label: fmean(group[label] for group in whole) for label in levels if whole}


def _effect(cell: Any, axis: Axis, name: str, table: Table) -> None:
    means = main_effect(table, axis.name, name)
    if axis.has_numbers:
        numbers = {label: axis.level_called(label).number for label in means}
        ordered = sorted(means, key=numbers.get)
        cell.plot([numbers[x] for x in ordered], [means[x] for x in ordered], "o-", color=ORDINARY)
        low, high = min(numbers.values(), default=0), max(numbers.values(), default=0)
        if low > 0 and high / low >= 8:
            cell.set_xscale("log", base=2)
        cell.set_xticks([numbers[x] for x in ordered], [_text(x) for x in ordered])
        cell.minorticks_off()
    else:
        cell.bar([_text(label) for label in means], list(means.values()), color=ORDINARY)
    cell.tick_params(axis="x", rotation=30)
    cell.set_xlabel(axis.name)
    cell.grid(alpha=0.3)


# ---- Pareto front --------------------------------------------------------------------------------


def _pareto(plan: Plan, table: Table, figure_type: Any) -> Any:
    """The first two shown figures: few of both being good, unless the study says more is."""
    first, second = table.shown[:2]
    points = [
        (row.figures[first], row.figures[second], row)
        for row in table.rows
        if row.figures.get(first) is not None and row.figures.get(second) is not None
    ]
    _check_any(points)
    praised = plan.study.form.more_is_better
    signs = [-1 if name in praised else 1 for name in (first, second)]
    front = pareto_front([(x, y) for x, y, _ in points], *signs)
    picture = figure_type(figsize=(WIDTH, HEIGHT))
    cell = picture.subplots()
    cell.plot([x for x, _, _ in points], [y for _, y, _ in points], "o", color=ORDINARY, alpha=0.5)
    cell.plot([x for x, _ in front], [y for _, y in front], "o-", color=STRONG)
    names = {(x, y): _label(row) for x, y, row in reversed(points)}
    for place in front:
        cell.annotate(names[place], place, textcoords="offset points", xytext=(5, 5), fontsize=7)
    heads = [f"{name} ({'more' if name in praised else 'less'} is better)" for name in table.shown]
    cell.set_xlabel(heads[0])
    cell.set_ylabel(heads[1])
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


# ---- Speed-up ------------------------------------------------------------------------------------


def _speedup(plan: Plan, table: Table, figure_type: Any) -> Any:
    """Cycles of the point that each is compared with, divided by its own."""
    cycles = table.cycles
    found = []
    for row in table.rows:
        base = plan.base_of(plan.point_called(row.coordinates))
        if base is not None and cycles.get(base.name) and cycles[row.name]:
            found.append((_label(row), cycles[base.name] / cycles[row.name]))
    _check_any(found)
    picture = figure_type(figsize=(WIDTH, max(HEIGHT / 2, 0.25 * len(found))))
    cell = picture.subplots()
    labels = [f"{label} " for label, _ in found]
    bars = cell.barh(range(len(found)), [value for _, value in found], color=ORDINARY)
    cell.set_yticks(range(len(found)), labels)
    cell.bar_label(bars, fmt="%.3f", padding=3)
    cell.margins(x=0.12)
    cell.invert_yaxis()
    cell.axvline(1, color=STRONG, linewidth=1)
    cell.set_xlabel("speed-up over the base")
    return picture


# ---- Tornado -------------------------------------------------------------------------------------


def _tornado(plan: Plan, table: Table, figure_type: Any) -> Any:
    """How far cycles move with each figure, the most telling first."""
    found = sorted(elasticities(plan, table).items(), key=lambda one: -abs(one[1]))
    _check_any(found)
    picture = figure_type(figsize=(WIDTH, max(HEIGHT / 2, 0.35 * len(found))))
    cell = picture.subplots()
    bars = cell.barh([name for name, _ in found], [value for _, value in found], color=ORDINARY)
    cell.bar_label(bars, fmt="%+.3f", padding=3)
    cell.margins(x=0.2)
    cell.invert_yaxis()
    cell.axvline(0, color="black", linewidth=0.8)
    cell.set_xlabel("per cent of cycles for one per cent of the figure")
    return picture


def elasticities(plan: Plan, table: Table) -> dict[str, float]:
    """By axis, the slope of log cycles over log figure between the levels next to the base's, of
    points that differ from the base in this axis alone; means over repetitions and other axes
    that the base does not name."""
    study, cycles = plan.study, table.cycles
    slopes: dict[str, list[float]] = {}
    for axis in study.axes:
        if axis.name not in study.base or not _is_stepped(axis):
            continue
        for ends in _neighbours(plan, axis, table):
            (a, x), (b, y) = (
                (number, cycles.get(plan.point({**levels, axis.name: level}).name))
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


# ---- What each needs -----------------------------------------------------------------------------


def _two_levels(plan: Plan) -> tuple[str, str] | None:
    axes = [axis for axis in plan.study.axes if not axis.is_replicate]
    if any(axis.span is not None or len(axis.levels) > 1 for axis in axes):
        return None
    return "needs an axis of two levels", "repetitions are no levels"


def _two_figures(plan: Plan) -> tuple[str, str] | None:
    shown = plan.study.form.show or [CYCLES, *plan.study.form.derive]
    found = "needs two figures"
    return None if len(shown) >= 2 else (found, "show: [cycles, cost]")


def _a_base(plan: Plan) -> tuple[str, str] | None:
    return None if plan.study.base else ("needs a base", "'base' names levels of its point")


def _numbers_of_the_base(plan: Plan) -> tuple[str, str] | None:
    problem = _a_base(plan)
    axes = [a for a in plan.study.axes if a.name in plan.study.base and _is_stepped(a)]
    return problem or (None if axes else ("no axis of the base has levels of numbers", "'values'"))


def _is_stepped(axis: Axis) -> bool:
    """Whether an axis has numbers one beside the other."""
    return axis.has_numbers and len(axis.levels) > 1


KINDS: Mapping[str, tuple[Callable[..., Any], Callable[[Plan], tuple[str, str] | None]]] = {
    "effects": (_effects, _two_levels),
    "pareto": (_pareto, _two_figures),
    "speedup": (_speedup, _a_base),
    "tornado": (_tornado, _numbers_of_the_base),
}
"""How each is drawn, and what is missing for it: a message and a hint."""


def _values(table: Table, name: str) -> Iterator[bool]:
    return (row.figures.get(name) is not None for row in table.rows)


def _label(row: TableRow) -> str:
    return ", ".join(map(_text, row.coordinates.values()))


def _text(label: Any) -> str:
    """A label as it is: dollars would enclose mathematics."""
    return str(label).replace("$", "\\$")


def _check_any(found: Sequence[Any]) -> None:
    if not found:
        raise input_error("there is nothing to draw: no point has these figures")
