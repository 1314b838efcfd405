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
    """`blocks`, and `threads` of a block, along x, y, z; `dynamic_shared` in bytes a block;
    `in_clusters`: blocks of a cluster, if anybody says how many (else each block is one)."""

    blocks: Triple
    threads: Triple
    dynamic_shared: int = 0
    in_clusters: Triple | None = None

    @property
    def block_count(self) -> int:
        return prod(self.blocks)

    @property
    def block_threads(self) -> int:
        return prod(self.threads)

    @property
    def cluster_extents(self) -> Triple:
        """Blocks of a cluster along x, y, z."""
        return self.in_clusters or (1, 1, 1)

    @property
    def cluster_size(self) -> int:
        """Blocks of a cluster."""
        return prod(self.cluster_extents)

    @property
    def clusters(self) -> Triple:
        """Clusters of the grid along x, y, z."""
        x, y, z = (n // c for n, c in zip(self.blocks, self.cluster_extents, strict=True))
        return x, y, z

    def block_of_cluster(self, number: int, rank: int) -> int:
        """The number of the block that has a rank in the cluster of a number."""
        wide, high, _ = self.blocks
        x, y, z = (
            place * extent + own
            for place, extent, own in zip(
                _unfold(number, self.clusters),
                self.cluster_extents,
                _unfold(rank, self.cluster_extents),
                strict=True,
            )
        )
        return x + wide * (y + high * z)

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
