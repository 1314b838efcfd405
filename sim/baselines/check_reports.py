"""What a check found, as files for others: JUnit XML for a CI server, Markdown for people."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Sequence

from sim.baselines.differences import BeforeAndNow, percent
from sim.baselines.verdicts import UPDATED, Verdict

MOST_ROWS = 50
"""Of what moved, the largest changes first, and of what failed otherwise."""
MOST_FIGURES = 3
"""That are named of a case that moved."""


def junit(verdicts: Sequence[Verdict]) -> str:
    """The verdicts as a JUnit XML file for continuous integration: what is not as accepted is a
    failure, what could not be checked an error."""
    kinds = [_kind(verdict) for verdict in verdicts]
    suite = ElementTree.Element(
        "testsuite", name="simrun check", tests=str(len(verdicts)),
        failures=str(kinds.count(FAILURE)), errors=str(kinds.count(ERROR)), skipped="0",
        time=f"{sum(verdict.seconds for verdict in verdicts):.3f}",
    )  # fmt: skip
    for verdict, kind in zip(verdicts, kinds, strict=True):
        case = ElementTree.SubElement(
            suite, "testcase", classname=_text(f"{verdict.workload}.{verdict.machine}"),
            name=_text(verdict.case), time=f"{verdict.seconds:.3f}",
        )  # fmt: skip
        if kind is not None:
            problem = ElementTree.SubElement(case, kind, message=verdict.status)
            problem.text = _text("\n".join(verdict.details))
    ElementTree.indent(suite)
    declaration = '<?xml version="1.0" encoding="UTF-8"?>'
    return f"{declaration}\n{ElementTree.tostring(suite, encoding='unicode')}\n"


FAILURE, ERROR = "failure", "error"
_NO_TEXT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 has no place for (production 2), not even escaped."""


def _kind(verdict: Verdict) -> str | None:
    """What JUnit calls a verdict; None of one that is as accepted."""
    if not verdict.exit_code:
        return None
    return FAILURE if verdict.exit_code == 1 else ERROR


def _text(text: str) -> str:
    """A text in which all characters can be written; of a name that is no UTF-8 the bytes."""
    shown = text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return _NO_TEXT.sub(lambda found: f"\\x{ord(found[0]):02x}", shown)


def markdown(verdicts: Sequence[Verdict]) -> str:
    """The verdicts as a page for a pull request: a line if all is well, else what moved and why."""
    return "".join(f"{line}\n" for line in _page(verdicts))


def _page(verdicts: Sequence[Verdict]) -> Iterator[str]:
    failed = [v for v in verdicts if v.exit_code]
    moved = sorted((v for v in verdicts if _has_moved(v)), key=_size, reverse=True)
    others = [v for v in failed if v not in moved]
    counts = {v.status: sum(1 for w in verdicts if w.status == v.status) for v in verdicts}
    said = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    verdict = f"{len(failed)} failed" if failed else "all as accepted"
    yield f"**simrun check**: {len(verdicts)} checked, {verdict} ({said})"
    if moved:
        yield from (
            "",
            "| case | on | cycles | change | cause | moved most |",
            "| --- | --- | ---: | ---: | --- | --- |",
        )
        yield from map(_row, moved[:MOST_ROWS])
    if others:
        yield ""
        yield from (
            f"* {v.status}: {_cell(v.title)}: {_cell(' '.join(v.details[:1]))}"
            for v in others[:MOST_ROWS]
        )
    more = len(moved[MOST_ROWS:]) + len(others[MOST_ROWS:])
    if more:
        yield from ("", f"{more} more are not shown.")


def _has_moved(verdict: Verdict) -> bool:
    """Whether figures moved, accepted now or not."""
    is_told = verdict.exit_code or verdict.status == UPDATED
    return bool(is_told and verdict.found and verdict.found.moved)


def _size(verdict: Verdict) -> float:
    """How far the cycles moved, as a part of what they were."""
    before, now = verdict.found.cycles
    return abs(now - before) / max(before, 1)


def _row(verdict: Verdict) -> str:
    found = verdict.found
    before, now = found.cycles
    cycles = f"{before} → {now}" if before != now else f"{now}"
    change = f"{now - before:+}{percent(before, now)}" if before != now else "equal"
    causes = ", ".join(dict.fromkeys(cause.part for cause in found.causes))
    most = ", ".join(_largest(found.reasons) or _largest(found.counters))
    case = _cell(verdict.workload + ("" if verdict.case == "default" else f" {verdict.case}"))
    return f"| {case} | {_cell(verdict.machine)} | {cycles} | {change} | {causes} | {_cell(most)} |"


def _largest(moved: dict[str, BeforeAndNow]) -> list[str]:
    """The figures that moved most, each with by how much."""
    by_change = sorted(moved.items(), key=lambda one: -abs(one[1][1] - one[1][0]))
    return [f"{name} {now - before:+}" for name, (before, now) in by_change[:MOST_FIGURES]]


def _cell(text: str) -> str:
    """A text that no character of makes a mark of the page."""
    escaped = "".join(f"\\{c}" if c in "\\`*_{}[]<>|#~" else c for c in _text(text))
    return " ".join(escaped.split())
