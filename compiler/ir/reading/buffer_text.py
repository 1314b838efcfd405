"""Buffers of the text form, of a file and of a function.

x, y: f32[256, N], z: f32[N] in dram
table: i32[4] in constant = [1, 2, 3, 4]
total: i64[1] in global align 64 section bss
a in nram = x[0:16]                          of a function: as large as that, and a copy of it
"""

from __future__ import annotations

import math

import numpy as np

from compiler.ir.facts import is_flat, space_named, spaces
from compiler.ir.module import Buffer, Function, Module, Value
from compiler.ir.reading.inlined_text import InlinedReader
from compiler.ir.reading.lexer import Token, number_of
from compiler.ir.reading.views import View, whole
from machines.diagnostics import nearest
from machines.layout import PAGE, SECTIONS
from machines.tensors.elements import array_of, numbers_of, stored_type
from machines.types import I1, I64, TYPES, Type

_TOO_MANY = 1 << 40


class BufferReader(InlinedReader):
    """`described` are the functions whose addresses buffers hold."""

    module: Module
    described: list[Token]

    def fresh(self, begin: str) -> str:
        raise NotImplementedError

    def emit(self, name: str, results: tuple[str, ...] = (), *operands: Value) -> None:
        raise NotImplementedError

    def buffer(self) -> None:
        """Those of a file; what they hold is said of one alone."""
        groups = self.groups()
        space = self.space()
        (names, dtype, shape, size) = groups[0]
        alignment = self.alignment() if self.accept_word("align") else None
        section = self.section() if self.accept_word("section") else None
        data = described = None
        if self.next.kind == "=" and len(groups) > 1:
            self.fail("values are given to one kind of buffers", size.location, "use two lines")
        if self.accept("="):
            if self.accept("@"):
                described = self.expect("name", "a function's name")
                if dtype is not I64 or not is_flat(space):
                    hint = f"write '{names[0].text}: i64[2] in constant = @{described.text}'"
                    self.report("a function is described by i64 in memory", size.location, hint)
                self.described.append(described)
            elif not self.accept_word("zeros"):
                data = self.initial_values(dtype, math.prod(shape))
        function = described and described.text
        for names, dtype, shape, _ in groups:
            for name in names:
                if name.text in self.module.buffers:
                    first = self.module.buffers[name.text].location
                    message = f"buffer '{name.text}' is declared twice"
                    self.fail(message, name.location, f"first at {first}")
                count = math.prod(shape)
                held = (dtype, count, space, data, name.location, function, alignment, section)
                declared = Buffer(name.text, *held)
                self.module.buffers[name.text] = declared
                self.shapes[name.text] = shape

    def alignment(self) -> int:
        token = self.expect("number", "an alignment in bytes")
        value = int(self.literal(token, I64))
        if not 0 < value <= PAGE or value & (value - 1):
            hint = f"a power of two of at most {PAGE}"
            self.fail(f"{value} is no alignment", token.location, hint)
        return value

    def section(self) -> str:
        token = self.expect("name", "a section")
        if token.text not in SECTIONS:
            hint = nearest(token.text, SECTIONS)
            self.fail(f"there is no section '{token.text}'", token.location, hint)
        return token.text

    def initial_values(self, dtype: Type, count: int) -> bytes:
        start = self.expect("[", "'zeros' or '['")
        values, payloads = [], {}
        while self.next.kind != "]":
            if dtype.is_float and self.next.text == "nan" and self.ahead == "(":
                payloads[len(values)] = self.bits_of_nan(dtype)
                values.append(math.nan)
            else:
                values.append(self.literal(self.expect("number", "a number"), dtype))
            if not self.accept(","):
                break
        self.expect("]")
        if len(values) != count:
            message = f"{len(values)} initial values for {count} elements"
            self.report(message, start.location, "give one value per element, or 'zeros'")
        data = array_of(values, dtype)
        for index, bits in payloads.items():
            data.view(f"<u{dtype.bytes}")[index] = bits
        return data.tobytes()

    def bits_of_nan(self, dtype: Type) -> int:
        """`nan(0x7ff8000000000001)`: a NaN by its bits."""
        self.take()
        self.expect("(")
        token = self.expect("number", "the bits of a NaN")
        self.expect(")")
        number = number_of(token)
        bits = number if isinstance(number, int) and 0 < number < 1 << dtype.bits else 0
        element = np.array([bits], f"<u{dtype.bytes}").view(stored_type(dtype))
        if not math.isnan(*numbers_of(element, dtype)):
            message = f"{token} are not the bits of a NaN of type {dtype}"
            self.fail(message, token.location, f"as in nan({(1 << dtype.bits) - 1:#x})")
        return bits

    def groups(self) -> list[tuple[list[Token], Type, tuple[int, ...], Token]]:
        """`name, …: type[size, …], name, …: type[size, …]`"""
        found = [self.declared()]
        while self.accept(","):
            found.append(self.declared())
        return found

    def declared(self) -> tuple[list[Token], Type, tuple[int, ...], Token]:
        """`name, …: type[size, …]`; where the first size stands, too."""
        names = [self.new_name("a buffer's name")]
        while self.accept(","):
            names.append(self.new_name("a buffer's name"))
        self.expect(":")
        dtype = self.type_()
        if dtype is I1:
            self.fail("a buffer cannot hold i1", names[0].location, "use i8")
        self.expect("[")
        start = self.next
        if start.kind not in ("number", "name", "(", "-"):
            self.expect("number", "the number of elements")
        shape = [self.whole("the number of elements")]
        while self.accept(","):
            shape.append(self.whole("the number of elements"))
        self.expect("]")
        if min(shape) < 1 or math.prod(shape) >= _TOO_MANY:
            message = "a buffer has at least one element" if min(shape) < 1 else "it is too large"
            self.report(message, start.location)
            shape = [1]
        return names, dtype, (*shape,), start

    def type_(self) -> Type:
        token = self.expect("name", "a type")
        found = self.scope.type(token.text)
        if found is None:
            self.fail(f"unknown type '{token.text}'", token.location, nearest(token.text, TYPES))
        return found

    def space(self) -> str:
        if not self.accept_word("in"):
            self.fail(f"expected 'in SPACE', found {self.next}", self.next.location)
        token = self.expect("name", "a memory space")
        if space_named(token.text) is None:
            hint = nearest(token.text, spaces())
            self.fail(f"there is no memory space '{token.text}'", token.location, hint)
        return token.text

    def buffers_of(self, function: Function) -> None:
        """Buffers that only the lines behind them know."""
        groups = self.groups()
        space = self.space()
        for names, dtype, shape, _ in groups:
            for token in names:
                self.make(function, token, dtype, shape, space)

    def copied(self, function: Function) -> None:
        """`a in nram = x[0:16]`: a buffer like a part of another one, and a copy of it."""
        token = self.new_name("a buffer's name")
        space = self.space()
        self.expect("=")
        start = self.next
        view = self.view()
        self.end_of_line()
        shape = view.shape
        if any(not isinstance(size, int) for size in shape):
            hint = "say how many: '[low +: 16]'"
            self.fail("how large it is must be known", start.location, hint)
        if min(shape) < 1 or math.prod(shape) >= _TOO_MANY:
            self.fail("a buffer has at least one element", start.location)
        made = self.make(function, token, view.dtype, shape, space)
        operands = made.descriptor(self.holder), view.descriptor(self.holder)
        self.emit(f"tensor.copy.{view.dtype}", (), *operands)

    def make(
        self, function: Function, token: Token, dtype: Type, shape: tuple[int, ...], space: str
    ) -> View:
        """A buffer of a function."""
        if token.text in self.scope.views:
            self.fail(f"buffer '{token.text}' is declared twice", token.location)
        name = self.scope.renamed(token.text)
        if name in self.module.buffers:
            name = self.fresh(f"{function.name}.{token.text}.")
        where = self.here(token.location)
        self.module.buffers[name] = Buffer(name, dtype, math.prod(shape), space, None, where)
        found = self.scope.views[token.text] = whole(name, dtype, shape)
        return found
