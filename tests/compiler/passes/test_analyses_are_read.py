"""Passes take what they know from the analyses: cut off from one, each finds less, or too much."""

from __future__ import annotations

from types import ModuleType

import pytest

from compiler.analyses import safe_accesses as safety
from compiler.analyses.def_use import DefUse
from compiler.analyses.memory import memory_versions as versions
from compiler.analyses.memory.memory_versions import MemoryVersions
from compiler.analyses.values import constants
from compiler.ir.module import Function
from compiler.passes import (
    number_values,
    propagate_constants,
    remove_dead_code,
    remove_dead_stores,
)
from compiler.text_form import parse

PROGRAM = """
t: i64[4] in global

func @f(a: i64) -> i64 {
entry:
    p = address.ptr t
    store.i64 p, 1
    n = const.i64 4
    jump turn
turn:
    i = phi.i64 [entry: 0, turn: k]
    k = add.i64 i, 1
    again = lt_s.i64 k, a
    branch again, turn, next
next:
    m = add.i64 n, n
    dead = mul.i64 m, a
    store.i64 p, m
    x = load.i64 p
    y = load.i64 p
    z = add.i64 x, y
    store.i64 p, z
    odd = or.i64 a, 1
    w = div_s.i64 z, odd
    store.i64 p, w
    return z
}
"""


def no_names(function: Function) -> DefUse:
    """Nothing defines a name and nothing uses it."""
    return DefUse({}, dict.fromkeys(function.types, ()))


def all_memory_is_new(function: Function) -> MemoryVersions:
    """Every access finds memory of its own, which came from nowhere."""
    entry, instructions = function.entry.name, [i for _, i in function.instructions()]
    numbers = {instruction: k for k, instruction in enumerate(instructions, 1)}
    return MemoryVersions(
        numbers,
        dict(numbers),
        [None] * (len(numbers) + 1),
        [[]] * (len(numbers) + 1),
        [entry] * (len(numbers) + 1),
        {},
    )


CUT = {
    "constants": (propagate_constants, [constants], "def_use", no_names),
    "values": (number_values, [number_values, versions], "memory_versions", all_memory_is_new),
    "dead code": (remove_dead_code, [remove_dead_code], "def_use", no_names),
    "dead stores": (remove_dead_stores, [safety], "def_use", no_names),
}
"""A pass, and what an analysis says in place of the truth to the modules that ask it."""


def changes(plugin: ModuleType) -> dict[str, int]:
    function = parse(PROGRAM).functions["f"]
    return dict(plugin.PLUGIN.run(function, None, plugin.PLUGIN.options()).counts)


@pytest.mark.parametrize("name", CUT)
def test_a_pass_that_is_cut_off_does_something_else(name: str, monkeypatch: pytest.MonkeyPatch):
    plugin, modules, analysis, answer = CUT[name]
    whole = changes(plugin)
    assert whole
    with monkeypatch.context() as cut:
        for module in modules:
            cut.setattr(module, analysis, answer)
        assert changes(plugin) != whole
    assert changes(plugin) == whole
