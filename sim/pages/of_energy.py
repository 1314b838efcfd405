"""The part of a page that shows estimates of energy and area (`sim.results.energy.Estimate`), of a
machine whose file has figures of them."""

from __future__ import annotations

from sim.pages import charts
from sim.pages.content import RIGHT, Block, Cell, Chart, Data, Part, Rows, Table, pointer
from sim.results.shown import shown

MOST = 20


def energy_part(data: Data) -> Part:
    """Energy by event, with what it may be at least and at most; by layer, by line; area."""
    found = data.content
    whole = found["picojoules"]
    rows = [
        [
            name,
            *_joules(data, pointer("events", name)),
            Cell(_share(one["picojoules"], whole), side=RIGHT),
        ]
        for name, one in found["events"].items()
    ]
    heads = ["event", f"{RIGHT}energy", f"{RIGHT}at least", f"{RIGHT}at most", f"{RIGHT}share"]
    blocks: list[Block] = [
        Chart(
            "Energy by event, and between what it lies",
            f"Bars of the energy of {len(found['events'])} events, with what their sources allow.",
            {"rows": Rows(f"{data.base}/events")},
            charts.with_bounds("picojoules", "energy (pJ)", len(found["events"])),
            Table("energy by event", heads, rows),
            shown=True,
        )
    ]
    for name, title in (("layers", "Energy of layers"), ("lines", "Energy of source lines")):
        if found.get(name):
            blocks.append(_by(data, name, title, whole))
    if "areas" in found:
        names = ("square_millimetres", "least_square_millimetres", "most_square_millimetres")
        rows = [[name, *(data.cell(pointer("areas", name, key)) for key in names)]
                for name in found["areas"]]  # fmt: skip
        heads = ["structure", f"{RIGHT}mm²", f"{RIGHT}at least", f"{RIGHT}at most"]
        blocks.append(Table("Area by structure", heads, rows, titled=True))
    if found["unknown"]:
        rows = [[name, data.cell(pointer("unknown", name))] for name in found["unknown"]]
        title = "Events of which no figure is known, and which are left out"
        blocks.append(Table(title, ["event", f"{RIGHT}times"], rows, titled=True))
    bounds = [_joule(found[f"{side}_picojoules"]) for side in ("least", "most")]
    sentence = (
        f"An estimate from figures of {found['node']} in the machine's file: {_joule(whole)}, "
        f"between {bounds[0]} and {bounds[1]} if all sources are as wrong as they say they may be."
    )
    return Part("energy", "Energy and area", sentence, blocks)


def _by(data: Data, name: str, title: str, whole: float) -> Table:
    some = data.at(pointer(name))
    order = sorted(range(len(some)), key=lambda k: -some[k]["picojoules"])[:MOST]
    rows = [
        [
            some[k].get("name") or f"{some[k]['file']}:{some[k]['line']}",
            _cell(data, pointer(name, k, "picojoules")),
            Cell(_share(some[k]["picojoules"], whole), side=RIGHT),
        ]
        for k in order
        if some[k]["picojoules"]
    ]
    count = f", {len(rows)} of {shown(len(some))}" if len(rows) < len(some) else ""
    return Table(title + count, ["", f"{RIGHT}energy", f"{RIGHT}share"], rows, titled=True)


def _joules(data: Data, at: str) -> list[Cell]:
    names = ("picojoules", "least_picojoules", "most_picojoules")
    return [_cell(data, f"{at}/{name}") for name in names]


def _cell(data: Data, at: str) -> Cell:
    """Picojoules as joules, in a size that is read."""
    return Cell(_joule(data.at(at)), data.base + at, RIGHT)


def _joule(picojoules: float) -> str:
    """'1.23 µJ'."""
    for unit, size in (("J", 1e12), ("mJ", 1e9), ("µJ", 1e6), ("nJ", 1e3)):
        if picojoules >= size:
            return f"{picojoules / size:.3g} {unit}"
    return f"{picojoules:.3g} pJ"


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f} %" if whole else ""
