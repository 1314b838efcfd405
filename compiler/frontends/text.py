"""Front end for IR text (`.sir`)."""

from __future__ import annotations

from compiler.ir.module import Module
from compiler.ir.text import parse


class TextFrontend:
    """Reads the IR as it is printed; see compiler/README.md."""

    name = "text"
    suffixes = (".sir",)

    def read(self, text: str, file: str, machine: object = None) -> Module:
        """The module in `text`; raises InputError with every finding."""
        return parse(text, file)


PLUGIN = TextFrontend()
