"""Clusters of thread blocks: how large those of a launch are, and whether a machine has room.

.reqnctapercluster 2, 1, 1      a launch has clusters of two blocks, whatever it says
launch: {cluster: [4]}          of four, where the kernel leaves it open
"""

from __future__ import annotations

from dataclasses import replace
from math import prod

from machines.kinds.simt.fields import Simt
from machines.kinds.simt.program import KernelFrame, extents_text
from machines.threads.grid import Grid, Triple


def clustered(frame: KernelFrame, grid: Grid) -> Grid:
    """The grid of a launch with the clusters that the kernel says, if the launch says none."""
    if grid.in_clusters is None and frame.exact_cluster:
        x, y, z = frame.exact_cluster
        return replace(grid, in_clusters=(x, y, z))
    return grid


def objection(machine: Simt, frame: KernelFrame, grid: Grid) -> tuple[str, str] | None:
    """Why a grid (see `clustered`) cannot be launched in its clusters: (message, hint)."""
    found = _of_kernel(frame, grid)
    if found or grid.in_clusters is None or grid.cluster_size == 1:
        return found
    size, text = grid.cluster_size, extents_text(grid.in_clusters)
    if machine.clusters is None:
        message = f"'{machine.name}' has no clusters of several blocks"
        return message, "h100 and h200 have them"
    if size > machine.clusters.blocks:
        message = f"a cluster of {size} blocks, and '{machine.name}' has {machine.clusters.blocks} "
        return f"{message}at most", "launch smaller clusters"
    if any(n % c for n, c in zip(grid.blocks, grid.in_clusters, strict=True)):
        message = f"a grid of {extents_text(grid.blocks)} blocks does not divide into clusters of "
        return f"{message}{text}", "each extent of the grid is a multiple of the cluster's"
    most = -(-machine.sms // machine.gpcs)
    if size > most:
        message = f"a cluster of {size} blocks never fits: each has an SM of its own, and a GPC of "
        return f"{message}'{machine.name}' has {most}", "launch smaller clusters"
    return None


def _of_kernel(frame: KernelFrame, grid: Grid) -> tuple[str, str] | None:
    """Where the launch and the kernel disagree."""
    if frame.wants_cluster and grid.in_clusters is None:
        message = "the kernel says '.explicitcluster', and its launch no cluster"
        return message, "cluster: [2]"
    exact = tuple(frame.exact_cluster)
    if exact and grid.in_clusters != exact:
        message = f"clusters of {extents_text(grid.cluster_extents)} blocks, and the kernel says "
        return f"{message}that its clusters have {extents_text(exact)}", f"cluster: {list(exact)}"
    if frame.most_cluster and prod(grid.cluster_extents) > frame.most_cluster:
        message = f"clusters of {grid.cluster_size} blocks, and the kernel says that its clusters "
        return f"{message}have {frame.most_cluster} at most", "launch smaller clusters"
    return None


def awaited_text(missing: dict[Triple, int]) -> str:
    """The barrier of a cluster, to which so many threads of blocks have not come."""
    blocks = [f"{count} threads of block {index}" for index, count in missing.items()]
    return f"the barrier of its cluster, to which {' and '.join(blocks) or 'none'} have not come"
