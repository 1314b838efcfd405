"""Memory dependences as text, data and graphs: a view of `simrun explain`.

line  instruction                      descriptor  defs  uses  records after
   8  tensor.fill.i8 a[0:16], 2   def  a[0,15]           9     a[0,31]: {6} kill {[0,15]}
                                                               a[0,15]: {8} kill {}
   9  s4 = tensor.sum.i8 a[0:32]  use  a[0,31]     6 8         …
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import zip_longest
from typing import Any

from sim.explain import View
from sim.graphs import graph

HEADS = ("line", "instruction", "", "descriptor", "defs", "uses", "records after")


def view_dependences(facts: Any) -> View:
    """Uses with their definitions, definitions with their uses, and records if there are any."""
    return View(_text(facts), _content(facts), _graph(facts))


def _content(facts: Any) -> dict[str, Any]:
    def accesses(kind: str, others: str) -> list[dict[str, Any]]:
        return [
            {"line": statement.line, "descriptor": access.descriptor, others: access.lines}
            for statement in facts.statements
            for access in statement.accesses
            if access.kind == kind
        ]

    content = {
        "rounds": facts.rounds,
        "uses": accesses("use", "defs"),
        "definitions": accesses("def", "uses"),
    }
    if facts.with_records:
        content["records"] = [
            {"line": statement.line, "records": [asdict(record) for record in statement.records]}
            for statement in facts.statements
            if statement.records is not None
        ]
    return content


def _text(facts: Any) -> str:
    heads = HEADS if facts.with_records else HEADS[:-1]
    rows = [heads, *(row[: len(heads)] for s in facts.statements for row in _rows(s))]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            cell.rjust(width) if place == 0 else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return "\n".join([*lines, f"rounds: {facts.rounds}"]) + "\n"


def _rows(statement: Any) -> Iterator[tuple[str, ...]]:
    """A row for every memory operand, beside them the records, each in a row of its own."""
    head = (_line(statement.line), statement.text)
    records = ["never reached"] if statement.records is None else map(_record, statement.records)
    for access, record in zip_longest(statement.accesses, records):
        operand = ("", "", "", "")
        if access is not None:
            lines = " ".join(map(_line, access.lines))
            defs, uses = (lines, "") if access.kind == "use" else ("", lines)
            operand = (access.kind, access.descriptor, defs, uses)
        yield (*head, *operand, record or "")
        head = ("", "")


def _record(record: Any) -> str:
    """`a[0,31]: {6, 12} kill {[0,15]} is_kill`, or each definition with its own kill set."""
    if hasattr(record, "kills"):
        pairs = zip(record.defs, record.kills, strict=True)
        return f"{record.descriptor}: " + ", ".join(f"{_line(d)} kill {_set(k)}" for d, k in pairs)
    mark = " is_kill" if record.is_kill else ""
    defs = ", ".join(map(_line, record.defs))
    return f"{record.descriptor}: {{{defs}}} kill {_set(record.kill)}{mark}"


def _set(intervals: Iterable[list[int]]) -> str:
    return "{" + ", ".join(f"[{low},{high}]" for low, high in intervals) + "}"


def _line(line: int | None) -> str:
    return "?" if line is None else str(line)


def _graph(facts: Any) -> str:
    """The instructions that touch memory, and an edge to every use from each of its definitions."""
    nodes = [(str(s.number), f"{_line(s.line)}: {s.text}") for s in facts.statements]
    edges = {
        (str(other), str(statement.number), access.descriptor): None
        for statement in facts.statements
        for access in statement.accesses
        if access.kind == "use"
        for other in access.others
    }
    return graph(facts.function, nodes, edges)
