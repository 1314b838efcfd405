"""Arithmetic on literals: exact integers and doubles, as Python computes them."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable

from compiler.python_syntax.errors import Source

LARGEST = 1 << 64
"""Integer literals and what is computed from them stay below this in magnitude."""
LARGEST_SHIFT = 64
LARGEST_EXPONENT = 64

_ON_NUMBERS: dict[type[ast.operator], Callable] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
_ON_INTEGERS: dict[type[ast.operator], Callable] = {
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}


def fold(source: Source, node: ast.BinOp, a: int | float, b: int | float) -> int | float:
    """The value of `a op b`; refuses what has no value, or one too large."""
    operation = type(node.op)
    integers = isinstance(a, int) and isinstance(b, int)
    if operation in _ON_INTEGERS:
        if not integers:
            source.refuse(node, "bitwise operations need integers")
        if operation in (ast.LShift, ast.RShift) and not 0 <= b <= LARGEST_SHIFT:
            source.refuse(node, f"cannot shift by {b}", f"shift by 0 … {LARGEST_SHIFT}")
        return check_size(source, node, _ON_INTEGERS[operation](a, b))
    if operation is ast.Div and integers:
        source.refuse(node, *quotient_of_integers(source, node))
    if operation is ast.Pow:
        check_exponent(source, node, b)
    if operation not in _ON_NUMBERS:
        source.refuse(node, "matrix multiplication is not in the language", "write the loops")
    try:
        return check_size(source, node, _ON_NUMBERS[operation](a, b))
    except ZeroDivisionError:
        return source.refuse(node, "division by zero")
    except OverflowError:
        return source.refuse(node, "the result is too large")


def check_size(source: Source, node: ast.AST, value: int | float) -> int | float:
    """The value, refused if it is an integer that no type holds."""
    if isinstance(value, int) and abs(value) >= LARGEST:
        source.refuse(node, "the integer does not fit in 64 bits")
    return value


def quotient_of_integers(source: Source, node: ast.BinOp) -> tuple[str, str]:
    """Message and hint for `/` between integers."""
    left, right = source.quote(node.left), source.quote(node.right)
    return (
        "'/' of two integers is not in the language",
        f"write {left} // {right} for the floor, or f64({left}) / f64({right})",
    )


def check_exponent(source: Source, node: ast.BinOp, exponent: object) -> None:
    """Refuses a power whose exponent is not a small constant; None stands for no constant."""
    if not isinstance(exponent, int) or not 0 <= exponent <= LARGEST_EXPONENT:
        message = f"the exponent of '**' must be a constant from 0 to {LARGEST_EXPONENT}"
        source.refuse(node.right, message, "multiply in a loop")
