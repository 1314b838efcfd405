"""Every identity against the meaning of its row, and what must not be one."""

from __future__ import annotations

import math
from itertools import product

import pytest

from compiler.analyses.values.algebra import _rules, identity, in_order, simplify
from compiler.ir.builder import canonical
from machines.instructions import operations
from machines.operations.evaluate import evaluator, faults
from machines.types import I1, Type

INTEGERS = (0, 1, -1, 2, 3, 7, 100, -128, 127, 1 << 31, -(1 << 31), (1 << 63) - 1, -(1 << 63))
FLOATS = (0.0, -0.0, 1.0, -1.0, 0.1, math.inf, -math.inf, math.nan, 5e-324, 1e-45, 3.4e38)


def values(t: Type) -> list[int | float]:
    if t is I1:
        return [0, 1]
    pool = FLOATS if t.is_float else INTEGERS
    return list({identity(v): v for v in (canonical(value, t) for value in pool)}.values())


def row(name: str):
    return operations()["ir", name]


@pytest.mark.parametrize("name", sorted(_rules()))
def test_each_rule_is_what_the_row_computes(name):
    operation = row(name)
    for pattern, result in _rules()[name]:
        letters = sorted({word for word in pattern if isinstance(word, str)})
        kinds = {w: o.kind for w, o in zip(pattern, operation.reads, strict=True) if w in letters}
        for chosen in product(*(values(kinds[letter]) for letter in letters)):
            stands_for = dict(zip(letters, chosen, strict=True))
            operands = [stands_for.get(word, word) for word in pattern]
            assert not faults(operation)(*operands), pattern
            computed = evaluator(operation)(*operands)
            expected = stands_for[result] if isinstance(result, str) else result
            assert identity(computed) == identity(expected), (pattern, operands)


@pytest.mark.parametrize("name", sorted(_rules()))
def test_each_rule_is_found_for_variables(name):
    for pattern, result in _rules()[name]:
        assert simplify(row(name), pattern) == result


def always(operation, place: int, number: int | None) -> int | str | None:
    """What an i8 or i1 row gives for every x, with a number in one place, or x in both."""
    found = None
    for x in values(I1) if operation.reads[0].kind is I1 else range(-128, 128):
        operands = [x, x] if number is None else [x, number] if place else [number, x]
        if faults(operation)(*operands):
            return None
        gives = {"x"} if evaluator(operation)(*operands) == x else set()
        gives.add(evaluator(operation)(*operands))
        found = gives if found is None else found & gives
    return next(iter(found), None)


BINARY = [
    name
    for name, row in operations().family("ir").items()
    if name.endswith((".i8", ".i1")) and [o.name for o in row.reads] == ["a", "b"]
]


@pytest.mark.parametrize("name", BINARY)
def test_no_identity_of_an_integer_row_is_missing(name):
    """Every x is tried; a shift by more than the width is the one thing that has no rule."""
    operation = row(name)
    for place, number in [*product((0, 1), values(operation.reads[0].kind)), (0, None)]:
        if place and number and name.startswith("sh"):
            continue
        operands = ("x", "x") if number is None else ("x", number) if place else (number, "x")
        assert simplify(operation, operands) == always(operation, place, number), operands


@pytest.mark.parametrize(
    ("name", "operands", "result"),
    [
        ("add.ptr", ("p", 0), "p"),
        ("sub.ptr", ("p", "p"), 0),
        ("eq.ptr", ("p", "p"), 1),
        ("lt_u.ptr", ("p", "p"), 0),
        ("select.ptr", ("c", "p", "p"), "p"),
        ("select.i1", ("c", 1, 0), "c"),
        ("select.i32", (0, "x", "y"), "y"),
        ("select.i32", (1, "x", "y"), "x"),
        ("select.f32", ("c", "x", "x"), "x"),
        ("select.f64", ("c", math.nan, math.nan), math.nan),
        ("add.f64", ("x", -0.0), "x"),
        ("add.f64", (-0.0, "x"), "x"),
        ("sub.f32", ("x", 0.0), "x"),
        ("mul.f32", ("x", 1.0), "x"),
        ("mul.f64", (1.0, "x"), "x"),
        ("div.f64", ("x", 1.0), "x"),
        ("min.f64", ("x", "x"), "x"),
        ("max.f32", ("x", "x"), "x"),
        ("min.f64", (math.nan, "x"), "x"),
        ("max.f64", ("x", math.nan), "x"),
        ("lt.f64", ("x", "x"), 0),
        ("gt.f32", ("x", "x"), 0),
    ],
)
def test_identities_of_pointers_and_floats(name, operands, result):
    assert identity(simplify(row(name), operands)) == identity(result)


@pytest.mark.parametrize(
    ("name", "operands"),
    [
        ("add.f64", ("x", 0.0)),  # -0 + +0 is +0
        ("sub.f64", ("x", -0.0)),  # -0 - -0 is +0
        ("sub.f32", ("x", "x")),  # inf - inf is NaN
        ("mul.f64", ("x", 0.0)),  # of -1 it is -0
        ("min.f64", ("x", math.inf)),  # of NaN it is inf
        ("eq.f64", ("x", "x")),  # false of NaN
        ("le.f64", ("x", "x")),
        ("div.f64", ("x", "x")),
        ("div_s.i32", ("x", "x")),  # faults at 0
        ("sub.i32", ("x", "y")),
        ("sub.i32", (0, "x")),
        ("shl.i32", (1, "x")),
        ("select.i32", ("p", "x", "y")),
        ("and.i8", ("x", 127)),
    ],
)
def test_what_is_no_identity(name, operands):
    assert simplify(row(name), operands) is None


def test_the_order_of_operands():
    assert in_order(row("add.i32"), (5, "x")) == ("add.i32", ("x", 5))
    assert in_order(row("add.i32"), ("b", "a")) == ("add.i32", ("a", "b"))
    assert in_order(row("sub.i32"), ("b", "a")) == ("sub.i32", ("b", "a"))
    assert in_order(row("gt_s.i64"), ("a", "b")) == ("lt_s.i64", ("b", "a"))
    assert in_order(row("ge.f64"), ("a", "b")) == ("le.f64", ("b", "a"))


@pytest.mark.parametrize("name", ["gt_s.i8", "ge_s.i8", "gt_u.i8", "ge_u.i8", "gt.f64", "ge.f64"])
def test_mirrored_comparisons_are_the_same(name):
    operation = row(name)
    mirrored, operands = in_order(operation, ("a", "b"))
    assert operands == ("b", "a")
    for a, b in product(values(operation.reads[0].kind), repeat=2):
        assert evaluator(operation)(a, b) == evaluator(row(mirrored))(b, a)
