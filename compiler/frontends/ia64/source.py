"""Statements → a stream of instructions not yet decoded and of what stands between them, buffers.

    1: { ld8 a[0] = [r14], 8     Label('.L1$1'), Instruction('ld8 r32 = [r14], 8', opens, stop),
       ;; add r8 = 1, r8 }       Instruction('add r8 = 1, r8', closes)
       .align 32                 Align(32)

Names that stand for something else (rotating registers, numbered labels, `name#`) are replaced
here; what a plain name means at an instruction is its `scope`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from compiler.frontends.ia64 import data, directives
from compiler.frontends.ia64.expressions import ExpressionError, evaluate
from compiler.frontends.ia64.registers import ROTATING, Frame, RegisterNames
from compiler.frontends.ia64.statements import (
    ASSIGNMENT,
    CLOSE,
    DIRECTIVE,
    INSTRUCTION,
    LABEL,
    OPEN,
    STOP,
    TAG,
    Statement,
)
from compiler.targets.epic.groups import Relation
from machines.diagnostics import Diagnostic, Location, nearest
from machines.layout import MOST_BYTES
from machines.program import BUNDLE_BYTES

_NUMBERED_LABEL = re.compile(r"(?<![\w.$])(\d+)([bf])(?![\w.$])")
_MARKED_NAME = re.compile(r"([A-Za-z_.$][\w.$]*)#")
_INDEXED = re.compile(r"(?<![\w.$])([A-Za-z_.$][\w.$]*)\s*\[([^\[\]]+)\]")
_ALLOC = re.compile(r"(?:\([^)]*\)\s*)?alloc\s[^=]*=(.*)", re.IGNORECASE)
_ROTATING_NAME = re.compile(r"\s*([A-Za-z_.$][\w.$]*)\s*\[([^\]]+)\]\s*")
_RELATION = re.compile(r'\.pred\.rel(?:\.(\w+))?\s*(?:"@?(\w+)"|@(\w+))?\s*,?\s*(.*)', re.DOTALL)
RELATIONS = ("mutex", "imply", "clear")
MOST_ALIGNMENT = 1 << 16


@dataclass(frozen=True)
class Scope:
    """What names mean at an instruction: constants and registers."""

    constants: Mapping[str, int] = field(default_factory=dict)
    registers: RegisterNames = RegisterNames()


@dataclass
class Instruction:
    """An instruction as written.

    stop       a stop follows it
    opens      '{' stands before it, `closes`: '}' after it
    template   the template that a directive names before it ('.mii')
    relations  what `.pred.rel` says of predicates from here on
    """

    text: str
    location: Location
    written: str
    scope: Scope
    stop: bool = False
    opens: bool = False
    closes: bool = False
    template: str | None = None
    relations: list[Relation] = field(default_factory=list)


@dataclass(frozen=True)
class Label:
    """A label; a `tag` names the bundle of the next instruction, wherever that stands in it."""

    name: str
    location: Location
    tag: bool = False


@dataclass(frozen=True)
class Flush:
    """A new bundle and a new group begin."""


@dataclass(frozen=True)
class Align(Flush):
    """Nops up to a multiple of `bytes`."""

    bytes: int


@dataclass(frozen=True)
class Space(Flush):
    """Bundles of zeros."""

    bundles: int


Item = Instruction | Label | Flush


@dataclass
class Source:
    """What the statements of a file say."""

    items: list[Item] = field(default_factory=list)
    buffers: list[data.DataBuffer] = field(default_factory=list)
    globals: list[str] = field(default_factory=list)
    defined: dict[str, Location] = field(default_factory=dict)
    findings: list[Diagnostic] = field(default_factory=list)

    @property
    def instructions(self) -> list[Instruction]:
        return [item for item in self.items if isinstance(item, Instruction)]


class _Reader:
    """Takes statement after statement."""

    def __init__(self) -> None:
        self.source = Source()
        self.statement: Statement | None = None
        self.sections = [".text"]
        self.scope = Scope()
        self.braces: Statement | None = None  # the '{' that is open
        self.opens = False  # … and no instruction has followed it
        self.template: Statement | None = None
        self.last: Instruction | None = None
        self.relations: list[Relation] = []
        self.numbered: dict[str, int] = {}
        self.room = MOST_BYTES  # for data

    @property
    def section(self) -> str | None:
        """'text', 'data' or 'ignored'."""
        return directives.section_kind(self.sections[-1])

    def find(self, message: str, hint: str | None = None, at: Location | None = None) -> None:
        statement = self.statement
        place = at or statement.location
        self.source.findings.append(Diagnostic(message, place, statement.written, hint))

    def take(self, statement: Statement) -> None:
        self.statement = statement
        if self.section == "ignored" and statement.kind != DIRECTIVE:
            return
        handlers: dict[str, Callable[[str], None]] = {
            OPEN: self.open,
            CLOSE: self.close,
            STOP: self.stop,
            LABEL: self.label,
            TAG: self.tag,
            DIRECTIVE: self.directive,
            ASSIGNMENT: self.assign,
            INSTRUCTION: self.instruction,
        }
        handlers[statement.kind](statement.text)

    # Bundles and instructions

    def open(self, _: str) -> None:
        if self.braces:
            self.find("a bundle inside a bundle", "close it with '}' first")
        self.braces, self.opens = self.statement, True

    def close(self, _: str) -> None:
        if not self.braces:
            self.find("'}' without '{'")
        elif self.opens:
            self.find("the bundle has no instruction", "write a nop", self.braces.location)
        elif self.last:
            self.last.closes = True
        self.braces, self.opens, self.template = None, False, None

    def stop(self, _: str) -> None:
        if self.last:
            self.last.stop = True

    def instruction(self, text: str) -> None:
        if self.section != "text":
            self.find(f"an instruction in section {self.sections[-1]}", "write .text first")
            return
        place, written = self.statement.location, self.statement.written
        self.last = Instruction(
            self._resolved(text),
            place,
            written,
            self.scope,
            opens=self.opens,
            template=self.template.text if self.template else None,
            relations=self.relations,
        )
        self.opens, self.template, self.relations = False, None, []
        self.source.items.append(self.last)
        if match := _ALLOC.match(self.last.text):
            self._frame(match.group(1).split(",")[-4:])

    def _resolved(self, text: str) -> str:
        """The text with indexed rotating names, numbered labels and marked names replaced."""
        text = _MARKED_NAME.sub(r"\1", text)
        if self.scope.registers.rotating:
            text = _INDEXED.sub(self._rotating, text)
        return _NUMBERED_LABEL.sub(self._numbered, text)

    def _rotating(self, match: re.Match) -> str:
        found = self.scope.registers.rotating.get(match.group(1))
        if found is None:
            return match.group()
        letter, first, count = found
        index = self._value(match.group(2))
        if index is not None and not 0 <= index < count:
            self.find(f"there is no {match.group(1)}[{index}]", f"it has {count} registers")
            index = None
        return f"{letter}{first + (index or 0)}"

    def _numbered(self, match: re.Match) -> str:
        number, direction = match.groups()
        return _label_of(number, self.numbered.get(number, 0) + (direction == "f"))

    def _frame(self, parts: list[str]) -> None:
        """The frame that four expressions make; what is wrong with them the decoder says."""
        try:
            sizes = [evaluate(part, self.scope.constants) for part in parts]
        except ExpressionError:
            return
        if len(sizes) == 4:
            registers = replace(self.scope.registers, frame=Frame(*sizes))
            self.scope = replace(self.scope, registers=registers)

    # Labels and names

    def label(self, name: str) -> None:
        if name.isdigit():
            self.numbered[name] = self.numbered.get(name, 0) + 1
            name = _label_of(name, self.numbered[name])
        if not self._defines(name):
            return
        if self.section == "data":
            self.source.buffers.append(data.DataBuffer(name, self.statement.location))
        elif self.braces and not self.opens:
            self.find("a label must be first in a bundle")
        else:
            self.source.items.append(Label(name, self.statement.location))

    def tag(self, name: str) -> None:
        if name.isdigit():
            self.numbered[name] = self.numbered.get(name, 0) + 1
            name = _label_of(name, self.numbered[name])
        if self._defines(name):
            self.source.items.append(Label(name, self.statement.location, tag=True))

    def _defines(self, name: str) -> bool:
        place = self.statement.location
        if name in self.source.defined:
            self.find(f"'{name}' is defined twice", f"at {self.source.defined[name]}")
            return False
        if self.scope.registers.find(name):
            self.find(f"'{name}' is a register and cannot be a name")
        self.source.defined[name] = place
        return True

    def assign(self, text: str) -> None:
        name, _, expression = (part.strip() for part in text.partition("="))
        self._assign(name, expression)

    def _assign(self, name: str, text: str) -> None:
        registers, constants = self.scope.registers, self.scope.constants
        known = name in constants or name in registers.equal
        if not known and not self._defines(name):
            return
        register = registers.find(text)
        constants = {k: v for k, v in constants.items() if k != name}
        equal = {k: v for k, v in registers.equal.items() if k != name}
        if register:
            equal[name] = register
        elif (value := self._value(text, "names stand for integers or registers")) is not None:
            constants[name] = value
        self.scope = Scope(constants, replace(registers, equal=equal))

    def _value(self, text: str, hint: str | None = None) -> int | None:
        try:
            return evaluate(text, self.scope.constants)
        except ExpressionError as error:
            self.find(str(error), hint)
            return None

    # Directives

    def directive(self, text: str) -> None:
        word, *arguments = text.split(maxsplit=1)
        rest, name = arguments[0] if arguments else "", word.lower()
        if self._section(name, rest) or self.section == "ignored":
            return
        if len(name) == 4 and not set(name[1:]) - set("mibfxl"):
            self._template(name)
        elif name in (".set", ".equ", ".equiv"):
            left, _, right = (part.strip() for part in rest.partition(","))
            self._assign(left, right)
        elif name.startswith(".pred.rel"):
            self._relation(text)
        elif name in (".rotr", ".rotf", ".rotp"):
            self._rotates(name[-1], rest)
        elif name == ".regstk":
            self._frame(rest.split(","))
        elif data.is_data(name):
            (self._space if self.section == "text" else self._data)(name, rest)
        elif name in (".global", ".globl"):
            self.source.globals += [part.strip().removesuffix("#") for part in rest.split(",")]
        elif name in directives.FLUSHING:
            self.source.items.append(Flush())
        elif name in directives.AUTOMATIC:
            self.find(f"'{word}' mode is not supported", directives.AUTOMATIC_HINT)
        elif name not in directives.WITHOUT_EFFECT:
            self.find(f"unknown directive '{word}'", nearest(word, KNOWN))

    def _template(self, name: str) -> None:
        if self.template or (self.braces and not self.opens):
            self.find(f"'{name}' inside a bundle", "a bundle has one template, first")
        self.template = replace(self.statement, text=name)

    def _section(self, word: str, rest: str) -> bool:
        """Whether the directive chooses a section."""
        name = rest.split(",")[0].strip().strip('"')
        stack = self.sections
        if word in (".text", ".data", ".bss", ".rodata", ".sdata", ".sbss"):
            stack[-1:] = [word]
        elif word in (".section", ".pushsection"):
            if directives.section_kind(name) is None:
                known = (*directives.TEXT_SECTIONS, *directives.DATA_SECTIONS)
                self.find(f"unknown section '{name}'", nearest(name, known))
                return True
            if word == ".section":
                self.previous, stack[-1] = stack[-1], name
            else:
                stack.append(name)
        elif word == ".popsection" and len(stack) > 1:
            stack.pop()
        elif word == ".previous":
            stack[-1], self.previous = getattr(self, "previous", ".text"), stack[-1]
        else:
            return False
        self.source.items.append(Flush())
        return True

    def _data(self, word: str, rest: str) -> None:
        buffers = self.source.buffers
        if not buffers:
            if word != data.ALIGN:  # an alignment before the first label has nothing to do
                self.find("data without a label", "a label names the buffer: 'table: data8 1'")
            return
        before = len(buffers[-1].data)
        try:
            data.append(buffers[-1], word, rest, self.scope.constants, self.room)
            self.room -= len(buffers[-1].data) - before
        except ExpressionError as error:
            self.find(str(error))

    def _space(self, word: str, rest: str) -> None:
        """Alignment and zeros between instructions."""
        if word != data.ALIGN and word not in data.SPACE:
            self.find("data in section .text", "write .data first")
            return
        value = self._value(rest.split(",")[0])
        if value is None:
            return
        if word == data.ALIGN:
            if value < 1 or value & (value - 1) or value > MOST_ALIGNMENT:
                self.find(f"{value} is not a power of two up to {MOST_ALIGNMENT}")
            else:
                self.source.items.append(Align(value))
        elif value % BUNDLE_BYTES or not 0 <= value <= MOST_ALIGNMENT:
            self.find(f"{value} bytes between instructions", f"a multiple of {BUNDLE_BYTES}")
        else:
            self.source.items.append(Space(value // BUNDLE_BYTES))

    def _relation(self, text: str) -> None:
        match = _RELATION.fullmatch(text)
        kind = next((group for group in match.groups()[:3] if group), "") if match else ""
        if kind not in RELATIONS:
            self.find(f"unknown relation '{kind}'", f'one of {", ".join(RELATIONS)}')
            return
        numbers = []
        for name in match.group(4).split(",") if match.group(4).strip() else []:
            found = self.scope.registers.find(self._resolved(name.strip()))
            if not found or found[0] != "pr":
                self.find(f"'{name.strip()}' is not a predicate")
                return
            numbers.append(found[1])
        self.relations = [*self.relations, Relation(kind, tuple(numbers))]

    def _rotates(self, letter: str, rest: str) -> None:
        """The names of a rotating file; they replace those of an earlier directive."""
        old = self.scope.registers
        rotating = {n: given for n, given in old.rotating.items() if given[0] != letter}
        first, most = ROTATING[letter]
        most = min(most, old.frame.rotating) if letter == "r" else most
        used = 0
        for part in rest.split(","):
            match = _ROTATING_NAME.fullmatch(part)
            count = self._value(match.group(2)) if match else None
            if not match or count is None or count < 1:
                self.find(f"'{part.strip()}' names no rotating registers", "write name[count]")
                return
            rotating[match.group(1)] = (letter, first + used, count)
            used += count
        if used > most:
            hint = "alloc says how many general registers rotate" if letter == "r" else None
            self.find(f"{used} registers of {most} that rotate", hint)
            return
        self.scope = replace(self.scope, registers=replace(old, rotating=rotating))


def _label_of(number: str, instance: int) -> str:
    """The name of the n-th label of a number; like all that begin with .L it is not shown."""
    return f".L{number}${instance}"


KNOWN = (
    *directives.TEXT_SECTIONS, *directives.DATA_SECTIONS, *directives.WITHOUT_EFFECT,
    *directives.FLUSHING, *data.INTEGERS, *data.FLOATS, *data.STRINGS, *data.SPACE, data.ALIGN,
    ".section", ".previous", ".pushsection", ".popsection", ".set", ".equ", ".equiv", ".pred.rel",
    ".rotr", ".rotf", ".rotp", ".regstk", ".global", ".globl",
)  # fmt: skip


def gather(statements: Iterable[Statement]) -> Source:
    """What the statements say, with the findings so far."""
    reader = _Reader()
    for statement in statements:
        reader.take(statement)
    if reader.braces:
        reader.statement = reader.braces
        reader.find("the bundle is not closed", "write '}' after it")
    return reader.source
