"""Prints a BundleProgram as GNU ia64 assembly that assembles, and that the front end reads back
equal.

{ .mmi
        ld8     r14 = [r32], 8
(p6)    add     r8 = r8, r15
        nop.i   0 ;;
}
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from compiler.targets import Listed
from machines.instructions import operations
from machines.instructions.ia64_operands import BRANCH_HINTS, REGISTER_PREFIX
from machines.kinds.epic.fields import Epic, Template
from machines.kinds.epic.program import (
    ADDRESS_BYTES,
    CONTINUATION,
    FIRST_OPERAND,
    GUARD,
    OPERATION,
    BundleProgram,
)
from machines.operations.row import Label, Operand, Operation, RegisterKind, Symbol
from machines.program import ProgramBuffer

_READS_AS_REGISTER = re.compile(
    r"(?:[rfpb]|ar|cr|in|loc|out|ret|farg|fret)\d+\Z|(?:gp|sp|tp|rp|ip|pr|psr|pr\.rot|ar\..*)\Z"
)
LINE_BYTES = 32  # bytes of a buffer's data on a line
SECTIONS = {"rodata": ".rodata", "bss": ".bss", "stack": '.section .stack, "aw", @nobits'}
"""Directives of the sections of `machines.layout`; all else is written to .data."""
MNEMONIC_COLUMNS = 16


def print_assembly(program: BundleProgram, description: Epic) -> str:
    """The whole program."""
    return "".join(f"{line.text}\n" for line in listed_assembly(program, description))


def listed_assembly(program: BundleProgram, description: Epic) -> Iterator[Listed]:
    """Its lines: text section with labels, then its buffers."""
    yield from text_lines(program, description, bundle_labels(program))
    yield from map(Listed, data_lines(program.buffers, program.addresses))


def symbol_name(name: str) -> str:
    """A label or buffer as it is printed: one that reads as a register gets a `$` at its end."""
    return f"{name}$" if _READS_AS_REGISTER.match(name) else name


def symbol_text(symbol: str) -> str:
    """A symbol, whose distance stays behind its name."""
    name, plus, distance = symbol.partition("+")
    return symbol_name(name) + plus + distance


def instruction_text(row: Operation, operands: list[int], program: BundleProgram, labels) -> str:
    """One instruction without its predicate; `labels` names bundles."""
    values = {
        operand.name: _operand_text(operand, value, program, labels)
        for operand, value in zip(row.operands, operands, strict=False)
    }
    mnemonic, _, rest = row.syntax.format(**values).partition(" ")
    return f"{mnemonic:<{MNEMONIC_COLUMNS - 1}} {rest}".rstrip()


def _operand_text(operand: Operand, value: int, program: BundleProgram, labels) -> str:
    if isinstance(operand.kind, RegisterKind):
        return f"{REGISTER_PREFIX[operand.kind.name]}{value}"
    if isinstance(operand.kind, Label):
        return labels[value]
    if isinstance(operand.kind, Symbol):
        return symbol_text(program.symbols[value])
    return BRANCH_HINTS[value] if operand.name == "hint" else str(value)


def bundle_labels(program: BundleProgram) -> dict[int, str]:
    """The program's labels, and local ones for branch targets that have none."""
    labels = {bundle: symbol_name(name) for bundle, name in program.labels.items()}
    rows = [operations()["ia64", name] for name in program.operations]
    for code in program.code.tolist():
        if code[OPERATION] == CONTINUATION:
            continue
        for k, operand in enumerate(rows[code[OPERATION]].operands):
            if isinstance(operand.kind, Label):
                bundle = code[FIRST_OPERAND + k]
                labels.setdefault(bundle, f".Lbundle{bundle}")
    return labels


def text_lines(
    program: BundleProgram, description: Epic, labels: dict[int, str]
) -> Iterator[Listed]:
    """The text section; `labels` names the entry and every bundle that an instruction names."""
    templates = {template.code: template for template in description.templates.values()}
    name = labels.setdefault(program.entry, f".Lbundle{program.entry}")
    yield from map(Listed, ("\t.explicit", "\t.text", f"\t.global {name}", f"\t.proc {name}"))
    for bundle in range(program.bundles):
        if bundle in labels:
            yield Listed(f"{labels[bundle]}:")
        yield from bundle_lines(program, bundle, templates[int(program.templates[bundle])], labels)
    yield Listed(f"\t.endp {name}")


def bundle_lines(
    program: BundleProgram, bundle: int, template: Template, labels
) -> Iterator[Listed]:
    """The lines of one bundle, braces included."""
    rows = [operations()["ia64", name] for name in program.operations]
    yield Listed(f"{{ .{''.join(template.slots).lower()}")
    for slot in range(3):
        code = program.code[3 * bundle + slot].tolist()
        if code[OPERATION] == CONTINUATION:
            continue
        row = rows[code[OPERATION]]
        guard = f"(p{code[GUARD]})" if code[GUARD] else ""
        for relation in program.relations.get(3 * bundle + slot, ()):
            names = "".join(f", p{number}" for number in relation.predicates)
            yield Listed(f'\t.pred.rel "{relation.kind}"{names}')
        text = instruction_text(row, code[FIRST_OPERAND:], program, labels)
        last = 2 if row.slot_kind == "LX" else slot
        stop = " ;;" if last in template.stops else ""
        yield Listed(f"{guard:<8}{text}{stop}", 3 * bundle + slot)
    yield Listed("}")


def data_lines(
    buffers: Iterable[ProgramBuffer], addresses: Iterable[tuple[str, int, str]] = ()
) -> Iterator[str]:
    """The sections of data; `addresses` as in `BundleProgram`."""
    section = None
    for buffer in buffers:
        if (wanted := SECTIONS.get(buffer.section, ".data")) != section:
            section = wanted
            yield f"\t{section}"
        if buffer.extent.alignment > 1:
            yield f"\t.align {buffer.extent.alignment}"
        yield f"{symbol_name(buffer.name)}:"
        own = {offset: symbol for name, offset, symbol in addresses if name == buffer.name}
        yield from _lines_with_addresses(buffer, own) if own else _buffer_lines(buffer)


def _buffer_lines(buffer: ProgramBuffer) -> Iterator[str]:
    """Integers as such, floats by their bits, zeros as space."""
    if buffer.data is None:
        yield f"\t.skip {buffer.size}"
        return
    size = buffer.dtype.bytes
    content = buffer.data.ljust(buffer.size, b"\0")
    for start in range(0, len(content), LINE_BYTES):
        line = content[start : start + LINE_BYTES]
        numbers = (
            hex(int.from_bytes(line[k : k + size], "little")) for k in range(0, len(line), size)
        )
        yield f"\tdata{size} {', '.join(numbers)}"


def _lines_with_addresses(buffer: ProgramBuffer, addresses: dict[int, str]) -> Iterator[str]:
    """The elements and addresses of a buffer, one a line."""
    content = (buffer.data or b"").ljust(buffer.size, b"\0")
    unit, offset = buffer.dtype.bytes, 0
    while offset < buffer.size:
        if offset in addresses:
            yield f"\tdata{ADDRESS_BYTES}.ua {symbol_text(addresses[offset])}"
            offset += ADDRESS_BYTES
        else:
            number = int.from_bytes(content[offset : offset + unit], "little")
            yield f"\tdata{unit} {number:#x}"
            offset += unit
