"""What pages show of EPIC runs beside what all pages show: pipelined loops, each with its modulo
reservation table, and the packets that issue apart.

row  M0          M1         I0        F0         B0          a cell: operation and stage
  0  ld8 s0      st8 s3     —         fma s2     br.ctop
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sim.kinds.epic.views.schedule_facts import ScheduleFacts, kernel_facts
from sim.pages.content import RIGHT, Block, Cell, Data, Part, Table, Text, pointer
from sim.pages.gathered import KindPart, Ran

MOST_LOOPS = 8
COLOURS = 10


def gather_loops(ran: Ran) -> list[dict[str, Any]] | None:
    """The pipelined loops of the program, as its code has them; None if there are none."""
    from sim.runner import compile_workload

    compiled = ran.prepared.compiled
    compilation = compiled.compilation
    if compilation is None:  # the program was kept from before, its schedule was not
        again = compile_workload(
            compiled.workload, compiled.machine, (), compiled.passes, print_after=lambda name: False
        )
        compilation = again.compilation
    if compilation is None or not compilation.functions:
        return None
    description = compiled.machine.description
    loops = kernel_facts(compilation.functions, description)
    ports = list(description.ports)
    return [_loop(one, ports) for one in loops[:MOST_LOOPS]] or None


def _loop(facts: ScheduleFacts, ports: list[str]) -> dict[str, Any]:
    used = {o.unit for row in facts.rows for o in row.operations}
    return {
        "name": facts.name,
        "ii": facts.ii,
        "res_mii": facts.res_mii,
        "rec_mii": facts.rec_mii,
        "stages": facts.stages,
        "ports": [port for port in ports if port in used],
        "rows": [
            {
                "row": row.row,
                "cycles": row.cycles,
                "split_issues": row.split_issues,
                "nops": row.nops,
                "bundles": [
                    {
                        "template": bundle.template + (";" if bundle.stop else ""),
                        "slots": [[slot.op, slot.unit] for slot in bundle.slots],
                    }
                    for bundle in row.bundles
                ],
                "operations": [
                    {"operation": o.text, "stage": o.stage, "unit": o.unit} for o in row.operations
                ],
            }
            for row in facts.rows
        ],
    }


def draw_loops(data: Data) -> Part:
    """The reservation table of each loop, and how its rows are packed."""
    blocks: list[Block] = []
    for k, loop in enumerate(data.content):
        blocks.append(Text(_summary(loop)))
        blocks += [_reservations(data, k), _packed(data, k)]
    sentence = "What issues where in each cycle of a loop's kernel; colours are stages."
    return Part("loops", "Pipelined loops", sentence, blocks)


def _summary(loop: Mapping[str, Any]) -> str:
    splits = sum(row["split_issues"] for row in loop["rows"])
    nops = sum(row["nops"] for row in loop["rows"])
    return (
        f"{loop['name']}: II {loop['ii']} (resources {loop['res_mii']}, recurrences "
        f"{loop['rec_mii']}), {loop['stages']} stages, {splits} split issues, {nops} nops."
    )


def _reservations(data: Data, k: int) -> Table:
    """The modulo reservation table: rows are cycles, columns ports."""
    loop, rows = data.content[k], []
    for number, row in enumerate(loop["rows"]):
        at = {one["unit"]: one for one in row["operations"]}
        cells = [data.cell(pointer(k, "rows", number, "row"))]
        for port in loop["ports"]:
            one = at.get(port)
            cells.append(
                Cell("·")
                if one is None
                else Cell(
                    f"{one['operation']} s{one['stage']}",
                    code=True,
                    tone=one["stage"] % COLOURS,
                    fill=True,
                )
            )
        rows.append(cells)
    caption = f"Modulo reservation table of {loop['name']}"
    return Table(caption, [f"{RIGHT}row", *loop["ports"]], rows, titled=True)


def _packed(data: Data, k: int) -> Table:
    """Bundles, row by row."""
    rows = []
    for number, row in enumerate(data.content[k]["rows"]):
        packed = "  ".join(
            f"{one['template']} {{{', '.join(_slot(*slot) for slot in one['slots'])}}}"
            for one in row["bundles"]
        )
        cells = [data.cell(pointer(k, "rows", number, name))
                 for name in ("row", "cycles", "split_issues", "nops")]  # fmt: skip
        rows.append([*cells, Cell(packed or "with the row above", code=True)])
    heads = [f"{RIGHT}row", f"{RIGHT}cycles", f"{RIGHT}split issues", f"{RIGHT}nops", "bundles"]
    return Table(f"Bundles of {data.content[k]['name']}", heads, rows, titled=True)


def _slot(operation: str | None, unit: str | None) -> str:
    if unit is None:
        return "–"
    return f"{operation or 'nop'}:{unit}"


PAGE = (KindPart("loops", gather_loops, draw_loops),)
