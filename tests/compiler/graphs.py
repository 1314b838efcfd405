"""Random control-flow graphs, and what the entry reaches in them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

Graph = dict[str, tuple[str, ...]]


def random_graph(random: Random, size: int) -> Graph:
    """Blocks b0 (the entry) … with up to two successors each: irreducible, self loops, unreachable
    blocks and all.
    """
    names = [f"b{k}" for k in range(size)]
    near, leaves = random.choice((2, 4, size)), random.choice((0.05, 0.3))

    def targets(k: int) -> Iterator[str]:
        while random.random() > leaves:
            near_by = k + random.randint(-near // 2, near)
            yield names[near_by] if 0 <= near_by < size else random.choice(names)

    return {
        name: tuple(dict.fromkeys(islice(targets(k), 2 - (random.random() < 0.25))))
        for k, name in enumerate(names)
    }


def reached(graph: Graph, start: str, *, without: str | None = None) -> set[str]:
    """What `start` reaches, itself included, over paths that do not pass `without`."""
    found: set[str] = set()
    pending = [start]
    while pending:
        name = pending.pop()
        if name not in found and name != without:
            found.add(name)
            pending += graph[name]
    return found
