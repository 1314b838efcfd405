"""What the operations of a warp give: votes and shuffles over the threads that are there.

lanes      0      1      2      3
x        1.0    2.0    3.0    4.0        shuffle_down x, 1  ->  2.0  3.0  4.0  4.0
p          1      0      0      1        ballot p           ->  9    9    9    9
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from machines.operations.row import Operation
from machines.vocabulary.numbers import wrap

Brought = Mapping[int, tuple]
"""Lane -> the operands that the thread there brings."""
Given = dict[int, int | float]
"""Lane -> the result."""


def perform(operation: Operation, brought: Brought) -> Given:
    """The result of an operation of a warp for every lane that takes part."""
    name = operation.name.split(".")[0]
    if name in _VOTES:
        result = _VOTES[name](brought)
        return dict.fromkeys(brought, result)
    source = _SOURCES[name]
    return {
        lane: brought.get(source(lane, distance), (own,))[0]
        for lane, (own, distance) in brought.items()
    }


_VOTES: dict[str, Callable[[Brought], int]] = {
    "vote_any": lambda brought: int(any(p for (p,) in brought.values())),
    "vote_all": lambda brought: int(all(p for (p,) in brought.values())),
    "ballot": lambda brought: wrap(sum(p << lane for lane, (p,) in brought.items())),
}
_SOURCES: dict[str, Callable[[int, int], int]] = {
    "shuffle_index": lambda lane, k: k,
    "shuffle_up": lambda lane, k: lane - k,
    "shuffle_down": lambda lane, k: lane + k,
    "shuffle_xor": lambda lane, k: lane ^ k,
}
"""The lane that a value comes from."""
