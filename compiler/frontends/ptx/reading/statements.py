"""Reads what stands in braces: labels, declarations, instructions, calls, scopes.

@%p1 bra $L__BB0_2;      ->  Operation('bra', (), (Name('$L__BB0_2'),), Guard(%p1))
mov.b64 {%r1, %r2}, %rd1;
"""

from __future__ import annotations

from compiler.frontends.ptx.findings import Findings, Refused, unsupported
from compiler.frontends.ptx.reading.constants import begins
from compiler.frontends.ptx.reading.cursor import Cursor
from compiler.frontends.ptx.reading.declarations import SPACES, parameters, variables
from compiler.frontends.ptx.reading.lexer import WORD
from compiler.frontends.ptx.reading.tree import (
    Address,
    Braces,
    Call,
    Constant,
    Guard,
    Label,
    Loc,
    Name,
    Negated,
    Operand,
    Operation,
    Pair,
    Pragma,
    Prototype,
    Statement,
    Targets,
    Vector,
)
from machines.diagnostics import nearest

DEEPEST = 50
"""Braces in braces."""
_DIRECTIVES = (*SPACES, ".loc", ".pragma", ".branchtargets", ".callprototype", ".calltargets")


def braces(cursor: Cursor, findings: Findings, depth: int = 0) -> Braces:
    """`{ … }`; a statement that is wrong is reported and left out."""
    opening = cursor.expect("{", "before the statements")
    if depth > DEEPEST:
        cursor.index -= 1
        cursor.skip_braces()
        raise Refused(f"more than {DEEPEST} braces are open here", at=opening.at)
    body: list[Statement] = []
    broken: set[str] = set()
    unhad: dict[str, Refused] = {}
    while not cursor.at("}"):
        if cursor.is_at_end:
            message = "this brace is never closed"
            raise Refused(message, "the file may be cut off", at=opening.at)
        before = cursor.index
        try:
            if cursor.at("{"):
                body.append(braces(cursor, findings, depth + 1))
            else:
                body += _statement(cursor)
        except Refused as refused:
            if cursor.is_at_end and refused.at == opening.at:
                raise
            first, at = cursor.tokens[before], cursor.token.at
            cursor.skip_statement()
            if cursor.index == before:
                cursor.take()
            if refused.unsupported and first.text in SPACES:  # only who names it cannot have it
                unhad.update(dict.fromkeys(cursor.names_since(before), refused))
                continue
            findings.add(refused, at)
            if first.text in SPACES or cursor.tokens[before + 1].text == ":":
                broken |= cursor.names_since(before)
    cursor.take()
    return Braces(body, opening.at, broken, unhad)


def _statement(cursor: Cursor) -> list[Statement]:
    token = cursor.token
    if token.kind == WORD and token.text.startswith("."):
        return _directive(cursor)
    if token.kind == WORD and cursor.following.text == ":":
        cursor.take()
        cursor.take()
        if cursor.at(".branchtargets"):
            return [_targets(cursor, token.text, token.at)]
        if cursor.at(".callprototype"):
            return [_prototype(cursor, token.text, token.at)]
        if cursor.at(".calltargets"):
            cursor.take()
            functions = cursor.separated(_label)
            cursor.expect(";", "after the functions")
            return [Prototype(token.text, [], [], tuple(functions), token.at)]
        return [Label(token.text, token.at)]
    return [_instruction(cursor)]


def _directive(cursor: Cursor) -> list[Statement]:
    token = cursor.token
    if token.text in SPACES:
        return variables(cursor)
    if token.text == ".loc":
        return [_loc(cursor)]
    if token.text == ".pragma":
        at = cursor.take().at
        text = cursor.string("a pragma in quotes")
        cursor.expect(";", "after the pragma")
        return [Pragma(text, at)]
    hint = nearest(token.text, _DIRECTIVES)
    raise Refused(f"no directive '{token.text}' stands in a function", hint, at=token.at)


def _loc(cursor: Cursor) -> Loc:
    """`.loc file line column`, perhaps `, function_name label, inlined_at file line column`."""
    at = cursor.take().at
    chain = [_loc_numbers(cursor)]
    while cursor.accept(","):
        word = cursor.word("'function_name' or 'inlined_at'")
        if word.text == "function_name":
            cursor.word("a label")
            if cursor.at("+"):
                cursor.integer("an offset")
        elif word.text == "inlined_at":
            chain.append(_loc_numbers(cursor))
        else:
            raise Refused(f"'{word.text}' has no place in .loc", at=word.at)
    return Loc(tuple(chain), at)


