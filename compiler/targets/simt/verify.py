"""What code of SIMT machines must satisfy in each form; all findings at once.

allocated   registers are those that a thread may have
scheduled   rows of machines that go by control bits have them
"""

from __future__ import annotations

from collections.abc import Iterator

from compiler.ir.module import Function
from compiler.ir.verify_code import (
    CodeRules,
    RegisterFile,
    code_findings,
    registers_read,
    registers_written,
)
from compiler.targets.simt.allocate import PREDICATES
from compiler.targets.simt.control_bits import MOST_STALL, SOURCE_COUNTER
from compiler.targets.simt.emit import CONTROL, lay_out
from compiler.targets.simt.registers import halves, is_virtual
from machines.diagnostics import Diagnostic, nearest
from machines.kinds.simt.fields import Simt
from machines.kinds.simt.program import CONTROL_COLUMNS, NO_COUNTER, KernelFrame
from machines.types import I1, Type

VIRTUAL = "virtual"


def verify(function: Function, form: str, description: Simt) -> list[Diagnostic]:
    """The findings in a function of a form, which is one from 'virtual' to 'scheduled'."""
    findings = code_findings(function, _rules(function, form, description))
    findings += _frame_findings(function)
    with_control = description.dependences.kind == "control_bits"
    if not findings and form == "scheduled" and with_control:
        findings += _control_findings(function)
    return findings


def _rules(function: Function, form: str, description: Simt) -> CodeRules:
    registers = description.limits.registers_per_thread
    return CodeRules(
        description.instructions,
        {
            "r": RegisterFile("b32", registers),
            "d": RegisterFile("b64", registers - 1),
            "p": RegisterFile("pred", PREDICATES),
        },
        file_of,
        virtual=form == VIRTUAL,
        given=[part for name in function.valueless for part in _parts(name)],
        attributes={"ordered": bool, "constant": bool, CONTROL: dict},
        reads=lambda i: (part for name in registers_read(i) for part in _parts(name)),
        writes=lambda i: (part for name in registers_written(i) for part in _parts(name)),
    )


def file_of(kind: Type) -> str:
    """The register file that holds values of a type: 'b32', 'b64' or 'pred'.

    >>> from machines.types import F64, I16
    >>> file_of(I16), file_of(F64)
    ('b32', 'b64')
    """
    if kind is I1:
        return "pred"
    return "b64" if kind.bits == 64 else "b32"


def _parts(name: str) -> tuple[str, ...]:
    return (name,) if is_virtual(name) else halves(name)


def _frame_findings(function: Function) -> Iterator[Diagnostic]:
    if function.frame is not None and not isinstance(function.frame, KernelFrame):
        message = f"the frame of a kernel is a KernelFrame, not {function.frame!r}"
        yield Diagnostic(message, function.location)
    for block in function.blocks.values():
        if block.reconverge is not None and block.reconverge not in function.blocks:
            message = f"there is no block '{block.reconverge}' at which threads could meet"
            hint = nearest(block.reconverge, function.blocks)
            yield Diagnostic(message, block.location, hint=hint)


def _control_findings(function: Function) -> Iterator[Diagnostic]:
    for row in lay_out(function).rows:
        given = row.instruction.attributes.get(CONTROL)
        bits = given.get(row.part) if isinstance(given, dict) else None
        if bits is None:
            message = f"{row.operation}: its row {row.part} has no control bits"
            hint = "{control: {0: (stall, yield, counter set, counter read, wait mask)}}"
            yield Diagnostic(message, row.instruction.location, hint=hint)
        elif not _is_control(bits):
            message = f"{row.operation}: {bits!r} are no control bits"
            hint = (
                f"stall 1 … {MOST_STALL}, yield 0 or 1, counters 0 … {SOURCE_COUNTER} or "
                f"{NO_COUNTER} for none, a mask of {SOURCE_COUNTER + 1} bits"
            )
            yield Diagnostic(message, row.instruction.location, hint=hint)


def _is_control(bits: object) -> bool:
    if not isinstance(bits, tuple) or len(bits) != CONTROL_COLUMNS:
        return False
    if any(type(number) is not int for number in bits):
        return False
    stall, yields, written, read, mask = bits
    counters = (*range(SOURCE_COUNTER + 1), NO_COUNTER)
    return (
        1 <= stall <= MOST_STALL
        and yields in (0, 1)
        and written in counters
        and read in counters
        and 0 <= mask < 1 << (SOURCE_COUNTER + 1)
    )
