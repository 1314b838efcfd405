"""Views of what a machine holds in the midst of a run, which each kind of machine declares.

    for view in state_views_of(machine.kind): view.name, view.sentence
    table = read_view(view, state, cycle)
    table.rows                      # mappings from column to plain value
    print(table)

A kind's views are its part `state_views` (see `machines.kinds`), a tuple of `StateView`; it need
not have any.  What they read is what the kind's core yields (`sim.cores.Running`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from machines.diagnostics import Location
from machines.kinds import kind_named
from machines.plugins import not_a
from sim.results.html import document, table_of
from sim.results.shown import aligned, shown

MOST_ROWS = 40
"""Of a table that is printed."""

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class StateView:
    """A view.

    read  read(state) -> its rows: mappings from column to number, text or None, all with the same
          columns.  They are copies, and reading changes nothing
    """

    name: str
    sentence: str
    read: Callable[[Any], Iterable[Row]]


@dataclass(frozen=True)
class StateTable:
    """What a view read.

    cycle  of the run: everything before it has happened
    rows   mappings from column to number, text or None
    """

    name: str
    sentence: str
    cycle: int
    rows: Sequence[Row]

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def columns(self) -> list[str]:
        return list(self.rows[0]) if self.rows else []

    def __str__(self) -> str:
        """The first rows, in columns."""
        table = [self.columns, *self._cells()] if self.rows else [["nothing"]]
        return "\n".join([self._title(), *aligned(table, self._sides() or "<")])

    def _repr_html_(self) -> str:
        return document(table_of(self._title(), self._cells(), self._sides(), self.columns))

    def _title(self) -> str:
        more = len(self.rows) - MOST_ROWS
        rest = f" (and {shown(more)} more)" if more > 0 else ""
        return f"{self.name} at cycle {shown(self.cycle)}{rest}"

    def _cells(self) -> list[list[str]]:
        return [["" if v is None else str(v) for v in r.values()] for r in self.rows[:MOST_ROWS]]

    def _sides(self) -> str:
        """Numbers to the right, texts to the left."""
        texts = {name for row in self.rows for name, value in row.items() if isinstance(value, str)}
        return "".join("<" if name in texts else ">" for name in self.columns)


def state_views_of(kind: str) -> tuple[StateView, ...]:
    """The views of a kind of machine."""
    found = kind_named(kind)
    return found.part("state_views", not_state_views) if found.state_views else ()


def read_view(view: StateView, state: Any, cycle: int) -> StateTable:
    """What it says now."""
    return StateTable(view.name, view.sentence, cycle, tuple(map(dict, view.read(state))))


def not_state_views(part: object) -> str | None:
    """What is wrong with what should be the views of a kind."""
    if not isinstance(part, tuple):
        return f"it is of type {type(part).__name__}, not a tuple of views"
    names = [getattr(view, "name", None) for view in part]
    problems = [problem for problem in map(not_a(StateView), part) if problem is not None]
    twice = [f"two views have the name '{name}'" for name in names if names.count(name) > 1]
    return next(iter([*problems, *twice]), None)


def place(location: Location | None) -> str | None:
    """Where in the source something stands, as views say it: 'saxpy.py:9'."""
    return f"{location.file.rpartition('/')[2]}:{location.line}" if location is not None else None
