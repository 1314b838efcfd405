"""Addresses as sums, and the places that instructions touch."""

from __future__ import annotations

import pytest

from compiler.analyses.memory.addresses import Extent, addresses
from compiler.text_form import parse

HEAD = """
a: i32[8] in global
b: i32[8] in global
func @f(q: ptr, r: ptr, c: i1, i: i64, j: i64) {
entry:
    at = address.ptr a
"""


def touched(*lines: str) -> tuple[list[str], list[Extent | None]]:
    """Of the last instruction the addresses it touches, and where they lie for sure."""
    module = parse(HEAD + "\n".join((*lines, "return")) + "\n}\n", "test.sir")
    function = module.functions["f"]
    instruction = function.entry.instructions[-2]
    found = addresses(function).touched(instruction)
    places = (*found.loads, *found.stores)
    shown = [f"{p.base} {p.offset:+} ({p.size})" if p.base else f"? ({p.size})" for p in places]
    return shown, [place.extent for place in places]


@pytest.mark.parametrize(
    ("computed", "address"),
    [
        ("p = add.ptr q, 12", "q +12"),
        ("o = shl.i64 i, 2\n p = add.ptr q, o", "4·i + q +0"),
        ("o = add.i64 i, 3\n s = mul.i64 o, 8\n p = add.ptr q, s", "8·i + q +24"),
        ("s = sub.i64 i, j\n n = neg.i64 s\n p = add.ptr q, n", "-i + j + q +0"),
        ("d = sub.ptr r, q\n p = add.ptr q, d", "r +0"),
        ("d = int.ptr.i64 q\n e = add.i64 d, 4\n p = ptr.i64.ptr e", "q +4"),
        ("o = mul.i64 i, j\n p = add.ptr q, o", "i·j + q +0"),
        ("o = shl.i64 i, 64\n p = add.ptr q, o", "o + q +0"),
        ("o = shl.i64 i, -1\n p = add.ptr q, o", "o + q +0"),
        ("o = shl.i64 i, j\n p = add.ptr q, o", "o + q +0"),
        ("@c p = add.ptr q, 4 else r", "p +0"),  # only under the guard
        ("p = copy.ptr at", "&a +0"),
    ],
)
def test_an_address_is_a_sum(computed, address):
    assert touched(computed, "v = load.i16 p")[0] == [f"{address} (2)"]


@pytest.mark.parametrize(
    ("offset", "extent"),
    [
        ("28", Extent("a", 28, 32)),
        ("29", None),
        ("-1", None),
        ("and.i64 i, 12", Extent("a", 0, 16)),
        ("and.i64 i, 60", None),
    ],
)
def test_an_access_that_is_certainly_in_a_buffer(offset, extent):
    computed = f"o = {offset}" if " " in offset else f"o = const.i64 {offset}"
    assert touched(computed, "p = add.ptr at, o", "store.i32 p, 1")[1] == [extent]


def test_tensor_operations():
    assert touched("tensor.copy.i32 a[0:4], b[2:6]") == (
        ["&b +8 (16)", "&a +0 (16)"],
        [Extent("b", 8, 24), Extent("a", 0, 16)],
    )
    bounded = ("k = and.i64 i, 3", "tensor.fill.i32 a[1:k], 0")
    assert touched(*bounded) == (["? (8)"], [Extent("a", 4, 12)])
    assert touched("tensor.fill.i32 a[i:j], 0") == (["? (32)"], [Extent("a", 0, 32)])
    assert touched("tensor.fill.i32 any(a[0:1], b[2:4]), 0") == (
        ["? (4)", "? (8)"],
        [Extent("a", 0, 4), Extent("b", 8, 16)],
    )
