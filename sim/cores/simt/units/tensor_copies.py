"""Copies of boxes of tensors between global and shared memory (see `bulk_copies`).

A map of 128 bytes says what the tensor is (`machines.vocabulary.tensor_maps`).  Each row of a box
is a bulk copy of the engine: how long a box takes whose rows are short was not measured.
"""

from __future__ import annotations

from machines.operations.row import Operation
from sim.cores.simt.tables import code
from sim.cores.simt.unit import STEP, Instruction, Unit, kinds
from sim.cores.simt.units.bulk_copies import BULK, UNIT_BYTES
from sim.cores.simt.units.instructions import INSTRUCTION
from sim.cores.simt.units.load_store import ACCESS, SPACES

TENSOR = code.columns(
    RANK="Dimensions.",
    FIRST="Which operand is the first coordinate; the others follow.",
)
COPIES = kinds(
    STEP.ACCESSES,
    TENSOR_IN="Copies a box to shared memory.",
    TENSOR_OUT="Copies a box to global memory.",
)
BY_DEED = {"tensor_in": COPIES.TENSOR_IN, "tensor_out": COPIES.TENSOR_OUT}


def kind_of(row: Operation) -> int | None:
    return BY_DEED.get(row.asynchronous.does) if row.asynchronous else None


def decode(instruction: Instruction) -> None:
    into, row, machine = instruction.into, instruction.row, instruction.decoded.machine
    if machine.memory.bulk is None:
        message = f"'{machine.name}' has no copies of tensors (cp.async.bulk.tensor)"
        instruction.refuse(message, "h100 and h200 have them; cp.async copies 16 bytes a thread")
    does, inside = row.asynchronous, row.accesses[1]
    into[INSTRUCTION.IS_ACT] = True
    into[ACCESS.SPACE], into[ACCESS.BYTES] = SPACES["shared"], UNIT_BYTES
    into[ACCESS.ELEMENTS], into[ACCESS.NARROW_ADDRESS] = 1, True
    into[ACCESS.ADDRESS] = row.position(inside.address)
    into[ACCESS.OFFSET] = instruction.value(inside.offset)
    into[BULK.SOURCE] = row.position(does.map[0])
    into[BULK.SOURCE_OFFSET] = instruction.value(does.map[1])
    into[TENSOR.RANK], into[TENSOR.FIRST] = len(does.coordinates), row.position(does.coordinates[0])
    into[BULK.REDUCES] = instruction.value(does.reduces) if does.reduces else 0
    if does.barrier:
        into[BULK.BARRIER] = row.position(does.barrier[0])
        into[BULK.BARRIER_OFFSET] = instruction.value(does.barrier[1])


UNIT = Unit("tensor_copies", (COPIES,), kind_of, decode_own=decode)
