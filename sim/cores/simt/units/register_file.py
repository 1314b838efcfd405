"""The register file: sources that lie in one bank are read in turn."""

from __future__ import annotations

from machines.kinds.simt.program import FIRST_OPERAND, OPERATION
from machines.operations.row import Lane
from sim.cores.simt.tables import code
from sim.cores.simt.unit import Decoded, Instruction, Unit

PORT = code.columns(
    CONFLICTS="Cycles that sources in one bank hold the dispatch port.",
    REPEATED_CONFLICTS="The same if the sub-core's previous instruction was the one before, of the "
    "warp: what that one read is in the cache of reused operands.",
)


def decode(instruction: Instruction) -> None:
    into, pc = instruction.into, instruction.pc
    into[PORT.CONFLICTS] = _conflicts(instruction.decoded, pc, -1)
    into[PORT.REPEATED_CONFLICTS] = _conflicts(instruction.decoded, pc, pc - 1)


def _conflicts(decoded: Decoded, pc: int, previous: int) -> int:
    """Cycles that an instruction's sources need beyond one, as registers of a bank are read in
    turn.

    The same register counts once.  What the one at `previous` (-1: none) read in the same
    position is in the cache of reused operands.
    """
    described = decoded.machine.register_file
    if not described.banks:
        return 0
    kept = set()
    if described.reuse_cache and previous >= 0:
        kept = set(_registers_read(decoded, previous))
    wanted = {register for position, register in _registers_read(decoded, pc)
              if (position, register) not in kept}  # fmt: skip
    loads = [0] * described.banks
    for register in wanted:
        loads[register % described.banks] += 1
    return max(0, -(-max(loads) // described.ports) - 1)


def _registers_read(decoded: Decoded, pc: int) -> list[tuple[int, int]]:
    """(position among the sources, register) of what is read from the register file."""
    columns = decoded.program.code[pc].tolist()
    row = decoded.rows[columns[OPERATION]]
    reads = [
        (operand, value)
        for operand, value in zip(row.operands, columns[FIRST_OPERAND:], strict=False)
        if operand.is_read and isinstance(operand.kind, Lane) and operand.kind.file != "pred"
    ]
    found = []
    for position, (operand, value) in enumerate(reads):
        if value >= 0 and row.control is None:
            found.append((position, value))
            if operand.kind.file == "b64":
                found.append((position + len(reads), value + 1))
    return found


UNIT = Unit("register_file", decode=decode)
