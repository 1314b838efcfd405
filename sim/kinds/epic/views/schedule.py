"""Views `schedule` and `bundles`: a scheduling problem solved, and a program's pipelined loops.

row  stage  operation     unit   bundles
  0      0  a  ld8        M0     MII {a, b, c}  MMI {d, nop, e};
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from compiler import Compilation
from compiler.targets.epic.passes.bundlers import bundlers
from compiler.targets.epic.passes.microschedule import RULES
from compiler.targets.epic.scheduling.modulo import schedulers
from compiler.targets.epic.scheduling.reservation import RESERVATIONS
from machines.description.load import Machine
from machines.diagnostics import input_error
from sim.kinds.epic.views.schedule_facts import (
    ScheduleFacts,
    ScheduleOptions,
    SlotFacts,
    automaton_facts,
    kernel_facts,
    problem_facts,
)
from sim.views import COMPILED, Described, Document, Option, Shown, View
from sim.views.tables import aligned

NOTHING = "-"
SHARED = "(above)"
"""Of a row whose operations all stand in the bundle that the row before begins."""


def show_schedule(described: Described, **options: str) -> Shown:
    """A problem that was solved: when each operation issues, and how rows are packed; `options` are
    those of `ScheduleOptions`."""
    return _problem(described, options, with_times=True)


def show_bundles(described: Described, **options: str) -> Shown:
    """The same without the times."""
    return _problem(described, options, with_times=False)


def _problem(described: Described, options: Mapping[str, str], with_times: bool) -> Shown:
    machine = described.machine
    facts = problem_facts(described.path, machine, ScheduleOptions(**options))
    lines = [f"{facts.name} on {machine.name}", *_summary(facts), ""]
    if with_times:
        lines += [*_table(facts), ""]
    lines += [*_packed(facts), "", _automaton(machine)]
    return Shown("\n".join(lines) + "\n", _content(facts))


def show_kernels(compilation: Compilation) -> Shown:
    """The pipelined loops of a program."""
    program, machine = compilation.program, compilation.machine
    if not compilation.functions:
        message = "an assembly program runs as it is written: it has no schedule"
        raise input_error(message, hint="--show dispersal shows its issue groups")
    facts = kernel_facts(compilation.functions, machine.description)
    lines = [f"{program.name} on {machine.name}: {_count(len(facts), 'pipelined loop')}"]
    for loop in facts:
        lines += ["", f"{loop.name}:", *_summary(loop), "", *_table(loop), "", *_packed(loop)]
    content = [{"loop": loop.name, **_content(loop)} for loop in facts]
    text = "\n".join([*lines, "", _automaton(machine)]) + "\n"
    return Shown(text, {"machine": machine.name, "loops": content})


def _content(facts: ScheduleFacts) -> dict[str, Any]:
    return {
        "res_mii": facts.res_mii,
        "rec_mii": facts.rec_mii,
        "ii": facts.ii,
        "stages": facts.stages,
        "rows": [
            {
                "row": row.row,
                "cycles": row.cycles,
                "split_issues": row.split_issues,
                "nops": row.nops,
                "bundles": [
                    {
                        "template": bundle.template,
                        "slots": [{"op": slot.op, "unit": slot.unit} for slot in bundle.slots],
                        "stop": bundle.stop,
                    }
                    for bundle in row.bundles
                ],
            }
            for row in facts.rows
        ],
    }


def _summary(facts: ScheduleFacts) -> Iterator[str]:
    cycles = sum(row.cycles for row in facts.rows)
    splits = sum(row.split_issues for row in facts.rows)
    nops = sum(row.nops for row in facts.rows)
    bundles = sum(len(row.bundles) for row in facts.rows)
    if facts.res_mii is not None:
        yield (
            f"  II {facts.ii}{_reason(facts)}; ResMII {facts.res_mii}, RecMII {facts.rec_mii}; "
            f"{_count(facts.stages, 'stage')}"
        )
    yield (
        f"  {_count(cycles, 'cycle')}, {_count(splits, 'split issue')}, "
        f"{_count(bundles, 'bundle')}, {_count(nops, 'nop')}"
    )


def _reason(facts: ScheduleFacts) -> str:
    if facts.ii == max(facts.res_mii, facts.rec_mii):
        return ""
    return (
        " (no smaller one exists)" if facts.ii == facts.least_ii else " (a smaller one may exist)"
    )


def _count(number: int, name: str) -> str:
    return f"{number} {name}{'' if number == 1 else 's'}"


def _table(facts: ScheduleFacts) -> Iterator[str]:
    """Row, stage, name, text and unit of each operation."""
    rows = [("row", "stage", "name", "operation", "unit")]
    for row in facts.rows:
        for o in sorted(row.operations, key=lambda o: (o.stage, o.name)):
            rows.append((str(row.row), str(o.stage), o.name, o.text, o.unit))
    yield from (f"  {line}" for line in aligned(rows, right=(0, 1)))


def _packed(facts: ScheduleFacts) -> Iterator[str]:
    """A line for each bundle, those that rows share with the first; ';' ends a group."""
    rows = [("row", "cycles", "bundle", "slots", "", "")]
    for row in facts.rows:
        for number, bundle in enumerate(row.bundles):
            first = (str(row.row), str(row.cycles)) if number == 0 else ("", "")
            name = bundle.template + (";" if bundle.stop else "")
            rows.append((*first, name, *map(_slot, bundle.slots)))
        if not row.bundles:
            where = SHARED if row.operations else NOTHING
            rows.append((str(row.row), str(row.cycles), where, "", "", ""))
    yield from (f"  {line}" for line in aligned(rows, right=(0, 1)))


def _slot(slot: SlotFacts) -> str:
    if slot.unit is None:
        return NOTHING
    return f"{'nop' if slot.op is None else slot.op}:{slot.unit}"


def _automaton(machine: Machine) -> str:
    found = automaton_facts(machine)
    return (
        f"automaton: {found.patterns} patterns of templates, {found.states} states "
        f"reached, built in {1000 * found.seconds:.0f} ms"
    )


PROBLEM = Document("ops", "a scheduling problem", "itanium2")
OPTIONS = (
    Option("rules", "Which arcs meet in a row.", "NAME", lambda: RULES),
    Option("bundler", "What packs the rows.", "NAME", bundlers),
    Option("scheduler", "What finds the times.", "NAME", schedulers),
    Option(
        "reservation", "What says which operations issue together.", "NAME", lambda: RESERVATIONS
    ),
)
SCHEDULE = "When the operations of a loop issue, and in which bundles."
BUNDLES = "The bundles of a loop or a row of operations."

VIEWS = (
    View("schedule", SCHEDULE, PROBLEM, show_schedule, options=OPTIONS),
    View("bundles", BUNDLES, PROBLEM, show_bundles, options=OPTIONS),
    View("schedule", SCHEDULE, COMPILED, show_kernels),
    View("bundles", BUNDLES, COMPILED, show_kernels),
)
