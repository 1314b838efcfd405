"""From IR text to a module; compiler/README.md describes the text."""

from __future__ import annotations

from collections.abc import Sequence

from compiler.ir.module import Module
from compiler.ir.text import parse


def read(text: str, file: str, machine: object = None, entries: Sequence[str] = ()) -> Module:
    """The module in `text`; raises InputError with every finding."""
    return parse(text, file)
