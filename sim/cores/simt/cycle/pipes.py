"""When a pipe of a sub-core takes an instruction."""

from __future__ import annotations

from numba import uint64 as index

from sim.cores.jit import inlined
from sim.cores.simt import state as at
from sim.cores.simt.cycle.slots import warp_of
from sim.cores.simt.cycle.trace import note_served
from sim.cores.simt.units.pipes import PIPE, PIPES, USE
from sim.cores.simt.units.trace import TRACE


@inlined
def pipe_wanted(state, warp):
    """The pipe of what a warp waits to issue."""
    return state.code[index(state.next_pcs[index(warp)] * at.CODE_COLUMNS) + USE.PIPE]


@inlined
def pipe_at(parameters, subcore, pipe):
    """Where a pipe's columns begin."""
    return index((subcore * parameters[PIPES.COUNT] + pipe) * at.PIPE_COLUMNS)


@inlined
def throttled_before(state, subcore, pipe, cycle):
    """In how many cycles before `cycle`, now or later, a pipe could take no instruction.

    A warp of a new block may come in the cycle in which it took one, which is none of them.
    """
    base = pipe_at(state.parameters, subcore, pipe)
    behind = max(cycle, state.pipes[base + PIPE.SHUT])
    free = state.free_at[index(subcore * state.parameters[PIPES.STRIDE] + pipe)]
    return state.pipes[base + PIPE.THROTTLED] - max(0, free - behind)


@inlined
def pipe_free(state, subcore, bit):
    """From when the pipe of a ready warp's next instruction can take it."""
    warp = warp_of(state, subcore, bit)
    pipe = pipe_wanted(state, warp)
    return state.free_at[index(subcore * state.parameters[PIPES.STRIDE] + pipe)]


@inlined
def serve(state, subcore, pipe, cycle):
    """The cycle in which a pipe begins with an instruction that issues in `cycle`."""
    return max(cycle, state.pipes[pipe_at(state.parameters, subcore, pipe) + PIPE.SERVED])


@inlined
def occupy(state, subcore, pipe, cycle, taken, interval):
    """A pipe has begun with an instruction in cycle `taken`: when it can take the next ones."""
    parameters, pipes = state.parameters, state.pipes
    base = pipe_at(parameters, subcore, pipe)
    served = taken + interval
    pipes[base + PIPE.SERVED] = served
    if parameters[TRACE.TRACES]:
        note_served(state, served)
    queue = state.queues[index(pipe)]
    free = served
    if queue > 0:
        head = pipes[base + PIPE.HEAD]
        ring = index((subcore * parameters[PIPES.COUNT] + pipe) * parameters[PIPES.MOST_QUEUE])
        state.rings[ring + index(head)] = taken
        head = head + 1 if head + 1 < queue else 0
        pipes[base + PIPE.HEAD] = head
        free = state.rings[ring + index(head)]
    free = max(free, cycle + 1)
    pipes[base + PIPE.SHUT] = cycle + 1
    state.free_at[index(subcore * parameters[PIPES.STRIDE] + pipe)] = free
    pipes[base + PIPE.THROTTLED] += free - (cycle + 1)
