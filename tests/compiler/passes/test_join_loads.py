"""Which loads of shared memory become one."""

from __future__ import annotations

import pytest

from compiler.targets.simt.combination.values import Values
from compiler.targets.simt.passes.join_loads import join, multiple_of
from tests.compiler.code_of_lines import code, findings


def loads(*lines: str) -> list[str]:
    """The accesses to shared memory after joining, with their offsets."""
    made = code("ptx", entry=["%t = mov.tid.x", *lines, "exit"])
    join(made)
    assert findings(made, "teaching_gpu") == []
    return [
        f"{i.operation.name.replace('.shared', '')} {i.operands[1]}: {' '.join(i.results)}".strip()
        for i in made.entry.instructions
        if i.operation.access is not None
    ]


BASE = "%p = shl.b32 %t, 4"


def test_four_words_of_an_aligned_address_are_one_load():
    rows = loads(BASE, *(f"%x{k} = ld.shared.b32 %p, {4 * k}" for k in (2, 0, 3, 1)))
    assert rows == ["ld.v4.b32 0: %x0 %x1 %x2 %x3"]


def test_two_words_are_one_load_if_there_are_not_four():
    rows = loads(BASE, *(f"%x{k} = ld.shared.b32 %p, {4 * k}" for k in range(3)))
    assert rows == ["ld.v2.b32 0: %x0 %x1", "ld.b32 8: %x2"]


def test_two_words_of_64_bits_are_one_load():
    rows = loads(BASE, "%x = ld.shared.b64 %p, 16", "%y = ld.shared.b64 %p, 24")
    assert rows == ["ld.v2.b64 16: %x %y"]


def test_words_that_do_not_begin_at_a_multiple_stay_apart():
    lines = ["%x = ld.shared.b32 %p, 4", "%y = ld.shared.b32 %p, 8"]
    assert loads(BASE, *lines) == ["ld.b32 4: %x", "ld.b32 8: %y"]
    lines = ["%x = ld.shared.b32 %p, 0", "%y = ld.shared.b32 %p, 4"]
    assert loads("%p = shl.b32 %t, 2", *lines) == ["ld.b32 0: %x", "ld.b32 4: %y"]


@pytest.mark.parametrize(
    "between",
    ["st.shared.b32 %t, 0, 1", "bar.sync 0, 0", "%p = add.s32 %t, 0", "%y = add.s32 %t, 1"],
)
def test_what_stands_between_keeps_loads_apart(between):
    rows = loads(BASE, "%x = ld.shared.b32 %p, 0", between, "%y = ld.shared.b32 %p, 4")
    assert [row for row in rows if "v2" in row] == []


def test_a_store_elsewhere_does_not():
    store = "st.shared.b32 %p, 64, 1"
    rows = loads(BASE, "%x = ld.shared.b32 %p, 0", store, "%y = ld.shared.b32 %p, 4")
    assert rows == ["ld.v2.b32 0: %x %y", "st.b32 64:"]


@pytest.mark.parametrize(
    ("line", "divisor"),
    [
        ("%p = shl.b32 %t, 3", 8),
        ("%p = mul.lo.s32 %t, 12", 4),
        ("%p = and.b32 %t, -8", 8),
        ("%p = mad.lo.s32 %t, 32, 8", 8),
        ("%p = add.s32 %t, 16", 1),
        ("%p = mov.b32 48", 16),
    ],
)
def test_what_an_address_is_a_multiple_of(line, divisor):
    made = code("ptx", entry=["%t = mov.tid.x", line, "st.shared.b32 %p, 0, 1", "exit"])
    assert multiple_of("%p", Values(made)) == divisor
