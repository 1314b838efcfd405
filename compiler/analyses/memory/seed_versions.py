"""The versions of descriptors' records under the rules `seed`: SSA of memory, in kernels.

    A: store a[0:32]       a[0,31] = 1
       branch B, C
    B: store a[0:16]       a[0,15] = 2, a[0,31] = 3 of 1
    C:                     a[0,31] = 4 = phi(1, 3), a[0,15] = 5 = phi(nothing, 2)

Every store makes a new version of the record of each descriptor that it defines, kills or may
define; phis stand where the dominance frontiers say (Cytron, Ferrante, Rosen, Wegman, Zadeck,
*Efficiently Computing Static Single Assignment Form*, 1991).  Versions are numbered from 1 on in
the order in which a pass over the blocks comes to them; 0 is that of what nothing has touched.

A block without a phi knows what its immediate dominator knows, but not always what that knows
*now*.  The rules begin with what the dominators know first and go over the blocks until nothing
changes; so a block to which control comes back also hears, from behind, what it knew before, and
what was known there once stays known.  Such a block, and one to which any way from its dominator
leads through such a block, knows what the dominator *ever* knew.  (In reverse post-order an edge
back leads from p to a block h from which a way forward leads to p: what h knows in a round p knows
by its end, and h hears in the next.)  A *place* is twice a version, plus one if what that version
ever was is meant.
"""

from __future__ import annotations

from typing import TypeAlias

from compiler.analyses.jitted import Integers, filled, longer, zeros
from compiler.analyses.memory.relations import inverse

Stores: TypeAlias = tuple[Integers, Integers, Integers, Integers, Integers, Integers]
"""Of every access whether it stores, and what it names; of every name the descriptors for whose
records a load may ask, as a relation, and those whose records a store may change."""

Tree: TypeAlias = tuple[Integers, Integers, Integers, Integers, Integers]
"""The dominator tree: of every block its first child and its next sibling, -1 for none; how many
blocks on the way from the root to it, itself included, keep what they knew; how many blocks of its
subtree go back, to one visited no later, and how many of these with none in between that keeps."""

Versions: TypeAlias = tuple[Integers, Integers, Integers, Integers, Integers, Integers, Integers]
"""Of every version its descriptor; the access that makes it, or minus the number of operands of a
phi; the place it was made from, of a phi what the immediate dominator knows; and what is known of
it where control goes back: 1 for what it is, 2 for what it ever was.  The places of the phis'
operands, in their order.  Of every access the places that it reads, as a relation."""


def dominator_tree(next_first: Integers, nexts: Integers, above: Integers) -> Tree:
    """`above` is every block's immediate dominator."""
    blocks = len(above)
    keeps, kept, back, near = zeros(blocks), zeros(blocks), zeros(blocks), zeros(blocks)
    for block in range(blocks):
        for k in range(next_first[block], next_first[block + 1]):
            if nexts[k] <= block:
                keeps[nexts[k]], back[block], near[block] = 1, 1, 1
    for block in range(blocks):
        if block:
            kept[block] = kept[above[block]] + keeps[block]
        for k in range(next_first[block], next_first[block + 1]):
            target = nexts[k]
            if target > block and kept[block] > kept[above[target]]:
                keeps[target] = 1
    child, sibling = filled(blocks, -1), filled(blocks, -1)
    for block in range(blocks - 1, 0, -1):
        parent = above[block]
        back[parent] += back[block]
        if not keeps[block]:
            near[parent] += near[block]
        sibling[block], child[parent] = child[parent], block
    return child, sibling, kept, back, near


def placed_phis(
    stores: Stores,
    begins: Integers,
    ends: Integers,
    frontier_first: Integers,
    frontier: Integers,
    descriptors: int,
) -> tuple[Integers, Integers]:
    """Of every block the descriptors that have a phi at its head."""
    kinds, named, _, _, write_first, writes = stores
    blocks, count = len(begins), 0
    first, touched, last = zeros(blocks + 1), zeros(blocks + 1), filled(descriptors, -1)
    for block in range(blocks):
        for access in range(begins[block], ends[block]):
            if kinds[access]:
                for k in range(write_first[named[access]], write_first[named[access] + 1]):
                    if last[writes[k]] != block:
                        last[writes[k]] = block
                        if count == len(touched):
                            touched = longer(touched, 2 * count)
                        touched[count] = writes[k]
                        count += 1
        first[block + 1] = count
    of_first, of = inverse(descriptors, first, touched)
    pending, placed = zeros(2 * blocks), filled(blocks, -1)
    phi_first, phis, found = zeros(descriptors + 1), zeros(blocks), 0
    for one in range(descriptors):
        top = 0
        for k in range(of_first[one], of_first[one + 1]):
            pending[top] = of[k]
            top += 1
        while top:
            top -= 1
            block = pending[top]
            for k in range(frontier_first[block], frontier_first[block + 1]):
                target = frontier[k]
                if placed[target] != one:
                    placed[target] = one
                    if found == len(phis):
                        phis = longer(phis, 2 * found)
                    phis[found] = target
                    pending[top] = target
                    found, top = found + 1, top + 1
        phi_first[one + 1] = found
    return inverse(blocks, phi_first, phis)


