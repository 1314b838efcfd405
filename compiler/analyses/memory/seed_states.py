"""The rules `seed` over integers: a kernel.  `seed_rules` says what they mean, `seed_versions`
where records change.

A record is three numbers: the set of its definitions, 0 if there is no record, its kill set, and
whether an inexact definition overwrote some of it.  Every version has two: what it is and what it
ever was, so that the record of a place stands at three times its number.
"""

from __future__ import annotations

from compiler.analyses.jitted import Integers, filled, longer, zeros
from compiler.analyses.memory.kill_sets import covers, meets, shared, widened
from compiler.analyses.memory.member_sets import FULL, Sets, sets_of, united, with_room
from compiler.analyses.memory.relations import inverse
from compiler.analyses.memory.seed_versions import (
    Versions,
    dominator_tree,
    placed_phis,
    versions_of,
)

RECORD = 3
GUARDED = 2
"""The kind of a store that may not happen."""


def seed(
    fast: int,
    every: int,
    most: int,
    kinds: Integers,
    named: Integers,
    musts: Integers,
    read_first: Integers,
    reads: Integers,
    write_first: Integers,
    writes: Integers,
    lows: Integers,
    highs: Integers,
    exact: Integers,
    begins: Integers,
    ends: Integers,
    next_first: Integers,
    nexts: Integers,
    above: Integers,
    frontier_first: Integers,
    frontier: Integers,
) -> tuple[Integers, Integers, Integers, Integers, Integers]:
    """The stores of every load and the loads of every store, as `relations` of accesses; and the
    rounds until no record changed.

    fast, every    whether by figure 5; whether an access defines all its candidates
    most           rounds
    kinds, named   of every access 0, 1 or GUARDED; what it names
    musts          of every name its must descriptor, -1 if it has none
    reads, writes  of every name the descriptors for whose records a use may ask, and which a
                   definition may change; its own first
    above          of every block its immediate dominator
    """
    stores = (kinds, named, read_first, reads, write_first, writes)
    descriptors = len(lows)
    phi_first, phis = placed_phis(stores, begins, ends, frontier_first, frontier, descriptors)
    versions = versions_of(
        stores,
        begins,
        ends,
        next_first,
        nexts,
        phi_first,
        phis,
        dominator_tree(next_first, nexts, above),
        descriptors,
    )
    records, sets, rounds = settled(every, kinds, named, musts, lows, highs, exact, versions, most)
    first, found = reaching(
        fast, named, musts, reads, read_first, lows, highs, exact, versions, records, sets
    )
    use_first, uses = inverse(len(kinds), first, found)
    first, found = inverse(len(kinds), use_first, uses)
    return first, found, use_first, uses, filled(1, rounds)


def settled(
    every: int,
    kinds: Integers,
    named: Integers,
    musts: Integers,
    lows: Integers,
    highs: Integers,
    exact: Integers,
    versions: Versions,
    most: int,
) -> tuple[Integers, Sets, int]:
    """The records of all places, and the rounds until none changed, -1 if that takes too many.

    Round 0 is what the immediate dominators know.  There is another round if anything else is known
    where control goes back.
    """
    about, made_by, sources, watched, operands, _, _ = versions
    total, singles = len(about), len(kinds)
    starts, items, table, used = sets_of(singles, 16 + singles)
    records, work = zeros(2 * RECORD * total), zeros(RECORD)
    rounds, going = -1, True
    while going:
        rounds += 1
        if rounds > most:
            return records, (starts, items, table, used), -1
        going = rounds == 0
        operand, own = 0, 0
        for version in range(1, total):
            access, at = made_by[version], 2 * RECORD * version
            if access >= 0 and access != made_by[version - 1]:
                own = version
            while True:
                take(records, RECORD * sources[version], work)
                if access >= 0:
                    name = named[access]
                    if musts[name] < 0:
                        if every or work[0] == 0:
                            start(work, access)
                    elif kinds[access] == GUARDED and records[RECORD * sources[own]]:
                        if version == own:
                            work[0] = united(starts, items, table, used, work[0], access + 1)
                    elif version == own:
                        start(work, access)
                    elif work[0]:
                        overwrite(
                            starts,
                            items,
                            table,
                            used,
                            lows,
                            highs,
                            exact,
                            about[version],
                            musts[name],
                            work,
                        )
                elif rounds:
                    work[0] = 0
                    for k in range(operand, operand - access):
                        join(records, RECORD * operands[k], starts, items, table, used, work)
                if not used[FULL]:
                    break
                starts, items, table = with_room(starts, items, table, used, singles)
            if access < 0:
                operand -= access
            if put(records, at, work):
                if watched[version] & 1:
                    going = True
                while True:
                    take(records, at, work)
                    join(records, at + RECORD, starts, items, table, used, work)
                    if not used[FULL]:
                        break
                    starts, items, table = with_room(starts, items, table, used, singles)
                if put(records, at + RECORD, work) and watched[version] & 2:
                    going = True
    return records, (starts, items, table, used), rounds


