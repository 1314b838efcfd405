"""Small programs of which it is known where cores must wait, and whom for."""

from __future__ import annotations

import pytest

from compiler import Compilation
from machines.diagnostics import InputError
from machines.instructions.cluster_control import BARRIERS, WAITS
from machines.kinds.cluster.code import ADDRESSES
from tests.programs.tile_runs import (
    check_that_all_agree,
    compiled,
    machine_named,
    program_of,
    run_streams,
    run_tiles,
    simulate,
)

CHIP = machine_named("teaching_chip")


def waits(code: Compilation, name: str = "main") -> list[str]:
    """Waits and barriers of a function, in order."""
    function = next(f for f in code.functions if f.name == name)
    rows = [i.operation.name for _, i in function.instructions()]
    return [row for row in rows if row in WAITS or row in BARRIERS]


def test_what_is_sent_has_one_place_whatever_each_function_names():
    """The core's own buffers stand before and behind the one that it is sent."""
    text = """
x: f32[64] in dram
y: f32[256] in dram
s: f32[32] in sram
a: f32[64] in nram
w: f32[32] in nram
b: f32[64] in nram

func @main() {
    beside = {"mem": "load"}
entry:
    k = task_id
    i = mul.i64 k, 64
    e = add.i64 i, 64
    tensor.fill.f32 a[0:64], 3.0
    tensor.fill.f32 b[0:64], 4.0
    sync_cluster 0
    tensor.add.f32 b[0:32], a[0:32], w[0:32]
    tensor.copy.f32 y[i:e], b[0:64]
    return
}

func @load() {
entry:
    tensor.copy.f32 s[0:32], x[0:32]
    tensor.broadcast.f32 w[0:32], s[0:32]
    sync_cluster 0
    return
}
"""
    code = check_that_all_agree(program_of(text), CHIP)
    main, load = code.functions
    assert ADDRESSES.of(main)["w"] == ADDRESSES.of(load)["w"]
    assert "a" not in ADDRESSES.of(load)


PARTNER_OF_A_PARTNER = """
x: f32[16] in dram
y: f32[32] in dram
s: f32[16] in sram
a: f32[16] in nram

func @main() {
    beside = {"mem": "load"}
entry:
    c = cluster_id
    k = task_id
    p = eq.i64 k, 0
    tensor.fill.f32 a[0:16], 3.0
    @p tensor.copy.f32 x[0:16], a[0:16]
    sync_all_ipu 0
    sync_cluster 1
    return
}

func @load() {
entry:
    c = cluster_id
    i = mul.i64 c, 16
    e = add.i64 i, 16
    sync_cluster 1
    tensor.copy.f32 s[0:16], x[0:16]
    tensor.copy.f32 y[i:e], s[0:16]
    return
}
"""


def test_who_meets_a_partner_later_is_waited_for():
    """The MEM core of the other cluster learns from its own cores that x is written."""
    code = check_that_all_agree(program_of(PARTNER_OF_A_PARTNER), CHIP)
    assert waits(code) == ["sync_compute", "sync_io", "sync_all_ipu", "sync_cluster"]


def test_a_meeting_of_one_cluster_does_not_answer_for_others():
    """What the core of another cluster reads behind a later barrier of its own cluster."""
    text = """
x: f32[16] in dram
y: f32[64] in dram
a: f32[16] in nram
b: f32[16] in nram

func @main() {
entry:
    k = task_id
    p = eq.i64 k, 0
    i = mul.i64 k, 16
    e = add.i64 i, 16
    tensor.fill.f32 a[0:16], 3.0
    @p tensor.copy.f32 x[0:16], a[0:16]
    sync_all_ipu 0
    sync_all_ipu_within_cluster 1
    tensor.copy.f32 b[0:16], x[0:16]
    tensor.copy.f32 y[i:e], b[0:16]
    return
}
"""
    code = check_that_all_agree(program_of(text), CHIP)
    assert waits(code)[:3] == ["sync_compute", "sync_io", "sync_all_ipu"]


def test_what_a_cluster_shares_waits_for_its_last_meeting():
    text = """
y: f32[64] in dram
s: f32[64] in sram
a: f32[16] in nram

func @main() {
entry:
    k = core_id
    i = mul.i64 k, 16
    e = add.i64 i, 16
    t = task_id
    low = mul.i64 t, 16
    high = add.i64 low, 16
    tensor.fill.f32 a[0:16], 3.0
    tensor.copy.f32 s[i:e], a[0:16]
    sync_all 0
    sync_cluster 1
    tensor.copy.f32 a[0:16], s[0:16]
    tensor.copy.f32 y[low:high], a[0:16]
    return
}
"""
    code = check_that_all_agree(program_of(text), CHIP)
    assert waits(code)[:4] == ["sync_compute", "sync_all", "sync_move", "sync_cluster"]


