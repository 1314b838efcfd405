"""What a source language says of a function's arguments, beyond their IR types."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Argument:
    """The type of one argument or result.

    dtype  type of a scalar or of an array's elements, with its sign: 'u8', 'i32', 'f64', 'boolean'
    shape  None for a scalar; for an array its sizes, row-major: a number, an expression of integer
           arguments as text ('n', 'n + 1'; + - * // and parentheses, meant as Python means them),
           or None where any size will do

    >>> str(Argument("f32", ("n + 1", 3)))
    'f32[n + 1, 3]'
    """

    dtype: str
    shape: tuple[int | str | None, ...] | None = None

    def __str__(self) -> str:
        if self.shape is None:
            return self.dtype
        sizes = (":" if size is None else str(size) for size in self.shape)
        return f"{self.dtype}[{', '.join(sizes)}]"
