"""The kernel of `compiler.analyses.ssa.reaching_definitions`: iteration over bit vectors.

Definitions are numbered variable by variable, so that those of one variable are a range of bits.
A vector is a row of `words` integers.
"""

from __future__ import annotations

from compiler.analyses.graphs import NOTHING, depth_first, grouped, predecessors
from compiler.analyses.jitted import Integers, filled, longer, zeros

BITS = 63
"""In a word: one less than it has, so that none is negative."""


def reaching(
    parameters: int,
    variables: int,
    first: Integers,
    bounds: Integers,
    variable: Integers,
    start: Integers,
    targets: Integers,
) -> tuple[Integers, Integers, Integers, Integers]:
    """Rows for every occurrence: the definitions that reach it, and the uses that it reaches.

    The arguments are those of `compiler.analyses.ssa.renaming_walk.renamed`.
    """
    preorder, order, _ = depth_first(0, (start, targets))
    before_start, before = predecessors(preorder, (start, targets))
    of_start, of = definitions_by_variable(parameters, variables, bounds, variable)
    number = filled(len(variable), NOTHING)
    for k in range(len(of)):
        number[of[k]] = k
    words, blocks = len(of) // BITS + 1, len(first) - 1
    gen, kill, after = zeros(blocks * words), zeros(blocks * words), zeros(blocks * words)
    for block in order:
        for instruction in range(3 * first[block], 3 * first[block + 1], 3):
            for k in range(bounds[instruction + 1], bounds[instruction + 2]):
                if bounds[instruction] == bounds[instruction + 1]:
                    begin, end = of_start[variable[k]], of_start[variable[k] + 1]
                    clear(gen, block * words, begin, end)
                    cover(kill, block * words, begin, end)
                put(gen, block * words, number[k])
    called = zeros(words)
    for k in range(parameters):
        put(called, 0, number[k])
    now, changed = zeros(words), 1
    while changed:
        changed = 0
        for block in order:
            arrive(now, called, block, before_start, before, after)
            place = block * words
            for word in range(words):
                found = gen[place + word] | (now[word] & ~kill[place + word])
                changed |= found ^ after[place + word]
                after[place + word] = found

    definitions, uses, count = zeros(len(variable)), zeros(len(variable)), 0
    is_reached = zeros(blocks)
    for block in order:
        is_reached[block] = 1
    for block in range(blocks):
        found = NOTHING if is_reached[block] else count
        while found == NOTHING:
            arrive(now, called, block, before_start, before, after)
            instructions = range(3 * first[block], 3 * first[block + 1], 3)
            found = noted(
                instructions, bounds, variable, of_start, of, number, now, definitions, uses, count
            )
            if found == NOTHING:
                definitions, uses = longer(definitions, 2 * len(uses)), longer(uses, 2 * len(uses))
        count = found
    defs_start, defs = grouped(uses, definitions, count, len(variable))
    uses_start, uses = grouped(definitions, uses, count, len(variable))
    return defs_start, defs, uses_start, uses


def arrive(
    now: Integers,
    called: Integers,
    block: int,
    before_start: Integers,
    before: Integers,
    after: Integers,
) -> None:
    """Set `now` to what reaches the head of a block."""
    words = len(now)
    for word in range(words):
        now[word] = called[word] if block == 0 else 0
    for edge in range(before_start[block], before_start[block + 1]):
        place = before[edge] * words
        for word in range(words):
            now[word] |= after[place + word]


def noted(
    instructions: range,
    bounds: Integers,
    variable: Integers,
    of_start: Integers,
    of: Integers,
    number: Integers,
    now: Integers,
    definitions: Integers,
    uses: Integers,
    count: int,
) -> int:
    """Note the pairs of a block behind the first `count`, from what reaches its head: how many
    there are then, NOTHING if there is no room."""
    for instruction in instructions:
        results, values = bounds[instruction + 1], bounds[instruction + 2]
        for k in range(bounds[instruction], bounds[instruction + 3]):
            if results <= k < values or variable[k] == NOTHING:
                continue
            begin, end = of_start[variable[k]], of_start[variable[k] + 1]
            if count + end - begin > len(uses):
                return NOTHING
            for word in range(begin // BITS, -(-end // BITS)):
                bits, bit = now[word], word * BITS
                while bits:
                    if bits & 1 and begin <= bit < end:
                        definitions[count], uses[count] = of[bit], k
                        count += 1
                    bits, bit = bits >> 1, bit + 1
        for k in range(results, values):
            if bounds[instruction] == results:
                clear(now, 0, of_start[variable[k]], of_start[variable[k] + 1])
            put(now, 0, number[k])
    return count


def definitions_by_variable(
    parameters: int, variables: int, bounds: Integers, variable: Integers
) -> tuple[Integers, Integers]:
    """Rows: the definitions of each variable, in the order of the text."""
    names, found, count = zeros(len(variable)), zeros(len(variable)), 0
    for k in range(parameters):
        names[count], found[count] = variable[k], k
        count += 1
    for instruction in range(0, len(bounds) - 1, 3):
        for k in range(bounds[instruction + 1], bounds[instruction + 2]):
            names[count], found[count] = variable[k], k
            count += 1
    return grouped(names, found, count, variables)


def put(vector: Integers, place: int, bit: int) -> None:
    """Set a bit of the vector that begins at `place`."""
    vector[place + bit // BITS] |= 1 << (bit % BITS)


def clear(vector: Integers, place: int, begin: int, end: int) -> None:
    """Clear the bits begin … end - 1."""
    for word in range(begin // BITS, -(-end // BITS)):
        vector[place + word] &= ~mask(word, begin, end)


def cover(vector: Integers, place: int, begin: int, end: int) -> None:
    """Set the bits begin … end - 1."""
    for word in range(begin // BITS, -(-end // BITS)):
        vector[place + word] |= mask(word, begin, end)


def mask(word: int, begin: int, end: int) -> int:
    """The bits begin … end - 1 of a word, which has some of them."""
    low, high = max(begin - word * BITS, 0), min(end - word * BITS, BITS)
    return ((1 << (high - low)) - 1) << low
