"""Accesses of a warp to global and local memory, jitted: when their data comes.

    done, taken = global_access(memory, sm, cycle, kind, addresses, mask, bytes_)

All accesses to memory look alike (`shared_memory` has the others):

    sm         of the machine, from 0
    cycle      int64, in which the sub-core's pipe takes the instruction: its issue, or later if it
               had to wait in the queue of the pipe.  Calls come in the order of issue.
    kind       LOAD, STORE, ATOMIC or REDUCTION of `simt_figures`
    addresses  int64[width], of each lane; those of lanes not in the mask are not looked at
    mask       int64, bit i: lane i takes part; never 0
    bytes_     that a lane reads or writes: 1, 2, 4, 8 or 16; addresses are multiples of it
    done       cycle from which the data may be used, or at which a store or reduction has reached
               the L2 (what a fence and the end of a warp wait for)
    taken      cycle in which the path of the SM takes the instruction from the sub-core's pipe,
               `cycle` unless the path is busy.  The pipe is free for the next one the pipe's
               interval after that, and the instruction's place in the queue is free then.
"""

from __future__ import annotations

from sim.jit import jitted


@jitted
def global_access(memory, sm, cycle, kind, addresses, mask, bytes_):
    """(done, taken) of an access to global memory; `addresses` are global ones."""
    return cycle, cycle


@jitted
def local_access(memory, sm, slot, frame, cycle, kind, offsets, mask, bytes_):
    """(done, taken) of an access to local memory.

    slot     of the warp among the resident warps of the SM, from 0 to limits.warps - 1
    frame    bytes of local memory of a thread
    offsets  int64[width], of each lane in its own local memory
    """
    return cycle, cycle


@jitted
def fence(memory, sm, cycle, outstanding):
    """The cycle from which a warp may go on behind a fence it issues in `cycle`; `outstanding` is
    the latest `done` of its stores, reductions and atomics."""
    return max(cycle, outstanding)
