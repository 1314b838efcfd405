"""A table of numbered entries that is never changed: changed copies share what is the same.

A tree of tuples of 32 (path copying: Driscoll, Sarnak, Sleator, Tarjan, *Making Data Structures
Persistent*, 1989).  An entry that is absent is None, and so is a whole part without entries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

BITS = 5
WIDTH = 1 << BITS

Table = tuple | None


class Tables:
    """The operations on tables of at most `size` entries."""

    def __init__(self, size: int):
        self.levels = max(1, -(-max(size - 1, 1).bit_length() // BITS))

    def get(self, table: Table, key: int) -> Any:
        """An entry, None if it is absent."""
        for level in range(self.levels - 1, -1, -1):
            if table is None:
                return None
            table = table[key >> level * BITS & WIDTH - 1]
        return table

    def set(self, table: Table, key: int, entry: Any) -> Table:
        """With another entry; None takes it away."""
        return _set(table, self.levels - 1, key, entry)

    def merge(self, a: Table, b: Table, meet: Callable[[Any, Any], Any]) -> Table:
        """What only one of them has, and `meet(x, y)` of what both have."""
        return _merge(a, b, self.levels, meet)

    def items(self, table: Table) -> Iterator[tuple[int, Any]]:
        """Numbers and entries in order."""
        return _items(table, self.levels, 0)


def _set(table: Table, level: int, key: int, entry: Any) -> Table:
    index = key >> level * BITS & WIDTH - 1
    entries = [None] * WIDTH if table is None else list(table)
    entries[index] = _set(entries[index], level - 1, key, entry) if level else entry
    return tuple(entries) if any(entries) else None


def _merge(a: Any, b: Any, level: int, meet: Callable[[Any, Any], Any]) -> Any:
    if b is None or a is b:
        return a
    if a is None:
        return b
    if level == 0:
        return meet(a, b)
    return tuple([_merge(x, y, level - 1, meet) for x, y in zip(a, b, strict=True)])


def _items(table: Any, level: int, key: int) -> Iterator[tuple[int, Any]]:
    if table is not None:
        if level == 0:
            yield key, table
        else:
            for index, entry in enumerate(table):
                yield from _items(entry, level - 1, key << BITS | index)
