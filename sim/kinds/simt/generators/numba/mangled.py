"""Names of kernels as Numba mangles them, which hold the types of all parameters.

    signature("_ZN8__main__5saxpyB2v1B92cw51…Ef5ArrayIfLi1E1C7mutable7alignedE")
    ("saxpy", (Number("f32"), Array("f32", 1, "C")))

The form is that of C++'s mangling without its abbreviations: a path of names with their lengths,
tags (`B2v1`: the version of the function, and one of its compiler's options), then a type after the
other; a number is a letter, an array `5ArrayI<element>Li<axes>E1<layout>…E`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

BEGIN = "_ZN"
_NUMBERS = {
    "b": "boolean", "a": "i8", "h": "u8", "s": "i16", "t": "u16", "i": "i32", "j": "u32",
    "x": "i64", "l": "i64", "y": "u64", "m": "u64", "f": "f32", "d": "f64", "Dh": "f16",
}  # fmt: skip
_VERSION = re.compile(r"v\d+")


@dataclass(frozen=True)
class Number:
    """A parameter that is a number of a type of elements."""

    type: str


@dataclass(frozen=True)
class Array:
    """One that is an array: layout 'C', 'F' or 'A' (any)."""

    elements: str
    axes: int
    layout: str


Type = Number | Array


class NotMangled(ValueError):
    """A name, or a type in it, is none that this reads; the text says which."""


def is_mangled(name: str) -> bool:
    """Whether a name has the tags that Numba gives."""
    try:
        return _VERSION.fullmatch(_path(name[name.index(BEGIN) :])[1][0]) is not None
    except (NotMangled, ValueError, IndexError):
        return False


def signature(name: str) -> tuple[str, tuple[Type, ...]]:
    """A kernel's name in the source, and its parameters' types; raises NotMangled."""
    own, _, rest = _path(name)
    found: list[Type] = []
    while rest:
        one, rest = _type(rest)
        found.append(one)
    return own, tuple(found)


def _path(name: str) -> tuple[str, list[str], str]:
    """The last name of the path, its tags, and what comes after."""
    if not name.startswith(BEGIN):
        raise NotMangled(f"'{name}' is not mangled")
    rest, own, tags = name[len(BEGIN) :], "", []
    while not rest.startswith("E"):
        is_tag = rest.startswith("B")
        word, rest = _counted(rest[is_tag:])
        if is_tag:
            tags.append(word)
        else:
            own, tags = word, []
    return own, tags, rest[1:]


def _counted(text: str) -> tuple[str, str]:
    """A word with its length in front, and the rest."""
    digits = re.match(r"\d+", text)
    if digits is None:
        raise NotMangled(f"no length stands before '{text[:20]}'")
    begin, length = digits.end(), int(digits[0])
    if len(text) < begin + length:
        raise NotMangled(f"'{text[:20]}' ends too early")
    return text[begin : begin + length], text[begin + length :]


def _type(text: str) -> tuple[Type, str]:
    for code in (text[:2], text[:1]):
        if code in _NUMBERS:
            return Number(_NUMBERS[code]), text[len(code) :]
    name, rest = _counted(text)
    if name != "Array" or not rest.startswith("I"):
        raise NotMangled(f"a parameter of type '{name}'")
    element, rest = _type(rest[1:])
    axes = re.match(r"Li(\d+)E", rest)
    if axes is None or not isinstance(element, Number):
        raise NotMangled("an array of arrays")
    layout, rest = _counted(rest[axes.end() :])
    while not rest.startswith("E"):  # mutable, aligned
        _, rest = _counted(rest)
    return Array(element.type, int(axes[1]), layout), rest[1:]
