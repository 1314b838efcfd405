"""The meanings of rows, parsed: what they name, and their text with other text in its place."""

from __future__ import annotations

import ast

import pytest

from machines.instructions import operations
from machines.operations.meaning import Meaning, parsed

LOADED = "d = wrap(loaded + a, 32)\nstored = d if a < -1 else maximum(d, -7)"


def test_what_a_meaning_names():
    meaning = parsed(LOADED)
    assert meaning.reads == {"loaded", "a", "d"} and meaning.assigns == {"d", "stored"}
    assert meaning.calls == {"wrap", "maximum"}
    assert meaning.names == {"a", "d", "loaded", "stored"}
    assert not meaning.is_one_assignment and parsed(LOADED) is meaning


def test_text_in_the_place_of_names():
    meaning = parsed(LOADED)
    assert meaning.placed({}) == LOADED
    assert meaning.placed({"a": "x[0]", "d": "y"}) == (
        "y = wrap(loaded + x[0], 32)\nstored = y if x[0] < -1 else maximum(y, -7)"
    )
    assert meaning.placed({"a": "(-3)"}, {"stored": "memory[8]"}) == (
        "d = wrap(loaded + (-3), 32)\nmemory[8] = d if (-3) < -1 else maximum(d, -7)"
    )


def test_functions_keep_their_names_and_numbers_get_a_format():
    meaning = Meaning("d = wrap(wrap(a, 8) + 1, 64) + 2")
    assert meaning.placed({"wrap": "x"}, {}, "int64({})") == (
        "d = wrap(wrap(a, int64(8)) + 1, int64(64)) + 2"
    )
    assert (
        Meaning("d = f(-1, 2.0, True, ~3)").placed({}, {}, "<{}>") == "d = f(<-1>, 2.0, True, <~3>)"
    )


def test_the_value_of_an_assignment():
    meaning = parsed("d = a if a > b else b")
    assert meaning.is_one_assignment and meaning.value.text == "a if a > b else b"
    assert meaning.value.placed({"a": "d", "b": "(a * b)"}) == "d if d > (a * b) else (a * b)"
    with pytest.raises(AssertionError):
        assert parsed(LOADED).value


@pytest.mark.parametrize("family", operations().families)
def test_every_row_says_the_same_under_other_names(family: str):
    """With each name replaced the syntax is the same, and with the names put back all is."""
    for row in operations().family(family).values():
        for text in filter(None, (row.meaning, row.faults_if)):
            meaning = parsed(text)
            names = {name: f"{name}_" for name in meaning.names}
            there = Meaning(meaning.placed(names))
            assert there.names == set(names.values()) and there.calls == meaning.calls
            assert there.placed({other: name for name, other in names.items()}) == text
            around = meaning.placed({name: f"({name})" for name in names}, {})
            assert ast.dump(ast.parse(around)) == ast.dump(ast.parse(text))
