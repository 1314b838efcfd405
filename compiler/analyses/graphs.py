"""Graphs over the nodes 0, 1, …: parts of kernels (`compiler.analyses.jitted`).

Rows of integers are a pair of lists: row k is items[start[k]] … items[start[k + 1] - 1], so `start`
is one longer than there are rows.  The successors of a graph's nodes are such rows.
"""

from __future__ import annotations

from typing import TypeAlias

from compiler.analyses.jitted import Integers, filled, longer, shorter, zeros

NOTHING = -1
"""In place of a node, or of any other number, where there is none."""


Rows: TypeAlias = tuple[Integers, Integers]
"""`start` and `items`."""


def grouped(keys: Integers, items: Integers, count: int, rows: int) -> Rows:
    """Rows that hold the first `count` items by their key, in their order.

    Items whose key is NOTHING are left out.
    """
    start = zeros(rows + 1)
    for k in range(count):
        if keys[k] != NOTHING:
            start[keys[k] + 1] += 1
    for row in range(rows):
        start[row + 1] += start[row]
    place = longer(start, rows + 1)
    found = zeros(start[rows])
    for k in range(count):
        if keys[k] != NOTHING:
            found[place[keys[k]]] = items[k]
            place[keys[k]] += 1
    return start, found


def row_of_each(start: Integers) -> Integers:
    """For every item its row."""
    rows = zeros(start[len(start) - 1])
    for row in range(len(start) - 1):
        for k in range(start[row], start[row + 1]):
            rows[k] = row
    return rows


def depth_first(entry: int, successors: Rows) -> tuple[Integers, Integers, Integers]:
    """A walk from `entry` that looks at successors last to first: the nodes as they are entered,
    their reverse post-order, and for each node from where it was entered.

    Where it never comes that is NOTHING, and so it is for the entry.
    """
    start, items = successors
    nodes = len(start) - 1
    entered, left, come_from = zeros(nodes), zeros(nodes), filled(nodes, NOTHING)
    pending, behind = zeros(nodes), longer(start, nodes + 1)  # how far a node's row is still to do
    for node in range(nodes):
        behind[node] = start[node + 1]
    seen = zeros(nodes)
    entered[0] = pending[0] = entry
    seen[entry] = 1
    depth, count, ended = 1, 1, 0
    while depth:
        node = pending[depth - 1]
        if behind[node] == start[node]:
            left[ended] = node
            ended += 1
            depth -= 1
            continue
        behind[node] -= 1
        target = items[behind[node]]
        if not seen[target]:
            seen[target] = 1
            come_from[target] = node
            entered[count] = pending[depth] = target
            count += 1
            depth += 1
    order = zeros(count)
    for k in range(count):
        order[k] = left[count - 1 - k]
    return shorter(entered, count), order, come_from


def predecessors(preorder: Integers, successors: Rows) -> Rows:
    """Rows of predecessors, each once, in ascending order; of the nodes in `preorder` alone."""
    start, items = successors
    nodes = len(start) - 1
    is_known, last = zeros(nodes), filled(nodes, NOTHING)
    for node in preorder:
        is_known[node] = 1
    sources, targets = row_of_each(start), filled(len(items), NOTHING)
    for k in range(len(items)):
        if is_known[sources[k]] and last[items[k]] != sources[k]:
            last[items[k]] = sources[k]
            targets[k] = items[k]
    return grouped(targets, sources, len(items), nodes)


def immediate_dominators(preorder: Integers, come_from: Integers, predecessors: Rows) -> Integers:
    """For every node its immediate dominator; NOTHING for the entry and what is not in `preorder`.

    `preorder` and `come_from` are those of `depth_first`.  The semidominators of Lengauer, Tarjan,
    *A Fast Algorithm for Finding Dominators in a Flowgraph*, 1979, from which the dominators are
    read as in Georgiadis, *Linear-Time Algorithms for Dominators and Related Problems*, 2005,
    section 2.2 (SEMI-NCA).
    """
    before_start, before = predecessors
    count = len(preorder)
    number = filled(len(come_from), NOTHING)  # by the preorder, as is all that follows
    for k in range(count):
        number[preorder[k]] = k
    above, ancestor, best, semi = zeros(count), zeros(count), zeros(count), zeros(count)
    for k in range(1, count):
        above[k] = ancestor[k] = number[come_from[preorder[k]]]
    for k in range(count):
        best[k] = semi[k] = k
    path = zeros(count)
    for k in range(count - 1, 0, -1):
        semi[k] = above[k]
        for edge in range(before_start[preorder[k]], before_start[preorder[k] + 1]):
            source = number[before[edge]]
            depth = 0  # those above it that are done, and of them the least semidominator
            while source > k and ancestor[source] > k:
                path[depth] = source
                depth += 1
                source = ancestor[source]
            while depth:
                depth -= 1
                if semi[best[source]] < semi[best[path[depth]]]:
                    best[path[depth]] = best[source]
                ancestor[path[depth]] = ancestor[source]
                source = path[depth]
            semi[k] = min(semi[k], semi[best[source]])
    found = filled(len(come_from), NOTHING)
    for k in range(1, count):
        while above[k] > semi[k]:
            above[k] = above[above[k]]
        found[preorder[k]] = preorder[above[k]]
    return found


