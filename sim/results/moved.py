"""What moved between two results, part by part: functions of what `Result.to_dict()` holds.

    reasons_moved({"issuing": 4, "load": 6}, {"issuing": 4, "load": 9})     # load +3

`a` is what is compared with, `b` what is compared.  What did not move is left out, and what moved
most comes first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Content = Mapping[str, Any]
"""A result, or a part of one, as plain data."""


@dataclass(frozen=True)
class Moved:
    """A figure of two results; None is one that does not have it."""

    name: str
    a: int | float | None
    b: int | float | None

    @property
    def change(self) -> int | float | None:
        """How much more `b` has, if both have the figure."""
        return None if self.a is None or self.b is None else self.b - self.a

    @property
    def fraction(self) -> float | None:
        """The change as a part of `a`; None where `a` is nothing."""
        return self.change / self.a if self.a and self.b is not None else None

    def figures(self) -> dict[str, Any]:
        """As plain data, without its name."""
        return {"a": self.a, "b": self.b, "change": self.change}

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {"name": self.name, **self.figures()}


@dataclass(frozen=True)
class LineMoved:
    """A source line whose cost moved.

    place_a, place_b  file and line; None where the program has no such line
    lost              cycles that it loses
    executed          instructions
    reasons           of what it loses
    columns           more figures of the kind of machine
    """

    place_a: tuple[str, int] | None
    place_b: tuple[str, int] | None
    text: str
    lost: Moved
    executed: Moved
    reasons: list[Moved]
    columns: list[Moved]

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        places = {"a": _place(self.place_a), "b": _place(self.place_b)}
        figures = {one.name: one.figures() for one in (self.lost, self.executed)}
        parts = {
            "reasons": [one.to_dict() for one in self.reasons],
            "columns": [one.to_dict() for one in self.columns],
        }
        return {"text": self.text, "places": places, **figures, **parts}


@dataclass(frozen=True)
class Unmatched:
    """What has no counterpart that is known: how many lines (or steps) of each result, and what
    these lose (or take) together, in cycles."""

    count_a: int = 0
    count_b: int = 0
    cycles_a: int = 0
    cycles_b: int = 0

    def __bool__(self) -> bool:
        return bool(self.count_a or self.count_b)

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "a": {"count": self.count_a, "cycles": self.cycles_a},
            "b": {"count": self.count_b, "cycles": self.cycles_b},
        }


@dataclass(frozen=True)
class LinesMoved:
    """Source lines: those that moved, and what all lines lose.  The changes of `moved` and
    `unmatched` add up to that of `lost`.

    unmatched  lines of a source that has changed, whose text is not unique there
    """

    moved: list[LineMoved]
    lost: Moved
    unmatched: Unmatched

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "lost": self.lost.to_dict(),
            "moved": [line.to_dict() for line in self.moved],
            "unmatched": self.unmatched.to_dict(),
        }


@dataclass(frozen=True)
class StepMoved:
    """A step of the host that took other cycles; numbers count the steps of each result from 1."""

    number_a: int
    number_b: int
    what: str
    cycles: Moved

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        numbers = {"a": self.number_a, "b": self.number_b}
        return {"what": self.what, "numbers": numbers, "cycles": self.cycles.figures()}


@dataclass(frozen=True)
class StepsMoved:
    """Steps that moved; those that only one result has are `unmatched`."""

    moved: list[StepMoved]
    unmatched: Unmatched

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        moved = [step.to_dict() for step in self.moved]
        return {"moved": moved, "unmatched": self.unmatched.to_dict()}


def moved_most_first(moved: Iterable[Moved]) -> list[Moved]:
    """Those that moved, by how much; figures that one does not have come last."""
    found = [one for one in moved if one.a != one.b]
    return sorted(found, key=lambda one: (one.change is None, -abs(one.change or 0)))


def reasons_moved(a: Mapping[str, int], b: Mapping[str, int]) -> list[Moved]:
    """Shares of a whole: one that is not there is 0, so that the changes add up to the whole's."""
    return moved_most_first(Moved(name, a.get(name, 0), b.get(name, 0)) for name in {**a, **b})


def counters_moved(a: Mapping[str, int], b: Mapping[str, int]) -> list[Moved]:
    """Counters: one that is not there was not counted, which is not 0."""
    return moved_most_first(Moved(name, a.get(name), b.get(name)) for name in {**a, **b})


# ── source lines ─────────────────────────────────────────────────────────────────────────────────


def lines_moved(a: Sequence[Content], b: Sequence[Content]) -> LinesMoved:
    """Match the lines of two results, file by file.

    Lines have the same number where both results have the same texts at the same numbers.  Else the
    source has changed, and lines are matched by their text where it is there once in both.
    """
    moved, unmatched = [], [Unmatched()]
    for of_a, of_b in _files(a, b):
        pairs = _by_number(of_a, of_b) if _same_source(of_a, of_b) else _by_text(of_a, of_b)
        for some_a, some_b in pairs:
            if _is_known(some_a, some_b):
                line = _line_moved(*(some[0] if some else None for some in (some_a, some_b)))
                moved += [line] if _has_moved(line) else []
            else:
                costs = (sum(map(_lost, some)) for some in (some_a, some_b))
                unmatched.append(Unmatched(len(some_a), len(some_b), *costs))
    moved.sort(key=lambda line: (-abs(line.lost.change), -abs(line.executed.change)))
    lost = Moved("lost", sum(map(_lost, a)), sum(map(_lost, b)))
    return LinesMoved(moved, lost, _together(unmatched))


