"""Constant expressions: `-4`, `3*4+(1<<2)`, `(.u64) -1 / 2`, `1.0 / 3.0`.

As ptxas computes them: integers have 64 bits and are unsigned if either operand is (`U`, a literal
of 2^63 or more, a cast, what `~` and `%` give: -7 % 2 is 1); shifts count modulo 64; comparisons
give 0 or 1; floats are f64 and never mix with integers.  (PTX ISA, "Constant Expressions".)
"""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable
from typing import NamedTuple

from compiler.frontends.ptx.findings import Refused
from compiler.frontends.ptx.reading.lexer import MARK, NUMBER, Real, number_of
from compiler.frontends.ptx.reading.tokens import Tokens

DEEPEST = 30
"""Parentheses and conditions in one another."""
_LEVELS = (
    ("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", "<=", ">", ">="),
    ("<<", ">>"), ("+", "-"), ("*", "/", "%"),
)  # fmt: skip
"""Operators, those that bind least first."""
_LEVEL = {text: level for level, texts in enumerate(_LEVELS) for text in texts}
_CASTS = {".s64": False, ".u64": True}
_64_BITS = (1 << 64) - 1


class Whole(NamedTuple):
    """An integer of 64 bits; a literal may have more, which whoever takes it refuses."""

    value: int
    is_unsigned: bool = False

    def wrapped(self, value: int, is_unsigned: bool) -> Whole:
        """A result in 64 bits."""
        value &= _64_BITS
        return Whole(value if is_unsigned or value < 1 << 63 else value - (1 << 64), is_unsigned)


Operand = Whole | Real


def expression(cursor: Tokens, what: str) -> int | Real:
    """The value of the expression that begins here; `what` is expected, for messages."""
    found = _condition(cursor, what, 0)
    return found.value if isinstance(found, Whole) else found


def begins(cursor: Tokens) -> bool:
    """Whether an expression begins here."""
    return cursor.token.kind == NUMBER or cursor.at("-", "+", "~", "(")


def _condition(cursor: Tokens, what: str, depth: int) -> Operand:
    """`a ? b : c`, or what binds more."""
    at = cursor.token.at
    if depth > DEEPEST:
        raise Refused(f"a constant expression is nested more than {DEEPEST} levels deep", at=at)
    test = _binary(cursor, what, 0, depth)
    if not cursor.accept("?"):
        return test
    first = _condition(cursor, what, depth + 1)
    cursor.expect(":", "between the values of a condition")
    second = _condition(cursor, what, depth + 1)
    if not (isinstance(test, Whole) and isinstance(first, Whole) and isinstance(second, Whole)):
        raise Refused("a condition and its values are integers", at=at)
    return first if test.value else second


def _binary(cursor: Tokens, what: str, level: int, depth: int) -> Operand:
    """Operators of a level and of those that bind more, from left to right."""
    left = _unary(cursor, what, depth)
    while (text := _operator(cursor)) and _LEVEL[text] >= level:
        at = cursor.token.at
        cursor.index += len(text)
        right = _binary(cursor, what, _LEVEL[text] + 1, depth)
        left = _computed(text, left, right, at)
    return left


def _operator(cursor: Tokens) -> str | None:
    """The operator that stands here: one mark, or two without space between."""
    token, following = cursor.token, cursor.following
    if token.kind != MARK:
        return None
    both = token.text + following.text if following.at == token.at + 1 else token.text
    return next((text for text in (both, token.text) if text in _LEVEL), None)


