"""How many blocks of threads (CTAs) are resident on an SM at once, and what keeps out one more.

    occupancy(h200, threads=256, registers=64, shared=0)
        Occupancy(ctas=4, limiter='registers', carve_out=0)

A warp of 64 registers a thread takes 32 · 64 = 2048 of the 16 384 of its sub-core, so eight fit in
each of the four, 32 warps in all: four blocks of eight.

The rules are those of the occupancy header of CUDA 13.0.
"""

from __future__ import annotations

from typing import NamedTuple

from machines.diagnostics import InputError, Location, input_error
from machines.kinds.simt.fields import Simt


class Occupancy(NamedTuple):
    """ctas       blocks resident on an SM
    limiter    'ctas', 'warps', 'registers' or 'shared': what runs out first
    carve_out  bytes of the SM's memory that are shared memory; the rest is L1 cache
    """

    ctas: int
    limiter: str
    carve_out: int


def fits(machine: Simt, threads: int, registers: int, shared: int) -> bool:
    """Whether there is an occupancy: at least one block is resident on an SM."""
    try:
        return bool(occupancy(machine, threads, registers, shared))
    except InputError:
        return False


def occupancy(
    machine: Simt, threads: int, registers: int, shared: int, location: Location | None = None
) -> Occupancy:
    """Occupancy of a kernel whose blocks have `threads` threads of `registers` 32-bit registers
    each (0: they do not count) and `shared` bytes of shared memory, static and dynamic.

    The carve-out is the smallest that costs no blocks.  Raises InputError, at `location`, if not
    even one block fits.
    """
    limits = machine.limits
    _demand(threads, limits.threads_per_cta, "threads a block", location)
    _demand(registers, limits.registers_per_thread, "registers a thread", location)
    _demand(shared, limits.shared_per_cta, "bytes of shared memory a block", location)
    warps = -(-threads // machine.warp_width)
    counts = {
        "ctas": limits.ctas,
        "warps": limits.warps // warps,
        "registers": _by_registers(machine, warps, registers),
        "shared": _by_shared(machine, shared, max(limits.carve_outs)),
    }
    limiter = min(counts, key=counts.get)
    ctas = counts[limiter]
    if not ctas:
        message = f"no block of {threads} threads fits on an SM of '{machine.name}'"
        hint = f"{limiter} run out; lower them or the size of a block"
        raise input_error(message, location, hint=hint)
    enough = (c for c in sorted(limits.carve_outs) if _by_shared(machine, shared, c) >= ctas)
    return Occupancy(ctas, limiter, next(enough))


def _by_registers(machine: Simt, warps: int, registers: int) -> int:
    """Blocks by registers: a warp takes whole units of the registers of its sub-core."""
    limits = machine.limits
    of_a_warp = _round_up(machine.warp_width * registers, limits.register_unit)
    if not of_a_warp:
        return limits.ctas
    if of_a_warp * _round_up(warps, limits.warp_unit) > limits.registers:
        return 0
    of_a_subcore = limits.registers // machine.subcores // of_a_warp
    return of_a_subcore * machine.subcores // warps


def _by_shared(machine: Simt, shared: int, carve_out: int) -> int:
    """Blocks by shared memory.  Without any a block takes nothing of a carve-out."""
    limits = machine.limits
    if not shared:
        return limits.ctas
    return carve_out // _round_up(shared + limits.shared_reserved, limits.shared_unit)


def _demand(wanted: int, most: int, what: str, location: Location | None) -> None:
    if wanted > most:
        message = f"the kernel wants {wanted} {what}, and the machine gives {most}"
        raise input_error(message, location, hint="launch smaller blocks, or change the machine")


def _round_up(number: int, unit: int) -> int:
    return -(-number // unit) * unit
