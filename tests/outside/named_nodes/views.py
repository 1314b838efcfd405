"""The view `nodes`: a list as it is read."""

from __future__ import annotations

from compiler.ir.module import Function
from named_nodes.level import text_of
from sim.views import BODY, Shown, View


def show(function: Function) -> Shown:
    """The list, and how many nodes of each operation it has."""
    counts: dict[str, int] = {}
    for node in function.body.nodes:
        counts[node.operation] = counts.get(node.operation, 0) + 1
    return Shown(text_of(function), {"nodes": counts})


VIEWS = (View("nodes", "A list of named nodes as it is read.", BODY, show),)