def _unary(cursor: Tokens, what: str, depth: int) -> Operand:
    """Signs and casts before a number or an expression in parentheses."""
    before: list[tuple[str, int]] = []
    while True:
        is_cast = cursor.at("(") and cursor.following.text in _CASTS
        if not is_cast and not cursor.at("-", "+", "~", "!"):
            break
        at = cursor.take().at
        before.append((cursor.take().text if is_cast else cursor.tokens[cursor.index - 1].text, at))
        if is_cast:
            cursor.expect(")", "after the type")
    if cursor.accept("("):
        found = _condition(cursor, what, depth + 1)
        cursor.expect(")", "after the expression")
    else:
        if cursor.token.kind != NUMBER:
            raise cursor.unexpected(what)
        text = cursor.take().text
        number = number_of(text)
        is_unsigned = text.endswith("U") or (isinstance(number, int) and number >= 1 << 63)
        found = number if isinstance(number, Real) else Whole(number, is_unsigned)
    for text, at in reversed(before):
        found = _signed(text, found, at)
    return found


def _signed(text: str, x: Operand, at: int) -> Operand:
    if isinstance(x, Real):
        if text not in "+-":
            raise Refused(f"'{text}' takes an integer", at=at)
        return x if text == "+" else Real(x.bits ^ 1 << (x.width - 1), x.width)
    if text in _CASTS:
        return x.wrapped(x.value, _CASTS[text])
    if text == "!":
        return Whole(int(x.value == 0))
    if text == "+" or x.value > _64_BITS:
        return x
    if text == "-":
        return x.wrapped(-x.value, x.is_unsigned)
    return x.wrapped(~x.value, True)


_TESTS: dict[str, Callable] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge,
    "||": lambda a, b: a or b, "&&": lambda a, b: a and b,
}  # fmt: skip
_INTEGER: dict[str, Callable[[int, int], int]] = {
    "|": operator.or_, "^": operator.xor, "&": operator.and_,
    "+": operator.add, "-": operator.sub, "*": operator.mul,
}  # fmt: skip
_FLOATING: dict[str, Callable[[float, float], float]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul,
}  # fmt: skip


def _computed(text: str, a: Operand, b: Operand, at: int) -> Operand:
    if isinstance(a, Real) and isinstance(b, Real):
        return _floating(text, a, b, at)
    if isinstance(a, Real) or isinstance(b, Real):
        raise Refused(f"'{text}' takes two integers or two floats", at=at)
    if max(a.value, b.value) > _64_BITS:
        raise Refused(f"{max(a.value, b.value)} has more than 64 bits", at=at)
    is_unsigned = a.is_unsigned or b.is_unsigned or text == "%"
    if text in ("<<", ">>"):
        count = b.value & 63
        return a.wrapped(a.value << count if text == "<<" else a.value >> count, a.is_unsigned)
    x, y = (one.wrapped(one.value, is_unsigned).value for one in (a, b))
    if text in _TESTS:
        return Whole(int(bool(_TESTS[text](x, y))))
    if text in ("/", "%"):
        if y == 0:
            raise Refused("a division by zero", at=at)
        if text == "/" and not is_unsigned and (x, y) == (-(1 << 63), -1):  # ptxas dies of it
            raise Refused("the quotient has more than 64 bits", at=at)
        quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
        return a.wrapped(quotient if text == "/" else x - quotient * y, is_unsigned)
    return a.wrapped(_INTEGER[text](x, y), is_unsigned)


def _floating(text: str, a: Real, b: Real, at: int) -> Operand:
    if a.width == 32 or b.width == 32:
        raise Refused(f"'{text}' takes floats as 1.0 or 0d3FF0000000000000, not of 32 bits", at=at)
    x, y = a.value, b.value
    if _LEVEL[text] in (_LEVEL["=="], _LEVEL["<"]):
        return Whole(int(_TESTS[text](x, y)))
    if text == "/":
        found = (
            x / y
            if y
            else math.nan
            if x == 0 or math.isnan(x)
            else math.copysign(math.inf, x) * math.copysign(1, y)
        )
    elif text in _FLOATING:
        found = _FLOATING[text](x, y)
    else:
        raise Refused(f"'{text}' takes integers", at=at)
    return Real(int.from_bytes(struct.pack("<d", found), "little"), 64)
