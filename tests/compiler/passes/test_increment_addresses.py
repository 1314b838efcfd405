"""Loads and stores that increment their addresses, in straight code."""

from __future__ import annotations

import pytest

from tests.compiler.passes.test_machine_passes import after

STEP = "%p = adds 8, %p"
LOAD = "%x = ld8 %p"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ([LOAD, STEP], ["%x, %p = ld8.increment_immediate %p, 8"]),
        (
            ["st8 %p, %y", STEP],
            ["%p = st8.increment_immediate %p, %y, 8"],
        ),
        (
            [LOAD, "%p = add %p, %s"],
            ["%x, %p = ld8.increment_register %p, %s"],
        ),
        (
            [LOAD, "%z = ld8 %p", STEP],
            ["%x = ld8 %p", "%z, %p = ld8.increment_immediate %p, 8"],
        ),
    ],
)
def test_the_last_access_takes_the_step_over(code, expected):
    assert after("increment_addresses", code) == expected


@pytest.mark.parametrize(
    "code",
    [
        [LOAD, "%p = adds 256, %p"],  # the immediate has nine bits
        ["st8 %p, %y", "%p = add %p, %s"],  # no such store
        ["st8 %p, %p", STEP],
        ["%p = ld8 %p", STEP],
        [LOAD, "%y = adds 1, %p", STEP],  # reads the address in between
        [LOAD, "%s = adds 1, %s", "%p = add %p, %s"],
        ["@%c %x = ld8 %p", STEP],
        [LOAD, "@%c %p = adds 8, %p"],
        [LOAD, "@%c br.cond 0, entry", STEP],
    ],
)
def test_where_that_would_change_something_the_addition_stays(code):
    assert len(after("increment_addresses", code)) == len(code)
