"""Kernels and variables by the names that people give them, where the program has mangled ones.

    named("saxpy", ["_Z5saxpyifPfS_", "_Z5scalefPf"])       ->   ["_Z5saxpyifPfS_"]
    demangled("_ZN2ns1kIfLi16EEEvPT_mS1_")                  ->   "ns::k<float, 16>"

Only what a C++ compiler puts before a function's parameters is read (Itanium C++ ABI, 5.1):
scopes, names, and template arguments that are types, numbers or names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_BUILTIN = {
    "v": "void", "b": "bool", "c": "char", "a": "signed char", "h": "unsigned char", "s": "short",
    "t": "unsigned short", "i": "int", "j": "unsigned int", "l": "long", "m": "unsigned long",
    "x": "long long", "y": "unsigned long long", "f": "float", "d": "double", "w": "wchar_t",
}  # fmt: skip
_AROUND = {"P": "*", "R": "&", "O": "&&", "K": " const"}
_SUFFIX = {"j": "u", "l": "l", "m": "ul", "x": "ll", "y": "ull"}
_LENGTH = re.compile(r"[1-9]\d*")
_LITERAL = re.compile(r"L([a-z])(n?\d+)E")
_FILE_PREFIX = "_INTERNAL_"
"""Begins the scope that nvcc puts around what belongs to one file."""
_ANONYMOUS = "(anonymous namespace)"


class _Unreadable(Exception):
    """The name has something that is not read here."""


class _Reader:
    """Reads a mangled name from left to right."""

    def __init__(self, text: str):
        self.text, self.at = text, 0

    def accept(self, text: str) -> bool:
        found = self.text.startswith(text, self.at)
        self.at += len(text) * found
        return found

    def name(self) -> str:
        """`5saxpy`, `N2ns1kE`, each perhaps with template arguments."""
        self.accept("L")  # internal linkage
        if not self.accept("N"):
            return self._part()
        self.accept("K")
        parts = []
        while not self.accept("E"):
            self.accept("L")
            part = self._part()
            if not part.startswith(_FILE_PREFIX):
                parts.append(part)
        return "::".join(parts)

    def _part(self) -> str:
        length = _LENGTH.match(self.text, self.at)
        if length is None:
            raise _Unreadable
        self.at = length.end() + int(length[0])
        if self.at > len(self.text):
            raise _Unreadable
        name = self.text[length.end() : self.at]
        if name.startswith("_GLOBAL__N_"):
            name = _ANONYMOUS
        return name + self._template_arguments()

    def _template_arguments(self) -> str:
        if not self.accept("I"):
            return ""
        arguments = []
        while not self.accept("E"):
            arguments.append(self._argument())
        return f"<{', '.join(arguments)}>"

    def _argument(self) -> str:
        literal = _LITERAL.match(self.text, self.at)
        if literal:
            self.at = literal.end()
            kind, digits = literal[1], literal[2].replace("n", "-")
            if kind == "b":
                return "true" if digits != "0" else "false"
            return digits + _SUFFIX.get(kind, "")
        if self.at >= len(self.text):
            raise _Unreadable
        letter = self.text[self.at]
        if letter in _BUILTIN or letter in _AROUND:
            self.at += 1
            return _BUILTIN.get(letter) or self._argument() + _AROUND[letter]
        return self.name()


def demangled(name: str) -> str:
    """A C++ name as its source has it, without parameters; any other name as it is.

    Template arguments that cannot be read are shown as `<…>`.
    """
    if not name.startswith("_Z"):
        return name
    reader = _Reader(name[2:])
    try:
        return reader.name()
    except _Unreadable:
        return _without_arguments(name)


def _without_arguments(name: str) -> str:
    """The scopes and names before the first template arguments."""
    reader, parts = _Reader(name[2:]), []
    reader.accept("L")
    reader.accept("N")
    while length := _LENGTH.match(reader.text, reader.at):
        reader.at = length.end() + int(length[0])
        parts.append(reader.text[length.end() : reader.at])
        if not reader.text[reader.at :][:1].isdigit():
            break
    shown = "::".join(part for part in parts if not part.startswith(_FILE_PREFIX))
    return f"{shown}<…>" if reader.accept("I") else shown or name


def called(text: str, names: Iterable[str]) -> list[str]:
    """Those of `names` that are called so: the one of that name, else those that C++ calls so, with
    or without scopes and template arguments.
    """
    names = list(dict.fromkeys(names))
    if text in names:
        return [text]
    wanted = _plain(text)
    return [name for name in names if wanted in _forms(name)] if wanted else []


def named(text: str, names: Iterable[str]) -> list[str]:
    """Those of `names` that a text may mean: those that are called so, else those that begin so.

    >>> named("k", ["_Z1kPi", "_Z2k2Pi"]), named("_Z2", ["_Z1kPi", "_Z2k2Pi"])
    (['_Z1kPi'], ['_Z2k2Pi'])
    """
    names = list(dict.fromkeys(names))
    wanted = _plain(text)
    exact = called(text, names)
    if exact or not wanted:
        return exact
    return [
        name
        for name in names
        if name.startswith(text) or any(one.startswith(wanted) for one in _forms(name))
    ]


def usable(names: Iterable[str]) -> list[str]:
    """The names as people can write them: in C++ where that can be read."""
    shown = {name: demangled(name) for name in names}
    return [name if "…" in short else short for name, short in shown.items()]


def several(text: str, names: Iterable[str]) -> str:
    """What to say where a text may mean several: for a finding's hint."""
    shown = [f"{name} ({demangled(name)})" if name.startswith("_Z") else name for name in names]
    return f"'{text}' may be " + ", ".join(shown)


def _forms(name: str) -> set[str]:
    """A name as it may be written: whole, without template arguments, without scopes."""
    whole = _plain(demangled(name))
    bare = re.sub(r"<.*>", "", whole)
    last = bare.rsplit("::", 1)[-1]
    arguments = whole[whole.index("<") :] if "<" in whole else ""
    return {whole, bare, last, last + arguments}


def _plain(text: str) -> str:
    """A name without spaces, without the result before it and the parameters behind."""
    text = text.removeprefix("void ").replace(_ANONYMOUS, "\0")
    return "".join(text.split("(")[0].split()).replace("\0", _ANONYMOUS)
