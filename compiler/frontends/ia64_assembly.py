"""Front end for IA-64 assembly (`.s`), GNU syntax, explicit mode.

Bundles, templates and stops are taken as written; nothing is moved, padded or stopped silently.
The rows of the operation table say what an instruction looks like, so a new row needs no change
here.  Pseudo-operations of GNU as are accepted; hints without effect on one core (.few .many .clr,
.nt1 .nt2 .nta .excl, .acq .rel of plain loads and stores, the status field of a compare) are
dropped.
"""

from __future__ import annotations

import re
from pathlib import PurePath

import numpy as np

from compiler.frontends.ia64.aliases import alias_patterns
from compiler.frontends.ia64.bundles import RawBundle, RawInstruction, Source, gather
from compiler.frontends.ia64.registers import Frame, register
from compiler.frontends.ia64.statements import statements
from compiler.frontends.ia64.syntax import (
    Mismatch,
    Names,
    Pattern,
    match,
    row_patterns,
    split_mnemonic,
)
from compiler.targets.epic.groups import violations
from machines.diagnostics import Diagnostic, InputError, diagnostic, input_error, nearest
from machines.instructions.ia64_operands import REGISTER_PREFIX
from machines.isa import Operation, RegisterKind
from machines.kinds.epic import Epic, Template
from machines.program import COLUMNS, CONTINUATION, Program
from machines.types import I64

RESULT = ("r8", I64)
_PREDICATED = re.compile(r"\(\s*(\w+)\s*\)\s*")
_DROPPED = (
    (re.compile(r"br(?:\.\w+)*"), (".few", ".many", ".clr")),
    (re.compile(r"(?:ldf?|stf?|xchg|cmpxchg|fetchadd|lfetch)[\w.]*"), (".nt1", ".nt2", ".nta")),
    (re.compile(r"lfetch[\w.]*"), (".excl",)),
    (re.compile(r"(?:ld|st)[1248](?:\.\w+)*"), (".acq", ".rel", ".bias")),
    (re.compile(r"fcmp[\w.]*"), (".s0", ".s1")),
    (re.compile(r"mov\.[mi]"), (".m", ".i")),
)
_HINTED = {"br": "br.cond.sptk", "br.cond": "br.cond.sptk", "br.call": "br.call.sptk",
           "br.ret": "br.ret.sptk", "br.cloop": "br.cloop.sptk"}  # fmt: skip
NOT_MODELLED = (
    (re.compile(r"br\.(ctop|cexit|wtop|wexit)|clrrrb"), "register rotation is not modelled yet"),
    (re.compile(r"ld\w+\.(s|a|sa|c)\b|chk|ldf\w+\.(s|a|sa|c)\b|invala|tnat"),
     "speculation (NaT bits, ALAT) is not modelled"),
    (re.compile(r"brl|cover|rfi|epc|bsw"), "this form of control flow is not modelled"),
)  # fmt: skip


def canonical_mnemonic(mnemonic: str, slot: str) -> str:
    """The mnemonic as the patterns have it: hints dropped, defaults written out."""
    for applies, dropped in _DROPPED:
        if applies.fullmatch(mnemonic):
            for part in dropped:
                mnemonic = re.sub(rf"{re.escape(part)}(?=\.|$)", "", mnemonic)
    if mnemonic in ("nop", "break"):
        return f"{mnemonic}.{'x' if slot == 'L' else slot.lower()}"
    return _HINTED.get(mnemonic, mnemonic)


def patterns_of(mnemonic: str) -> list[Pattern]:
    """Patterns of a mnemonic, rows before aliases; floating ones default to status field s0."""
    for name in (mnemonic, f"{mnemonic}.s0"):
        found = row_patterns().get(name, []) + alias_patterns().get(name, [])
        if found:
            return found
    return []


def _fits(row: Operation, slot: str) -> bool:
    return row.slot_kind == slot or (row.slot_kind == "A" and slot in "MI") or (
        row.slot_kind == "LX" and slot == "L"
    )  # fmt: skip


