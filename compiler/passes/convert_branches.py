"""Replace conditional code by guarded instructions (if-conversion).

    A: branch p, T, J             A: t = add.i64 a, 1        (t is not read after T)
    T: t = add.i64 a, 1     ->       @p store.i64 q, t
       store.i64 q, t                @p x = copy.i64 t
       x = copy.i64 t                jump J
       jump J

    A: branch p, B, J             A: r = const.i1 0          (B's second branch is under p)
    B: branch q, T, J       ->       @p r = copy.i1 q
    T: x = add.i64 x, 1              @r x = add.i64 x, 1
       jump J                        jump J

What lies between a branch and the block where its ways meet (`compiler.analyses.branch_regions`)
becomes straight code if it is short, and so does the body of an innermost loop that is not too
long, whole, as only a loop of one block can be pipelined.  A block that every way passes needs no
guard; one that a single way from such a block leads to is guarded by that branch's condition; any
other has a variable of its own, which is 0 before and set where control would go to the block
(Allen, Kennedy, Porterfield, Warren, *Conversion of Control Dependence to Data Dependence*, 1983).

Guards keep faults where they are, since a guarded-off load, store or division does nothing.  What
cannot fault and whose result nobody reads who does not come from there runs without the guard, so
that it need not wait for it.  For functions in variable form.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from compiler.analyses.branch_regions import BranchRegion, body_regions, branch_region
from compiler.analyses.control_flow import control_flow
from compiler.analyses.dominators import dominators
from compiler.analyses.liveness import liveness
from compiler.analyses.loops import loops
from compiler.ir.builder import Builder
from compiler.ir.module import Function, Guard, Instruction
from compiler.passes.simplify_control_flow import simplify
from compiler.transformation import Changes, Pass, option
from machines.load import Machine
from machines.types import I1

LONG_SEQUENCES = {"div": 12, "div_s": 12, "div_u": 12, "rem_s": 12, "rem_u": 12, "sqrt": 12}
"""Operations that become many: how many instructions they count as."""
COMPLEMENTS = {
    f"{one}{sign}": f"{other}{sign}"
    for one, other in (("lt", "ge"), ("ge", "lt"), ("le", "gt"), ("gt", "le"))
    for sign in ("_s", "_u")
} | {"eq": "ne", "ne": "eq"}
"""Comparisons of integers and those that hold where they do not."""


@dataclass(frozen=True, slots=True)
class ConvertOptions:
    limit: int = option(8, "Most instructions between a branch and where its ways meet.")
    loop_limit: int = option(40, "The same for all branches of an innermost loop together.")


def convert(function: Function, options: ConvertOptions) -> Changes:
    """Convert the branches of innermost loops and all short ones."""
    changes = Changes()
    while True:
        found = _first_convertible(function, options)
        if found is None:
            break
        changes.count("branches converted", 1 + _branches_in(function, found))
        _Conversion(function, found).run()
        simplify(function)
    _explain(function, options, changes)
    return changes


# What to convert


def _first_convertible(function: Function, options: ConvertOptions) -> BranchRegion | None:
    for loop in loops(function).by_header.values():
        regions = [] if loop.children else body_regions(function, loop)
        if isinstance(regions, str) or not regions:
            continue
        if _why_not(function, regions, options.loop_limit) is None:
            return regions[0]
    for name in control_flow(function).reverse_postorder:
        region = branch_region(function, name)
        if region is not None and _why_not(function, [region], options.limit) is None:
            return region
    return None


def _why_not(function: Function, regions: list[BranchRegion], limit: int) -> str | None:
    """Why regions are left alone, None if they are converted."""
    code = [
        instruction
        for region in regions
        for name in region.blocks
        for instruction in function.blocks[name].instructions[:-1]
    ]
    if any(i.operation.implicit_reads for i in code):
        return "conditions nothing is known of"
    if any(i.operation.calls for i in code):
        return "calls"
    if sum(LONG_SEQUENCES.get(i.operation.name.split(".")[0], 1) for i in code) > limit:
        return "too much code"
    return None


def _explain(function: Function, options: ConvertOptions, changes: Changes) -> None:
    """Say why branches and innermost loops of several blocks are still there."""
    for name, block in function.blocks.items():
        region = branch_region(function, name)
        if region is not None:
            why = _why_not(function, [region], options.limit)
            changes.note(f"branch left: {why or 'its loop'}", block.terminator)
    for loop in loops(function).by_header.values():
        if loop.children or len(loop.members) == 1:
            continue
        why = body_regions(function, loop)
        if isinstance(why, list):
            why = _why_not(function, why, options.loop_limit) or "jumps"
        about = function.blocks[loop.latches[-1]].terminator
        changes.note(f"loop of several blocks: {why}", about)


def _branches_in(function: Function, region: BranchRegion) -> int:
    return sum(function.blocks[n].terminator.operation.name == "branch" for n in region.blocks)


# How


@dataclass(frozen=True, slots=True)
class _Edge:
    """A way into a block of the region: from where, and under which condition there."""

    source: str
    condition: Guard | None


class _Conversion:
    """Writes the code of a region behind that of its head, block by block.

    guards   when the code of a block has an effect; None: always
    entries  for a block with a variable of its own: that variable
    """

    def __init__(self, function: Function, region: BranchRegion):
        self.function, self.region = function, region
        self.blocks = [function.blocks[name] for name in region.blocks]
        self.builder = Builder(function)
        self.guards: dict[str, Guard | None] = {region.head: None}
        self.entries: dict[str, str] = {}
        self.edges = {name: self._edges(name) for name in region.blocks}
        self.joined = self._joined()
        self.needed = {name: self._needed(name) for name in region.blocks}
        self.rest = [i for block in self.blocks for i in block.instructions]

    def run(self) -> None:
        """The function knows nothing of its old graph afterwards, so all is asked before."""
        head = self.function.blocks[self.region.head]
        last = head.terminator
        self.builder.set_instructions(head, head.instructions[:-1])
        self.builder.at(head)
        self.builder.location = last.location
        code = list(head.instructions)
        for name in self.region.blocks:
            if self._has_variable(name):
                self.entries[name] = self.builder.fresh("enter", I1)
                self.builder.emit("const.i1", 0, result=self.entries[name])
        self._leave(self.region.head, last, code)
        for block in self.blocks:
            self.guards[block.name] = self._guard(block.name)
            self._write(block.name, block.instructions[:-1])
            del self.rest[: len(block.instructions)]
            self._leave(block.name, block.terminator, block.instructions[:-1])
        self.builder.jump(self.region.join)
        for block in self.blocks:
            self.builder.remove_block(block.name)

    # Questions to the graph

    def _edges(self, name: str) -> list[_Edge]:
        found = []
        for source in control_flow(self.function).predecessors[name]:
            last = self.function.blocks[source].terminator
            condition = None
            if last.operation.name == "branch":
                condition = Guard(str(last.operands[0]), negated=last.operands[2] == name)
            found.append(_Edge(source, condition))
        return found

    def _joined(self) -> dict[str, str]:
        """The block before each one that is passed whenever that one was, and that dominates it."""
        found = {}
        for name in self.region.blocks:
            above = dominators(self.function).parent[name]
            between = branch_region(self.function, above)
            meet_here = between is not None and between.join == name
            if meet_here or self.edges[name] == [_Edge(above, None)]:
                found[name] = above
        return found

    def _needed(self, name: str) -> frozenset[str]:
        """What is read behind a block also on ways that do not pass it."""
        live_in, dominance = liveness(self.function).live_in, dominators(self.function)
        later = self.region.blocks[self.region.blocks.index(name) + 1 :]
        others = [other for other in later if not dominance.dominates(name, other)]
        return frozenset(v for other in (*others, self.region.join) for v in live_in[other])

    # Conditions

    def _has_variable(self, name: str) -> bool:
        if name in self.joined:
            return False
        (first, *others) = self.edges[name]
        return bool(others) or not self._is_always(first.source)

    def _is_always(self, name: str) -> bool:
        """Whether every way through the region passes a block."""
        while name in self.joined:
            name = self.joined[name]
        return name == self.region.head

    def _guard(self, name: str) -> Guard | None:
        if name in self.joined:
            return self.guards[self.joined[name]]
        if name in self.entries:
            return Guard(self.entries[name])
        return self.guards[name]

    def _leave(self, name: str, last: Instruction, code: list[Instruction]) -> None:
        """Note at the end of a block under which conditions control goes where."""
        kept: dict[str, str] = {}
        for target in dict.fromkeys(last.labels):
            if target not in self.edges or target in self.joined:
                continue
            (edge,) = (edge for edge in self.edges[target] if edge.source == name)
            if target in self.entries:
                self._enter(self.entries[target], edge, code)
            else:
                self.guards[target] = self._lasting(edge.condition, kept)

    def _lasting(self, condition: Guard, kept: dict[str, str]) -> Guard:
        """The condition, in a copy if the region will write its variable again."""
        name = condition.name
        if any(name in i.results for i in self.rest):
            if name not in kept:
                kept[name] = self.builder.fresh(name, I1)
                self.builder.emit("copy.i1", name, result=kept[name])
            name = kept[name]
        return replace(condition, name=name)

    def _enter(self, variable: str, edge: _Edge, code: list[Instruction]) -> None:
        """Set a block's variable where control goes to it; it is 0 if control comes here."""
        guard, condition = self.guards[edge.source], edge.condition
        if condition is None or guard is None:
            self.builder.emit("const.i1", 1, result=variable, guard=condition or guard)
            return
        made = _comparison(condition, code)
        if made is not None:
            name, operands = made
            self.builder.emit(name, *operands, result=variable, guard=guard)
        else:
            self._set(variable, condition, guard)

    def _set(self, variable: str, value: Guard, guard: Guard) -> None:
        operation = "not.i1" if value.negated else "copy.i1"
        self.builder.emit(operation, value.name, result=variable, guard=guard)

    # Code

    def _write(self, name: str, code: list[Instruction]) -> None:
        guard, needed = self.guards[name], self.needed[name]
        both: dict[Guard, Guard] = {}
        for instruction in code:
            if guard is None or _runs_freely(instruction, needed):
                self.builder.insert(instruction)
            elif instruction.guard is None:
                self.builder.insert(replace(instruction, guard=guard))
            else:
                if instruction.guard not in both:
                    both[instruction.guard] = self._both(guard, instruction.guard)
                self.builder.insert(replace(instruction, guard=both[instruction.guard]))
            both = {own: two for own, two in both.items() if own.name not in instruction.results}

    def _both(self, guard: Guard, own: Guard) -> Guard:
        """A guard that holds where both do."""
        variable = self.builder.fresh("both", I1)
        self.builder.emit("const.i1", 0, result=variable)
        self._set(variable, own, guard)
        return Guard(variable)