def frontiers(order: Integers, above: Integers, predecessors: Rows) -> Rows:
    """Rows: where the dominance of each node ends, in the order of `order`, which begins with the
    entry.

    `above` are the immediate dominators.  An entry that is jumped to is a join of that jump and of
    what comes from outside.  Cooper, Harvey, Kennedy, *A Simple, Fast Dominance Algorithm*, 2001;
    a way up ends where another one for the same node has been.
    """
    before_start, before = predecessors
    runners, joins, count = zeros(2 * len(order)), zeros(2 * len(order)), 0
    last = filled(len(above), NOTHING)
    for node in order:
        ways_in = before_start[node + 1] - before_start[node] + (1 if node == order[0] else 0)
        if ways_in < 2:
            continue
        if count + len(order) > len(runners):
            runners, joins = longer(runners, 2 * len(runners)), longer(joins, 2 * len(joins))
        for edge in range(before_start[node], before_start[node + 1]):
            runner = before[edge]
            while runner != above[node] and last[runner] != node:
                last[runner] = node
                runners[count], joins[count] = runner, node
                count += 1
                runner = above[runner]
    return grouped(runners, joins, count, len(above))


def intervals(preorder: Integers, above: Integers) -> tuple[Integers, Integers]:
    """For each node the first and the last number that its subtree has in a walk of the dominator
    tree, which is given by the node above each; `preorder` has each behind that one."""
    first, last, size = zeros(len(above)), zeros(len(above)), filled(len(above), 1)
    for k in range(len(preorder) - 1, 0, -1):
        size[above[preorder[k]]] += size[preorder[k]]
    free = zeros(len(above))  # the first number that is left for a child
    for k in range(len(preorder)):
        node = preorder[k]
        if k > 0:
            first[node] = free[above[node]]
            free[above[node]] += size[node]
        free[node] = first[node] + 1
        last[node] = first[node] + size[node] - 1
    return first, last


def components(successors: Rows) -> Rows:
    """Rows of nodes: the strongly connected components, each behind those it reaches.

    Tarjan, *Depth-First Search and Linear Graph Algorithms*, 1972, without recursion.
    """
    start, items = successors
    nodes = len(start) - 1
    number, lowest = filled(nodes, NOTHING), zeros(nodes)
    place = longer(start, nodes + 1)
    pending, opened, is_open = zeros(nodes), zeros(nodes), zeros(nodes)
    first, members = zeros(nodes + 1), zeros(nodes)
    entered = opening = found = closed = 0
    for root in range(nodes):
        if number[root] != NOTHING:
            continue
        depth, fresh = 0, root
        while fresh != NOTHING or depth:
            if fresh != NOTHING:
                number[fresh] = lowest[fresh] = entered
                pending[depth] = opened[opening] = fresh
                is_open[fresh] = 1
                entered, depth, opening = entered + 1, depth + 1, opening + 1
            node, fresh = pending[depth - 1], NOTHING
            while place[node] < start[node + 1] and fresh == NOTHING:
                target = items[place[node]]
                place[node] += 1
                if number[target] == NOTHING:
                    fresh = target
                elif is_open[target]:
                    lowest[node] = min(lowest[node], number[target])
            if fresh != NOTHING:
                continue
            depth -= 1
            if depth:
                lowest[pending[depth - 1]] = min(lowest[pending[depth - 1]], lowest[node])
            if lowest[node] == number[node]:
                while is_open[node]:
                    opening -= 1
                    is_open[opened[opening]] = 0
                    members[closed] = opened[opening]
                    closed += 1
                found += 1
                first[found] = closed
    return shorter(first, found + 1), members
