"""Reading graphs from the text that `compiler.levels.arrays.printing` writes.

A file (`.graph`) is functions, each behind those that it uses: so none can call itself.  A function
is definitions and one `return`; a lambda is a definition with a body of its own.  A name means what
was defined before it, in the same body or one around it.  The type behind a definition may be left
out; one that is there must be right.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping
from typing import NoReturn

from compiler.ir.literals import literal_range
from compiler.levels.arrays.operations.hierarchy import IllTyped, Operation, Terminal
from compiler.levels.arrays.operations.names import CALLS, NO_PRIMITIVES, STRUCTURES, named
from compiler.levels.arrays.operations.scalars import Constant, scalar_rows
from compiler.levels.arrays.table import Graph, Symbol
from compiler.levels.arrays.tokens import Token, tokenize
from compiler.levels.arrays.types import Array, Function, GraphType, Tuple
from machines.diagnostics import Location, input_error, nearest
from machines.types import PTR, TYPES
from machines.types import Type as Scalar

SUFFIX = ".graph"
DEEPEST = 100
"""How far lambdas and types may nest, so that reading, which recurses, always ends well."""
LARGEST = 200
"""Scalars, arrays, tuples and functions in one type.  Of n lines that each make a tuple of two of
the one before, the last has a type of 2**n parts; its text alone would fill memory."""

_FORM = "a file is functions: 'func name(x: f32) -> f32 { … }'"
_DEFINITION = "a definition is 's1 = operation(arguments): type'"
_TYPE = "a type is f32, f32[:], tuple[f32, i64] or (f32) -> f32"
_ORDER = "a function stands behind those that it uses; none calls itself"
_BRACKETED = ("item", "reduce", "scan", "scatter_reduce", "while.each", "fold.each")


def parse_graph(
    text: str, file: str = "<text>", primitives: Mapping[str, Terminal] = NO_PRIMITIVES
) -> Graph:
    """The graph that a text describes; every node has its place in it.  Raises InputError.

    primitives  those that files of rules declare, by name
    """
    return _Parser(text, file, primitives).graph_()


class _Parser:
    """Recursive descent; the first thing that is wrong ends it."""

    def __init__(self, text: str, file: str, primitives: Mapping[str, Terminal]):
        self.text = text
        self.primitives = primitives
        self.tokens = tokenize(text, file)
        self.position = 0
        self.graph = Graph()
        self.known: dict[str, tuple[Symbol, Location]] = {}
        self.depth = 0

    # Tokens

    @property
    def next(self) -> Token:
        return self.tokens[self.position]

    @property
    def ahead(self) -> Token:
        return self.tokens[min(self.position + 1, len(self.tokens) - 1)]

    def take(self) -> Token:
        token = self.next
        self.position += token.kind != "end"
        return token

    def accept(self, kind: str) -> Token | None:
        return self.take() if self.next.kind == kind else None

    def expect(self, kind: str, meaning: str | None = None, hint: str | None = None) -> Token:
        if self.next.kind != kind:
            wanted = meaning or f"'{kind}'"
            self.fail(f"expected {wanted}, found {self.next}", self.next.location, hint)
        return self.take()

    def fail(self, message: str, location: Location, hint: str | None = None) -> NoReturn:
        raise input_error(message, location, source=self.text, hint=hint)

    def nested(self, location: Location) -> None:
        """One level deeper; the caller goes back up."""
        self.depth += 1
        if self.depth > DEEPEST:
            self.fail(f"lambdas or types nest deeper than {DEEPEST}", location)

    # Functions

    def graph_(self) -> Graph:
        while self.next.kind != "end":
            self.function()
        self.graph.place = None
        return self.graph

    def function(self) -> None:
        if self.next.text != "func":
            self.fail(f"expected 'func', found {self.next}", self.next.location, _FORM)
        self.take()
        name = self.expect("name", "the name of a function", _FORM)
        if name.text in self.graph.functions:
            self.fail(f"there is a function '{name.text}' already", name.location, "rename one")
        self.closure(name.location, name.text)

    def closure(self, location: Location, name: str = "") -> Symbol:
        """A function or lambda from its parameters to its '}'; what is defined in it ends there."""
        self.nested(location)
        around = len(self.known)
        parameters = self.parameters()
        self.expect("->")
        stated_at = self.next.location
        stated = self.type()
        result = self.body()
        if self.graph.type(result) != stated:
            message = f"it returns {self.graph.type(result)}, not {stated}"
            self.fail(message, stated_at, "change the type or what 'return' names")
        while len(self.known) > around:
            self.known.popitem()
        self.depth -= 1
        self.graph.place = location
        symbol = self.graph.function(parameters, result, name)
        self.check_size(self.graph.type(symbol), location)
        return symbol

    def parameters(self) -> list[Symbol]:
        """`(x: f32, n: i64)`."""
        parameters: list[Symbol] = []
        self.expect("(", hint="parameters are '(x: f32, n: i64)'")
        while self.next.kind != ")":
            name = self.expect("name", "the name of a parameter")
            self.expect(":", hint="a parameter is 'name: type'")
            type = self.type()
            self.graph.place = name.location
            parameters.append(self.graph.parameter(name.text, type))
            self.define(name, parameters[-1])
            if not self.accept(","):
                break
        self.expect(")", "',' or ')'")
        return parameters

    def body(self) -> Symbol:
        self.expect("{")
        while not (self.next.text == "return" and self.ahead.kind != "="):
            if self.next.kind in ("}", "end"):
                message = f"expected 'return', found {self.next}"
                self.fail(message, self.next.location, "the last line of a body is 'return s1'")
            name = self.expect("name", "a definition or 'return'", _DEFINITION)
            self.expect("=", hint=_DEFINITION)
            self.define(name, self.definition())
        self.take()
        result = self.operand()
        self.expect("}", "'}' behind what is returned")
        return result

    def define(self, name: Token, symbol: Symbol) -> None:
        if name.text in self.known:
            line = self.known[name.text][1].line
            message = f"'{name.text}' is defined already, in line {line}"
            self.fail(message, name.location, "each name is defined once")
        self.known[name.text] = symbol, name.location

    # Definitions

    def definition(self) -> Symbol:
        word = self.expect("name", "an operation", _DEFINITION)
        if word.text == "lambda":
            return self.closure(word.location)
        if word.text.startswith("const."):
            symbol = self.constant(word)
        else:
            symbol = self.node(word)
        self.check_size(self.graph.type(symbol), word.location)
        if self.accept(":"):
            at = self.next.location
            stated, given = self.type(), self.graph.type(symbol)
            if stated != given:
                self.fail(f"its type is {given}, not {stated}", at, "types may be left out")
        return symbol

    def constant(self, word: Token) -> Symbol:
        """`const.f32 0.5`; `nan(0x…)` says a NaN's bits, as of an f64."""
        type = self.scalar(word.text.removeprefix("const."), word.location)
        if type == PTR:
            self.fail("there are no literals of type ptr", word.location)
        word_like = type.is_float and self.next.text in ("inf", "nan")
        number = self.take() if word_like else self.expect("number", f"a number of type {type}")
        self.graph.place = word.location
        if type.is_float:
            return self.graph.add(self.floating(number, type))
        try:
            value = int(number.text, 0)
        except ValueError:
            self.fail(f"{number} is no {type}", number.location, "write a whole number")
        lowest, highest = literal_range(type)
        if not lowest <= value <= highest:
            hint = f"{type} takes {lowest} … {highest}"
            self.fail(f"{number} does not fit {type}", number.location, hint)
        return self.graph.constant(value, type)

    def floating(self, number: Token, type: Scalar) -> Constant:
        try:
            constant = Constant.of(float(number.text), type)
        except ValueError:
            self.fail(f"{number} is no {type}", number.location, "write a decimal number")
        except OverflowError:
            constant = Constant.of(math.inf, type)
        if math.isinf(constant.value) and "inf" not in number.text:
            self.fail(f"{number} does not fit {type}", number.location, "write inf or -inf")
        if not self.accept("("):
            return constant
        bits = self.expect("number", "the bits of a NaN as 0x…")
        self.expect(")")
        held = bits.text[2:] if bits.text[:2] in ("0x", "0X") else ""
        packed = int(held or "0", 16).to_bytes(100, "little")[:8]
        if not math.isnan(struct.unpack("<d", packed)[0]) or len(held) > 16:
            self.fail(f"{bits} are not the bits of a NaN", bits.location, "write nan(0x7ff8…)")
        return Constant(math.nan, type, packed)

    def node(self, word: Token) -> Symbol:
        """`operation(arguments)`."""
        operation, location = self.operation(word)
        self.expect("(", hint=_DEFINITION)
        arguments: list[Symbol] = []
        while self.next.kind != ")":
            arguments.append(self.operand())
            if not self.accept(","):
                break
        self.expect(")", "',' or ')'")
        self.graph.place = location
        try:
            return self.graph.add(operation, *arguments)
        except IllTyped as error:
            self.fail(str(error), location)

    def operation(self, word: Token) -> tuple[Operation, Location]:
        """An operation by its name, with what stands in brackets: `item[0]`, `reduce[add.f32]`."""
        text, at = word.text, word.location
        if self.accept("["):
            inside = self.take()
            end = self.expect("]").location
            text = f"{text}[{inside.text}]"
            at = Location(at.file, at.line, at.column, max(1, end.column + 1 - at.column))
        operation = named(text, self.primitives)
        if operation is None:
            self.fail(f"there is no operation '{text}'", at, _operation_hint(text, self.primitives))
        return operation, at

    def operand(self) -> Symbol:
        if token := self.accept("function"):
            name = token.text[1:]
            if name not in self.graph.functions:
                self.fail(f"there is no function '{token.text}' above", token.location, _ORDER)
            return self.graph.functions[name]
        token = self.expect("name", "the name of a definition, a parameter or a function")
        if token.text not in self.known:
            hint = nearest(token.text, self.known)
            if token.text in self.graph.functions:
                hint = f"the function is '@{token.text}'"
            self.fail(f"'{token.text}' is not defined here", token.location, hint)
        return self.known[token.text][0]

    # Types

    def type(self) -> GraphType:
        """A type; `[:]` binds closest."""
        at = self.next
        self.nested(at.location)
        if self.accept("("):
            parts = self.types(")")
            self.expect("->", hint=_TYPE)
            type: GraphType = Function(parts, self.type())
        else:
            word = self.expect("name", "a type", _TYPE)
            if word.text == "tuple" and self.accept("["):
                type = Tuple(self.types("]"))
            else:
                type = self.scalar(word.text, word.location)
            while self.accept("["):
                self.expect(":", hint=_TYPE)
                self.expect("]", hint=_TYPE)
                type = Array(type)
                self.check_size(type, at.location)
        self.check_size(type, at.location)
        self.depth -= 1
        return type

    def types(self, end: str) -> tuple[GraphType, ...]:
        types: list[GraphType] = []
        while self.next.kind != end:
            types.append(self.type())
            if not self.accept(","):
                break
        self.expect(end, f"',' or '{end}'")
        return tuple(types)

    def scalar(self, name: str, location: Location) -> Scalar:
        if name not in TYPES:
            self.fail(f"there is no type '{name}'", location, nearest(name, TYPES))
        return TYPES[name]

    def check_size(self, type: GraphType, location: Location) -> None:
        """Refuses a type that is too large before it is hashed, compared or written."""
        waiting, count = [type], 0
        while waiting:
            type, count = waiting.pop(), count + 1
            if count > LARGEST:
                self.fail(f"a type of more than {LARGEST} parts", location)
            waiting += _parts(type)


def _parts(type: GraphType) -> tuple[GraphType, ...]:
    match type:
        case Array(element):
            return (element,)
        case Tuple(parts):
            return parts
        case Function(parameters, result):
            return (*parameters, result)
    return ()


def _operation_hint(text: str, primitives: Mapping[str, Terminal]) -> str:
    name, bracket, inside = text.removesuffix("]").partition("[")
    plain = name
    while plain.startswith("each."):
        plain = plain.removeprefix("each.")
    if plain in _BRACKETED and bracket:
        if plain in ("reduce", "scan", "scatter_reduce"):
            return nearest(inside, scalar_rows())
        return f"a number stands in the brackets of {plain}"
    if plain in _BRACKETED:
        return f"'{plain}' says more in brackets: 'reduce[add.f32]', 'item[0]'"
    known = [*scalar_rows(), *STRUCTURES, *CALLS, *_BRACKETED, *primitives, "lambda"]
    return nearest(plain, known)
