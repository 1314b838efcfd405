"""The operation table: every row of every family, gathered from the modules of this folder."""

from __future__ import annotations

from functools import cache

import machines.instructions as _folder
from machines.operations.row import Operation, OperationTable
from machines.plugins import discover


@cache
def operations() -> OperationTable:
    """All rows, built in and from plugins (entry-point group `simrun.operations`)."""
    table = OperationTable()
    for rows in discover("operations", _folder, _NoRows(), attribute="ROWS").values():
        table.add(rows)
    return table


class _NoRows:
    """Says what is wrong with rows, of which no two may have one name."""

    def __init__(self) -> None:
        self.names: set[tuple[str, str]] = set()

    def __call__(self, rows: object) -> str | None:
        if not isinstance(rows, list | tuple) or not all(isinstance(r, Operation) for r in rows):
            return f"it is of type {type(rows).__name__}, not a list of operations"
        names = [(row.family, row.name) for row in rows]
        taken = sorted({name for name in names if name in self.names or names.count(name) > 1})
        if taken:
            return f"operation {':'.join(taken[0])} is there already"
        self.names.update(names)
        return None
