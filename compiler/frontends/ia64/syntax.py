"""Matches the text of an instruction against the rows' own syntax and the aliases.

A pattern is `mnemonic piece, piece = [piece]`: punctuation must agree, a piece is a literal word
('ar.lc', '@rev') or a field, whose text must be of the field's kind and in its range.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import cache

from compiler.frontends.ia64.expressions import ExpressionError, evaluate
from compiler.frontends.ia64.names import Scope
from compiler.frontends.ia64.registers import APPLICATION_ALIASES, is_frame_name
from machines.instructions import operations
from machines.instructions.ia64_operands import (
    BRANCH_HINTS,
    FromGlobalPointer,
)
from machines.kinds.epic.program import ADDRESS_BYTES, BUNDLE_BYTES, CODE_BASE
from machines.operations.row import (
    Immediate,
    Label,
    Operand,
    OperandKind,
    Operation,
    RegisterKind,
    Symbol,
)
from machines.vocabulary.numbers import wrap

PUNCTUATION = "=,[]"
FORM, KIND, EXPRESSION, RANGE = range(4)
"""What of a pattern a text does not fit; of several patterns the nearest is reported."""
_PIECE = re.compile(r"\s*([=,\[\]]|(?:\([^()]*\)|[^=,\[\]\s]|\s+(?![=,\[\]\s]|$))+)")
_FIELD = re.compile(r"\{(\w+)\}")
_NAME = re.compile(r"[A-Za-z_.$][\w.$]*\Z")
_NUMBERED = re.compile(r"'\.L(\d+)\$\d+'")
_SYMBOL = re.compile(r"([A-Za-z_.$][\w.$]*)\s*([+-].*)?\Z", re.DOTALL)
_GLOBAL = re.compile(r"@(gprel|ltoffx?)\s*\((.*)\)\Z", re.DOTALL | re.IGNORECASE)
_RELOCATION = re.compile(r"(@\w+(?:\.\w+)?)\s*\(")
_SYSTEM = re.compile(
    r"(?:ar|cr)(?:\.\w+|\d+)\Z|psr(?:\.\w+)?\Z|(?:cpuid|pmc|pmd|rr|pkr|msr|dahr)\b"
)
_INDEXED_SYSTEM = re.compile(r"(?:cpuid|pmc|pmd|rr|pkr|msr|dahr|ibr|dbr|itr|dtr)\Z")
_FAR = 1 << 80
"""Farther than any two places of one section."""
LINKAGE_TABLE = ".linkage_table"
"""The buffer of the addresses that `@ltoff` asks for."""
ADDRESSES = "an address is 'movl r14 = name', 'addl r14 = @gprel(name), gp' or @ltoff"
_FILE_NAMES = {
    "gr": "a general register",
    "fr": "a floating register",
    "pr": "a predicate",
    "br": "a branch register",
}


class Mismatch(ValueError):
    """The text does not fit a pattern; `closeness` tells how near it came (see FORM)."""

    def __init__(self, message: str, closeness: int):
        super().__init__(message)
        self.closeness = closeness


class Unread:
    """An operand that only a linker reads."""


class CodeFromGlobalPointer(Label):
    """`@gprel(label)`, the distance of code from the global pointer."""


@dataclass
class Names:
    """What names mean at an instruction; `symbols` grows as buffers are named.

    linkage    symbols in the linkage table, in order: `@ltoff(name)` is the entry of the name's
    labels     the bundle of each label
    aliases    other names: (the name that one stands for, a distance from it)
    places     where in its section each buffer is: (section, offset)
    consulted  whether a label was looked up
    """

    scope: Scope = field(default_factory=Scope)
    labels: Mapping[str, int] = field(default_factory=dict)
    symbols: list[str] = field(default_factory=list)
    linkage: list[str] = field(default_factory=list)
    aliases: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    places: Mapping[str, tuple[Hashable, int]] = field(default_factory=dict)
    consulted: bool = False

    def get(self, name: str) -> int | None:
        """The value of a name in an expression: a constant, or the address of a label."""
        if name in self.scope.constants:
            return self.scope.constants[name]
        bundle = self.bundle(name)
        return None if bundle is None else CODE_BASE + BUNDLE_BYTES * bundle

    def bundle(self, name: str) -> int | None:
        """The bundle of a label."""
        if name not in self.labels:
            return None
        self.consulted = True
        return self.labels[name]

    def root(self, name: str) -> tuple[str, int]:
        """What a name stands for, through all aliases: a name and a distance from it."""
        distance, seen = 0, set()
        while name in self.aliases and name not in seen:
            seen.add(name)
            name, more = self.aliases[name]
            distance += more
        return name, distance

    def value(self, text: str) -> int:
        """The value of an expression in which distances between data of one section may stand;
        raises ExpressionError."""
        sections: list[Hashable] = []
        value = evaluate(text, _Distances(self, sections))
        if abs(value) >= _FAR // 2:
            raise ExpressionError(f"'{text.strip()}' is not a constant")
        return value

    def symbol(self, name: str) -> int:
        """The index of a buffer's name in the program's symbols."""
        if name not in self.symbols:
            self.symbols.append(name)
        return self.symbols.index(name)


@dataclass(frozen=True)
class _Distances:
    """The values of names where only differences count: sections are far from each other."""

    names: Names
    sections: list[Hashable]

    def get(self, name: str) -> int | None:
        if (found := self.names.get(name)) is not None:
            return found
        name, distance = self.names.root(name)
        if name not in self.names.places:
            return None
        section, offset = self.names.places[name]
        if section not in self.sections:
            self.sections.append(section)
        return _FAR * 3 ** (1 + self.sections.index(section)) + offset + distance


@dataclass(frozen=True)
class Pattern:
    """A form of an instruction and what it stands for.

    pieces    punctuation, literal words and operands (fields), in order
    row       the operation
    values    from the fields' values by name to the row's operand values
    """

    syntax: str
    pieces: tuple[str | Operand, ...]
    row: Operation
    values: Callable[[Mapping[str, int]], list[int]]


def pieces(text: str) -> list[str]:
    """The operands' text cut at punctuation, blanks around pieces removed."""
    return [match.group(1).strip() for match in _PIECE.finditer(text)]


