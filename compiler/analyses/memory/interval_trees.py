"""A map from every cell of a line to a set, in which whole intervals change at once; in kernels.

    add [0,8) {1}        1 1 1 1 1 1 1 1
    erase [2,4)          1 1 . . 1 1 1 1
    add [3,5) {2}        1 1 . 2 12 1 1 1
    the sets in [1,4)    {1, 2}

A tree over the halves of the line: a cell's set is the union of the sets on the way to it from the
root (a segment tree, Bentley, *Algorithms for Klee's rectangle problems*, 1977, with sets in its
nodes).  Trees are never changed, so that many share most of themselves and a join looks only at
where two differ (path copying: Driscoll, Sarnak, Sleator, Tarjan, *Making Data Structures
Persistent*, 1989); but for the nodes from `mark` on, which only one tree has as yet.  Of n cells a
change visits O(log n) nodes, whatever the interval's length.

A node is a number, 0 the empty tree; sets are those of `member_sets`.  Where a node finds no room,
trees[SHORT] is set and what comes out means nothing.  Walks keep a stack of their own, as code of
functions that call themselves crashes when numba has loaded it from disk.
"""

from __future__ import annotations

from compiler.analyses.jitted import Integers, longer, zeros
from compiler.analyses.memory.member_sets import difference, united

NODE, FRAME = 3, 5
NEXT, SHORT, STACK = NODE, NODE + 1, 2 * NODE
HEAD = STACK + 66 * FRAME
"""A list of nodes: of each its set and the trees of its halves.  In the place of the first ones are
the empty tree, where the next node comes, whether one found no room, and a stack for walks: FRAME
numbers for every step down."""


def trees_of(room: int) -> Integers:
    """No trees, and room for `room` nodes."""
    trees = zeros(HEAD + NODE * room)
    trees[NEXT] = HEAD
    return trees


