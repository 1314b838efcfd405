"""Parts of a result (`sim.results.result.Result`) as tables for pandas.

counters    counter, value, unit, meaning
breakdown   reason, cycles, share (of the whole, 0 to 1), meaning; reasons of 0 cycles too
lines       file, line, text, executed, lost (cycles, all reasons together), a column for each
            reason that some line lost cycles to, the further columns of the kind
series      cycle (at which an interval ends), a column for each counter and reason that was not 0
            all the time; no rows of a run of which no series was asked for
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from machines.diagnostics import input_error, nearest
from machines.optional import optional


def frame_of(result: Any, what: str) -> Any:
    """A pandas DataFrame of one of `FRAMES`; raises InputError if there is no such part, or no
    pandas."""
    if what not in FRAMES:
        raise input_error(f"what: a result has no '{what}'", hint=nearest(str(what), FRAMES))
    columns, rows = FRAMES[what]
    records = list(rows(result))
    named = list(dict.fromkeys([*columns, *(name for record in records for name in record)]))
    return optional("pandas", "tables").DataFrame(records, columns=named)


def _counters(result: Any) -> Iterator[dict[str, Any]]:
    known = {counter.name: counter for counter in result.vocabulary.counters}
    for name, value in result.counters.items():
        counter = known[name]
        yield {
            "counter": name,
            "value": value,
            "unit": counter.unit,
            "meaning": counter.sentence,
        }


def _breakdown(result: Any) -> Iterator[dict[str, Any]]:
    known = {reason.name: reason for reason in result.vocabulary.reasons}
    whole = sum(result.breakdown.values())
    for name, cycles in result.breakdown.items():
        share = cycles / whole if whole else 0.0
        yield {"reason": name, "cycles": cycles, "share": share, "meaning": known[name].sentence}


def _lines(result: Any) -> Iterator[dict[str, Any]]:
    reasons = dict.fromkeys(n for line in result.lines for n, cycles in line.lost.items() if cycles)
    for line in result.lines:
        yield {
            "file": line.file,
            "line": line.line,
            "text": line.text,
            "executed": line.executed,
            "lost": line.lost_cycles,
            **{f"lost_{name}": line.lost.get(name, 0) for name in reasons},
            **line.columns,
        }


def _series(result: Any) -> Iterator[dict[str, Any]]:
    return result.series.rows() if result.series is not None else iter(())


FRAMES = {
    "counters": (("counter", "value", "unit", "meaning"), _counters),
    "breakdown": (("reason", "cycles", "share", "meaning"), _breakdown),
    "lines": (("file", "line", "text", "executed", "lost"), _lines),
    "series": (("cycle",), _series),
}
"""The parts by name: the columns that there always are, and the rows."""
