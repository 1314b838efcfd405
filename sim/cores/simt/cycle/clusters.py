"""The barrier of a cluster, and the rows of clusters.

block 0, SM 0   arrive at 10 ……………………… wait: goes on at 30 + latency
block 1, SM 1   …………………… arrive at 30   wait: likewise
"""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from sim.cores.jit import inlined, jitted
from sim.cores.simt import stall_reasons as why
from sim.cores.simt import state as at
from sim.cores.simt.cycle import convergence
from sim.cores.simt.cycle.barriers import let_go
from sim.cores.simt.cycle.cluster_members import cluster_of, member, row_of
from sim.cores.simt.cycle.faults import note_fault
from sim.cores.simt.cycle.meetings import learn_of_cluster, open_cluster, tell_cluster
from sim.cores.simt.cycle.slots import warp_of
from sim.cores.simt.host.lane_words import bit_count, first_bit
from sim.cores.simt.units.block_dispatcher import DISPATCH, RESIDENT, SLOTS
from sim.cores.simt.units.clusters import (
    BARRIER_OF_CLUSTER,
    CLUSTER,
    CLUSTERED,
    CLUSTERS,
    KINDS,
    OF_CLUSTER,
    WARP_CLUSTER,
)
from sim.cores.simt.units.faults import FAULT
from sim.cores.simt.units.load_store import STORES
from sim.cores.simt.units.multiprocessor import SIZE


@jitted
def open_if_complete(state, groups, sm, cluster, cycle):
    """Let go who waits at the barrier of a cluster if all that are left have come."""
    own = row_of(cluster)
    pending = state.clusters[own + CLUSTER.PENDING]
    if pending == 0 or pending < state.clusters[own + CLUSTER.THREADS]:
        return
    state.clusters[own + CLUSTER.PENDING] = 0
    last = max(cycle, state.clusters[own + CLUSTER.LAST_ARRIVAL])
    until = last + state.parameters[CLUSTERS.LATENCY]
    state.clusters[own + CLUSTER.OPENED] = until
    for rank in range(state.clusters[own + CLUSTER.SIZE]):
        block = member(state, cluster, rank)
        if block < 0:
            continue
        home = block // state.parameters[DISPATCH.BLOCK_SLOTS]
        open_cluster(state, block)
        forget_pending(state, home, block)
        let_go(state, groups, home, block, int64(BARRIER_OF_CLUSTER), cycle, until)
        if home != sm:
            state.scalars[CLUSTERED.WOKEN] = 1


@jitted
def forget_pending(state, sm, block):
    """No lane of a block is pending any more."""
    parameters = state.parameters
    for subcore in range(sm * parameters[SIZE.SUBCORES], (sm + 1) * parameters[SIZE.SUBCORES]):
        rest = state.subcores[index(subcore * at.SUBCORE_COLUMNS) + SLOTS.RESIDENT]
        while rest != 0:
            warp = warp_of(state, subcore, first_bit(rest))
            rest &= rest - 1
            own = index(warp * at.WARP_COLUMNS)
            if state.warps[own + RESIDENT.BLOCK] == block:
                if state.warps[own + WARP_CLUSTER.PENDING] != 0:
                    learn_of_cluster(state, warp)
                state.warps[own + WARP_CLUSTER.PENDING] = 0


@jitted
def leave_cluster(state, groups, sm, warp, lanes, cycle):
    """Threads of a warp have ended: the barrier of the cluster may open."""
    own = index(warp * at.WARP_COLUMNS)
    cluster = cluster_of(state, state.warps[own + RESIDENT.BLOCK])
    row = row_of(cluster)
    came = state.warps[own + WARP_CLUSTER.PENDING] & lanes
    state.warps[own + WARP_CLUSTER.PENDING] &= ~lanes
    state.clusters[row + CLUSTER.PENDING] -= bit_count(came)
    state.clusters[row + CLUSTER.THREADS] -= bit_count(lanes)
    open_if_complete(state, groups, sm, cluster, cycle)


@inlined
def control(state, groups, memory, sm, warp, pc, executing, cycle, kind, until):
    """Threads come to the barrier of their cluster, or wait there: see `choose`."""
    own = index(warp * at.WARP_COLUMNS)
    came = state.warps[own + WARP_CLUSTER.CAME]
    cluster = cluster_of(state, state.warps[own + RESIDENT.BLOCK])
    row, events, falls, reason = row_of(cluster), int64(0), True, int64(why.BRANCH_RESOLVING)
    wrong = executing & (came if kind == KINDS.ARRIVE else ~came)
    if wrong != 0:
        fault = int64(FAULT.TWICE) if kind == KINDS.ARRIVE else int64(FAULT.UNARRIVED)
        note_fault(state, fault, warp, pc, first_bit(wrong), cycle, int64(0))
    elif kind == KINDS.ARRIVE:
        come = until
        if not state.code[index(pc * at.CODE_COLUMNS) + OF_CLUSTER.RELAXED]:
            come = max(come, state.warps[own + STORES.DONE])
            tell_cluster(state, warp)
        state.warps[own + WARP_CLUSTER.CAME] |= executing
        state.warps[own + WARP_CLUSTER.PENDING] |= executing
        state.clusters[row + CLUSTER.PENDING] += bit_count(executing)
        last = max(state.clusters[row + CLUSTER.LAST_ARRIVAL], come)
        state.clusters[row + CLUSTER.LAST_ARRIVAL] = last
        open_if_complete(state, groups, sm, cluster, cycle)
    else:
        state.warps[own + WARP_CLUSTER.CAME] &= ~executing
        if executing & state.warps[own + WARP_CLUSTER.PENDING] != 0:
            falls = False
            events = convergence.hold(groups, warp, state.rules, pc, int64(BARRIER_OF_CLUSTER))
        elif state.clusters[row + CLUSTER.OPENED] > until:
            until, reason = state.clusters[row + CLUSTER.OPENED], int64(why.BARRIER)
    return events, until, reason, falls
