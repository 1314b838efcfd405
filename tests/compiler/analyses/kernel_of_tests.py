"""A kernel with everything that kernels may hold; see `test_jitted`."""

from __future__ import annotations

from compiler.analyses.jitted import Integers, filled, longer, shorter, zeros

LEAST, MOST = 2, 9


def runs_and_counts(values: Integers) -> tuple[Integers, Integers]:
    """Where runs of equal values begin, and how often LEAST … MOST occur."""
    starts, found = zeros(1), 0
    for k in range(len(values)):
        if k == 0 or values[k] != values[k - 1]:
            if found == len(starts):
                starts = longer(starts, 2 * found)
            starts[found] = k
            found += 1
    return shorter(starts, found), counts(values)


def counts(values: Integers) -> Integers:
    found = filled(MOST - LEAST + 1, 0)
    for value in values:
        if LEAST <= value <= MOST:
            found[value - LEAST] += 1
    return found
