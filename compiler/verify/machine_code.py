"""What machine code of any family must satisfy; all findings at once.

    %c = add.s32 %a, %f       '%f' is a register of file b64, and 'add.s32' takes one of b32
    %d = mul.lo.s32 %x, 2     '%x' is read here, and nothing has written it before

A target says what its registers are (`CodeRules`), and adds what a row or a bundle of it may hold.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from compiler.analyses.code_flow import leads_away, successors
from compiler.analyses.unwritten_reads import unwritten_reads
from compiler.ir.module import Block, Function, Instruction, Interval, Value
from compiler.ir.reading.attribute_text import print_value
from compiler.verify.ir import is_canonical
from machines.diagnostics import Diagnostic, nearest
from machines.instructions import operations
from machines.operations.row import (
    Immediate,
    Label,
    Lane,
    OperandKind,
    Region,
    RegisterKind,
    Symbol,
)
from machines.types import I1, Type

_REGISTER = re.compile(r"([a-z]+)(0|[1-9]\d*)\Z")
_HELD = {int: "a whole number", bool: "true", str: "a text", tuple: "a tuple", dict: "a dictionary"}
Names = Callable[[Instruction], Iterable[str]]


def registers_read(instruction: Instruction) -> Iterator[str]:
    """The registers among its operands, guard first."""
    if instruction.guard is not None:
        yield instruction.guard.name
    for operand, value in zip(instruction.operation.reads, instruction.operands, strict=False):
        if isinstance(value, str) and isinstance(operand.kind, RegisterKind | Lane | Type):
            yield value


def registers_written(instruction: Instruction) -> Iterator[str]:
    return iter(instruction.results)


class RegisterFile(NamedTuple):
    """A file as operand kinds call it, and how many registers a machine has of it."""

    name: str
    count: int


@dataclass(frozen=True)
class CodeRules:
    """What the code of a target names, in one form.

    family         of all its operations
    files          the register files by the prefix of their registers' names
    file_of        the name of the file that holds values of a type
    virtual        whether registers may be virtual ones, whose names begin with '%'
    aliases        other prefixes: {'o': 'r'}
    given          registers that hold something when a function begins
    reads, writes  the registers that an instruction reads and writes
    attributes     what attributes of instructions hold, as far as it is known
    names          those of them that hold names of registers
    """

    family: str
    files: Mapping[str, RegisterFile]
    file_of: Callable[[Type], str]
    virtual: bool = False
    aliases: Mapping[str, str] = field(default_factory=dict)
    given: Collection[str] = ()
    reads: Names = registers_read
    writes: Names = registers_written
    attributes: Mapping[str, type] = field(default_factory=dict)
    names: Collection[str] = ()


def code_findings(function: Function, rules: CodeRules) -> list[Diagnostic]:
    """Blocks end as they should and labels are there; operands are as many as the rows declare, of
    their kinds and files; registers are those of the machine, and written before they are read."""
    if not function.blocks:
        return [Diagnostic(f"function '{function.name}' has no block", function.location)]
    checker = _Checker(function, rules)
    checker.check()
    return checker.findings


class _Checker:
    def __init__(self, function: Function, rules: CodeRules):
        self.function, self.rules = function, rules
        self.findings: list[Diagnostic] = []
        rows = operations().family(rules.family).values()
        self.has_terminators = any(row.is_terminator for row in rows)

    def check(self) -> None:
        blocks = list(self.function.blocks.values())
        for block in blocks:
            if self.has_terminators:
                self.terminators(block)
            for instruction in block.instructions:
                self.instruction(instruction)
        if not self.has_terminators:
            self.end(blocks[-1])
        if not self.findings:
            self.definitions()

    def report(
        self, about: Instruction | Block | Function, message: str, hint: str | None = None
    ) -> None:
        if isinstance(about, Instruction):
            message = f"{about.operation}: {message}"
        self.findings.append(Diagnostic(message, about.location, hint=hint))

    # Blocks

    def terminators(self, block: Block) -> None:
        code = block.instructions
        if not code or not code[-1].operation.is_terminator:
            self.report(code[-1] if code else block, f"block '{block.name}' has no terminator")
        for instruction in code[:-1]:
            if instruction.operation.is_terminator:
                hint = "begin a new block behind it"
                self.report(instruction, f"it stands inside block '{block.name}'", hint)

    def end(self, last: Block) -> None:
        code = last.instructions
        if not any(leads_away(instruction) for instruction in code):
            message = f"the function runs on behind its last block, '{last.name}'"
            self.report(code[-1] if code else last, message, "end it with a branch or a return")

    def definitions(self) -> None:
        function, rules = self.function, self.rules
        follow = successors(function)
        found = unwritten_reads(function, follow, rules.reads, rules.writes, rules.given)
        for name, reader in found:
            message = f"'{name}' is read here, and nothing has written it before"
            self.report(reader, message, "write it on a way that leads here")

    # Instructions

    def instruction(self, instruction: Instruction) -> None:
        row = instruction.operation
        if row.family != self.rules.family:
            self.report(instruction, f"it is of family '{row.family}', not '{self.rules.family}'")
            return
        if instruction.is_phi or instruction.otherwise:
            self.report(instruction, "phis and 'else' are of IR in SSA form")
            return
        self.attributes(instruction)
        if instruction.guard is not None:
            self.guard(instruction)
        self.counts(instruction)
        for operand, value in zip(row.writes, instruction.results, strict=False):
            self.operand(instruction, operand.name, operand.kind, value, is_written=True)
        for operand, value in zip(row.reads, instruction.operands, strict=False):
            self.operand(instruction, operand.name, operand.kind, value)
        written = {o.name: v for o, v in zip(row.writes, instruction.results, strict=False)}
        for operand, value in zip(row.reads, instruction.operands, strict=False):
            if operand.is_written and value != written.get(operand.name, value):
                message = f"operand '{operand.name}' is read and written, so it is one register"
                hint = f"'{value}' is read, '{written[operand.name]}' written"
                self.report(instruction, message, hint)

    def counts(self, instruction: Instruction) -> None:
        """As many operands as the row declares; a return of a value has no row of its own."""
        row, result = instruction.operation, self.function.result
        returned = row.control == "return" and not row.reads and result is not None
        for what, operands, given in (
            ("writes", row.writes, instruction.results),
            ("reads", row.reads, instruction.operands),
        ):
            wanted = 1 if returned and what == "reads" else len(operands)
            if len(given) != wanted and not row.calls:
                names = ", ".join(operand.name for operand in operands) or "none"
                message = f"it {what} {wanted} operands, not {len(given)}"
                self.report(instruction, message, f"they are: {names}")

    def attributes(self, instruction: Instruction) -> None:
        for name, value in instruction.attributes.items():
            wanted = self.rules.attributes.get(name)
            if wanted is not None and type(value) is not wanted:
                message = f"attribute '{name}' is {print_value(value)}"
                self.report(instruction, message, f"it holds {_HELD.get(wanted, wanted.__name__)}")
            elif name in self.rules.names:
                for register in (value,) if isinstance(value, str) else value:
                    self.is_register(instruction, f"attribute '{name}'", register)

    def guard(self, instruction: Instruction) -> None:
        row, name = instruction.operation, instruction.guard.name
        if row.is_terminator or "unpredicated" in row.flags:
            self.report(instruction, "it takes no guard")
        wanted = self.rules.file_of(I1)
        if self.is_register(instruction, "guard", name) and self.file(name) != wanted:
            message = f"guard '{name}' is a register of file {self.file(name)}, not {wanted}"
            self.report(instruction, message)

    def operand(
        self,
        instruction: Instruction,
        name: str,
        kind: OperandKind,
        value: Value,
        is_written: bool = False,
    ) -> None:
        meaning = f"operand '{name}'"
        if isinstance(kind, Label | Symbol):
            self.name(instruction, meaning, kind, value)
        elif isinstance(value, str):
            self.register(instruction, meaning, kind, value)
        elif is_written:
            self.report(instruction, f"{meaning}: {value!r} cannot be written")
        else:
            objection = _objection(kind, value)
            if objection:
                self.report(instruction, f"{meaning}: {objection}")

    def name(
        self, instruction: Instruction, meaning: str, kind: Label | Symbol, value: Value
    ) -> None:
        """A block, a function or a buffer."""
        function = self.function
        if isinstance(kind, Symbol):
            what, known = "buffer", {*function.buffers, *(name for name, _ in function.parameters)}
        elif instruction.operation.control == "call":
            what, known = "function", {f"@{name}" for name in function.functions}
        else:
            what, known = "block", set(function.blocks)
        if value not in known:
            hint = nearest(str(value), known)
            self.report(instruction, f"{meaning}: there is no {what} '{value}'", hint)

    def register(
        self, instruction: Instruction, meaning: str, kind: OperandKind, name: str
    ) -> None:
        if not isinstance(kind, RegisterKind | Lane | Type):
            self.report(instruction, f"{meaning}: '{name}' is a register, and this is none")
            return
        if not self.is_register(instruction, meaning, name):
            return
        file, wanted = self.file(name), self.wanted(kind)
        if file != wanted:
            message = f"{meaning}: '{name}' is a register of file {file}, not {wanted}"
            self.report(instruction, message)
        elif not name.startswith("%") and not isinstance(kind, Type):
            objection = kind.objection(int(_REGISTER.match(name)[2]))
            if objection:
                self.report(instruction, f"{meaning}: '{name}' does not fit, {objection}")

    def is_register(self, instruction: Instruction, meaning: str, name: str) -> bool:
        """Whether a name is that of a register which may stand there; reports it if not."""
        rules = self.rules
        if isinstance(name, str) and name.startswith("%"):
            if not rules.virtual:
                hint = "they have been allocated before this form"
                self.report(instruction, f"{meaning}: '{name}' is a virtual register", hint)
                return False
            if name not in self.function.types:
                self.report(instruction, f"{meaning}: register '{name}' has no type")
                return False
            return True
        match = _REGISTER.match(name) if isinstance(name, str) else None
        prefix = match and rules.aliases.get(match[1], match[1])
        if prefix not in rules.files:
            shown = ", ".join(f"{prefix}0" for prefix in rules.files)
            hint = f"registers are called {shown}, …" + (", or %name" if rules.virtual else "")
            self.report(instruction, f"{meaning}: there is no register '{name}'", hint)
            return False
        count = rules.files[prefix].count
        if match[1] == prefix and int(match[2]) >= count:
            message = f"{meaning}: the machine has no '{name}'"
            hint = f"its registers are {prefix}0 to {prefix}{count - 1}"
            self.report(instruction, message, hint)
            return False
        return True

    def file(self, name: str) -> str:
        """The file of a register."""
        if name.startswith("%"):
            return self.rules.file_of(self.function.types[name])
        prefix = _REGISTER.match(name)[1]
        return self.rules.files[self.rules.aliases.get(prefix, prefix)].name

    def wanted(self, kind: RegisterKind | Lane | Type) -> str:
        return self.rules.file_of(kind) if isinstance(kind, Type) else kind.file


def _objection(kind: OperandKind, value: int | float | Interval) -> str | None:
    """What is wrong with a constant as an operand; None: nothing."""
    if isinstance(value, Interval):
        return None if isinstance(kind, Region) else f"{value} is an interval"
    if isinstance(kind, RegisterKind):
        return f"{value} is no register"
    if isinstance(kind, Type):
        fits = kind.is_float == isinstance(value, float) and is_canonical(value, kind)
        return None if fits else f"{value} is no {kind}"
    if isinstance(kind, Lane) and kind.type.startswith("f"):
        return None if isinstance(value, float) else f"{value} is a whole number, not {value}.0"
    if isinstance(value, float):
        return f"{value} is no whole number"
    if isinstance(kind, Immediate):
        return kind.objection(value)
    bits = 1 if kind.type == "pred" else int(kind.type[1:])
    lowest = 0 if kind.type == "pred" else -(1 << (bits - 1))
    return None if lowest <= value < 1 << bits else f"{value} does not fit in {kind.type}"
