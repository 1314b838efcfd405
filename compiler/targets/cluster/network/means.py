"""Of what a chip can do, what a network is lowered with: for studies of what each brings."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Means:
    """buffers  of each operand that comes step by step, and of results: with 2 of them loads,
             computing and stores of tiles are beside one another, with 1 after one another
    serve    whether MEM cores may load operands, and send them to the cores of their clusters
    """

    buffers: int = 2
    serve: bool = True


ALL = Means()
