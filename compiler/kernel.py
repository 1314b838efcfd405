"""The names a kernel file imports, so that editors and linters know them.

A function marked `@kernel` is parsed by `compiler/frontends/python`, never executed: these objects
only let the file be imported and its annotations be evaluated.  PYTHON.md beside the front end
describes the language.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn


class KernelType:
    """An element type: `f32` annotates a scalar, `f32[:]`, `f32[n, m]` and `f32[64]` an array."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __getitem__(self, dimensions: object) -> KernelType:
        return self

    def __call__(self, value: object) -> NoReturn:
        raise TypeError(f"{self.name}(…) is a cast inside kernels, which are compiled, not run")

    def __repr__(self) -> str:
        return self.name


i8, i16, i32, i64 = (KernelType(name) for name in ("i8", "i16", "i32", "i64"))
u8, u16, u32, u64 = (KernelType(name) for name in ("u8", "u16", "u32", "u64"))
f32, f64, boolean = (KernelType(name) for name in ("f32", "f64", "boolean"))


def kernel(function: Callable) -> Callable:
    """Mark a function as a kernel; calling it from Python is an error."""

    def refuse(*arguments: object) -> NoReturn:
        raise TypeError(f"{function.__name__} is a kernel: it is compiled, Python cannot run it")

    refuse.__name__, refuse.__doc__ = function.__name__, function.__doc__
    return refuse


def sqrt(value: object) -> NoReturn:
    """The square root, rounded once, of an f32 or f64."""
    raise TypeError("sqrt is a kernel operation: kernels are compiled, not run")


def fma(a: object, b: object, c: object) -> NoReturn:
    """a * b + c, rounded once."""
    raise TypeError("fma is a kernel operation: kernels are compiled, not run")
