"""Damaged machine code is refused where it is damaged, in every form."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from compiler import compile
from compiler.frontends.ir_text.frontend import read
from compiler.pass_lists import forms
from machines.description.load import load_machine
from machines.diagnostics import InputError
from sim.views.forms import show_form
from tests.compiler.damaged_forms import DAMAGES, Damage, Text, with_words_changed

KERNEL = """
table: f64[8] in global = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]

func @k(n: i64, x: ptr, y: ptr) {{
entry:
    total = const.f64 0.0
    i = const.i64 0
    p = address.ptr table
    t = load.f64 p
    some = lt_s.i64 i, n
    branch some, loop, done
loop:
    a = shl.i64 i, 3
    xa = add.ptr x, a
    v = load.f64 xa
    big = gt.f64 v, t
    branch big, more, less
more:
    total = fma.f64 v, t, total
    {call}
    jump next
less:
    total = sub.f64 total, v
    jump next
next:
    i = add.i64 i, 1
    again = lt_s.i64 i, n
    branch again, loop, done
done:
    store.f64 y, total
    return
}}
"""
HELPER = """
func @g(h: i64) -> i64 {
entry:
    c = lt_s.i64 h, 2
    branch c, one, two
two:
    m = sub.i64 h, 1
    w = call.i64 @g(m)
    return w
one:
    return h
}
"""
SOURCES = {
    "itanium2": KERNEL.format(call="i = call.i64 @g(i)") + HELPER,
    "h200": KERNEL.format(call="i = copy.i64 i"),
}
MACHINES = {
    "itanium2": load_machine("itanium2"),
    "h200": load_machine("h200", ["dependences.kind=control_bits"]),
}
CASES = [
    (name, form, damage)
    for name, machine in MACHINES.items()
    for form in forms(machine.kind)
    for damage in DAMAGES
    if form in damage.forms and machine.family in damage.families
]


@cache
def machine_code(machine: str, form: str) -> Text:
    """The source's code in a form, as it is shown to a user."""
    loaded = MACHINES[machine]
    compilation = compile(
        "k.sir", machine=loaded, source=SOURCES[machine], print_after=lambda name: True
    )
    text = show_form(form, compilation).text
    read(text, "k.sir", loaded)
    return Text(loaded.family, form, tuple(text.splitlines()))


@pytest.mark.parametrize(
    "machine, form, damage", CASES, ids=lambda value: getattr(value, "name", value)
)
def test_damage_is_refused_at_its_line(machine: str, form: str, damage: Damage):
    check(machine, form, damage, seeds=2)


def check(machine: str, form: str, damage: Damage, seeds: int) -> None:
    text, found = machine_code(machine, form), 0
    for seed in range(seeds):
        damaged = damage.do(text, Random(seed))
        if damaged is None:
            continue
        number, line = damaged
        found += 1
        lines = [*text.lines[:number], line, *text.lines[number + 1 :]]
        with pytest.raises(InputError) as error:
            read("\n".join(lines), "bad.sir", MACHINES[machine])
        places = [str(finding.location) for finding in error.value.diagnostics]
        assert any(place.startswith(f"bad.sir:{number + 1}:") for place in places), (
            f"{line}\n{error.value}"
        )
    assert found


FORMS = [(name, form) for name, machine in MACHINES.items() for form in forms(machine.kind)[2:]]


def check_words(seeds: range) -> None:
    """Whatever stands there is refused at a place, or becomes a program."""
    taken = 0
    for seed in seeds:
        random = Random(seed)
        machine, form = random.choice(FORMS)
        source = with_words_changed(machine_code(machine, form), random)
        try:
            compile("bad.sir", machine=MACHINES[machine], source=source, entry="k")
            taken += 1
        except InputError as error:
            without = [f.message for f in error.diagnostics if f.location is None]
            known = ("has no function", "does not execute", "the passes leave the code")
            assert not [message for message in without if not any(k in message for k in known)]
    assert 0 < taken < len(seeds) / 2


def test_words_in_disorder_are_refused_or_mean_something():
    check_words(range(80))
