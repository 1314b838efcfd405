"""What code of SIMT machines must satisfy in each form; all findings at once.

virtual     all registers are virtual ones
allocated   registers are those that a thread may have
scheduled   rows of machines that go by control bits have them
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from compiler.ir.module import Function
from compiler.machine_code.operands import is_virtual
from compiler.targets.simt.contraction import CONTRACTIBLE
from compiler.targets.simt.control_bits import MOST_STALL, SOURCE_COUNTER
from compiler.targets.simt.emit import CONTROL, lay_out
from compiler.targets.simt.registers.allocate import PREDICATES
from compiler.targets.simt.registers.operands import FILES, halves
from compiler.verify.machine_code import (
    CodeRules,
    RegisterFile,
    code_findings,
    registers_read,
    registers_written,
)
from machines.diagnostics import Diagnostic, nearest
from machines.kinds.simt.code import RECONVERGE
from machines.kinds.simt.fields import Simt
from machines.kinds.simt.program import (
    CONTROL_COLUMNS,
    NO_COUNTER,
    KernelFrame,
    KernelParameter,
)
from machines.layout import WRITTEN_BYTES
from machines.types import I1, PTR, Type

VIRTUAL = "virtual"
MOST_OF_SPACE = 1 << 32
"""Bytes of shared or local memory: offsets are of 32 bits."""
_NUMBERED = re.compile(rf"[{''.join(FILES)}]\d+\Z")


def verify(function: Function, form: str, description: Simt) -> list[Diagnostic]:
    """The findings in a function of a form, which is one from 'virtual' to 'scheduled'."""
    findings = list(_valueless_findings(function, form))
    if form == VIRTUAL:
        findings += _number_findings(function)
    if not findings:
        findings += code_findings(function, _rules(function, form, description))
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
        attributes={
            "ordered": bool,
            "constant": bool,
            "fresh": bool,
            CONTRACTIBLE: bool,
            CONTROL: dict,
        },
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


def _valueless_findings(function: Function, form: str) -> Iterator[Diagnostic]:
    for name in function.valueless:
        if not (is_virtual(name) if form == VIRTUAL else _NUMBERED.match(name)):
            message = f"'valueless' names '{name}', which is no register of form '{form}'"
            yield Diagnostic(message, function.location)


def _number_findings(function: Function) -> Iterator[Diagnostic]:
    """The allocator gives out all registers of a thread, and knows of none that is taken."""
    for _, instruction in function.instructions():
        for name in (*registers_written(instruction), *registers_read(instruction)):
            if isinstance(name, str) and _NUMBERED.match(name):
                message = f"{instruction.operation}: '{name}' is a register of the machine"
                hint = "before form 'allocated' all registers are virtual: %name"
                yield Diagnostic(message, instruction.location, hint=hint)
                break


# ── what a kernel needs beside its code ──────────────────────────────────────────────────────


def _frame_findings(function: Function) -> Iterator[Diagnostic]:
    frame = function.frame
    if isinstance(frame, KernelFrame):
        for message, hint in _frame_objections(frame):
            yield Diagnostic(message, function.location, hint=hint)
    elif frame is not None:
        message = f"the frame of a kernel is a KernelFrame, not {frame!r}"
        yield Diagnostic(message, function.location)
    for block in function.blocks.values():
        meeting = RECONVERGE.of(block)
        if meeting is not None and meeting not in function.blocks:
            message = f"there is no block '{meeting}' at which threads could meet"
            hint = nearest(meeting, function.blocks)
            yield Diagnostic(message, block.location, hint=hint)


def _frame_objections(frame: KernelFrame) -> Iterator[tuple[str, str]]:
    """(message, hint) for each size that no kernel has."""
    for name in ("shared", "dynamic_alignment", "local"):
        size = getattr(frame, name)
        if not 0 <= size <= MOST_OF_SPACE:
            message = f"'{name}' of a frame cannot be {size}"
            yield message, f"it is 0 to {MOST_OF_SPACE} bytes, as offsets are of 32 bits"
    if frame.most_threads < 0:
        message = f"'most_threads' of a frame cannot be {frame.most_threads}"
        yield message, "it is a number of threads, or 0 if the source promises none"
    if frame.exact_block and (len(frame.exact_block) != 3 or min(frame.exact_block) < 1):
        message = f"'exact_block' of a frame cannot be {frame.exact_block}"
        yield message, "it is the threads along x, y and z, or nothing"
    if frame.exact_cluster and (len(frame.exact_cluster) != 3 or min(frame.exact_cluster) < 1):
        message = f"'exact_cluster' of a frame cannot be {frame.exact_cluster}"
        yield message, "it is the blocks along x, y and z, or nothing"
    for parameter in frame.parameters:
        yield from _parameter_objections(parameter)


def _parameter_objections(parameter: KernelParameter) -> Iterator[tuple[str, str]]:
    name, kind, size = parameter.name, parameter.type, parameter.bytes
    if kind is PTR:
        sizes, wanted = (4, 8), "a pointer has 4 or 8"
    elif kind is not None:
        sizes, wanted = (kind.bytes,), f"{kind} has {kind.bytes}"
    else:
        sizes, wanted = range(1, WRITTEN_BYTES + 1), f"a structure has 1 to {WRITTEN_BYTES}"
    if size not in sizes:
        yield f"parameter '{name}' cannot have {size} bytes", wanted
    elif not 0 <= parameter.offset <= WRITTEN_BYTES - size:
        message = f"parameter '{name}' cannot be at offset {parameter.offset}"
        yield message, f"it lies within the first {WRITTEN_BYTES >> 20} MiB of parameter space"
    if parameter.alignment < 1:
        message = f"parameter '{name}' cannot be aligned to {parameter.alignment} bytes"
        yield message, "alignments are 1, 2, 4, …"


# ── control bits ─────────────────────────────────────────────────────────────────────────────


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
