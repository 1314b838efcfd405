"""Statements → bundles of instructions not yet decoded, labels, constants and buffers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from compiler.frontends.ia64 import data
from compiler.frontends.ia64.expressions import ExpressionError, evaluate
from compiler.frontends.ia64.registers import Frame, register
from compiler.frontends.ia64.statements import (
    ASSIGNMENT,
    CLOSE,
    DIRECTIVE,
    INSTRUCTION,
    LABEL,
    OPEN,
    STOP,
    Statement,
)
from machines.diagnostics import Diagnostic, Location, diagnostic, nearest
from machines.layout import MOST_BYTES
from machines.program import BUNDLE_BYTES

TEXT_SECTIONS = (".text",)
DATA_SECTIONS = (".data", ".bss", ".rodata", ".sdata", ".sbss")
WITHOUT_EFFECT = (
    ".explicit", ".global", ".globl", ".proc", ".endp", ".type", ".size", ".file", ".ident",
    ".prologue", ".body", ".save", ".fframe", ".vframe", ".restore", ".entry", ".regstk",
)  # fmt: skip
KNOWN = (
    *TEXT_SECTIONS, *DATA_SECTIONS, *WITHOUT_EFFECT, *data.INTEGERS, *data.FLOATS, *data.STRINGS,
    *data.SPACE, ".align", ".section", ".set", ".equ", ".pred.rel",
)  # fmt: skip
EXPLICIT_ONLY = "explicit bundles only: write { .mii … ;; } with three instructions and the stops"
PADDING = ("nop.m 0", "nop.m 0", "nop.i 0")
"""What GNU as fills with up to an alignment, in template MMI."""


@dataclass
class RawInstruction:
    """An instruction as written; `stop` if a stop follows it."""

    text: str
    location: Location
    stop: bool = False


@dataclass
class RawBundle:
    """A bundle as written."""

    template: str
    location: Location
    instructions: list[RawInstruction] = field(default_factory=list)
    exclusive: list[tuple[int, int]] = field(default_factory=list)
    generated: bool = False


@dataclass
class Source:
    """What the statements of a file say; `labels` gives the index of a label's bundle."""

    bundles: list[RawBundle] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)
    constants: dict[str, int] = field(default_factory=dict)
    buffers: list[data.DataBuffer] = field(default_factory=list)
    globals: list[str] = field(default_factory=list)
    findings: list[Diagnostic] = field(default_factory=list)


