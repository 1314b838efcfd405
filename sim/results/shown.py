"""Figures, endings and columns as people read them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sim.status import DONE, FAULT, HANG, INTERRUPTED, LIMIT

WIDTH = 100  # columns, whatever the terminal: reports are compared and pasted

ENDINGS = {
    DONE: "done",
    FAULT: "the program faulted",
    LIMIT: "stopped at the cycle limit",
    HANG: "the program makes no progress",
    INTERRUPTED: "interrupted, incomplete",
}


def share(part: int, whole: int) -> str:
    """A part: '12.5 %', '-' of nothing."""
    return f"{100 * part / whole:.1f} %" if whole else "-"


def shown(value: int) -> str:
    """A number: '1 234 567'."""
    return f"{value:,}".replace(",", " ")


def shown_time(seconds: float) -> str:
    """Simulated time: '731.471 µs'."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3f} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def shown_value(value: object) -> str:
    """A value of a machine's field."""
    if isinstance(value, tuple | list):
        return "[" + ", ".join(map(shown_value, value)) + "]"
    return "none" if value is None else str(value)


def outcome_words(ok: bool, checked: bool) -> str:
    """What the comparison of a finished run's outputs said."""
    if not checked:
        return "nothing checked"
    return "outputs right" if ok else "OUTPUTS WRONG"


def ending_words(status: str, ok: bool, checked: bool) -> str:
    """How a run ended, and what of its outputs."""
    ending = ENDINGS[status]
    return f"{ending}, {outcome_words(ok, checked)}" if status == DONE else ending


def aligned(rows: Sequence[Sequence[str]], justify: str) -> Iterator[str]:
    """The rows in columns, '<' to the left or '>' to the right, cut at `WIDTH`."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (f"{c:{j}{w}}" for c, j, w in zip(row, justify, widths, strict=True))
        line = "  " + "  ".join(cells).rstrip()
        yield line if len(line) <= WIDTH else line[: WIDTH - 1] + "…"
