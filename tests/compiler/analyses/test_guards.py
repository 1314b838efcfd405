"""Which guards ask the same: copies, negations, comparisons, by hand and against their meanings."""

from __future__ import annotations

from itertools import product

import pytest

from compiler.analyses.values.guards import condition_of
from compiler.ir.module import Guard
from compiler.text_form import parse
from machines.instructions import operations
from machines.operations.evaluate import evaluator

TEXT = """
func @f(a: i64, b: i64, x: f64, y: f64, o: i1, g: i1) {
entry:
    p = lt_s.i64 a, b
    {line}
    @g z = copy.i1 p else o
    return
}
"""


def conditions(line: str, *guards: str):
    """What guards ask after `p = a < b` and a line."""
    (function,) = parse(TEXT.replace("{line}", line), "test.sir").functions.values()
    return [condition_of(function, Guard(g.lstrip("!"), g.startswith("!"))) for g in guards]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("q = copy.i1 p", "q"),
        ("q = not.i1 p", "!q"),
        ("q = ge_s.i64 a, b", "!q"),
        ("q = gt_s.i64 b, a", "q"),
        ("q = le_s.i64 b, a", "!q"),
        ("q = lt_s.i64 a, b", "q"),
    ],
)
def test_what_asks_the_same(line, name):
    same, one, other = conditions(line, "p", name, f"!{name}".replace("!!", ""))
    assert one == same
    assert other == same.complement


@pytest.mark.parametrize(
    "line", ["q = lt_u.i64 a, b", "q = lt_s.i64 b, a", "q = eq.i64 a, b", "q = lt.f64 x, y"]
)
def test_what_asks_something_else(line):
    p, q, not_q = conditions(line, "p", "q", "!q")
    assert p not in (q, not_q)


def test_floats_have_no_complement_but_of_equality():
    lt, ge = conditions("q = lt.f64 x, y\n    r = ge.f64 x, y", "q", "!r")
    assert lt != ge
    eq, ne = conditions("q = eq.f64 x, y\n    r = ne.f64 y, x", "q", "!r")
    assert eq == ne


def test_a_guarded_copy_is_a_condition_of_its_own():
    p, z = conditions("q = copy.i1 p", "p", "z")
    assert p != z


INTEGER = ("eq", "ne", "lt_s", "le_s", "gt_s", "ge_s", "lt_u", "le_u", "gt_u", "ge_u")


def test_every_pair_of_comparisons_against_their_meanings():
    numbers = (-2, -1, 0, 1, 2)
    made = [(f"{name}.i64", operands) for name in INTEGER for operands in ("ab", "ba")]
    lines = [f"q{k} = {name} {a}, {b}" for k, (name, (a, b)) in enumerate(made)]
    found = conditions("\n    ".join(lines), *(f"q{k}" for k in range(len(made))))

    def truths(name: str, operands: str) -> list[int]:
        meaning = evaluator(operations()["ir", name])
        pairs = product(numbers, repeat=2)
        return [meaning(*((a, b) if operands == "ab" else (b, a))) for a, b in pairs]

    for (one, its), (other, others) in product(zip(made, found, strict=True), repeat=2):
        a, b = truths(*one), truths(*other)
        assert (its == others) == (a == b)
        assert (its == others.complement) == (a == [1 - truth for truth in b])
