"""Where SSA form needs phis: in the iterated dominance frontiers, if the variable is live there.

    BB2: branch opaque, BB3, BB4        BB3 and BB4 assign x.  The frontier of BB3 is BB4, where x
    BB3: @p x = a + b                   is live because the guarded definition kills nothing; the
    BB4: @p x = a - b              ->   frontier of BB4 is BB2, where it is live for the same
         branch opaque, BB2, BB5        reason.  So BB2 and BB4 get a phi for x.
    BB5: y = x

Cytron, Ferrante, Rosen, Wegman, Zadeck, *Efficiently Computing Static Single Assignment Form and
the Control Dependence Graph*, 1991; with liveness (pruned SSA) Choi, Cytron, Ferrante, *Automatic
Construction of Sparse Data Flow Evaluation Graphs*, 1991.  A part of the kernel of
`compiler.analyses.ssa.renaming`; `bounds` and `variable` are those of
`compiler.analyses.ssa.occurrences`.

No phi that is placed so need be removed again.  It never joins one definition point only (itself
aside): a block of the frontier ends two ways that share no block and come from two definitions, or
from one and the call, so the last definition or phi on each is another.  And something takes its
value: the variable is live, so a way leads to a use that nothing cuts; the first phi, link of a
predicated definition, or use on it is what takes it.
"""

from __future__ import annotations

from compiler.analyses.graphs import NOTHING, Rows, grouped
from compiler.analyses.jitted import Integers, filled, longer, shorter, zeros


def assigned_and_exposed(
    variables: int, order: Integers, first: Integers, bounds: Integers, variable: Integers
) -> tuple[Integers, Integers, Integers, Integers, Integers]:
    """Which blocks assign a variable, and which read it before they certainly assign it: a guarded
    definition does not do so.

    Of every assignment the variable, the block and whether it is certain (1 or 0); of every
    exposure the variable and the block.
    """
    names, places, certain = zeros(len(variable)), zeros(len(variable)), zeros(len(variable))
    read, where = zeros(len(variable)), zeros(len(variable))
    # Of every variable its last assignment, the last block that kills it, and that exposes it
    last, killed, exposed = (
        filled(variables, NOTHING),
        filled(variables, NOTHING),
        filled(variables, NOTHING),
    )
    assigned = reads = 0
    for block in order:
        for instruction in range(3 * first[block], 3 * first[block + 1], 3):
            begin, results = bounds[instruction], bounds[instruction + 1]
            values, end = bounds[instruction + 2], bounds[instruction + 3]
            for k in range(begin, end):
                name = variable[k]
                if name == NOTHING or results <= k < values:
                    continue
                if killed[name] != block and exposed[name] != block:
                    exposed[name] = block
                    read[reads], where[reads] = name, block
                    reads += 1
            for k in range(results, values):
                name = variable[k]
                if last[name] == NOTHING or places[last[name]] != block:
                    last[name] = assigned
                    names[assigned], places[assigned] = name, block
                    assigned += 1
                if begin == results:
                    killed[name] = block
                    certain[last[name]] = 1
    return (
        shorter(names, assigned),
        shorter(places, assigned),
        shorter(certain, assigned),
        shorter(read, reads),
        shorter(where, reads),
    )


def joined(
    variables: int,
    facts: tuple[Integers, Integers, Integers, Integers, Integers],
    first: Integers,
    last: Integers,
) -> tuple[Integers, Integers]:
    """The variables that are assigned and exposed, and not by one certain definition that dominates
    every use (such a one is live nowhere in its frontier), in ascending order; and for every
    variable its place among them, NOTHING for the others."""
    names, places, certain, read, where = facts
    only, often, place = filled(variables, NOTHING), zeros(variables), filled(variables, NOTHING)
    for k in range(len(names)):
        often[names[k]] |= 1 if only[names[k]] != NOTHING or not certain[k] else 0
        only[names[k]] = places[k]
    for k in range(len(read)):
        a, b = only[read[k]], where[k]
        if a != NOTHING and (often[read[k]] or not first[a] < first[b] <= last[a]):
            place[read[k]] = 0
    found, count = zeros(variables), 0
    for name in range(variables):
        if place[name] == 0:
            place[name] = count
            found[count] = name
            count += 1
    return shorter(found, count), place


def phi_places(
    variables: int,
    facts: tuple[Integers, Integers, Integers, Integers, Integers],
    predecessors: Rows,
    frontiers: Rows,
    first: Integers,
    last: Integers,
) -> Rows:
    """For every block the variables that need a phi at its head, in ascending order.

    facts         what `assigned_and_exposed` says
    first, last   `intervals` of the dominator tree
    """
    wanted, place = joined(variables, facts, first, last)
    names, places, certain, read, where = facts
    assignments, assigning = zeros(len(names)), zeros(len(names))
    for k in range(len(names)):
        assignments[k], assigning[k] = k, place[names[k]]
    exposing = zeros(len(read))
    for k in range(len(read)):
        exposing[k] = place[read[k]]
    start, assignment = grouped(assigning, assignments, len(names), len(wanted))
    read_start, exposed = grouped(exposing, where, len(read), len(wanted))

    (before_start, before), (frontier_start, frontier) = predecessors, frontiers
    blocks = len(before_start) - 1
    # Of every block the last variable that is live at its head, is killed in it, has a phi there
    live, killed, placed = (
        filled(blocks, NOTHING),
        filled(blocks, NOTHING),
        filled(blocks, NOTHING),
    )
    pending, heads, phis, count = zeros(2 * blocks), zeros(2 * blocks), zeros(2 * blocks), 0
    for name in range(len(wanted)):
        if count + blocks > len(phis):
            heads, phis = longer(heads, 2 * len(heads)), longer(phis, 2 * len(phis))
        depth = 0
        for k in range(read_start[name], read_start[name + 1]):
            live[exposed[k]] = name
            pending[depth] = exposed[k]
            depth += 1
        for k in range(start[name], start[name + 1]):
            if certain[assignment[k]]:
                killed[places[assignment[k]]] = name
        while depth:
            depth -= 1
            block = pending[depth]
            for edge in range(before_start[block], before_start[block + 1]):
                source = before[edge]
                if live[source] != name and killed[source] != name:
                    live[source] = name
                    pending[depth] = source
                    depth += 1
        for k in range(start[name], start[name + 1]):
            pending[depth] = places[assignment[k]]
            depth += 1
        while depth:
            depth -= 1
            block = pending[depth]
            for k in range(frontier_start[block], frontier_start[block + 1]):
                target = frontier[k]
                if placed[target] != name and live[target] == name:
                    placed[target] = name
                    heads[count], phis[count] = target, wanted[name]
                    count += 1
                    pending[depth] = target
                    depth += 1
    return grouped(heads, phis, count, blocks)
