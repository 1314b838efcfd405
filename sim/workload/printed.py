"""What a program prints, and what it is expected to print: the output `stdout`, a text.

    expect: {stdout: "42 is the answer\\n"}        expect: {stdout: {file: expected.txt}}

Texts are compared line by line, exactly; `sim.kinds.printed` says where they come from.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from machines.description.strict_yaml import Node
from machines.diagnostics import Diagnostic, InputError
from sim.kinds.printed import Printed
from sim.workload.array_files import read_beside
from sim.workload.comparison import Check

STDOUT = "stdout"
"""What it is called in `expect` and in results."""


@dataclass(frozen=True)
class ExpectedText:
    text: str
    source: str


def check_text(node: Node) -> list[Diagnostic]:
    """Findings in what is written of `stdout`."""
    if isinstance(node.value, str):
        return []
    if isinstance(node.value, dict) and list(node.value) == ["file"]:
        name = node.value["file"]
        return [] if isinstance(name.value, str) else [name.finding("a file's name is a text")]
    message = "what is printed is a text, or a file beside the workload"
    return [node.finding(message, 'stdout: "hello\\n", or stdout: {file: expected.txt}')]


def expect_text(node: Node, folder: Path) -> ExpectedText:
    """What is expected; raises InputError if a file cannot be read."""
    if isinstance(node.value, str):
        return ExpectedText(node.value, "given")
    named = node.value["file"]
    try:
        text = read_beside(named, folder).decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(named.finding(f"no UTF-8 text (byte {error.start})")) from None
    return ExpectedText(text, f"file {named.value}")


def compare_text(expected: ExpectedText, got: Printed) -> Check:
    """Line by line; a line that is missing is None."""
    wanted, found = (text.splitlines(keepends=True) for text in (expected.text, got.text))
    pairs = list(zip_longest(wanted, found))
    wrong = [k for k, (a, b) in enumerate(pairs) if a != b]
    if got.lost and not wrong:
        wrong = [len(pairs)]
        pairs.append((None, f"… {got.lost} bytes that are not kept"))
    if not wrong:
        return Check(STDOUT, expected.source, len(pairs), is_text=True)
    want, have = pairs[wrong[0]]
    return Check(
        STDOUT, expected.source, len(pairs), differing=len(wrong), first=(wrong[0],),
        expected=want, got=have, is_text=True,
    )  # fmt: skip
