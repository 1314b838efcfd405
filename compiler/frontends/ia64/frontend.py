"""Front end for IA-64 assembly (`.s`) in GNU syntax, as written by hand or by compilers.

Nothing is scheduled: instructions and stops stand as written.  Where braces or templates are left
out, bundles are those that GNU as makes (`ia64/bundling.py`).  The rows of the operation table say
what an instruction looks like, so a new row needs no change here.  Macros are expanded before:

    cpp -x assembler-with-cpp sum.S > sum.s        (its line markers are understood)
    m4 sum.asm > sum.s

IA64.md is the page for users.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

import numpy as np

from compiler.frontends.ia64.bundling import Bundled, bundle
from compiler.frontends.ia64.checks import broken_rules
from compiler.frontends.ia64.data import LINKAGE_SECTION, DataBuffer, LateNumber, finished
from compiler.frontends.ia64.expressions import ExpressionError
from compiler.frontends.ia64.instructions import Decoded, Refused, decode, kind_of
from compiler.frontends.ia64.names import Scope
from compiler.frontends.ia64.other_names import (
    add_absent_functions,
    nothing_named,
    with_aliases,
)
from compiler.frontends.ia64.reader import gather
from compiler.frontends.ia64.source import Instruction, Label, Source
from compiler.frontends.ia64.statements import statements
from compiler.frontends.ia64.syntax import LINKAGE_TABLE, Names, symbol_of
from compiler.frontends.ia64.templates import Kind
from compiler.targets.epic.bundling.groups import violations
from compiler.targets.epic.interpret import STACK_BUFFER
from machines.description.load import Machine
from machines.diagnostics import Diagnostic, InputError, Location, input_error
from machines.instructions import operations
from machines.kinds.epic.fields import Epic
from machines.kinds.epic.program import (
    ADDRESS_BYTES,
    COLUMNS,
    CONTINUATION,
    FIRST_OPERAND,
    OPERATION,
    BundleProgram,
)
from machines.levels import NO_OPTIONS
from machines.operations.row import Label as LabelKind
from machines.operations.row import RegisterKind
from machines.program import ProgramBuffer
from machines.types import I8, I64

RESULT = ("r8", I64)
STACK_ALIGNMENT = 16
LATE_HINT = "a constant, data8 of a label, or a distance between labels of code"
ANYWHERE = 1 << 20
"""The bundle that labels stand for while instructions are not in bundles: differences are 0."""


class _Decoder:
    """Decodes every instruction once, and again those that labels can change, once these stand."""

    def __init__(self, source: Source):
        self.findings = source.findings
        labels = [item.name for item in source.items if isinstance(item, Label)]
        aliases = {name: given[:2] for name, given in source.aliases.items()}
        places = {buffer.name: buffer.place for buffer in source.buffers}
        self.names = Names(aliases=aliases, places=places)
        self.names.labels = with_aliases(dict.fromkeys(labels, ANYWHERE), self.names)
        self.decoded: dict[int, Decoded | None] = {}

    def kind(self, instruction: Instruction) -> Kind:
        """What bundling must know of an instruction, before it is known where labels stand."""
        try:
            self.decoded[id(instruction)] = decode(instruction, self.names)
        except Refused as refused:
            self.findings.append(refused.finding)
            self.decoded[id(instruction)] = None
        return kind_of(instruction, self.decoded[id(instruction)])

    def in_slot(self, instruction: Instruction, slot: str) -> Decoded | None:
        """The instruction in its slot, None if it was refused."""
        decoded = self.decoded[id(instruction)]
        if decoded is None or (decoded.final and decoded.row.slot_kind in (slot, "A")):
            return decoded
        try:
            return decode(instruction, self.names, slot)
        except Refused as refused:
            self.findings.append(refused.finding)
            return None


@dataclass
class _Listing:
    """The syllables of a program, as they are laid down."""

    operations: dict[str, int] = field(default_factory=dict)
    code: list[list[int]] = field(default_factory=list)
    locations: list[Location | None] = field(default_factory=list)
    instructions: dict[int, Instruction] = field(default_factory=dict)

    def add(self, row: str, guard: int, values: list[int], location: Location | None) -> None:
        index = self.operations.setdefault(row, len(self.operations))
        code = [index, guard, *values]
        self.code.append(code + [0] * (COLUMNS - len(code)))
        self.locations.append(location)

    def go_on(self) -> None:
        """The second half of a long instruction."""
        self.code.append([CONTINUATION] + [0] * (COLUMNS - 1))
        self.locations.append(self.locations[-1])


def _lay_down(bundled: Bundled, decoder: _Decoder) -> _Listing:
    """The syllables of all bundles; empty slots are nops."""
    listing = _Listing()
    for made in bundled.bundles:
        locations = [instruction.location for instruction in made.slots if instruction]
        for slot, instruction in zip(made.template.slots, made.slots, strict=True):
            decoded = decoder.in_slot(instruction, slot) if instruction else None
            if decoded:
                listing.instructions[len(listing.code)] = instruction
                for message, hint in broken_rules(decoded):
                    location, line = instruction.location, instruction.written
                    decoder.findings.append(Diagnostic(message, location, line, hint))
                row, values = decoded.row.name, decoded.values
                listing.add(row, decoded.guard, values, instruction.location)
            elif slot == "X":
                listing.go_on()
            else:
                unit = "x" if slot == "L" else slot.lower()
                row = f"{'break' if made.zeros else 'nop'}.{unit}"
                listing.add(row, 0, [0], locations[0] if locations else None)
    return listing


def _labels_without_code(listing: _Listing, bundles: int) -> Iterator[Diagnostic]:
    """Labels that instructions name and that have no bundle after them."""
    rows = [operations()["ia64", name] for name in listing.operations]
    for syllable, instruction in listing.instructions.items():
        code = listing.code[syllable]
        for operand, value in zip(rows[code[0]].operands, code[2:], strict=False):
            if isinstance(operand.kind, LabelKind) and not value < bundles:
                message = "it names a label that has no bundle after it"
                yield Diagnostic(message, instruction.location, instruction.written)


def _group_findings(
    program: BundleProgram, listing: _Listing, description: Epic
) -> Iterator[Diagnostic]:
    for found in violations(program, description):
        first, second = (listing.instructions[k] for k in (found.first, found.second))
        verb = "reads" if found.kind.startswith("read") else "writes"
        line = first.location.line
        yield Diagnostic(
            f"{verb} {found.resource}, which line {line} writes in the same group",
            second.location,
            second.written,
            f"put a stop (;;) after line {line}, or between the two",
        )


def read(
    text: str,
    file: str,
    machine: Machine,
    entries: Sequence[str] = (),
    options: Mapping[str, Any] = NO_OPTIONS,
) -> BundleProgram:
    """The program in `text`, whose arguments the caller binds (its `parameters`); raises
    InputError with every finding."""
    description = machine.description
    source = gather(statements(text, file))
    absent = add_absent_functions(source)
    decoder = _Decoder(source)
    findings = source.findings
    findings += nothing_named(source, decoder.names)
    bundled = bundle(source.items, decoder.kind, description)
    findings += bundled.findings
    if not bundled.bundles and not findings:
        raise input_error(f"{file}: the file has no instructions", hint="write some in .text")
    bundled.labels = decoder.names.labels = with_aliases(bundled.labels, decoder.names)
    listing = _lay_down(bundled, decoder)
    findings += _labels_without_code(listing, len(bundled.bundles))
    addresses = list(_addresses(source, decoder.names, findings))
    own = [name for name in source.globals if name in bundled.labels and name not in absent]
    program = _program(
        source, bundled, listing, decoder.names.symbols, own[0] if own else None, file
    )
    program.addresses = addresses
    _add_stack(program, description)
    if not findings:
        findings += _group_findings(program, listing, description)
    if findings:
        raise InputError(findings)
    return program


def _addresses(
    source: Source, names: Names, findings: list[Diagnostic]
) -> Iterator[tuple[str, int, str]]:
    """`BundleProgram.addresses`; numbers that code labels decide are written to the data."""
    if names.linkage:
        table = DataBuffer(LINKAGE_TABLE, bytearray(ADDRESS_BYTES * len(names.linkage)), {I64})
        table.late = [
            LateNumber(ADDRESS_BYTES * k, I64, symbol, {}) for k, symbol in enumerate(names.linkage)
        ]
        table.section, table.largest = (LINKAGE_SECTION, 0), ADDRESS_BYTES
        source.buffers.append(table)
    buffers = {buffer.name for buffer in source.buffers}
    for buffer in source.buffers:
        for late in buffer.late:
            names.scope = Scope({**source.constants, **late.constants})
            symbol = symbol_of(late.text, names)
            name = symbol.partition("+")[0] if symbol else ""
            is_linked = late.statement is None and name not in names.labels
            if late.type is I64 and (name in buffers or is_linked):
                yield buffer.name, late.offset, symbol
                continue
            try:
                buffer.write(late, names.value(late.text))
            except ExpressionError as error:
                location, line = late.statement.location, late.statement.written
                findings.append(Diagnostic(str(error), location, line, LATE_HINT))


def _add_stack(program: BundleProgram, description: Epic) -> None:
    """A stack, if the program names the stack pointer and brings no buffer of that name."""
    pointer = description.registers["general"].stack_pointer
    rows = [operations()["ia64", name] for name in program.operations]
    general = {
        value
        for code in program.code.tolist()
        if code[OPERATION] != CONTINUATION
        for operand, value in zip(
            rows[code[OPERATION]].operands, code[FIRST_OPERAND:], strict=False
        )
        if isinstance(operand.kind, RegisterKind) and operand.kind.name == "gr"
    }
    if pointer in general and STACK_BUFFER not in [buffer.name for buffer in program.buffers]:
        size = description.memory.stack // STACK_ALIGNMENT * STACK_ALIGNMENT
        program.buffers.append(
            ProgramBuffer(STACK_BUFFER, I8, size, None, STACK_ALIGNMENT, "stack")
        )


def _program(
    source: Source,
    bundled: Bundled,
    listing: _Listing,
    symbols: list[str],
    entry: str | None,
    file: str,
) -> BundleProgram:
    labels: dict[int, str] = {}
    for name, number in bundled.labels.items():
        if not name.startswith(".L") and number < len(bundled.bundles):  # .L: as in GNU as
            labels.setdefault(number, name)
    return BundleProgram(
        kind="epic",
        name=entry or PurePath(file).stem,
        operations=list(listing.operations),
        code=np.array(listing.code, dtype=np.int64).reshape(-1, COLUMNS),
        templates=np.array([made.template.code for made in bundled.bundles], dtype=np.uint8),
        symbols=symbols,
        buffers=finished(source.buffers),
        result=RESULT,
        entry=bundled.labels[entry] if entry else 0,
        locations=listing.locations,
        labels=labels,
        relations={
            syllable: instruction.relations
            for syllable, instruction in listing.instructions.items()
            if instruction.relations
        },
    )
