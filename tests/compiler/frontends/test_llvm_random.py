"""Random functions of all types compute what LLVM's own compiler makes of them."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.compiler.frontends.llvm_native import native, ours
from tests.compiler.frontends.llvm_random import (
    BITS,
    CHOSEN,
    COMPARES,
    FLOATS,
    INTEGERS,
    OVERFLOW,
    RELATIONS,
    ROUNDED,
    TWO,
    Row,
    function_of,
    random_rows,
)

OTHERS = (
    "trunc", "zext", "sext", "select", "fshl", "fshr", "fneg", "is.fpclass", "sitofp", "uitofp",
    "fptosi", "fptoui", "bitcast", "fptrunc", "fpext",
)  # fmt: skip
NUMBER = st.integers(0, (1 << 64) - 1)
ROWS = st.lists(st.tuples(*[st.integers(0, 10_000)] * 4, NUMBER), min_size=4, max_size=40)
WORDS = st.one_of(st.integers(-(1 << 63), (1 << 63) - 1), st.integers(-3, 3))
SINGLES = st.one_of(st.floats(width=32), st.sampled_from([0.0, -0.0, 1.5, float("nan")]))


def check(rows: list[Row], a: int, b: int, x: float, y: float, *ways: str) -> None:
    text = function_of(rows)
    arguments = {"a": a, "b": b, "x": x, "y": y}
    expected = native(text, "f", arguments)
    for way in ways:
        assert (way, ours(text, "f", arguments, way, "itanium2").value) == (way, expected.value)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(ROWS, WORDS, WORDS, st.floats(), SINGLES)
def test_in_the_interpreter(rows: list[Row], a: int, b: int, x: float, y: float):
    check(rows, a, b, x, y, "ir")


@settings(max_examples=8, deadline=None, derandomize=True)
@given(ROWS, WORDS, WORDS, st.floats(), SINGLES)
def test_compiled(rows: list[Row], a: int, b: int, x: float, y: float):
    check(rows, a, b, x, y, "machine")


def test_the_writer_reaches_every_operation():
    text = function_of(random_rows(0, 5000))
    missing = [
        name
        for name in (
            *INTEGERS,
            *RELATIONS,
            *FLOATS,
            *COMPARES,
            *BITS,
            *TWO,
            *OVERFLOW,
            *ROUNDED,
            *CHOSEN,
            *OTHERS,
        )
        if not re.search(rf"[ .]{re.escape(name)}\b", text)
    ]
    assert missing == []
