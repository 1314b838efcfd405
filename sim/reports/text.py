"""The result for people: outputs, cycles, where they went, and the source lines that cost most."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from sim.result import DONE, Result

WIDTH = 100  # columns, whatever the terminal: reports are compared and pasted
BAR = 30  # columns of a full bar
MOST_LINES = 8  # source lines shown

_ENDINGS = {
    "done": "done",
    "fault": "the program faulted",
    "limit": "stopped at the cycle limit",
    "hang": "the program makes no progress",
    "interrupted": "interrupted",
}


class TextReport:
    """Writes a table of at most 100 columns."""

    name = "text"
    sentence = "a readable table"

    def write(self, result: Result, stream: TextIO) -> None:
        console = Console(file=stream, width=WIDTH, highlight=False, soft_wrap=True)
        for part in (_headline, _checks, _fault, _figures, _breakdown, _lines):
            for renderable in part(result):
                console.print(renderable)


def _headline(result: Result) -> Iterable[Text]:
    variant = "" if result.variant == "default" else f" ({result.variant})"
    ending = _ENDINGS[result.status]
    if result.status == DONE:
        ending += ", outputs right" if result.ok else ", OUTPUTS WRONG"
        if not result.checks:
            ending = "done, nothing checked"
    style = "bold green" if result.ok else "bold red"
    yield Text.assemble(f"{result.workload}{variant} on {result.machine}: ", (ending, style))


def _checks(result: Result) -> Iterable[Text]:
    for check in result.checks:
        yield Text(f"  {check}", style="" if check.ok else "red")


def _fault(result: Result) -> Iterable[Text]:
    if result.fault:
        yield Text(f"  {result.fault['message']}", style="red")


def _figures(result: Result) -> Iterable[Table | str]:
    yield ""
    table = _table()
    table.add_column(justify="left")
    table.add_column(justify="right")
    table.add_column(justify="left")
    for name, value, note in _figure_rows(result):
        table.add_row(name, value, note)
    yield table


def _figure_rows(result: Result) -> Iterable[tuple[str, str, str]]:
    counters, cycles = result.counters, max(result.cycles, 1)
    clock = f"at {result.clock / 1e9:g} GHz"
    yield "cycles", _number(result.cycles), f"{_time(result.seconds)} {clock}"
    yield from _counter_rows(counters, cycles)


def _counter_rows(counters: dict[str, int], cycles: int) -> Iterable[tuple[str, str, str]]:
    from sim.counters import HEADLINES

    for name, describe in HEADLINES:
        if name in counters:
            yield describe(counters, cycles)


def _breakdown(result: Result) -> Iterable[Table | str]:
    yield ""
    yield "where the cycles went"
    table = _table()
    table.add_column(justify="left")
    for _ in range(2):
        table.add_column(justify="right")
    table.add_column(justify="left")
    total = sum(result.breakdown.values()) or 1
    for cause, cycles in result.breakdown.items():
        if cycles:
            share = cycles / total
            bar = "█" * round(share * BAR) or "▏"
            table.add_row(cause, _number(cycles), f"{100 * share:.1f} %", bar)
    table.add_row("total", _number(total), "100.0 %", "")
    yield table


def _lines(result: Result) -> Iterable[Table | str]:
    costly = sorted(result.lines, key=lambda line: (-line.lost_cycles, line.file, line.line))
    costly = [line for line in costly if line.lost_cycles][:MOST_LINES]
    if not costly:
        return
    yield ""
    yield "source lines that wait longest"
    table = _table()
    for justify in ("left", "right", "right", "left", "left"):
        table.add_column(justify=justify, no_wrap=True, overflow="ellipsis")
    for line in costly:
        cause = max(line.lost, key=lambda name: line.lost[name])
        share = 100 * line.lost_cycles / max(result.cycles, 1)
        place = f"{line.file}:{line.line}"
        text = line.text.strip()
        table.add_row(place, _number(line.lost_cycles), f"{share:.1f} %", cause, text)
    yield table


def _table() -> Table:
    return Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)


def _number(value: int) -> str:
    return f"{value:,}".replace(",", " ")


def _time(seconds: float) -> str:
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3f} {unit}"
    return f"{seconds * 1e9:.0f} ns"


PLUGIN = TextReport()
