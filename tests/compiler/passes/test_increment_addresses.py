"""Loads and stores that increment their addresses, in straight code."""

from __future__ import annotations

import pytest

from tests.compiler.passes.test_machine_passes import after, op

STEP = op("adds", ("%p",), (8, "%p"))
LOAD = op("ld8", ("%x",), ("%p",))


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ([LOAD, STEP], ["%x, %p = ld8.increment_immediate %p, 8"]),
        (
            [op("st8", (), ("%p", "%y")), STEP],
            ["%p = st8.increment_immediate %p, %y, 8"],
        ),
        (
            [LOAD, op("add", ("%p",), ("%p", "%s"))],
            ["%x, %p = ld8.increment_register %p, %s"],
        ),
        (
            [LOAD, op("ld8", ("%z",), ("%p",)), STEP],
            ["%x = ld8 %p", "%z, %p = ld8.increment_immediate %p, 8"],
        ),
    ],
)
def test_the_last_access_takes_the_step_over(code, expected):
    assert after("increment_addresses", code) == expected


@pytest.mark.parametrize(
    "code",
    [
        [LOAD, op("adds", ("%p",), (256, "%p"))],  # the immediate has nine bits
        [op("st8", (), ("%p", "%y")), op("add", ("%p",), ("%p", "%s"))],  # no such store
        [op("st8", (), ("%p", "%p")), STEP],
        [op("ld8", ("%p",), ("%p",)), STEP],
        [LOAD, op("adds", ("%y",), (1, "%p")), STEP],  # reads the address in between
        [LOAD, op("adds", ("%s",), (1, "%s")), op("add", ("%p",), ("%p", "%s"))],
        [op("ld8", ("%x",), ("%p",), guard="%c"), STEP],
        [LOAD, op("adds", ("%p",), (8, "%p"), guard="%c")],
        [LOAD, op("br.cond", (), (0, "entry"), guard="%c"), STEP],
    ],
)
def test_where_that_would_change_something_the_addition_stays(code):
    assert len(after("increment_addresses", code)) == len(code)
