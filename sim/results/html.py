"""Results, states and studies as a notebook shows them: tables in HTML, one style for all.

Everything that comes from a program or a file is escaped, and nothing is loaded from elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from sim.results.sections import Share, sections
from sim.results.shown import ending_words

BAR = 12  # em of a full bar
_STYLE = {
    "all": "font-family:monospace;font-size:0.9em;white-space:pre;overflow-x:auto",
    "title": "margin-top:0.6em;opacity:0.75",
    "table": "border-collapse:collapse;border:none;margin:0",
    "cell": "padding:0 1em 0 0;border:none;text-align:",
    "bar": "display:inline-block;height:0.75em;background:#4477aa;width:",
    "good": "color:#228833;font-weight:bold",
    "bad": "color:#cc3311;font-weight:bold",
}
_SIDES = {"<": "left", ">": "right"}


def of_result(result: Any) -> str:
    """The report of a result (`sim.results.result.Result`)."""
    ending = ending_words(result.status, result.ok, bool(result.checks))
    parts = [f"{escape(result.title)}: {_styled(ending, 'good' if result.ok else 'bad')}"]
    parts += [_line(str(check), check.ok) for check in result.checks]
    if result.fault:
        parts.append(_line(result.fault["message"], False))
        parts += [escape(f"hint: {result.fault['hint']}")] if "hint" in result.fault else []
    parts += [table_of(one.title, one.rows, one.sides) for one in sections(result)]
    return document(*parts)


def document(*parts: str) -> str:
    """What a notebook shows, of parts that are HTML."""
    return f'<div style="{_STYLE["all"]}">{"".join(f"<div>{part}</div>" for part in parts)}</div>'


def table_of(
    title: str,
    rows: Iterable[Sequence[str | Share]],
    sides: str,
    heads: Sequence[str] = (),
) -> str:
    """A table of texts and bars; `sides` has '<' or '>' for each column."""
    body = [_row("th", heads, sides)] if heads else []
    body += [_row("td", row, sides) for row in rows]
    above = f'<div style="{_STYLE["title"]}">{escape(title)}</div>' if title else ""
    return f'{above}<table style="{_STYLE["table"]}">{"".join(body)}</table>'


def _row(tag: str, cells: Sequence[str | Share], sides: str) -> str:
    styled = (
        f'<{tag} style="{_STYLE["cell"]}{_SIDES[side]}">{_cell(cell)}</{tag}>'
        for cell, side in zip(cells, sides, strict=True)
    )
    return f'<tr style="background:none">{"".join(styled)}</tr>'


def _cell(cell: str | Share) -> str:
    if isinstance(cell, Share):
        return f'<span style="{_STYLE["bar"]}{cell.thousandths * BAR / 1000:.2f}em"></span>'
    return escape(cell)


def _line(text: str, is_good: bool) -> str:
    return f"&ensp;{escape(text) if is_good else _styled(text, 'bad')}"


def _styled(text: str, style: str) -> str:
    return f'<span style="{_STYLE[style]}">{escape(text)}</span>'
