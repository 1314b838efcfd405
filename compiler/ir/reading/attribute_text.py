"""What attributes hold, as text: plain data, and the records that targets declare.

3   -0.5   "MII"   true   none   i64      numbers, texts, truth, nothing, types of the IR
[1, 2]   (1, 2)   {cycle: 3, (1, 2): 0}   lists, tuples, dictionaries
["r2" to "r11", "f6"]                     a row of names that count up
KernelParameter(name: "n", type: i64)     a record: a dataclass; fields left out are the defaults
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from compiler.ir.reading.cursor import Cursor
from compiler.ir.reading.lexer import Token, number_of
from machines.diagnostics import Location, nearest
from machines.types import TYPES, Type

_WORDS = {"true": True, "false": False, "none": None}
_SHOWN = {value: word for word, value in _WORDS.items()}
_NUMBERED = re.compile(r"(.*?)(0|[1-9]\d*)\Z", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_$][\w.$]*\Z", re.ASCII)
_SHORTEST_ROW, _LONGEST_ROW = 3, 1 << 10
_DEEPEST = 20


def print_value(value: object) -> str:
    """An attribute's value; reading it back gives an equal one.

    >>> print_value({"cycle": 3, "clobbers": ("r2", "r3", "r4", "f6")})
    '{cycle: 3, clobbers: ("r2" to "r4", "f6")}'

    Raises TypeError for what is no plain data.
    """
    return " ".join(_pieces(value))


def print_lines(value: object, first: str, indent: str, width: int = 100) -> Iterator[str]:
    """A value behind what begins its first line; where it is too long, broken behind commas."""
    piece, *pieces = _pieces(value)
    line = first + piece
    for piece in pieces:
        if len(line) + 1 + len(piece) > width:
            yield line
            line = indent + piece
        else:
            line += f" {piece}"
    yield line


def _pieces(value: object) -> list[str]:
    """The text of a value in the pieces between which a line may end."""
    if value is None or isinstance(value, bool):
        return [_SHOWN[value]]
    if isinstance(value, str):
        return [json.dumps(value)]
    if isinstance(value, int | float | Type):
        return [str(value)]
    if isinstance(value, dict):
        return _enclosed("{", [_named(_key(k), _pieces(v)) for k, v in value.items()], "}")
    if isinstance(value, list):
        return _enclosed("[", list(_items(value)), "]")
    if isinstance(value, tuple):
        return _enclosed("(", list(_items(value)), ")")
    if is_dataclass(value):
        given = [_named(name, _pieces(v)) for name, v in _fields_given(value)]
        return _enclosed(f"{type(value).__name__}(", given, ")")
    raise TypeError(f"an attribute cannot hold {value!r}, of type {type(value).__name__}")


def _enclosed(opening: str, items: list[list[str]], closing: str) -> list[str]:
    """Items in brackets, a comma behind each but the last."""
    if not items:
        return [opening + closing]
    pieces = [piece for item in items[:-1] for piece in (*item[:-1], f"{item[-1]},")] + items[-1]
    pieces[0] = opening + pieces[0]
    pieces[-1] += closing
    return pieces


def _named(name: str, pieces: list[str]) -> list[str]:
    return [f"{name}: {pieces[0]}", *pieces[1:]]


def _key(key: object) -> str:
    return key if isinstance(key, str) and _NAME.match(key) else print_value(key)


def _items(values: Sequence[object]) -> Iterator[list[str]]:
    """The items of a list; names that count up as a row."""
    index = 0
    while index < len(values):
        end = index + 1
        while end < len(values) and _follows(values[end - 1], values[end]):
            end += 1
        if end - index >= _SHORTEST_ROW:
            yield [f"{print_value(values[index])} to {print_value(values[end - 1])}"]
            index = end
        else:
            yield _pieces(values[index])
            index += 1


def _follows(first: object, second: object) -> bool:
    """Whether two names are those of one row, one behind the other."""
    if not (isinstance(first, str) and isinstance(second, str)):
        return False
    a, b = _NUMBERED.match(first), _NUMBERED.match(second)
    return bool(a and b and a[1] == b[1] and int(a[2]) + 1 == int(b[2]))


def _fields_given(record: object) -> Iterator[tuple[str, object]]:
    for field in fields(record):
        value = getattr(record, field.name)
        default = field.default
        if field.default_factory is not MISSING:
            default = field.default_factory()
        if default is MISSING or value != default:
            yield field.name, value


def is_a(value: object, hint: object) -> bool:
    """Whether a value is what a type hint says: a class, `A | B`, `list[A]`, `tuple[A, …]`,
    `dict[A, B]` or `Any`.

    >>> is_a((1, 2), tuple[int, int]), is_a([1, None], list[int | None]), is_a(True, int)
    (True, True, False)
    """
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is Any:
        return True
    if origin is None:
        wanted = type(None) if hint is None else hint
        return type(value) is wanted
    if origin in (Union, UnionType):
        return any(is_a(value, one) for one in arguments)
    if not isinstance(value, origin):
        return False
    if origin is tuple and arguments[-1] is not Ellipsis:
        same = len(value) == len(arguments)
        return same and all(map(is_a, value, arguments))
    if origin is dict:
        return all(is_a(k, arguments[0]) and is_a(v, arguments[1]) for k, v in value.items())
    return all(is_a(one, arguments[0]) for one in value)


def hint_text(hint: object) -> str:
    """A type hint as people write it.

    >>> hint_text(int), hint_text(list[int | None])
    ('int', 'list[int | None]')
    """
    shown = hint.__name__ if isinstance(hint, type) and not get_args(hint) else str(hint)
    return re.sub(r"(?:\w+\.)+(?=[A-Za-z_])", "", shown)


class AttributeReader:
    """Reads values of attributes; `records` are the dataclasses that they may hold, by name."""

    def __init__(self, cursor: Cursor, records: Mapping[str, type]):
        self.cursor, self.records, self.depth = cursor, records, 0
        self.readers: dict[str, Callable[[], object]] = {
            "number": self.number, "text": self.text, "name": self.word,
            "[": self.list, "(": self.tuple, "{": self.dictionary,
        }  # fmt: skip

    def value(self) -> object:
        """The next value; raises Skip with a finding if there is none."""
        token = self.cursor.next
        if token.kind not in self.readers:
            self.cursor.fail(f"expected a value, found {token}", token.location)
        if self.depth == _DEEPEST:
            self.cursor.fail("values stand too deep in each other", token.location)
        self.depth += 1
        try:
            return self.readers[token.kind]()
        finally:
            self.depth -= 1

    def number(self) -> int | float:
        return number_of(self.cursor.take())

    def text(self) -> str:
        token = self.cursor.take()
        try:
            return json.loads(token.text)
        except ValueError as error:
            self.cursor.fail(f"{token} is no text: {error}", token.location)

    def word(self) -> object:
        token = self.cursor.take()
        if token.text in _WORDS:
            return _WORDS[token.text]
        if self.cursor.next.kind == "(":
            return self.record(token)
        if token.text not in TYPES:
            hint = "texts are in quotes; words are true, false, none and the types of the IR"
            self.cursor.fail(f"{token} is no value", token.location, hint)
        return TYPES[token.text]

    def record(self, token: Token) -> object:
        known = self.records.get(token.text)
        if known is None:
            hint = nearest(token.text, self.records)
            self.cursor.fail(f"there is no record {token}", token.location, hint)
        given = self._pairs("(", ")")
        hints = get_type_hints(known)
        for name, value in given.items():
            if name not in hints:
                message = f"{token} has no field '{name}'"
                self.cursor.fail(message, token.location, nearest(str(name), hints))
            if not is_a(value, hints[name]):
                message = f"field '{name}' of {token} cannot be {print_value(value)}"
                self.cursor.fail(message, token.location, f"it is {hint_text(hints[name])}")
        try:
            return known(**given)
        except TypeError as error:
            self.cursor.fail(f"{token}: {error}", token.location)

    def list(self) -> list:
        return self._sequence("[", "]")

    def tuple(self) -> tuple:
        return tuple(self._sequence("(", ")"))

    def dictionary(self) -> dict:
        return self._pairs("{", "}")

    def _sequence(self, opening: str, closing: str) -> list:
        cursor, found = self.cursor, []
        cursor.expect(opening)
        while cursor.next.kind != closing:
            location = cursor.next.location
            found.append(self.value())
            if cursor.accept_word("to"):
                found += self._row(found[-1], self.value(), location)
            if not cursor.accept(","):
                break
        cursor.expect(closing)
        return found

    def _row(self, first: object, last: object, location: Location) -> list[str]:
        """The names behind the first one, up to the last."""
        ends = [_NUMBERED.match(name) if isinstance(name, str) else None for name in (first, last)]
        a, b = ends
        if not (a and b and a[1] == b[1] and 0 < int(b[2]) - int(a[2]) < _LONGEST_ROW):
            hint = 'as in "r2" to "r11"'
            self.cursor.fail("there is no row of names from one to the other", location, hint)
        return [f"{a[1]}{number}" for number in range(int(a[2]) + 1, int(b[2]) + 1)]

    def _pairs(self, opening: str, closing: str) -> dict:
        cursor, found = self.cursor, {}
        cursor.expect(opening)
        while cursor.next.kind != closing:
            location, key = cursor.next.location, self._key()
            if key in found:
                cursor.fail(f"{print_value(key)} is given twice", location)
            cursor.expect(":")
            found[key] = self.value()
            if not cursor.accept(","):
                break
            while cursor.accept("newline"):
                pass
        cursor.expect(closing)
        return found

    def _key(self) -> object:
        if self.cursor.next.kind == "name":
            return self.cursor.take().text
        location, key = self.cursor.next.location, self.value()
        try:
            hash(key)
        except TypeError:
            self.cursor.fail(f"{print_value(key)} is no key: it holds a list", location)
        return key
