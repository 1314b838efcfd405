"""Pictures of studies, by matplotlib (`pip install simrun[plots]`).

    --plot effects=l2.svg     the main effect of each axis on each shown figure
    --plot pareto=front.svg   two shown figures against each other, and who is beaten by nobody
    --plot speedup=bars.png   time of the base divided by that of each point
    --plot tornado=fields.svg per cent of time for one per cent of each field, around the base
    --plot series=n.svg       the first shown figure along an axis, a line for each setting
    --plot heatmap=sizes.svg  the same over two axes
    --plot breakdown=why.svg  where the cycles of each point went

An SVG of the same table is the same bytes in every process; a picture's description says of which
table it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from machines.cache.files import check_writable, open_atomically
from machines.diagnostics import input_error, nearest
from machines.optional import optional
from sim.studies.axis_plots import effects, heatmap, series, varied
from sim.studies.figures import CYCLES
from sim.studies.plan import Plan
from sim.studies.point_plots import breakdown, is_stepped, pareto, speedup, tornado
from sim.studies.table import Table

SUFFIXES = (".svg", ".png")


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
        metadata = {"Description": f"table {table.digest}"}
        metadata |= {"Date": None} if path.suffix == ".svg" else {}
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
    axes = [a for a in plan.study.axes if a.name in plan.study.base and is_stepped(a)]
    return problem or (None if axes else ("no axis of the base has levels of numbers", "'values'"))


def _an_axis_of_numbers(plan: Plan) -> tuple[str, str] | None:
    has_one = any(axis.has_numbers for axis in varied(plan))
    return None if has_one else ("needs an axis of numbers", "'values' or a range")


def _two_axes(plan: Plan) -> tuple[str, str] | None:
    axes = [axis for axis in varied(plan) if axis.span is not None or len(axis.levels) > 1]
    return None if len(axes) >= 2 else ("needs two axes of two levels", "repetitions are none")


def _nothing(plan: Plan) -> None:
    return None


KINDS: Mapping[str, tuple[Callable[..., Any], Callable[[Plan], tuple[str, str] | None]]] = {
    "effects": (effects, _two_levels),
    "series": (series, _an_axis_of_numbers),
    "heatmap": (heatmap, _two_axes),
    "breakdown": (breakdown, _nothing),
    "pareto": (pareto, _two_figures),
    "speedup": (speedup, _a_base),
    "tornado": (tornado, _numbers_of_the_base),
}
"""How each is drawn, and what is missing for it: a message and a hint."""
