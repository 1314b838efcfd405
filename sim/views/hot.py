"""View `hot`: the listing of a program with what each instruction cost in a run of a case.

Before each instruction stand how often it was executed, the time that it took, which share that is,
and what most of that time went to; before the instructions of a source line stands the line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from compiler.targets import Listed, target_of
from machines.diagnostics import input_error
from sim.results.figures import Figures, figures_of
from sim.results.line import Line
from sim.results.profile import failure_of, instruction_costs
from sim.results.sections import spent, sum_of, whole_of
from sim.results.shown import ENDINGS, share, shown
from sim.results.vocabulary import Vocabulary, vocabulary_of
from sim.views import RUNNABLE, Option, Shown, View

HEAD = ("executed", "cycles", "share", "mostly")


def show(compiled: Any, variant: str | None = None) -> Shown:
    """Run a case, and annotate the listing; raises InputError of a machine whose core does not say
    what instructions cost."""
    machine, program = compiled.machine, compiled.program
    outcome, figures, limit = _run(compiled, variant)
    if figures.executed is None:
        message = f"{machine.name} does not say what instructions cost"
        raise input_error(message, hint="--show asm is the listing alone")
    folder, source = compiled.workload.folder, compiled.workload.source
    known = {str(compiled.workload.program): source.text} if source else {}
    costs = instruction_costs(figures, program, folder, known)
    vocabulary = vocabulary_of(machine.kind)
    times = spent(costs, figures.breakdown, vocabulary)
    whole = whole_of(times, figures.breakdown, vocabulary)
    listing = _code_of(list(target_of(machine).listing(program, machine.description)))
    ended = failure_of(outcome, folder, limit)
    title = f"{compiled.workload.name} on {machine.name}: {ENDINGS[outcome.status]}"
    lines = [f"{title}, {shown(figures.cycles)} cycles", *([ended["message"]] if ended else [])]
    lines += _annotated(listing, costs, times, whole)
    content = {
        "status": outcome.status,
        "message": ended["message"] if ended else None,
        "cycles": figures.cycles,
        "whole": whole,
        "instructions": [
            {
                "text": line.text.strip(),
                "number": line.instruction,
                "file": costs[line.instruction].file or None,
                "line": costs[line.instruction].line or None,
                "executed": costs[line.instruction].executed,
                "cycles": times[line.instruction],
                **costs[line.instruction].columns,
            }
            for line in listing
            if line.instruction is not None
        ],
    }
    return Shown("\n".join(lines) + "\n", content)


def _run(compiled: Any, variant: str | None) -> tuple[Any, Figures, int]:
    """How a case ended, its figures (those of the region that it measures), and its limit."""
    from sim.prepared_case import prepare
    from sim.runner import request_of, stopping
    from sim.simulate import simulate

    prepared = prepare(compiled, compiled.workload.case(variant))
    request, stops = stopping(prepared, request_of(prepared))
    outcome = simulate(request)
    if stops.measuring is not None:
        return outcome, stops.measuring.figures(outcome)[0], request.cycle_limit
    vocabulary: Vocabulary = vocabulary_of(compiled.machine.kind)
    return outcome, figures_of(outcome, vocabulary), request.cycle_limit


def _code_of(listing: Sequence[Listed]) -> list[Listed]:
    """Without the data behind the last instruction; what closes that stays."""
    last = max((k for k, line in enumerate(listing) if line.instruction is not None), default=-1)
    return [Listed(line.text.expandtabs(8), line.instruction) for line in listing[: last + 2]]


def _annotated(
    listing: Sequence[Listed], costs: Sequence[Line], times: Sequence[dict[str, int]], whole: int
) -> Iterator[str]:
    cells = {
        line.instruction: _cells(costs[line.instruction], times[line.instruction], whole)
        for line in listing
        if line.instruction is not None
    }
    widths = [max(map(len, column)) for column in zip(HEAD, *cells.values(), strict=True)]
    empty = " " * (sum(widths) + 2 * len(widths))
    yield _row(HEAD, widths)
    above: tuple[str, int] | None = None
    for line in listing:
        if line.instruction is None:
            yield f"{empty}{line.text}".rstrip()
            continue
        cost = costs[line.instruction]
        if cost.file and (cost.file, cost.line) != above:
            above = cost.file, cost.line
            yield f"{cost.file}:{cost.line}  {cost.text.strip()}".rstrip()
        yield f"{_row(cells[line.instruction], widths):{len(empty)}}{line.text}".rstrip()


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    *numbers, most = cells
    shown = [f"{cell:>{width}}" for cell, width in zip(numbers, widths, strict=False)]
    return "  ".join([*shown, most])


def _cells(cost: Line, time: dict[str, int], whole: int) -> tuple[str, str, str, str]:
    """What stands before an instruction; of one that took no time how often it was executed."""
    cycles = sum_of(time)
    if not cycles:
        return shown(cost.executed), "", "", ""
    most = max(time, key=lambda name: time[name])
    return shown(cost.executed), shown(cycles), share(cycles, whole), most


VIEWS = (
    View(
        "hot",
        "The listing with executions and time of each instruction (it runs a case).",
        RUNNABLE,
        show,
        options=(Option("variant", "The case that runs, of several.", "NAME"),),
    ),
)
