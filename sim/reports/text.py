"""The result for people: outputs, cycles, where they went, and the source lines that cost most."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

from rich.console import Console
from rich.text import Text

from sim.results.result import Result, outcome_words
from sim.status import DONE

WIDTH = 100  # columns, whatever the terminal: reports are compared and pasted
BAR = 30  # columns of a full bar
MOST_LINES = 8  # source lines shown

_ENDINGS = {
    "done": "done",
    "fault": "the program faulted",
    "limit": "stopped at the cycle limit",
    "hang": "the program makes no progress",
    "interrupted": "interrupted, incomplete",
}


class TextReport:
    """Writes at most 100 columns; colours only on a terminal."""

    name = "text"
    sentence = "readable tables"

    def write(self, results: Iterable[Result], stream: TextIO, *, several: bool) -> None:
        console = Console(file=stream, width=WIDTH, highlight=False, soft_wrap=True)
        for index, result in enumerate(results):
            if index:
                console.print()
            for part in (_headline, _figures, _breakdown, _lines, _divergence):
                for line in part(result):
                    console.print(line if isinstance(line, Text) else Text(line))


def _headline(result: Result) -> Iterator[Text | str]:
    variant = "" if result.variant == "default" else f" ({result.variant})"
    ending = _ENDINGS[result.status]
    if result.status == DONE:
        ending += f", {outcome_words(result)}"
    style = "bold green" if result.ok else "bold red"
    yield Text.assemble(f"{result.workload}{variant} on {result.machine}: ", (ending, style))
    for check in result.checks:
        yield Text(f"  {check}", style="" if check.ok else "red")
    if result.fault:
        yield Text(f"  {result.fault['message']}", style="red")


def _figures(result: Result) -> Iterator[str]:
    clock = f"{_time(result.seconds)} at {result.clock / 1e9:g} GHz"
    rows = [("cycles", _number(result.cycles), clock)]
    rows += result.headlines
    if result.returned is not None:
        rows.append(("returned", str(result.returned), ""))
    yield ""
    yield from _aligned(rows, "<><")


def _breakdown(result: Result) -> Iterator[str]:
    shown = {cause: cycles for cause, cycles in result.breakdown.items() if cycles}
    if not shown:
        return
    rows = [
        (cause, _number(cycles), f"{tenths / 10:.1f} %", "█" * round(tenths * BAR / 1000) or "▏")
        for (cause, cycles), tenths in zip(
            shown.items(), _tenths(list(shown.values())), strict=True
        )
    ]
    rows.append(("total", _number(sum(shown.values())), "100.0 %", ""))
    yield ""
    yield f"where the cycles {'of all sub-cores ' if result.steps else ''}went"
    yield from _aligned(rows, "<>><")


def _tenths(parts: list[int]) -> list[int]:
    """Tenths of a percent that add up to 1000: the largest remainders are rounded up."""
    total = sum(parts)
    shares = [divmod(1000 * part, total) for part in parts]
    missing = 1000 - sum(whole for whole, _ in shares)
    order = sorted(range(len(parts)), key=lambda i: (-shares[i][1], i))
    return [whole + (i in order[:missing]) for i, (whole, _) in enumerate(shares)]


def _lines(result: Result) -> Iterator[str]:
    # Of a SIMT machine lines lose cycles of warps, many of which wait at a time.
    whole = sum(line.lost_cycles for line in result.lines) if result.steps else result.cycles
    costly = sorted(result.lines, key=lambda line: (-line.lost_cycles, line.file, line.line))
    rows = []
    for line in costly[:MOST_LINES]:
        share = 100 * line.lost_cycles / max(whole, 1)
        if share < 0.05:
            break
        cause = max(line.lost, key=lambda name: line.lost[name])
        place = f"{line.file}:{line.line}"
        rows.append((place, _number(line.lost_cycles), f"{share:.1f} %", cause, line.text.strip()))
    if rows:
        yield ""
        what = (
            "source lines whose warps wait longest"
            if result.steps
            else ("source lines that lose most cycles")
        )
        yield f"{what}, and {'for' if result.steps else 'to'} what"
        yield from _aligned(rows, "<>><<")


def _divergence(result: Result) -> Iterator[str]:
    """Lines that leave lanes idle, by how many."""
    lines = [line for line in result.lines if line.columns.get("idle_lanes")]
    rows = []
    for line in sorted(lines, key=lambda line: (-line.columns["idle_lanes"], line.file, line.line)):
        active, idle = line.columns["active_lanes"], line.columns["idle_lanes"]
        rows.append(
            (
                f"{line.file}:{line.line}",
                _number(line.executed),
                f"{100 * active / (active + idle):.1f} %",
                _number(line.columns["divergences"]),
                line.text.strip(),
            )
        )
    if rows:
        yield ""
        yield "source lines that leave most lanes idle: instructions, lanes in use, divergences"
        yield from _aligned(rows[:MOST_LINES], "<>>><")


def _aligned(rows: Sequence[Sequence[str]], justify: str) -> Iterator[str]:
    """The rows in columns, '<' to the left or '>' to the right, cut at `WIDTH`."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (f"{c:{j}{w}}" for c, j, w in zip(row, justify, widths, strict=True))
        line = "  " + "  ".join(cells).rstrip()
        yield line if len(line) <= WIDTH else line[: WIDTH - 1] + "…"


def _number(value: int) -> str:
    return f"{value:,}".replace(",", " ")


def _time(seconds: float) -> str:
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3f} {unit}"
    return f"{seconds * 1e9:.0f} ns"


PLUGIN = TextReport()
