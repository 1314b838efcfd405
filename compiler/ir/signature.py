"""What a source language says of a function's arguments, beyond their IR types."""

from __future__ import annotations

import ast
import operator
from collections.abc import Mapping
from dataclasses import dataclass

_IN_SIZES = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
}


@dataclass(frozen=True, slots=True)
class Argument:
    """The type of one argument.

    dtype  type of a scalar or of an array's elements, with its sign: 'u8', 'i32', 'f64', 'boolean'
    shape  None for a scalar; for an array its sizes, row-major: a number, an expression of integer
           arguments ('n', 'n + 1', with + - * // only), or None where any size will do
    """

    dtype: str
    shape: tuple[int | str | None, ...] | None = None

    def sizes(self, integers: Mapping[str, int]) -> tuple[int | None, ...]:
        """The shape, with its expressions evaluated for these integer arguments.

        Raises ZeroDivisionError if an expression divides by zero, and KeyError if it names an
        argument that is not given.

        >>> Argument("f32", ("n + 1", 3)).sizes({"n": 4})
        (5, 3)
        """
        return tuple(
            _evaluate(ast.parse(size, mode="eval").body, integers)
            if isinstance(size, str)
            else size
            for size in self.shape or ()
        )

    def __str__(self) -> str:
        if self.shape is None:
            return self.dtype
        sizes = (":" if size is None else str(size) for size in self.shape)
        return f"{self.dtype}[{', '.join(sizes)}]"


def _evaluate(node: ast.expr, integers: Mapping[str, int]) -> int:
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.Name(id=name):
            return integers[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_evaluate(operand, integers)
        case ast.BinOp(left=left, op=op, right=right):
            return _IN_SIZES[type(op)](_evaluate(left, integers), _evaluate(right, integers))
    raise ValueError(f"'{ast.unparse(node)}' cannot stand in an array's size")
