"""Random loops to schedule: cyclic graphs over real operations."""

from __future__ import annotations

from random import Random

from compiler.analyses.dependence_graph import Arc, DependenceGraph
from compiler.targets.epic.bundling.bundles import syllable_of
from compiler.targets.epic.scheduling.problem import Problem, Value
from machines.instructions import operations

COMMON = ("adds", "add", "xor", "ld8", "st8", "ldfd", "fma.d.s0", "extr.u", "cmp.lt")
RARE = ("shr.u", "popcnt", "getf.sig", "setf.sig", "xma.l", "stfd", "lfetch", "sxt4", "movl")
BRANCH = "br.cloop"


def random_problem(seed: int, most: int = 24) -> Problem:
    """A loop of up to `most` operations, with or without a branch.

    Arcs within an iteration lead forward, so that no cycle is without omega; latencies may be 0 and
    below 0.
    """
    random = Random(seed)
    size = random.randint(1, most)
    mixture = (
        [*COMMON, *random.sample(RARE, 3)] if random.random() < 0.7 else random.sample(RARE, 4)
    )
    mnemonics = [random.choice(mixture) for _ in range(size)]
    arcs = []
    for _ in range(int(size * random.choice((0.5, 1.0, 2.0)))):
        source, target = random.randrange(size), random.randrange(size)
        kind = random.choice(("flow", "anti", "memory"))
        latency = {"flow": random.choice((1, 1, 2, 4, 5)), "anti": 0, "memory": 0}[kind]
        if random.random() < 0.05:
            latency = -random.randint(1, 3)
        omega = 0 if source < target else random.choice((1, 1, 1, 2, 3))
        if random.random() < 0.1:
            omega += 1
        if omega and random.random() < 0.6:
            continue
        arcs.append(Arc(source, target, omega, latency, kind))
    branch = None
    if random.random() < 0.7:
        branch, size = size, size + 1
        mnemonics.append(BRANCH)
        if random.random() < 0.3:
            arcs.append(Arc(random.randrange(branch), branch, 0, random.randint(0, 1), "control"))
            arcs.append(Arc(branch, random.randrange(branch), 1, 0, "control"))
    rows = operations().family("ia64")
    return Problem(
        names=tuple(f"{name}.{n}" for n, name in enumerate(mnemonics)),
        syllables=tuple(syllable_of(rows[name]) for name in mnemonics),
        graph=DependenceGraph(size, tuple(arcs)),
        branch=branch,
        values=values_of(mnemonics, arcs),
    )


def values_of(mnemonics: list[str], arcs: list[Arc]) -> tuple[Value, ...]:
    """A value for every operation that flow arcs leave."""
    uses: dict[int, list[tuple[int, int]]] = {}
    for arc in arcs:
        if arc.kind == "flow":
            uses.setdefault(arc.source, []).append((arc.target, arc.omega))
    return tuple(Value(f"v{n}", "general", (n,), tuple(found)) for n, found in sorted(uses.items()))
