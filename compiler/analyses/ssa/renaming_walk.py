"""The kernel of `compiler.analyses.ssa.renaming`: flow, dominance, phis, and which value is read.

One walk of the dominator tree names everything (Cytron and others, 1991, section 5.2).  A value is
the occurrence that defines it; phis have the numbers behind the occurrences.
"""

from __future__ import annotations

from compiler.analyses.graphs import (
    NOTHING,
    Rows,
    depth_first,
    frontiers,
    grouped,
    immediate_dominators,
    intervals,
    predecessors,
    row_of_each,
)
from compiler.analyses.jitted import Integers, filled, shorter, zeros
from compiler.analyses.ssa.phi_placement import assigned_and_exposed, phi_places

UNGUARDED = -2
"""In place of the value before a definition, of one that is not predicated."""


def renamed(
    parameters: int,
    variables: int,
    first: Integers,
    bounds: Integers,
    variable: Integers,
    start: Integers,
    targets: Integers,
) -> tuple[Integers, ...]:
    """The blocks that are reached, in reverse post-order; rows of their predecessors; of the
    variables that get phis; and what `walked` says.

    first, bounds, variable   those of `compiler.analyses.ssa.occurrences`
    start, targets            rows: where each block may go to
    """
    successors = start, targets
    preorder, order, come_from = depth_first(0, successors)
    before = predecessors(preorder, successors)
    above = immediate_dominators(preorder, come_from, before)
    first_below, last_below = intervals(preorder, above)
    facts = assigned_and_exposed(variables, order, first, bounds, variable)
    ends = frontiers(order, above, before)
    phis = phi_places(variables, facts, before, ends, first_below, last_below)
    named = walked(parameters, variables, first, bounds, variable, above, before, phis)
    return (order, *before, *phis, *named)


def walked(
    parameters: int,
    variables: int,
    first: Integers,
    bounds: Integers,
    variable: Integers,
    above: Integers,
    predecessors: Rows,
    phis: Rows,
) -> tuple[Integers, Integers, Integers, Integers, Integers]:
    """Rows of the values that phis join; the blocks in the order of the walk; for every occurrence
    the value that it defines or reads, and the value before it, UNGUARDED if it is no predicated
    definition.

    Children are visited in descending order, which settles the version numbers.
    """
    (before_start, before), (phi_start, phi_variable) = predecessors, phis
    blocks, occurrences = len(above), len(variable)
    operand_start = zeros(len(phi_variable) + 1)
    for block in range(blocks):
        sources = before_start[block + 1] - before_start[block] + (1 if block == 0 else 0)
        for phi in range(phi_start[block], phi_start[block + 1]):
            operand_start[phi + 1] = operand_start[phi] + sources
    operands = filled(operand_start[len(phi_variable)], NOTHING)
    value, previous = filled(occurrences, NOTHING), filled(occurrences, UNGUARDED)
    current = filled(variables, NOTHING)
    for parameter in range(parameters):
        current[variable[parameter]] = value[parameter] = parameter
    for phi in range(phi_start[0], phi_start[1]):
        operands[operand_start[phi]] = current[phi_variable[phi]]

    child_start, children = grouped(above, numbers(blocks), blocks, blocks)
    out_start, out = grouped(before, numbers(len(before)), len(before), blocks)
    target = row_of_each(before_start)
    walk, visited, pending, depth = zeros(blocks), 0, zeros(2 * blocks), 1
    # What to come back to on the way up: variables and their values
    lost = zeros(occurrences + len(phi_variable))
    covered, hidden = zeros(len(lost)), 0
    while depth:
        depth -= 1
        block = pending[depth]
        if block < 0:
            while hidden > ~block:
                hidden -= 1
                current[lost[hidden]] = covered[hidden]
            continue
        walk[visited] = block
        visited += 1
        pending[depth] = ~hidden
        depth += 1
        for k in range(child_start[block], child_start[block + 1]):
            pending[depth] = children[k]
            depth += 1
        for phi in range(phi_start[block], phi_start[block + 1]):
            name = phi_variable[phi]
            lost[hidden], covered[hidden] = name, current[name]
            hidden += 1
            current[name] = occurrences + phi
        for instruction in range(3 * first[block], 3 * first[block + 1], 3):
            begin, results = bounds[instruction], bounds[instruction + 1]
            values, end = bounds[instruction + 2], bounds[instruction + 3]
            for k in range(begin, end):
                if variable[k] != NOTHING:
                    value[k] = current[variable[k]]
            for k in range(results, values):
                name = variable[k]
                if begin < results:
                    previous[k] = value[k]
                value[k] = k
                lost[hidden], covered[hidden] = name, current[name]
                hidden += 1
                current[name] = k
        for edge in range(out_start[block], out_start[block + 1]):
            to = target[out[edge]]
            place = out[edge] - before_start[to] + (1 if to == 0 else 0)
            for phi in range(phi_start[to], phi_start[to + 1]):
                operands[operand_start[phi] + place] = current[phi_variable[phi]]
    return operand_start, operands, shorter(walk, visited), value, previous


def numbers(count: int) -> Integers:
    """0 … count - 1."""
    found = zeros(count)
    for k in range(count):
        found[k] = k
    return found
