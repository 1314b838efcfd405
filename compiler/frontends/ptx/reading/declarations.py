"""Reads declarations of variables and registers.

.shared .align 4 .b8 tile[4224];   ->   Variable('shared', b8, 'tile', alignment 4, count 4224)
.reg .b32 %r<57>;                  ->   Variable('reg', b32, '%r', many 57)
"""

from __future__ import annotations

from math import prod
from typing import NamedTuple

from compiler.frontends.ptx.findings import Refused, unsupported
from compiler.frontends.ptx.reading.cursor import Cursor
from compiler.frontends.ptx.reading.lexer import NUMBER, WORD
from compiler.frontends.ptx.reading.tree import Constant, Name, Variable
from compiler.frontends.ptx.types import IN_BITS, OTHER_TYPES, TYPES, WIDE, PtxType
from machines.diagnostics import nearest

SPACES = {f".{name}": name for name in ("reg", "global", "const", "shared", "local", "param")}
LINKAGES = (".visible", ".extern", ".weak", ".common")
_OPAQUE = (".texref", ".surfref", ".samplerref")
SHARED_ALIGNMENT = 16
"""Of what a pointer into shared memory points at, if it does not say."""
MOST_REGISTERS = 1 << 24
MOST_ELEMENTS = 1 << 32


def variables(cursor: Cursor) -> list[Variable]:
    """`.space … name, name = …;` with its linkage words before it."""
    external = False
    while cursor.at(*LINKAGES):
        external = cursor.take().text in (".extern", ".common")
    space = SPACES[cursor.word("a memory space").text]
    alignment, type, _ = _attributes(cursor)
    found = [_declarator(cursor, space, alignment, type, external)]
    while cursor.accept(","):
        found.append(_declarator(cursor, space, alignment, type, external))
    cursor.expect(";", "after the declaration")
    return found


def parameter(cursor: Cursor) -> Variable:
    """`.param .align 8 .b8 name[24]` in a list of parameters, or `.reg .b32 %r`."""
    token = cursor.word("'.param'")
    if token.text not in (".param", ".reg"):
        hint = "parameters are '.param .u64 name'"
        raise Refused(f"'{token.text}' is no parameter", hint, at=token.at, length=len(token.text))
    alignment, type, pointer = _attributes(cursor)
    made = _declarator(cursor, token.text[1:], alignment, type, False)
    is_pointer = pointer is not None and type.bits in (32, 64) and made.count is None
    if is_pointer and pointer.space == "shared":
        made.room = pointer.alignment or SHARED_ALIGNMENT
    made.pointer = is_pointer and type.bits == 64 and not made.room
    return made


def parameters(cursor: Cursor) -> list[Variable]:
    """`( parameter, … )`."""
    cursor.expect("(", "before the parameters")
    found = [] if cursor.at(")") else cursor.separated(parameter)
    cursor.expect(")", "after the parameters")
    for k, one in enumerate(found):
        if one.name != "_" and one.name in (other.name for other in found[:k]):
            raise Refused(f"'{one.name}' is declared twice", at=one.at, length=len(one.name))
    return found


class Pointed(NamedTuple):
    """What a parameter points at, `.ptr .shared .align 8`: 0 if no alignment is said."""

    space: str
    alignment: int


def _attributes(cursor: Cursor) -> tuple[int, PtxType, Pointed | None]:
    """What stands between space and name: alignment (0: the type's own), type, and what it points
    at if it is a pointer."""
    alignment, type, pointed = 0, None, None
    while cursor.token.kind == WORD and cursor.token.text.startswith("."):
        token = cursor.take()
        if token.text == ".align":
            alignment = cursor.natural("the alignment")
            if alignment <= 0 or alignment & (alignment - 1):
                raise Refused(f"an alignment is a power of two, not {alignment}", at=token.at)
        elif token.text == ".attribute":
            _skip_parentheses(cursor)
        elif token.text in (".ptr", ".noalias") or (type is not None and token.text in SPACES):
            if token.text == ".ptr":
                pointed = Pointed("generic", 0)
            elif token.text in SPACES and pointed is not None:
                pointed = Pointed(SPACES[token.text], 0)
            if cursor.accept(".align"):
                target = cursor.natural("the alignment")
                pointed = Pointed(pointed.space, target) if pointed is not None else None
        elif type is None:
            type = _type(token.text, token.at)
        else:
            message = f"'{token.text}' has no place in a declaration"
            raise Refused(message, at=token.at, length=len(token.text))
    if type is None:
        raise cursor.unexpected("a type")
    return alignment, type, pointed


