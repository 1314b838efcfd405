"""The chapter of a study: its points, what they came to, and along which axis that moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sim.pages import charts
from sim.pages.colours import MOST
from sim.pages.content import (
    GREY,
    RIGHT,
    Block,
    Cell,
    Chapter,
    Chart,
    Data,
    Part,
    Rows,
    Table,
    Tile,
    number,
    pointer,
)
from sim.results.shown import shown
from sim.status import DONE

MOST_BARS = 60
LOG_FROM = 8.0
"""Times the least number of an axis the greatest is, where it is drawn by powers."""


def facts_of_study(plan: Any, table: Any, notes: Sequence[str]) -> dict[str, Any]:
    """A study as plain data: of its plan (`sim.studies.plan.Plan`), its table
    (`sim.studies.table.Table`), and what was said below the table."""
    axes = [axis for axis in table.axes if axis not in table.replicates]
    firsts: dict[str, Any] = {}
    for row in table.rows:
        firsts.setdefault(_label(row.coordinates, axes), row)
    rows = []
    for mean in table.means():
        label = _label(mean.coordinates, axes)
        first = firsts[label]
        rows.append({
            "point": label,
            **{f"at {axis}": mean.coordinates.get(axis) for axis in axes},
            **{f"number of {axis}": first.numbers.get(axis) for axis in axes},
            **{name: one.mean for name, one in mean.figures.items()},
            **{f"half of {name}": one.half for name, one in mean.figures.items()},
            "ended": dict(mean.statuses),
            "breakdown": dict(first.breakdown),
        })  # fmt: skip
    return {
        "study": plan.study.name,
        "workloads": list(dict.fromkeys(row.workload for row in table.rows if row.workload)),
        "machines": list(dict.fromkeys(row.machine for row in table.rows if row.machine)),
        "axes": axes,
        "numeric": [one.name for one in plan.study.axes if one.has_numbers and one.name in axes],
        "shown": list(table.shown),
        "good": table.is_good,
        "rows": rows,
        "notes": list(notes),
    }


def _label(coordinates: Mapping[str, Any], axes: Sequence[str]) -> str:
    return ", ".join(str(coordinates.get(axis, "")) for axis in axes)


def chapter_of_study(data: Data) -> Chapter:
    """Of what `facts_of_study` says."""
    found = data.content
    rows = found["rows"]
    tiles = [Tile("points", Cell(shown(len(rows))), f"over {', '.join(found['axes'])}")]
    for name in found["shown"][:4]:
        values = [row[name] for row in rows if row.get(name) is not None]
        if values:
            least, most = number(min(values)), number(max(values))
            tiles.append(Tile(name, Cell(least if least == most else f"{least} to {most}")))
    parts = [
        Part("figures", "Figures of the points", "", [*_pictures(data), _table(data)]),
        *_breakdowns(data),
    ]
    ran = " on ".join(", ".join(found[one]) for one in ("workloads", "machines") if found[one])
    ending = "all points are right" if found["good"] else "some points have no right result"
    messages = [note for note in found["notes"] if note.strip()]
    title = f"{found['study']}: {ran}" if ran else found["study"]
    return Chapter(title, ending, found["good"], tiles, parts, messages)


def _pictures(data: Data) -> Iterator[Block]:
    found = data.content
    numeric = [axis for axis in found["numeric"] if len(_levels(found, axis)) > 1]
    others = [axis for axis in found["axes"] if len(_levels(found, axis)) > 1]
    for name in found["shown"][:3]:
        values = [row.get(name) for row in found["rows"]]
        if all(value is None for value in values):
            continue
        if numeric and len(others) <= 2:
            along = numeric[0]
            apart = next((axis for axis in others if axis != along), "")
            if not apart or len(_levels(found, apart)) <= MOST:
                yield _line(data, name, along, apart)
                continue
        if len(values) <= MOST_BARS:
            yield Chart(
                f"{name} of each point",
                f"A bar for each of {len(values)} points.",
                data.rows("/rows"),
                charts.bars("point", name, name, len(values), limit=MOST_BARS),
            )
    if len(found["shown"]) >= 2:
        x, y = found["shown"][:2]
        yield Chart(
            f"{y} over {x}",
            f"A point for each of {len(found['rows'])} points of the study.",
            data.rows("/rows"),
            charts.points(x, y, (x, y), "point", f"at {others[0]}" if _few(found, others) else ""),
        )


def _few(found: Mapping[str, Any], axes: Sequence[str]) -> bool:
    return bool(axes) and len(_levels(found, axes[0])) <= MOST


def _line(data: Data, name: str, along: str, apart: str) -> Chart:
    numbers = [row[f"number of {along}"] for row in data.content["rows"]]
    there = [one for one in numbers if one is not None]
    is_log = min(there) > 0 and max(there) / min(there) >= LOG_FROM
    by = f", a line for each {apart}" if apart else ""
    titles = (f"{along} (logarithmic)" if is_log else along, name)
    of = f"at {apart}" if apart else ""
    return Chart(
        f"{name} along {along}",
        f"Lines of {name} along {along}{by}.",
        data.rows("/rows"),
        charts.lines(f"number of {along}", name, titles, of, is_log),
    )


def _levels(found: Mapping[str, Any], axis: str) -> list[Any]:
    return list(dict.fromkeys(str(row[f"at {axis}"]) for row in found["rows"]))


def _table(data: Data) -> Table:
    found = data.content
    rows = []
    for k, row in enumerate(found["rows"]):
        cells: list[Cell | str] = [Cell(str(row[f"at {axis}"])) for axis in found["axes"]]
        for name in found["shown"]:
            cells.append(_mean(data, k, name))
        ended = ", ".join(f"{n} {how}" if n > 1 else how for how, n in row["ended"].items())
        is_done = set(row["ended"]) == {DONE}
        cells.append(Cell(ended, good=None if is_done else False))
        rows.append(cells)
    heads = [*found["axes"], *(f"{RIGHT}{name}" for name in found["shown"]), "ended"]
    return Table("points of the study", heads, rows, filtered=len(rows) > MOST)


def _mean(data: Data, k: int, name: str) -> Cell:
    row = data.content["rows"][k]
    if row.get(name) is None:
        return Cell("–", side=RIGHT)
    cell = data.cell(pointer("rows", k, name))
    half = row.get(f"half of {name}")
    return cell if half is None else Cell(f"{cell.text} ± {number(half)}", "", RIGHT)


def _breakdowns(data: Data) -> Iterator[Part]:
    """Where the time of each point went."""
    rows = data.content["rows"]
    weights: dict[str, int] = {}
    for row in rows:
        for name, cycles in row["breakdown"].items():
            weights[name] = weights.get(name, 0) + cycles
    names = sorted((name for name in weights if weights[name]), key=lambda n: -weights[n])
    if not names or len(rows) > MOST_BARS:
        return
    colours = {name: k if k < MOST else GREY for k, name in enumerate(names)}
    chart = Chart(
        "Time of each point by what it went to",
        f"A bar for each point, made of {', '.join(names[:6])}.",
        {"rows": Rows(f"{data.base}/rows", "breakdown")},
        charts.stacks("point", names, colours, len(rows)),
    )
    sentence = "Of repetitions the first; every cycle once."
    yield Part("breakdown", "Where the time went", sentence, [chart])
