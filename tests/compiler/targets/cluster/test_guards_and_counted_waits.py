"""Where a guard takes away what a wait that counts could leave, the compiler says so."""

from __future__ import annotations

import pytest

from compiler import compile
from tests.programs.tile_runs import ONE_CORE, machine_named

PROGRAM = """x: f32[4096] in dram
y: f32[4096] in dram
a: f32[64] in nram
b: f32[64] in nram
o: f32[64] in nram

func @main(n: i64) {{
entry:
    l = const.i64 64
    more = lt_s.i64 l, n
    tensor.copy.f32 a[0:64], x[0:64]
    {second}
    tensor.exp.f32 o[0:64], a[0:64]
    tensor.copy.f32 y[0:64], o[0:64]
    tensor.exp.f32 o[0:64], b[0:64]
    tensor.copy.f32 y[64:128], o[0:64]
    return
}}
"""
SECOND = {
    "guarded": "@more tensor.copy.f32 b[0:64], x[64:128]",
    "empty where it is not wanted": "h = select.i64 more, 128, 64\nk = sub.i64 h, 64\n"
    "tensor.copy.f32 b[0:k], x[64:h]",
    "certain": "tensor.copy.f32 b[0:64], x[64:128]",
}
EXPECTED = (
    "leaves 0 of io where 1 could be left, since tensor.copy.f32 in line 12 may not happen: with "
    "an empty interval in place of the guard it counts"
)


def remarks(second: str, waits: str) -> list[str]:
    machine = machine_named("teaching_chip", *ONE_CORE, f"waits={waits}")
    text = PROGRAM.format(second=SECOND[second])
    made = compile("p.sir", source=text, machine=machine, entry="main")
    step = next(step for step in made.report.steps if step.name == "place_waits")
    found = [r for r in step.changes.remarks if r.what == "leaves fewer for a guard"]
    return [f"{r.location.line}: {r.why}" for r in found]


def test_a_guard_that_costs_overlap_is_said():
    """The first exponential needs `a` alone, and what comes behind it may not come."""
    assert remarks("guarded", "counted") == [f"13: {EXPECTED}"]


@pytest.mark.parametrize(
    ("second", "waits"),
    [("certain", "counted"), ("empty where it is not wanted", "counted"), ("guarded", "drain")],
)
def test_nothing_is_said_where_nothing_is_lost(second, waits):
    assert remarks(second, waits) == []
