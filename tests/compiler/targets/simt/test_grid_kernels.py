"""Small kernels by hand, run as IR and as rows after all passes."""

from __future__ import annotations

import numpy as np
import pytest

from compiler.targets.simt.interpret import interpret, memory_for
from compiler.text_form import parse
from machines.description.load import load_machine
from machines.kinds.simt.program import OPERATION
from machines.threads.grid import Grid
from tests.compiler.targets.simt.grids import built, check_grid

REVERSE = """
tile: i32[64] in shared
func @k(a: ptr) {
entry:
    t = tid.x
    w = sext.i32.i64 t
    o = mul.i64 w, 4
    n = ntid.x
    b = ctaid.x
    m = mul.i32 b, n
    i = add.i32 m, t
    v = sext.i32.i64 i
    e = mul.i64 v, 4
    p = add.ptr a, e
    x = load.i32 p
    s = address.ptr tile
    q = add.ptr s, o
    store.i32 q, x
    barrier
    l = sub.i32 n, 1
    r = sub.i32 l, t
    u = sext.i32.i64 r
    f = mul.i64 u, 4
    g = add.ptr s, f
    y = load.i32 g
    store.i32 p, y
    return
}
"""
SUM = """
func @k(a: ptr, total: ptr, n: i32) {
entry:
    s = const.f32 0.0
    t = tid.x
    i = copy.i32 t
    jump head
head:
    more = lt_s.i32 i, n
    branch more, body, done
body:
    w = sext.i32.i64 i
    o = shl.i64 w, 2
    p = add.ptr a, o
    x = load.f32 p
    s = add.f32 s, x
    k = ntid.x
    i = add.i32 i, k
    jump head
done:
    y = shuffle_down.f32 s, 16
    s = add.f32 s, y
    y = shuffle_down.f32 s, 8
    s = add.f32 s, y
    y = shuffle_down.f32 s, 4
    s = add.f32 s, y
    y = shuffle_down.f32 s, 2
    s = add.f32 s, y
    y = shuffle_down.f32 s, 1
    s = add.f32 s, y
    first = eq.i32 t, 0
    branch first, write, end
write:
    store.f32 total, s
    jump end
end:
    return
}
"""
COUNT = """
bins: i32[8] in shared
func @k(a: ptr, out: ptr, n: i32) {
entry:
    t = tid.x
    w = sext.i32.i64 t
    b = address.ptr bins
    low = lt_s.i32 t, 8
    o = mul.i64 w, 4
    q = add.ptr b, o
    @low store.i32 q, 0
    barrier
    p = add.ptr a, o
    x = load.i32 p
    m = and.i32 x, 7
    z = sext.i32.i64 m
    f = mul.i64 z, 4
    c = add.ptr b, f
    old = atomic_add.i32 c, 1
    odd = ne.i32 m, 0
    votes = ballot odd
    barrier
    branch low, write, end
write:
    y = load.i32 q
    v = trunc.i64.i32 votes
    y = add.i32 y, v
    r = add.ptr out, o
    store.i32 r, y
    jump end
end:
    return
}
"""


@pytest.fixture(scope="module")
def machine():
    return load_machine("teaching_gpu")


def checked(source: str, arguments: dict, grid: Grid, machine):
    module = parse(source, "k.sir")
    return check_grid(module.functions["k"], module, arguments, grid, machine)


def names_of(program) -> list[str]:
    return [program.operations[n] for n in program.code[:, OPERATION]]


def test_a_block_turned_round_in_shared_memory(machine):
    a = np.arange(128, dtype=np.int32)
    program = checked(REVERSE, {"a": a}, Grid((2, 1, 1), (64, 1, 1)), machine)
    names = names_of(program)
    assert {"st.shared.b32", "ld.shared.b32", "ld.global.b32"} <= set(names)
    assert not any("64" in name for name in names if "ld.param" not in name)
    assert program.kernels["k"].frame.shared == 256


def test_a_sum_over_a_warp(machine):
    a = np.linspace(-1, 2, 100).astype(np.float32)
    arguments = {"a": a, "total": np.zeros(1, np.float32), "n": 100}
    program = checked(SUM, arguments, Grid((1, 1, 1), (32, 1, 1)), machine)
    assert names_of(program).count("shfl.sync.down.alone") == 5


def test_counts_by_atomics_and_votes(machine):
    a = np.random.default_rng(3).integers(0, 100, 32, np.int32)
    arguments = {"a": a, "out": np.zeros(8, np.int32), "n": 32}
    checked(COUNT, arguments, Grid((1, 1, 1), (32, 1, 1)), machine)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("x = div_s.i32 5, n", "division by zero"),
        ("x = rem_u.i32 5, n", "division by zero"),
        ("q = add.ptr a, 2\n    x = load.i32 q", "misaligned"),
        ("q = add.ptr a, 400\n    x = load.i32 q", "out of bounds"),
        ("s = address.ptr tile\n    q = add.ptr s, 16\n    x = load.i32 q", "out of bounds"),
    ],
)
def test_faults_have_their_kind_and_line(line, kind, machine):
    source = f"tile: i32[4] in shared\nfunc @k(a: ptr, n: i32) {{\nentry:\n    {line}\n"
    source += "    store.i32 a, x\n    return\n}"
    module = parse(source, "k.sir")
    program = built(module.functions["k"], module, machine)
    memory = memory_for(program, {"a": np.zeros(4, np.int32)})
    grid = Grid((1, 1, 1), (1, 1, 1))
    outcome = interpret(program, machine.description, memory, None, grid, {"a": "a", "n": 0})
    assert outcome.status == "fault" and outcome.fault.kind == kind
    assert outcome.fault.location.line == 4 + line.count("\n")


def test_a_function_that_others_call_is_inlined_whatever_its_size(machine):
    body = "\n".join(f"    x = add.i32 x, {k}\n    x = xor.i32 x, {3 * k}" for k in range(60))
    source = f"""
func @twist(x: i32) -> i32 {{
entry:
{body}
    return x
}}
func @k(a: ptr) {{
entry:
    x = load.i32 a
    y = call.i32 @twist(x)
    z = call.i32 @twist(y)
    store.i32 a, z
    return
}}
"""
    module = parse(source, "k.sir")
    arguments = {"a": np.array([7], np.int32)}
    check_grid(module.functions["k"], module, arguments, Grid((1, 1, 1), (1, 1, 1)), machine)