Lines = list[Content]
Pairs = Iterator[tuple[Lines, Lines]]


def _files(a: Sequence[Content], b: Sequence[Content]) -> Pairs:
    """The lines of each file in both; where each has one file of its own, these are one pair."""
    of_a, of_b = _grouped(a, "file"), _grouped(b, "file")
    only_a, only_b = [f for f in of_a if f not in of_b], [f for f in of_b if f not in of_a]
    if len(only_a) == len(only_b) == 1:
        yield of_a.pop(only_a[0]), of_b.pop(only_b[0])
    for file in {**of_a, **of_b}:
        yield of_a.get(file, []), of_b.get(file, [])


def _same_source(a: Lines, b: Lines) -> bool:
    """Whether nothing says that a file has changed."""
    texts_a, texts_b = ({line["line"]: line["text"].strip() for line in some} for some in (a, b))
    common = texts_a.keys() & texts_b.keys()
    return bool(common) and all(texts_a[number] == texts_b[number] for number in common)


def _is_known(a: Lines, b: Lines) -> bool:
    """Whether lines that are called the same are one line at most.  Nothing is known of lines
    without a text, whose file was not there when they were written."""
    return len(a) <= 1 and len(b) <= 1 and all(line["text"].strip() for line in (*a, *b))


def _by_number(a: Lines, b: Lines) -> Pairs:
    of_a, of_b = _grouped(a, "line"), _grouped(b, "line")
    for number in {**of_a, **of_b}:
        yield of_a.get(number, []), of_b.get(number, [])


def _by_text(a: Lines, b: Lines) -> Pairs:
    of_a, of_b = _grouped(a, "text"), _grouped(b, "text")
    for text in {**of_a, **of_b}:
        yield of_a.get(text, []), of_b.get(text, [])


def _grouped(lines: Sequence[Content], key: str) -> dict[Any, Lines]:
    found: dict[Any, Lines] = {}
    for line in lines:
        value = line[key].strip() if key == "text" else line[key]
        found.setdefault(value, []).append(line)
    return found


def _line_moved(a: Content | None, b: Content | None) -> LineMoved:
    """The cost of a line in both; where a program has no such line, nothing was lost there."""
    of_a, of_b = _line_figures(a), _line_figures(b)
    one = b or a
    return LineMoved(
        None if a is None else (a["file"], a["line"]),
        None if b is None else (b["file"], b["line"]),
        one["text"].strip(),
        Moved("lost", _lost(a), _lost(b)),
        Moved("executed", of_a.pop("executed", 0), of_b.pop("executed", 0)),
        reasons_moved(a["lost"] if a else {}, b["lost"] if b else {}),
        reasons_moved(of_a, of_b),
    )


def _line_figures(line: Content | None) -> dict[str, int]:
    """The figures of a line beside what it loses."""
    parts = ("file", "line", "text", "lost")
    return {name: value for name, value in (line or {}).items() if name not in parts}


def _has_moved(line: LineMoved) -> bool:
    return bool(line.executed.change or line.reasons or line.columns)


def _lost(line: Content | None) -> int:
    return sum(line["lost"].values()) if line else 0


def _place(place: tuple[str, int] | None) -> dict[str, Any] | None:
    return None if place is None else {"file": place[0], "line": place[1]}


# ── steps of the host ────────────────────────────────────────────────────────────────────────────

Step = tuple[int, int]
"""Number of a step, and its cycles."""


def steps_moved(a: Sequence[Content], b: Sequence[Content]) -> StepsMoved:
    """Match steps that say the same of themselves, the first with the first, the second with the
    second; streams run side by side, so that their cycles are no parts of the whole."""
    of_a, of_b = _steps(a), _steps(b)
    moved, unmatched = [], [Unmatched()]
    for key in {**of_a, **of_b}:
        if key in of_a and key in of_b:
            (number_a, cycles_a), (number_b, cycles_b) = of_a[key], of_b[key]
            cycles = Moved("cycles", cycles_a, cycles_b)
            moved += [StepMoved(number_a, number_b, key[0], cycles)] if cycles.change else []
        elif key in of_a:
            unmatched.append(Unmatched(count_a=1, cycles_a=of_a[key][1]))
        else:
            unmatched.append(Unmatched(count_b=1, cycles_b=of_b[key][1]))
    moved.sort(key=lambda step: -abs(step.cycles.change))
    return StepsMoved(moved, _together(unmatched))


def _steps(steps: Sequence[Content]) -> dict[tuple[str, int], Step]:
    """The steps by what they say, and how many before them said the same."""
    found: dict[tuple[str, int], Step] = {}
    before: Counter[str] = Counter()
    for number, step in enumerate(steps, 1):
        what = ", ".join(f"{k} {v}" for k, v in step.items() if k not in ("begin", "end"))
        found[what, before[what]] = number, step["end"] - step["begin"]
        before[what] += 1
    return found


def _together(some: Sequence[Unmatched]) -> Unmatched:
    return Unmatched(
        *(sum(getattr(one, name) for one in some) for name in Unmatched.__dataclass_fields__)
    )
