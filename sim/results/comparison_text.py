"""A comparison for people, and fields of machines that differ: what moved most comes first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Any

from machines.description.field_differences import FieldDifference, MachineDifferences
from machines.description.shown_fields import ShownField
from machines.kinds import kinds
from sim.results.moved import LineMoved, LinesMoved, Moved, StepsMoved
from sim.results.shown import WIDTH, aligned, shown, shown_time, shown_value
from sim.results.vocabulary import Titles, vocabulary_of

MOST = 8
"""Counters, lines, steps and fields that are shown; of more it is said how many."""
HASH = 12
LONGEST = 40
"""Characters of a text that was printed."""
"""Characters of a hash that are shown."""


def comparison_lines(compared: Any) -> Iterator[str]:
    """A `sim.results.compared.Comparison` as lines of text."""
    yield f"A  {compared.a.title}"
    yield f"B  {compared.b.title}"
    for warning in compared.warnings:
        yield f"WARNING: {warning}"
    yield from _section("", "<>>>>", _figures(compared))
    if compared.equal:
        yield from ["", "nothing that was compared differs"]
    yield from _breakdown(compared)
    yield from _counters(compared.counters or [])
    if compared.lines is not None:
        yield from _lines(compared.lines)
    if compared.steps is not None:
        yield from _steps(compared.steps)
    yield from _fields(compared.fields or [])
    yield from _outputs(compared.outputs)
    yield from _provenance(compared)
    if compared.not_compared:
        yield ""
        yield "not compared"
        yield from (f"  {one}" for one in compared.not_compared)


def _section(title: str, justify: str, rows: Sequence[Sequence[str]]) -> Iterator[str]:
    if rows:
        yield ""
        yield from [title] if title else []
        yield from aligned(rows, justify)


def _figures(compared: Any) -> list[tuple[str, ...]]:
    rows = [("", "A", "B", "", ""), _row(compared.cycles)]
    if compared.seconds is not None:
        times = (shown_time(compared.seconds.a), shown_time(compared.seconds.b))
        rows.append(("time", *times, "", _percent(compared.seconds)))
    return rows


def _row(moved: Moved) -> tuple[str, ...]:
    """Name, both values, the change, and what part of A's value it is."""
    values = ("-" if value is None else shown(value) for value in (moved.a, moved.b))
    return (moved.name, *values, _change(moved), _percent(moved))


def _change(moved: Moved) -> str:
    if moved.change is None:
        return f"only {'B' if moved.a is None else 'A'}"
    return f"{moved.change:+,}".replace(",", " ")


def _percent(moved: Moved) -> str:
    if moved.fraction is None:
        return ""
    percent = 100 * moved.fraction
    return f"{percent:+.1f} %" if percent < 1000 else f"+{shown(round(percent))} %"


def _breakdown(compared: Any) -> Iterator[str]:
    """All reasons that moved, and the whole, which their changes add up to."""
    if compared.reasons:
        kind = compared.a.kind
        titles = vocabulary_of(kind).titles if kind in kinds() else Titles()
        rows = [*map(_row, compared.reasons), _row(compared.whole)]
        yield from _section(f"{titles.breakdown}: what moved", "<>>>>", rows)


def _counters(moved: Sequence[Moved]) -> Iterator[str]:
    title = f"counters that moved{_of_so_many(moved)}"
    yield from _section(title, "<>>>>", [_row(one) for one in moved[:MOST]])


def _lines(lines: LinesMoved) -> Iterator[str]:
    """Lines that lose other cycles; the changes add up to that of all lines."""
    moved = [line for line in lines.moved if line.reasons]
    rows = [_line(line) for line in moved[:MOST]]
    if more := [line.lost for line in moved[MOST:]]:
        rest = Moved("more", sum(one.a for one in more), sum(one.b for one in more))
        rows.append((f"{len(more)} more", *_row(rest)[1:], "", ""))
    if unmatched := lines.unmatched:
        rest = Moved("unmatched", unmatched.cycles_a, unmatched.cycles_b)
        why = f"{unmatched.count_a} of A, {unmatched.count_b} of B: no unique text"
        rows.append(("not matched", *_row(rest)[1:], "", why))
    if rows:
        rows.append(("all lines", *_row(lines.lost)[1:], "", ""))
    yield from _section("source lines that moved, in what they lose", "<>>>><<", rows)
    if others := len(lines.moved) - len(moved):
        yield from [] if rows else [""]
        yield f"source lines that moved in what they execute alone: {others}"


def _line(line: LineMoved) -> tuple[str, ...]:
    """Where it is, what it loses, what moved most of that, its text."""
    return (_places(line), *_row(line.lost)[1:], line.reasons[0].name, line.text)