class _Assembler:
    """Decodes bundles one after another; findings gather in `source.findings`."""

    def __init__(self, text: str, source: Source, description: Epic):
        self.text = text
        self.source = source
        self.templates = description.templates
        self.names = Names(source.labels, source.constants)
        self.operations: dict[str, int] = {}
        self.code: list[list[int]] = []
        self.codes: list[int] = []
        self.locations: list = []
        self.calls: list[RawInstruction] = []
        self.frames: list[tuple[int, int]] = []

    def find(self, message, location, hint=None) -> None:
        self.source.findings.append(diagnostic(message, location, source=self.text, hint=hint))

    def bundle(self, raw: RawBundle) -> None:
        """Decode a bundle; a wrong one leaves nops so that the rest is checked too."""
        template = self._template(raw)
        slots = template.slots if template else ("M", "I", "I")
        self.codes.append(template.code if template else 0)
        expected = [k for k, slot in enumerate(slots) if slot != "X"]
        if template and len(raw.instructions) != len(expected):
            self.find(
                f"the bundle has {len(raw.instructions)} of {len(expected)} instructions",
                raw.location,
                "write a nop for each empty slot",
            )
        by_slot = dict(zip(expected, raw.instructions, strict=False))
        for k, slot in enumerate(slots):
            instruction = by_slot.get(k)
            row = [0] * COLUMNS
            if slot == "X":
                row[0] = CONTINUATION
            elif instruction and template:
                row = self._instruction(instruction, k, slot, raw.template)
            self.code.append(row)
            place = instruction.location if instruction and not raw.generated else None
            self.locations.append(self.locations[-1] if slot == "X" else place)

    def _template(self, raw: RawBundle) -> Template | None:
        """The template with the slots and stops as written."""
        if not raw.template:
            return None
        slots = tuple(raw.template[1:].upper())
        known = {"".join(t.slots) for t in self.templates.values()}
        if "".join(slots) not in known:
            names = [f".{name.lower()}" for name in known]
            self.find(f"unknown template '{raw.template}'", raw.location,
                      nearest(raw.template, names))  # fmt: skip
            return None
        stops = tuple(
            2 if "X" in slots and k == 1 else k
            for k, instruction in enumerate(raw.instructions)
            if instruction.stop
        )
        for template in self.templates.values():
            if template.slots == slots and tuple(template.stops) == stops:
                return template
        offered = sorted({t.stops for t in self.templates.values() if t.slots == slots and t.stops})
        self.find(
            f"there is no template {raw.template} with a stop after slot "
            + " and ".join(map(str, stops)),
            raw.instructions[stops[0] if stops[0] < len(raw.instructions) else -1].location,
            "it exists with stops after "
            + ", or ".join(" and ".join(map(str, s)) for s in offered),
        )
        return None

    def _instruction(self, raw: RawInstruction, k: int, slot: str, template: str) -> list[int]:
        text, guard = raw.text, 0
        if predicate := _PREDICATED.match(text):
            found = register(predicate.group(1), Frame())
            if not found or found[0] != "pr":
                self.find(f"'{predicate.group(1)}' is not a predicate", raw.location,
                          "predicates are p0 to p63")  # fmt: skip
                return [0] * COLUMNS
            guard, text = found[1], text[predicate.end() :]
        written, operands = split_mnemonic(text.replace("\t", " "))
        mnemonic = canonical_mnemonic(written.lower(), slot)
        candidates = patterns_of(mnemonic)
        if not candidates:
            self._unknown(written, mnemonic, raw)
            return [0] * COLUMNS
        try:
            row, values = match(operands, candidates, self.names)
        except Mismatch as failure:
            forms = "; ".join(dict.fromkeys(c.syntax for c in candidates[:6]))
            self.find(f"{written}: {failure}", raw.location, f"forms: {forms}")
            return [0] * COLUMNS
        self._check(row, values, guard, raw, k, slot, template)
        index = self.operations.setdefault(row.name, len(self.operations))
        code = [index, guard, *values]
        return code + [0] * (COLUMNS - len(code))

    def _unknown(self, written: str, mnemonic: str, raw: RawInstruction) -> None:
        for applies, reason in NOT_MODELLED:
            if applies.match(mnemonic):
                self.find(f"'{written}' is not supported", raw.location, reason)
                return
        known = [*row_patterns(), *alias_patterns()]
        self.find(f"unknown instruction '{written}'", raw.location, nearest(mnemonic, known))

    def _check(self, row, values, guard, raw, k, slot, template) -> None:
        """Rules about a single instruction."""
        if not _fits(row, slot):
            kind = {"A": "M or I", "LX": "L+X"}.get(row.slot_kind, row.slot_kind)
            self.find(
                f"'{row.name}' does not go into slot {k} of {template}, which takes {slot}",
                raw.location,
                f"it needs a slot of kind {kind}",
            )
        if "last_slot" in row.flags and k != 2:
            self.find(f"'{row.name}' goes into slot 2 only", raw.location)
        if "unpredicated" in row.flags and guard:
            self.find(f"'{row.name}' takes no predicate", raw.location)
        written = [
            (operand.kind.name, value)
            for operand, value in zip(row.operands, values, strict=True)
            if isinstance(operand.kind, RegisterKind) and operand.is_written
        ]
        for file, number in written:
            if (file == "gr" and number == 0) or (file == "fr" and number < 2):
                name = f"{REGISTER_PREFIX[file]}{number}"
                self.find(f"{name} never changes and cannot be written", raw.location)
        writable = [register for register in written if register != ("pr", 0)]
        if len(set(writable)) < len(writable):
            self.find("one register is written twice by the instruction", raw.location)
        floating = [number for file, number in written if file == "fr"]
        if len(floating) == 2 and sum(floating) % 2 == 0:
            self.find("a pair load takes one odd and one even register", raw.location)
        if row.control == "call":
            self.calls.append(raw)
        if row.name == "alloc":
            self._alloc(dict(zip((o.name for o in row.operands), values, strict=True)), raw)

    def _alloc(self, values: dict[str, int], raw: RawInstruction) -> None:
        size = values["inputs"] + values["locals"] + values["outputs"]
        if size > 96 or values["rotating"] > size:
            self.find(f"a frame of {size} registers, {values['rotating']} of them rotating",
                      raw.location, "at most 96, and no more rotating than there are")  # fmt: skip
        self.names.frame = Frame(values["inputs"], values["locals"], values["outputs"])
        if values["inputs"] + values["locals"]:
            self.frames.append((values["inputs"], values["locals"]))

    def check_calls(self) -> None:
        """Calls rename stacked registers unless the frame has outputs only."""
        if self.frames:
            for call in self.calls:
                self.find(
                    "a call in a program whose frames have inputs or locals",
                    call.location,
                    "the register stack is not renamed: use alloc with outputs only",
                )