def split_mnemonic(text: str) -> tuple[str, str]:
    """('ld8', 'r14 = [r15]')"""
    mnemonic, _, rest = text.partition(" ")
    return mnemonic, rest


def pattern(syntax: str, fields: Mapping[str, Operand], row: Operation, values) -> Pattern:
    """A pattern from its text with {field}s."""
    parts = tuple(
        fields[field.group(1)] if (field := _FIELD.search(piece)) else piece
        for piece in pieces(split_mnemonic(syntax)[1])
    )
    return Pattern(syntax, parts, row, values)


@cache
def row_patterns() -> dict[str, list[Pattern]]:
    """Patterns of the rows by mnemonic; `{hint}` in a mnemonic stands for each hint."""
    found: dict[str, list[Pattern]] = {}
    for row in operations().family("ia64").values():
        fields = {operand.name: operand for operand in row.operands}
        names = [operand.name for operand in row.operands]
        hints = BRANCH_HINTS if "{hint}" in row.syntax else ("",)
        for code, hint in enumerate(hints):
            syntax = row.syntax.replace("{hint}", hint)

            def values(given, names=names, code=code):
                return [code if name == "hint" else given[name] for name in names]

            mnemonic = split_mnemonic(syntax)[0]
            found.setdefault(mnemonic, []).append(pattern(syntax, fields, row, values))
    return found


def match(text: str, patterns: list[Pattern], names: Names) -> tuple[Operation, list[int]]:
    """The row and its operand values, from the first pattern the text fits; raises Mismatch."""
    given = [APPLICATION_ALIASES.get(piece, piece) for piece in pieces(text)]
    failures = []
    for candidate in patterns:
        try:
            return candidate.row, _fit(given, candidate, names)
        except Mismatch as failure:
            failures.append(failure)
    if indexed := next((text for text in given if _INDEXED_SYSTEM.match(text)), None):
        raise Mismatch(f"'{indexed}' is not modelled", EXPRESSION)
    raise max(failures, key=lambda failure: failure.closeness)


def _fit(given: list[str], candidate: Pattern, names: Names) -> list[int]:
    if len(given) != len(candidate.pieces):
        raise Mismatch("the operands do not have the form of this instruction", FORM)
    values: dict[str, int] = {}
    for text, piece in zip(given, candidate.pieces, strict=True):
        if isinstance(piece, Operand):
            values[piece.name] = _value(text, piece, names)
        elif text != piece and not _is_same(text, piece, names):
            raise Mismatch(f"expected '{piece}' where '{text}' stands", FORM)
    found = candidate.values(values)
    for operand, value in zip(candidate.row.operands, found, strict=True):
        check_range(operand.kind, value)
    return found


def _is_same(text: str, piece: str, names: Names) -> bool:
    """Whether a text is another way to write a literal piece: a constant, or a register's name."""
    if piece.isdigit():
        return _constant(text, names) == int(piece)
    registers = names.scope.registers
    return (found := registers.find(text)) is not None and found == registers.find(piece)


def _constant(text: str, names: Names) -> int | None:
    try:
        return evaluate(text, names)
    except ExpressionError:
        return None


