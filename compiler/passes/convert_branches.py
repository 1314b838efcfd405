"""Replace conditional code by guarded instructions (if-conversion).

    A: branch p, T, J             A: t = add.i64 a, 1        (t is not read after T)
    T: t = add.i64 a, 1     ->       @p store.i64 q, t
       store.i64 q, t                @p x = copy.i64 t
       x = copy.i64 t                jump J
       jump J

What lies between a branch and the block where its ways meet (`compiler.analyses.branch_regions`)
becomes straight code if it is short, and so does the body of an innermost loop that is not too
long, whole, as only a loop of one block can be pipelined.  If it is left or goes back from several
places, one branch at its end does that instead, and more behind it choose among several exits.  How
the code is written is told in `compiler.ir.rewriting.if_conversion`.

Guards keep faults where they are, since a guarded-off load, store or division does nothing.  What
cannot fault and whose result nobody reads who does not come from there runs without the guard, so
that it need not wait for it.  For functions in variable form.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.analyses.branch_regions import (
    BranchRegion,
    body_regions,
    branch_region,
    loop_region,
)
from compiler.analyses.control_flow import control_flow
from compiler.analyses.loops import Loop, loops
from compiler.costs import Costs
from compiler.ir.effects import keeps_order
from compiler.ir.module import Function
from compiler.ir.rewriting.if_conversion import Conversion
from compiler.passes.simplify_control_flow import simplify
from compiler.targets import costs_of
from compiler.transformation import Changes, Pass, option
from machines.description.load import Machine


@dataclass(frozen=True, slots=True)
class ConvertOptions:
    limit: int = option(8, "Most instructions between a branch and where its ways meet.")
    loop_limit: int = option(40, "The same for all branches of an innermost loop together.")
    exits: bool = option(True, "Also let one branch end a loop that is left in the middle.")


def convert(function: Function, options: ConvertOptions, costs: Costs) -> Changes:
    """Convert the branches of innermost loops and all short ones."""
    changes = Changes()
    while True:
        found = _first_convertible(function, options, costs)
        if found is None:
            break
        changes.count("branches converted", 1 + _branches_in(function, found))
        Conversion(function, found, costs).run()
        simplify(function)
    _explain(function, options, costs, changes)
    return changes


def _first_convertible(
    function: Function, options: ConvertOptions, costs: Costs
) -> BranchRegion | None:
    for loop in loops(function).by_header.values():
        regions = [] if loop.children else _whole(function, loop, options)
        if isinstance(regions, str) or not regions:
            continue
        if _why_not(function, regions, options.loop_limit, costs) is None:
            return regions[0]
    for name in control_flow(function).reverse_postorder:
        region = branch_region(function, name)
        if region is not None and _why_not(function, [region], options.limit, costs) is None:
            return region
    return None


def _whole(function: Function, loop: Loop, options: ConvertOptions) -> list[BranchRegion] | str:
    """What has to be converted so that an innermost loop becomes one block, or why it cannot."""
    found = body_regions(function, loop)
    if isinstance(found, str) and options.exits:
        region = loop_region(function, loop)
        return [region] if region is not None else found
    return found


def _why_not(
    function: Function, regions: list[BranchRegion], limit: int, costs: Costs
) -> str | None:
    """Why regions are left alone, None if they are converted."""
    code = [
        instruction
        for region in regions
        for name in region.blocks
        for instruction in function.blocks[name].instructions[:-1]
    ]
    if any(i.operation.calls for i in code):
        return "calls"
    if any("threads" in i.operation.flags and keeps_order(i) for i in code):
        return "threads meet there"
    if any(keeps_order(i) for i in code):
        return "conditions nothing is known of"
    if sum(map(costs.instructions, code)) > limit:
        return "too much code"
    return None


def _explain(function: Function, options: ConvertOptions, costs: Costs, changes: Changes) -> None:
    """Say why branches and innermost loops of several blocks are still there."""
    for name, block in function.blocks.items():
        region = branch_region(function, name)
        if region is not None:
            why = _why_not(function, [region], options.limit, costs)
            changes.note(f"branch left: {why or 'its loop'}", block.terminator)
    for loop in loops(function).by_header.values():
        if loop.children or len(loop.members) == 1:
            continue
        why = _whole(function, loop, options)
        if isinstance(why, list):
            why = _why_not(function, why, options.loop_limit, costs) or "jumps"
        about = function.blocks[loop.latches[-1]].terminator
        changes.note(f"loop of several blocks: {why}", about)


def _branches_in(function: Function, region: BranchRegion) -> int:
    return sum(function.blocks[n].terminator.operation.name == "branch" for n in region.blocks)


def run(function: Function, machine: Machine, options: ConvertOptions) -> Changes:
    return convert(function, options, costs_of(machine))


PLUGIN = Pass(
    "convert_branches",
    "Replace conditional code by guarded instructions, innermost loops whole.",
    run,
    options=ConvertOptions,
)