def test_what_partners_do_in_functions_that_they_call_is_seen():
    text = """
x: f32[128] in dram
y: f32[64] in dram
s: f32[64] in sram
a: f32[64] in nram

func @main() {
    beside = {"mem": "load"}
entry:
    sync_cluster 0
    tensor.copy.f32 a[0:64], s[0:64]
    sync_cluster 1
    tensor.copy.f32 y[0:64], a[0:64]
    return
}

func @load() {
entry:
    call @fetch()
    sync_cluster 0
    sync_cluster 1
    call @fetch()
    return
}

func @fetch() {
entry:
    tensor.copy.f32 s[0:64], x[0:64]
    return
}
"""
    code = compiled(program_of(text), CHIP)
    assert waits(code) == ["sync_cluster", "sync_move", "sync_cluster"]
    assert waits(code, "load") == ["sync_io", "sync_cluster", "sync_cluster"]


@pytest.mark.parametrize(("guard", "expected"), [("", 0), ("@p ", 1)])
def test_a_result_that_is_not_asked_for_ends_nothing(guard, expected):
    """The core waits for the sum, if it is there, and then for all of its queue."""
    text = f"""
y: f32[64] in dram
a: f32[16] in nram

func @main(n: i64) {{
entry:
    s = const.f32 0.0
    k = task_id
    i = mul.i64 k, 16
    e = add.i64 i, 16
    p = eq.i64 n, 7
    tensor.fill.f32 a[0:16], 3.0
    {guard}s = tensor.sum.f32 a[0:16]
    tensor.copy.f32 y[i:e], a[0:16]
    tensor.fill.f32 a[0:16], s
    tensor.copy.f32 y[i:e], a[0:16]
    return
}}
"""
    code = check_that_all_agree(program_of(text, n=1), CHIP)
    assert waits(code).count("sync_compute") == expected + 1


def test_a_wait_that_is_guarded_ends_nothing():
    text = """
y: f32[64] in dram
a: f32[16] in nram

func @main(n: i64) {
entry:
    k = task_id
    i = mul.i64 k, 16
    e = add.i64 i, 16
    p = eq.i64 n, 7
    tensor.fill.f32 a[0:16], 3.0
    @p sync_compute 0
    tensor.copy.f32 y[i:e], a[0:16]
    return
}
"""
    code = check_that_all_agree(program_of(text, n=1), CHIP)
    assert waits(code) == ["sync_compute", "sync_compute"]


def test_a_core_sends_from_the_buffer_that_it_sends_to():
    """Read is its own, written that of the other core."""
    text = """
y: f32[64] in dram
a: f32[32] in nram

func @main() {
    beside = {"mem": "load"}
entry:
    j = core_id
    k = task_id
    i = mul.i64 k, 16
    e = add.i64 i, 16
    tensor.fill.f32 a[0:16], 1.0
    c = add.i64 j, 3
    f = float_s.i64.f32 c
    tensor.fill.f32 a[16:32], f
    n = sub.i64 1, j
    sync_cluster 0
    tensor.unicast.f32 a[0:16], a[16:32], n
    sync_cluster 1
    tensor.copy.f32 y[i:e], a[0:16]
    return
}

func @load() {
entry:
    sync_cluster 0
    sync_cluster 1
    return
}
"""
    program = program_of(text)
    check_that_all_agree(program, CHIP)


MEET = """
func @main(n: i64) {{
    beside = {{"mem": "load"}}
entry:
    {main}
    return
}}

func @load(n: i64) {{
entry:
    {load}
    return
}}
"""


@pytest.mark.parametrize(
    ("main", "load", "message"),
    [
        ("sync_all_ipu 3", "sync_all_ipu 3", "no MEM core takes part in 'sync_all_ipu'"),
        (
            "sync_cluster n",
            "sync_cluster 1",
            "'sync_cluster' wants a number that is not negative, not 'n'",
        ),
        (
            "sync_cluster 1",
            "sync_cluster n",
            "'sync_cluster' wants a number, not the variable 'n'",
        ),
    ],
)
def test_meetings_that_cannot_be_are_refused(main, load, message):
    with pytest.raises(InputError, match=message):
        compiled(program_of(MEET.format(main=main, load=load), n=1), CHIP)


def test_who_comes_with_another_number_is_not_met():
    program = program_of(MEET.format(main="sync_cluster 1", load="sync_cluster 2"), n=1)
    code = compiled(program, CHIP)
    assert run_tiles(program, CHIP).outcome.status == "deadlock"
    assert run_streams(code, program, CHIP).outcome.status == "deadlock"
    outcome = simulate(code, program, CHIP).outcome
    assert outcome.status == "hang" and "waits in 'sync_cluster 1'" in outcome.waits_for


def test_copies_of_two_channels_keep_their_order_where_they_touch():
    """The second one is much shorter, and reads what the first one writes."""
    text = """
x: f32[512] in dram
y: f32[8] in dram
s: f32[512] in sram
t: f32[512] in sram
u: f32[8] in sram

func @main() {
    beside = {"mem": "load"}
entry:
    return
}

func @load() {
entry:
    c = cluster_id
    i = mul.i64 c, 4
    e = add.i64 i, 4
    tensor.copy.f32 s[0:512], x[0:512]
    tensor.copy.f32 t[0:512], s[0:512]
    tensor.copy.f32 u[0:4], t[500:504]
    tensor.copy.f32 y[i:e], u[0:4]
    return
}
"""
    code = check_that_all_agree(program_of(text), CHIP)
    assert waits(code, "load") == ["sync_io", "sync_move"]
