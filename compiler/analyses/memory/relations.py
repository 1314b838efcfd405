"""Relations between numbers, as two lists: the partners of k are `others[first[k]:first[k + 1]]`.
Words of kernels."""

from __future__ import annotations

from compiler.analyses.jitted import Integers, zeros


def inverse(count: int, first: Integers, others: Integers) -> tuple[Integers, Integers]:
    """The relation the other way round, whose `count` lists of partners rise."""
    starts, pairs = zeros(count + 1), first[len(first) - 1]
    for k in range(pairs):
        starts[others[k] + 1] += 1
    for k in range(count):
        starts[k + 1] += starts[k]
    at, found = zeros(count), zeros(pairs)
    for k in range(len(first) - 1):
        for pair in range(first[k], first[k + 1]):
            other = others[pair]
            found[starts[other] + at[other]] = k
            at[other] += 1
    return starts, found
