"""Parts of a page that show counters over time and histograms, where a run was asked for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sim.pages import charts
from sim.pages.colours import tone_of
from sim.pages.content import RIGHT, Block, Cell, Chart, Data, Legend, Part, Rows, Table, pointer
from sim.results.shown import shown
from sim.results.vocabulary import Vocabulary

MOST_INTERVALS = 60
"""Of a table behind a picture."""


def series_part(data: Data, words: Vocabulary, tones: Mapping[str, int]) -> Part | None:
    """A series (`sim.results.series.Series.to_dict`): accounting, and one counter or another."""
    found = data.content
    count = len(found["cycles"])
    blocks: list[Block] = []
    ends = f"{data.base}/cycles"
    if found["breakdown"]:
        names = list(found["breakdown"])
        colours = {name: tone_of(name, tones) for name in names}
        known = {reason.name: reason for reason in words.reasons}
        idle = [name for name in names if known[name].idle]
        if len(idle) == len(names):
            idle = []
        blocks.append(Legend([(name, colours[name], known[name].sentence) for name in names]))
        blocks.append(Chart(
            "Where the time went, over time",
            f"Bars of {count} intervals of {found['every']} cycles, by {', '.join(names[:6])}.",
            {"rows": Rows(f"{data.base}/breakdown", along=ends)},
            charts.over_time(names, colours, idle),
            _columns(data, "breakdown", names),
            note="Drag to move, shift and wheel to zoom, double click for all.",
        ))  # fmt: skip
    if found["counters"]:
        names = list(found["counters"])
        blocks.append(Chart(
            "A counter over time",
            f"Bars of {count} intervals of a counter that can be chosen, first {names[0]}.",
            {"rows": Rows(f"{data.base}/counters", along=ends)},
            charts.one_over_time(names),
            _columns(data, "counters", names[:8]),
        ))  # fmt: skip
    if not blocks:
        return None
    sentence = f"How much there was in every {shown(found['every'])} cycles."
    return Part("series", "Over time", sentence, blocks)


def _columns(data: Data, part: str, names: list[str]) -> Table:
    """Intervals by columns."""
    rows = [
        [data.cell(pointer("cycles", k)), *(data.cell(pointer(part, n, k)) for n in names)]
        for k in range(min(len(data.content["cycles"]), MOST_INTERVALS))
    ]
    return Table(f"{part} of intervals", [">up to cycle", *(f">{n}" for n in names)], rows)


def histograms_part(data: Data, words: Vocabulary) -> Part | None:
    """Histograms (`sim.results.histograms.Counted.to_dict`), one at a time."""
    found: list[dict[str, Any]] = data.content
    if not found:
        return None
    known = {one.name: one for one in words.histograms}
    labels = [_label(one, known[one["name"]].by) for one in found]
    rows = [
        [Cell(label), *(data.cell(pointer(k, what)) for what in ("count", "least", "most")),
         Cell(f"{one['total'] / one['count']:.1f}", side=RIGHT), one["unit"]]
        for k, (label, one) in enumerate(zip(labels, found, strict=True))
    ]  # fmt: skip
    heads = ["histogram", ">how often", ">least", ">most", ">mean", "unit"]
    chart = Chart(
        "How often each size was there",
        f"Bars of a histogram that can be chosen, first of {labels[0]}.",
        data.rows("", "buckets"),
        charts.histogram(labels, [one["unit"] for one in found]),
        Table("histograms", heads, rows),
        shown=True,
    )
    sentence = " ".join(dict.fromkeys(f"{n}: {known[n].sentence}" for n in known))
    return Part("histograms", "Histograms", sentence, [chart])


def _label(one: Mapping[str, Any], by: str) -> str:
    return f"{one['name']}, {one[by]}" if by else one["name"]
