"""An order of blocks in which every loop is in one piece and control otherwise runs forward.

    head > body, exit; body > head        head, body, exit
    a > x, y; x > y; y > x, out           a, y, x, out     (a loop of two entries)

At each level of nesting the loops inside it stand for single nodes; without the edges back to a
loop's entries they and the other blocks have no cycles, and are ordered topologically: a reverse
post-order in which, of two ways that leave a block, the first comes first.  So what a loop leads to
comes after all of it.
"""

from __future__ import annotations

from collections.abc import Mapping

from compiler.analyses.loops import Loops, find_loops

_Level = str | None
"""The header of a loop, None for the whole graph."""
_Node = tuple[str, bool]
"""A block, or the header of a loop and True."""
_Edges = dict[_Level, dict[_Node, list[_Node]]]


def loop_order(entry: str, successors: Mapping[str, tuple[str, ...]]) -> list[str]:
    """The blocks that the entry reaches, in this order."""
    loops = find_loops(entry, successors)
    edges = _edges_by_level(loops, successors)
    order: list[str] = []
    pending = _finished(None, (entry,), loops, edges)
    while pending:
        name, is_loop = pending.pop()
        if is_loop:
            pending += _finished(name, loops.by_header[name].entries, loops, edges)
        else:
            order.append(name)
    return order


def _finished(level: _Level, entries: tuple[str, ...], loops: Loops, edges: _Edges) -> list[_Node]:
    """The nodes of a level, the last one first."""
    roots = list(dict.fromkeys(_node(level, entry, loops) for entry in entries))
    inside = edges.get(level, {})
    finished: list[_Node] = []
    seen: set[_Node] = set()
    for root in reversed(roots):
        if root in seen:
            continue
        seen.add(root)
        stack = [(root, reversed(inside.get(root, ())))]
        while stack:
            node, ways = stack[-1]
            for target in ways:
                if target not in seen:
                    seen.add(target)
                    stack.append((target, reversed(inside.get(target, ()))))
                    break
            else:
                stack.pop()
                finished.append(node)
    return finished


def _edges_by_level(loops: Loops, successors: Mapping[str, tuple[str, ...]]) -> _Edges:
    """For each level the edges between its nodes, without those back to the loop's entries."""
    entries = {header: set(loop.entries) for header, loop in loops.by_header.items()}
    found: _Edges = {}
    for block in loops.innermost:
        for target in successors[block]:
            level = _common_level(block, target, loops)
            if level is not None and target in entries[level]:
                continue
            source, goal = (_node(level, name, loops) for name in (block, target))
            found.setdefault(level, {}).setdefault(source, []).append(goal)
    return found


def _common_level(a: str, b: str, loops: Loops) -> _Level:
    """The innermost loop that holds both."""
    first, second = loops.innermost[a], loops.innermost[b]
    while first != second:
        if second is None or (
            first is not None and loops.by_header[first].depth > loops.by_header[second].depth
        ):
            first = loops.by_header[first].parent
        elif first is None or loops.by_header[second].depth > loops.by_header[first].depth:
            second = loops.by_header[second].parent
        else:
            first = loops.by_header[first].parent
            second = loops.by_header[second].parent
    return first


def _node(level: _Level, block: str, loops: Loops) -> _Node:
    """What stands for a block at a level around it: itself, or a loop inside the level."""
    inner = loops.innermost[block]
    if inner == level:
        return block, False
    while loops.by_header[inner].parent != level:
        inner = loops.by_header[inner].parent
    return inner, True
