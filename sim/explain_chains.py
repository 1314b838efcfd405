"""SSA form and DU/UD chains as text, data and graphs: views of `simrun explain`.

3  @p1 x5 = add.i32 a1, b1     11  p1   7
                               12  x5          17
                               13  a1   1
                               14  b1   2
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from machines.diagnostics import input_error
from sim.explain import View
from sim.graphs import graph


def view_ssa(facts: Any, with_sets: bool) -> View:
    """The function in SSA form; the data has everything that led there."""
    lines = facts.text.splitlines()
    lines += [f"# {line}" for line in _undefined_lines(facts.used_before_definition)]
    if with_sets:
        lines += [f"# {line}" for line in _set_lines(facts)]
    nodes = [(b.name, "\n".join([f"{b.name}:", *b.statements, ""])) for b in facts.blocks]
    edges = [(b.name, target, "") for b in facts.blocks for target in b.successors]
    return View("\n".join(lines) + "\n", asdict(facts), graph(facts.function, nodes, edges))


@dataclass(frozen=True, slots=True)
class Tables:
    """Statements with rows, as `compiler.analyses.ssa.chain_tables` makes them; `folding` is needed
    for 'explain' only."""

    with_phis: list[Any]
    folding: list[Any]
    without_phis: list[Any]


def view_chains(facts: Any, tables: Tables, chosen: Collection[str]) -> View:
    """The chains without phis, unless 'with-phis' is chosen; 'explain' shows how one table becomes
    the other, 'with-sets' adds the sets of blocks."""
    if "with-phis" in chosen and "explain" in chosen:
        hint = "--explain shows both tables: leave --with-phis out"
        raise input_error("--with-phis and --explain exclude each other", hint=hint)
    shown = tables.with_phis if "with-phis" in chosen else tables.without_phis
    graph = _chain_graph(facts.function, shown)
    lines = _table_lines(shown)
    if "explain" in chosen:
        lines = [
            "with phis",
            *_table_lines(tables.with_phis),
            "",
            "phis folded: uses with the definitions behind the phis they see, and definitions",
            "with the uses they get from phis",
            *_table_lines(tables.folding),
            "",
            "without phis",
            *lines,
        ]
        shown = tables.folding
    if "with-sets" in chosen:
        lines += ["", *_set_lines(facts)]
    if facts.used_before_definition:
        lines += ["", *_undefined_lines(facts.used_before_definition)]
    rows = [row._asdict() for statement in shown for row in statement.rows]
    return View("\n".join(lines) + "\n", rows, graph)


def _table_lines(statements: list[Any]) -> list[str]:
    heads = ("", "statement", "id", "name", "defs", "uses")
    cells: list[Sequence[str]] = [heads]
    for statement in statements:
        if not statement.rows:
            continue
        number = str(statement.number) if statement.number else ""
        head = (number, statement.text)
        for row in statement.rows:
            cells.append((*head, str(row.id), row.name, _listed(row.defs), _listed(row.uses)))
            head = ("", "")
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    right = (0, 2)  # numbers
    return [
        "  ".join(
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in cells
    ]


def _listed(items: Iterable[object]) -> str:
    return " ".join(map(str, items))


def _set_lines(facts: Any) -> list[str]:
    """The sets of the function and of its blocks, and the links of predicated names."""
    lines = [
        f"effect_prs: {_listed(facts.effect_prs)}",
        f"global_prs: {_listed(facts.global_prs)}",
    ]
    for block in facts.blocks:
        if not block.reached:
            lines.append(f"{block.name}: never reached")
            continue
        lines.append(
            f"{block.name}: assigned {{{', '.join(block.assigned)}}}, "
            f"frontier {{{', '.join(block.frontier)}}}, "
            f"dominated by {block.dominator or 'nothing'}"
        )
    lines += [
        f"predicated: {link.previous or 'nothing'} <-> {link.name}" for link in facts.predicated
    ]
    return lines


def _undefined_lines(uses: list[Any]) -> list[str]:
    return [
        f"line {use.line}: '{use.variable}'"
        + (f" (id {use.id})" if use.id else "")
        + f" is used before definition: {' -> '.join(use.path)}"
        for use in uses
    ]


def _chain_graph(name: str, statements: list[Any]) -> str:
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
    return graph(name, nodes, list(edges))
