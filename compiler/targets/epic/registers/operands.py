"""Registers as names in machine instructions, and what an instruction reads and writes.

After selection an instruction's operands are register names, immediates, labels and symbols.  A
*virtual* register starts with '%'; the others are the machine's: r0…, f0…, p0…, b0….  An IR
variable x lives in %x; an i1 variable in the predicate %x, its complement in %!x.

A guarded instruction that writes a register leaves the old value there when its guard is false, so
it counts as reading it, unless it carries the attribute 'fresh': then nothing reads the old value.
The branch that leaves the function reads the register in its attribute 'returns'.  A call reads the
registers in its attribute 'passes' and writes those in 'clobbers': what its callee may change.  The
registers that a function passes arguments in are o0, o1, … until its frame is known.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.ir.module import Instruction
from compiler.machine_code.liveness import liveness_of
from compiler.machine_code.operands import Operands
from machines.instructions.ia64_operands import CONSTANT_REGISTERS, REGISTER_PREFIX
from machines.operations.row import Operation, RegisterKind
from machines.types import Type

FILES = {"r": "general", "f": "floating", "p": "predicate", "b": "branch"}
KIND_OF_FILE = {"general": "gr", "floating": "fr", "predicate": "pr", "branch": "br"}
FILE_OF_KIND = {kind: file for file, kind in KIND_OF_FILE.items()}
PREFIX = {file: prefix for prefix, file in FILES.items()}
RETURN_ADDRESS = "b0"
"""Where a call leaves the address to return to."""
OUTPUT = "o"
"""Prefix of the registers that a function passes arguments in until they have numbers."""
CONSTANT = frozenset(
    f"{REGISTER_PREFIX[kind]}{n}" for kind, numbers in CONSTANT_REGISTERS.items() for n in numbers
)
"""Registers that always hold 0, +0.0, 1.0 and true; writing p0 discards the value."""


def complement_of(predicate: str) -> str:
    """%x -> %!x and back."""
    return f"%{predicate[2:]}" if is_complement(predicate) else f"%!{predicate[1:]}"


def is_complement(predicate: str) -> bool:
    return predicate.startswith("%!")


def file_of_type(t: Type) -> str:
    """The register file that holds values of an IR type."""
    if t.name == "i1":
        return "predicate"
    return "floating" if t.is_float else "general"


@dataclass(frozen=True, slots=True)
class _Plan:
    """What the instructions of a row read and write, by position.

    operands  (position, operand) of the register operands written, and of those read
    written   (position in the results, latency class of the new value); read: (position in the
              operands, use)
    implied_writes, implied_reads   (resource, class) and (resource, use)
    """

    operands: tuple[tuple, tuple]
    written: tuple[tuple[int, str], ...]
    read: tuple[tuple[int, str], ...]
    implied_writes: tuple[tuple[str, str], ...]
    implied_reads: tuple[tuple[str, str], ...]
    guard_use: str


_PLANS: dict[str, _Plan] = {}
"""By name of the row: hashing a whole row each time is slow."""


def _plan(operation: Operation) -> _Plan:
    found = _PLANS.get(operation.name)
    if found is None:
        own = operation.scheduling_class
        written, read = (
            tuple((k, o) for k, o in enumerate(operands) if isinstance(o.kind, RegisterKind))
            for operands in (operation.writes, operation.reads)
        )
        found = _PLANS[operation.name] = _Plan(
            (written, read),
            tuple((k, operand.produces or own) for k, operand in written),
            tuple((k, operand.use) for k, operand in read),
            tuple((name, own) for name in operation.implicit_writes),
            tuple((name, operation.implicit_use(name)) for name in operation.implicit_reads),
            "branch" if operation.control else "predicate",
        )
    return found


def register_operands(operation: Operation) -> tuple[tuple, tuple]:
    """(position, operand) of the register operands written, and of those read."""
    return _plan(operation).operands


def writes(instruction: Instruction) -> list[tuple[str, str]]:
    """(register or resource, latency class of its new value) for everything written."""
    plan, results = _plan(instruction.operation), instruction.results
    found = [(results[k], made) for k, made in plan.written if results[k] not in CONSTANT]
    if "clobbers" in instruction.attributes:
        own = instruction.operation.scheduling_class
        found += [(name, own) for name in instruction.attributes["clobbers"]]
    if plan.implied_writes:
        found += plan.implied_writes
    return found


def reads(instruction: Instruction) -> list[tuple[str, str]]:
    """(register or resource, use) for everything read, the guard included.

    The old value that a guarded write keeps is not in the list: see `keeps_old_value`.
    """
    plan, operands = _plan(instruction.operation), instruction.operands
    found = [(operands[k], use) for k, use in plan.read if operands[k] not in CONSTANT]
    guard, attributes = instruction.guard, instruction.attributes
    if guard is not None and guard.name not in CONSTANT:
        found.append((guard.name, plan.guard_use))
    if attributes:
        if "returns" in attributes:
            found.append((str(attributes["returns"]), "integer"))
        found += [(name, "integer") for name in attributes.get("passes", ())]
    if plan.implied_reads:
        found += plan.implied_reads
    return found


def keeps_old_value(instruction: Instruction) -> bool:
    """True if what the instruction writes may keep its old value."""
    if instruction.guard is None or "unconditional" in instruction.operation.flags:
        return False
    return not instruction.attributes.get("fresh")


def files_of(instruction: Instruction) -> list[tuple[str, str]]:
    """(register, file) of every register operand, the guard included."""
    written, read = register_operands(instruction.operation)
    found = [(instruction.results[k], FILE_OF_KIND[o.kind.name]) for k, o in written]
    found += [(instruction.operands[k], FILE_OF_KIND[o.kind.name]) for k, o in read]
    if instruction.guard is not None:
        found.append((instruction.guard.name, "predicate"))
    return found


def move_source(instruction: Instruction) -> str | None:
    """The register that a plain move copies, None for anything else."""
    match instruction.operation.name, instruction.operands:
        case ("adds", (0, source)):
            pass
        case ("fmerge.s", (source, other)) if source == other:
            pass
        case _:  # also what is damaged: the verifier asks before it has counted operands
            return None
    return None if source in CONSTANT else str(source)


def copies_onto_itself(instruction: Instruction) -> bool:
    """Whether an instruction is a move that changes nothing, guarded or not."""
    source = move_source(instruction)
    return source is not None and instruction.results == (source,)


def _read(instruction: Instruction) -> list[str]:
    return [name for name, _ in reads(instruction)]


def _written(instruction: Instruction) -> list[str]:
    return [name for name, _ in writes(instruction)]


def _named(instruction: Instruction) -> list[tuple[str, str]]:
    clobbers = instruction.attributes.get("clobbers", ())
    return files_of(instruction) + [(name, FILES[name[0]]) for name in clobbers]


OPERANDS = Operands(
    banks={file: file for file in PREFIX},
    read=_read,
    written=_written,
    named=_named,
    move_source=move_source,
    keeps_old_value=keeps_old_value,
)
machine_liveness = liveness_of(OPERANDS)
"""Liveness of registers, virtual or real; constant registers are left out."""