def _type(text: str, at: int) -> PtxType:
    if text in (".v2", ".v4", *_OPAQUE) or text[1:] in (*OTHER_TYPES, *IN_BITS):
        raise unsupported(f"variables of type '{text}' are not supported", at=at)
    if text[1:] == WIDE.name:
        return WIDE
    if text[1:] not in TYPES:
        hint = nearest(text[1:], TYPES)
        raise Refused(f"there is no type '{text}'", hint, at=at, length=len(text))
    return TYPES[text[1:]]


def _declarator(
    cursor: Cursor, space: str, alignment: int, type: PtxType, external: bool
) -> Variable:
    token = cursor.word("a name")
    made = Variable(
        space, type, token.text, token.at, max(alignment, type.bytes, 1), external=external
    )
    if space == "reg" and cursor.accept("<"):
        made.many = cursor.natural("the number of registers")
        cursor.expect(">", "after the number of registers")
        if not 0 < made.many <= MOST_REGISTERS:
            raise Refused(f"{made.many} registers cannot be declared", at=token.at)
    extents = []
    while cursor.accept("["):
        extents.append(0 if cursor.at("]") else cursor.natural("the number of elements"))
        cursor.expect("]", "after the number of elements")
    if extents:
        made.count = prod(extents)
        if made.count > MOST_ELEMENTS:
            raise Refused(f"'{token.text}' has {made.count} elements", at=token.at)
    _check_space(made, token.at)
    if cursor.accept("="):
        made.data = _values(cursor, extents)
        made.count = len(made.data) if made.count == 0 else made.count
        if len(made.data) > (1 if made.count is None else made.count):
            raise Refused(f"'{made.name}' has more initial values than elements", at=token.at)
    if made.count == 0 and not external and space != "param":
        raise Refused(f"'{made.name}' does not say how many elements it has", at=token.at)
    return made


def _check_space(made: Variable, at: int) -> None:
    if made.type.kind == "p" and made.space != "reg":
        raise Refused(f"'{made.name}': a predicate is a register, never in memory", at=at)
    if made.space == "param" and made.type is WIDE:
        raise unsupported(f"a parameter of {WIDE} is not supported", "two of .b64", at=at)
    if made.space == "reg" and made.count is not None:
        raise Refused(f"'{made.name}': no register is of array", at=at)


def _values(cursor: Cursor, extents: list[int]) -> list[Constant | Name]:
    """`5`, `generic(symbol)`, `symbol+4`, or a list in braces, one within another for each
    dimension; inner lists that are too short end in zeros."""
    opening = cursor.token
    if not cursor.accept("{"):
        return [_value(cursor)]
    if cursor.accept("}"):
        return []
    if not extents:
        raise Refused("a list begins an array, not a scalar", at=opening.at)
    found: list[Constant | Name] = []
    inner = prod(extents[1:])
    for values in cursor.separated(lambda c: _values(c, extents[1:])):
        found += values
        if len(extents) > 1:
            found += [Constant(0, opening.at)] * (inner - len(values))
    cursor.expect("}", "after the initial values")
    return found


def _value(cursor: Cursor) -> Constant | Name:
    token = cursor.token
    if token.kind != WORD:
        return Constant(cursor.number("an initial value"), token.at)
    cursor.take()
    in_window = token.text == "generic" and cursor.accept("(")
    name = cursor.word("a symbol") if in_window else token
    if in_window:
        cursor.expect(")", "after the symbol")
    plus = cursor.at("+", "-")
    addend = cursor.integer("the number added") if plus else 0
    return Name(name.text, name.at, addend)


def _skip_parentheses(cursor: Cursor) -> None:
    cursor.expect("(", "after '.attribute'")
    while not cursor.at(")", ";") and not cursor.is_at_end:
        if cursor.token.kind == NUMBER or cursor.token.kind == WORD or cursor.at(","):
            cursor.take()
        else:
            raise cursor.unexpected("')'")
    cursor.expect(")", "after the attribute")
