"""What a page of a run shows beside its result, as plain data: machine code with what it cost, the
memory's map, the timeline, differences to the baseline, and what its kind of machine adds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from machines.kinds import kind_named
from machines.plugins import not_a
from sim.pages.content import Data, Part
from sim.pages.recorded import Recorded
from sim.results.profile import instruction_costs
from sim.results.sections import spent, spent_by_line

if TYPE_CHECKING:
    from sim.prepared_case import PreparedCase
    from sim.results.compared import Comparison
    from sim.results.result import Result

MOST_CODE = 4000
"""Instructions of a listing on a page; of a longer one those that were executed."""


@dataclass(frozen=True)
class Ran:
    """A run and what it was of."""

    prepared: PreparedCase
    result: Result


@dataclass(frozen=True)
class KindPart:
    """A part of pages that a kind of machine adds (`machines.kinds.Kind.page`).

    gather  makes plain data of a run; None: it has nothing to show
    draw    makes the part of the data, as they stand in the page
    """

    name: str
    gather: Callable[[Ran], Any]
    draw: Callable[[Data], Part]


def kind_parts(kind: str) -> Sequence[KindPart]:
    """Those of a kind of machine."""
    found = kind_named(kind)
    return found.part("page", not_kind_parts) if found.page else ()


def not_kind_parts(found: object) -> str | None:
    """What is wrong with what should be parts of pages."""
    if not isinstance(found, tuple | list):
        return f"it is of type {type(found).__name__}, not a tuple of parts of pages"
    return next((problem for one in found if (problem := not_a(KindPart)(one))), None)


def facts_of_result(result: Result) -> dict[str, Any]:
    """What every page of a run has: the result itself, and how its figures are told."""
    heads = [dict(zip(("label", "value", "note"), one, strict=True)) for one in result.headlines]
    return {"result": result.to_dict(), "headlines": heads, "spent": spent_by_line(result)}


def facts_of_run(
    prepared: PreparedCase,
    result: Result,
    recorded: Recorded | None = None,
    versus: Comparison | None = None,
    command: str = "",
) -> dict[str, Any]:
    """The same with what only who ran it knows; what there is not is left out."""
    found = {
        "code": _code(prepared, result),
        "memory": _memory(prepared),
        "timeline": recorded.content() if recorded is not None else None,
        "versus": versus.to_dict() if versus is not None else None,
        "command": command,
        "kind": {
            part.name: content
            for part in kind_parts(result.kind)
            if (content := part.gather(Ran(prepared, result))) is not None
        },
    }
    return {name: content for name, content in found.items() if content}


def _code(prepared: PreparedCase, result: Result) -> list[dict[str, Any]]:
    """The listing, instruction by instruction, with what each cost, if the core says that."""
    from compiler.targets import target_of

    compiled, figures = prepared.compiled, result.figures
    if figures is None or figures.executed is None:
        return []
    workload = compiled.workload
    known = {str(workload.program): workload.source.text} if workload.source else {}
    costs = instruction_costs(figures, prepared.program, workload.folder, known)
    times = spent(costs, figures.breakdown, result.vocabulary)
    listing = target_of(compiled.machine).listing(prepared.program, compiled.machine.description)
    rows = [
        {
            "text": listed.text.expandtabs(8),
            "instruction": number,
            **(
                {}
                if number is None
                else {
                    "file": costs[number].file,
                    "line": costs[number].line,
                    "executed": costs[number].executed,
                    "spent": {name: n for name, n in times[number].items() if n},
                }
            ),
        }
        for listed in listing
        for number in [listed.instruction]
    ]
    last = max((k for k, row in enumerate(rows) if row["instruction"] is not None), default=-1)
    rows = rows[: last + 1]
    if len(rows) > MOST_CODE:
        rows = [row for row in rows if row.get("executed")]
    return rows[:MOST_CODE]


def _memory(prepared: PreparedCase) -> list[dict[str, Any]]:
    """Buffers, where they stand."""
    return [
        {"name": one.name, "address": one.address, "size": one.size}
        for one in prepared.memory.placements.values()
    ]
