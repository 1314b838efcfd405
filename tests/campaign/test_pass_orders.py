"""Passes in any order that their forms allow: a program comes out, or one message.

Each pass is put in at every place of its kind's order, each is left out, and neighbours change
places.  A few of these in every run:

    pytest -m campaign tests/campaign/test_pass_orders.py
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from compiler import compile
from compiler.pass_lists import default_passes, passes
from machines.description.load import load_machine
from machines.diagnostics import InputError

LOOP = """
func @f(p: ptr, q: ptr, n: i64, k: i32) -> i64 {
entry:
    s = const.i64 0
    i = const.i64 0
    jump head
head:
    c = lt_s.i64 i, n
    branch c, body, done
body:
    w = sext.i32.i64 k
    t = mul.i64 w, 3
    o = mul.i64 i, 8
    a = add.ptr p, o
    x = load.i64 a
    b = add.ptr q, o
    y = add.i64 x, t
    big = gt_s.i64 y, 100
    branch big, cut, keep
cut:
    y = const.i64 100
    jump keep
keep:
    store.i64 b, y
    s = add.i64 s, y
    i = add.i64 i, 1
    jump head
done:
    return s
}
"""
THREADS = """
func @k(p: ptr, q: ptr, n: i32) {
entry:
    t = tid.x
    c = lt_s.i32 t, n
    branch c, body, done
body:
    w = sext.i32.i64 t
    o = mul.i64 w, 4
    a = add.ptr p, o
    x = load.f32 a
    jump loop
loop:
    x = add.f32 x, x
    e = lt.f32 x, 100.0
    branch e, loop, out
out:
    d = add.ptr q, o
    store.f32 d, x
    jump done
done:
    return
}
"""
PROGRAMS = {"itanium2": LOOP, "h200": THREADS}
EVERY = 40
"""Of the orders, how many one in every run stands for."""


def orders(kind: str) -> Iterator[list[str]]:
    """Orders of passes that differ from the default in one thing."""
    order, known = list(default_passes(kind)), passes(kind)
    forms = ["ir"]
    for name in order:
        forms.append(known[name].forms[forms[-1]])
    for at, form in enumerate(forms):
        for name, plugin in known.items():
            if plugin.forms.get(form) == form:
                yield [*order[:at], name, *order[at:]]
    for at in range(len(order)):
        yield [*order[:at], *order[at + 1 :]]
    for at in range(len(order) - 1):
        yield [*order[:at], order[at + 1], order[at], *order[at + 2 :]]


def check(machine_name: str, some: slice) -> None:
    machine, compiled = load_machine(machine_name), 0
    for wanted in list(orders(machine.kind))[some]:
        try:
            compile("x.sir", machine=machine, source=PROGRAMS[machine_name], passes=wanted)
            compiled += 1
        except InputError as refused:
            assert len(refused.diagnostics) == 1
    assert compiled


@pytest.mark.parametrize("machine", PROGRAMS)
def test_some_orders(machine: str):
    check(machine, slice(7, None, EVERY))


@pytest.mark.campaign
@pytest.mark.parametrize("machine", PROGRAMS)
def test_all_orders(machine: str):
    check(machine, slice(None))
