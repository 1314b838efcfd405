"""Which registers of a thread may not share one, and which it pays to put together.

    add.s32 %c, %a, %b        %c disturbs what is alive after it: not %a, if this was its last use
    mov.b32 %d, %c            %d and %c may be one register, and the row is gone

Every thread has registers of its own, so liveness is that of one thread, whatever the others of its
warp do.  Registers that a plain move joins become one node if neither is written while the other is
alive (Chaitin, *Register allocation & spilling via graph coloring*, 1982).
"""

from __future__ import annotations

from compiler.analyses.liveness import kills, liveness
from compiler.analyses.loops import loops
from compiler.ir.module import Function, Instruction
from compiler.targets.simt.registers.operands import files_of, writes

LOOP_WEIGHT = 10
DEEPEST = 6
SIZES = {"b32": 1, "b64": 2, "pred": 1}
"""How many registers of its kind a value takes."""


class Interference:
    """Nodes are numbers; a node stands for the variables that were put together in it.

    nodes       variable -> its node
    members     node -> its variables, in order of appearance
    files       node -> 'b32', 'b64' or 'pred'
    neighbours  node -> the nodes it interferes with, a set
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
        self.neighbours: list[set[int]] = [set() for _ in self.members]
        self.weight = [0.0] * len(self.members)
        self._is_predicate = [file == "pred" for file in self.files]
        self._copies: list[tuple[float, str, str]] = []
        depth = loops(function).depth
        live_out = liveness(function).live_out
        for name, block in function.blocks.items():
            live = {self.nodes[n] for n in live_out[name] if n in self.nodes}
            weight = float(LOOP_WEIGHT ** min(depth.get(name, 0), DEEPEST))
            self._scan(block.instructions, live, weight)
        self._put_together()

    def nodes_of(self, *files: str) -> list[int]:
        """The nodes of some files that still stand for something."""
        return [n for n, f in enumerate(self.files) if f in files and self.members[n]]

    def _scan(self, code: list[Instruction], alive: set[int], weight: float) -> None:
        """Walk a block backwards from what is alive at its end; predicates are apart from all
        others."""
        live: dict[bool, set[int]] = {True: set(), False: set()}
        for node in alive:
            live[self._is_predicate[node]].add(node)
        for instruction in reversed(code):
            written = [self.nodes[name] for name, _ in writes(instruction)]
            source = copied(instruction)
            for name, _ in writes(instruction):
                node = self.nodes[name]
                kind = self._is_predicate[node]
                beside = live[kind].union(n for n in written if self._is_predicate[n] == kind)
                beside.discard(node)
                if source is not None:
                    beside.discard(self.nodes[source])
                    self._copies.append((-weight, name, source))
                self._connect(node, beside)
            for name, _ in files_of(instruction):
                self.weight[self.nodes[name]] += weight
            if kills(instruction):
                for node in written:
                    live[self._is_predicate[node]].discard(node)
            for name in instruction.variables_read:
                node = self.nodes[name]
                live[self._is_predicate[node]].add(node)

    def _connect(self, node: int, others: set[int]) -> None:
        self.neighbours[node] |= others
        for other in others:
            self.neighbours[other].add(node)

    def _put_together(self) -> None:
        """Join what copies join, those that run most often first."""
        for _, result, source in sorted(self._copies, key=lambda copy: copy[0]):
            kept, gone = self.nodes[result], self.nodes[source]
            is_apart = gone in self.neighbours[kept]
            if kept == gone or is_apart or self.files[kept] != self.files[gone]:
                continue
            for name in self.members[gone]:
                self.nodes[name] = kept
            self.members[kept] += self.members[gone]
            self.members[gone] = []
            self.weight[kept] += self.weight[gone]
            for other in self.neighbours[gone]:
                self.neighbours[other].discard(gone)
            self._connect(kept, self.neighbours[gone])
            self.neighbours[gone] = set()


def copied(instruction: Instruction) -> str | None:
    """The register that a plain move copies, None for anything else."""
    name = instruction.operation.name
    if name not in ("mov.b32", "mov.b64", "mov.pred") or instruction.guard is not None:
        return None
    source = instruction.operands[0]
    return source if isinstance(source, str) else None
