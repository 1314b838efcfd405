"""Commands that a machine has no engine for are refused where they stand."""

import pytest

from machines.diagnostics import InputError
from tests.sim.cluster.chip_runs import run

BROADCAST = """
s: f32[64] in sram
a: f32[64] in nram

func @main() {
    beside = {"mem": "mem"}
entry:
    return
}

func @mem() {
entry:
    tensor.broadcast.f32 a[0:64], s[0:64]
    return
}
"""
UNICAST = """
a: f32[64] in nram
b: f32[64] in nram

func @main() {
entry:
    tensor.unicast.f32 a[0:64], b[0:64], 0
    return
}
"""
SERVED = """
x: f32[64] in dram
y: f32[64] in dram

func @main() {
    beside = {"mem": "mem"}
entry:
    return
}

func @mem() {
entry:
    tensor.copy.f32 y[0:64], x[0:64]
    return
}
"""


@pytest.mark.parametrize(
    ("text", "machine", "overrides", "message"),
    [
        (
            BROADCAST,
            "teaching_chip",
            ["bus.modes=[unicast]"],
            "the bus of this machine does no broadcast",
        ),
        (UNICAST, "mlu_single", [], "this machine has no bus"),
        (SERVED, "mlu_single", [], "this machine has no MEM core"),
    ],
)
def test_what_is_missing_is_said(text, machine, overrides, message):
    with pytest.raises(InputError, match=message):
        run(text, machine, overrides)
