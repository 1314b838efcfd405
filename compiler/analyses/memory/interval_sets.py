"""A map from every cell of a line to a set, in which whole intervals change at once.

    add [0,8) {1}        1 1 1 1 1 1 1 1
    erase [2,4)          1 1 . . 1 1 1 1
    add [3,5) {2}        1 1 . 2 12 1 1 1
    the sets in [1,4)    {1, 2}

A tree over the halves of the line: a cell's set is the union of the sets on the way to it from the
root (a segment tree, Bentley, *Algorithms for Klee's rectangle problems*, 1977, with sets in its
nodes).  Trees are never changed, so that many share most of themselves and a join looks only at
where two differ (path copying: Driscoll, Sarnak, Sleator, Tarjan, *Making Data Structures
Persistent*, 1989).  Of n cells a change visits O(log n) nodes, whatever the interval's length.
"""

from __future__ import annotations

from collections.abc import Iterator

from compiler.analyses.memory.intervals import Interval

Members = frozenset[int]
Tree = tuple | None
"""A node: its own members and the trees of its halves; None where all sets are empty."""
NOBODY: Members = frozenset()


def joined(a: Tree, b: Tree) -> Tree:
    """The unions of both trees' sets; `a` itself where `b` adds nothing to it."""
    if b is None or a is b:
        return a
    if a is None:
        return b
    members, left, right = a
    more, more_left, more_right = b
    if more is not members and not more <= members:
        members = members | more
    if more_left is not None and more_left is not left:
        left = joined(left, more_left)
    if more_right is not None and more_right is not right:
        right = joined(right, more_right)
    if members is a[0] and left is a[1] and right is a[2]:
        return a
    return members, left, right


def without(a: Tree, b: Tree, above: Members = NOBODY) -> Tree:
    """What `a` has and `b` has not; of what `b` has in each half of a node but `a` in the node
    itself, it stays.  `above` is what `b` has on the way to the node."""
    if a is None or a is b:
        return None
    members, left, right = a
    own, b_left, b_right = b or _EMPTY
    own = own | above if above else own
    if not own and b_left is None and b_right is None:
        return a
    if members:
        members = members - own
    if left is not None:
        left = without(left, b_left, own)
    if right is not None:
        right = without(right, b_right, own)
    return (members, left, right) if members or left or right else None


_EMPTY = (NOBODY, None, None)


class Line:
    """The operations on trees over `cells` cells; intervals are half-open."""

    def __init__(self, cells: int):
        self.span = 1 << max(cells - 1, 0).bit_length()

    def erase(self, tree: Tree, low: int, high: int) -> Tree:
        """The sets in [low, high) become empty."""
        return _assign(tree, self.span, low, high, None)

    def assign(self, tree: Tree, low: int, high: int, members: Members) -> Tree:
        """The sets in [low, high) become `members`."""
        return _assign(tree, self.span, low, high, (members, None, None))

    def add(self, tree: Tree, low: int, high: int, members: Members) -> Tree:
        """The sets in [low, high) get `members` as well."""
        return _add(tree, self.span, low, high, members)

    def members(self, tree: Tree, low: int, high: int) -> set[int]:
        """The union of the sets in [low, high)."""
        found: set[int] = set()
        if tree is not None:
            _collect(tree, self.span, low, high, found)
        return found

    def pieces(self, tree: Tree) -> Iterator[tuple[Interval, Members]]:
        """Intervals [low, high) of cells with one set that is not empty, from low to high."""
        return _pieces(tree, 0, self.span, NOBODY)


# Below, `size` is the number of cells of a tree and intervals count from its first cell: they may
# begin before it and end behind it.


def _assign(tree: Tree, size: int, low: int, high: int, new: Tree) -> Tree:
    if low <= 0 and size <= high:
        return new
    if tree is None and new is None:
        return None
    members, left, right = tree or _EMPTY
    if members:  # they move down, so that they can end at the interval's ends
        own = (members, None, None)
        left, right = joined(left, own), joined(right, own)
    half = size >> 1
    if low < half:
        left = _assign(left, half, low, high, new)
    if half < high:
        right = _assign(right, half, low - half, high - half, new)
    return (NOBODY, left, right) if left or right else None


def _add(tree: Tree, size: int, low: int, high: int, new: Members) -> Tree:
    if low <= 0 and size <= high:
        return joined(tree, (new, None, None))
    members, left, right = tree or _EMPTY
    half = size >> 1
    if low < half:
        left = _add(left, half, low, high, new)
    if half < high:
        right = _add(right, half, low - half, high - half, new)
    return members, left, right


def _collect(tree: Tree, size: int, low: int, high: int, found: set[int]) -> None:
    members, left, right = tree
    if members:
        found |= members
    half = size >> 1
    if left is not None and low < half:
        _collect(left, half, low, high, found)
    if right is not None and half < high:
        _collect(right, half, low - half, high - half, found)


def _pieces(tree: Tree, start: int, size: int, above: Members) -> Iterator:
    members = above | tree[0] if tree else above
    if tree is None or (tree[1] is None and tree[2] is None):
        if members:
            yield (start, start + size), members
        return
    half = size >> 1
    yield from _pieces(tree[1], start, half, members)
    yield from _pieces(tree[2], start + half, half, members)
