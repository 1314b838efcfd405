"""The rules `sound` over integers: a kernel.  `sound_rules` says what they mean.

A state is a tree of `interval_trees`, of sets of stores over cells; 0 before anything is stored.
Blocks are numbered in the order of visits; the accesses of a block follow one another.
"""

from __future__ import annotations

from compiler.analyses.jitted import Integers, filled, longer, zeros
from compiler.analyses.memory.interval_trees import (
    NEXT,
    SHORT,
    changed,
    collected,
    erased,
    joined,
    packed,
    trees_of,
    with_more_room,
    without,
)
from compiler.analyses.memory.member_sets import FULL, Sets, sets_of, with_room
from compiler.analyses.memory.relations import inverse
from compiler.analyses.memory.waiting import pop, push

LOAD, STORE, KILL = 0, 1, 2
"""A load, a store that leaves what was there, and one that replaces it."""


def sound(
    cells: int,
    kinds: Integers,
    named: Integers,
    spans: Integers,
    lows: Integers,
    highs: Integers,
    begins: Integers,
    ends: Integers,
    next_first: Integers,
    nexts: Integers,
    in_layout: Integers,
) -> tuple[Integers, Integers, Integers, Integers, Integers]:
    """The stores of every load and the loads of every store, as `relations` of accesses, and how
    often the block was visited that was visited most often.

    cells                how many a state has, a power of two
    kinds, named         of every access its kind and what it names
    spans, lows, highs   of every name where its intervals of cells begin; low and end of each
    begins, ends         of every block its accesses begin … end - 1
    next_first, nexts    its successors
    in_layout            the blocks in the order of their accesses
    """
    trees, sets, heads, most = settled(
        cells, kinds, named, spans, lows, highs, begins, ends, next_first, nexts
    )
    first, found = reaching(
        cells, kinds, named, spans, lows, highs, begins, ends, in_layout, trees, sets, heads
    )
    use_first, uses = inverse(len(kinds), first, found)
    first, found = inverse(len(kinds), use_first, uses)
    return first, found, use_first, uses, filled(1, most)


