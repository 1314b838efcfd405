"""Write a region of branches as straight code under guards, behind its head.

    A: branch p, B, J             A: r = const.i1 0          (B's second branch is under p)
    B: branch q, T, J       ->       @p r = copy.i1 q
    T: x = add.i64 x, 1              @r x = add.i64 x, 1
       jump J                        jump J

A block that every way passes needs no guard; one that a single way from such a block leads to is
guarded by that branch's condition; any other has a variable of its own, which is 0 before and set
where control would go to the block (Allen, Kennedy, Porterfield, Warren, *Conversion of Control
Dependence to Data Dependence*, 1983).  So have all but one of the ways out.  A comparison that ends
a guarded block is made again, under the guard, in the variable.  For functions in variable form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from compiler.analyses.branch_regions import BranchRegion
from compiler.costs import Costs
from compiler.ir.module import Guard, Instruction
from compiler.rewriting.branch_graph import BranchGraph
from machines.types import I1

COMPLEMENTS = {
    f"{one}{sign}": f"{other}{sign}"
    for one, other in (("lt", "ge"), ("ge", "lt"), ("le", "gt"), ("gt", "le"))
    for sign in ("_s", "_u")
} | {"eq": "ne", "ne": "eq"}
"""Comparisons of integers and those that hold where they do not."""


@dataclass(frozen=True, slots=True)
class _Edge:
    """A way into a block of the region: from where, and under which condition there."""

    source: str
    condition: Guard | None


def _edge(source: str, last: Instruction, target: str) -> _Edge:
    """The way from the block that ends with `last` to one that it names."""
    condition = None
    if last.operation.name == "branch":
        condition = Guard(str(last.operands[0]), negated=last.operands[2] == target)
    return _Edge(source, condition)


class Conversion:
    """Writes the code of a region behind that of its head, block by block.

    guards   when the code of a block has an effect; None: always
    entries  for a block or way with a variable of its own: that variable
    """

    def __init__(self, graph: BranchGraph, region: BranchRegion, costs: Costs):
        self.graph, self.region, self.costs = graph, region, costs
        self.function, self.builder = graph.function, graph.builder
        self.blocks = [self.function.blocks[name] for name in region.blocks]
        self.guards: dict[str, Guard | None] = {region.head: None}
        self.entries: dict[str, str] = {}
        self.edges = self._edges()
        self.joined = self._joined()
        self.needed = {name: self._needed(name) for name in region.blocks}
        self.rest = [i for block in self.blocks for i in block.instructions]

    def run(self) -> None:
        """The function knows nothing of its old graph afterwards, so all is asked before."""
        head = self.function.blocks[self.region.head]
        self.graph.count_ways((head.name, *self.region.blocks), -1)
        last = head.terminator
        self.builder.remove(head, last)
        self.builder.at(head)
        self.builder.location = last.location
        *chosen, final = self.region.ways
        for name in (*filter(self._has_variable, self.region.blocks), *chosen):
            self.entries[name] = self.builder.fresh("enter", I1)
            self.builder.emit("const.i1", 0, result=self.entries[name])
        self._leave(self.region.head, last, head.instructions, self.graph.last_writes(head))
        for block in self.blocks:
            *code, last = block.instructions
            self.guards[block.name] = self._guard(block.name)
            self._write(block.name, code)
            del self.rest[: len(block.instructions)]
            writes = {name: place for place, i in enumerate(code) for name in i.results}
            self._leave(block.name, last, code, writes)
        exits = [head.name]
        for number, name in enumerate(chosen, 1):
            other = self.builder.fresh_block("exit") if chosen[number:] else final
            self.builder.branch(self.entries[name], name, other)
            if other != final:
                exits.append(self.builder.block(other, last.location).name)
        if not chosen:
            self.builder.jump(final)
        for block in self.blocks:
            self.builder.remove_block(block.name)
        self.graph.count_ways(tuple(exits), 1)

    # Questions to the graph

    def _edges(self) -> dict[str, list[_Edge]]:
        """The ways into each block of the region; all come from inside."""
        edges: dict[str, list[_Edge]] = {name: [] for name in self.region.blocks}
        for source in (self.region.head, *self.region.blocks):
            last = self.function.blocks[source].terminator
            for target in dict.fromkeys(last.labels):
                if target in edges:
                    edges[target].append(_edge(source, last, target))
        return edges

    def _joined(self) -> dict[str, str]:
        """The block before each one that is passed whenever that one was, and that dominates it."""
        found = {}
        for name in self.region.blocks:
            above = self.graph.parent(name)
            meet_here = self.graph.join(above) == name
            if meet_here or self.edges[name] == [_Edge(above, None)]:
                found[name] = above
        return found

    def _needed(self, name: str) -> int:
        """What is read behind a block also on ways that do not pass it, a set of `LiveSets`."""
        live_in, dominates = self.graph.live_in, self.graph.regions.dominates
        inside = (self.region.head, *self.region.blocks)
        place, needed = inside.index(name), 0
        for number, other in enumerate(inside):
            if not dominates(name, other):
                if number > place:
                    needed |= live_in.mask(other)
                for way in self.function.blocks[other].successors:
                    if way in self.region.ways:
                        needed |= live_in.mask(way)
        return needed

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

    def _leave(
        self, name: str, last: Instruction, code: list[Instruction], writes: Mapping[str, int]
    ) -> None:
        """Note at the end of a block under which conditions control goes where; `writes` says
        where in its code a variable is written last."""
        kept: dict[str, str] = {}
        for target in dict.fromkeys(last.labels):
            edge = _edge(name, last, target)
            if target in self.entries:
                made = edge.condition and _comparison(edge.condition, code, writes)
                self._enter(self.entries[target], edge, made)
            elif target in self.edges and target not in self.joined:
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

    def _enter(self, variable: str, edge: _Edge, made: tuple[str, tuple] | None) -> None:
        """Set a block's variable where control goes to it; it is 0 if control comes here."""
        guard, condition = self.guards[edge.source], edge.condition
        if condition is None or guard is None:
            self.builder.emit("const.i1", 1, result=variable, guard=condition or guard)
            return
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
            if guard is None or self._runs_freely(instruction, needed):
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

    def _runs_freely(self, instruction: Instruction, needed: int) -> bool:
        """True if an instruction can run although control does not come to it.

        It cannot fault, it is cheap, and what it overwrites is not needed by anyone else.
        """
        overwrites = needed & self.graph.live_in.mask_of(instruction.results)
        return not (
            instruction.operation.has_effect or self.costs.is_long(instruction) or overwrites
        )


def _comparison(
    condition: Guard, code: list[Instruction], writes: Mapping[str, int]
) -> tuple[str, tuple] | None:
    """The comparison that a block ends with, as it holds if its branch goes that way, None if
    its condition is none or what is compared has changed since."""
    if condition.name not in writes:
        return None
    instruction = code[writes[condition.name]]
    relation, _, type = instruction.operation.name.partition(".")
    read = max((writes.get(name, -1) for name in instruction.variables_read), default=-1)
    if instruction.guard is not None or read > writes[condition.name]:
        return None
    if condition.name in instruction.operands or relation not in COMPLEMENTS:
        return None
    if condition.negated:
        if instruction.operation.reads[0].kind.is_float:
            return None
        relation = COMPLEMENTS[relation]
    return f"{relation}.{type}", instruction.operands
