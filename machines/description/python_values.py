"""A value from Python as if it had been read from a YAML file: what reads files checks it, too.

    node = node_of({"extends": "itanium2", "name": "mine"}, "machine")
    node.text                   # "extends: itanium2\nname: mine", into which locations point

Findings name the parameter as their file: `machine:2:7: error: …`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from machines.description.strict_yaml import DEEPEST, LONGEST_NUMBER, Node, Value
from machines.diagnostics import InputError, Location, input_error
from machines.later import Later

np = Later("numpy")

_PLAIN = re.compile(r"(?:\.{1,2}/|[A-Za-z_/])[\w./+*()-]*(?: [\w./+*()-]+)*")
_WORDS = ("null", "true", "false")
HINT = "numbers, texts, lists, mappings with texts as keys"


def node_of(value: Any, name: str, arrays: bool = False) -> Node:
    """The node of a value, and of all in it.

    name    of the parameter, for findings
    arrays  whether numpy arrays are values of nodes, else lists; without axes they are numbers
    Raises InputError, which says where, for what no file could hold.
    """
    writer = _Writer(name, arrays)
    node = writer.node(value, (), in_block=isinstance(value, Mapping))
    text = "".join(writer.parts)
    for one in writer.nodes:
        one.text = text
    return node


class _Writer:
    """Writes a value as YAML, and makes its nodes where they stand."""

    def __init__(self, name: str, arrays: bool):
        self.name, self.arrays = name, arrays
        self.parts: list[str] = []
        self.nodes: list[Node] = []
        self.line = self.column = 1

    def node(self, value: Any, path: tuple[str, ...], in_block: bool = False) -> Node:
        """Write a value; `in_block`: a mapping may have lines of its own."""
        if len(path) > DEEPEST:
            raise self.refused(path[:1], f"is nested more than {DEEPEST} levels deep", None)
        if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and not value.ndim):
            value = value.item()
        if isinstance(value, os.PathLike):
            value = os.fspath(value)
        if isinstance(value, Mapping):
            return self.block(value, path) if in_block and value else self.flow(value, path)
        if isinstance(value, np.ndarray) and self.arrays:
            text = f"array {value.dtype}{list(value.shape)}"
            return self.made(value, self.put(text))
        if isinstance(value, list | tuple | np.ndarray):
            return self.items(value, path)
        return self.made(value, self.put(self.scalar(value, path)))

    def made(self, value: Value, location: Location, keys: dict[str, Location] | None = None):
        node = Node(value, location, "", keys or {})
        self.nodes.append(node)
        return node

    def block(self, value: Mapping[Any, Any], path: tuple[str, ...]) -> Node:
        """A mapping, a line or more for each key."""
        indent = len(path)
        values: dict[str, Node] = {}
        keys: dict[str, Location] = {}
        for key, inner in value.items():
            if path or values:
                self.break_line(2 * indent)
            keys[key] = self.key(key, path)
            if not (isinstance(inner, Mapping) and inner):
                self.put(" ")
            values[key] = self.node(inner, (*path, key), in_block=True)
        return self.made(values, replace(next(iter(keys.values())), length=1), keys)

    def flow(self, value: Mapping[Any, Any], path: tuple[str, ...]) -> Node:
        """A mapping on one line."""
        here = self.put("{")
        values: dict[str, Node] = {}
        keys: dict[str, Location] = {}
        for key, inner in value.items():
            if values:
                self.put(", ")
            keys[key] = self.key(key, path)
            self.put(" ")
            values[key] = self.node(inner, (*path, key))
        self.put("}")
        return self.made(values, here, keys)

    def items(self, value: Iterable[Any], path: tuple[str, ...]) -> Node:
        here = self.put("[")
        found = []
        for number, inner in enumerate(value):
            if number:
                self.put(", ")
            found.append(self.node(inner, (*path, str(number))))
        self.put("]")
        return self.made(found, here)

    def key(self, key: Any, path: tuple[str, ...]) -> Location:
        if not isinstance(key, str):
            raise self.refused(path, f"has the key {key!r}, which is no text", HINT)
        here = self.put(self.scalar(key, path))
        self.put(":")
        return here

    def scalar(self, value: Any, path: tuple[str, ...]) -> str:
        """A number, a text or None as YAML has it."""
        if value is None or isinstance(value, bool):
            return {None: "null", True: "true", False: "false"}[value]
        if isinstance(value, int):
            if abs(value) >= 10**LONGEST_NUMBER:
                raise self.refused(path, "is a number that is too large", "write it as a text")
            return str(value)
        if isinstance(value, float):
            return {"inf": ".inf", "-inf": "-.inf", "nan": ".nan"}.get(repr(value), repr(value))
        if not isinstance(value, str):
            raise self.refused(path, f"is of type {type(value).__name__}", HINT)
        if any("\ud800" <= c <= "\udfff" for c in value):
            raise self.refused(path, "has half of a surrogate pair", None)
        if _PLAIN.fullmatch(value) and value not in _WORDS:
            return value
        return json.dumps(value, ensure_ascii=not value.isprintable())

    def put(self, text: str) -> Location:
        here = Location(self.name, self.line, self.column, max(1, len(text)))
        self.parts.append(text)
        self.column += len(text)
        return here

    def break_line(self, indent: int) -> None:
        self.parts.append("\n" + " " * indent)
        self.line, self.column = self.line + 1, indent + 1

    def refused(self, path: tuple[str, ...], problem: str, hint: str | None) -> InputError:
        where = f"'{'.'.join(path)}'" if path else "it"
        return input_error(f"{self.name}: {where} {problem}", hint=hint)