def _comparison(condition: Guard, code: list[Instruction]) -> tuple[str, tuple] | None:
    """The comparison that a block ends with, as it holds if its branch goes that way, None if
    its condition is none or what is compared has changed since."""
    written: set[str] = set()
    for instruction in reversed(code):
        if condition.name in instruction.results:
            break
        written.update(instruction.results)
    else:
        return None
    relation, _, type = instruction.operation.name.partition(".")
    if instruction.guard is not None or not written.isdisjoint(instruction.variables_read):
        return None
    if condition.name in instruction.operands or relation not in COMPLEMENTS:
        return None
    if condition.negated:
        if instruction.operation.reads[0].kind.is_float:
            return None
        relation = COMPLEMENTS[relation]
    return f"{relation}.{type}", instruction.operands


def _runs_freely(instruction: Instruction, needed: frozenset[str]) -> bool:
    """True if an instruction can run although control does not come to it.

    It cannot fault, it is cheap, and what it overwrites is not needed by anyone else.
    """
    long = instruction.operation.name.split(".")[0] in LONG_SEQUENCES
    overwrites = any(name in needed for name in instruction.results)
    return not (instruction.operation.has_effect or long or overwrites)


def run(function: Function, machine: Machine, options: ConvertOptions) -> Changes:
    return convert(function, options)


PLUGIN = Pass(
    "convert_branches",
    "Replace conditional code by guarded instructions, innermost loops whole.",
    run,
    options=ConvertOptions,
)
