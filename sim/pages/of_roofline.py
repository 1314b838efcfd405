"""The part of a page that shows a roofline (`sim.results.roofline.Roofline.to_dict`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sim.pages import charts
from sim.pages.content import RIGHT, Block, Cell, Chart, Data, Part, Rows, Table, pointer
from sim.results.sections import scaled

LEAST = 1000
"""Operations of which there are less than a part in so many of the most are in the table alone."""
AROUND = 4.0
"""Times more, or less, than the outermost figure reaches the axis of intensities."""


def roofline_part(data: Data) -> Part | None:
    """Points below the machine's own peaks, and how much of each peak was used."""
    found = data.content
    if not found["operations"] and not any(level["bytes"] for level in found["levels"]):
        return None
    blocks: list[Block] = []
    peaks = [one["peak_operations_per_second"] for one in found["operations"]]
    tops = [peak for peak in peaks if peak]
    most = max((one["operations"] for one in found["operations"]), default=0)
    done = [o["name"] for o in found["operations"] if o["operations"] * LEAST >= most]
    drawn = [p for p in found["points"] if p["roof"] is not None and p["operations"] in done]
    if tops and drawn:
        blocks.append(_picture(data, max(tops), done))
    heads = ["of", "", ">amount", ">a second", ">at most", ">used"]
    rows = [
        [one["name"], unit, data.cell(pointer(name, k, unit)),
         _rate(data, pointer(name, k, f"{unit}_per_second")),
         _rate(data, pointer(name, k, f"peak_{unit}_per_second")),
         _part(data, pointer(name, k, "part"))]
        for name, unit in (("operations", "operations"), ("levels", "bytes"))
        for k, one in enumerate(found[name])
    ]  # fmt: skip
    blocks.append(Table("peaks of the machine, and what the run used of them", heads, rows))
    bound = found["bound"]
    sentence = "Operations a second over operations for a byte, below what the machine can do."
    if bound:
        sentence += f" Most used: {bound['by']}, {100 * bound['part']:.1f} % of its peak."
    return Part("roofline", "Roofline", sentence, blocks)


def _picture(data: Data, top: float, done: Sequence[str]) -> Chart:
    found: Mapping[str, Any] = data.content
    limits = [level["peak_bytes_per_second"] for level in found["levels"]]
    ridges = [top / limit for limit in limits if limit]
    places = [p["intensity"] for p in found["points"] if p["operations"] in done] + ridges
    tones = {level["name"]: k for k, level in enumerate(found["levels"])}
    rows = [
        [point["operations"], point["level"],
         data.cell(pointer("points", k, "intensity")),
         _rate(data, pointer("points", k, "achieved")),
         _rate(data, pointer("points", k, "roof"))]
        for k, point in enumerate(found["points"])
    ]  # fmt: skip
    heads = ["operations", "level", ">for a byte", ">a second", ">at most"]
    said = ", ".join(f"{p['operations']} over {p['level']} {scaled(p['achieved'])}op/s"
                     for p in found["points"][:4])  # fmt: skip
    return Chart(
        "Operations over bytes, level by level",
        f"A logarithmic picture of roofs of the machine and points of the run: {said}.",
        {name: Rows(f"{data.base}/{name}") for name in ("points", "levels", "operations")},
        charts.roofline(min(places) / AROUND, max(places) * AROUND, top, tones, done),
        Table("points of the roofline", heads, rows),
        note="Slanted lines are what a level of memory allows, level ones what units can do.",
    )


def _rate(data: Data, at: str) -> Cell:
    value = data.at(at)
    return Cell("" if value is None else scaled(value).strip(), data.base + at, RIGHT)


def _part(data: Data, at: str) -> Cell:
    value = data.at(at)
    return Cell("" if value is None else f"{100 * value:.2f} %", data.base + at, RIGHT)
