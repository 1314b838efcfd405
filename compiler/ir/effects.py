"""What an instruction does besides giving its results: the questions every pass has to ask.

An instruction that may fault has an effect, because a program that faults must fault at the same
place with the same memory, and one that does not fault must never start to.
"""

from __future__ import annotations

from compiler.ir.module import AnyOf, Function, Instruction
from compiler.ir.reading.tensor_sizes import known_extents
from machines.operations.evaluate import faults


def may_fault(instruction: Instruction) -> bool:
    """True unless its operands prove that it cannot fault.

    A division by a number other than 0 cannot.  The verifier has checked exact descriptors against
    their buffers and each other, so only bounds and extents that are variables can go wrong, or
    intervals of several sizes.
    """
    row = instruction.operation
    if row.walk:
        return None in known_extents(instruction).values() or any(
            isinstance(i, AnyOf) or not i.is_exact for _, i in instruction.intervals
        )
    if row.faults_if is not None:
        return _division_may_fault(instruction)
    return row.may_fault


def _division_may_fault(instruction: Instruction) -> bool:
    """Tries the row's own test with the divisor that is there; only the divisor decides."""
    *others, divisor = instruction.operands
    if isinstance(divisor, str):
        return True
    return bool(faults(instruction.operation)(*(0 for _ in others), divisor))


def keeps_order(instruction: Instruction) -> bool:
    """True if it must keep its place among others of its sort: what takes from the stream of opaque
    conditions, where threads meet or see each other's memory, and calls, which may do all that."""
    unknown = any(isinstance(interval, AnyOf) for _, interval in instruction.intervals)
    row = instruction.operation
    draws = unknown or "opaque" in row.implicit_reads
    return draws or row.orders_memory or row.is_convergent


def is_pure(instruction: Instruction) -> bool:
    """True if its results depend on nothing but its operands and it has no effect."""
    row = instruction.operation
    touches_memory = row.loads or row.stores
    return not (touches_memory or row.control or keeps_order(instruction) or may_fault(instruction))


def is_removable(instruction: Instruction) -> bool:
    """True if nothing is lost when its results are not needed: no store, fault, draw, meeting of
    threads or control."""
    row = instruction.operation
    return not (row.stores or row.control or keeps_order(instruction) or may_fault(instruction))


def counts_commands(function: Function) -> bool:
    """True if it waits until some number of commands is left: then each tensor operation counts,
    whatever it does, and none is removed or moved."""
    return any(
        "counts" in instruction.operation.flags and instruction.operands != (0,)
        for _, instruction in function.instructions()
    )
