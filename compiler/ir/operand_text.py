"""Operands of the text form: names, numbers as values of their operand's kind, intervals."""

from __future__ import annotations

import math

from compiler.ir.builder import canonical
from compiler.ir.cursor import Cursor, Skip
from compiler.ir.lexer import RESERVED, Token, number_of
from compiler.ir.module import AnyOf, Descriptor, Value
from compiler.ir.printer import float_type
from compiler.ir.verify import literal_range
from machines.operations.row import Label, OperandKind, Region, Symbol
from machines.types import I64, Type

INTERVAL = "an interval is 'a[low:high]', both bounds numbers or i64 variables"
STRIDED = "a strided interval is 'a[low:high, count by stride]'"
FORM = "the first line of machine code is 'form FORM of FAMILY', as in 'form virtual of ia64'"


class OperandReader(Cursor):
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
        if self.next.kind == "number":
            return self.literal(self.take(), kind)
        if self.next.kind == "register":
            return self.register().text
        if isinstance(kind, Label) and self.accept("@"):
            return f"@{self.expect('name', 'the name of a function').text}"
        following = self.ahead
        if self.next.kind == "name" and following == "[":
            return self.descriptor()
        if self.next.text == "any" and following == "(":
            return self.any_of()
        meaning = "an interval" if isinstance(kind, Region) else "a variable or a number"
        token = self.expect("name", meaning)
        if token.text in ("true", "false"):
            return int(token.text == "true")
        return self.name(token)

    def register(self) -> Token:
        """A virtual register, of which IR has none."""
        token = self.take()
        if self.is_ir:
            self.fail(
                f"{token} is a register of machine code, and this is IR", token.location, FORM
            )
        return token

    def name(self, token: Token) -> str:
        if token.text in RESERVED:
            self.fail(f"'{token.text}' cannot stand here", token.location)
        return token.text

    def descriptor(self) -> Descriptor:
        """`a[low:high]` or `a[low:high, count by stride, …]`."""
        buffer = self.name(self.expect("name", "a buffer's name", INTERVAL))
        self.expect("[", hint=INTERVAL)
        low = self.bound()
        self.expect(":", "':' and the bound behind the last element", INTERVAL)
        high = self.bound()
        steps = []
        while self.accept(","):
            steps.append(self.step())
        self.expect("]", hint=INTERVAL)
        return Descriptor(buffer, low, high, tuple(steps))

    def step(self) -> tuple[int | str, int | str]:
        """`count by stride`."""
        count = self.bound()
        if not self.accept_word("by"):
            self.fail(f"expected 'by' and a stride, found {self.next}", self.next.location, STRIDED)
        return count, self.bound()

    def bound(self) -> int | str:
        if self.next.kind != "number":
            return self.name(self.expect("name", "a number or an i64 variable", INTERVAL))
        already = len(self.findings)
        bound = self.literal(self.take(), I64)
        if len(self.findings) > already:
            raise Skip
        return bound

    def any_of(self) -> AnyOf:
        """`any(a[0:32], b[0:64])`; the verifier asks for a candidate."""
        self.take()
        self.expect("(")
        candidates = []
        while self.next.kind != ")":
            candidates.append(self.descriptor())
            if not self.accept(","):
                break
        self.expect(")")
        return AnyOf(tuple(candidates))

    def literal(self, token: Token, kind: OperandKind | None) -> int | float:
        """A number as a value of its operand's kind; what does not fit is reported."""
        if isinstance(kind, (Label, Symbol)):
            wanted = "a block's name" if isinstance(kind, Label) else "a buffer's name"
            self.fail(f"expected {wanted}, found {token}", token.location)
        number, floating = number_of(token), float_type(kind)
        if isinstance(kind, Type) and kind.is_float:
            return self.float_literal(token, number, kind)
        if isinstance(number, float) and isinstance(kind, Type):
            self.report(f"{token} is no {kind}", token.location, "write a whole number")
            return 0
        if not isinstance(kind, Type):
            is_float = isinstance(number, float) and floating is not None
            return self.float_literal(token, number, floating) if is_float else number
        lowest, highest = literal_range(kind)
        if not lowest <= number <= highest:
            message = f"{token} does not fit {kind}"
            self.report(message, token.location, f"{kind} takes {lowest} … {highest}")
            return 0
        return canonical(number, kind)

    def float_literal(self, token: Token, number: int | float, kind: Type) -> float:
        try:
            value = canonical(number, kind)
        except OverflowError:
            value = math.inf
        if math.isinf(value) and "inf" not in token.text:
            self.report(f"{token} does not fit {kind}", token.location, "write inf or -inf")
        return value
