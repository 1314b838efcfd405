"""How much there is of everything in an SM, and how far its time has come."""

from __future__ import annotations

from sim.cores.simt.tables import parameters, scalars
from sim.cores.simt.unit import Decoded, Sizes, Unit

SIZE = parameters.columns(
    SMS="SMs of the machine.",
    SUBCORES="Sub-cores of an SM.",
    SM_WARPS="Slots for warps of an SM.",
    SUBCORE_WARPS="Slots for warps of a sub-core.",
    WIDTH="Lanes of a warp.",
    REGISTER_STRIDE="32-bit words of a warp's registers.",
    REGISTERS_AT="The word at which they begin.",
    PREDICATE_STRIDE="Predicates of a warp.",
    CLOCK_HZ="The clock.",
    LEAVES="SMs, made a power of two.",
)
ADVANCE = parameters.columns(WINDOW="SMs run ahead of each other up to the next multiple of it.")
NOW = scalars.columns(CYCLE="Up to which everything has happened.")
MOST_WINDOW = 512
"""Cycles that SMs may run ahead of each other."""


def sizes(decoded: Decoded) -> Sizes:
    machine = decoded.machine
    launch = int(machine.host.launch_latency * 1e-9 * machine.clock)
    yield SIZE.SMS, machine.sms
    yield SIZE.SUBCORES, machine.subcores
    yield SIZE.SM_WARPS, machine.limits.warps
    yield SIZE.SUBCORE_WARPS, -(-machine.limits.warps // machine.subcores)
    yield SIZE.WIDTH, machine.warp_width
    yield SIZE.REGISTER_STRIDE, max(2, decoded.registers) * machine.warp_width
    yield SIZE.REGISTERS_AT, len(decoded.constants)
    yield SIZE.PREDICATE_STRIDE, max(1, decoded.predicates)
    yield SIZE.CLOCK_HZ, int(machine.clock)
    yield SIZE.LEAVES, 1 << (machine.sms - 1).bit_length()
    yield ADVANCE.WINDOW, max(1, min(MOST_WINDOW, launch))


UNIT = Unit("multiprocessor", parameters=sizes)
