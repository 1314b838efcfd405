"""What pages show of SIMT runs beside what all pages show: where warps part and how many lanes go
on, branch by branch, and what the other policies of reconvergence would have made of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from machines.description.load import load_machine, machine_names
from machines.diagnostics import InputError
from machines.kinds.simt.reconvergence import POLICIES
from sim.pages.content import RIGHT, Block, Cell, Data, Part, Segment, Table, Text, pointer
from sim.pages.gathered import KindPart, Ran
from sim.results.profile import instruction_costs
from sim.results.shown import share
from sim.status import DONE

MOST_AGAIN = 100_000
"""Warp instructions of a run that is run again under the other policies; of longer ones nothing is
said of these."""
MOST_BRANCHES = 40
FIGURES = "cycles", "instructions", "divergences", "checks", "merges"
COUNTERS = "WARP_INSTRUCTIONS", *(f"RECONVERGENCE_{name.upper()}" for name in FIGURES[2:])
"""The figures but cycles."""


def gather_divergence(ran: Ran) -> dict[str, Any] | None:
    """Branches both sides of which were taken; None if there are none."""
    result, prepared = ran.result, ran.prepared
    if not result.counters.get("RECONVERGENCE_DIVERGENCES") or result.figures is None:
        return None
    workload = prepared.compiled.workload
    known = {str(workload.program): workload.source.text} if workload.source else {}
    costs = instruction_costs(result.figures, prepared.program, workload.folder, known)
    branches = [
        {
            "instruction": number,
            "file": one.file,
            "line": one.line,
            "text": one.text.strip(),
            "executed": one.executed,
            **one.columns,
        }
        for number, one in enumerate(costs)
        if one.columns.get("divergences")
    ]
    branches.sort(key=lambda one: (-one["divergences"], one["instruction"]))
    return {"branches": branches[:MOST_BRANCHES], "policies": _policies(ran)}


def _policies(ran: Ran) -> list[dict[str, Any]]:
    """The run under each policy, its own first; nothing of long runs, and of those that did not end
    or computed nothing."""
    result = ran.result
    is_short = result.counters.get("WARP_INSTRUCTIONS", 0) <= MOST_AGAIN
    if not is_short or result.status != DONE or result.region or not ran.prepared.expected:
        return []
    own = ran.prepared.compiled.machine.description.reconvergence.policy
    others = [policy for policy in POLICIES if policy != own]
    return [_row(own, result), *(_under(policy, ran) for policy in others)]


def _under(policy: str, ran: Ran) -> dict[str, Any]:
    """The run under another policy, or why there is none."""
    from sim.prepared_case import prepare
    from sim.runner import compile_workload, execute

    compiled = ran.prepared.compiled
    machine, change = compiled.machine, f"reconvergence.policy={policy}"
    try:
        if machine.name in machine_names():
            machine = load_machine(machine.name, (*machine.overrides, change))
        else:
            machine = load_machine(machine, (change,))
        again = compile_workload(compiled.workload, machine, (), compiled.passes)
        return _row(policy, execute(prepare(again, ran.prepared.case, True)))
    except InputError as error:
        return {"policy": policy, "ok": False, "refused": str(error)} | dict.fromkeys(FIGURES)


def _row(policy: str, result: Any) -> dict[str, Any]:
    figures = (result.cycles, *(result.counters[name] for name in COUNTERS))
    return {"policy": policy, "ok": result.ok, **dict(zip(FIGURES, figures, strict=True))}


def draw_divergence(data: Data) -> Part:
    """Branches by how often warps part there, and the policies."""
    rows = []
    for k, one in enumerate(data.content["branches"]):
        lanes = one["active_lanes"] + one["idle_lanes"]
        part = one["active_lanes"] / max(lanes, 1)
        in_use = share(one["active_lanes"], lanes)
        rows.append([
            Cell(f"{one['file']}:{one['line']}"),
            *(data.cell(pointer("branches", k, name))
              for name in ("executed", "divergences", "active_lanes", "idle_lanes")),
            Cell(f"{in_use} of lanes in use", bar=[Segment(f"in use: {in_use}", part, 0)]),
            Cell(one["text"], code=True),
        ])  # fmt: skip
    heads = ["branch at", f"{RIGHT}executed", f"{RIGHT}both sides taken", f"{RIGHT}lanes in use",
             f"{RIGHT}lanes idle", "", "source"]  # fmt: skip
    blocks: list[Block] = [Table("Branches at which warps part", heads, rows, titled=True)]
    if policies := data.content["policies"]:
        rows = [
            [
                Cell(one["policy"], code=True),
                *(data.cell(pointer("policies", k, name)) for name in FIGURES),
                Cell(_relative(one["cycles"], policies[0]["cycles"]) if k else "", side=RIGHT),
                Cell(_ending(one), good=one["ok"]),
            ]
            for k, one in enumerate(policies)
        ]
        heads = ["policy", *(f"{RIGHT}{name}" for name in FIGURES), f"{RIGHT}cycles, relative", ""]
        blocks.append(Table("The same under the other policies", heads, rows, titled=True))
    else:
        blocks.append(Text("What other policies would give is told of short runs that were right."))
    sentence = "Where threads of a warp take both sides of a branch, and what meeting again costs."
    return Part("divergence", "Convergence", sentence, blocks)


def _relative(cycles: int | None, own: int) -> str:
    return "" if cycles is None else f"{100 * (cycles - own) / own:+.1f} %"


def _ending(one: Mapping[str, Any]) -> str:
    if "refused" in one:
        return one["refused"]
    return "right" if one["ok"] else "wrong, or not ended"


PAGE = (KindPart("divergence", gather_divergence, draw_divergence),)
