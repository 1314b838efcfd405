"""The register file: sources that lie in one bank are read in turn."""

from __future__ import annotations

from collections.abc import Sequence

from machines.kinds.simt.fields import RegisterFile
from machines.operations.row import Lane
from sim.cores.simt.tables import code
from sim.cores.simt.unit import Instruction, Unit

PORT = code.columns(
    CONFLICTS="Cycles that sources in one bank hold the dispatch port.",
    REPEATED_CONFLICTS="The same if the sub-core's previous instruction was the one before, of the "
    "warp: what that one read is in the cache of reused operands.",
)


def decode(instruction: Instruction) -> None:
    described = instruction.decoded.machine.register_file
    if not described.banks:
        return
    wanted, kept = _registers_read(instruction), []
    if described.reuse_cache and instruction.previous is not None:
        kept = _registers_read(instruction.previous)
    instruction.into[PORT.CONFLICTS] = _conflicts(described, wanted)
    repeated = [one for one in wanted if one not in kept]
    instruction.into[PORT.REPEATED_CONFLICTS] = _conflicts(described, repeated)


def _conflicts(described: RegisterFile, wanted: Sequence[tuple[int, int]]) -> int:
    """Cycles that sources need beyond one, as registers of a bank are read in turn; the same
    register counts once."""
    loads = [0] * described.banks
    for register in {register for _, register in wanted}:
        loads[register % described.banks] += 1
    return max(0, -(-max(loads) // described.ports) - 1)


def _registers_read(instruction: Instruction) -> list[tuple[int, int]]:
    """(position among the sources, register) of what is read from the register file: the cache of
    reused operands holds what the instruction before read in the same position."""
    row = instruction.row
    if row.control is not None:
        return []
    operands = zip(row.operands, instruction.values, strict=False)
    reads = [(o.kind.file, value) for o, value in operands
             if o.is_read and isinstance(o.kind, Lane) and o.kind.file != "pred"]  # fmt: skip
    found = []
    for position, (file, value) in enumerate(reads):
        if value >= 0:
            found.append((position, value))
            if file == "b64":
                found.append((position + len(reads), value + 1))
    return found


UNIT = Unit("register_file", decode=decode)
