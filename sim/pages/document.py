"""A page as one HTML file, which opens from a disk and asks nothing of any network.

Everything that comes from a program, a workload or a file is escaped here, once: texts as text of
HTML, data as JSON in which no tag can begin.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from html import escape
from importlib.resources import files
from typing import Any

from sim.pages.content import (
    GREY,
    RIGHT,
    Block,
    Cell,
    Chapter,
    Chart,
    Legend,
    Listing,
    Page,
    Part,
    Segment,
    Table,
    Text,
    Tile,
)
from sim.pages.library import script

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' 'unsafe-eval'; "
    "img-src data:; base-uri 'none'; form-action 'none'"
)
"""Nothing is loaded; what draws makes functions of expressions, which 'unsafe-eval' lets it."""
MARKS = {True: ("good", "✓ "), False: ("bad", "✗ "), None: ("", "")}


def html_of(page: Page) -> str:
    """The whole file.

    Raises InputError where the library that draws is not installed.
    """
    writing = _Writing()
    body = "".join(writing.page(page))
    style, own = (_own(name) for name in ("style.css", "page.js"))
    return "".join(
        (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n',
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            '<meta name="color-scheme" content="light dark">\n',
            f"<title>{escape(page.title)}</title>\n<style>\n{style}</style>\n</head>\n",
            f"<body>\n{body}\n",
            _json("data", page.data.content),
            _json("charts", writing.charts),
            f"<script>\n{script()}</script>\n<script>\n{own}</script>\n</body>\n</html>\n",
        )
    )


def _own(name: str) -> str:
    return files("sim.pages").joinpath(name).read_text(encoding="utf-8")


def _json(name: str, content: Any) -> str:
    """A script element with data.  In JSON these characters stand only in texts, where the escaped
    form means the same; without them no text ends the element or begins a comment."""
    text = json.dumps(content, allow_nan=False, separators=(",", ":"))
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return f'<script type="application/json" id="{name}">{text}</script>\n'


class _Writing:
    """What is written of a page; `charts` are those of the page by the name of their element."""

    def __init__(self) -> None:
        self.charts: dict[str, dict[str, Any]] = {}
        self._names: set[str] = set()

    def page(self, page: Page) -> Iterator[str]:
        """The content of the body."""
        chapters = [
            (chapter, self._name(chapter.title), [self._name(p.name) for p in chapter.parts])
            for chapter in page.chapters
        ]
        are_several = len(chapters) > 1
        yield '<a class="skip" href="#content">Skip to the content</a>\n'
        yield '<header class="top"><span class="brand">simrun</span>'
        yield f'<span class="what">{escape(page.title)}</span>'
        yield '<button type="button" id="theme" hidden>Dark</button></header>\n'
        yield '<div class="shell">\n'
        yield '<nav aria-label="Contents"><details open id="toc"><summary>Contents</summary><ol>'
        for chapter, name, parts in chapters:
            links = "".join(
                f'<li><a href="#{own}">{escape(part.title)}</a></li>'
                for part, own in zip(chapter.parts, parts, strict=True)
            )
            yield (
                f'<li><a href="#{name}">{escape(chapter.title)}</a><ol>{links}</ol></li>'
                if are_several
                else links
            )
        yield '</ol></details></nav>\n<main id="content" tabindex="-1">\n'
        if are_several:
            yield f"<h1>{escape(page.title)}</h1>\n"
        for chapter, name, parts in chapters:
            yield from self._chapter(chapter, name, parts, 2 if are_several else 1)
        yield "</main>\n</div>"

    def _name(self, wanted: str) -> str:
        """A name for an element that no other has."""
        base = re.sub(r"[^a-z0-9]+", "-", wanted.lower()).strip("-") or "part"
        name, number = base, 1
        while name in self._names:
            number += 1
            name = f"{base}-{number}"
        self._names.add(name)
        return name

    def _chapter(self, chapter: Chapter, name: str, parts: list[str], level: int) -> Iterator[str]:
        kind, mark = MARKS[chapter.good]
        yield f'<section class="chapter" aria-labelledby="{name}">\n<div class="head">'
        yield f'<h{level} id="{name}">{escape(chapter.title)}</h{level}>'
        yield f'<p class="ending {kind}">{mark}{escape(chapter.ending)}</p></div>\n'
        for line in chapter.lead:
            yield f'<p class="lead">{escape(line)}</p>\n'
        for message in chapter.messages:
            yield f'<p class="message">{escape(message)}</p>\n'
        if chapter.tiles:
            yield f'<dl class="tiles">{"".join(map(_tile, chapter.tiles))}</dl>\n'
        for part, own in zip(chapter.parts, parts, strict=True):
            yield from self._part(part, own, level + 1)
        yield "</section>\n"

    def _part(self, part: Part, name: str, level: int) -> Iterator[str]:
        yield f'<section class="part" aria-labelledby="{name}">'
        yield f'<h{level} id="{name}">{escape(part.title)}</h{level}>'
        if part.sentence:
            yield f'<p class="sentence">{escape(part.sentence)}</p>'
        for block in part.blocks:
            yield self._block(block)
        yield "</section>\n"

    def _block(self, block: Block) -> str:
        if isinstance(block, Chart):
            return self._chart(block)
        if isinstance(block, Table):
            return _table(block)
        if isinstance(block, Listing):
            return _listing(block)
        if isinstance(block, Legend):
            return _legend(block)
        assert isinstance(block, Text)
        return f"<p>{escape(block.text)}</p>"

    def _chart(self, chart: Chart) -> str:
        name = self._name(f"chart {chart.title}")
        self.charts[name] = {
            "rows": {called: asdict(rows) for called, rows in chart.rows.items()},
            "spec": chart.spec,
        }
        title = f'<figcaption id="{name}-title">{escape(chart.title)}</figcaption>'
        note = f'<p class="note">{escape(chart.note)}</p>' if chart.note else ""
        table = "" if chart.table is None else _table(chart.table)
        if table and not chart.shown:
            table = f"<details><summary>The same as a table</summary>{table}</details>"
        return (
            f'<figure aria-labelledby="{name}-title">{title}'
            f'<div class="chart" role="img" aria-label="{escape(chart.label)}">'
            f'<div id="{name}" aria-hidden="true"></div></div><div id="{name}-controls"></div>'
            f"{note}{table}</figure>"
        )


def _tile(tile: Tile) -> str:
    note = f'<dd class="aside">{escape(tile.note)}</dd>' if tile.note else ""
    value = f'<dd class="value"{_at(tile.value)}>{_together(escape(tile.value.text))}</dd>'
    return f"<div><dt>{escape(tile.label)}</dt>{value}{note}</div>"


def _text(cell: Cell) -> str:
    return _together(escape(cell.text)) if cell.side == RIGHT else escape(cell.text)


def _together(text: str) -> str:
    """Digits of a number are not parted at the end of a line."""
    return re.sub(r"(?<=\d) (?=\d)", "\u00a0", text)


def _at(cell: Cell) -> str:
    return f' data-at="{escape(cell.at)}"' if cell.at else ""


def _table(table: Table) -> str:
    heads = [(head.removeprefix(RIGHT), head.startswith(RIGHT)) for head in table.heads]
    row = "".join(
        f'<th scope="col"{_class(["n"] if is_right else [])}>{escape(head) or _NOTHING}</th>'
        for head, is_right in heads
    )
    body = "".join(_row(cells, table.below.get(k)) for k, cells in enumerate(table.rows))
    caption = escape(table.caption)
    find = ""
    if table.filtered:
        find = '<input type="search" class="find" placeholder="filter" '
        find += f'aria-label="filter: {caption}">'
    return (
        f'{find}<div class="scroll" role="group" tabindex="0" aria-label="{caption}">'
        f"<table><caption{_class(['seen'] if table.titled else [])}>{caption}</caption>"
        f"<thead><tr>{row}</tr></thead><tbody>{body}</tbody></table></div>"
    )


_NOTHING = '<span class="unseen">picture</span>'
"""Of a column without a head: what it is."""


def _row(cells: Iterable[Cell | str], below: Listing | None) -> str:
    first, *others = [Cell(one) if isinstance(one, str) else one for one in cells]
    made = [_cell(first, "th"), *map(_cell, others)]
    if below is not None:
        made[-1] = f'<td class="code">{_listing(below, "opened")}</td>'
    return f"<tr>{''.join(made)}</tr>"


def _legend(legend: Legend) -> str:
    items = "".join(
        f'<li title="{escape(sentence)}"><i class="swatch {_tone(tone)}"></i>{escape(name)}</li>'
        for name, tone, sentence in legend.items
    )
    return f'<ul class="legend" aria-label="what colours mean">{items}</ul>'


def _cell(cell: Cell, tag: str = "td") -> str:
    kind, mark = MARKS[cell.good]
    classes = [kind, "n" if cell.side == RIGHT else "", "code" if cell.code else ""]
    swatch = ""
    if cell.tone is not None and cell.fill:
        classes.append(f"fill {_tone(cell.tone)}")
    elif cell.tone is not None:
        swatch = f'<i class="swatch {_tone(cell.tone)}"></i>'
    scope = ' scope="row"' if tag == "th" else ""
    shown = _bar(cell) if cell.bar else f"{swatch}{mark}{_text(cell)}"
    return f"<{tag}{scope}{_class(classes)}{_at(cell)}>{shown}</{tag}>"


def _class(names: Iterable[str]) -> str:
    there = " ".join(filter(None, names))
    return f' class="{there}"' if there else ""


def _tone(tone: int) -> str:
    return "grey" if tone == GREY else f"t{tone}"


def _bar(cell: Cell) -> str:
    def piece(one: Segment) -> str:
        percent = f"{100 * one.part:.3f}"
        return (
            f'<i class="{_tone(one.tone)}" style="width:{percent}%" title="{escape(one.name)}"></i>'
        )

    pieces = "".join(map(piece, cell.bar))
    return f'<span class="bar" role="img" aria-label="{escape(cell.text)}">{pieces}</span>'


def _listing(listing: Listing, kind: str = "") -> str:
    heads = "".join(f'<th scope="col" class="n">{escape(head)}</th>' for head in listing.heads)
    rows = "".join(
        f'<tr>{"".join(_cell(cell) for cell in cells)}<td class="code">{escape(text)}</td></tr>'
        for cells, text in listing.rows
    )
    summary = escape(listing.summary)
    return (
        f"<details{_class([kind])}><summary>{summary}</summary>"
        f'<div class="scroll code" role="group" tabindex="0" aria-label="{summary}"><table>'
        f'<thead><tr>{heads}<th scope="col">code</th></tr></thead><tbody>{rows}</tbody></table>'
        "</div></details>"
    )
