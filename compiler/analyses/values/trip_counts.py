"""How often a loop's test can let it go on, from what it compares with what.

    i = 0, 4, 8, … < 10      passes for 0, 4 and 8: three times
    i = 7, 6, 5, … >= b      with b from 5 to 9: three times at most

The counting is of integers; where the counter could pass the end of its type before the test fails
there is no answer.
"""

from __future__ import annotations

from compiler.analyses.values.affine import Range

FLIPPED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}
"""`a < b` is `b > a`."""
NEGATED = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt", "eq": "ne", "ne": "eq"}


def most_passes(
    relation: str, first: Range, step: int, bound: Range, bits: int, signed: bool = True
) -> int | None:
    """The most times in a row that `first + step·k` `relation` `bound` holds for k = 0, 1, …

    None if that is not known.  `first` must hold numbers of the type; `bound` stays the same.

    >>> most_passes("lt", (0, 0), 4, (10, 10), 64), most_passes("ge", (7, 7), -1, (5, 9), 64)
    (3, 3)
    """
    if relation == "eq":
        return 1 if step else None
    if relation == "ne":
        return _until_equal(first, step, bound)
    if not signed and (first[0] < 0 or bound[0] < 0 or step < 0):
        return None
    last = (1 << bits - 1) - 1
    if relation in ("gt", "ge"):
        relation, first, step, bound = FLIPPED[relation], _mirrored(first), -step, _mirrored(bound)
        last += 1
    end = bound[1] + (relation == "le")
    if step <= 0 or end - 1 + step > last:
        return None
    return max(0, -((first[0] - end) // step))


def _until_equal(first: Range, step: int, bound: Range) -> int | None:
    if step < 0:
        first, step, bound = _mirrored(first), -step, _mirrored(bound)
    certain = first[0] == first[1] and bound[0] == bound[1]
    meets = step == 1 or (certain and step and (bound[0] - first[0]) % step == 0)
    if not meets or bound[0] < first[1]:
        return None
    return (bound[1] - first[0]) // step


def _mirrored(numbers: Range) -> Range:
    return -numbers[1], -numbers[0]
