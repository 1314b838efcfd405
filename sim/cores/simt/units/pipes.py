"""The pipes of a sub-core: each takes an instruction at a time, some have a queue in front."""

from __future__ import annotations

from sim.cores.host import HOST_LINE
from sim.cores.simt import stall_reasons as why
from sim.cores.simt.tables import code, parameters, pipes
from sim.cores.simt.unit import Decoded, Instruction, Sizes, Unit

USE = code.columns(
    PIPE="The pipe that takes the instruction.",
    INTERVAL="For how many cycles it takes it.",
    LATENCY="Cycles until what it computes is there.",
)
PIPE = pipes.columns(
    SHUT="The cycle behind its last instruction.",
    THROTTLED="Cycles in which it could not take one, so far and foreseen.",
    SERVED="When it has served what it took.",
    HEAD="Head of its queue.",
)
PIPES = parameters.columns(
    COUNT="Pipes of a sub-core.",
    STRIDE="The same and some that nothing goes to: whole lines of the host.",
    MOST_QUEUE="Instructions that wait in front of the pipe with the longest queue.",
)
THROTTLES = {
    "math_pipe": why.MATH_PIPE_THROTTLE, "mio": why.MIO_THROTTLE, "lg": why.LG_THROTTLE,
}  # fmt: skip


def decode(instruction: Instruction) -> None:
    into, name = instruction.into, instruction.row.scheduling_class
    machine = instruction.decoded.machine
    described = machine.classes[name]
    into[USE.PIPE] = instruction.decoded.pipes.index(described.pipe)
    into[USE.INTERVAL] = machine.occupancy(name)
    into[USE.LATENCY] = described.latency or 0


def sizes(decoded: Decoded) -> Sizes:
    pipes = decoded.machine.pipes
    yield PIPES.COUNT, len(pipes)
    yield PIPES.STRIDE, -(-len(pipes) // HOST_LINE) * HOST_LINE
    yield PIPES.MOST_QUEUE, max(1, *(pipe.queue for pipe in pipes.values()))


UNIT = Unit("pipes", decode=decode, parameters=sizes)
