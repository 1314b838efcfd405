"""Rows of integers, which a kernel found, for reading: no row is a list before somebody asks."""

from __future__ import annotations

from collections.abc import Sequence

from compiler.analyses.jitted import Integers


class Rows(Sequence[list[int]]):
    """Lists of integers by number: row k is items[start[k]:start[k + 1]]."""

    def __init__(self, start: Integers, items: Integers):
        self.start, self.items = start, items

    def __len__(self) -> int:
        return len(self.start) - 1

    def __getitem__(self, row: int) -> list[int]:
        if not 0 <= row < len(self):
            raise IndexError(row)
        return as_list(self.items[self.start[row] : self.start[row + 1]])

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, Rows) and as_list(self.start) == as_list(other.start)
        return same and as_list(self.items) == as_list(other.items)

    __hash__ = None


def as_list(numbers: Integers) -> list[int]:
    """Numbers of Python, wherever they come from."""
    return numbers if isinstance(numbers, list) else numbers.tolist()
