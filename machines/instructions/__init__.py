"""The operation table: every row of every family, gathered from the modules of this folder."""

from __future__ import annotations

from functools import cache

import machines.instructions as _folder
from machines.isa import OperationTable
from machines.plugins import discover


@cache
def operations() -> OperationTable:
    """All rows, built in and from plugins (entry-point group `simrun.operations`)."""
    table = OperationTable()
    for rows in discover("operations", _folder, attribute="ROWS").values():
        table.add(rows)
    return table
