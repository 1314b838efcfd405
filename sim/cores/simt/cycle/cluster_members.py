"""Which blocks a cluster has, and in which slots."""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from sim.cores.jit import inlined, jitted
from sim.cores.simt import state as at
from sim.cores.simt.units.block_dispatcher import BLOCK, DISPATCH
from sim.cores.simt.units.clusters import BLOCK_CLUSTER, CLUSTER, CLUSTERED
from sim.cores.simt.units.multiprocessor import SIZE


@inlined
def row_of(cluster):
    """Where the columns of a cluster begin."""
    return index(cluster * at.CLUSTER_COLUMNS)


@inlined
def cluster_of(state, block):
    """The cluster of a block slot."""
    return state.blocks[index(block * at.BLOCK_COLUMNS) + BLOCK_CLUSTER.CLUSTER]


@inlined
def size_of(state, cluster):
    """Blocks of a cluster."""
    return state.clusters[row_of(cluster) + CLUSTER.SIZE]


@jitted
def new_cluster(state, size, threads):
    """A free row, for a cluster of so many blocks of so many threads."""
    rows = state.parameters[SIZE.SMS] * state.parameters[DISPATCH.BLOCK_SLOTS]
    cluster = state.scalars[CLUSTERED.NEXT_ROW]
    while state.clusters[row_of(cluster) + CLUSTER.LEFT] != 0:
        cluster = (cluster + 1) % rows
    state.scalars[CLUSTERED.NEXT_ROW] = (cluster + 1) % rows
    own = row_of(cluster)
    state.clusters[own + CLUSTER.LEFT] = size
    state.clusters[own + CLUSTER.SIZE] = size
    state.clusters[own + CLUSTER.THREADS] = size * threads
    state.clusters[own + CLUSTER.PENDING] = 0
    state.clusters[own + CLUSTER.LAST_ARRIVAL] = 0
    state.clusters[own + CLUSTER.OPENED] = 0
    return cluster


@inlined
def enter_cluster(state, cluster, rank, block):
    """A block slot has the block of a rank of a cluster."""
    own = index(block * at.BLOCK_COLUMNS)
    state.blocks[own + BLOCK_CLUSTER.CLUSTER] = cluster
    state.blocks[own + BLOCK_CLUSTER.RANK] = rank
    state.clusters[row_of(cluster) + CLUSTER.SLOTS + index(rank)] = block


@inlined
def member(state, cluster, rank):
    """The block slot of a rank; -1: the block has ended, or there never was one."""
    own = row_of(cluster)
    if rank >= state.clusters[own + CLUSTER.SIZE]:
        return int64(-1)
    block = state.clusters[own + CLUSTER.SLOTS + index(rank)]
    columns = index(block * at.BLOCK_COLUMNS)
    is_there = (
        state.blocks[columns + BLOCK.GRID] >= 0
        and state.blocks[columns + BLOCK.THREADS] > 0
        and state.blocks[columns + BLOCK_CLUSTER.CLUSTER] == cluster
        and state.blocks[columns + BLOCK_CLUSTER.RANK] == rank
    )
    return int64(block) if is_there else int64(-1)
