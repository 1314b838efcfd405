"""Operands of the text form: names, numbers as values of their operand's kind, and the rest."""

from __future__ import annotations

import math

from compiler.ir.builder import canonical
from compiler.ir.literals import literal_range
from compiler.ir.module import Value
from compiler.ir.printer import float_type
from compiler.ir.reading.interval_text import IntervalReader
from compiler.ir.reading.lexer import Token, number_of
from compiler.ir.reading.linear import Linear
from machines.diagnostics import Location
from machines.operations.row import Label, OperandKind, Region, Symbol
from machines.types import Type

FORM = "the first line of machine code is 'form FORM of FAMILY', as in 'form virtual of ia64'"


class OperandReader(IntervalReader):
    """Reads operands; `is_ir` says whether the code is IR, which has no registers."""

    is_ir = True

    def values(self, kinds: list[OperandKind | None]) -> tuple[Value, ...]:
        """Comma-separated values up to 'else', an attribute list or the end of the line."""
        values: list[Value] = []
        if self.next.kind in ("newline", "end", "{", "}") or self.next.text == "else":
            return ()
        while True:
            kind = kinds[len(values)] if len(values) < len(kinds) else None
            values.append(self.value(kind))
            if not self.accept(","):
                return tuple(values)

    def value(self, kind: OperandKind | None) -> Value:
        if self.next.kind == "register":
            return self.register().text
        if isinstance(kind, Label) and self.accept("@"):
            return f"@{self.expect('name', 'the name of a function').text}"
        following = self.ahead
        if self.next.kind == "name" and following == "[":
            return self.descriptor()
        if self.next.text == "any" and following == "(":
            return self.any_of()
        is_name = isinstance(kind, Label | Symbol)
        if isinstance(kind, Region) and self.is_ir and self.next.kind == "name":
            view = self.view_named(self.next.text)
            if view is not None:
                self.take()
                return view.descriptor(self.holder)
        elif self.is_ir and not is_name and self.is_expression():
            return self.computed_value(kind)
        if self.next.kind == "number":
            return self.literal(self.take(), kind)
        meaning = "an interval" if isinstance(kind, Region) else "a variable or a number"
        token = self.expect("name", meaning)
        if token.text in ("true", "false"):
            return int(token.text == "true")
        if isinstance(kind, Symbol):
            view = self.view_named(token.text)
            return view.buffer if view is not None else self.named(token)
        return self.name(token)

    def computed_value(self, kind: OperandKind | None) -> Value:
        """An expression as a value of its operand's kind."""
        start = self.next
        found = self.expression()
        if isinstance(found, Linear):
            return self.holder(found)
        return self.fitting(found, str(found), start.location, kind)

    def register(self) -> Token:
        """A virtual register, of which IR has none."""
        token = self.take()
        if self.is_ir:
            self.fail(
                f"{token} is a register of machine code, and this is IR", token.location, FORM
            )
        return token

    def name(self, token: Token) -> str:
        """A variable or a block."""
        return self.scope.renamed(self.named(token))

    def variable(self, token: Token) -> str:
        return self.name(token)

    def literal(self, token: Token, kind: OperandKind | None) -> int | float:
        """A number as a value of its operand's kind; what does not fit is reported."""
        return self.fitting(number_of(token), token.text, token.location, kind)

    def fitting(
        self, number: int | float, shown: str, location: Location, kind: OperandKind | None
    ) -> int | float:
        """A number as a value of a kind."""
        if isinstance(kind, (Label, Symbol)):
            wanted = "a block's name" if isinstance(kind, Label) else "a buffer's name"
            self.fail(f"expected {wanted}, found '{shown}'", location)
        floating = float_type(kind)
        if isinstance(kind, Type) and kind.is_float:
            return self.float_literal(number, shown, location, kind)
        if isinstance(number, float) and isinstance(kind, Type):
            self.report(f"'{shown}' is no {kind}", location, "write a whole number")
            return 0
        if not isinstance(kind, Type):
            is_float = isinstance(number, float) and floating is not None
            return self.float_literal(number, shown, location, floating) if is_float else number
        lowest, highest = literal_range(kind)
        if not lowest <= number <= highest:
            message = f"'{shown}' does not fit {kind}"
            self.report(message, location, f"{kind} takes {lowest} … {highest}")
            return 0
        return canonical(number, kind)

    def float_literal(
        self, number: int | float, shown: str, location: Location, kind: Type
    ) -> float:
        try:
            value = canonical(number, kind)
        except OverflowError:
            value = math.inf
        is_lost = math.isnan(value) and "nan" not in shown
        if is_lost or (math.isinf(value) and "inf" not in shown):
            has_none = f"up to {kind.format.largest:g}, or nan"
            hint = "write inf or -inf" if kind.format.has_infinities else has_none
            self.report(f"'{shown}' does not fit {kind}", location, hint)
        return value
