"""Functions of machine code from the lines of their blocks."""

from __future__ import annotations

from compiler.ir.module import Function
from compiler.ir.text import parse


def code(family: str, form: str = "virtual", **blocks: list[str]) -> Function:
    """The function `k` with these blocks, whose lines are the text form's."""
    lines = [f"form {form} of {family}", "func @k() {"]
    for name, block in blocks.items():
        lines += [f"{name}:", *block]
    return parse("\n".join([*lines, "}"])).functions["k"]
