"""What a page is made of, before it is HTML.

    Page ─ Chapter (a run, a comparison, a study) ─ Part (a section) ─ Chart | Table | …

Figures stand in the page once, in its `data`; cells and charts name them by JSON pointers
(RFC 6901), so that what is read is what was measured:

    data.cell("/runs/0/result/cycles")        a cell that shows that number
    Rows("/runs/0/result/lines", "lost")      what a chart draws
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sim.results.shown import shown

LEFT, RIGHT = "<", ">"
GREY = -1
"""The tone of what has no colour of its own."""


@dataclass(frozen=True)
class Segment:
    """A piece of a bar in a cell: its part of the full width, and its tone.

    tone  the number of a colour, or GREY
    """

    name: str
    part: float
    tone: int


@dataclass(frozen=True)
class Cell:
    """A cell of a table.

    at     where the figure that it shows stands in the page's data; '' of one that shows none
    side   LEFT or RIGHT
    code   whether it is text of a program
    bar    a picture in place of text; the text says it to those who do not see it
    tone   a colour beside it: its number, GREY, or None
    fill   whether the colour is behind it
    good   whether it says that something is right (True) or wrong (False)
    """

    text: str
    at: str = ""
    side: str = LEFT
    code: bool = False
    bar: Sequence[Segment] = ()
    tone: int | None = None
    fill: bool = False
    good: bool | None = None


@dataclass(frozen=True)
class Table:
    """Rows of cells or of texts.

    heads     of columns; one that begins with '>' stands to the right, as its numbers do
    caption   what the table shows, for those who do not see what stands around it
    below     of some rows, by their number: what the last cell opens
    filtered  whether a field to filter its rows stands above it
    titled    whether the caption is in sight; else only those who do not see the table have it
    """

    caption: str
    heads: Sequence[str]
    rows: Sequence[Sequence[Cell | str]]
    below: Mapping[int, Listing] = field(default_factory=dict)
    filtered: bool = False
    titled: bool = False


@dataclass(frozen=True)
class Listing:
    """Text of a program, a line a row: cells before it, and the text.

    summary  by which it is opened
    """

    summary: str
    heads: Sequence[str]
    rows: Sequence[tuple[Sequence[Cell], str]]


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    text: str


@dataclass(frozen=True)
class Rows:
    """What a chart draws, where it stands in the data.

    at       a list of mappings; a mapping of numbers, which are rows of `key` and `value`; or a
             timeline, see `sim.pages.recorded`
    explode  a mapping in each row that is to become rows of `key` and `value`; or a list of
             buckets, which become rows of `first`, `behind` and `count`, and of the `number` of
             the row that they are in
    along    where the ends of intervals stand, if `at` is a mapping of lists of numbers, one for
             each: rows of `key`, `value`, `begin` and `end`
    """

    at: str
    explode: str = ""
    along: str = ""


@dataclass(frozen=True)
class Chart:
    """A picture, with a table of the same figures behind it.

    label  what it shows, in a sentence, for those who do not see it
    spec   how it is drawn: Vega-Lite without its data, which it calls by the names in `rows`
    table  the figures
    note   how to use it, or what it leaves out
    shown  whether the table is in sight from the first, as it says what colours mean
    """

    title: str
    label: str
    rows: Mapping[str, Rows]
    spec: Mapping[str, Any]
    table: Table | None = None
    note: str = ""
    shown: bool = False


@dataclass(frozen=True)
class Legend:
    """What colours mean: names, their tones, and a sentence of each."""

    items: Sequence[tuple[str, int, str]]


Block = Chart | Table | Listing | Legend | Text


@dataclass(frozen=True)
class Part:
    """A section.

    name      by which it is linked to
    sentence  what it shows
    """

    name: str
    title: str
    sentence: str
    blocks: Sequence[Block]


@dataclass(frozen=True)
class Tile:
    """A figure of the head: what it is, its value, and a note."""

    label: str
    value: Cell
    note: str = ""


@dataclass(frozen=True)
class Chapter:
    """A run, a comparison or a study.

    lead      what it is of, where the title does not say all of it
    good      whether all is right; None where that is no question
    ending    how it ended, in words
    messages  what went wrong, or is to be known before figures are believed
    """

    title: str
    ending: str
    good: bool | None
    tiles: Sequence[Tile]
    parts: Sequence[Part]
    messages: Sequence[str] = ()
    lead: Sequence[str] = ()


@dataclass(frozen=True)
class Page:
    """A whole page; `data` has every figure in it."""

    title: str
    chapters: Sequence[Chapter]
    data: Data


class Data:
    """The figures of a page as plain data, or a part of them.

    base  where in the whole data the part stands; pointers go on from there
    """

    def __init__(self, content: Any, base: str = ""):
        self.content, self.base = content, base

    def part(self, pointer: str) -> Data:
        """What stands there, as data of its own."""
        return Data(self.at(pointer), self.base + pointer)

    def rows(self, pointer: str, explode: str = "") -> dict[str, Rows]:
        """What stands there, as the 'rows' of a chart."""
        return {"rows": Rows(self.base + pointer, explode)}

    def at(self, pointer: str) -> Any:
        """What stands there; raises LookupError if nothing does."""
        found: Any = self.content
        for word in pointer.split("/")[1:]:
            key = word.replace("~1", "/").replace("~0", "~")
            found = found[int(key)] if isinstance(found, list) else found[key]
        return found

    def cell(self, pointer: str, missing: str = "") -> Cell:
        """A number, or a text; None is shown as `missing`."""
        value = self.at(pointer)
        if value is None:
            return Cell(missing, self.base + pointer, RIGHT)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return Cell(number(value), self.base + pointer, RIGHT if is_number else LEFT)


def number(value: object) -> str:
    """A figure for people: '1 234 567', '0.1235', and text as it is."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if isinstance(value, int) or (value == int(value) and abs(value) < 1e15):
        return shown(int(value))
    return f"{value:.4g}" if abs(value) < 1000 else f"{value:,.1f}".replace(",", " ")


def pointer(*words: object) -> str:
    """A JSON pointer of these keys and numbers."""
    return "".join("/" + str(word).replace("~", "~0").replace("/", "~1") for word in words)
