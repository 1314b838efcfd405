"""Schedules of loops as text and data: the views `schedule` and `bundles` of `simrun explain`.

row  stage  operation     unit   bundles
  0      0  a  ld8        M0     MII {a, b, c}  MMI {d, nop, e};
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from machines.description.load import Machine
from sim.explain import View

NOTHING = "-"
SHARED = "(above)"
"""Of a row whose operations all stand in the bundle that the row before begins."""


def view_problem(facts: Any, automaton: Any, machine: Machine, with_table: bool) -> View:
    """A problem that was solved; `with_table` also says when each operation issues."""
    lines = [f"{facts.name} on {machine.name}", *_summary(facts), ""]
    if with_table:
        lines += [*_table(facts), ""]
    lines += [*_packed(facts), "", _automaton(automaton)]
    return View("\n".join(lines) + "\n", _content(facts))


def view_kernels(facts: Sequence[Any], automaton: Any, machine: Machine, name: str) -> View:
    """The pipelined loops of a program."""
    lines = [f"{name} on {machine.name}: {_count(len(facts), 'pipelined loop')}"]
    for loop in facts:
        lines += ["", f"{loop.name}:", *_summary(loop), "", *_table(loop), "", *_packed(loop)]
    content = [{"loop": loop.name, **_content(loop)} for loop in facts]
    text = "\n".join([*lines, "", _automaton(automaton)]) + "\n"
    return View(text, {"machine": machine.name, "loops": content})


def _content(facts: Any) -> dict[str, Any]:
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


def _summary(facts: Any) -> Iterator[str]:
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


def _reason(facts: Any) -> str:
    if facts.ii == max(facts.res_mii, facts.rec_mii):
        return ""
    return (
        " (no smaller one exists)" if facts.ii == facts.least_ii else " (a smaller one may exist)"
    )


def _count(number: int, name: str) -> str:
    return f"{number} {name}{'' if number == 1 else 's'}"


def _table(facts: Any) -> Iterator[str]:
    """Row, stage, name, text and unit of each operation."""
    rows = [("row", "stage", "name", "operation", "unit")]
    for row in facts.rows:
        for o in sorted(row.operations, key=lambda o: (o.stage, o.name)):
            rows.append((str(row.row), str(o.stage), o.name, o.text, o.unit))
    yield from _aligned(rows, right=(0, 1))


def _packed(facts: Any) -> Iterator[str]:
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
    yield from _aligned(rows, right=(0, 1))


def _slot(slot: Any) -> str:
    if slot.unit is None:
        return NOTHING
    return f"{'nop' if slot.op is None else slot.op}:{slot.unit}"


def _aligned(rows: Sequence[Sequence[str]], right: Sequence[int]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield ("  " + "  ".join(cells)).rstrip()


def _automaton(automaton: Any) -> str:
    return (
        f"automaton: {automaton.patterns} patterns of templates, {automaton.states} states "
        f"reached, built in {1000 * automaton.seconds:.0f} ms"
    )