def _description(machine: object, file: str) -> Epic:
    description = getattr(machine, "description", machine)
    if not isinstance(description, Epic):
        raise input_error(
            f"{file}: IA-64 assembly needs a machine of kind 'epic'",
            hint="choose one with --machine",
        )
    return description


def _group_findings(program: Program, source: Source, text: str, description: Epic):
    exclusive = {k: b.exclusive for k, b in enumerate(source.bundles) if b.exclusive}
    for found in violations(program, description, exclusive):
        first, second = program.locations[found.first], program.locations[found.second]
        verb = "reads" if found.kind.startswith("read") else "writes"
        yield diagnostic(
            f"{verb} {found.resource}, which line {first.line} writes in the same group",
            second,
            source=text,
            hint=f"put a stop (;;) after line {first.line}, or between the two",
        )


class Ia64AssemblyFrontend:
    """Reads assembly into a Program whose arguments the caller binds (`Program.parameters`)."""

    name = "ia64_assembly"
    suffixes = (".s",)

    def read(self, text: str, file: str, machine: object) -> Program:
        """The program in `text`; raises InputError with every finding."""
        description = _description(machine, file)
        source = gather(statements(text, file), text)
        assembler = _Assembler(text, source, description)
        for raw in source.bundles:
            assembler.bundle(raw)
        assembler.check_calls()
        if not source.bundles and not source.findings:
            raise input_error(f"{file}: the file has no bundles", hint="write { .mii … ;; }")
        program = _program(source, assembler, file)
        findings: list[Diagnostic] = list(source.findings)
        if not findings:
            findings = list(_group_findings(program, source, text, description))
        if findings:
            raise InputError(findings)
        return program


def _program(source: Source, assembler: _Assembler, file: str) -> Program:
    entry = next((name for name in source.globals if name in source.labels), None)
    labels: dict[int, str] = {}
    for name, bundle in source.labels.items():
        if not name.startswith(".L"):  # local to the assembler, as in GNU as
            labels.setdefault(bundle, name)
    return Program(
        kind="epic",
        name=entry or PurePath(file).stem,
        operations=list(assembler.operations),
        code=np.array(assembler.code, dtype=np.int64).reshape(-1, COLUMNS),
        templates=np.array(assembler.codes, dtype=np.uint8),
        symbols=assembler.names.symbols,
        buffers=[buffer.finished() for buffer in source.buffers],
        result=RESULT,
        entry=source.labels[entry] if entry else 0,
        locations=assembler.locations,
        labels=labels,
    )


PLUGIN = Ia64AssemblyFrontend()
