"""Reading networks from the text that `printing` writes (`.net`).

A file is networks.  The types behind nodes may be left out, one that is there must be right; those
of constants are needed.  A network is read into a `NetworkBuilder`, which checks every node.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import numpy as np

from compiler.levels.network.builder import NetworkBuilder
from compiler.levels.network.constants import (
    MOST_RANDOM,
    check_stored,
    filled,
    made,
    random,
)
from compiler.levels.network.network import Attribute, Network
from compiler.levels.network.operators import OPERATORS
from compiler.levels.network.tokens import Token, tokenize
from machines.diagnostics import InputError, Location, diagnostic, input_error, nearest
from machines.elements import as_elements
from machines.levels.network.tensors import Constant, Stored, TensorType
from machines.types import I1, PTR, TYPES, Type

SUFFIX = ".net"
MOST_ELEMENTS = 1 << 40
"""Of one tensor."""
_FORM = (
    "a file is networks: 'network @name(x: f32[2, 3]) -> (y: f32[2, 3]) { … }', or "
    "'network @name = \"model.onnx\" {batch: 1}'"
)
_STATEMENT = "write 'y: f32[2, 3] = nn.relu(x)', 'w: f32[3] = zeros' or 'return y = z'"
_CONSTANT = 'write zeros, fill(1.5), random(SEED, SCALE), [1, 2, 3] or stored("FILE", OFFSET)'
ELEMENTS = {name: type for name, type in TYPES.items() if type not in (I1, PTR)}
"""Types of elements of tensors, by name."""


Models = Callable[[str, dict[str, int], Location], Network]
"""(file, extents that it leaves open, where it is named) -> the network of a model."""


def parse_networks(
    text: str, file: str = "<text>", models: Models | None = None
) -> dict[str, tuple[Network, Location]]:
    """The networks of a text, by name, and where each begins; `models` reads those that stand in
    files of their own.  Raises InputError."""
    return _Parser(text, file, models).networks()


class _Parser:
    """Recursive descent; the first thing that is wrong ends it."""

    def __init__(self, text: str, file: str, models: Models | None = None):
        self.text, self.file, self.models = text, file, models
        self.tokens = tokenize(text, file)
        self.position = 0
        self.build = NetworkBuilder()

    # Tokens

    @property
    def next(self) -> Token:
        return self.tokens[self.position]

    def take(self) -> Token:
        token = self.next
        self.position += token.kind != "end"
        return token

    def accept(self, kind: str) -> Token | None:
        return self.take() if self.next.kind == kind else None

    def expect(self, kind: str, meaning: str = "", hint: str | None = None) -> Token:
        if self.next.kind != kind:
            wanted = meaning or f"'{kind}'"
            self.fail(f"expected {wanted}, found {self.next}", self.next.location, hint)
        return self.take()

    def word(self, text: str, hint: str) -> Token:
        if self.next.kind != "name" or self.next.text != text:
            self.fail(f"expected '{text}', found {self.next}", self.next.location, hint)
        return self.take()

    def fail(self, message: str, location: Location, hint: str | None = None) -> NoReturn:
        raise input_error(message, location, source=self.text, hint=hint)

    def name(self, meaning: str) -> tuple[str, Location]:
        """A name, which may stand in quotes."""
        if self.next.kind == "string":
            return self.string(), self.tokens[self.position - 1].location
        token = self.expect("name", meaning, _STATEMENT)
        return token.text, token.location

    def string(self) -> str:
        token = self.expect("string", "a text in quotes")
        try:
            return json.loads(token.text)
        except ValueError:
            hint = "'\\\\' stands before '\"', '\\\\', 'n', 't' or 'u0041'"
            self.fail("unknown escape in this text", token.location, hint)

    def integer(self, meaning: str) -> int:
        token = self.expect("number", meaning)
        try:
            return int(token.text)
        except ValueError:
            self.fail(f"expected {meaning}, found {token}", token.location)

    def number(self, meaning: str = "a number") -> int | float:
        """An integer, or a number with '.', 'e' or as 'inf'."""
        if self.next.text == "nan":
            self.take()
            return math.nan
        token = self.expect("number", meaning)
        return int(token.text) if token.text.lstrip("+-").isdigit() else float(token.text)

    # Networks

    def networks(self) -> dict[str, tuple[Network, Location]]:
        found: dict[str, tuple[Network, Location]] = {}
        while self.next.kind != "end":
            self.word("network", _FORM)
            self.expect("@", hint=_FORM)
            name = self.expect("name", "the name of a network", _FORM)
            if name.text in found:
                self.fail(f"there is a network '{name.text}' already", name.location, "rename one")
            if self.accept("="):
                found[name.text] = self.model(), name.location
                continue
            try:
                found[name.text] = self.network(), name.location
            except InputError as error:
                raise self.with_source(error) from None
        return found

    def with_source(self, error: InputError) -> InputError:
        """The findings of the builder with the lines on which they are."""
        return InputError(
            diagnostic(d.message, d.location, source=self.text, hint=d.hint, code=d.code)
            for d in error.diagnostics
        )

    def model(self) -> Network:
        """`"model.onnx"`, or `"model.onnx" {batch: 1, "past length": 128}`."""
        location = self.next.location
        file, dimensions = self.string(), {}
        if self.accept("{"):
            while self.next.kind != "}":
                name, _ = self.name("the name of an extent")
                self.expect(":")
                dimensions[name] = self.integer(f"how large '{name}' is")
                if self.next.kind != "}":
                    self.expect(",")
            self.expect("}")
        if self.models is None:
            self.fail("networks in files of their own are read from files alone", location)
        return self.models(file, dimensions, location)

    def network(self) -> Network:
        self.build = NetworkBuilder()
        for name, type, location in self.declared():
            self.build.input(name, type, location)
        self.expect("->", hint=_FORM)
        results = {name: (type, location) for name, type, location in self.declared()}
        self.expect("{")
        while self.next.text != "return":
            if self.next.kind in ("}", "end"):
                hint = "write 'return y = z' before '}'"
                self.fail(f"expected 'return', found {self.next}", self.next.location, hint)
            self.statement()
        self.returned(results)
        self.expect("}")
        return self.build.network()

    def declared(self) -> list[tuple[str, TensorType, Location]]:
        """`(x: f32[1, 2], n: i32[])`."""
        found: list[tuple[str, TensorType, Location]] = []
        self.expect("(", hint=_FORM)
        while self.next.kind != ")":
            name, location = self.name("the name of a tensor")
            if name in (known for known, _, _ in found):
                self.fail(f"'{name}' stands here twice", location, "rename one")
            self.expect(":", hint="a tensor is 'name: f32[2, 3]'")
            found.append((name, self.type(), location))
            if not self.accept(","):
                break
        self.expect(")", "',' or ')'")
        return found

    def returned(self, results: dict[str, tuple[TensorType, Location]]) -> None:
        at = self.take().location
        given: set[str] = set()
        while self.next.kind in ("name", "string"):
            name, location = self.name("the name of a result")
            if name not in results:
                self.fail(f"the network has no result '{name}'", location, nearest(name, results))
            self.expect("=", hint="write 'return y = z'")
            tensor, there = self.name("the name of a tensor")
            self.build.output(name, tensor, there)
            if self.build.type(tensor) != results[name][0]:
                message = f"'{tensor}' is {self.build.type(tensor)}, not {results[name][0]}"
                self.fail(message, there, "change it, or the type behind '->'")
            given.add(name)
            if not self.accept(","):
                break
        missing = [name for name in results if name not in given]
        if missing:
            self.fail(f"the result '{missing[0]}' is not returned", at, "write 'return y = z'")

    def type(self) -> TensorType:
        token = self.expect("name", "an element type", "a type is f32[2, 3]")
        element = self.element(token)
        self.expect("[", hint="a type is f32[2, 3]; of one number f32[]")
        shape: list[int] = []
        while self.next.kind != "]":
            at = self.next.location
            extent = self.integer("an extent")
            if extent < 1:
                self.fail(f"an extent of {extent}", at, "every extent is 1 or more")
            shape.append(extent)
            if not self.accept(","):
                break
        self.expect("]", "',' or ']'")
        if math.prod(shape) > MOST_ELEMENTS:
            self.fail(f"a tensor of {math.prod(shape)} elements", token.location)
        return TensorType(element, tuple(shape))

    def element(self, token: Token) -> Type:
        if token.text not in ELEMENTS:
            hint = nearest(token.text, ELEMENTS)
            self.fail(f"there is no element type '{token.text}'", token.location, hint)
        return ELEMENTS[token.text]

    # Statements

    def statement(self) -> None:
        """`x: f32[2] = …`, or several results before the '='."""
        names: list[tuple[str, Location]] = []
        stated: list[tuple[TensorType, Location] | None] = []
        while True:
            names.append(self.name("the name of a tensor"))
            is_stated, at = self.accept(":"), self.next.location
            stated.append((self.type(), at) if is_stated else None)
            if not self.accept(","):
                break
        self.expect("=", hint=_STATEMENT)
        if self.next.kind == "name" and self.next.text.startswith("nn."):
            self.node(names, stated)
        else:
            self.constant(names, stated)

    def node(
        self,
        names: list[tuple[str, Location]],
        stated: list[tuple[TensorType, Location] | None],
    ) -> None:
        token = self.take()
        operator = token.text.removeprefix("nn.")
        if operator not in OPERATORS:
            self.fail(f"there is no operator {token.text}", token.location,
                      nearest(operator, OPERATORS))  # fmt: skip
        operands = self.operands()
        attributes = self.attributes(operator) if self.next.kind == "{" else {}
        layer = ""
        if self.next.text == "in":
            self.take()
            layer = self.string()
        written = [name for name, _ in names]
        results = self.build.add(operator, operands, attributes, written, layer, token.location)
        if len(results) > len(names):
            message = f"nn.{operator} gives {len(results)} tensors, not {len(names)}"
            self.fail(message, names[-1][1], "write a name for each: 'y, places = …'")
        for name, said in zip(results, stated, strict=True):
            if said and self.build.type(name) != said[0]:
                message = f"'{name}' is {self.build.type(name)}, not {said[0]}"
                self.fail(message, said[1], "change the type, or leave it out")

    def operands(self) -> list[str]:
        found: list[str] = []
        self.expect("(")
        while self.next.kind != ")":
            found.append(self.name("the name of a tensor")[0])
            if not self.accept(","):
                break
        self.expect(")", "',' or ')'")
        return found

    def attributes(self, operator: str) -> dict[str, Attribute]:
        """`{axes: (1, 2), to: i32, mode: round}`."""
        found: dict[str, Attribute] = {}
        self.expect("{")
        while self.next.kind != "}":
            name = self.expect("name", "the name of an attribute")
            if name.text in found:
                self.fail(f"'{name.text}' is given twice", name.location)
            self.expect(":", hint="an attribute is 'name: value'")
            kind = OPERATORS[operator].attributes.get(name.text)
            found[name.text] = self.value(kind is not None and kind.type is Type)
            if not self.accept(","):
                break
        self.expect("}", "',' or '}'")
        return found

    def value(self, is_type: bool) -> Attribute:
        if self.accept("("):
            numbers: list[int] = []
            while self.next.kind != ")":
                numbers.append(self.integer("a whole number"))
                if not self.accept(","):
                    break
            self.expect(")", "',' or ')'")
            return tuple(numbers)
        if self.next.kind == "string":
            return self.string()
        if self.next.kind == "name" and self.next.text not in ("inf", "nan"):
            token = self.take()
            if token.text in ("true", "false"):
                return token.text == "true"
            return self.element(token) if is_type else token.text
        return self.number("a value")

    # Constants

    def constant(
        self,
        names: list[tuple[str, Location]],
        stated: list[tuple[TensorType, Location] | None],
    ) -> None:
        (name, location), *more = names
        if more:
            self.fail("a constant has one name", more[0][1], _STATEMENT)
        if stated[0] is None:
            self.fail(f"the type of '{name}' is missing", location, "write 'w: f32[3] = zeros'")
        self.build.constant(self.known(stated[0][0]), name, location)

    def known(self, type: TensorType) -> Constant:
        at = self.next.location
        if self.next.kind == "[":
            return Constant(type, self.listed(type, at))
        token = self.expect("name", "a constant", _CONSTANT)
        if token.text == "zeros":
            return made(type, "zeros", lambda: filled(type, 0))
        if token.text == "stored":
            return self.stored(type, at)
        if token.text not in ("fill", "random"):
            self.fail(f"there is no constant '{token.text}'", at, _CONSTANT)
        self.expect("(", hint=_CONSTANT)
        first = self.integer("a seed") if token.text == "random" else self.number()
        if token.text == "fill":
            self.check_number(first, type, at)
            self.expect(")")
            return made(type, f"fill({first!r})", lambda: filled(type, first))
        self.expect(",", hint=_CONSTANT)
        scale = self.number("a scale")
        self.expect(")")
        if first < 0 or not 0 <= scale < math.inf:
            self.fail("a seed and a scale are not negative", at, _CONSTANT)
        if type.count > MOST_RANDOM:
            hint = f"up to {MOST_RANDOM} can be; others are stored in a file"
            self.fail(f"{type.count} elements that are random", at, hint)
        words = f"random({first}, {scale!r})"
        return made(type, words, lambda: random(type, first, scale))

    def check_number(self, value: int | float, type: TensorType, at: Location) -> None:
        element = type.element
        fits = isinstance(value, int) and element.lowest <= value <= element.highest
        if not element.is_float and not fits:
            self.fail(f"{value} is no number of {element}", at)

    def listed(self, type: TensorType, at: Location) -> np.ndarray:
        """All elements, in C order."""
        found: list[int | float] = []
        self.expect("[")
        while self.next.kind != "]":
            place = self.next.location
            found.append(self.number())
            self.check_number(found[-1], type, place)
            if not self.accept(","):
                break
        self.expect("]", "',' or ']'")
        if len(found) != type.count:
            hint = "they are listed one behind another, without brackets for rows"
            self.fail(f"{len(found)} elements, where {type} has {type.count}", at, hint)
        values = np.array(found, np.float64 if type.element.is_float else np.int64)
        return as_elements(values.reshape(type.shape), type.element)

    def stored(self, type: TensorType, at: Location) -> Constant:
        """`stored("file", 128)`, or `stored("file", 128, (0, 3, 1, 2))` of what is transposed."""
        self.expect("(", hint=_CONSTANT)
        path = self.string()
        self.expect(",", hint=_CONSTANT)
        offset = self.integer("an offset in bytes")
        order = self.value(False) if self.accept(",") else ()
        self.expect(")")
        axes = list(range(len(type.shape)))
        if offset < 0 or not isinstance(order, tuple) or (order and sorted(order) != axes):
            hint = 'write stored("FILE", OFFSET), and the order of axes behind that'
            self.fail("an offset is not negative, an order has each axis once", at, hint)
        stored = Stored(str(Path(self.file).absolute().parent / path), offset)
        check_stored(stored, type.size, at)
        return Constant(type, stored, order)