def versions_of(
    stores: Stores,
    begins: Integers,
    ends: Integers,
    next_first: Integers,
    nexts: Integers,
    phi_first: Integers,
    phis: Integers,
    tree: Tree,
    descriptors: int,
) -> Versions:
    """One walk over the dominator tree."""
    kinds, named, read_first, reads, write_first, writes = stores
    child, sibling, kept, back, near = tree
    blocks, accesses = len(begins), len(kinds)
    ways, come = zeros(blocks), zeros(blocks)
    for target in nexts:
        ways[target] += 1
    base, operand_first, place_first = zeros(blocks + 1), zeros(blocks + 1), zeros(accesses + 1)
    base[0] = 1
    for block in range(blocks):
        count = phi_first[block + 1] - phi_first[block]
        operand_first[block + 1] = operand_first[block] + count * ways[block]
        for access in range(begins[block], ends[block]):
            name = named[access]
            if kinds[access]:
                count += write_first[name + 1] - write_first[name]
            else:
                place_first[access + 1] = read_first[name + 1] - read_first[name]
        base[block + 1] = base[block] + count
    for access in range(accesses):
        place_first[access + 1] += place_first[access]
    total = base[blocks]
    operands, places = zeros(operand_first[blocks]), zeros(place_first[accesses])
    about, made_by, sources = zeros(total), filled(total, -1), zeros(total)
    level, watched, watched_near = zeros(total), zeros(total), zeros(total)
    now, stack, top = zeros(descriptors), zeros(blocks), 1
    while top:
        block = stack[top - 1]
        if block < 0:  # all below it is done
            top -= 1
            block = -1 - block
            for version in range(base[block + 1] - 1, base[block] - 1, -1):
                now[about[version]] = sources[version] >> 1
            continue
        stack[top - 1] = -1 - block
        version, depth, own_back = base[block], kept[block], 0
        for k in range(next_first[block], next_first[block + 1]):
            if nexts[k] <= block:
                own_back = 1
        for access in range(begins[block] - 1, ends[block]):  # the phis stand before the first one
            is_phi, name = access < begins[block], 0
            first, end = phi_first[block], phi_first[block + 1]
            if not is_phi:
                name = named[access]
                first, end = write_first[name], write_first[name + 1]
            if not is_phi and kinds[access] == 0:
                for k in range(read_first[name], read_first[name + 1]):
                    at = place_first[access] + k - read_first[name]
                    places[at] = place_of(now[reads[k]], level, depth)
                continue
            all_below = back[block] - (0 if is_phi else own_back)
            near_below = near[block] - (0 if is_phi else own_back)
            for k in range(first, end):
                one = phis[k] if is_phi else writes[k]
                before = now[one]
                about[version], made_by[version] = one, -ways[block] if is_phi else access
                sources[version] = place_of(before, level, depth)
                watched[version], watched_near[version] = all_below, near_below
                watched[before] -= all_below
                if level[before] == depth:
                    watched_near[before] -= near_below
                level[version], now[one] = depth, version
                version += 1
        for k in range(next_first[block], next_first[block + 1]):
            target = nexts[k]
            at = operand_first[target] + come[target]
            come[target] += 1
            for phi in range(phi_first[target], phi_first[target + 1]):
                operands[at] = place_of(now[phis[phi]], level, depth)
                at += ways[target]
        below = child[block]
        while below >= 0:
            stack[top] = below
            top, below = top + 1, sibling[below]
    for version in range(1, total):
        far = watched[version] > watched_near[version]
        watched[version] = (1 if watched_near[version] > 0 else 0) + (2 if far else 0)
    return about, made_by, sources, watched, operands, place_first, places


def place_of(version: int, level: Integers, depth: int) -> int:
    """What a block of this depth knows of a version."""
    if version == 0:
        return 0
    return 2 * version + (1 if depth > level[version] else 0)
