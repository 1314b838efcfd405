"""Short loops of a SIMT machine run four iterations at a time.

                                              setp.gt.s32 %q, %n, 3
    loop: ld.global.b32 %a, [%p+0]            bra %q, four, loop
          add.f32   %s, %s, %a          four: ld.global.b32 %a.1, [%p+0]
          add.s64   %p, %p, 4     ->          ld.global.b32 %a.2, [%p+4]  …
          add.s32   %n, %n, -1                add.s32     %n, %n, -4
          setp.ne   %r, %n, 0                 setp.gt.s32 %q, %n, 3
          bra %r, loop, out                   bra %q, four, rest
                                        rest: bra %r, loop, out
                                        loop: (as it was)

What four iterations load is under way at once, as far as there are registers.  ptxas for sm_90 does
so, also to what the compiler before it has unrolled, if the loop counts (`counted_loops`), nothing
forbids it (`.pragma "nounroll"`), and its rows are few: of a chain of sums it takes 18 and not 19,
of loads with a sum each 14 and not 16.  Barriers, shuffles and votes are repeated, too, if all
lanes go round equally often.  Of a loop whose length is known more is written out, without tests in
between, and without a loop if that is short (`known_trips`).
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.analyses.control_flow import control_flow
from compiler.ir.builder import Builder
from compiler.ir.module import Block, Function, Instruction
from compiler.targets.simt.analyses.parting_branches import parting_branches
from compiler.targets.simt.combination.values import row
from compiler.targets.simt.counted_loops import CountedLoop, counted_loop
from compiler.targets.simt.known_trips import Copies, copies, rows_of, trips_of
from compiler.targets.simt.passes.remove_dead_lanes import remove_dead
from compiler.targets.simt.registers.operands import copied
from compiler.targets.simt.repeated_rows import RepeatedRows
from compiler.transformation import Changes, Pass, option
from machines.description.load import Machine
from machines.instructions.ptx_operands import SOFTWARE
from machines.kinds.simt.code import ROLLED
from machines.kinds.simt.fields import Simt
from machines.types import I1


@dataclass(frozen=True, slots=True)
class UnrollLoopsOptions:
    limit: int = option(
        20, "Most instructions of an iteration, loads and copies not counted; 0: no loop is."
    )
    times: int = option(4, "Iterations at a time.")


def unroll(function: Function, limit: int, times: int, description: Simt) -> Changes:
    """Unroll the loops of one block that count and have at most `limit` instructions."""
    changes, builder = Changes(), Builder(function)
    if not limit or times < 2:
        return changes
    for name in control_flow(function).reverse_postorder:
        block = function.blocks[name]
        may_not = ROLLED.of(block) or block is function.entry
        loop = None if may_not else counted_loop(block)
        if loop is None or not _may_be_repeated(function, block):
            continue
        trips = trips_of(function, loop)
        known = copies(trips.count, rows_of(loop, description)) if trips else None
        if known is not None:
            changes.note("loop of known length unrolled", block.terminator)
            _write_out(function, builder, loop, known, trips.end)
        elif trips is None and _is_short(block, limit, description):
            changes.note("loop unrolled", block.terminator)
            _unroll(function, builder, loop, times)
    if changes:
        remove_dead(function)
    return changes


def _may_be_repeated(function: Function, block: Block) -> bool:
    if any(i.operation.flags & SOFTWARE for i in block.instructions[:-1]):
        return False
    return not _meets(block) or _is_counted_alike(function, block)


def _is_short(block: Block, limit: int, description: Simt) -> bool:
    code = block.instructions[:-1]
    slots = [
        description.classes[i.operation.scheduling_class].slots
        for i in code
        if copied(i) is None and all(access.kind != "load" for access in i.operation.accesses)
    ]
    return sum(slots) <= limit


def _meets(block: Block) -> bool:
    """Whether threads come together in a block: at a barrier, or for a shuffle or vote."""
    return any(i.operation.is_convergent for i in block.instructions)


def _is_counted_alike(function: Function, block: Block) -> bool:
    """Whether all lanes in a loop leave it together, so that they still meet at one row each time
    when there are several copies of it."""
    number = list(function.blocks).index(block.name)
    return number not in parting_branches(function)


def _write_out(
    function: Function, builder: Builder, loop: CountedLoop, copies: Copies, end: int
) -> None:
    """Write a loop of known length as a loop of several iterations at a time, and those that are
    left behind it; the test is whether the counter has come to those.  At last it is at `end`."""
    block, last = loop.block, loop.block.terminator
    rows = block.instructions[:-1]
    many = RepeatedRows(builder, rows, copies.inside).written()
    if copies.times == 1:
        builder.set_instructions(block, many)
        builder.at(block)
        builder.emit(row("bra.uni"), loop.out, location=last.location)
        return
    ROLLED.say(block, True)
    if not copies.behind:
        builder.set_instructions(block, [*many, last])
        return
    rest = builder.block(builder.fresh_block(block.name), block.location)
    builder.set_instructions(block, many)
    builder.at(block)
    test = builder.fresh("%many", I1)
    before = end - loop.step * copies.behind
    builder.emit(row("setp.ne.s32"), loop.counter, before, result=test, location=last.location)
    builder.emit(row("bra"), test, block.name, rest.name, location=last.location)
    builder.set_instructions(rest, RepeatedRows(builder, rows, copies.behind).written())
    builder.at(rest)
    builder.emit(row("bra.uni"), loop.out, location=last.location)
    order = [one for one in function.blocks if one != rest.name]
    place = order.index(block.name) + 1
    builder.order([*order[:place], rest.name, *order[place:]])


def _unroll(function: Function, builder: Builder, loop: CountedLoop, times: int) -> None:
    block, at = loop.block, loop.block.terminator.location
    before = set(control_flow(function).predecessors[block.name]) - {block.name}
    test = builder.block(builder.fresh_block(block.name), block.location)
    many = builder.block(builder.fresh_block(block.name), block.location)
    rest = builder.block(builder.fresh_block(block.name), block.location)
    for other in before:
        _lead(builder, function.blocks[other], block.name, test.name)
    builder.at(test)
    follow = loop.many_follow(builder, times)
    builder.emit(row("bra"), follow(), many.name, block.name, location=at)
    builder.set_instructions(many, RepeatedRows(builder, block.instructions[:-1], times).written())
    builder.at(many)
    builder.emit(row("bra"), follow(), many.name, rest.name, location=at)
    last = block.terminator
    builder.set_instructions(rest, [Instruction(last.operation, (), last.operands, location=at)])
    ROLLED.say(block, True)
    ROLLED.say(many, True)
    _lay_out(builder, function, block.name, (test.name, many.name, rest.name))


def _lead(builder: Builder, block: Block, old: str, new: str) -> None:
    """Let a block's end lead to another block."""
    last = block.terminator
    builder.change(last, operands=tuple(new if one == old else one for one in last.operands))


def _lay_out(builder: Builder, function: Function, name: str, new: tuple[str, ...]) -> None:
    order = [one for one in function.blocks if one not in new]
    place = order.index(name)
    builder.order([*order[:place], *new, *order[place:]])


def run(function: Function, machine: Machine, options: UnrollLoopsOptions) -> Changes:
    return unroll(function, options.limit, options.times, machine.description)


PLUGIN = Pass(
    "unroll_loops",
    "Short loops of a SIMT machine that count run four iterations at a time.",
    run,
    forms={"virtual": "virtual"},
    options=UnrollLoopsOptions,
    kinds=("simt",),
)
