"""Reads statements: what stands in which section, in which braces, under which names.

The outcome is a `Source`.  What a plain name means at an instruction is its `scope`; names that
stand for something else are replaced (see `names`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from itertools import takewhile

from compiler.frontends.ia64 import data, directives
from compiler.frontends.ia64.expressions import ExpressionError
from compiler.frontends.ia64.names import NAMES_HINT, Scope, numbered_label
from compiler.frontends.ia64.source import Align, Flush, Instruction, Item, Label, Source, Space
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
from machines.diagnostics import Diagnostic, Location, nearest
from machines.kinds.epic.program import BUNDLE_BYTES, Relation
from machines.layout import BLOCK_ALIGNMENT, WRITTEN_BYTES

_ALLOC = re.compile(r"(?:\([^)]*\)\s*)?alloc\s[^=]*=(.*)", re.IGNORECASE)
_SECTION = re.compile(r'\s*("[^"]*"|[^\s,"]+)\s*(?:,\s*(\d+)\s*)?(?:,\s*("[^"]*"|#\w+).*)?')
_SYMBOL = re.compile(r"([A-Za-z_.$][\w.$]*)\s*([+-].*)?", re.DOTALL)
_ATTRIBUTES = {"#alloc": "a", "#write": "w", "#execinstr": "x", "#tls": "T"}
_RELATION = re.compile(r'\.pred\.rel(?:\.(\w+))?\s*(?:"@?(\w+)"|@(\w+))?\s*,?\s*(.*)', re.DOTALL)
RELATIONS = ("mutex", "imply", "clear")
MOST_ALIGNMENT = 1 << 16


Section = tuple[str, int]
"""A name and the number of a subsection."""


class _Reader:
    """Takes statement after statement.

    kinds    'text', 'data' or 'ignored' of sections by name, as their first directive says
    texts    what stands in each text section; `buffers`: what grows in each data section
    """

    def __init__(self) -> None:
        self.source = Source()
        self.statement: Statement | None = None
        self.sections: list[Section] = [(".text", 0)]
        self.previous = self.sections[0]
        self.kinds = {".text": "text"}
        self.texts: dict[Section, list[Item]] = {self.previous: []}
        self.buffers: dict[Section, data.DataBuffer] = {}
        self.told: set[Section] = set()  # of which was said that they take no instruction
        self.scope = Scope()
        self.braces: Statement | None = None  # the '{' that is open
        self.opens = False  # … and no instruction has followed it
        self.template: Statement | None = None
        self.last: Instruction | None = None
        self.relations: list[Relation] = []
        self.table: data.DataBuffer | None = None  # that data in .text belongs to
        self.room = WRITTEN_BYTES  # for data

    @property
    def section(self) -> str:
        """'text', 'data' or 'ignored'."""
        return self.kinds[self.sections[-1][0]]

    @property
    def items(self) -> list[Item]:
        """What stands in the text section so far."""
        return self.texts.setdefault(self.sections[-1], [])

    def all_items(self) -> list[Item]:
        """One text section behind the other, in the order in which they first appear."""
        names = list(dict.fromkeys(name for name, _ in self.texts))
        order = sorted(self.texts, key=lambda section: (names.index(section[0]), section[1]))
        return [item for section in order for item in (*self.texts[section], Flush())]

    def find(self, message: str, hint: str | None = None, at: Location | None = None) -> None:
        statement = self.statement
        location = at or statement.location
        self.source.findings.append(Diagnostic(message, location, statement.written, hint))

    def take(self, statement: Statement) -> None:
        self.statement = statement
        if self.section == "ignored" and statement.kind != DIRECTIVE:
            name = self.sections[-1][0]
            if statement.kind == INSTRUCTION and directives.is_unknown(name):
                self._refuse_instruction(f"section '{name}', which has no flags and is not loaded")
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
            self._refuse_instruction(f"section {self.sections[-1][0]}")
            return
        if match := _ALLOC.match(text):  # its result has a name of the frame that it makes
            with suppress(ExpressionError):  # what is wrong with it the decoder says
                self.scope = self.scope.with_frame(match.group(1).split(",")[-4:])
        location, written = self.statement.location, self.statement.written
        self.last = Instruction(
            self._resolved(text),
            location,
            written,
            self.scope,
            opens=self.opens,
            template=self.template.text if self.template else None,
            relations=self.relations,
        )
        self.opens, self.template, self.relations = False, None, []
        self.items.append(self.last)
        self.table = None

    def _refuse_instruction(self, where: str) -> None:
        """One message a section: what follows there is of the same kind."""
        if self.sections[-1] not in self.told:
            self.told.add(self.sections[-1])
            hint = 'write .text first, or flags: .section NAME, "ax"'
            self.find(f"an instruction in {where}", hint)

    def _resolved(self, text: str) -> str:
        try:
            return self.scope.resolved(text)
        except ExpressionError as error:
            self.find(str(error))
            return text

    # Labels and names

    def label(self, name: str) -> None:
        if self._stands_here(name):
            return
        name = self._name(name)
        if self.section == "data":
            self._begin_buffer(name)
        elif self.braces and not self.opens:
            self.find("a label must be first in a bundle")
        else:
            self.items.append(Label(name, self.statement.location))
            self.table = None

    def _stands_here(self, name: str) -> bool:
        """Whether a label is there already, and nothing since: as takes it twice."""
        if name not in self.source.defined:
            return False
        if self.section == "data":
            last = self.buffers.get(self.sections[-1])
            found = [b for b in self.source.buffers if b.name == name and last is not None]
            return any(last.following("").place == buffer.place for buffer in found)
        here = takewhile(lambda item: type(item) in (Label, Flush), reversed(self.items))
        return any(isinstance(item, Label) and item.name == name for item in here)

    def tag(self, name: str) -> None:
        self.items.append(Label(self._name(name), self.statement.location, tag=True))

    def _name(self, name: str) -> str:
        """The name of a label, which is defined here."""
        if name.isdigit():
            self.scope = self.scope.with_label(name)
            name = numbered_label(name, self.scope.numbered[name])
        self._define(name)
        return name

    def _define(self, name: str) -> None:
        if name in self.source.defined:
            self.find(f"'{name}' is defined twice", f"at {self.source.defined[name]}")
        elif self.scope.registers.find(name):
            self.find(f"'{name}' is a register and cannot be a name")
        self.source.defined[name] = self.statement.location

    def assign(self, text: str) -> None:
        name, _, expression = (part.strip() for part in text.partition("="))
        self._assign(name, expression)

    def _assign(self, name: str, text: str) -> None:
        known = (self.scope.constants, self.scope.registers.equal, self.source.aliases)
        if not any(name in names for names in known):
            self._define(name)
        if name not in self.scope.constants and (found := self._symbol(text)):
            self.source.aliases[name] = (*found, self.statement)
            return
        self._change(lambda: self.scope.with_name(name, text), NAMES_HINT)

    def _symbol(self, text: str) -> tuple[str, int] | None:
        """A name that is neither constant nor register, and a distance from it."""
        match = _SYMBOL.fullmatch(self._resolved(text))
        if not match or self.scope.registers.find(match.group(1)):
            return None
        if match.group(1) in self.scope.constants:
            return None
        try:
            return match.group(1), self.scope.value("0" + (match.group(2) or ""))
        except ExpressionError:
            return None

    def _change(self, make: Callable[[], Scope], hint: str | None = None) -> None:
        """A new scope, unless an expression in it is wrong."""
        try:
            self.scope = make()
        except ExpressionError as error:
            self.find(str(error), hint)

    def _value(self, text: str) -> int | None:
        try:
            return self.scope.value(text)
        except ExpressionError as error:
            self.find(str(error))
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
            self._change(lambda: self.scope.with_rotating(name[-1], rest))
        elif name == ".regstk":
            self._change(
                lambda: self.scope.with_frame(rest.split(",")), ".regstk in, loc, out, rot"
            )
        elif data.is_data(name):
            (self._space if self.section == "text" else self._data)(name, rest)
        elif name in data.COMMON:
            self._common(name, rest)
        elif name in (".global", ".globl"):
            names = [part.strip().removesuffix("#") for part in rest.split(",")]
            self.source.globals += names
            self.source.declared.update(names)
        elif name == ".type" and rest.endswith("@function"):
            self.source.declared.add(rest.partition(",")[0].strip().removesuffix("#"))
        elif name in directives.FLUSHING:
            self.items.append(Flush())
        elif name in directives.AUTOMATIC:
            self.find(f"'{word}' mode is not supported", directives.AUTOMATIC_HINT)
        elif name in directives.MACROS:
            self.find(f"'{word}' is not expanded", directives.MACROS_HINT)
        elif name not in directives.WITHOUT_EFFECT:
            self.find(f"unknown directive '{word}'", nearest(word, KNOWN))

    def _template(self, name: str) -> None:
        if self.template or (self.braces and not self.opens):
            self.find(f"'{name}' inside a bundle", "a bundle has one template, first")
        self.template = replace(self.statement, text=name)

    def _section(self, word: str, rest: str) -> bool:
        """Whether the directive chooses a section."""
        if word in directives.SECTION_DIRECTIVES:
            found = self._named_section(word, rest)
        elif word == ".popsection" and len(self.sections) > 1:
            self.items.append(Flush())
            self.sections.pop()
            found = self.sections[-1]
        elif word == ".previous":
            found = self.previous
        else:
            return False
        self.items.append(Flush())
        if word == ".pushsection":
            self.sections.append(found)
        else:
            self.previous, self.sections[-1] = self.sections[-1], found
        self.items.append(Flush())
        return True

    def _named_section(self, word: str, rest: str) -> Section:
        """The section that a directive names; of one that cannot be, all that stands in it is
        passed over, so that its own finding is the only one."""
        if word == ".subsection":
            return self.sections[-1][0], self._value(rest) or 0
        if word in directives.SHORT:
            self.kinds.setdefault(word, directives.section_kind(word, None))
            return word, (self._value(rest) or 0) if rest else 0
        match = _SECTION.fullmatch(rest)
        name = match.group(1).strip('"') if match else rest
        section = name, int(match.group(2) or 0) if match else 0
        flags = match.group(3) if match else None
        if flags and flags.startswith("#"):
            flags = "".join(_ATTRIBUTES.get(part.strip(), "") for part in rest.split(",")[1:])
        if match and flags is None and name in self.kinds:
            return section
        try:
            if not match:
                raise ValueError(f"'{rest}' is no name of a section, flags and a type")
            self.kinds[name] = directives.section_kind(name, flags and flags.strip('"'))
        except ValueError as error:
            self.find(str(error), '.section NAME, "ax", @progbits')
            self.kinds[name] = "ignored"
            self.told.add(section)
        return section

    def _begin_buffer(self, name: str) -> None:
        section = self.sections[-1]
        before = self.buffers.get(section) or data.DataBuffer("", section=section)
        made = self.buffers[section] = before.following(name)
        self.source.buffers.append(made)

    def _data(self, word: str, rest: str) -> None:
        section = self.sections[-1]
        if section not in self.buffers:
            if word != data.ALIGN and directives.is_common(section[0]):
                self.find("data without a label", "a label names the buffer: 'table: data8 1'")
                return
            self.buffers[section] = data.DataBuffer("", section=section)  # no name can reach it
        self._append(self.buffers[section], word, rest)

    def _append(self, buffer: data.DataBuffer, word: str, rest: str) -> None:
        before = len(buffer.data)
        try:
            rest = self.scope.resolved(rest) if word not in data.STRINGS else rest
            data.append(buffer, word, rest, self.scope.constants, self.room, self.statement)
            self.room -= len(buffer.data) - before
        except ExpressionError as error:
            self.find(str(error))

    def _common(self, word: str, text: str) -> None:
        """`.comm name, size`: zeros, in whatever section."""
        name, _, rest = (part.strip() for part in text.partition(","))
        size, _, alignment = (part.strip() for part in rest.partition(","))
        if word == ".lcomm" and not alignment:
            self.find(f"'{word}' takes a size and an alignment", f"{word} {text.strip()}, 8")
        self._define(name)
        section = (".bss", 0) if word == ".lcomm" else (data.COMMON_SECTION, 0)
        before = self.buffers.get(section) or data.DataBuffer("", section=section)
        self._append(before, data.ALIGN, alignment or str(BLOCK_ALIGNMENT))
        made = self.buffers[section] = before.following(name)
        self.source.buffers.append(made)
        self._append(made, data.SPACE[0], size)

    def _space(self, word: str, rest: str) -> None:
        """Alignment and zeros between instructions, and tables there, which are buffers."""
        if word != data.ALIGN and (word not in data.SPACE or self.table):
            self._table(word, rest)
            return
        value = self._value(rest.split(",")[0])
        if value is None:
            return
        if word == data.ALIGN:
            if value < 1 or value & (value - 1) or value > MOST_ALIGNMENT:
                self.find(f"{value} is not a power of two up to {MOST_ALIGNMENT}")
            else:
                self.items.append(Align(value))
        elif value % BUNDLE_BYTES or not 0 <= value <= MOST_ALIGNMENT:
            self.find(f"{value} bytes between instructions", f"a multiple of {BUNDLE_BYTES}")
        else:
            self.items.append(Space(value // BUNDLE_BYTES))

    def _table(self, word: str, rest: str) -> None:
        """Data in .text: of the buffer that the label before it names; of no use without one."""
        items = self.items
        if items and isinstance(items[-1], Label):
            self.table = data.DataBuffer(items.pop().name, aligned=BUNDLE_BYTES)
            self.source.buffers.append(self.table)
        if self.table:
            self._append(self.table, word, rest)

    def _relation(self, text: str) -> None:
        match = _RELATION.fullmatch(text)
        kind = next((group for group in match.groups()[:3] if group), "") if match else ""
        if kind not in RELATIONS:
            self.find(f"unknown relation '{kind}'", f"one of {', '.join(RELATIONS)}")
            return
        numbers = []
        for name in match.group(4).split(",") if match.group(4).strip() else []:
            found = self.scope.registers.find(self._resolved(name.strip()))
            if not found or found[0] != "pr":
                self.find(f"'{name.strip()}' is not a predicate")
                return
            numbers.append(found[1])
        self.relations = [*self.relations, Relation(kind, tuple(numbers))]


KNOWN = (
    *directives.SHORT, *directives.SECTION_DIRECTIVES, *directives.WITHOUT_EFFECT,
    *directives.FLUSHING, *data.INTEGERS, *data.FLOATS, *data.STRINGS, *data.SPACE, data.ALIGN,
    *data.COMMON,
    ".previous", ".popsection", ".set", ".equ", ".equiv", ".pred.rel",
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
    reader.source.items = reader.all_items()
    reader.source.constants = reader.scope.constants
    return reader.source
