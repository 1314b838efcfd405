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
MOST_TRACKS = 40
DRAG = "shift and wheel"


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
        "height": {"step": 30} if are_grouped else THICK + 6,
        "encoding": encoding,
    }


def bars(name: str, value: str, title: str, tone: int = 0, limit: int = 20) -> Spec:
    """A bar for each of the rows that have most, longest first; `name` and `value` are fields."""
    return {
        "data": ROWS,
        "transform": [
            {"filter": f"datum[{value!r}] > 0"},
            {"window": [{"op": "row_number", "as": "rank"}],
             "sort": [{"field": value, "order": "descending"}]},
            {"filter": f"datum.rank <= {limit}"},
        ],
        "mark": {"type": "bar", "height": {"band": 0.7}, "color": {"$tone": tone}},
        "height": {"step": 22},
        "encoding": {
            "y": {"field": name, "type": "nominal", "title": None, "sort": "-x"},
            "x": {"field": value, "type": "quantitative", "title": title,
                  "axis": {"format": "~s"}},
            "tooltip": [{"field": name}, {"field": value, "format": ",~r", "title": title}],
        },
    }  # fmt: skip


def changes(name: str, value: str, title: str, limit: int = 20) -> Spec:
    """Bars to the left and to the right of nothing, the largest first."""
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
        "height": {"step": 22},
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
        "params": [
            {"name": "zoom", "bind": "scales", "select": {
                "type": "interval", "encodings": ["x"], "zoom": "wheel![event.shiftKey]"}},
        ],
        "mark": {"type": "bar", "height": {"band": 0.78}, "clip": True},
        "height": {"step": THIN + 4},
        "encoding": {
            "y": {"field": "track", "type": "nominal", "title": None, "sort": list(tracks)},
            "x": {"field": "begin", "type": "quantitative", "title": "cycle",
                  "scale": {"zero": False, "nice": False}, "axis": {"format": ",d", "tickCount": 8}},
            "x2": {"field": "end"},
            "color": {"field": "label", "type": "nominal", "scale": tones(labels, colours),
                      "legend": None},
            "tooltip": [{"field": "track"}, {"field": "event"}, {"field": "label"},
                        {"field": "begin", "format": ",d"}, {"field": "end", "format": ",d"}],
        },
    }  # fmt: skip


def heat(x: str, y: str, value: str, titles: tuple[str, str, str]) -> Spec:
    """A field of rectangles, the darker the more."""
    return {
        "data": ROWS,
        "mark": {"type": "rect"},
        "height": {"step": 18},
        "encoding": {
            "x": {"field": x, "type": "ordinal", "title": titles[0],
                  "axis": {"labelOverlap": "greedy"}},
            "y": {"field": y, "type": "nominal", "title": titles[1], "sort": None},
            "color": {"field": value, "type": "quantitative", "title": titles[2],
                      "scale": {"range": {"$ramp": True}}},
            "tooltip": [{"field": x}, {"field": y}, {"field": value, "format": ",~r"}],
        },
    }  # fmt: skip


def over_time(
    x: str, y: str, key: str, keys: Sequence[str], colours: Mapping[str, int], title: str
) -> Spec:
    """Areas on each other along cycles.  Rows: x, y, key."""
    return {
        "data": ROWS,
        "params": [
            {"name": "zoom", "bind": "scales", "select": {
                "type": "interval", "encodings": ["x"], "zoom": "wheel![event.shiftKey]"}},
        ],
        "mark": {"type": "area", "interpolate": "step-after", "clip": True},
        "height": 180,
        "encoding": {
            "x": {"field": x, "type": "quantitative", "title": "cycle",
                  "scale": {"nice": False}, "axis": {"format": "~s"}},
            "y": {"field": y, "type": "quantitative", "stack": "zero", "title": title,
                  "axis": {"format": "~s"}},
            "color": {"field": key, "type": "nominal", "scale": tones(keys, colours),
                      "legend": None},
            "tooltip": [{"field": x, "format": ",d"}, {"field": key},
                        {"field": y, "format": ",~r"}],
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
