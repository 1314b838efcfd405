"""The result for people: outputs, cycles, where they went, and the source lines that cost most."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TextIO

from rich.console import Console
from rich.text import Text

from sim.results.result import Result
from sim.results.sections import Section, Share, sections
from sim.results.shown import WIDTH, aligned, ending_words

BAR = 30  # columns of a full bar


class TextReport:
    """Writes at most 100 columns; colours only on a terminal."""

    name = "text"
    sentence = "readable tables"

    def write(self, results: Iterable[Result], stream: TextIO, *, several: bool) -> None:
        console = Console(file=stream, width=WIDTH, highlight=False, soft_wrap=True)
        for index, result in enumerate(results):
            if index:
                console.print()
            for line in _headline(result):
                console.print(line)
            for section in sections(result):
                for text in _section(section):
                    console.print(Text(text))


def _headline(result: Result) -> Iterator[Text]:
    ending = ending_words(result.status, result.ok, bool(result.checks))
    style = "bold green" if result.ok else "bold red"
    yield Text.assemble(f"{result.title}: ", (ending, style))
    for check in result.checks:
        yield Text(f"  {check}", style="" if check.ok else "red")
    if result.fault:
        yield Text(f"  {result.fault['message']}", style="red")
        if "hint" in result.fault:
            yield Text(f"  hint: {result.fault['hint']}")


def _section(section: Section) -> Iterator[str]:
    yield ""
    if section.title:
        yield section.title
    rows = [[_bar(c) if isinstance(c, Share) else c for c in row] for row in section.rows]
    yield from aligned(rows, section.sides)


def _bar(share: Share) -> str:
    return "█" * round(share.thousandths * BAR / 1000) or "▏"


PLUGIN = TextReport()
