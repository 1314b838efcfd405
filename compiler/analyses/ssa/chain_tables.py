"""DU and UD chains as tables: every definition and use with an id, with phis or without.

                             with phis                     without
    x3 = phi(x2, x5)     15  x3            10 23
                         16  x2   8
                         17  x5   8 12
    @p1 x4 = a1 - b1     18  p1   7                    18  p   7
                         19  x4            10 23       19  x            23
                         20  a1   1                    20  a   1
                         21  b1   2                    21  b   2
    y1 = x4              22  y1                        22  y
                         23  x4   15 19                23  x   4 12 19

Ids follow the text, parameters first: an instruction's guard, its results, its operands; a phi's
result and operands at the head of its block, in the order of the predecessors.  Both tables have
the same ids, so that those of phis are missing from the second.  Operands of terminators have none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import NamedTuple

from compiler.analyses.cache import cached_by_version
from compiler.analyses.chains import chains
from compiler.analyses.graphs import NOTHING
from compiler.analyses.ssa.occurrences import DEFINITION, KINDS, USE
from compiler.analyses.ssa.renaming import Renaming, renaming
from compiler.ir.module import Function, Instruction
from compiler.ir.printer import print_instruction
from machines.diagnostics import Location


class Row(NamedTuple):
    """One definition or use.

    id         from 1 on
    line       where it stands; for a phi the line of its block's label; None if nobody knows
    variable   as the source has it
    name       with phis the SSA name (the variable if it has none), without them the variable
    kind       'def', 'use' or 'guard'
    defs       of a use: ids of the definitions that reach it
    uses       of a definition: ids of the uses that it reaches
    """

    id: int
    line: int | None
    variable: str
    name: str
    kind: str
    defs: list[int]
    uses: list[int]


class Statement(NamedTuple):
    """A phi or an instruction that is no terminator, with its rows.

    number   from 1 on, phis included; 0 for the parameters
    block    the name of its block; None for the parameters
    text     with the names of its rows
    """

    number: int
    block: str | None
    text: str
    rows: list[Row]


def table_with_phis(function: Function) -> list[Statement]:
    """The chains between SSA names: phis are definitions, and their operands uses.

    A use of a predicated name also sees what that name is linked to, up to a name that is not
    predicated.
    """
    layout, renamed = _layout(function), renaming(function)
    ids = {entry.value: entry.id for entry in layout.entries() if entry.kind == DEFINITION}
    defs = {
        entry.id: sorted(ids[value] for value in _linked(renamed, entry.value))
        for entry in layout.entries()
        if entry.kind != DEFINITION
    }
    names = {
        entry.id: renamed.names.get(entry.value, layout.variable(entry))
        for entry in layout.entries()
    }
    return layout.table(defs, _turned(defs), names)


def table_without_phis(function: Function) -> list[Statement]:
    """The chains between the variables as the source has them."""
    layout, found = _layout(function), chains(function)
    ids = ids_of_occurrences(function)

    def numbered(occurrences: list[int]) -> list[int]:
        return [ids[o] for o in occurrences if o in ids]

    defs = {number: numbered(found.defs[o]) for o, number in ids.items()}
    uses = {number: numbered(found.uses[o]) for o, number in ids.items()}
    names = {e.id: layout.variable(e) for e in layout.entries() if not e.is_phi}
    return layout.table(defs, uses, names)


def folding_of_phis(function: Function) -> list[Statement]:
    """The step between the two tables, of the rows that it changes.

    A use that sees a phi gets the definitions behind the phi's operands beside it, and each of
    these definitions gets the uses that the phi hands over.  In the table without phis, the ids of
    phis and their operands are gone from both.
    """
    layout, renamed = _layout(function), renaming(function)
    with_phis = {row.id: row for s in table_with_phis(function) for row in s.rows}
    ids = {entry.value: entry.id for entry in layout.entries() if entry.kind == DEFINITION}
    behind = {phi: [ids[d] for d in _definitions_behind(renamed, phi)] for phi in renamed.operands}
    defs: dict[int, list[int]] = {}
    handed: dict[int, set[int]] = {}
    for entry in layout.entries():
        if entry.kind == DEFINITION or entry.is_phi:
            continue
        phis = [value for value in _linked(renamed, entry.value) if value in renamed.operands]
        for phi in phis:
            seen = defs.get(entry.id, with_phis[entry.id].defs)
            defs[entry.id] = sorted({*seen, *behind[phi]})
            for definition in behind[phi]:
                handed.setdefault(definition, set()).update(with_phis[ids[phi]].uses)
    uses = {number: sorted(given) for number, given in handed.items()}
    names = {row.id: row.name for row in with_phis.values()}
    table = [
        statement._replace(rows=[row for row in statement.rows if row.defs or row.uses])
        for statement in layout.table(defs, uses, names)
    ]
    return [statement for statement in table if statement.rows]


def ids_of_occurrences(function: Function) -> dict[int, int]:
    """The ids of definitions and uses by their number in `occurrences`; terminators have none."""
    return {e.occurrence: e.id for e in _layout(function).entries() if not e.is_phi}


def _linked(renamed: Renaming, value: int) -> Iterator[int]:
    """A value and, as long as they are predicated, those it is linked to."""
    while value != NOTHING:
        yield value
        value = renamed.previous.get(value, NOTHING)


def _definitions_behind(renamed: Renaming, value: int) -> list[int]:
    """The definitions behind a value, through phis and links."""
    found, seen, pending = [], {value, NOTHING}, [value]
    while pending:
        value = pending.pop()
        if value in renamed.operands:
            others = renamed.operands[value]
        else:
            found.append(value)
            others = [renamed.previous.get(value, NOTHING)]
        fresh = [other for other in dict.fromkeys(others) if other not in seen]
        seen.update(fresh)
        pending += fresh
    return sorted(found)


def _turned(defs: dict[int, list[int]]) -> dict[int, list[int]]:
    """DU lists from UD lists."""
    uses: dict[int, list[int]] = {}
    for use in sorted(defs):
        for definition in defs[use]:
            uses.setdefault(definition, []).append(use)
    return uses


class _Entry(NamedTuple):
    """What has an id: an occurrence, or the result or an operand of a phi that is none.

    `occurrence` is NOTHING for the latter; `value` is NOTHING where no definition reaches.
    """

    id: int
    occurrence: int
    value: int
    variable: int
    kind: int
    line: int | None

    @property
    def is_phi(self) -> bool:
        return self.occurrence == NOTHING


class _Statement(NamedTuple):
    """A statement, and what has an id in it.  `instruction` is None for the parameters, and for a
    phi that the source does not have."""

    number: int
    block: str | None
    instruction: Instruction | None
    entries: list[_Entry]


@dataclass(frozen=True, slots=True)
class _Layout:
    variables: tuple[str, ...]
    statements: list[_Statement]

    def entries(self) -> Iterator[_Entry]:
        for statement in self.statements:
            yield from statement.entries

    def variable(self, entry: _Entry) -> str:
        return self.variables[entry.variable]

    def table(
        self, defs: dict[int, list[int]], uses: dict[int, list[int]], names: dict[int, str]
    ) -> list[Statement]:
        """The table of the rows that have a name; a phi without rows is left out."""

        def row(entry: _Entry) -> Row:
            return Row(
                entry.id,
                entry.line,
                self.variable(entry),
                names[entry.id],
                KINDS[entry.kind],
                defs.get(entry.id, []),
                uses.get(entry.id, []),
            )

        table = []
        for number, block, instruction, entries in self.statements:
            rows = [row(entry) for entry in entries if entry.id in names]
            if rows or instruction:
                table.append(Statement(number, block, _text(number, instruction, rows), rows))
        return table


def _text(number: int, instruction: Instruction | None, rows: list[Row]) -> str:
    if number == 0:
        return "parameters"
    if instruction is None:
        result, *operands = (row.name for row in rows)
        return f"{result} = phi({', '.join(operands)})"
    read = {row.variable: row.name for row in rows if row.kind != "def"}
    guard = instruction.guard
    return print_instruction(
        replace(
            instruction,
            results=tuple(row.name for row in rows if row.kind == "def"),
            operands=instruction.operands_with(read.__getitem__),
            guard=guard and replace(guard, name=read[guard.name]),
        )
    )


@cached_by_version
def _layout(function: Function) -> _Layout:
    renamed = renaming(function)
    numbered = renamed.occurrences
    layout = _Layout(numbered.variables, [])
    ids, numbers = count(1), count(1)

    def entry(occurrence: int, kind: int, location: Location | None) -> _Entry:
        value, variable = renamed.value[occurrence], numbered.variable[occurrence]
        return _Entry(
            next(ids), occurrence, value, variable, kind, location.line if location else None
        )

    parameters = [entry(o, DEFINITION, function.location) for o in range(numbered.parameters)]
    layout.statements.append(_Statement(0, None, None, parameters))
    for number, block in enumerate(function.blocks.values()):
        line = block.location.line if block.location else None
        for phi in renamed.phis[number]:
            variable = renamed.joined[phi]
            parts = [_Entry(next(ids), NOTHING, phi, variable, DEFINITION, line)]
            parts += [
                _Entry(next(ids), NOTHING, value, variable, USE, line)
                for value in renamed.operands[phi]
            ]
            layout.statements.append(_Statement(next(numbers), block.name, None, parts))
        for position, instruction in enumerate(block.instructions, numbered.first[number]):
            if not instruction.operation.is_terminator:
                location = instruction.location
                parts = [entry(o, kind, location) for o, kind in numbered.of(position)]
                layout.statements.append(_Statement(next(numbers), block.name, instruction, parts))
    return layout
