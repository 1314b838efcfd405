"""Space for what a function of a vocabulary works on, that is not its result.

A vocabulary is compiled as it stands, and compiled functions make no lists: the cores have a twin
of this that takes the space from the stack.
"""

from __future__ import annotations


def room(count: int) -> list[int]:
    """Space for numbers of 32 bits; a literal says how many."""
    return [0] * count