def settled(
    cells: int,
    kinds: Integers,
    named: Integers,
    spans: Integers,
    lows: Integers,
    highs: Integers,
    begins: Integers,
    ends: Integers,
    next_first: Integers,
    nexts: Integers,
) -> tuple[Integers, Sets, Integers, int]:
    """The state at the head of every block, and the visits of the block visited most often.

    Of the blocks to which something new has come the first is visited next.  It passes on what is
    new and what it does not kill, no more (semi-naive evaluation: Bancilhon, *Naive Evaluation of
    Recursively Defined Relations*, 1986).  A visit that finds no room is done again with more.
    """
    blocks, singles = len(begins), len(kinds)
    trees = trees_of(64 + 4 * singles)
    starts, items, table, used = sets_of(singles, 16 + singles // 4)
    heads, come, visits = zeros(blocks), zeros(blocks), zeros(blocks)
    arrived, waiting, most = zeros(len(nexts)), zeros(blocks + 1), 0
    for block in range(blocks):
        push(waiting, block)
    while waiting[0]:
        block, attempts = pop(waiting), 0
        while True:
            came, come[block], before = come[block], 0, trees[NEXT]
            new = without(trees, starts, items, table, used, came, heads[block])
            head = joined(trees, starts, items, table, used, heads[block], new)
            passed_on = left_by(
                cells, kinds, named, spans, lows, highs, trees, starts, items, table, used,
                begins[block], ends[block], new, visits[block] == 0,
            )  # fmt: skip
            for k in range(next_first[block], next_first[block + 1]):
                arrived[k] = joined(trees, starts, items, table, used, come[nexts[k]], passed_on)
            if not (trees[SHORT] or used[FULL]):
                break
            come[block], trees[NEXT] = came, before
            if trees[SHORT]:
                if attempts == 0:
                    packed(trees, heads, come)
                if attempts or 3 * trees[NEXT] > 2 * len(trees):
                    trees = with_more_room(trees)
                trees[SHORT], attempts = 0, attempts + 1
            if used[FULL]:
                starts, items, table = with_room(starts, items, table, used, singles)
        if visits[block] and new == 0:
            continue
        heads[block] = head
        visits[block] += 1
        most = max(most, visits[block])
        for k in range(next_first[block], next_first[block + 1]):
            target = nexts[k]
            if passed_on and visits[target] and come[target] == 0:
                push(waiting, target)
            come[target] = arrived[k]
    return trees, (starts, items, table, used), heads, most


def left_by(
    cells: int,
    kinds: Integers,
    named: Integers,
    spans: Integers,
    lows: Integers,
    highs: Integers,
    trees: Integers,
    starts: Integers,
    items: Integers,
    table: Integers,
    used: Integers,
    begin: int,
    end: int,
    state: int,
    is_first: bool,
) -> int:
    """What accesses begin … end - 1 leave of a state, and, if it is the first, their stores."""
    mark = trees[NEXT]
    for access in range(begin, end):
        kind, members = kinds[access], access + 1
        for k in range(spans[named[access]], spans[named[access] + 1]):
            if kind != LOAD and is_first:
                state = changed(
                    trees, starts, items, table, used,
                    state, cells, lows[k], highs[k], members, kind == KILL, mark,
                )  # fmt: skip
            elif kind == KILL and state:
                state = erased(trees, starts, items, table, used, state, cells, lows[k], highs[k])
    return state


def reaching(
    cells: int,
    kinds: Integers,
    named: Integers,
    spans: Integers,
    lows: Integers,
    highs: Integers,
    begins: Integers,
    ends: Integers,
    in_layout: Integers,
    trees: Integers,
    sets: Sets,
    heads: Integers,
) -> tuple[Integers, Integers]:
    """The stores of every load, in any order."""
    starts, items, table, used = sets
    singles = len(kinds)
    first, found, done, attempt = zeros(singles + 1), zeros(2 * singles + 1), 0, 0
    own, seen = zeros(singles + 1), zeros(singles)
    for block in in_layout:
        for access in range(done, begins[block]):  # of blocks that the entry does not reach
            first[access + 1] = first[done]
        access, done, mark = begins[block], ends[block], trees[NEXT]
        state = heads[block]
        while access < done:
            attempt += 1
            own[0] = 0
            kind, members = kinds[access], access + 1
            for k in range(spans[named[access]], spans[named[access] + 1]):
                low, high = lows[k], highs[k]
                if kind == LOAD:
                    collected(trees, starts, items, state, cells, low, high, own, seen, attempt)
                else:
                    state = changed(
                        trees, starts, items, table, used,
                        state, cells, low, high, members, kind == KILL, mark,
                    )  # fmt: skip
            total = first[access] + own[0]
            if total > len(found):
                found = longer(found, 2 * total)
            for k in range(own[0]):
                found[first[access] + k] = own[k + 1]
            access += 1
            first[access] = total
            if trees[SHORT] or used[FULL]:  # again from the head on
                access, state, trees[NEXT] = begins[block], heads[block], mark
                if trees[SHORT]:
                    trees = with_more_room(trees)
                if used[FULL]:
                    starts, items, table = with_room(starts, items, table, used, singles)
        trees[NEXT] = mark
    for access in range(done, singles):
        first[access + 1] = first[done]
    return first, found


def replayed(
    cells: int,
    kinds: Integers,
    named: Integers,
    spans: Integers,
    lows: Integers,
    highs: Integers,
    access: int,
    trees: Integers,
    sets: Sets,
    state: int,
) -> tuple[Integers, Sets, int]:
    """The state after an access, and the trees and sets, which may have got more room."""
    if kinds[access] == LOAD:
        return trees, sets, state
    while True:
        mark, after = trees[NEXT], state
        for k in range(spans[named[access]], spans[named[access] + 1]):
            after = changed(
                trees,
                *sets,
                after,
                cells,
                lows[k],
                highs[k],
                access + 1,
                kinds[access] == KILL,
                mark,
            )
        if not (trees[SHORT] or sets[3][FULL]):
            return trees, sets, after
        trees[NEXT] = mark
        if trees[SHORT]:
            trees = with_more_room(trees)
        if sets[3][FULL]:
            sets = (*with_room(*sets, len(kinds)), sets[3])
