"""A flow graph over numbers: a block's number is its position in the layout.

    entry: … branch p, a, b          successors == ((1, 2), (2,), ())
    a:     … jump b
    b:     … return

Where the order of the blocks is what an analysis is about (which comes earlier in the program),
numbers say it, and a set of blocks is an int with a bit for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from compiler.ir.module import Function


@dataclass(frozen=True)
class LayoutGraph:
    """Blocks in layout order, the entry first; the successors of each in ascending order."""

    names: tuple[str, ...]
    successors: tuple[tuple[int, ...], ...]

    @cached_property
    def predecessors(self) -> tuple[tuple[int, ...], ...]:
        """Of each block those before it, in ascending order."""
        found: list[list[int]] = [[] for _ in self.names]
        for block, targets in enumerate(self.successors):
            for target in targets:
                found[target].append(block)
        return tuple(map(tuple, found))

    @cached_property
    def by_name(self) -> dict[str, tuple[str, ...]]:
        """The successors by name, for analyses of named blocks."""
        return {
            name: tuple(self.names[target] for target in targets)
            for name, targets in zip(self.names, self.successors, strict=True)
        }


def layout_graph(function: Function) -> LayoutGraph:
    """The graph of a function whose blocks all end in a terminator."""
    numbers = {name: number for number, name in enumerate(function.blocks)}
    successors = (
        tuple(sorted(numbers[name] for name in block.successors))
        for block in function.blocks.values()
    )
    return LayoutGraph(tuple(function.blocks), tuple(successors))


def bits_of(blocks: Iterable[int]) -> int:
    """The set of some blocks."""
    found = 0
    for block in blocks:
        found |= 1 << block
    return found


def members(blocks: int) -> Iterator[int]:
    """The blocks of a set, ascending.

    >>> list(members(0b1101))
    [0, 2, 3]
    """
    digits = bin(blocks)[:1:-1]
    block = digits.find("1")
    while block >= 0:
        yield block
        block = digits.find("1", block + 1)
