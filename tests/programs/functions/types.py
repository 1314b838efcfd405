"""Types of random functions: a scalar's name, ("array", element), or ("tuple", part, …)."""

from __future__ import annotations

from typing import Any

INTEGERS = ("i32", "i64", "u32", "u64")
FLOATS = ("f32", "f64")
NUMBERS = (*INTEGERS, *FLOATS)
Type = Any


def shown(type: Type) -> str:
    """A type as the source language writes it."""
    if isinstance(type, str):
        return type
    if type[0] == "array":
        return f"{shown(type[1])}[:]"
    return f"tuple[{', '.join(map(shown, type[1:]))}]"


def array(element: Type) -> Type:
    return ("array", element)


def is_array(type: Type) -> bool:
    return type[0] == "array"


def is_tuple(type: Type) -> bool:
    return type[0] == "tuple"


def is_ragged(type: Type) -> bool:
    return is_array(type) and is_array(type[1])
