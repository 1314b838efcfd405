"""The memory accesses of a loop: where each begins, as a polynomial, and how many bytes it has.

x = load.f64 p                        8 bytes at a + 8·[loop]
tensor.fill.i8 a[lo:hi], 0            unknown bytes, but inside the buffer a
tensor.copy.i8 a[0:8], any(b[0:8], c[0:8])      8 bytes of a; 8 of b or 8 of c
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from compiler.analyses.loops import Loop
from compiler.analyses.values.affine import Address, Iteration, Polynomial
from compiler.analyses.values.induction import ClosedForms
from compiler.ir.module import AnyOf, Descriptor, Function, Instruction, Value
from machines.operations.row import Region


@dataclass(frozen=True, slots=True)
class Access:
    """One access of an instruction, as often as it runs.

    position    of the instruction in its block
    kind        'load' or 'store'
    start       where it begins, as far as that is known
    address     the same if it is affine in the iterations of the loop and of those inside it
    size        bytes; None if that is not known
    unit        bytes of which its address is a multiple, or it faults
    inside      the buffer that it cannot leave without a fault, if the instruction names it
    is_certain  whether it touches memory whenever the instruction takes effect
    why         why `address` or `size` is None
    """

    block: str
    position: int
    instruction: Instruction
    kind: str
    start: Polynomial
    address: Polynomial | None
    size: int | None
    unit: int
    inside: str | None = None
    is_certain: bool = True
    why: str = ""


def accesses_of(function: Function, loop: Loop, forms: ClosedForms) -> Iterator[Access]:
    """The accesses in a loop of a function in SSA form, blocks in reverse post-order."""
    for block in loop.members:
        for position, instruction in enumerate(function.blocks[block].instructions):
            row = instruction.operation
            if row.access is not None and not row.orders_memory:
                start = forms.form(address_of(instruction), block)
                address, why = _affine(start, loop, forms)
                size = row.access.bytes
                yield Access(
                    block, position, instruction, row.access.kind, start, address, size, size,
                    why=why,
                )  # fmt: skip
            for region, interval in instruction.intervals:
                candidates = interval.candidates if isinstance(interval, AnyOf) else (interval,)
                for one in candidates:
                    at = block, position, instruction
                    yield _described(at, region, one, len(candidates) == 1, loop, forms)


def address_of(instruction: Instruction) -> Value | None:
    """Where a scalar load or store goes; None for all else."""
    row = instruction.operation
    if row.access is None:
        return None
    names = [operand.name for operand in row.reads]
    return instruction.operands[names.index(row.access.address)]


def _described(
    at: tuple[str, int, Instruction],
    region: Region,
    descriptor: Descriptor,
    is_certain: bool,
    loop: Loop,
    forms: ClosedForms,
) -> Access:
    """The access to an interval; one that is not inside its buffer faults and touches nothing."""
    block, unit = at[0], region.type.bytes
    low, high = (forms.form(bound, block) for bound in (descriptor.low, descriptor.high))
    start = Polynomial.atom(Address(descriptor.buffer), 64) + low.times(unit)
    is_packed = region.type.in_byte > 1
    size = None if descriptor.steps or is_packed else (high - low).times(unit).constant
    address, why = (None, "") if is_packed else _affine(start, loop, forms)
    unknown = "is strided" if descriptor.steps else "has no known length"
    unknown = "has several elements in a byte" if is_packed else unknown
    why = why or ("" if size is not None else f"{descriptor} {unknown}")
    return Access(
        *at, region.access, start, address, size, unit, descriptor.buffer, is_certain, why
    )


def _affine(start: Polynomial, loop: Loop, forms: ClosedForms) -> tuple[Polynomial | None, str]:
    """The start if nothing in it changes but iteration numbers, else why that is not so."""
    for atom in start.atoms:
        if not isinstance(atom, Iteration) and forms.varies(atom, loop):
            reason = forms.refused.get(atom, "it comes from an inner loop")
            return None, f"{atom} in the address {start} changes in the loop: {reason}"
    return start, ""
