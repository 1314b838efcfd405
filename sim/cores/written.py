"""Writes source text of jitted code out of rows: their meanings as cases of a search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from machines.operations.row import Operation

Lines = tuple[str, ...]

NUMBER = "int64({})"
"""A whole number that a function is given: numba compiles a function anew for every constant that
it is given; LLVM sees them all the same."""


def indented(lines: Iterable[str], depth: int = 1) -> list[str]:
    """Lines farther to the right."""
    return ["    " * depth + line for line in lines]


def distinct(
    rows: Iterable[Operation], lines: Callable[[Operation], Iterable[str]]
) -> tuple[tuple[Lines, ...], dict[str, int]]:
    """The different texts that rows have, and which of them each row has, by its name."""
    numbers: dict[Lines, int] = {}
    cases = {row.name: numbers.setdefault(tuple(lines(row)), len(numbers)) for row in rows}
    return tuple(numbers), cases


def search(
    subject: str, texts: Sequence[Sequence[str]], first: int = 0, scale: int = 1
) -> Iterator[str]:
    """Lines that find a text by binary search: text k is for `subject` from (first + k) * scale on,
    up to the next text's."""
    if len(texts) == 1:
        yield from texts[0]
        return
    middle = len(texts) // 2
    yield f"if {subject} < {(first + middle) * scale}:"
    yield from indented(search(subject, texts[:middle], first, scale))
    yield "else:"
    yield from indented(search(subject, texts[middle:], first + middle, scale))


def filled(text: str, mark: str, lines: Iterable[str]) -> str:
    """A text with lines in place of the one line that is a comment which begins with `mark`."""
    given = text.splitlines()
    (position,) = (k for k, line in enumerate(given) if line.strip().startswith(f"# {mark}"))
    depth = given[position].index("#") // 4
    return "\n".join([*given[:position], *indented(lines, depth), *given[position + 1 :], ""])