def with_more_room(trees: Integers) -> Integers:
    """The same trees, and room for half as many nodes more."""
    trees[SHORT] = 0
    return longer(trees, len(trees) + NODE * (len(trees) // (2 * NODE) + 8))


def packed(trees: Integers, heads: Integers, others: Integers) -> None:
    """Move the nodes that are needed to the front, in their order."""
    moved = zeros(trees[NEXT] // NODE + 1)
    for k in range(len(heads) + len(others)):
        trees[STACK], top = heads[k] if k < len(heads) else others[k - len(heads)], STACK
        while top >= STACK:
            node = trees[top]
            top -= 1
            if node and moved[node // NODE] == 0:
                moved[node // NODE] = 1
                trees[top + 1], trees[top + 2] = trees[node + 1], trees[node + 2]
                top += 2
    to = HEAD
    for node in range(HEAD, trees[NEXT], NODE):
        if moved[node // NODE]:
            moved[node // NODE] = to
            to += NODE
    for node in range(HEAD, trees[NEXT], NODE):
        place = moved[node // NODE]
        if place:
            trees[place] = trees[node]
            trees[place + 1] = moved[trees[node + 1] // NODE]
            trees[place + 2] = moved[trees[node + 2] // NODE]
    trees[NEXT] = to
    for k in range(len(heads)):
        heads[k] = moved[heads[k] // NODE]
    for k in range(len(others)):
        others[k] = moved[others[k] // NODE]


def node_of(trees: Integers, members: int, a: int, b: int) -> int:
    """A new node; 0 if nothing is in it."""
    if members == 0 and a == 0 and b == 0:
        return 0
    node = trees[NEXT]
    if node + NODE > len(trees):
        trees[SHORT] = 1
        return 0
    trees[NEXT] = node + NODE
    trees[node], trees[node + 1], trees[node + 2] = members, a, b
    return node


def increased(
    trees: Integers,
    starts: Integers,
    items: Integers,
    table: Integers,
    used: Integers,
    tree: int,
    members: int,
) -> int:
    """All sets of a tree get `members` as well."""
    more = members
    if trees[tree]:
        more = united(starts, items, table, used, trees[tree], members)
        if more == trees[tree]:
            return tree
    return node_of(trees, more, trees[tree + 1], trees[tree + 2])


def joined(
    trees: Integers,
    starts: Integers,
    items: Integers,
    table: Integers,
    used: Integers,
    a: int,
    b: int,
) -> int:
    """The unions of both trees' sets; `a` itself where `b` adds nothing to it."""
    found, top, step = 0, STACK, 0
    while True:
        if step == 0:  # down to a and b
            if b == 0 or a == b:
                found = a
            elif a == 0:
                found = b
            else:
                trees[top], trees[top + 1], trees[top + 2] = a, b, 1
                top += FRAME
                a, b = trees[a + 1], trees[b + 1]
                continue
        elif step == 1:  # their left halves give `found`
            trees[top + 2], trees[top + 3] = 2, found
            top += FRAME
            a, b, step = trees[a + 2], trees[b + 2], 0
            continue
        else:
            a_left, members = trees[top + 3], trees[a]
            if trees[b]:
                members = united(starts, items, table, used, members, trees[b])
            if members == trees[a] and a_left == trees[a + 1] and found == trees[a + 2]:
                found = a
            else:
                found = node_of(trees, members, a_left, found)
        if top == STACK:
            return found
        top -= FRAME
        a, b, step = trees[top], trees[top + 1], trees[top + 2]


def without(
    trees: Integers,
    starts: Integers,
    items: Integers,
    table: Integers,
    used: Integers,
    a: int,
    b: int,
) -> int:
    """What `a` has and `b` has not; of what `b` has in each half of a node but `a` in the node
    itself, it stays."""
    found, top, step, theirs = 0, STACK, 0, trees[0]
    while True:
        if step == 0:  # down to a and b, with `theirs` of b on the way
            here = theirs
            if trees[b]:
                here = united(starts, items, table, used, theirs, trees[b])
            if a == 0 or a == b:
                found = 0
            elif here == 0 and trees[b + 1] == 0 and trees[b + 2] == 0:
                found = a
            else:
                trees[top], trees[top + 1], trees[top + 2], trees[top + 4] = a, b, 1, here
                top += FRAME
                a, b, theirs = trees[a + 1], trees[b + 1], here
                continue
        elif step == 1:  # the left halves give `found`
            trees[top + 2], trees[top + 3] = 2, found
            top += FRAME
            a, b, step = trees[a + 2], trees[b + 2], 0
            continue
        else:
            members = trees[a]
            if members and theirs:
                members = difference(starts, items, table, used, members, theirs)
            found = node_of(trees, members, trees[top + 3], found)
        if top == STACK:
            return found
        top -= FRAME
        a, b, step, theirs = trees[top], trees[top + 1], trees[top + 2], trees[top + 4]


def own_copy(trees: Integers, tree: int, mark: int) -> int:
    """A node with the same in it that nobody else has."""
    if tree >= mark:
        return tree
    copy = trees[NEXT]
    if copy + NODE > len(trees):
        trees[SHORT] = 1
        return 0
    trees[NEXT] = copy + NODE
    trees[copy], trees[copy + 1], trees[copy + 2] = trees[tree], trees[tree + 1], trees[tree + 2]
    return copy


def changed(
    trees: Integers,
    starts: Integers,
    items: Integers,
    table: Integers,
    used: Integers,
    tree: int,
    cells: int,
    low: int,
    high: int,
    members: int,
    kills: int,
    mark: int,
) -> int:
    """The sets in [low, high) become `members`, which is not empty, or get them as well.

    `cells` is how many the line has, a power of two.
    """
    root = own_copy(trees, tree, mark)
    top = STACK
    trees[top], trees[top + 1], trees[top + 2] = root, 0, cells
    top += FRAME
    while top > STACK and not trees[SHORT]:
        top -= FRAME
        node, start, size = trees[top], trees[top + 1], trees[top + 2]
        if low <= start and start + size <= high:
            if kills:
                trees[node], trees[node + 1], trees[node + 2] = members, 0, 0
            else:
                trees[node] = united(starts, items, table, used, trees[node], members)
            continue
        half, own = size >> 1, trees[node]
        if kills and own:  # it moves down, so that it can end at the interval's ends
            trees[node] = 0
            for child in (node + 1, node + 2):
                below = own_copy(trees, trees[child], mark)
                trees[child] = below
                if below and trees[below]:
                    trees[below] = united(starts, items, table, used, trees[below], own)
                elif below:
                    trees[below] = own
        if low < start + half:
            trees[node + 1] = trees[top] = own_copy(trees, trees[node + 1], mark)
            trees[top + 1], trees[top + 2] = start, half
            top += FRAME
        if start + half < high:
            trees[node + 2] = trees[top] = own_copy(trees, trees[node + 2], mark)
            trees[top + 1], trees[top + 2] = start + half, half
            top += FRAME
    return root


def erased(
    trees: Integers,
    starts: Integers,
    items: Integers,
    table: Integers,
    used: Integers,
    tree: int,
    cells: int,
    low: int,
    high: int,
) -> int:
    """The sets in [low, high) become empty."""
    found, top, step, start, size = 0, STACK, 0, 0, cells
    while True:
        half = size >> 1
        if step == 0:  # down to `tree`, of cells start … start + size - 1
            if tree == 0 or (low <= start and start + size <= high):
                found = 0
            else:
                a, b = trees[tree + 1], trees[tree + 2]
                if trees[tree]:
                    a = increased(trees, starts, items, table, used, a, trees[tree])
                    b = increased(trees, starts, items, table, used, b, trees[tree])
                trees[top], trees[top + 1], trees[top + 2] = tree, start, 1
                trees[top + 3], trees[top + 4] = a, b
                if low < start + half:
                    top += FRAME
                    tree, size = a, half
                    continue
                found, step = a, 1
        if step == 1:  # the left half is `found`
            trees[top + 2], trees[top + 3] = 2, found
            if start + half < high:
                tree, start, size, step = trees[top + 4], start + half, half, 0
                top += FRAME
                continue
            found, step = trees[top + 4], 2
        if step == 2:
            found = node_of(trees, trees[0], trees[top + 3], found)
        if top == STACK:
            return found
        top -= FRAME
        start, step, size = trees[top + 1], trees[top + 2], 2 * size


def collected(
    trees: Integers,
    starts: Integers,
    items: Integers,
    tree: int,
    cells: int,
    low: int,
    high: int,
    found: Integers,
    seen: Integers,
    now: int,
) -> None:
    """Append what the sets in [low, high) hold to `found[1:]`, of which `found[0]` says how many
    there are: each once, by `seen[member]` being `now`."""
    top = STACK
    trees[top], trees[top + 1], trees[top + 2] = tree, 0, cells
    top += FRAME
    while top > STACK:
        top -= FRAME
        tree, start, size = trees[top], trees[top + 1], trees[top + 2]
        if tree and low < start + size and start < high:
            for k in range(starts[trees[tree]], starts[trees[tree] + 1]):
                member = items[k]
                if seen[member] != now:
                    seen[member] = now
                    found[0] += 1
                    found[found[0]] = member
            half = size >> 1
            trees[top], trees[top + 1], trees[top + 2] = trees[tree + 2], start + half, half
            top += FRAME
            trees[top], trees[top + 1], trees[top + 2] = trees[tree + 1], start, half
            top += FRAME
