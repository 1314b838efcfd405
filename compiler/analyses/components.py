"""Strongly connected components of a graph: Tarjan, *Depth-First Search and Linear Graph
Algorithms*, 1972, without recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable


def cyclic_components(
    nodes: Iterable[str], successors: Callable[[str], Iterable[str]]
) -> list[list[str]]:
    """The components that hold a cycle: several nodes, or one with an edge to itself.

    `successors` may only name nodes of `nodes`.  A component stands before those it reaches, its
    nodes in no particular order.

    >>> edges = {"a": ["b"], "b": ["c", "b"], "c": ["d"], "d": ["c"], "e": []}
    >>> cyclic_components(edges, edges.get)
    [['b'], ['d', 'c']]
    """
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_nodes: list[str] = []
    is_open: set[str] = set()
    found = []

    def enter(node: str) -> tuple[str, Iterable[str]]:
        number[node] = lowest[node] = len(number)
        open_nodes.append(node)
        is_open.add(node)
        return node, iter(successors(node))

    for root in nodes:
        if root in number:
            continue
        stack = [enter(root)]
        while stack:
            node, pending = stack[-1]
            for target in pending:
                if target not in number:
                    stack.append(enter(target))
                    break
                if target in is_open:
                    lowest[node] = min(lowest[node], number[target])
            else:
                stack.pop()
                if stack:
                    above = stack[-1][0]
                    lowest[above] = min(lowest[above], lowest[node])
                if lowest[node] == number[node]:
                    component = _close(node, open_nodes, is_open)
                    if len(component) > 1 or node in successors(node):
                        found.append(component)
    return found[::-1]


def _close(root: str, open_nodes: list[str], is_open: set[str]) -> list[str]:
    """Take the finished component of `root` off the stack of open nodes."""
    component = []
    while not component or component[-1] != root:
        component.append(open_nodes.pop())
    is_open.difference_update(component)
    return component
