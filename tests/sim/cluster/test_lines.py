"""What results say of each instruction: how often it was executed, and what held cores up there."""

from __future__ import annotations

import pytest

from tests.programs.tile_runs import compiled, machine_named, program_of, simulate

RETURN_IN_FRONT = """\
x: i32[64] in dram
a: i32[64] in nram

func @main(n: i64) {
entry:
    i = copy.i64 0
    jump loop
done:
    tensor.copy.i32 x[0:64], a[0:64]
    return
loop:
    tensor.fill.i32 a[0:64], 7
    tensor.add_scalar.i32 a[0:64], a[0:64], 1
    i = add.i64 i, 1
    p = lt_s.i64 i, n
    branch p, loop, done
}
"""
MULTICAST = """\
s: i32[16] in sram
a: i32[16] in nram

func @main() {
    beside = {mem: "serve"}
entry:
    return
}

func @serve() {
entry:
    tensor.fill.i32 s[0:16], 1
    tensor.multicast.i32 a[0:16], s[0:16], BITS
    return
}
"""


def test_scalar_code_is_counted_and_waits_stand_at_the_return():
    machine = machine_named("mlu_single")
    program = program_of(RETURN_IN_FRONT, n=5)
    code = compiled(program, machine)
    outcome = simulate(code, program, machine).outcome
    found = {}
    rows = code.program.codes[0].code
    for instruction, executed, lost in zip(rows, outcome.executed, outcome.stalls, strict=True):
        name = instruction.row.name
        found[name] = (
            found.get(name, (0, 0))[0] + executed,
            found.get(name, (0, 0))[1] + lost.sum(),
        )
    assert {name: found[name][0] for name in ("add.i64", "lt_s.i64", "branch", "return")} == {
        "add.i64": 5, "lt_s.i64": 5, "branch": 5, "return": 1,
    }  # fmt: skip
    assert found["tensor.add_scalar.i32"][0] == 5
    assert found["return"][1] > 0 and found["branch"][1] == 0


@pytest.mark.parametrize(
    ("bits", "status"), [(0, "done"), (3, "done"), (4, "fault"), (-1, "fault")]
)
def test_a_send_to_cores_that_are_not_there_faults(bits: int, status: str):
    machine = machine_named("teaching_chip")
    program = program_of(MULTICAST.replace("BITS", str(bits)))
    outcome = simulate(compiled(program, machine), program, machine).outcome
    assert outcome.status == status
    assert status == "done" or outcome.failure.kind == "no such core"
