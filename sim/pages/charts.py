"""Shapes of charts as Vega-Lite specifications, written for any figures.

Their data is named 'rows'; what the page's script fills in beside that are colours, by which light
and dark differ: {"$tones": [0, 1, -1]} is the list of these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Spec = dict[str, Any]
ROWS = {"name": "rows"}
THICK, THIN = 30, 14
"""Pixels of a bar, and of one on a track of many."""


_ZOOM: Spec = {"name": "zoom", "bind": "scales", "select": {
    "type": "interval", "encodings": ["x"], "zoom": "wheel![event.shiftKey]"}}  # fmt: skip
_INTERVAL: Spec = {
    "x": {"field": "begin", "type": "quantitative", "bin": {"binned": True},
          "scale": {"nice": False}, "axis": {"title": "cycle", "format": ",d", "tickCount": 8}},
    "x2": {"field": "end"},
}  # fmt: skip
"""Of rows that are intervals of cycles."""


def tones(names: Sequence[str], colours: Mapping[str, int]) -> Spec:
    """A scale that gives names their colours."""
    return {"domain": list(names), "range": {"$tones": [colours[name] for name in names]}}


def shares(
    keys: Sequence[str], colours: Mapping[str, int], are_grouped: bool,
    idle: Sequence[str], without: bool,
) -> Spec:  # fmt: skip
    """A bar of what parts of a whole there are; of several wholes, whose keys are 'whole.part', a
    bar each.  Rows: key, value.  Those that are `idle` can be left
    out, and are so `without` them at first."""
    part = "datum.part"
    transform: list[Spec] = [
        {"calculate": "split(datum.key, '.')", "as": "words"},
        {"calculate": "length(datum.words) > 1 ? datum.words[0] : ''", "as": "whole"},
        {"calculate": "datum.words[length(datum.words) - 1]", "as": "part"},
        {"filter": "datum.value > 0"},
    ]
    if not are_grouped:
        transform += [{"calculate": "datum.key", "as": "part"}]
    names = list(dict.fromkeys(key.rpartition(".")[2] if are_grouped else key for key in keys))
    of_names = {n: colours[k] for k in keys for n in (k.rpartition(".")[2] if are_grouped else k,)}
    transform += [
        {"calculate": f"indexof({names!r}, {part})", "as": "rank"},
        {"joinaggregate": [{"op": "sum", "field": "value", "as": "all"}],
         "groupby": ["whole"] if are_grouped else []},
        {"calculate": "datum.value / datum.all", "as": "share"},
    ]  # fmt: skip
    encoding: Spec = {
        "x": {"field": "value", "type": "quantitative", "stack": "normalize", "title": None,
              "axis": {"format": ".0%", "tickCount": 5}},
        "color": {"field": "part", "type": "nominal", "scale": tones(names, of_names),
                  "legend": None},
        "order": {"field": "rank", "type": "quantitative"},
        "opacity": {"condition": {"param": "picked", "value": 1, "empty": True}, "value": 0.25},
        "tooltip": [
            {"field": "key", "title": "reason"},
            {"field": "value", "title": "cycles", "format": ",d"},
            {"field": "share", "title": "share", "format": ".1%"},
        ],
    }  # fmt: skip
    if are_grouped:
        encoding["y"] = {"field": "whole", "type": "nominal", "title": None, "sort": None}
    params: list[Spec] = [{"name": "picked", "select": {"type": "point", "fields": ["part"]}}]
    if idle:
        bind = {"input": "checkbox", "name": "without what is idle"}
        params.append({"name": "without", "value": without, "bind": bind})
        transform.insert(0, {"filter": f"!(without && indexof({list(idle)!r}, datum.key) >= 0)"})
    return {
        "data": ROWS,
        "transform": transform,
        "params": params,
        "mark": {"type": "bar", "height": {"band": 0.72} if are_grouped else THICK},
        "height": 30 * len({key.rpartition(".")[0] for key in keys}) if are_grouped else THICK + 6,
        "encoding": encoding,
    }


def stacks(name: str, keys: Sequence[str], colours: Mapping[str, int], count: int) -> Spec:
    """A bar for each of so many things, of parts on each other.  Rows: the name, key, value."""
    return {
        "data": ROWS,
        "transform": [{"calculate": f"indexof({list(keys)!r}, datum.key)", "as": "rank"}],
        "params": [{"name": "picked", "select": {"type": "point", "fields": ["key"]},
                    "bind": "legend"}],
        "mark": {"type": "bar", "height": {"band": 0.75}},
        "height": 22 * count,
        "encoding": {
            "y": {"field": name, "type": "nominal", "title": None, "sort": None},
            "x": {"field": "value", "type": "quantitative", "stack": "zero", "title": "cycles",
                  "axis": {"format": "~s"}},
            "color": {"field": "key", "type": "nominal", "scale": tones(keys, colours),
                      "legend": {"orient": "bottom", "title": None, "columns": 4}},
            "order": {"field": "rank", "type": "quantitative"},
            "opacity": {"condition": {"param": "picked", "value": 1, "empty": True}, "value": 0.2},
            "tooltip": [{"field": name}, {"field": "key"}, {"field": "value", "format": ",d"}],
        },
    }  # fmt: skip


def bars(name: str, value: str, title: str, count: int, tone: int = 0, limit: int = 20) -> Spec:
    """A bar for each of the rows that have most, of so many, longest first; `name` and `value` are
    fields."""
    return {
        "data": ROWS,
        "transform": [
            {"filter": f"datum[{value!r}] > 0"},
            {"window": [{"op": "row_number", "as": "rank"}],
             "sort": [{"field": value, "order": "descending"}]},
            {"filter": f"datum.rank <= {limit}"},
        ],
        "mark": {"type": "bar", "height": {"band": 0.7}, "color": {"$tone": tone}},
        "height": 22 * min(count, limit),
        "encoding": {
            "y": {"field": name, "type": "nominal", "title": None, "sort": "-x"},
            "x": {"field": value, "type": "quantitative", "title": title,
                  "axis": {"format": "~s"}},
            "tooltip": [{"field": name}, {"field": value, "format": ",~r", "title": title}],
        },
    }  # fmt: skip


def with_bounds(value: str, title: str, count: int) -> Spec:
    """Bars of a figure, each with a line from what it is at least to what it is at most, in the
    order of the rows: key, and a value with the figure, 'least_' and 'most_' of it."""
    y: Spec = {"field": "key", "type": "nominal", "title": None, "sort": None}
    x: Spec = {"type": "quantitative", "title": title, "axis": {"format": "~s"}}
    return {
        "data": ROWS,
        "transform": [
            {"calculate": f"datum.value[{value!r}]", "as": "size"},
            {"calculate": f"datum.value['least_{value}']", "as": "least"},
            {"calculate": f"datum.value['most_{value}']", "as": "most"},
        ],
        "height": 22 * count,
        "encoding": {
            "y": y,
            "tooltip": [{"field": "key"}, {"field": "size", "format": ".4s", "title": title},
                        {"field": "least", "format": ".4s"}, {"field": "most", "format": ".4s"}],
        },
        "layer": [
            {"mark": {"type": "bar", "height": {"band": 0.7}, "color": {"$tone": 0}},
             "encoding": {"x": {"field": "size", **x}}},
            {"mark": {"type": "rule", "color": {"$css": "--ink"}},
             "encoding": {"x": {"field": "least", **x}, "x2": {"field": "most"}}},
        ],
    }  # fmt: skip


def changes(name: str, value: str, title: str, count: int, limit: int = 20) -> Spec:
    """Bars, of so many rows, to the left and to the right of nothing, the largest first."""
    return {
        "data": ROWS,
        "transform": [
            {"filter": f"isValid(datum[{value!r}]) && datum[{value!r}] != 0"},
            {"calculate": f"abs(datum[{value!r}])", "as": "size"},
            {"window": [{"op": "row_number", "as": "rank"}],
             "sort": [{"field": "size", "order": "descending"}]},
            {"filter": f"datum.rank <= {limit}"},
        ],
        "mark": {"type": "bar", "height": {"band": 0.7}},
        "height": 22 * min(count, limit),
        "encoding": {
            "y": {"field": name, "type": "nominal", "title": None,
                  "sort": {"field": "size", "order": "descending"}},
            "x": {"field": value, "type": "quantitative", "title": title,
                  "axis": {"format": "+~s"}},
            "color": {
                "condition": {"test": f"datum[{value!r}] < 0", "value": {"$tone": 0}},
                "value": {"$tone": 1},
            },
            "tooltip": [{"field": name}, {"field": "a", "format": ",~r"},
                        {"field": "b", "format": ",~r"},
                        {"field": value, "format": "+,~r", "title": "change"}],
        },
    }  # fmt: skip


def timeline(tracks: Sequence[str], labels: Sequence[str], colours: Mapping[str, int]) -> Spec:
    """Spans on tracks: when what lasted.  Rows: track, begin, end, label, event."""
    return {
        "data": ROWS,
        "params": [_ZOOM],
        "mark": {"type": "bar", "height": {"band": 0.78}, "clip": True},
        "height": (THIN + 4) * len(tracks),
        "encoding": {
            "y": {"field": "track", "type": "nominal", "title": None, "sort": list(tracks)},
            "x": {"field": "begin", "type": "quantitative", "title": "cycle",
                  "scale": {"zero": False, "nice": False},
                  "axis": {"format": ",d", "tickCount": 8}},
            "x2": {"field": "end"},
            "color": {"field": "label", "type": "nominal", "scale": tones(labels, colours),
                      "legend": None},
            "tooltip": [{"field": "track"}, {"field": "event"}, {"field": "label"},
                        {"field": "begin", "format": ",d"}, {"field": "end", "format": ",d"}],
        },
    }  # fmt: skip


def roofline(
    least: float, most: float, top: float, levels: Mapping[str, int], operations: Sequence[str]
) -> Spec:
    """Points below their roofs, both axes logarithmic, from the `least` intensity to the `most`;
    roofs of memory lead up to `top`.  `levels` have colours, and only these `operations` are drawn.
    Data: points, levels, operations."""
    shown = f"indexof({list(operations)!r}, datum.OF) >= 0"
    level = tones(list(levels), levels)
    step = (most / least) ** 0.1
    x: Spec = {"type": "quantitative", "title": "operations for a byte",
               "scale": {"type": "log", "domain": [least, most], "nice": False},
               "axis": {"format": "~g", "tickCount": 6, "grid": False}}  # fmt: skip
    y: Spec = {
        "type": "quantitative",
        "title": "operations a second",
        "scale": {"type": "log"},
        "axis": {"format": "~s", "tickCount": 6, "grid": False},
    }
    of_level: Spec = {"field": "name", "type": "nominal", "scale": level,
                      "legend": {"title": "level of memory", "orient": "bottom"}}  # fmt: skip
    return {
        "height": 340,
        "layer": [
            {
                "data": {"name": "levels"},
                "transform": [
                    {"filter": "isValid(datum.peak_bytes_per_second)"},
                    {"calculate": f"{least}", "as": "x"},
                    {"calculate": f"datum.peak_bytes_per_second * {least}", "as": "y"},
                    {"calculate": f"{top} / datum.peak_bytes_per_second", "as": "x2"},
                    {"calculate": f"{top}", "as": "y2"},
                ],
                "mark": {"type": "rule", "strokeWidth": 1.5, "clip": True},
                "encoding": {"x": {"field": "x", **x}, "y": {"field": "y", **y},
                             "x2": {"field": "x2"}, "y2": {"field": "y2"}, "color": of_level,
                             "tooltip": [{"field": "name", "title": "level"},
                                         {"field": "peak_bytes_per_second", "format": ".4s",
                                          "title": "bytes a second at most"}]},
            },
            {
                "data": {"name": "operations"},
                "transform": [{"filter": "isValid(datum.peak_operations_per_second)"},
                              {"filter": shown.replace("OF", "name")}],
                "mark": {"type": "rule", "strokeDash": [4, 3], "color": {"$css": "--soft"}},
                "encoding": {"y": {"field": "peak_operations_per_second", **y}},
            },
            {
                "data": {"name": "operations"},
                "transform": [
                    {"filter": "isValid(datum.peak_operations_per_second)"},
                    {"filter": shown.replace("OF", "name")},
                    {"window": [{"op": "row_number", "as": "rank"}]},
                    {"calculate": f"{most} / pow({step}, datum.rank - 1)", "as": "x"},
                ],
                "mark": {"type": "text", "align": "right", "dy": -6, "fontSize": 11},
                "encoding": {"x": {"field": "x", **x},
                             "y": {"field": "peak_operations_per_second", **y},
                             "text": {"field": "name"}},
            },
            {
                "data": {"name": "points"},
                "transform": [{"filter": shown.replace("OF", "operations")}],
                "mark": {"type": "point", "filled": True, "size": 90, "opacity": 1},
                "encoding": {
                    "x": {"field": "intensity", **x}, "y": {"field": "achieved", **y},
                    "color": {**of_level, "field": "level"},
                    "shape": {"field": "operations", "type": "nominal",
                              "legend": {"orient": "bottom", "title": "operations"}},
                    "tooltip": [
                        {"field": "operations"}, {"field": "level"},
                        {"field": "intensity", "format": ".4~g", "title": "operations for a byte"},
                        {"field": "achieved", "format": ".4s", "title": "a second"},
                        {"field": "roof", "format": ".4s", "title": "at most"},
                    ],
                },
            },
        ],
    }  # fmt: skip


def over_time(keys: Sequence[str], colours: Mapping[str, int], idle: Sequence[str]) -> Spec:
    """What each interval went to, on each other.  Rows: key, value, begin, end."""
    params: list[Spec] = [_ZOOM]
    transform: list[Spec] = [{"calculate": f"indexof({list(keys)!r}, datum.key)", "as": "rank"}]
    if idle:
        bind = {"input": "checkbox", "name": "without what is idle"}
        params.append({"name": "without", "value": True, "bind": bind})
        transform.insert(0, {"filter": f"!(without && indexof({list(idle)!r}, datum.key) >= 0)"})
    return {
        "data": ROWS,
        "transform": transform,
        "params": params,
        "mark": {"type": "bar", "clip": True, "strokeWidth": 0},
        "height": 180,
        "encoding": {
            **_INTERVAL,
            "y": {"field": "value", "type": "quantitative", "stack": "zero", "title": "cycles",
                  "axis": {"format": "~s", "grid": True}},
            "color": {"field": "key", "type": "nominal", "scale": tones(keys, colours),
                      "legend": None},
            "order": {"field": "rank", "type": "quantitative"},
            "tooltip": [{"field": "key"}, {"field": "value", "format": ",d"},
                        {"field": "begin", "format": ",d"}, {"field": "end", "format": ",d"}],
        },
    }  # fmt: skip


def one_over_time(keys: Sequence[str]) -> Spec:
    """One of several figures over time, which is chosen.  Rows: key, value, begin, end."""
    bind = {"input": "select", "options": list(keys), "name": "counter"}
    return {
        "data": ROWS,
        "params": [_ZOOM, {"name": "chosen", "value": keys[0], "bind": bind}],
        "transform": [{"filter": "datum.key == chosen"}],
        "mark": {"type": "bar", "clip": True, "color": {"$tone": 0}, "strokeWidth": 0},
        "height": 160,
        "encoding": {
            **_INTERVAL,
            "y": {"field": "value", "type": "quantitative", "title": None,
                  "axis": {"format": "~s", "grid": True}},
            "tooltip": [{"field": "key"}, {"field": "value", "format": ",d"},
                        {"field": "begin", "format": ",d"}, {"field": "end", "format": ",d"}],
        },
    }  # fmt: skip


def histogram(labels: Sequence[str], units: Sequence[str]) -> Spec:
    """How many there are of each size, of one of several, which is chosen.  Rows: number, first,
    behind, count.  Sizes are drawn by powers, moved by one so that there is a place for 0."""
    bind = {"input": "select", "options": list(range(len(labels))), "labels": list(labels),
            "name": "histogram"}  # fmt: skip
    unit = units[0] if len({*units}) == 1 else "size"
    return {
        "data": ROWS,
        "params": [{"name": "chosen", "value": 0, "bind": bind}],
        "transform": [
            {"filter": "datum.number == chosen"},
            {"calculate": "datum.first + 1", "as": "left"},
            {"calculate": "datum.behind + 1", "as": "right"},
        ],
        "mark": {"type": "bar", "color": {"$tone": 0}, "strokeWidth": 0.5},
        "height": 180,
        "encoding": {
            "x": {"field": "left", "type": "quantitative", "bin": {"binned": True},
                  "scale": {"type": "log", "nice": False},
                  "axis": {"title": f"{unit} (logarithmic)", "tickCount": 6,
                           "labelOverlap": "greedy", "labelSeparation": 8, "labelExpr":
                           "format(datum.value < 16 ? datum.value - 1 : datum.value, '~s')"}},
            "x2": {"field": "right"},
            "y": {"field": "count", "type": "quantitative", "title": "how often",
                  "axis": {"format": "~s", "grid": True}},
            "tooltip": [{"field": "first", "format": ",d", "title": "from"},
                        {"field": "behind", "format": ",d", "title": "up to"},
                        {"field": "count", "format": ",d"}],
        },
    }  # fmt: skip


def points(x: str, y: str, titles: tuple[str, str], name: str, colour: str = "") -> Spec:
    """Points of two figures."""
    encoding: Spec = {
        "x": {"field": x, "type": "quantitative", "title": titles[0], "axis": {"format": "~s"},
              "scale": {"zero": False}},
        "y": {"field": y, "type": "quantitative", "title": titles[1], "axis": {"format": "~s"},
              "scale": {"zero": False}},
        "tooltip": [{"field": name}, {"field": x, "format": ",~r"}, {"field": y, "format": ",~r"}],
    }  # fmt: skip
    if colour:
        encoding["color"] = {"field": colour, "type": "nominal", "scale": {"range": {"$all": True}}}
    mark = {"type": "point", "filled": True, "size": 70, "opacity": 0.85}
    if not colour:
        mark["color"] = {"$tone": 0}
    return {"data": ROWS, "mark": mark, "height": 280, "encoding": encoding}


def lines(x: str, y: str, titles: tuple[str, str], colour: str, is_log: bool) -> Spec:
    """A line for each value of a field, along numbers."""
    scale: Spec = {"type": "log", "base": 2} if is_log else {"zero": False, "nice": False}
    encoding: Spec = {
        "x": {"field": x, "type": "quantitative", "title": titles[0], "scale": scale},
        "y": {"field": y, "type": "quantitative", "title": titles[1], "axis": {"format": "~s"}},
        "tooltip": [{"field": x}, *([{"field": colour}] if colour else []),
                    {"field": y, "format": ",~r"}],
    }  # fmt: skip
    mark: Spec = {"type": "line", "point": {"size": 50, "filled": True}, "strokeWidth": 2}
    if colour:
        encoding["color"] = {"field": colour, "type": "nominal", "scale": {"range": {"$all": True}},
                             "legend": {"orient": "bottom", "title": colour}}  # fmt: skip
    else:
        mark |= {"color": {"$tone": 0}, "point": {"size": 50, "color": {"$tone": 0}}}
    return {"data": ROWS, "mark": mark, "height": 260, "encoding": encoding}
