"""Pages read as a browser reads them, without one: elements, the figures that cells show, data."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

EMPTY = {"meta", "input", "br", "link"}
"""Elements without an end."""


@dataclass
class Element:
    """An element, with the text in it and in all elements within, and the table that it is in (0:
    none)."""

    tag: str
    attributes: dict[str, str]
    text: str = ""
    table: int = 0


@dataclass
class ReadPage(HTMLParser):
    """A page; raises AssertionError for elements that do not end where they must.

    elements  in the order in which they begin
    """

    elements: list[Element] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._open: list[Element] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        tables = [one.table for one in self._open]
        table = len(self.all("table")) + 1 if tag == "table" else tables[-1] if tables else 0
        element = Element(tag, {name: value or "" for name, value in attrs}, table=table)
        self.elements.append(element)
        if tag not in EMPTY:
            self._open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self._open and self._open[-1].tag == tag, (tag, [e.tag for e in self._open])
        self._open.pop()

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.text += data

    def all(self, tag: str) -> list[Element]:
        return [one for one in self.elements if one.tag == tag]

    def json(self, name: str) -> Any:
        """What a script element holds as data."""
        [found] = [e for e in self.all("script") if e.attributes.get("id") == name]
        return json.loads(found.text)

    def cells(self) -> list[Element]:
        """Those that show a figure of the data."""
        return [one for one in self.elements if "data-at" in one.attributes]


def read(text: str) -> ReadPage:
    page = ReadPage()
    page.feed(text)
    page.close()
    assert not page._open
    return page


def at(data: Any, pointer: str) -> Any:
    """What a JSON pointer names, read anew of RFC 6901."""
    for word in pointer.split("/")[1:]:
        word = word.replace("~1", "/").replace("~0", "~")
        data = data[int(word)] if isinstance(data, list) else data[word]
    return data


PREFIXES = {"k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
JOULES = {"pJ": 1.0, "nJ": 1e3, "µJ": 1e6, "mJ": 1e9, "J": 1e12}
"""In picojoules, of which data are."""


def shows(text: str, value: Any) -> bool:
    """Whether a text is a figure, to the digits that it has."""
    plain = text.replace(" ", "").replace("\u00a0", "")
    if value is None:
        return plain in ("", "–")
    if isinstance(value, str):
        return text.replace("\u00a0", " ") == value
    if not isinstance(value, int | float) or isinstance(value, bool):
        return text == json.dumps(value)
    scale = 1.0
    if plain.endswith("%"):
        plain, scale = plain[:-1], 0.01
    elif plain.endswith("J"):
        unit = next(unit for unit in JOULES if plain.endswith(unit))
        plain, scale = plain.removesuffix(unit), JOULES[unit]
    elif plain[-1:] in PREFIXES:
        plain, scale = plain[:-1], PREFIXES[plain[-1]]
    if isinstance(value, int) and scale == 1.0:
        return int(plain) == value
    got = float(plain) * scale
    return abs(got - value) <= 0.006 * abs(value) + 0.006 * scale


def rows_of(data: Any, rows: dict[str, str]) -> list[dict[str, Any]]:
    """What a chart draws, as the page's script makes it."""
    found, explode = at(data, rows["at"]), rows["explode"]
    if rows["along"]:
        ends = at(data, rows["along"])
        begins = [0, *ends]
        return [
            {"key": key, "value": value, "begin": begins[k], "end": ends[k]}
            for key, values in found.items()
            for k, value in enumerate(values)
        ]
    if isinstance(found, dict) and "tracks" in found:
        names, tracks = found["names"], found["tracks"]
        words = "track", "begin", "end", "event", "label"
        return [
            dict(zip(words, (tracks[t], b, e, names[v], names[n]), strict=True))
            for t, b, e, v, n in zip(*(found[word] for word in words), strict=True)
        ]
    if isinstance(found, dict):
        return [{"key": key, "value": value} for key, value in found.items()]
    if not explode:
        return found
    if isinstance(found[0][explode], list):
        return [
            {"number": k, "first": first, "behind": behind, "count": count}
            for k, row in enumerate(found)
            for first, behind, count in row[explode]
        ]
    return [
        {**row, "key": key, "value": value} for row in found for key, value in row[explode].items()
    ]


def holds_together(page: ReadPage) -> dict[str, Any]:
    """Names, links, figures and charts fit each other; its data."""
    names = [one.attributes["id"] for one in page.elements if "id" in one.attributes]
    assert len(names) == len({*names})
    for link in page.all("a"):
        assert link.attributes["href"].startswith("#") and link.attributes["href"][1:] in names
    for one in page.elements:
        if "aria-labelledby" in one.attributes:
            assert one.attributes["aria-labelledby"] in names
        assert "src" not in one.attributes and one.tag not in ("link", "iframe", "img", "object")
    assert len(page.all("h1")) == 1 and len(page.all("main")) == 1
    levels = [int(one.tag[1]) for one in page.elements if one.tag in ("h1", "h2", "h3")]
    assert levels[0] == 1 and all(after - before <= 1 for before, after in pairwise(levels))
    data = page.json("data")
    places = [(cell.table, cell.attributes["data-at"]) for cell in page.cells()]
    assert len(places) == len({*places})  # a table shows no figure twice
    for cell in page.cells():
        value = at(data, cell.attributes["data-at"])
        assert shows(cell.text, value), (cell, value)
    for name, chart in page.json("charts").items():
        assert name in names
        for rows in chart["rows"].values():
            assert rows_of(data, rows)
    for element in page.all("table"):
        assert element.text
    return data


def drawable(spec: Any) -> Any:
    """A specification with colours in the places that the page's script fills in."""
    if isinstance(spec, list):
        return [drawable(one) for one in spec]
    if not isinstance(spec, dict):
        return spec
    if spec.keys() & {"$tone", "$css"}:
        return "#123456"
    if "$tones" in spec:
        return ["#123456"] * len(spec["$tones"])
    if spec.keys() & {"$all", "$ramp"}:
        return ["#123456", "#654321"]
    return {key: drawable(one) for key, one in spec.items()}
