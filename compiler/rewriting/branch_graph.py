"""What if-conversion asks of a function, kept right while it converts one region after another.

The graph is analysed once.  A conversion takes the blocks of its region away, and its head may take
in the block behind; what was known of that block then holds for the head.  What is alive at the
head of a block is what was alive there at first: a conversion does the same for any values of the
other variables.
"""

from __future__ import annotations

from dataclasses import replace

from compiler.analyses.branch_regions import BranchRegion, branch_regions
from compiler.analyses.control_flow import control_flow
from compiler.analyses.dominators import dominators
from compiler.analyses.liveness import liveness
from compiler.analyses.loops import Loop
from compiler.ir.builder import Builder
from compiler.ir.module import Block, Function


class BranchGraph:
    """Regions, dominance and liveness of a function, and the one builder that changes it."""

    def __init__(self, function: Function):
        self.function, self.builder = function, Builder(function)
        self.order = control_flow(function).reverse_postorder
        self.regions = branch_regions(function)
        self.live_in = liveness(function).live_in
        self._parent = dominators(function).parent
        self._last = {name: block.terminator for name, block in function.blocks.items()}
        self._entries = {n: len(p) for n, p in control_flow(function).predecessors.items()}
        self._taken_in: dict[str, str] = {}
        self._end: dict[str, str] = {}
        self._straight: _LastWrites | None = None

    def end_of(self, head: str) -> str:
        """The block whose terminator a block has now: itself, or the last that it took in."""
        return self._end.get(head, head)

    def region(self, head: str) -> BranchRegion | None:
        """The region of a block now."""
        if self.join(head) is None:
            return None
        found = self.regions.region(self.end_of(head))
        blocks = tuple(name for name in found.blocks if name in self.function.blocks)
        return BranchRegion(head, blocks, found.ways)

    def join(self, head: str) -> str | None:
        """The join of a block's region now, None if it has no region."""
        end = self.end_of(head)
        is_converted = self.function.blocks[head].terminator is not self._last[end]
        return None if is_converted else self.regions.joins.get(end)

    def parent(self, name: str) -> str:
        """The immediate dominator of a block."""
        return self._holder(self._parent[name])

    def loop(self, loop: Loop) -> Loop:
        """A natural loop as it is now."""
        blocks = self.function.blocks
        members = tuple(name for name in loop.members if name in blocks)
        edges = [(name, target) for name in members for target in blocks[name].successors]
        return replace(
            loop,
            members=members,
            latches=tuple(source for source, target in edges if target == loop.header),
            exits=tuple(edge for edge in edges if edge[1] not in members),
        )

    def _holder(self, name: str) -> str:
        """The block that has taken in a block, or that block."""
        while name in self._taken_in:
            name = self._taken_in[name]
        return name

    def last_writes(self, block: Block) -> dict[str, int]:
        """For each variable that a block writes, the last instruction that does."""
        if self._straight is None or self._straight.block is not block:
            self._straight = _LastWrites(block)
        return self._straight.up_to_now()

    def count_ways(self, names: tuple[str, ...], more: int) -> None:
        """The ways out of some blocks are there from now on (1), or no more (-1)."""
        for name in names:
            for target in self.function.blocks[name].successors:
                self._entries[target] = self._entries.get(target, 0) + more

    def take_in(self, head: str) -> str | None:
        """Let a block take in the one it jumps to, if it alone does; the name of that."""
        last = self.function.blocks[head].terminator
        if last.operation.name != "jump":
            return None
        (name,) = last.labels
        if self._entries[name] > 1 or name in (head, self.function.entry.name):
            return None
        self.builder.join(self.function.blocks[head], self.function.blocks[name])
        self._taken_in[name] = head
        self._end[head] = self.end_of(name)
        return name


class _LastWrites:
    """The last writes of a block that grows at its end."""

    def __init__(self, block: Block):
        self.block, self.known, self.found = block, 0, {}

    def up_to_now(self) -> dict[str, int]:
        code = self.block.instructions
        for position in range(self.known, len(code)):
            self.found.update(dict.fromkeys(code[position].results, position))
        self.known = len(code)
        return self.found
