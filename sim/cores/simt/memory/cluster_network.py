"""Accesses of a warp to shared memory of other blocks of its cluster, jitted: over a network of
SMs; arguments as in `global_memory`.

    own path ─▶ own port ─▶ port of the other SM ─▶ its path and banks ─▶ back

An access takes both ports for each segment of 32 bytes that its lanes touch, which is how NVIDIA's
Hopper tuning guide wants them coalesced, then the path of the other SM as one of its own accesses
does.

Known simplifications:
1. What goes out and what comes back share a port.
2. All SMs of a GPC are equally far from each other.
"""

from __future__ import annotations

from sim.cores.jit import jitted
from sim.cores.simt.memory import parameters as at
from sim.cores.simt.memory.coalescing import bits_in, group_lanes
from sim.cores.simt.memory.reservations import reserve
from sim.cores.simt.memory.shared_memory import (
    conflict_delay,
    most_equal,
    occupy_path,
    passes_of,
)


@jitted
def cluster_access(memory, sm, home, cycle, is_atomic, addresses, mask, bytes_):
    """(done, taken) of an access to shared memory of the block on another SM; atomics of a warp on
    one address are done one after the other there."""
    parameters, counts, state = memory.parameters, memory.counts, memory.state
    width = parameters[at.WIDTH]
    segments = group_lanes(memory.rows, addresses, 0, width, mask, bytes_, at.SEGMENT_BITS)
    service = segments * parameters[at.NETWORK_SERVICE]
    equal = 1
    if is_atomic:
        equal = most_equal(memory.rows, addresses, width, mask)
    passes, parts = passes_of(memory, addresses, mask, bytes_)
    begin = occupy_path(memory, sm, cycle, parameters[at.PATH_INTERVAL])
    out = reserve(state, parameters[at.FIRST_PORT] + sm * at.WINDOWS, begin, service)
    come = reserve(state, parameters[at.FIRST_PORT] + home * at.WINDOWS, out, service)
    counts[at.NETWORK_WAIT] += come - begin
    half = parameters[at.NETWORK_LATENCY] >> 1
    path = parameters[at.FIRST_PATH] + home * at.WINDOWS
    served = reserve(state, path, come + half, passes + equal - 1 << at.TICK_BITS)
    done = served + parameters[at.NETWORK_LATENCY] - half
    done += conflict_delay(parameters, passes - parts + 1)
    done += (equal - 1) * parameters[at.SHARED_ATOMIC]
    counts[at.NETWORK_REQUESTS] += 1
    counts[at.NETWORK_SEGMENTS] += segments
    counts[at.NETWORK_BYTES] += bits_in(mask) * bytes_
    return done + at.LAST_TICK >> at.TICK_BITS, begin + at.LAST_TICK >> at.TICK_BITS
