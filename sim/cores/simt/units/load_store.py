"""Loads, stores and atomics."""

from __future__ import annotations

from machines.operations.row import Access, Lane, Operation
from machines.threads.spaces import GLOBAL, LOCAL, SHARED
from sim.cores.simt.memory.parameters import ANYHOW, COMPARE, EXCHANGE, FLOAT_SUM
from sim.cores.simt.tables import code, parameters, sms, warps
from sim.cores.simt.unit import STEP, Decoded, Instruction, Sizes, Unit, kinds
from sim.cores.simt.units.instructions import INSTRUCTION

ACCESS = code.columns(
    SPACE="Of `machines.threads.spaces`, or one of those below.",
    OFFSET="What is added to the address.",
    BYTES="Of an element.",
    ELEMENTS="How many follow each other.",
    ADDRESS="Which operand is the address.",
    DATA="Which operand is the first that is loaded or stored.",
    NARROW_ADDRESS="The address is of 32 bits.",
    RESULTS_WIDE="The registers that are loaded or stored are pairs.",
    IS_SIGNED="What is loaded is sign-extended.",
    LANES="Those that access memory at all, as bits.",
    HOW="How it changes memory, of `sim.cores.simt.memory.parameters`.",
    COUNTS="It adds one to integers of shared memory, and wants nothing back.",
)
STORES = warps.columns(
    DONE="When the last of its stores has arrived.",
    SENT="When the path to memory has taken its last access, whose registers are free then.",
)
SM_STORES = sms.columns(COUNT="Stores and atomics so far.")
SPANS = parameters.columns(
    BUFFERS="Entries of `starts`.",
    SHARED_STRIDE="Bytes of a block slot's shared memory.",
    LOCAL_STRIDE="Bytes of a warp's local memory.",
)
KINDS = kinds(
    STEP.ACCESSES,
    LOAD="Memory to registers.",
    STORE="Registers to memory.",
    ATOMIC="Memory is changed by a meaning.",
    LOAD_MATRIX="Rows of matrices, for which a meaning has registers.",
    STORE_MATRIX="The other way round.",
)
BY_ACCESS = {"load": KINDS.LOAD, "store": KINDS.STORE, "load_store": KINDS.ATOMIC}
CONSTANT, PARAMETER, GENERIC = 3, 4, 5
"""Spaces of instructions beside those of addresses."""
SPACES = {
    "global": GLOBAL, "shared": SHARED, "local": LOCAL, "const": CONSTANT, "param": PARAMETER,
    "generic": GENERIC,
}  # fmt: skip
SEEN_BY_OTHERS = ("global", "local", "generic", "const")
"""Spaces on the way to which SMs meet."""
WORD = 4
INTEGERS = ("u32", "u64")
"""Types of which rows add integers in memory; those of halves are held as bits."""


OF_MATRICES = {"load": KINDS.LOAD_MATRIX, "store": KINDS.STORE_MATRIX}


def kind_of(row: Operation) -> int | None:
    if row.barrier_object:
        return None
    if row.accesses and row.combines:
        return OF_MATRICES[row.accesses[0].kind]
    return BY_ACCESS[row.accesses[0].kind] if len(row.accesses) == 1 else None


def decode(instruction: Instruction) -> None:
    into, row = instruction.into, instruction.row
    access = row.access
    address = row.operands[row.position(access.address)].kind
    is_of_cluster = access.space == "shared" and instruction.decoded.has_clusters
    into[INSTRUCTION.IS_ACT] = access.space in SEEN_BY_OTHERS or is_of_cluster
    into[ACCESS.SPACE], into[ACCESS.BYTES] = SPACES[access.space], access.bytes
    into[ACCESS.ELEMENTS] = access.elements
    into[ACCESS.ADDRESS] = row.position(access.address)
    into[ACCESS.OFFSET] = instruction.value(access.offset or access.address)
    into[ACCESS.LANES] = (1 << access.lanes) - 1
    if into[INSTRUCTION.KIND] in OF_MATRICES.values():
        into[ACCESS.NARROW_ADDRESS] = True
        return
    data = row.operands[row.position(access.values[0])]
    into[ACCESS.DATA] = row.position(data.name)
    into[ACCESS.RESULTS_WIDE] = data.kind.file == "b64"
    into[ACCESS.IS_SIGNED] = access.signed
    into[ACCESS.NARROW_ADDRESS] = isinstance(address, Lane) and address.file == "b32"
    into[ACCESS.HOW] = _how(access, data.kind.type)
    is_sum = access.combines == "add" and access.space == "shared" and not row.writes
    if is_sum and access.bytes == WORD and data.kind.type == "u32":
        number = instruction.value(data.name)
        constants = instruction.decoded.program.constants
        into[ACCESS.COUNTS] = number < 0 and constants[-1 - number] == 1


def _how(access: Access, kind: str) -> int:
    """How an atomic of values of a type changes memory, as far as its time depends on it."""
    if access.combines == "add":
        return ANYHOW if kind in INTEGERS else FLOAT_SUM
    return {"exch": EXCHANGE, "cas": COMPARE}.get(access.combines, ANYHOW)


def sizes(decoded: Decoded) -> Sizes:
    yield SPANS.BUFFERS, decoded.buffers


UNIT = Unit("load_store", (KINDS,), kind_of, decode_own=decode, parameters=sizes)