class _Reader:
    """Takes statement after statement; `bundle` is the open one."""

    def __init__(self, text: str):
        self.text = text
        self.source = Source()
        self.section = ".text"
        self.bundle: RawBundle | None = None
        self.defined: dict[str, Location] = {}
        self.exclusive: list[tuple[int, int]] = []
        self.room = MOST_BYTES  # for data

    def find(self, message: str, location: Location, hint: str | None = None) -> None:
        self.source.findings.append(diagnostic(message, location, source=self.text, hint=hint))

    def take(self, statement: Statement) -> None:
        handlers = {
            OPEN: self.open,
            CLOSE: self.close,
            STOP: self.stop,
            LABEL: self.label,
            DIRECTIVE: self.directive,
            ASSIGNMENT: self.assign,
            INSTRUCTION: self.instruction,
        }
        handlers[statement.kind](statement)

    def open(self, statement: Statement) -> None:
        if self.bundle is not None:
            self.find("a bundle inside a bundle", statement.location, "close it with '}' first")
        if self.section != ".text":
            self.find(
                f"a bundle in section {self.section}", statement.location, "write .text first"
            )
        self.bundle = RawBundle("", statement.location, exclusive=self.exclusive)
        self.exclusive = []

    def close(self, statement: Statement) -> None:
        if self.bundle is None:
            self.find("'}' without '{'", statement.location)
            return
        if not self.bundle.template:
            self.find("a bundle without a template", self.bundle.location, EXPLICIT_ONLY)
        self.source.bundles.append(self.bundle)
        self.bundle = None

    def stop(self, statement: Statement) -> None:
        bundles = self.source.bundles
        bundle = self.bundle or (bundles[-1] if bundles else None)
        if bundle is None or not bundle.instructions:
            self.find("a stop with no instruction before it", statement.location)
            return
        bundle.instructions[-1].stop = True

    def label(self, statement: Statement) -> None:
        name = statement.text
        if name in self.defined:
            self.find(
                f"'{name}' is defined twice",
                statement.location,
                f"first defined at {self.defined[name]}",
            )
            return
        if register(name, Frame()):
            self.find(f"'{name}' is a register and cannot be a label", statement.location)
        self.defined[name] = statement.location
        if self.section != ".text":
            self.source.buffers.append(data.DataBuffer(name, statement.location))
        elif self.bundle is not None and self.bundle.instructions:
            self.find("a label must be first in a bundle", statement.location)
        else:
            self.source.labels[name] = len(self.source.bundles)

    def assign(self, statement: Statement) -> None:
        name, _, text = (part.strip() for part in statement.text.partition("="))
        self._define(name, text, statement.location)

    def _define(self, name: str, text: str, location: Location) -> None:
        if name in self.defined:
            self.find(f"'{name}' is defined twice", location, f"at {self.defined[name]}")
            return
        self.defined[name] = location
        try:
            self.source.constants[name] = evaluate(text, self.source.constants)
        except ExpressionError as error:
            self.find(str(error), location, "names stand for integer constants")

    def instruction(self, statement: Statement) -> None:
        if self.bundle is None:
            self.find("an instruction outside a bundle", statement.location, EXPLICIT_ONLY)
            return
        self.bundle.instructions.append(RawInstruction(statement.text, statement.location))

    def directive(self, statement: Statement) -> None:
        word, *arguments = statement.text.split(maxsplit=1)
        rest = arguments[0] if arguments else ""
        place = statement.location
        if self.bundle is not None:
            if self.bundle.template or self.bundle.instructions:
                self.find(f"'{word}' inside a bundle", place, "a bundle has one template, first")
            self.bundle.template = word
        elif word in TEXT_SECTIONS or word in DATA_SECTIONS:
            self.section = word
        elif word == ".section":
            self._section(rest, place)
        elif word in (".set", ".equ"):
            name, _, text = (part.strip() for part in rest.partition(","))
            self._define(name, text, place)
        elif word == ".pred.rel":
            self._predicate_relation(rest, place)
        elif word == ".align" and self.section == ".text":
            self._align(rest, place)
        elif data.is_data(word):
            self._data(word, rest, place)
        elif word in (".auto", ".default"):
            self.find(f"'{word}' mode is not supported", place, EXPLICIT_ONLY)
        elif word not in WITHOUT_EFFECT:
            self.find(f"unknown directive '{word}'", place, nearest(word, KNOWN))
        if word in (".global", ".globl"):
            self.source.globals += [name.strip() for name in rest.split(",")]

    def _section(self, rest: str, place: Location) -> None:
        name = rest.split(",")[0].strip().strip('"')
        if name in TEXT_SECTIONS or name in DATA_SECTIONS:
            self.section = name
        else:
            self.find(f"unknown section '{name}'", place, nearest(name, DATA_SECTIONS))

    def _data(self, word: str, rest: str, place: Location) -> None:
        if self.section == ".text":
            self.find("data in section .text", place, "write .data first")
        elif self.source.buffers:
            buffer = self.source.buffers[-1]
            before = len(buffer.data)
            try:
                data.append(buffer, word, rest, self.source.constants, self.room)
                self.room -= len(buffer.data) - before
            except ExpressionError as error:
                self.find(str(error), place)
        elif word != data.ALIGN:  # an alignment before the first label has nothing to do
            self.find("data without a label", place, "a label names the buffer: 'table: data8 1'")

    def _align(self, rest: str, place: Location) -> None:
        try:
            alignment = evaluate(rest, self.source.constants)
        except ExpressionError as error:
            self.find(str(error), place)
            return
        if alignment < 1 or alignment & (alignment - 1) or alignment > 1 << 16:
            self.find(f"{alignment} is not a power of two up to 65536", place)
            return
        while len(self.source.bundles) * BUNDLE_BYTES % alignment:
            filler = [RawInstruction(text, place) for text in PADDING]
            self.source.bundles.append(RawBundle(".mmi", place, filler, generated=True))

    def _predicate_relation(self, rest: str, place: Location) -> None:
        kind, *names = (part.strip() for part in rest.split(","))
        if kind.strip('"') != "mutex":
            self.find(f"unknown relation {kind}", place, 'only "mutex" is known')
            return
        numbers = []
        for name in names:
            found = register(name, Frame())
            if not found or found[0] != "pr":
                self.find(f"'{name}' is not a predicate", place)
                return
            numbers.append(found[1])
        self.exclusive += [(a, b) for k, a in enumerate(numbers) for b in numbers[k + 1 :]]


def gather(statements: Iterable[Statement], text: str) -> Source:
    """What the statements say, with the findings so far."""
    reader = _Reader(text)
    for statement in statements:
        reader.take(statement)
    if reader.bundle is not None:
        reader.find("the bundle is not closed", reader.bundle.location, "write '}' after it")
    for name, bundle in reader.source.labels.items():
        if bundle >= len(reader.source.bundles):
            reader.find(f"label '{name}' has no bundle after it", reader.defined[name])
    return reader.source