def _value(text: str, operand: Operand, names: Names) -> int:
    kind = operand.kind
    if text in PUNCTUATION:
        raise Mismatch(f"an operand is missing before '{text}'", FORM)
    if isinstance(kind, Unread):
        return 0
    if isinstance(kind, RegisterKind):
        return _register(text, kind, names)
    if names.scope.registers.find(text) is not None:
        raise Mismatch(f"'{text}' is a register", KIND)
    if isinstance(kind, CodeFromGlobalPointer):
        match = _GLOBAL.match(text)
        if not match or match.group(1).lower() != "gprel":
            raise Mismatch(f"'{text}' is not of the form @gprel(label)", FORM)
        return _label(match.group(2).strip(), names)
    if isinstance(kind, Label):
        return _label(text, names)
    if isinstance(kind, FromGlobalPointer):
        return _from_global_pointer(text, names)
    if isinstance(kind, Symbol):
        return names.symbol(_symbol(text, names))
    if relocation := _RELOCATION.search(text):
        raise Mismatch(f"'{relocation.group(1)}' needs a linker; {ADDRESSES}", EXPRESSION)
    if _SYSTEM.match(text) and names.get(text) is None:
        raise Mismatch(f"'{text}' is not modelled", KIND)
    try:
        value = names.value(text)
    except ExpressionError as error:
        raise Mismatch(str(error), EXPRESSION) from None
    if isinstance(kind, Immediate) and kind.signed and 1 << 63 <= value < 1 << 64:
        return wrap(value)
    return value


def _symbol(text: str, names: Names) -> str:
    """A buffer, or a byte in it, as `Program.symbols` has it."""
    symbol = symbol_of(text, names)
    if symbol is None or names.get(symbol.partition("+")[0]) is not None:
        raise Mismatch(f"'{text}' is not the name of a buffer", KIND)
    return symbol


def symbol_of(text: str, names: Names) -> str | None:
    """'table' or 'table + 2 * 8' as a symbol, 'table+16'; None if it is no such thing."""
    match = _SYMBOL.match(text.strip())
    if not match:
        return None
    try:
        distance = evaluate("0" + match.group(2), names) if match.group(2) else 0
    except ExpressionError:
        return None
    name, more = names.root(match.group(1))
    if abs(distance + more) >= CODE_BASE // 2:  # from data to code
        return None
    return at_distance(name, distance + more)


def _from_global_pointer(text: str, names: Names) -> int:
    """`@gprel(x)`: the symbol x; `@ltoff(x)`: the entry of x's address in the linkage table."""
    match = _GLOBAL.match(text)
    if not match:
        raise Mismatch(f"'{text}' is not of the form @gprel(name) or @ltoff(name)", FORM)
    kind, inside = match.group(1).lower(), match.group(2).strip()
    if relocation := _RELOCATION.search(inside):
        raise Mismatch(f"'{relocation.group(1)}' needs a linker; {ADDRESSES}", EXPRESSION)
    if kind == "gprel":
        if names.get(_SYMBOL.sub(r"\1", inside)) is not None:
            raise Mismatch(f"'{inside}' is code, and out of reach of gp: movl takes it", RANGE)
        return names.symbol(_symbol(inside, names))
    symbol = symbol_of(inside, names)
    if symbol is None:
        raise Mismatch(f"'{inside}' is not a name", EXPRESSION)
    if symbol not in names.linkage:
        names.linkage.append(symbol)
    return names.symbol(at_distance(LINKAGE_TABLE, ADDRESS_BYTES * names.linkage.index(symbol)))


def at_distance(name: str, distance: int) -> str:
    """A symbol: a name and a distance, if there is one."""
    return f"{name}+{distance}" if distance else name


def _register(text: str, kind: RegisterKind, names: Names) -> int:
    found = names.scope.registers.find(text)
    if found is None and _SYSTEM.match(text):
        raise Mismatch(f"'{text}' is not modelled", EXPRESSION)
    if found is None and is_frame_name(text):
        raise Mismatch(f"'{text}' is not in the frame that the last alloc made", RANGE)
    if found is None or found[0] != kind.name:
        raise Mismatch(f"'{text}' is not {_FILE_NAMES[kind.name]}", KIND)
    if problem := kind.objection(found[1]):
        raise Mismatch(f"'{text}' does not fit: {problem}", RANGE)
    return found[1]


def _label(text: str, names: Names) -> int:
    """The bundle of a label, or of a label and a distance in bytes."""
    if (bundle := names.bundle(text)) is not None:
        return bundle
    try:
        address = evaluate(text, names)
    except ExpressionError:
        address = -1
    if address < CODE_BASE or address % BUNDLE_BYTES:
        shown = _NUMBERED.sub(r"\1 (in that direction)", f"'{text}'")
        raise Mismatch(f"there is no label {shown}", RANGE if _NAME.match(text) else KIND)
    return (address - CODE_BASE) // BUNDLE_BYTES


def check_range(kind: OperandKind, value: int) -> None:
    """Raises Mismatch if an immediate or the number of a register does not fit its field."""
    if isinstance(kind, Immediate | RegisterKind) and (problem := kind.objection(value)):
        raise Mismatch(problem, RANGE)
