"""A thread of a block that is interpreted: how far it is, and what it waits for."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

Thread = Generator[tuple | None, object, None]
"""The code of a thread: it yields the row it waits in, the mask or barrier, and what it brings, or
None when its turn is over."""


@dataclass(slots=True)
class Running:
    """A thread of a block.

    waits   None if it can go on, else the row, the mask or barrier, and what it brings
    answer  what its code is sent when it goes on
    came    it has come to the barrier of its cluster and not waited there yet
    """

    number: int
    code: Thread
    waits: tuple | None = None
    answer: object = None
    done: bool = False
    came: bool = False
