"""Operands that the subcore itself looks at."""

from __future__ import annotations

from sim.cores.jit import inlined
from sim.cores.simt.host.lane_words import address_of, first_bit, operand_address, read_u32
from sim.cores.simt.units.instructions import INSTRUCTION
from sim.cores.simt.units.multiprocessor import SIZE


@inlined
def own_bytes(parameters, warp):
    """Bytes from the beginning of `words` to a warp's registers."""
    return 4 * (parameters[SIZE.REGISTERS_AT] + warp * parameters[SIZE.REGISTER_STRIDE])


@inlined
def operands_of(state, base):
    """The host address of the operands of the instruction whose columns begin at `base`."""
    return address_of(state.lists) + 8 * state.code[base + INSTRUCTION.OPERANDS]


@inlined
def operand_of(state, warp, base, number):
    """The host address of the registers, or of the constant, that is an operand."""
    own = own_bytes(state.parameters, warp)
    return operand_address(operands_of(state, base), number, address_of(state.words), own)


@inlined
def number_of(state, warp, base, operand, mask):
    """A number that all lanes agree on, of the first lane: a thread count, a time."""
    return read_u32(operand_of(state, warp, base, operand), first_bit(mask))