def _places(line: LineMoved) -> str:
    """One place if it is the same in both; else both, or whose it is."""
    if line.place_a == line.place_b:
        return "{}:{}".format(*line.place_b)
    if line.place_a is None or line.place_b is None:
        side = "B" if line.place_a is None else "A"
        return "{}:{} ({})".format(*(line.place_a or line.place_b), side)
    (file_a, number_a), (file_b, number_b) = line.place_a, line.place_b
    return f"{file_a}:{number_a}→" + (f"{number_b}" if file_a == file_b else f"{file_b}:{number_b}")


def _steps(steps: StepsMoved) -> Iterator[str]:
    rows = []
    for one in steps.moved[:MOST]:
        number = f"{one.number_a}"
        number += "" if one.number_a == one.number_b else f"→{one.number_b}"
        rows.append((number, *_row(one.cycles)[1:], one.what))
    title = f"what the host did: steps that moved, in cycles{_of_so_many(steps.moved)}"
    yield from _section(title, "<>>>><", rows)
    if unmatched := steps.unmatched:
        yield ""
        yield f"steps that only one has: {unmatched.count_a} of A, {shown(unmatched.cycles_a)} "
        yield f"cycles, and {unmatched.count_b} of B, {shown(unmatched.cycles_b)} cycles"


def _of_so_many(moved: Sequence[object]) -> str:
    return f" ({MOST} of {len(moved)})" if len(moved) > MOST else ""


def _outputs(outputs: Sequence[Any] | None) -> Iterator[str]:
    if outputs is None:
        return
    yield ""
    if not outputs:
        yield "outputs: the same"
        return
    yield "outputs that differ"
    yield from aligned([(one.name, _output(one.a), _output(one.b)) for one in outputs], "<<<")


def _output(value: Any) -> str:
    """An array by type, shape and the beginning of its hash; a returned value as it is."""
    if isinstance(value, dict):
        extents = "×".join(map(str, value["shape"]))
        return f"{value['dtype']}[{extents}] {value['sha256'][:HASH]}"
    if isinstance(value, str):
        return repr(value) if len(value) <= LONGEST else f"{value[:LONGEST]!r}…"
    return "-" if value is None else str(value)


def _provenance(compared: Any) -> Iterator[str]:
    """What else differs in what the results depend on: of arguments and model is warned."""
    rows = [
        (one.name, _short(one.a), _short(one.b))
        for one in compared.provenance
        if one.name not in ("arguments", "model")
    ]
    yield from _section("what else differs", "<<<", rows)


def _short(value: object) -> str:
    """A value of the provenance; a hash by its beginning."""
    is_hash = isinstance(value, str) and len(value) == 64
    return value[:HASH] if is_hash else shown_value(value)


def _fields(fields: Sequence[FieldDifference]) -> Iterator[str]:
    """The fields of machines that something is computed from."""
    read = [field for field in fields if not field.is_for_people]
    if read:
        yield ""
        yield f"fields of the machines that differ{_of_so_many(read)}"
        for field in read[:MOST]:
            yield from _field(field)


def machine_lines(differences: MachineDifferences) -> Iterator[str]:
    """Two machines beside each other, every field that differs; of those for people the names."""
    for side, machine in {"A": differences.a, "B": differences.b}.items():
        yield f"{side}  {machine.name}, kind {machine.kind}: {machine.description.title}"
    if not differences.same_kind:
        yield "WARNING: they are of other kinds; what follows are fields that all kinds have"
    if differences.only_order:
        yield "every field is the same; the order in which they stand differs"
    elif not differences.fields:
        yield "every field is the same"
    for field in differences.fields:
        if not field.is_for_people:
            yield from _field(field)
    if names := [field.one.path for field in differences.fields if field.is_for_people]:
        text = f"for people: {', '.join(names)}"
        yield from wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ")


def _field(difference: FieldDifference) -> Iterator[str]:
    """A field that differs: in one line, or in three where that would be too wide."""
    one = difference.one
    unit = f" {one.unit}" if one.unit else ""
    note = "  (no effect here)" if difference.without_effect else ""
    values = [_value(field) for field in (difference.a, difference.b)]
    line = f"  {one.path}: {' → '.join(values)}{unit}{note}"
    if len(line) <= WIDTH:
        yield line
        return
    yield f"  {one.path}:{unit}{note}"
    for side, value in zip("AB", values, strict=True):
        yield f"    {side}  {value}"


def _value(field: ShownField | None) -> str:
    return "(no such field)" if field is None else shown_value(field.value)
