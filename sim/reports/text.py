"""The result for people: outputs, cycles, where they went, and the source lines that cost most."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TextIO

from rich.console import Console
from rich.text import Text

from sim.results.line import Line
from sim.results.result import Result
from sim.results.shown import WIDTH, aligned, ending_words, shown, shown_time

BAR = 30  # columns of a full bar
MOST_LINES = 8  # source lines shown


class TextReport:
    """Writes at most 100 columns; colours only on a terminal."""

    name = "text"
    sentence = "readable tables"

    def write(self, results: Iterable[Result], stream: TextIO, *, several: bool) -> None:
        console = Console(file=stream, width=WIDTH, highlight=False, soft_wrap=True)
        for index, result in enumerate(results):
            if index:
                console.print()
            for part in (_headline, _figures, _steps, _breakdown, _lines, _tables):
                for line in part(result):
                    console.print(line if isinstance(line, Text) else Text(line))


def _headline(result: Result) -> Iterator[Text | str]:
    variant = "" if result.variant == "default" else f" ({result.variant})"
    ending = ending_words(result.status, result.ok, bool(result.checks))
    style = "bold green" if result.ok else "bold red"
    yield Text.assemble(f"{result.workload}{variant} on {result.machine}: ", (ending, style))
    for check in result.checks:
        yield Text(f"  {check}", style="" if check.ok else "red")
    if result.fault:
        yield Text(f"  {result.fault['message']}", style="red")


def _figures(result: Result) -> Iterator[str]:
    clock = f"{shown_time(result.seconds)} at {result.clock / 1e9:g} GHz"
    rows = [("cycles", shown(result.cycles), clock)]
    rows += result.headlines
    if result.returned is not None:
        rows.append(("returned", str(result.returned), ""))
    yield ""
    yield from aligned(rows, "<><")


def _steps(result: Result) -> Iterator[str]:
    """What the host did, if that was more than one thing."""
    if len(result.steps) < 2:
        return
    rows = []
    for step in result.steps[:MOST_LINES]:
        what = ", ".join(
            f"{key} {value}" for key, value in step.items() if key not in ("stream", "begin", "end")
        )
        cycles = f"{shown(step['begin'])} – {shown(step['end'])}"
        rows.append((f"stream {step['stream']}", cycles, what))
    yield ""
    more = len(result.steps) - len(rows)
    yield f"what the host did, in cycles{f' (and {more} more steps)' if more else ''}"
    yield from aligned(rows, "<><")


def _breakdown(result: Result) -> Iterator[str]:
    parts = {cause: cycles for cause, cycles in result.breakdown.items() if cycles}
    if not parts:
        return
    rows = [
        (cause, shown(cycles), f"{tenths / 10:.1f} %", "█" * round(tenths * BAR / 1000) or "▏")
        for (cause, cycles), tenths in zip(
            parts.items(), _tenths(list(parts.values())), strict=True
        )
    ]
    rows.append(("total", shown(sum(parts.values())), "100.0 %", ""))
    yield ""
    yield result.vocabulary.titles.breakdown
    yield from aligned(rows, "<>><")


def _tenths(parts: list[int]) -> list[int]:
    """Tenths of a percent that add up to 1000: the largest remainders are rounded up."""
    total = sum(parts)
    shares = [divmod(1000 * part, total) for part in parts]
    missing = 1000 - sum(whole for whole, _ in shares)
    order = sorted(range(len(parts)), key=lambda i: (-shares[i][1], i))
    return [whole + (i in order[:missing]) for i, (whole, _) in enumerate(shares)]


def _lines(result: Result) -> Iterator[str]:
    """Lines that lose most, each with its share: of the whole, or of what all lines lose."""
    vocabulary = result.vocabulary
    whole = sum(result.breakdown.values())
    if not vocabulary.in_whole:
        whole = sum(line.lost_cycles for line in result.lines)
    costly = sorted(result.lines, key=lambda line: (-line.lost_cycles, line.file, line.line))
    rows = []
    for line in costly[:MOST_LINES]:
        share = 100 * line.lost_cycles / max(whole, 1)
        if share < 0.05:
            break
        cause = max(line.lost, key=lambda name: line.lost[name])
        rows.append(
            (_location(line), shown(line.lost_cycles), f"{share:.1f} %", cause, _text(line))
        )
    if rows:
        yield ""
        yield vocabulary.titles.lines
        yield from aligned(rows, "<>><<")


def _tables(result: Result) -> Iterator[str]:
    """The further tables of the kind of machine."""
    for table in result.vocabulary.tables:
        lines = [line for line in result.lines if line.columns[table.by]]
        lines.sort(key=lambda line: (-line.columns[table.by], line.file, line.line))
        rows = [
            (_location(line), *(cell(line) for cell in table.cells), _text(line)) for line in lines
        ]
        if rows:
            yield ""
            yield table.title
            yield from aligned(rows[:MOST_LINES], "<" + ">" * len(table.cells) + "<")


def _location(line: Line) -> str:
    return f"{line.file}:{line.line}"


def _text(line: Line) -> str:
    return line.text.strip()


PLUGIN = TextReport()
