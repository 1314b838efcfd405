"""Pack the rows of a scheduled function into bundles, with a stop after every row.

    cycle 3: ld8 r14 = [r15]     ->   { .mii   ld8 r14 = [r15]
                                               nop.i 0
                                               nop.i 0 ;; }

How one row becomes bundles is a plugin (a `BUNDLER` in a module of this folder), chosen by name.
On exit each block is whole bundles: three instructions each, or two if the second is long; the
first of a bundle carries the template's name in its attribute 'template'.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

import compiler.passes as _folder
from compiler.analyses.dependence_graph import Arc
from compiler.ir.builder import Builder
from compiler.ir.module import Block, Function, Instruction
from compiler.scheduling.problem import LoopSchedule
from compiler.targets.epic.alignment import align
from compiler.targets.epic.automaton import Automaton, automaton
from compiler.targets.epic.bundles import (
    PackedBundle,
    PackedRow,
    Syllable,
    does_not_issue,
    instructions_of,
    nop,
    syllable_of,
)
from compiler.targets.epic.dependences import dependences
from compiler.transformation import Changes, Pass, option
from machines.diagnostics import input_error, nearest
from machines.load import Machine
from machines.plugins import discover


class DoesNotFit(Exception):
    """No bundle takes an operation, whose number in its row is `node`."""

    def __init__(self, node: int):
        super().__init__(f"operation {node} fits no bundle")
        self.node = node


@dataclass(frozen=True)
class Bundler:
    """A way to pack rows: pack(syllables, arcs, stages, automaton) -> bundles.

    `arcs` are those of the dependence graph between operations of the row, by their numbers in it;
    `stages` is 0 for all in straight code.  An empty row gives one bundle of nops.  A stop ends the
    last bundle.  Raises DoesNotFit.
    """

    name: str
    sentence: str
    pack: Callable[
        [Sequence[Syllable], Iterable[Arc], Sequence[int], Automaton], list[PackedBundle]
    ]


def bundlers() -> dict[str, Bundler]:
    """All bundlers by name, built in and from plugins (entry-point group `simrun.bundlers`)."""
    return discover("bundlers", _folder, attribute="BUNDLER")


def find_bundler(name: str) -> Bundler:
    """A bundler by name; raises InputError if there is none."""
    known = bundlers()
    if name not in known:
        raise input_error(f"there is no bundler '{name}'", hint=nearest(name, known))
    return known[name]


@dataclass(frozen=True, slots=True)
class BundleOptions:
    bundler: str = option("microschedule", "Which bundler packs the rows.")
    align_loops: bool = option(
        True, "Fetch the first row of an innermost loop in one cycle, and others at no cost."
    )


def rows_of(block: Block) -> list[list[Instruction]]:
    """The issue rows of a scheduled block."""
    cycles = groupby(block.instructions, key=lambda i: i.attributes["cycle"])
    return [list(row) for _, row in cycles]


def run(function: Function, machine: Machine, options: BundleOptions) -> Changes:
    bundler, packer = find_bundler(options.bundler), automaton(machine.description)
    builder, changes = Builder(function), Changes()
    blocks = {
        name: [_pack(row, block.instructions[-1], bundler, packer) for row in rows_of(block)]
        for name, block in function.blocks.items()
    }
    changes.count("rows", sum(map(len, blocks.values())))
    for rows in blocks.values():
        changes.count("split issues", sum(row.cycles(machine.description) > 1 for row in rows))
    if options.align_loops:
        changes.count("alignment bundles", align(function, blocks, machine.description))
    for name, rows in blocks.items():
        bundles = [(bundle, row.code) for row in rows for bundle in row.bundles]
        changes.count("bundles", len(bundles))
        for kind in (kind for bundle, _ in bundles for kind in bundle.nops):
            changes.count(str(nop(kind)))
        code = [i for bundle, row in bundles for i in instructions_of(bundle, row)]
        builder.set_instructions(function.blocks[name], code)
    return changes


def _pack(
    row: list[Instruction], branch: Instruction, bundler: Bundler, packer: Automaton
) -> PackedRow:
    """The bundles of one row of the block that ends with `branch`."""
    syllables = [syllable_of(instruction.operation) for instruction in row]
    try:
        bundles = bundler.pack(syllables, *_arcs_and_stages(row, branch, packer), packer)
    except DoesNotFit as problem:
        raise does_not_issue(row[problem.node], packer.description) from None
    return PackedRow(row, syllables, bundles)


def _arcs_and_stages(
    row: list[Instruction], branch: Instruction, packer: Automaton
) -> tuple[list[Arc], list[int]]:
    """The dependences inside a row; those of a modulo schedule are known from its problem."""
    kernel: LoopSchedule | None = branch.attributes.get("kernel")
    if kernel is None:
        after = dependences(row, packer.description).after
        arcs = [
            Arc(a, b, 0, latency) for a, arcs in enumerate(after) for b, latency in arcs.items()
        ]
        return arcs, [0] * len(row)
    nodes = [instruction.attributes["node"] for instruction in row]
    return kernel.arcs(nodes), [kernel.stage(node) for node in nodes]


PLUGIN = Pass(
    "bundle",
    "Pack issue rows into bundles and set stops.",
    run,
    forms={"scheduled": "bundled"},
    options=BundleOptions,
)
