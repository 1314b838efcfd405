"""Expressions of the text form: whole numbers, constants and i64 variables.

    i * 64 + 64     (N + 3) / 4 * 4     min(i + 64, n)     1.0 / N

What is known is computed at once, and so are factors; the rest becomes scalar code before the
instruction.  `/` and `%` are those of `div_s` and `rem_s`, of floats a quotient.
"""

from __future__ import annotations

import math

from compiler.ir.reading.cursor import Cursor
from compiler.ir.reading.lexer import Token, number_of
from compiler.ir.reading.linear import Amount, Linear, minus, plus, scaled, variable
from compiler.ir.reading.scope import Scope
from machines.instructions.cluster_control import IDENTITY
from machines.types import I64
from machines.vocabulary.numbers import sign_extend

OPERATORS = ("+", "-", "*", "/", "%")
_FUNCTIONS = {"min": "lt_s.i64", "max": "gt_s.i64"}
_DEEPEST = 40
_INT64 = range(-(1 << 63), 1 << 63)
_EXAMPLE = "as in 'i * 64 + 8'"


class ExpressionReader(Cursor):
    """`scope` says what names mean; `compute` makes scalar code."""

    scope: Scope
    deep = 0

    def compute(self, row: str, *operands: int | str) -> str:
        """The variable that holds the result of a scalar operation; fails where none can be."""
        raise NotImplementedError

    def is_expression(self) -> bool:
        """Whether what stands here is more than one number or variable."""
        token, ahead = self.next, self.tokens[min(self.position + 1, len(self.tokens) - 1)]
        if token.kind in ("(", "-"):
            return True
        if token.kind not in ("number", "name"):
            return False
        if token.kind == "name" and ahead.kind == "(" and token.text in _FUNCTIONS:
            return True
        if token.kind == "name" and (self.scope.has(token.text) or self.is_identity(token)):
            return True
        return ahead.kind in OPERATORS or (ahead.kind == "number" and ahead.text.startswith("-"))

    def is_identity(self, token: Token) -> bool:
        """Whether it is `task_id` or its like, and no variable of that name."""
        return token.text in IDENTITY and self.scope.renamed(token.text) not in self.scope.variables

    def whole(self, meaning: str = "a whole number") -> int:
        """An expression that is known."""
        start = self.next
        found = self.amount()
        if isinstance(found, Linear):
            names = ", ".join(name for name, _ in found.terms)
            message = f"{meaning} must be known, and '{names}' is a variable"
            self.fail(message, start.location, "use numbers and constants ('const N = 64')")
        return found

    def amount(self) -> Amount:
        """An expression without floats."""
        start = self.next
        found = self.expression()
        if isinstance(found, float):
            self.fail(f"'{found}' is no i64", start.location, "write a whole number")
        return found

    def expression(self) -> Amount | float:
        self.deep += 1
        if self.deep > _DEEPEST:
            self.deep = 0
            self.fail("an expression is nested too deep", self.next.location, "use variables")
        found = self._product()
        while True:
            token = self.next
            if token.kind in ("+", "-") and self.ahead != ":":
                self.take()
                found = self._applied(token, token.kind, found, self._product())
            elif token.kind == "number" and token.text.startswith("-"):  # as in 'i -1' and 'i-1'
                found = self._applied(token, "+", found, self._product())
            else:
                self.deep = max(self.deep - 1, 0)
                return found

    def _product(self) -> Amount | float:
        found = self._atom()
        while self.next.kind in ("*", "/", "%"):
            token = self.take()
            found = self._applied(token, token.kind, found, self._atom())
        return found

    def _atom(self) -> Amount | float:
        if self.next.kind == "-":
            sign = self.take()
            self.deep += 1
            if self.deep > _DEEPEST:
                self.deep = 0
                self.fail("an expression is nested too deep", sign.location, "use variables")
            found = self._applied(sign, "-", 0, self._atom())
            self.deep = max(self.deep - 1, 0)
            return found
        if self.next.kind == "number":
            token = self.take()
            return self._checked(token, number_of(token))
        if self.accept("("):
            found = self.expression()
            self.expect(")", "')' behind an expression")
            return found
        token = self.expect("name", "a number or an i64 variable", _EXAMPLE)
        if token.text in _FUNCTIONS and self.next.kind == "(":
            return self._extreme(token)
        found = self.scope.amount(token.text)
        if found is not None:
            return found
        if self.is_identity(token):
            held = self.scope.computed.get(token.text)
            if held is None:
                held = self.scope.computed[token.text] = self.compute(token.text)
            return variable(held)
        return variable(self.variable(token))

    def variable(self, token: Token) -> str:
        """The name of a variable in the function that is being read."""
        return self.scope.renamed(token.text)

    def _extreme(self, function: Token) -> Amount | float:
        """`min(a, b)` or `max(a, b)`."""
        self.expect("(")
        a = self.expression()
        self.expect(",", f"',' and a second operand of '{function.text}'")
        b = self.expression()
        self.expect(")", "')' behind the operands")
        if not isinstance(a, Linear) and not isinstance(b, Linear):
            return min(a, b) if function.text == "min" else max(a, b)
        self._whole_only(function, a, b)
        first, second = self.holder(a), self.holder(b)
        chosen = self.compute(_FUNCTIONS[function.text], first, second)
        return variable(self.compute("select.i64", chosen, first, second))

    def _applied(
        self, token: Token, operator: str, a: Amount | float, b: Amount | float
    ) -> Amount | float:
        if isinstance(a, float) or isinstance(b, float):
            return self._of_floats(token, operator, a, b)
        if operator in "+-":
            return self._checked(token, (plus if operator == "+" else minus)(a, b))
        if operator == "*":
            if not isinstance(a, Linear) or not isinstance(b, Linear):
                amount, factor = (a, b) if isinstance(a, Linear) else (b, a)
                return self._checked(token, scaled(amount, factor))
            return variable(self.compute("mul.i64", self.holder(a), self.holder(b)))
        if isinstance(b, Linear):
            hint = "compute it before: 'q = div_s.i64 a, b'"
            self.fail("a divisor must be known", token.location, hint)
        if b == 0:
            self.fail("division by zero", token.location)
        if not isinstance(a, Linear):
            quotient = abs(a) // abs(b) * (-1 if (a < 0) != (b < 0) else 1)
            return self._checked(token, quotient if operator == "/" else a - quotient * b)
        row = "div_s.i64" if operator == "/" else "rem_s.i64"
        return variable(self.compute(row, self.holder(a), b))

    def _of_floats(
        self, token: Token, operator: str, a: Amount | float, b: Amount | float
    ) -> float:
        self._whole_only(token, *(one for one in (a, b) if isinstance(one, Linear)), floats=True)
        a, b = float(a), float(b)
        match operator:
            case "+":
                return a + b
            case "-":
                return a - b
            case "*":
                return a * b
        if b == 0:
            self.fail("division by zero", token.location)
        return a / b if operator == "/" else math.fmod(a, b)

    def _whole_only(self, token: Token, *operands: Amount | float, floats: bool = False) -> None:
        """Fails for a float beside a variable."""
        if (floats and operands) or any(isinstance(one, float) for one in operands):
            hint = "compute it with operations: 'y = mul.f32 x, 0.5'"
            self.fail("an expression of variables is of i64", token.location, hint)

    def _checked(self, token: Token, found: Amount | float) -> Amount | float:
        numbers = [found]
        if isinstance(found, Linear):
            numbers = [found.constant, *(factor for _, factor in found.terms)]
        if any(isinstance(number, int) and number not in _INT64 for number in numbers):
            self.fail("a number does not fit i64", token.location)
        return found

    def holder(self, amount: Amount) -> int | str:
        """A number as it is, of what varies the variable that holds it."""
        if not isinstance(amount, Linear):
            return amount
        if amount.variable is not None:
            return amount.variable
        known = self.scope.computed.get(amount)
        if known is None:
            known = self.scope.computed[amount] = self._computed(amount)
        return known

    def _computed(self, amount: Linear) -> str:
        """Products first, then their sum, then what is known."""
        *others, (name, factor) = sorted(amount.terms, key=lambda term: term[1] == -1)
        if others and factor == -1:
            rest = Linear(tuple(others), amount.constant)
            return self.compute("sub.i64", self.holder(rest), name)
        if amount.constant:
            rest = self.holder(Linear(amount.terms))
            return self.compute("add.i64", rest, sign_extend(amount.constant, I64.bits))
        if others:
            product = self.holder(Linear(((name, factor),)))
            return self.compute("add.i64", self.holder(Linear(tuple(others))), product)
        return self.compute("mul.i64", name, sign_extend(factor, I64.bits))
