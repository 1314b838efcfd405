"""What all pictures of studies have in common: colours, heads, labels that do not collide.

A head says what is drawn, of which study, which workload on which machine.  Under a picture stands
which axes move no cycle.  Constrained layout keeps parts apart; labels along an axis are left out
where they would lie on each other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from machines.diagnostics import input_error
from machines.optional import optional
from sim.results.vocabulary import vocabularies
from sim.studies.figures import CYCLES, SECONDS, Derived, identifier
from sim.studies.plan import Plan
from sim.studies.study_file import Axis
from sim.studies.table import Table, TableRow, dead_axes

WIDTH, HEIGHT = 6.4, 4.0
"""Inches of a picture; of several beside each other each has them."""
ORDINARY, STRONG = "#4477aa", "#cc3311"
PALETTE = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#ee8866", "#999933")
"""Colours that can be told apart by people who see fewer (Paul Tol, Colour Schemes, 2021)."""
OTHERS = "#bbbbbb"
APART = 0.34
"""Inches between two labels along an axis: a line of text, turned by `TURNED`."""
TURNED = 30
"""Degrees."""
MOST_MARKED = 20
"""Levels of a line whose points are marked."""
LOG_FROM = 8.0
"""Times the lowest level the highest of a logarithmic axis is, at least."""
MOST_NAMED = 3
"""Workloads or machines that a head names."""


def picture_of(
    figure_type: Any, plan: Plan, table: Table, what: str, width: float, height: float
) -> Any:
    """An empty figure with its head, and with what is to be known below it."""
    picture = figure_type(figsize=(width, height), layout="constrained")
    picture.suptitle(f"{_text(plan.study.name)}: {what}\n{_text(ran(table))}", fontsize=10)
    notes = [f"axis '{axis}' changes nothing: no level of it moves a cycle"
             for axis in dead_axes(table)]  # fmt: skip
    if notes:
        picture.supxlabel(_text("\n".join(notes)), fontsize=8, color=STRONG)
    return picture


def ran(table: Table) -> str:
    """What ran on what, of the points that have results."""
    rows = [row for row in table.rows if row.workload]
    names = [_several([row.workload for row in rows], "workloads"),
             _several([row.machine for row in rows], "machines")]  # fmt: skip
    return " on ".join(names)


def _several(names: Iterable[str], called: str) -> str:
    found = list(dict.fromkeys(names))
    return ", ".join(found) if len(found) <= MOST_NAMED else f"{len(found)} {called}"


def figure_label(plan: Plan, name: str) -> str:
    """A figure with its unit, or of a derived one how it is."""
    if name == CYCLES:
        return "cycles"
    if name == SECONDS:
        return "simulated time (s)"
    expressions = Derived(plan.study).expressions
    if name in expressions:
        written = plan.study.form.derive[name]
        return _text(f"{name} = {written}" if len(written) <= 40 else name)
    counters = (one for words in vocabularies().values() for one in words.counters)
    unit = next((one.unit for one in counters if identifier(one.name) == name), "cycles")
    return _text(f"{name} ({unit})")


def axis_label(axis: Axis) -> str:
    """An axis with what it changes."""
    kinds = {"set": "", "argument": "argument ", "seed": "seed of "}
    if axis.key not in kinds:
        return _text(axis.name)
    changed = ", ".join(axis.targets)
    same = changed == axis.name and axis.key == "set"
    return _text(axis.name if same else f"{axis.name}: {kinds[axis.key]}{changed}")


def numbers_along(cell: Any, axis: Axis, labels: Sequence[Any], width: float) -> list[float]:
    """Set up the x of numbers; where the labels lie, which come in order of their numbers."""
    places = [float(axis.level_called(label).number) for label in labels]
    name = axis_label(axis)
    if places and places[0] > 0 and places[-1] / places[0] >= LOG_FROM:
        cell.set_xscale("log", base=2)
        name += " (log scale)"
    cell.set_xlabel(name)
    kept = apart(_shares(places, cell.get_xscale() == "log"), width)
    _set_ticks(cell, [places[k] for k in kept], [labels[k] for k in kept])
    cell.minorticks_off()
    return places


def _set_ticks(cell: Any, places: Sequence[float], labels: Sequence[Any]) -> None:
    turned = {"rotation": TURNED, "ha": "right", "rotation_mode": "anchor"}
    cell.set_xticks(places, [_text(label) for label in labels], **turned)


def _shares(places: Sequence[float], is_log: bool) -> list[float]:
    """How far each lies from the first to the last."""
    moved = [math.log(place) for place in places] if is_log else list(places)
    reach = moved[-1] - moved[0] if moved else 0
    return [(place - moved[0]) / reach if reach else 0.5 for place in moved]


def apart(shares: Sequence[float], width: float) -> list[int]:
    """Which of the places in [0, 1], in order, have a label on so many inches: the first, the last
    and as many as fit between."""
    least, kept = APART / width, []
    for number, share in enumerate(shares):
        is_last = number == len(shares) - 1
        if kept and is_last:
            while len(kept) > 1 and share - shares[kept[-1]] < least:
                kept.pop()
        if not kept or share - shares[kept[-1]] >= least or is_last:
            kept.append(number)
    return kept


def names_along(cell: Any, axis: Axis, labels: Sequence[Any], width: float) -> None:
    """The same of levels that have no numbers, one beside the other."""
    kept = apart(_shares(range(len(labels)), False), width)
    _set_ticks(cell, kept, [labels[k] for k in kept])
    cell.set_xlabel(axis_label(axis))


def prefixed(axis: Any) -> None:
    """Have the numbers of an axis written as 12 M or 3 k."""
    ticker = optional("matplotlib.ticker", "plots")
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, place: in_short(value)))


def in_short(value: float) -> str:
    """A number in four digits, the same way."""
    for size, prefix in ((1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k"), (1.0, "")):
        if abs(value) >= size:
            return f"{value / size:.4g}{prefix}"
    return f"{value:.4g}"


def label(row: TableRow) -> str:
    """A point by its levels."""
    return ", ".join(map(_text, row.coordinates.values()))


def _text(text: Any) -> str:
    """A text as it is: dollars would enclose mathematics."""
    return str(text).replace("$", "\\$")


text = _text


def check_any(found: Sequence[Any]) -> None:
    """Raise InputError where nothing has figures."""
    if not found:
        raise input_error("there is nothing to draw: no point has these figures")


def check_count(found: Sequence[Any], most: int, hint: str) -> None:
    """Raise InputError where there are more bars than a picture shows."""
    if len(found) > most:
        message = f"{len(found)} points are more than {most}, the most that it shows"
        raise input_error(message, hint=hint)
