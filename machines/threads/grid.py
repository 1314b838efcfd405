"""A launch: how many blocks of how many threads run a kernel.

Threads of a block are numbered with x fastest, and cut into warps in that order; so are blocks.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

Triple = tuple[int, int, int]

MOST_BLOCKS: Triple = (2**31 - 1, 65535, 65535)
MOST_THREADS: Triple = (1024, 1024, 64)
"""Along x, y, z, whatever the machine: CUDA's programming guide, technical specifications."""


@dataclass(frozen=True, slots=True)
class Grid:
    """`blocks` and `threads` of a block along x, y, z; `dynamic_shared` in bytes a block."""

    blocks: Triple
    threads: Triple
    dynamic_shared: int = 0

    @property
    def block_count(self) -> int:
        return prod(self.blocks)

    @property
    def block_threads(self) -> int:
        return prod(self.threads)

    def block_index(self, number: int) -> Triple:
        """Where the block of a number stands in the grid."""
        return _unfold(number, self.blocks)

    def thread_index(self, number: int) -> Triple:
        """Where the thread of a number stands in its block."""
        return _unfold(number, self.threads)


def _unfold(number: int, extents: Triple) -> Triple:
    rest, x = divmod(number, extents[0])
    z, y = divmod(rest, extents[1])
    return x, y, z
