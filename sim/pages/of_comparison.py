"""The chapter of a comparison, and the blocks by which a run is held against another."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from sim.pages import charts
from sim.pages.content import (
    RIGHT,
    Block,
    Cell,
    Chapter,
    Chart,
    Data,
    Part,
    Table,
    Text,
    Tile,
    number,
    pointer,
)
from sim.results.shown import shown_time

MOST = 40
"""Rows of a table of what moved."""


def chapter_of_comparison(data: Data) -> Chapter:
    """B beside A."""
    found = data.content
    cycles = found["cycles"]
    tiles = [
        Tile("cycles of A", data.cell("/cycles/a")),
        Tile("cycles of B", data.cell("/cycles/b"), _relative(cycles)),
        Tile("change", Cell(_signed(cycles["change"]), data.base + "/cycles/change")),
    ]
    if found["seconds"] is not None:
        seconds = [shown_time(found["seconds"][side]) for side in "ab"]
        tiles.append(Tile("simulated time of B", Cell(seconds[1]), f"A: {seconds[0]}"))
    parts = [
        Part("moved", "What moved", "B beside A: positive is more in B.", list(differences(data))),
        *_machines(data),
        *_origins(data),
    ]
    titles = [_title(found[side]) for side in "ab"]
    messages = [*found["warnings"], *(f"Not compared: {why}" for why in found["not_compared"])]
    moved = _relative(cycles)
    ending = f"B takes {moved} cycles" if moved else "B takes as many cycles"
    lead = [f"{side.upper()}: {title}" for side, title in zip("ab", titles, strict=True)]
    return Chapter(_short(found), ending, None, tiles, parts, messages, lead)


def differences(data: Data) -> Iterator[Block]:
    """What moved: cycles, reasons, lines, counters; outputs that differ."""
    found = data.content
    cycles = found["cycles"]
    rows = [["cycles", *_figures(data, "/cycles")]]
    if found["breakdown"] is not None:
        rows.append(["breakdown in all", *_figures(data, "/breakdown")])
    yield Table("cycles", ["", ">A", ">B", ">change", ">relative"], rows)
    if not cycles["change"]:
        yield Text("Cycles are the same.")
    for name, title, noun in (
        ("reasons", "Reasons of the time that moved", "reason"),
        ("counters", "Counters that moved", "counter"),
    ):
        if found[name]:
            yield _moved(data, name, title, noun)
    if found["lines"] and found["lines"]["moved"]:
        yield _lines(data)
    if found["outputs"]:
        rows = [[one["name"], _plain(one["a"]), _plain(one["b"])] for one in found["outputs"]]
        yield Table("Outputs that differ", ["output", "A", "B"], rows, titled=True)


def _moved(data: Data, name: str, title: str, noun: str) -> Block:
    some = data.at(f"/{name}")
    rows = [
        [Cell(one["name"], code=True), *_figures(data, pointer(name, k))]
        for k, one in enumerate(some[:MOST])
    ]
    is_drawn = name == "reasons"
    heads = [noun, ">A", ">B", ">change", ">relative"]
    table = Table(title, heads, rows, titled=not is_drawn)
    if not is_drawn:
        return table
    return Chart(
        title,
        f"Bars of changes: {_largest(some)}.",
        data.rows(f"/{name}"),
        charts.changes("name", "change", "change in cycles", sum(bool(o["change"]) for o in some)),
        table,
        shown=True,
    )


def _lines(data: Data) -> Table:
    """Source lines whose cost moved."""
    rows = []
    for k, line in enumerate(data.at("/lines/moved")[:MOST]):
        places = [line["places"][side] for side in "ab"]
        place = next(one for one in reversed(places) if one is not None)
        lost = data.part(pointer("lines", "moved", k))
        rows.append([
            Cell(_place(place)), *_figures(lost, "/lost"),
            lost.cell("/executed/a"), lost.cell("/executed/b"),
            Cell(line["text"].strip(), code=True),
        ])  # fmt: skip
    heads = ["line", ">lost A", ">lost B", ">change", ">relative", ">executed A", ">executed B",
             "source"]  # fmt: skip
    return Table("Source lines that moved", heads, rows, titled=True)


def _place(place: Any) -> str:
    if isinstance(place, Mapping):
        return f"{place['file']}:{place['line']}"
    return ":".join(map(str, place))


def _machines(data: Data) -> Iterator[Part]:
    fields = data.content["fields"]
    if not fields:
        return
    rows = [
        [Cell(one["path"], code=True), _plain(one.get("a", "–")), _plain(one.get("b", "–")),
         one["unit"] or ""]
        for one in fields
    ]  # fmt: skip
    sentence = "Fields of the machines that differ."
    table = Table("fields that differ", ["field", "A", "B", "unit"], rows)
    yield Part("fields", "Machines", sentence, [table])


def _origins(data: Data) -> Iterator[Part]:
    found = data.content["provenance"]
    if not found:
        return
    rows = [[one["name"], Cell(_plain(one["a"]), code=True), Cell(_plain(one["b"]), code=True)]
            for one in found]  # fmt: skip
    table = Table("what the results depend on", ["", "A", "B"], rows)
    yield Part("provenance", "Provenance", "What differs of what results depend on.", [table])


def _figures(data: Data, at: str) -> list[Cell]:
    """A, B, the change, and that as a part of A."""
    one = data.at(at)
    change = Cell(_signed(one["change"]), data.base + at + "/change", RIGHT)
    return [data.cell(f"{at}/a", "–"), data.cell(f"{at}/b", "–"), change,
            Cell(_relative(one), side=RIGHT)]  # fmt: skip


def _signed(value: float | None) -> str:
    if value is None:
        return ""
    return number(value) if value <= 0 else f"+{number(value)}"


def _relative(one: Mapping[str, Any]) -> str:
    if not one["a"] or one["change"] is None:
        return ""
    return f"{100 * one['change'] / one['a']:+.1f} %" if one["change"] else ""


def _largest(some: list[dict[str, Any]]) -> str:
    return ", ".join(f"{one['name']} {_signed(one['change'])}" for one in some[:5])


def _title(side: Mapping[str, Any]) -> str:
    case = "" if side["variant"] == "default" else f" ({side['variant']})"
    changes = f" with {', '.join(side['changes'])}" if side["changes"] else ""
    return f"{side['workload']}{case} on {side['machine']}{changes}: {side['ending']}"


def _short(found: Mapping[str, Any]) -> str:
    a, b = (
        {k: one[k] for k in ("workload", "variant", "machine")} for one in (found["a"], found["b"])
    )
    if a == b:
        return f"{a['workload']} on {a['machine']}, twice"
    if a["workload"] == b["workload"]:
        return f"{a['workload']}: {b['machine']} beside {a['machine']}"
    return f"{b['workload']} beside {a['workload']}"


def _plain(value: Any) -> str:
    if value is None:
        return "–"
    return value if isinstance(value, str) else json.dumps(value)
