"""Constant expressions with the operators and the precedence of GNU as.

Multiplication, division, remainder and shifts bind strongest, then | & ^, then + and -.
"""

from __future__ import annotations

import re
from typing import Protocol

_TOKEN = re.compile(
    r"\s*(?:(?P<number>0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)(?![\w.])|'(?P<character>\\?.)'?"
    r"|(?P<name>@?[A-Za-z_.$][\w.$]*)|(?P<operator><<|>>|[-+*/%|&^~()]))"
)
_LEVELS = (("+", "-"), ("|", "&", "^"), ("*", "/", "%", "<<", ">>"))
_ESCAPES = {"\\n": "\n", "\\t": "\t", "\\r": "\r", "\\b": "\b", "\\f": "\f", "\\0": "\0"}
CLASSES = {
    "@pos": 1, "@neg": 2, "@zero": 4, "@unorm": 8, "@norm": 16, "@inf": 32, "@snan": 64,
    "@qnan": 128, "@nat": 256,
}  # fmt: skip
"""The classes of fclass as GNU as names them."""
MAXIMUM_SHIFT = 64
MAXIMUM_TOKENS = 200


class Values(Protocol):
    """The values of names, as a dict has them."""

    def get(self, name: str, /) -> int | None:
        """The value of a name, None if it has none."""


class ExpressionError(ValueError):
    """The text is no constant expression; the message says why."""


def evaluate(text: str, names: Values) -> int:
    """The value of an expression over named constants; raises ExpressionError."""
    tokens = _tokens(text)
    value, rest = _binary(tokens, 0, names)
    if rest:
        raise ExpressionError(f"unexpected '{rest[0][1]}' in '{text.strip()}'")
    return value


def _tokens(text: str) -> list[tuple[str, str]]:
    found, position, text = [], 0, text.strip()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if not match:
            raise ExpressionError(f"'{text}' is not a constant expression")
        found.append((match.lastgroup, match.group(match.lastgroup)))
        position = match.end()
    if len(found) > MAXIMUM_TOKENS:
        raise ExpressionError(f"the expression has more than {MAXIMUM_TOKENS} parts")
    if not found:
        raise ExpressionError("a value is missing")
    return found


def _binary(tokens: list, level: int, names: Values) -> tuple[int, list]:
    if level == len(_LEVELS):
        return _unary(tokens, names)
    left, rest = _binary(tokens, level + 1, names)
    while rest and rest[0][0] == "operator" and rest[0][1] in _LEVELS[level]:
        operator = rest[0][1]
        right, rest = _binary(rest[1:], level + 1, names)
        left = _apply(operator, left, right)
    return left, rest


def _apply(operator: str, a: int, b: int) -> int:
    if operator in ("/", "%"):
        if b == 0:
            raise ExpressionError("division by zero")
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return quotient if operator == "/" else a - b * quotient
    if operator in ("<<", ">>"):
        if not 0 <= b <= MAXIMUM_SHIFT:
            raise ExpressionError(f"shift count {b} is not in 0 … {MAXIMUM_SHIFT}")
        return a << b if operator == "<<" else a >> b
    simple = {"+": a + b, "-": a - b, "*": a * b, "|": a | b, "&": a & b, "^": a ^ b}
    return simple[operator]


def _unary(tokens: list, names: Values) -> tuple[int, list]:
    if not tokens:
        raise ExpressionError("an operand is missing")
    (kind, text), rest = tokens[0], tokens[1:]
    if kind == "number":
        octal = len(text) > 1 and text[0] == "0" and text.isdigit()
        try:
            return int(text, 8 if octal else 0), rest
        except ValueError:
            raise ExpressionError(f"'{text}' is not an octal number") from None
    if kind == "character":
        return ord(_ESCAPES.get(text, text[-1])), rest
    if kind == "name":
        value = CLASSES.get(text, names.get(text))
        if value is None:
            raise ExpressionError(f"'{text}' is not a constant")
        return value, rest
    if text in "+-~":
        value, rest = _unary(rest, names)
        return {"+": value, "-": -value, "~": ~value}[text], rest
    if text == "(":
        value, rest = _binary(rest, 0, names)
        if not rest or rest[0][1] != ")":
            raise ExpressionError("')' is missing")
        return value, rest[1:]
    raise ExpressionError(f"unexpected '{text}'")