def _loc_numbers(cursor: Cursor) -> tuple[int, int, int]:
    file, line, column = (cursor.natural(what) for what in ("a file", "a line", "a column"))
    return file, line, column


def _targets(cursor: Cursor, name: str, at: int) -> Targets:
    cursor.take()
    labels = cursor.separated(_label)
    cursor.expect(";", "after the labels")
    return Targets(name, tuple(labels), at)


def _prototype(cursor: Cursor, name: str, at: int) -> Prototype:
    cursor.take()
    results = parameters(cursor) if cursor.at("(") else []
    cursor.word("'_' for the name of a function")
    given = parameters(cursor) if cursor.at("(") else []
    while not cursor.at(";") and cursor.token.kind == WORD:  # .noreturn
        cursor.take()
    cursor.expect(";", "after the prototype")
    return Prototype(name, results, given, None, at)


def _label(cursor: Cursor) -> Name:
    token = cursor.word("a label")
    return Name(token.text, token.at)


# Instructions


def _instruction(cursor: Cursor) -> Operation | Call:
    start = cursor.token.at
    guard = _guard(cursor)
    opcode, *parts = cursor.word("an instruction").text.split(".")
    if opcode == "call":
        return _call(cursor, guard, start)
    operands = [] if cursor.at(";") else cursor.separated(_operand)
    cursor.expect(";", "after the instruction")
    return Operation(opcode, tuple(parts), tuple(operands), guard, start, cursor.end - start)


def _guard(cursor: Cursor) -> Guard | None:
    if not cursor.accept("@"):
        return None
    negated = cursor.accept("!")
    name = cursor.word("a predicate")
    return Guard(Name(name.text, name.at), negated)


def _call(cursor: Cursor, guard: Guard | None, start: int) -> Call:
    results: tuple[Operand, ...] = ()
    if cursor.at("("):
        results = _list(cursor)
        cursor.expect(",", "after the results")
    callee = cursor.word("the function called")
    arguments: tuple[Operand, ...] = ()
    form = None
    if cursor.accept(","):
        if cursor.at("("):
            arguments = _list(cursor)
        else:
            form = _label(cursor)
        if form is None and cursor.accept(","):
            form = _label(cursor)
    cursor.expect(";", "after the call")
    name = Name(callee.text, callee.at)
    return Call(name, results, arguments, guard, form, start, cursor.end - start)


def _list(cursor: Cursor) -> tuple[Operand, ...]:
    cursor.expect("(", "before the list")
    found = [] if cursor.at(")") else cursor.separated(_operand)
    cursor.expect(")", "after the list")
    return tuple(found)


# Operands


def _operand(cursor: Cursor) -> Operand:
    token = cursor.token
    if cursor.at("["):
        return _address(cursor)
    if cursor.at("{"):
        return _vector(cursor)
    if cursor.at("!") and cursor.following.kind == WORD:
        cursor.take()
        name = cursor.take()
        return Negated(Name(name.text, name.at), token.at)
    if cursor.at("!") or begins(cursor):
        return Constant(cursor.number("a number"), token.at)
    name = _name(cursor)
    if cursor.accept("|"):
        second = cursor.word("a second register")
        return Pair(name, Name(second.text, second.at), token.at)
    return name


def _name(cursor: Cursor) -> Name:
    token = cursor.word("an operand")
    if cursor.accept("["):
        index = cursor.integer("an element's number")
        cursor.expect("]", "after the element's number")
        return Name(token.text, token.at, index=index)
    addend = cursor.integer("the number added") if cursor.at("+") else 0
    return Name(token.text, token.at, addend)


def _address(cursor: Cursor) -> Address:
    opening = cursor.take()
    if cursor.token.kind == WORD:
        token = cursor.take()
        base = Name(token.text, token.at)
        offset = cursor.integer("an offset") if cursor.at("+") else 0
    else:
        base, offset = None, cursor.integer("an address")
    coordinates = None
    if cursor.at(","):
        cursor.take()
        if not cursor.at("{"):
            message = "addresses of textures and surfaces are not supported"
            raise unsupported(message, at=opening.at)
        coordinates = _vector(cursor)
    cursor.expect("]", "after the address")
    return Address(base, offset, opening.at, coordinates)


def _vector(cursor: Cursor) -> Vector:
    opening = cursor.take()
    items = cursor.separated(_item)
    cursor.expect("}", "after the registers")
    return Vector(tuple(items), opening.at)


def _item(cursor: Cursor) -> Name | Constant:
    token = cursor.token
    if token.kind == WORD:
        return _name(cursor)
    return Constant(cursor.number("a register"), token.at)
