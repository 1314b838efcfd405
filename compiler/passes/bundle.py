"""Pack the rows of a scheduled function into bundles, with a stop after every row.

    cycle 3: ld8 r14 = [r15]     ->   { .mfb   ld8 r14 = [r15]
                                               nop.f 0
                                               nop.b 0 ;; }

How one row becomes bundles is a plugin (a `BUNDLER` in a module of this folder), chosen by name.
On exit each block is whole bundles: three instructions each, or two if the second is long; the
first of a bundle carries the template's name in its attribute 'template'.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby

import compiler.passes as _folder
from compiler.ir.builder import Builder
from compiler.ir.module import Block, Function, Instruction
from compiler.targets.epic.bundles import Bundle, Templates
from compiler.targets.epic.dependences import dependences
from compiler.targets.epic.flow import machine_loops
from compiler.transformation import Changes, Pass, option
from machines.diagnostics import input_error, nearest
from machines.kinds.epic import Epic
from machines.load import Machine
from machines.plugins import discover
from machines.program import BUNDLE_BYTES


@dataclass(frozen=True)
class Bundler:
    """A way to pack rows: pack(row, before, templates, description) -> bundles without stops.

    `before[k]` are the positions in the row that instruction k must not precede; an empty row gives
    one bundle of nops.
    """

    name: str
    sentence: str
    pack: Callable[[list[Instruction], list[set[int]], Templates, Epic], list[Bundle]]


def bundlers() -> dict[str, Bundler]:
    """All bundlers by name, built in and from plugins (entry-point group `simrun.bundlers`)."""
    return discover("bundlers", _folder, attribute="BUNDLER")


@dataclass(frozen=True, slots=True)
class BundleOptions:
    bundler: str = option("linear", "Which bundler packs the rows.")
    align_loops: bool = option(True, "Fetch the first row of an innermost loop in one cycle.")


def rows_of(block: Block) -> list[list[Instruction]]:
    """The issue rows of a scheduled block."""
    cycles = groupby(block.instructions, key=lambda i: i.attributes["cycle"])
    return [list(row) for _, row in cycles]


def run(function: Function, machine: Machine, options: BundleOptions) -> Changes:
    known = bundlers()
    if options.bundler not in known:
        raise input_error(
            f"there is no bundler '{options.bundler}'", hint=nearest(options.bundler, known)
        )
    description: Epic = machine.description
    bundler, templates = known[options.bundler], Templates(description)
    heads = _innermost_heads(function) if options.align_loops else set()
    fetched = max(description.branches.fetch_bytes // BUNDLE_BYTES, 1)
    builder, changes = Builder(function), Changes()
    position = 0
    last: list[Instruction] = []  # the block before
    for name, block in function.blocks.items():
        rows = [_pack(row, bundler, templates, description) for row in rows_of(block)]
        first = len(rows[0]) if rows else 0
        if name in heads and position % fetched + first > fetched:
            missing = fetched - position % fetched
            # Without stops: reached by falling through, they issue together and with the loop.
            for bundle in missing * bundler.pack([], [], templates, description):
                last += templates.finish(bundle)
            position += missing
            changes.count("alignment bundles", missing)
        code: list[Instruction] = []
        for bundles in rows:
            position += len(bundles)
            changes.count("bundles", len(bundles))
            changes.count(
                "rows of too many bundles", len(bundles) > description.dispersal.bundles_per_cycle
            )
            for bundle in bundles:
                code += templates.finish(bundle)
        changes.count("nops", sum("nop" in i.operation.flags for i in code))
        builder.set_instructions(block, code)
        last = block.instructions
    return changes


def _pack(
    row: list[Instruction], bundler: Bundler, templates: Templates, description: Epic
) -> list[Bundle]:
    """The bundles of one row, with a stop after the last."""
    before = [set(arcs) for arcs in dependences(row, description).before]
    bundles = bundler.pack(row, before, templates, description)
    return [*bundles[:-1], bundles[-1].with_stop()]


def _innermost_heads(function: Function) -> set[str]:
    """Heads of loops that contain no other loop."""
    loops = machine_loops(function).by_header
    return {head for head, loop in loops.items() if not loop.children}


PLUGIN = Pass(
    "bundle",
    "Pack issue rows into bundles and set stops.",
    run,
    forms={"scheduled": "bundled"},
    options=BundleOptions,
)
