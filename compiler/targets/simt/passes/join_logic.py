"""Logic of at most three inputs is one row, whatever its shape (LOP3).

    %x = and.b32 %b, %c
    %n = not.b32 %b
    %y = and.b32 %n, %d         ->     %f = lop3.b32 %b, %c, %d, 202
    %f = or.b32  %x, %y

For the rows of SIMT machines over virtual registers, block by block; which rows become one says
`compiler.targets.simt.logic_cones`.  A value that is needed otherwise too is made for itself, so
no row is made longer, and what is no longer read is left for `remove_dead_lanes`.  ptxas does it
for all chips that have LOP3; so this is done for machines that have a compute capability, unless
another wish is told: `--passes default,-join_logic`, or `{join_logic: {always: true}}`.
"""

from __future__ import annotations

from compiler.ir.builder import Builder
from compiler.ir.module import Block, Function, Instruction, Value
from compiler.targets.simt.as_ptxas import AsPtxasOptions, is_wanted
from compiler.targets.simt.combination.values import are_same, row, values_of
from compiler.targets.simt.logic_cones import (
    INPUTS,
    OF_TWO,
    PLACES,
    Cone,
    LogicOfBlock,
    table_of,
)
from compiler.transformation import Changes, Pass
from machines.description.load import Machine


def join(function: Function) -> Changes:
    changes, builder = Changes(), Builder(function)
    found = [block for block in function.blocks.values() if _may_be_joined(block)]
    uses = values_of(function).uses if found else {}
    for block in found:
        logic = LogicOfBlock(block.instructions, uses)
        chosen = _chosen(logic)
        code = [_instead(i, chosen.get(id(i)), changes) for i in block.instructions]
        if not are_same(code, block.instructions):
            builder.set_instructions(block, code)
    return changes


def _may_be_joined(block: Block) -> bool:
    """Whether a block has several rows of logic."""
    return sum(table_of(i) is not None for i in block.instructions) > 1


def _chosen(logic: LogicOfBlock) -> dict[int, Cone]:
    """The cone of each row whose value is made, by the row."""
    found: dict[int, Cone] = {}
    needed: set[int] = set()
    for one in reversed(logic.rows):
        if not (one.read_outside or id(one) in needed) or not one.cones:
            continue
        cone = one.cones[0]
        found[id(one.row)] = cone
        needed.update(id(made) for leaf in cone.leaves if (made := logic.made(leaf)))
    return found


def _instead(i: Instruction, cone: Cone | None, changes: Changes) -> Instruction:
    """The row that a cone is, in place of the one that it ends in."""
    if cone is None:
        return i
    name, operands = _row_of(cone)
    if len(operands) == len(i.operands) and set(operands) == set(i.operands):
        return i
    changes.note("logic joined", i)
    attributes = dict(i.attributes)
    return Instruction(row(name), i.results, operands, None, (), attributes, i.location)


def _row_of(cone: Cone) -> tuple[str, tuple[Value, ...]]:
    """The simplest row with a function, and its operands."""
    leaves, table = cone.leaves, cone.table
    values = tuple(value for value, _ in leaves)
    if not leaves:
        return "mov.b32", (-1 if table else 0,)
    if len(leaves) == 1:
        return ("mov.b32" if table == PLACES[0] else "not.b32"), values
    for name, of_two in OF_TWO.items():
        if len(leaves) == 2 and table == of_two:
            return f"{name}.b32", values
    padded = (*values, *[0] * (INPUTS - len(values)))
    return "lop3.b32", (*padded, table)


def run(function: Function, machine: Machine, options: AsPtxasOptions) -> Changes:
    return join(function) if is_wanted(machine, options) else Changes()


PLUGIN = Pass(
    "join_logic",
    "Logic of at most three inputs in one row.",
    run,
    forms={"virtual": "virtual"},
    options=AsPtxasOptions,
    kinds=("simt",),
)
