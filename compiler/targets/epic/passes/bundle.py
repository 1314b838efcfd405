"""Pack the rows of a scheduled function into bundles, with a stop after every row.

    cycle 3: ld8 r14 = [r15]     ->   { .mii   ld8 r14 = [r15]
                                               nop.i 0
                                               nop.i 0 ;; }

How one row becomes bundles is a plugin (see `bundlers`), chosen by name.
On exit each block is whole bundles: three instructions each, or two if the second is long; the
first of a bundle carries the template's name in its attribute 'template'.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from compiler.analyses.dependence_graph import Arc
from compiler.ir.builder import Builder
from compiler.ir.module import Block, Function, Instruction
from compiler.machine_code.liveness import MachineLiveness
from compiler.targets.epic.bundling.alignment import align
from compiler.targets.epic.bundling.automaton import automaton
from compiler.targets.epic.bundling.bundles import (
    PackedRows,
    does_not_issue,
    instructions_of,
    nop,
    syllable_of,
)
from compiler.targets.epic.bundling.shared_bundles import Row, Run, share_bundles
from compiler.targets.epic.dependences import dependences
from compiler.targets.epic.passes.bundlers import Bundler, DoesNotFit, find_bundler
from compiler.targets.epic.passes.microschedule import meeting
from compiler.targets.epic.registers.operands import machine_liveness
from compiler.transformation import Changes, Pass, option
from machines.description.load import Machine
from machines.kinds.epic.fields import Epic


@dataclass(frozen=True, slots=True)
class BundleOptions:
    bundler: str = option("microschedule", "Which bundler packs the rows.")
    share_bundles: bool = option(True, "Let rows share bundles that have a stop inside.")
    align_loops: bool = option(
        True, "Fetch the first row of an innermost loop in one cycle, and others at no cost."
    )


def rows_of(block: Block) -> list[list[Instruction]]:
    """The issue rows of a scheduled block."""
    cycles = groupby(block.instructions, key=lambda i: i.attributes["cycle"])
    return [list(row) for _, row in cycles]


def run(function: Function, machine: Machine, options: BundleOptions) -> Changes:
    bundler, description = find_bundler(options.bundler), machine.description
    builder, changes, live = Builder(function), Changes(), machine_liveness(function)
    blocks = {}
    for name, block in function.blocks.items():
        blocks[name] = _pack(block, bundler, description, live, options.share_bundles)
        for packed in blocks[name]:
            changes.count("rows", packed.rows)
            changes.count("rows that share bundles", packed.rows if packed.rows > 1 else 0)
            changes.count("split issues", packed.cycles(description) - packed.rows)
    if options.align_loops:
        changes.count("alignment bundles", align(function, blocks, description))
    for name, rows in blocks.items():
        bundles = [(bundle, packed.code) for packed in rows for bundle in packed.bundles]
        changes.count("bundles", len(bundles))
        for kind in (kind for bundle, _ in bundles for kind in bundle.nops):
            changes.count(str(nop(kind)))
        code = [i for bundle, row in bundles for i in instructions_of(bundle, row)]
        builder.set_instructions(function.blocks[name], code)
    return changes


def _pack(
    block: Block, bundler: Bundler, description: Epic, live: MachineLiveness, share: bool
) -> list[PackedRows]:
    """The bundles of a block's rows."""
    code = rows_of(block)
    rows = [_pack_row(row, block.instructions[-1], bundler, description, live) for row in code]
    if not share or not bundler.shares:
        runs = [Run(1, row.bundles) for row in rows]
    else:
        runs = share_bundles(rows, automaton(description))
    packed, first = [], 0
    for run in runs:
        those = [i for row in code[first : first + run.rows] for i in row]
        packed.append(PackedRows(those, run.rows, run.bundles))
        first += run.rows
    return packed


def _pack_row(
    code: list[Instruction],
    branch: Instruction,
    bundler: Bundler,
    description: Epic,
    live: MachineLiveness,
) -> Row:
    """One row of the block that ends with `branch`."""
    syllables = [syllable_of(instruction.operation) for instruction in code]
    arcs, stages = _arcs_and_stages(code, branch, description, live)
    try:
        bundles = bundler.pack(syllables, arcs, stages, automaton(description))
    except DoesNotFit as problem:
        raise does_not_issue(code[problem.node], description) from None
    splits = PackedRows(code, 1, bundles).cycles(description) > 1
    order = None if splits else [(arc.source, arc.target) for arc in meeting(arcs, stages)]
    return Row(syllables, order, bundles)


def _arcs_and_stages(
    row: list[Instruction], branch: Instruction, description: Epic, live: MachineLiveness
) -> tuple[list[Arc], list[int]]:
    """The dependences inside a row; a kernel's instructions know them."""
    if "kernel" not in branch.attributes:
        after = dependences(row, description, live).after
        arcs = [
            Arc(a, b, 0, latency) for a, arcs in enumerate(after) for b, latency in arcs.items()
        ]
        return arcs, [0] * len(row)
    stages = [instruction.attributes["stage"] for instruction in row]
    position = {instruction.attributes["node"]: n for n, instruction in enumerate(row)}
    before = [(n, position[a]) for n, i in enumerate(row) for a in i.attributes.get("after", ())]
    return [Arc(a, n, stages[a] - stages[n], 0) for n, a in before], stages


PLUGIN = Pass(
    "bundle",
    "Pack issue rows into bundles and set stops.",
    run,
    forms={"scheduled": "bundled"},
    options=BundleOptions,
    kinds=("epic",),
)
