"""View `chains`: the DU and UD chains of a function.

3  @p1 x5 = add.i32 a1, b1     11  p1   7
                               12  x5          17
                               13  a1   1
                               14  b1   2
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compiler.analyses.ssa.chain_tables import (
    Statement,
    folding_of_phis,
    table_with_phis,
    table_without_phis,
)
from compiler.ir.module import Function
from machines.diagnostics import input_error
from sim.views import DOT, JSON, SOURCE, TEXT, Option, Shown, View
from sim.views.graphs import digraph
from sim.views.ssa import listed, set_lines, ssa_facts, undefined_lines
from sim.views.tables import aligned


def show_chains(
    function: Function, with_phis: bool = False, with_sets: bool = False, explain: bool = False
) -> Shown:
    """The chains without phis, unless `with_phis`; `explain` shows how one table becomes the other,
    `with_sets` adds the sets of blocks."""
    if with_phis and explain:
        hint = "--explain shows both tables: leave --with-phis out"
        raise input_error("--with-phis and --explain exclude each other", hint=hint)
    facts = ssa_facts(function)
    shown = table_with_phis(function) if with_phis else table_without_phis(function)
    dot, lines = _graph(function.name, shown), [*_lines(shown)]
    if explain:
        lines = [
            "with phis",
            *_lines(table_with_phis(function)),
            "",
            "phis folded: uses with the definitions behind the phis they see, and definitions",
            "with the uses they get from phis",
            *_lines(folding_of_phis(function)),
            "",
            "without phis",
            *lines,
        ]
        shown = folding_of_phis(function)
    if with_sets:
        lines += ["", *set_lines(facts)]
    if facts.used_before_definition:
        lines += ["", *undefined_lines(facts.used_before_definition)]
    rows = [row._asdict() for statement in shown for row in statement.rows]
    return Shown("\n".join(lines) + "\n", rows, dot)


def _lines(statements: Sequence[Statement]) -> Iterator[str]:
    cells: list[Sequence[str]] = [("", "statement", "id", "name", "defs", "uses")]
    for statement in statements:
        head = (str(statement.number) if statement.number else "", statement.text)
        for row in statement.rows:
            cells.append((*head, str(row.id), row.name, listed(row.defs), listed(row.uses)))
            head = ("", "")
    return aligned(cells, right=(0, 2))


def _graph(name: str, statements: Sequence[Statement]) -> str:
    """Statements, and an edge for each pair of a definition and a use that it reaches."""
    shown = [statement for statement in statements if statement.rows]
    where = {row.id: str(s.number) for s in shown for row in s.rows}
    nodes = [(str(s.number), f"{s.number}: {s.text}" if s.number else s.text) for s in shown]
    edges = {
        (where[definition], where[row.id], row.name): None
        for s in shown
        for row in s.rows
        for definition in row.defs
    }
    return digraph(name, nodes, list(edges))


VIEWS = (
    View(
        "chains",
        "Which definition reaches which use.",
        SOURCE,
        show_chains,
        (TEXT, JSON, DOT),
        (
            Option("with-phis", "Between SSA names, phis included."),
            Option("with-sets", "Also the sets of blocks.", formats=(TEXT,)),
            Option("explain", "How the phis are folded away.", formats=(TEXT, JSON)),
        ),
    ),
)
