"""Random flow graphs with paths of threads through them, and what must hold of their schedules."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from compiler.analyses.layout_graph import LayoutGraph, layout_graph
from compiler.ir.builder import Builder
from compiler.ir.module import Function
from compiler.targets.simt.analyses.convergence import Convergence, convergence
from compiler.targets.simt.block_schedules import BlockSchedule, block_schedule
from compiler.targets.simt.passes.lay_out_for_warps import drop_empty_blocks, lay_out_for_warps
from compiler.transformation import Changes
from machines.instructions import operations
from machines.kinds.simt.reconvergence import POLICIES
from machines.types import I1, I32

Edges = dict[str, tuple[str, ...]]
KINDS = ("structured", "exits", "forward", "anyhow", "as written")
"""structured: conditions and loops; exits: with break, continue, goto and return; forward and
anyhow: random edges, irreducible loops and all; as written: the same, not laid out."""
LONGEST_WALK = 40


@dataclass(frozen=True)
class Case:
    """A graph, and for each thread its path through it."""

    graph: LayoutGraph
    paths: list[list[int]]


def random_case(seed: int, kind: str) -> Case:
    function = function_of(random_edges(seed, kind))
    if kind != "as written":
        lay_out_for_warps(function)
    if seed % 2:
        drop_empty_blocks(function, Changes())
    graph = layout_graph(function)
    return Case(graph, random_paths(Random(f"paths {kind} {seed}"), graph))


def random_edges(seed: int, kind: str) -> Edges:
    """A flow graph of a kind: every block by name with the blocks that it leads to."""
    random = Random(f"{kind} {seed}")
    if kind in ("structured", "exits"):
        return _Statements(random, kind == "exits").edges
    return _random_edges(random, back=0.15 if kind == "forward" else 0.4)


def function_of(edges: Edges, *, with_code: bool = False) -> Function:
    """A kernel with this flow, its blocks in this order; two edges are a branch.  The blocks are
    empty otherwise, or have an instruction each."""
    rows = operations().family("ptx")
    function = Function("kernel")
    builder = Builder(function)
    builder.declare("%p", I1)
    for name, targets in edges.items():
        builder.block(name)
        if with_code:
            builder.emit(rows["mov.b32"], 1, result=builder.fresh("%x", I32))
        row = rows[("exit", "bra.uni", "bra")[len(targets)]]
        builder.emit(row, *["%p"][: len(targets) - 1 if targets else 0], *targets)
    return function


def random_paths(random: Random, graph: LayoutGraph) -> list[list[int]]:
    """A path for each of up to 12 threads; some decide alike."""
    to_end = _distances(graph)
    threads, alike = random.randint(2, 12), random.random()

    def walk(common: Random, own: Random) -> list[int]:
        path = [0]
        while graph.successors[path[-1]]:
            targets = graph.successors[path[-1]]
            draw = common.random(), own.random()
            if len(path) > LONGEST_WALK:
                path.append(min(targets, key=to_end.__getitem__))
            else:
                chance = draw[0] if own.random() < alike else draw[1]
                path.append(targets[int(chance * len(targets))])
        return path

    seed = random.random()
    return [walk(Random(seed), Random(random.random())) for _ in range(threads)]


def _distances(graph: LayoutGraph) -> dict[int, int]:
    """Steps from each block to the end."""
    found = {block: 0 for block, targets in enumerate(graph.successors) if not targets}
    pending = list(found)
    for block in pending:
        for before in graph.predecessors[block]:
            if before not in found:
                found[before] = found[block] + 1
                pending.append(before)
    return found


def _random_edges(random: Random, back: float) -> Edges:
    """Blocks that all lead to an end, and are all reached."""
    count = random.randint(3, 14)
    near, ends = random.choice((2, 4, count)), random.choice((0.0, 0.1))
    edges: dict[int, tuple[int, ...]] = {}
    for block in range(count - 1):
        targets = [block + 1] if random.random() < 0.8 else []
        while len(targets) < 1 + (random.random() < 0.75):
            step = random.randint(1, near)
            target = block - step if random.random() < back else block + step
            targets.append(min(max(target, 0), count - 1))
        random.shuffle(targets)
        edges[block] = () if block and random.random() < ends else tuple(dict.fromkeys(targets))
    edges[count - 1] = ()
    names = [f"b{block}" for block in range(count)]
    graph = LayoutGraph(tuple(names), tuple(tuple(edges[b]) for b in range(count)))
    ending = _distances(graph)
    return {
        names[b]: tuple(names[t] for t in targets if t in ending) for b, targets in edges.items()
    }


class _Statements:
    """Nested statements as blocks; `with_exits` adds break, continue, goto and return."""

    def __init__(self, random: Random, with_exits: bool):
        self.random, self.with_exits = random, with_exits
        self.edges: Edges = {}
        self.left = random.randint(2, 7)
        end = self._statements("entry", 0, [])
        self.edges[end] = ()

    def _new(self) -> str:
        return f"b{len(self.edges)}.{self.random.randrange(10**9)}"

    def _statements(self, block: str, depth: int, loops: list[tuple[str, str]]) -> str:
        """Statements that begin in `block`; the block in which they end, still without edges."""
        self.edges[block] = ()
        for _ in range(self.random.randint(1, 3)):
            if self.left > 0 and depth < 4:
                self.left -= 1
                block = self._statement(block, depth, loops)
        return block

    def _statement(self, block: str, depth: int, loops: list[tuple[str, str]]) -> str:
        kinds = ["if", "if else", "while", "do"]
        if self.with_exits:
            kinds += ["return", *(["break", "continue", "break out"] if loops else [])]
        kind = self.random.choice(kinds)
        after = self._new()
        self.edges[after] = ()
        if kind == "if":
            then = self._new()
            self.edges[block] = (then, after)
            self.edges[self._statements(then, depth + 1, loops)] = (after,)
        elif kind == "if else":
            then = self._new()
            self.edges[then] = ()
            other = self._new()
            self.edges[block] = (then, other)
            self.edges[self._statements(then, depth + 1, loops)] = (after,)
            self.edges[self._statements(other, depth + 1, loops)] = (after,)
        elif kind == "while":
            head = self._new()
            self.edges[head] = ()
            body = self._new()
            self.edges[block] = (head,)
            self.edges[head] = (body, after)
            inner = [*loops, (head, after)]
            self.edges[self._statements(body, depth + 1, inner)] = (head,)
        elif kind == "do":
            body = self._new()
            self.edges[body] = ()
            test = self._new()
            self.edges[test] = (body, after)
            self.edges[block] = (body,)
            inner = [*loops, (test, after)]
            self.edges[self._statements(body, depth + 1, inner)] = (test,)
        elif kind == "return":
            leave = self._new()
            self.edges[leave] = ()
            self.edges[block] = (leave, after)
        else:
            again, out = loops[0] if kind == "break out" else loops[-1]
            self.edges[block] = (again if kind == "continue" else out, after)
        return after


@dataclass(frozen=True)
class Schedules:
    """Of one case: by policy, with sound markers; `seed` are the markers of the queue alone."""

    by_policy: dict[str, BlockSchedule]
    seed: BlockSchedule


def check(seed: int, kind: str) -> Schedules:
    """Run a case under every policy (which leads every thread along its path), and compare."""
    case = random_case(seed, kind)
    placed = convergence(case.graph, "sound")
    found = {policy: block_schedule(case.graph, placed, case.paths, policy) for policy in POLICIES}
    yielding = block_schedule(case.graph, placed, case.paths, "barriers", yield_after=3)
    queued = convergence(case.graph, "seed")
    seeds = block_schedule(case.graph, queued, case.paths, "markers")
    markers, best = found["markers"], found["min_pc"]
    assert markers.steps == best.steps
    assert markers.checks <= best.checks and markers.diverged_checks <= best.diverged_checks
    assert len(yielding.steps) >= len(found["barriers"].steps) or kind != "structured"
    if kind == "structured":
        assert len(markers.steps) == len(found["ipdom"].steps)
        assert seed % 2 or len(markers.steps) == len(found["barriers"].steps)
    _check_largest(case, placed)
    return Schedules(found, seeds)


def _check_largest(case: Case, placed: Convergence) -> None:
    for policy in POLICIES:
        block_schedule(case.graph, placed, case.paths, policy, selection="largest_group")
