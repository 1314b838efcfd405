"""Which registers of a thread may not share one, and which it pays to put together.

    add.s32 %c, %a, %b        %c disturbs what is alive after it: not %a, if this was its last use
    mov.b32 %d, %c            %d and %c may be one register, and the row is gone

Every thread has registers of its own, so liveness is that of one thread, whatever the others of its
warp do.  Registers that a plain move joins become one node if neither is written while the other is
alive (Chaitin, *Register allocation & spilling via graph coloring*, 1982).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from compiler.analyses.liveness import kills, liveness
from compiler.analyses.loops import loops
from compiler.ir.module import Function, Instruction
from compiler.targets.simt.registers import files_of, writes

LOOP_WEIGHT = 10
DEEPEST = 6
SIZES = {"b32": 1, "b64": 2, "pred": 1}
"""How many registers of its kind a value takes."""


class Interference:
    """Nodes are numbers; a node stands for the variables that were put together in it.

    nodes       variable -> its node
    members     node -> its variables, in order of appearance
    files       node -> 'b32', 'b64' or 'pred'
    neighbours  node -> the nodes it interferes with, as a bit set
    weight      node -> how often it is read or written, by loop depth
    """

    def __init__(self, function: Function):
        self.nodes: dict[str, int] = {}
        self.members: list[list[str]] = []
        self.files: list[str] = []
        for _, instruction in function.instructions():
            for name, file in files_of(instruction):
                if name not in self.nodes:
                    self.nodes[name] = len(self.members)
                    self.members.append([name])
                    self.files.append(file)
        count = len(self.members)
        self.neighbours = [0] * count
        self.weight = [0.0] * count
        self._predicates = self._mask(n for n, f in enumerate(self.files) if f == "pred")
        self._copies: list[tuple[float, str, str]] = []
        depth = loops(function).depth
        live_out = liveness(function).live_out
        for name, block in function.blocks.items():
            live = self._mask(self.nodes[n] for n in live_out[name] if n in self.nodes)
            weight = float(LOOP_WEIGHT ** min(depth.get(name, 0), DEEPEST))
            self._scan(block.instructions, live, weight)
        for node in range(count):
            for other in members(self.neighbours[node]):
                self.neighbours[other] |= 1 << node
        self._put_together()

    def nodes_of(self, *files: str) -> list[int]:
        """The nodes of some files that still stand for something."""
        return [n for n, f in enumerate(self.files) if f in files and self.members[n]]

    @staticmethod
    def _mask(nodes: Iterable[int]) -> int:
        found = 0
        for node in nodes:
            found |= 1 << node
        return found

    def _scan(self, code: list[Instruction], live: int, weight: float) -> None:
        for instruction in reversed(code):
            written = self._mask(self.nodes[name] for name, _ in writes(instruction))
            source = copied(instruction)
            for name, _ in writes(instruction):
                node = self.nodes[name]
                disturbed = (live | written) & ~(1 << node)
                if source is not None:
                    disturbed &= ~(1 << self.nodes[source])
                    self._copies.append((-weight, name, source))
                is_predicate = self._predicates >> node & 1
                disturbed &= self._predicates if is_predicate else ~self._predicates
                self.neighbours[node] |= disturbed
            for name, _ in files_of(instruction):
                self.weight[self.nodes[name]] += weight
            if kills(instruction):
                live &= ~written
            live |= self._mask(self.nodes[name] for name in instruction.variables_read)

    def _put_together(self) -> None:
        """Join what copies join, those that run most often first."""
        for _, result, source in sorted(self._copies, key=lambda copy: copy[0]):
            kept, gone = self.nodes[result], self.nodes[source]
            is_apart = self.neighbours[kept] >> gone & 1
            if kept == gone or is_apart or self.files[kept] != self.files[gone]:
                continue
            for name in self.members[gone]:
                self.nodes[name] = kept
            self.members[kept] += self.members[gone]
            self.members[gone] = []
            self.weight[kept] += self.weight[gone]
            for other in members(self.neighbours[gone]):
                self.neighbours[other] &= ~(1 << gone)
                self.neighbours[other] |= 1 << kept
            self.neighbours[kept] |= self.neighbours[gone]
            self.neighbours[gone] = 0


def copied(instruction: Instruction) -> str | None:
    """The register that a plain move copies, None for anything else."""
    name = instruction.operation.name
    if name not in ("mov.b32", "mov.b64", "mov.pred") or instruction.guard is not None:
        return None
    source = instruction.operands[0]
    return source if isinstance(source, str) else None


def members(mask: int) -> list[int]:
    """The numbers in a bit set, ascending."""
    octets = np.frombuffer(mask.to_bytes(-(-mask.bit_length() // 8), "little"), np.uint8)
    return np.flatnonzero(np.unpackbits(octets, bitorder="little")).tolist()