def take(records: Integers, at: int, work: Integers) -> None:
    """A copy of a record."""
    work[0], work[1], work[2] = records[at], records[at + 1], records[at + 2]


def put(records: Integers, at: int, work: Integers) -> bool:
    """Whether it was another record."""
    if work[0] == 0:
        work[1], work[2] = 0, 0
    if records[at] == work[0] and records[at + 1] == work[1] and records[at + 2] == work[2]:
        return False
    records[at], records[at + 1], records[at + 2] = work[0], work[1], work[2]
    return True


def start(work: Integers, access: int) -> None:
    """The record of a single definition."""
    work[0], work[1], work[2] = access + 1, 0, 0


def join(
    records: Integers,
    at: int,
    starts: Integers,
    items: Integers,
    table: Integers,
    used: Integers,
    work: Integers,
) -> None:
    """The union of the definitions and the intersection of the kill sets: where there is no record,
    no definition is added and all counts as killed."""
    if records[at]:
        if work[0] == 0:
            take(records, at, work)
        else:
            work[0] = united(starts, items, table, used, work[0], records[at])
            work[1] = shared(starts, items, table, used, work[1], records[at + 1])
            work[2] |= records[at + 2]


def overwrite(
    starts: Integers,
    items: Integers,
    table: Integers,
    used: Integers,
    lows: Integers,
    highs: Integers,
    exact: Integers,
    one: int,
    by: int,
    work: Integers,
) -> None:
    """The record of a descriptor after a definition of another one; none if nothing is left."""
    if exact[by]:
        work[1] = widened(starts, items, table, used, work[1], lows[by], highs[by])
        if exact[one] and covers(starts, items, work[1], lows[one], highs[one]):
            work[0] = 0
    else:
        work[2] = 1


def reaching(
    fast: int,
    named: Integers,
    musts: Integers,
    reads: Integers,
    read_first: Integers,
    lows: Integers,
    highs: Integers,
    exact: Integers,
    versions: Versions,
    records: Integers,
    sets: Sets,
) -> tuple[Integers, Integers]:
    """The definitions that a load may read, in any order."""
    _, _, _, _, _, place_first, places = versions
    starts, items, _, _ = sets
    count = len(named)
    first, found, total, seen = zeros(count + 1), zeros(count + 1), 0, filled(count, -1)
    for access in range(count):
        name = named[access]
        must = musts[name]
        for k in range(place_first[access], place_first[access + 1]):
            at = RECORD * places[k]
            one = reads[read_first[name] + k - place_first[access]]
            own = RECORD * places[place_first[access]] if must >= 0 else 0
            if records[at] and (
                must < 0
                or is_read(fast, starts, items, lows, highs, exact, one, must, records, at, own)
            ):
                for item in range(starts[records[at]], starts[records[at] + 1]):
                    if seen[items[item]] != access:
                        seen[items[item]] = access
                        if total == len(found):
                            found = longer(found, 2 * total)
                        found[total] = items[item]
                        total += 1
        first[access + 1] = total
    return first, found


def is_read(
    fast: int,
    starts: Integers,
    items: Integers,
    lows: Integers,
    highs: Integers,
    exact: Integers,
    one: int,
    must: int,
    records: Integers,
    at: int,
    own: int,
) -> bool:
    """Whether a use of `must` asks for a descriptor's record: figure 4, or figure 5 if it is fast.

    at, own    where its record stands, and that of `must`
    """
    if one == must or exact[must] == 0:
        return True
    if records[own] and records[own + 1] == 0:
        return False
    if fast:
        return True
    low, high = lows[must], highs[must]
    if exact[one]:
        if records[own] and not meets(starts, items, records[own + 1], lows[one], highs[one]):
            return False
        low, high = max(low, lows[one]), min(high, highs[one])
    return not covers(starts, items, records[at + 1], low, high)
