"""The kernel of `compiler.analyses.chains`: definitions behind every value, phis folded away.

    x2 = phi (x1, x4)       behind x2: x1, x3, x4        x2, x4, x3 read each other round the loop:
    @p x3, linked to x2     behind x3: x1, x3, x4        one component, whose members all have the
    @p x4, linked to x3     behind x4: x1, x3, x4        same definitions behind them

Phis and links make a graph of values.  Definitions are gathered for its strongly connected
components that are used, those first that others read; a component that is used hands on what it
has, one that is not is walked through, so that nothing is gathered that nobody asks for.
"""

from __future__ import annotations

from compiler.analyses.graphs import NOTHING, Rows, components, grouped, row_of_each
from compiler.analyses.jitted import Integers, filled, longer, zeros
from compiler.analyses.ssa.renaming_walk import UNGUARDED


def folded(
    value: Integers, before: Integers, operand_start: Integers, operands: Integers
) -> tuple[Integers, Integers, Integers, Integers]:
    """Rows for every occurrence: the definitions that reach it, and the uses that it reaches.

    The arguments are `value_of`, `before` and the rows of operands of a `Renaming`.
    """
    node, inner, own = value_graph(value, before, operand_start, operands)
    part_start, members = components(inner)
    part, is_used = zeros(len(members)), zeros(len(part_start) - 1)
    for row in range(len(is_used)):
        for k in range(part_start[row], part_start[row + 1]):
            part[members[k]] = row
    row_of, used = zeros(len(value)), 0  # of every use the part whose definitions reach it
    readers = zeros(len(value))
    for k in range(len(value)):
        readers[used] = k
        used += (value[k] != NOTHING) & (value[k] != k)
    for place in range(used):
        k = readers[place]
        row_of[k] = node[value[k]]
        if row_of[k] != NOTHING:
            row_of[k] = part[row_of[k]]
            is_used[row_of[k]] = 1
    behind_start, behind = gathered(inner, own, (part_start, members), part, is_used, len(value))
    length = zeros(len(value))
    for place in range(used):
        k = readers[place]
        length[k] = 1
        if row_of[k] != NOTHING:
            length[k] = behind_start[row_of[k] + 1] - behind_start[row_of[k]]
    start = zeros(len(value) + 1)
    for k in range(len(value)):
        start[k + 1] = start[k] + length[k]
    definitions, users = zeros(start[len(value)]), zeros(start[len(value)])
    for place in range(used):
        k = readers[place]
        if row_of[k] == NOTHING:
            definitions[start[k]], users[start[k]] = value[k], k
        else:
            begin = behind_start[row_of[k]] - start[k]
            for to in range(start[k], start[k + 1]):
                definitions[to], users[to] = behind[begin + to], k
    uses_start, uses = grouped(definitions, users, len(users), len(value))
    return start, definitions, uses_start, uses


def value_graph(
    value: Integers, before: Integers, operand_start: Integers, operands: Integers
) -> tuple[Integers, Rows, Rows]:
    """The phis and predicated values as nodes: for every value its node, NOTHING for any other;
    rows of the nodes that a node reads, and of the definitions that it reads or is."""
    occurrences, phis = len(value), len(operand_start) - 1
    node, nodes = filled(occurrences + phis, NOTHING), phis
    for phi in range(phis):
        node[occurrences + phi] = phi
    predicated = zeros(occurrences)
    for k in range(occurrences):
        if before[k] != UNGUARDED:
            predicated[nodes - phis] = k
            node[k] = nodes
            nodes += 1
    most = len(operands) + 2 * (nodes - phis)
    inside, among, outside, of = zeros(most), zeros(most), zeros(most), zeros(most)
    inner = outer = 0
    for reader in range(nodes):
        if reader >= phis:
            outside[outer], of[outer] = reader, predicated[reader - phis]
            outer += 1
        begin, end = (operand_start[reader], operand_start[reader + 1]) if reader < phis else (0, 1)
        for k in range(begin, end):
            read = operands[k] if reader < phis else before[predicated[reader - phis]]
            if read != NOTHING and node[read] == NOTHING:
                outside[outer], of[outer] = reader, read
                outer += 1
            elif read != NOTHING:
                inside[inner], among[inner] = reader, node[read]
                inner += 1
    return node, grouped(inside, among, inner, nodes), grouped(outside, of, outer, nodes)


def gathered(
    inner: Rows, own: Rows, parts: Rows, part_of: Integers, is_used: Integers, occurrences: int
) -> Rows:
    """Rows: the definitions behind each component that is used, in ascending order.

    inner, own  of every node those that it reads, and the definitions
    parts       the components, each behind those it reaches; `part_of` each node
    """
    (inner_start, targets), (own_start, definitions), (part_start, members) = inner, own, parts
    count = len(part_start) - 1
    start, behind, end = zeros(count + 1), zeros(2 * len(definitions)), 0
    seen, taken = filled(count, NOTHING), filled(occurrences, NOTHING)  # by which component
    pending = zeros(count)
    for part in range(count):
        if not is_used[part]:
            start[part + 1] = end
            continue
        if end + len(definitions) > len(behind):
            behind = longer(behind, 2 * len(behind))
        depth, pending[0], seen[part] = 1, part, part
        while depth:
            depth -= 1
            other = pending[depth]
            if other != part and is_used[other]:
                for k in range(start[other], start[other + 1]):
                    if taken[behind[k]] != part:
                        taken[behind[k]] = part
                        behind[end] = behind[k]
                        end += 1
                continue
            for place in range(part_start[other], part_start[other + 1]):
                node = members[place]
                for k in range(own_start[node], own_start[node + 1]):
                    if taken[definitions[k]] != part:
                        taken[definitions[k]] = part
                        behind[end] = definitions[k]
                        end += 1
                for k in range(inner_start[node], inner_start[node + 1]):
                    target = part_of[targets[k]]
                    if seen[target] != part:
                        seen[target] = part
                        pending[depth] = target
                        depth += 1
        start[part + 1] = end
    by_definition = grouped(behind, row_of_each(start), end, occurrences)
    return grouped(by_definition[1], row_of_each(by_definition[0]), end, count)
