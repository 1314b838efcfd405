"""Replace conditional code by guarded instructions (if-conversion).

    A: branch p, T, J             A: t = add.i64 a, 1        (t is not read after T)
    T: t = add.i64 a, 1     ->       @p store.i64 q, t
       store.i64 q, t                @p x = copy.i64 t
       x = copy.i64 t                jump J
       jump J

What lies between a branch and the block where its paths join (`compiler.analyses.branch_regions`)
becomes straight code if it is short, and so does the body of an innermost loop that is not too
long, whole, as only a loop of one block can be pipelined.  If it is left or goes back from several
places, one branch at its end does that instead, and more behind it choose among several exits.  How
the code is written is told in `compiler.rewriting.if_conversion`.

Guards keep faults where they are, since a guarded-off load, store or division does nothing.  An
instruction that cannot fault runs without the guard, so that it need not wait for it, if its result
is read only where control has passed through its block.  For functions in variable form.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from compiler.analyses.branch_regions import BranchRegion, body_regions, loop_region
from compiler.analyses.loops import Loop, loops
from compiler.costs import Costs
from compiler.ir.effects import keeps_order
from compiler.ir.module import Function, Instruction
from compiler.passes.simplify_control_flow import simplify
from compiler.rewriting.branch_graph import BranchGraph
from compiler.rewriting.if_conversion import Conversion
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
    sweep = _Sweep(function, options, costs, changes)
    while sweep.converts_loops() or sweep.converts_branches():
        simplify(function)
        sweep = _Sweep(function, options, costs, changes)
    sweep.explain()
    return changes


@dataclass(frozen=True, slots=True)
class _Weight:
    """Of code: the instructions that it becomes, and how many of it can be given no guard."""

    instructions: int = 0
    calls: int = 0
    meetings: int = 0
    unknown: int = 0

    @classmethod
    def of(cls, code: Iterable[Instruction], costs: Costs) -> _Weight:
        instructions = calls = meetings = unknown = 0
        for instruction in code:
            instructions += costs.instructions(instruction)
            calls += instruction.operation.calls
            if keeps_order(instruction):
                meetings += "threads" in instruction.operation.flags
                unknown += 1
        return cls(instructions, calls, meetings, unknown)

    def __add__(self, other: _Weight) -> _Weight:
        return _Weight(
            self.instructions + other.instructions,
            self.calls + other.calls,
            self.meetings + other.meetings,
            self.unknown + other.unknown,
        )

    def __sub__(self, other: _Weight) -> _Weight:
        return _Weight(
            self.instructions - other.instructions,
            self.calls - other.calls,
            self.meetings - other.meetings,
            self.unknown - other.unknown,
        )

    def why_not(self, limit: int) -> str | None:
        """Why such code is left alone, None if it is converted."""
        if self.calls:
            return "calls"
        if self.meetings:
            return "threads meet there"
        if self.unknown:
            return "conditions nothing is known of"
        return "too much code" if self.instructions > limit else None


class _Sweep:
    """One way over a function, which is analysed once, at its beginning.

    weight   of each block, without its terminator
    regions  of each region, by its head
    whole    of all that has to be converted so that an innermost loop is one block, by its header
    inside   for each block that counts there: that header
    """

    def __init__(self, function: Function, options: ConvertOptions, costs: Costs, changes: Changes):
        self.function, self.options, self.costs, self.changes = function, options, costs, changes
        self.graph = BranchGraph(function)
        self.loops = loops(function)
        self.weight = {
            name: _Weight.of(block.instructions[:-1], costs)
            for name, block in function.blocks.items()
        }
        self.regions = self.graph.regions.sums(self.weight)
        self.whole: dict[str, _Weight] = {}
        self.inside: dict[str, str] = {}
        self.why_not: dict[str, str] = {}
        for header, loop in self.loops.by_header.items():
            if not loop.children:
                self._weigh(header, loop)

    def _weigh(self, header: str, loop: Loop) -> None:
        regions = self._whole(loop)
        if isinstance(regions, str):
            self.why_not[header] = regions
            return
        self.whole[header] = _Weight()
        for name in (name for region in regions for name in region.blocks):
            self.inside[name] = header
            self.whole[header] += self.weight[name]

    def _whole(self, loop: Loop) -> list[BranchRegion] | str:
        """What has to be converted so that an innermost loop becomes one block, or why that
        cannot be."""
        found = body_regions(self.function, loop, self.graph.region)
        if isinstance(found, str) and self.options.exits:
            region = loop_region(self.function, loop)
            return [region] if region is not None else found
        return found

    def converts_loops(self) -> bool:
        """Convert innermost loops; whether there was one."""
        return sum(map(self._converts_loop, self.whole)) > 0

    def converts_branches(self) -> bool:
        """Convert short branches, and loops that have become short; whether there was one."""
        some = False
        for name in self.graph.order:
            while name in self.function.blocks and self._is_short(name):
                some = True
                self._convert(self.graph.region(name))
                around = self.loops.innermost[name]
                if around in self.whole:
                    self._converts_loop(around)
        return some

    def _is_short(self, head: str) -> bool:
        weight = self.regions.get(self.graph.end_of(head))
        is_short = weight is not None and weight.why_not(self.options.limit) is None
        return is_short and self.graph.join(head) is not None

    def _converts_loop(self, header: str) -> bool:
        some = False
        while self.whole[header].why_not(self.options.loop_limit) is None:
            regions = self._whole(self.graph.loop(self.loops.by_header[header]))
            if isinstance(regions, str) or not regions:
                break
            some = True
            self._convert(regions[0])
        return some

    def _convert(self, region: BranchRegion) -> None:
        head, blocks = self.function.blocks[region.head], self.function.blocks
        branches = sum(blocks[n].terminator.operation.name == "branch" for n in region.blocks)
        self.changes.count("branches converted", 1 + branches)
        before = len(head.instructions) - 1
        Conversion(self.graph, region, self.costs).run()
        following = self.graph.take_in(region.head)
        gone = region.blocks if following is None else (*region.blocks, following)
        for name in gone:
            if name in self.inside:
                self.whole[self.inside[name]] -= self.weight[name]
        more = _Weight.of(head.instructions[before:-1], self.costs)
        if region.head in self.inside:
            self.whole[self.inside[region.head]] += more
        self.weight[region.head] += more

    def explain(self) -> None:
        """Say why branches and innermost loops of several blocks are still there, if this sweep
        has converted nothing."""
        for name, block in self.function.blocks.items():
            if name in self.regions:
                why = self.regions[name].why_not(self.options.limit)
                self.changes.note(f"branch left: {why or 'its loop'}", block.terminator)
        for header, loop in self.loops.by_header.items():
            if loop.children or len(loop.members) == 1:
                continue
            why = self.why_not.get(header)
            if why is None:
                why = self.whole[header].why_not(self.options.loop_limit) or "jumps"
            about = self.function.blocks[loop.latches[-1]].terminator
            self.changes.note(f"loop of several blocks: {why}", about)


def run(function: Function, machine: Machine, options: ConvertOptions) -> Changes:
    return convert(function, options, costs_of(machine))


PLUGIN = Pass(
    "convert_branches",
    "Replace conditional code by guarded instructions, innermost loops whole.",
    run,
    options=ConvertOptions,
)
