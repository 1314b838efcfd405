"""What reports for people show of a result (`sim.results.result.Result`), section by section,
whatever they write it in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from sim.results.line import Line
from sim.results.shown import WIDTH, shown, shown_time
from sim.workload.region import steps_of

if TYPE_CHECKING:
    from sim.results.vocabulary import Vocabulary

MOST_LINES = 8  # source lines shown
MOST_LAYERS = 12
MOST_NAME = 28  # columns of the name of a layer
MOST_SERIES = 12
SPARK, SPARKS = 48, "▁▂▃▄▅▆▇█"  # columns of a series, and heights of its bars


@dataclass(frozen=True)
class Share:
    """A cell that is a bar: thousandths of a full one."""

    thousandths: int


@dataclass(frozen=True)
class Section:
    """A table.

    rows   cells: texts and shares
    sides  of each column '<' to the left, or '>' to the right
    """

    title: str
    rows: Sequence[Sequence[str | Share]]
    sides: str


def sections(result: Any) -> Iterator[Section]:
    """Those that have something to show."""
    yield _figures(result)
    if result.printed is not None:
        yield _printed(result.printed)
    if len(result.steps) > 1:
        yield _steps(result)
    for section in (
        _breakdown(result),
        *_over_time(result),
        _layers(result),
        _lines(result),
        *_tables(result),
    ):
        if section.rows:
            yield section


def _figures(result: Any) -> Section:
    clock = f"{shown_time(result.seconds)} at {result.clock / 1e9:g} GHz"
    rows = [("cycles", shown(result.cycles), clock)]
    rows += result.headlines
    if result.returned is not None:
        rows.append(("returned", str(result.returned), ""))
    return Section(_region(result.region), rows, "<><")


def _printed(printed: Any) -> Section:
    """The first lines of what the program printed."""
    lines = printed.text.splitlines() or ["(nothing)"]
    shown = ["".join(c if c.isprintable() else " " for c in line) for line in lines]
    more = f"and {len(lines) - MOST_LINES} more lines" if len(lines) > MOST_LINES else ""
    lost = f"{printed.lost} bytes more are not kept" if printed.lost else ""
    note = ", ".join(part for part in (more, lost) if part)
    title = f"printed ({note})" if note else "printed"
    return Section(title, [(line[:WIDTH],) for line in shown[:MOST_LINES]], "<")


def _region(region: Mapping[str, Any] | None) -> str:
    """What part of the run the figures are of, if not of all of it."""
    if region is None:
        return ""
    if region["begin"] is None:
        return f"the region behind step {region['after']} did not begin: figures of the whole run"
    cycles = f"cycles {shown(region['begin'])} – {shown(region['end'])}"
    return f"figures of {steps_of(region)} alone: {cycles} of {shown(region['run_cycles'])}"


def _steps(result: Any) -> Section:
    """What the host did."""
    rows = []
    for step in result.steps[:MOST_LINES]:
        what = ", ".join(
            f"{key} {value}" for key, value in step.items() if key not in ("stream", "begin", "end")
        )
        cycles = f"{shown(step['begin'])} – {shown(step['end'])}"
        rows.append((f"stream {step['stream']}", cycles, what))
    more = len(result.steps) - len(rows)
    title = f"what the host did, in cycles{f' (and {more} more steps)' if more else ''}"
    return Section(title, rows, "<><")


def _breakdown(result: Any) -> Section:
    parts = {cause: cycles for cause, cycles in result.breakdown.items() if cycles}
    shares = _tenths(list(parts.values())) if parts else []
    rows: list[tuple[str | Share, ...]] = [
        (cause, shown(cycles), f"{tenths / 10:.1f} %", Share(tenths))
        for (cause, cycles), tenths in zip(parts.items(), shares, strict=True)
    ]
    if rows:
        rows.append(("total", shown(sum(parts.values())), "100.0 %", ""))
    return Section(result.vocabulary.titles.breakdown, rows, "<>><")


def _tenths(parts: list[int]) -> list[int]:
    """Tenths of a percent that add up to 1000: the largest remainders are rounded up."""
    total = sum(parts)
    shares = [divmod(1000 * part, total) for part in parts]
    missing = 1000 - sum(whole for whole, _ in shares)
    order = sorted(range(len(parts)), key=lambda i: (-shares[i][1], i))
    return [whole + (i in order[:missing]) for i, (whole, _) in enumerate(shares)]


def _over_time(result: Any) -> Iterator[Section]:
    """Series and histograms, if they were asked for."""
    series, histograms = result.series, result.histograms
    if series is not None:
        told = series.to_dict()
        rows = [(name, sparkline(of), shown(max(of)))
                for name, of in (told["breakdown"] | told["counters"]).items()]  # fmt: skip
        more = f" ({MOST_SERIES} of {len(rows)}; JSON has all)" if len(rows) > MOST_SERIES else ""
        title = f"over time, every {shown(series.every)} cycles{more}: the largest of an interval"
        yield Section(title, rows[:MOST_SERIES], "<<>")
    if histograms is not None:
        title = "how often, and how much: mean, least, most; a bar for each doubling"
        yield Section(title, [_histogram(one) for one in histograms], "<>>>><")


def _histogram(one: Any) -> tuple[str, ...]:
    doublings = [0] * (one.most.bit_length() + 1)
    for first, _, count in one.buckets:
        doublings[first.bit_length()] += count
    name = f"{one.declared.name} {one.of}".strip()
    figures = f"{one.total / one.count:.1f}", shown(one.least), shown(one.most)
    return name, f"{shown(one.count)} ×", *figures, sparkline(doublings)


def sparkline(values: Sequence[int]) -> str:
    """Numbers as bars of eight heights, of neighbours together where there are many the largest.

    >>> sparkline([0, 1, 4, 8])
    '▁▂▅█'
    """
    most = max(values, default=0) or 1
    count = min(len(values), SPARK)
    ends = [k * len(values) // max(count, 1) for k in range(count + 1)]
    pieces = [values[begin:end] for begin, end in pairwise(ends)]
    return "".join(SPARKS[min(8 * max(piece) // most, 7)] for piece in pieces)


def _layers(result: Any) -> Section:
    """Layers that take most cycles, in their order: what bounds each and for which part of its span
    that was busy, operations a second of the unit that does most and their part of what it could,
    and bytes of DRAM, beside what it has to move."""
    layers = [layer for layer in result.layers if layer.cycles]
    most = sorted(range(len(layers)), key=lambda k: -layers[k].cycles)[:MOST_LAYERS]
    first = [layers[k] for k in sorted(most)]
    title = "layers that take most cycles: busiest, rate and part of the peak, bytes of DRAM"
    is_known = any(layer.moved_again is not None for layer in first)
    title += ", of the least" if is_known else ""
    rows = []
    for layer in first:
        share = f"{100 * layer.cycles / max(result.cycles, 1):.1f} %"
        bound, rate, part = layer.bound, "", ""
        busy = f"{bound[0]} {100 * bound[1] / layer.span:.0f} %" if bound else ""
        if rates := max(layer.rates(result.clock), key=lambda one: one[1], default=None):
            rate, part = f"{scaled(rates[1])}op/s", f"{100 * rates[1] / rates[2]:.1f} %"
        moved = layer.bytes.get("dram", 0)
        dram = f"{scaled(moved)}B" if moved else ""
        again = f"{layer.moved_again:.2f} ×" if layer.moved_again is not None else ""
        cells = (shown(layer.cycles), share, busy, rate, part, dram, again)
        rows.append((layer.name[:MOST_NAME], *cells))
    if len(layers) > len(first):
        title += f" ({len(first)} of {len(layers)})"
    kept = len(rows[0]) - (not is_known) if rows else 0
    return Section(title, [row[:kept] for row in rows], "<>>>>>>>"[:kept])


def scaled(value: float) -> str:
    """A number with the prefix of a thousand.

    >>> scaled(1234567), scaled(12)
    ('1.23 M', '12 ')
    """
    for prefix in ("", "k", "M", "G", "T"):
        if value < 999.5 or prefix == "T":
            break
        value /= 1000
    return f"{value:.3g} {prefix}"


def _lines(result: Any) -> Section:
    """Lines that take most time, what they lose and their part of issuing, each with its share: of
    the whole, or of the time of all lines."""
    vocabulary = result.vocabulary
    by_line = spent_by_line(result)
    whole = whole_of(by_line, result.breakdown, vocabulary)
    costly = sorted(
        zip(result.lines, by_line, strict=True),
        key=lambda one: (-sum_of(one[1]), one[0].file, one[0].line),
    )
    rows = []
    for line, by_reason in costly[:MOST_LINES]:
        cycles = sum_of(by_reason)
        share = 100 * cycles / max(whole, 1)
        if share < 0.05:
            break
        most = max(by_reason, key=lambda name: by_reason[name])
        times = f"{shown(line.executed)} ×"
        rows.append((_location(line), shown(cycles), f"{share:.1f} %", times, most, _text(line)))
    return Section(vocabulary.titles.lines, rows, "<>>><<")


def sum_of(by_reason: Mapping[str, int]) -> int:
    return sum(by_reason.values())


def spent_by_line(result: Any) -> list[dict[str, int]]:
    """Of each line the time by reason; see `spent`."""
    return spent(result.lines, result.breakdown, result.vocabulary)


def spent(
    lines: Sequence[Line], breakdown: Mapping[str, int], vocabulary: Vocabulary
) -> list[dict[str, int]]:
    """Of each line, or instruction, the time by reason: what it lost, and of the cycles in which
    something issued its part, by the instructions that were executed."""
    reason = vocabulary.issuing
    issuing = breakdown.get(reason, 0) if reason else 0
    executed = max(sum(line.executed for line in lines), 1)
    return [
        {**({reason: round(issuing * line.executed / executed)} if reason else {}), **line.lost}
        for line in lines
    ]


def whole_of(
    spent: Sequence[Mapping[str, int]], breakdown: Mapping[str, int], vocabulary: Vocabulary
) -> int:
    """What the time of a line is a share of: all that went by, or the time of all lines."""
    return sum(breakdown.values() if vocabulary.in_whole else map(sum_of, spent))


def _tables(result: Any) -> Iterator[Section]:
    """The further tables of the kind of machine."""
    for table in result.vocabulary.tables:
        lines = [line for line in result.lines if line.columns[table.by]]
        lines.sort(key=lambda line: (-line.columns[table.by], line.file, line.line))
        rows = [
            (_location(line), *(cell(line) for cell in table.cells), _text(line))
            for line in lines[:MOST_LINES]
        ]
        yield Section(table.title, rows, "<" + ">" * len(table.cells) + "<")


def _location(line: Line) -> str:
    return f"{line.file}:{line.line}"


def _text(line: Line) -> str:
    return line.text.strip()
