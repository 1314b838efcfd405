"""What a finding looks like when the text it points into is long."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from copy import copy

import pytest

from machines.diagnostics import LONGEST, WIDEST, Diagnostic, InputError, Location
from machines.layout import MemoryFault


def _shown(text: str, column: int, length: int = 1) -> tuple[str, str]:
    """The source line and the carets of a finding, without their indentation."""
    finding = Diagnostic("wrong", Location("f.yaml", 1, column, length), text)
    _, line, carets = str(finding).splitlines()
    return line[4:], carets[4:]


def test_a_short_line_is_whole():
    assert _shown("x: [1, 2]", 8, 1) == ("x: [1, 2]", "       ^")


def test_of_a_long_line_the_part_around_the_place_is_shown():
    text = "a" * 500 + "WRONG" + "b" * 500
    line, carets = _shown(text, 501, 5)
    assert len(line) == WIDEST and line.startswith("…a") and line.endswith("b…")
    assert line[carets.index("^") : len(carets)] == "WRONG"


def test_the_beginning_and_the_end_of_a_long_line():
    text = "FIRST" + "a" * 500 + "LAST"
    line, carets = _shown(text, 1, 5)
    assert (line[:5], line[-1], carets) == ("FIRST", "…", "^^^^^")
    line, carets = _shown(text, 506, 4)
    assert (line[0], line[-4:], len(carets)) == ("…", "LAST", WIDEST)
    line, carets = _shown(text, 1, 500)
    assert len(carets) == WIDEST


def test_a_long_message_is_cut():
    text = str(Diagnostic("x" * 1000, hint="shorter", code="mine"))
    assert text == "error: " + "x" * (LONGEST - 1) + "…  [mine]\n    hint: shorter"


@pytest.mark.parametrize(
    "made_again", [copy, lambda e: pickle.loads(pickle.dumps(e)), lambda e: type(e)(*e.args)]
)
def test_errors_are_the_same_made_again(made_again: Callable[[Exception], Exception]):
    """Of their arguments too, as SimPy makes them again."""
    findings = [
        Diagnostic(word, Location("f", line), code="mine")
        for word, line in (("second", 2), ("first", 1))
    ]
    error = made_again(InputError(findings))
    assert error.diagnostics == findings[::-1]
    assert str(error) == "f:1:1: error: first  [mine]\nf:2:1: error: second  [mine]"
    fault = made_again(MemoryFault("misaligned", 0x10001, 4))
    assert (fault.kind, fault.address, fault.size) == ("misaligned", 0x10001, 4)
    assert str(fault) == "misaligned: 4 bytes at 0x10001"
