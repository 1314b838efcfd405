"""The scheduling problem of a loop body."""

from __future__ import annotations

from collections.abc import Sequence

from compiler.targets.epic.bundling.bundles import syllable_of
from compiler.targets.epic.pipelining.loop_graph import Meetings, loop_graph
from compiler.targets.epic.pipelining.nodes import Node, Use, Web
from compiler.targets.epic.scheduling.problem import Problem, Value
from machines.kinds.epic.fields import Epic


def loop_problem(
    nodes: Sequence[Node], condition: Web | None, loop_distances: Meetings, description: Epic
) -> Problem:
    """What a modulo scheduler is asked; the last node is the loop branch."""
    return Problem(
        names=tuple(f"{number} {node.operation}" for number, node in enumerate(nodes)),
        syllables=tuple(syllable_of(node.operation) for node in nodes),
        graph=loop_graph(nodes, condition, loop_distances, description),
        branch=len(nodes) - 1,
        values=tuple(_values(nodes)),
    )


def late_loads(nodes: Sequence[Node], description: Epic) -> dict[int, int]:
    """By how many cycles each load is often late, if it is."""
    found = {
        number: description.lateness(node.operation.scheduling_class)
        for number, node in enumerate(nodes)
        if node.operation.access is not None and node.operation.access.kind == "load"
    }
    return {number: cycles for number, cycles in found.items() if cycles}


def _values(nodes: Sequence[Node]) -> list[Value]:
    definitions: dict[Web, list[int]] = {}
    uses: dict[Web, list[tuple[int, int]]] = {}
    for number, node in enumerate(nodes):
        for result in node.results:
            if isinstance(result, Web):
                definitions.setdefault(result, []).append(number)
        for value, _ in node.reads:
            if isinstance(value, Use):
                uses.setdefault(value.web, []).append((number, value.omega))
    return [
        Value(web.name, web.file, tuple(written), tuple(uses.get(web, ())))
        for web, written in definitions.items()
    ]
