"""Grids of threads in the IR's interpreter: memory spaces, barriers, deadlocks, faults."""

from __future__ import annotations

import numpy as np
import pytest

from compiler.interpret.functions import interpret, memory_for
from compiler.interpret.grids import GridOutcome, interpret_grid
from compiler.ir.memory_spaces import space_addresses, space_layout
from compiler.ir.printer import print_module
from compiler.text_form import parse
from machines.diagnostics import InputError
from machines.instructions import operations
from machines.threads.grid import Grid
from machines.threads.spaces import LOCAL_BASE, SHARED_BASE

OWN = """    t = tid.x
    o = sext.i32.i64 t
    b = shl.i64 o, 2
    p = add.ptr a, b
"""
"""p: the thread's own i32 of a."""


def kernel(body: str, buffers: str = "", parameters: str = "a: ptr") -> str:
    return f"{buffers}\nfunc @k({parameters}) {{\nentry:\n{OWN}{body}}}\n"


def launch(text: str, threads=4, blocks=1, size=None, **options) -> tuple[GridOutcome, list[int]]:
    """The outcome and `a`, i32 elements that are 0, 1, 2, … first; `threads` along x."""
    module = parse(text, "k.sir")
    a = np.arange(size or threads, dtype=np.int32)
    memory = memory_for(module, {"a": a})
    grid = Grid((blocks, 1, 1), (threads, 1, 1), options.pop("dynamic_shared", 0))
    arguments = {"a": a}
    outcome = interpret_grid(module.functions["k"], arguments, memory, grid, **options)
    return outcome, memory.view("a", np.int32).tolist()


def test_threads_of_three_axes_are_numbered_with_x_fastest():
    text = """func @k(a: ptr) {
entry:
    x = tid.x
    y = tid.y
    z = tid.z
    m = ntid.x
    n = ntid.y
    z2 = mul.i32 z, n
    y2 = add.i32 z2, y
    y3 = mul.i32 y2, m
    t = add.i32 y3, x
    o = sext.i32.i64 t
    b = shl.i64 o, 2
    p = add.ptr a, b
    l = laneid
    store.i32 p, l
    return
}
"""
    module = parse(text)
    memory = memory_for(module, {"a": np.zeros(24, np.int32)})
    grid = Grid((1, 1, 1), (2, 3, 4))
    arguments = {"a": np.zeros(24, np.int32)}
    outcome = interpret_grid(module.functions["k"], arguments, memory, grid, warp_width=8)
    assert outcome.status == "done"
    assert memory.view("a", np.int32).tolist() == [*range(8)] * 3


# Memory spaces


def test_layout_of_spaces():
    module = parse(
        "tile: f32[5] in shared\nother: i8[7] in shared\nunused: i64[9] in shared\n"
        "flag: i8[3] in shared\nsums: f64[8] in shared\nmine: i16[3] in local\n"
        "func @g() {\nb:\n    p = address.ptr sums\n    return\n}\n"
        "func @k() {\nb:\n    p = address.ptr tile\n    q = address.ptr flag\n"
        "    r = address.ptr mine\n    call @g()\n    return\n}\n"
    )
    function = module.functions["k"]
    shared = space_layout(function, "shared")
    assert shared.offsets == {"tile": 0, "flag": 20, "sums": 24}
    assert shared.size == 24 + 64
    assert space_addresses(function) == {
        "tile": SHARED_BASE, "flag": SHARED_BASE + 20, "sums": SHARED_BASE + 24,
        "mine": LOCAL_BASE,
    }  # fmt: skip


def test_shared_memory_belongs_to_a_block_and_local_memory_to_a_thread():
    body = """    s = address.ptr s
    l = address.ptr l
    one = atomic_add.i32 s, 1
    two = atomic_add.i32 l, 1
    barrier
    n = load.i32 s
    m = load.i32 l
    ten = mul.i32 n, 10
    r = add.i32 ten, m
    store.i32 p, r
    return
"""
    text = kernel(body, "s: i32[1] in shared\nl: i32[1] in local")
    outcome, a = launch(text, threads=3, blocks=2)
    assert outcome.status == "done"
    assert a == [31] * 3


def test_generic_pointers_may_be_kept_in_memory():
    """Which space a pointer leads to is known only while it runs."""
    body = """    s = address.ptr s
    bit = and.i32 t, 1
    odd = eq.i32 bit, 1
    q = select.ptr odd, s, p
    store.i32 q, 50
    barrier
    n = load.i32 s
    x = load.i32 p
    y = add.i32 x, n
    store.i32 p, y
    return
"""
    outcome, a = launch(kernel(body, "s: i32[1] in shared"))
    assert outcome.status == "done"
    assert a == [100, 51, 100, 53]


def test_dynamic_shared_memory_stands_behind_the_static_one():
    body = """    s = address.ptr s
    q = add.ptr s, 8
    store.i32 q, 7
    return
"""
    text = kernel(body, "s: i32[1] in shared")
    assert launch(text, dynamic_shared=8)[0].status == "done"
    assert launch(text, dynamic_shared=4)[0].fault.kind == "out of bounds"


# Meetings


def test_threads_that_have_ended_are_not_waited_for():
    body = """    early = lt_s.i32 t, 2
    branch early, out, on
out:
    return
on:
    barrier
    v = ballot 1
    n = trunc.i64.i32 v
    store.i32 p, n
    return
"""
    assert launch(kernel(body))[1] == [0, 1, 0b1100, 0b1100]


def test_barriers_at_different_places_meet():
    body = """    c = lt_s.i32 t, 2
    branch c, one, two
one:
    barrier
    jump out
two:
    barrier
    jump out
out:
    store.i32 p, 9
    return
"""
    assert launch(kernel(body))[1] == [9] * 4


WARPS = """    c = lt_s.i32 t, 2
    {row}
    store.i32 p, d
    return
"""


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("e = vote_any c\n    d = zext.i1.i32 e", [1, 1, 1, 1, 0, 0]),
        ("e = vote_all c\n    d = zext.i1.i32 e", [0] * 6),
        ("e = ballot c\n    d = trunc.i64.i32 e", [3, 3, 3, 3, 0, 0]),
        ("d = shuffle_index.i32 t, 2", [2, 2, 2, 2, 4, 5]),
        ("d = shuffle_index.i32 t, -1", [*range(6)]),
        ("d = shuffle_up.i32 t, 1", [0, 0, 1, 2, 4, 4]),
        ("d = shuffle_down.i32 t, 1", [1, 2, 3, 3, 5, 5]),
        ("d = shuffle_xor.i32 t, 3", [3, 2, 1, 0, 4, 5]),
        ("d = shuffle_index.i32 t, t", [*range(6)]),
    ],
)
def test_operations_of_warps_of_four_lanes(rows, expected):
    """Six threads: a full warp, and one of two lanes."""
    text = kernel(WARPS.format(row=rows))
    assert launch(text, threads=6, warp_width=4)[1] == expected


def test_a_full_warp_of_64_lanes_votes():
    body = "    c = ge_s.i32 t, 0\n    v = ballot c\n    n = trunc.i64.i32 v\n    store.i32 p, n\n"
    assert launch(kernel(body + "    return\n"), threads=64, warp_width=64)[1] == [-1] * 64


def test_deadlock_of_a_barrier_and_a_vote():
    body = """    c = lt_s.i32 t, 1
    branch c, one, two
one:
    barrier
    return
two:
    v = vote_any c
    barrier
    return
"""
    outcome, _ = launch(kernel(body))
    assert outcome.status == "deadlock"
    assert [(w.thread[0], w.operation, w.location.line) for w in outcome.waiting] == [
        (0, "barrier", 11), (1, "vote_any", 14), (2, "vote_any", 14), (3, "vote_any", 14),
    ]  # fmt: skip
    assert outcome.lines() == [
        "thread (0, 0, 0) waits at 'barrier', k.sir:11:5",
        "3 threads from (1, 0, 0) to (3, 0, 0) wait at 'vote_any', k.sir:14:5",
    ]


def test_a_vote_in_two_calls_is_two_votes():
    """Calls are inlined for machines, so these are different instructions."""
    text = """func @g(x: i1) -> i1 {
b:
    v = vote_any x
    return v
}
func @k(a: ptr) {
entry:
    t = tid.x
    c = lt_s.i32 t, 2
    branch c, one, two
one:
    x = call.i1 @g(c)
    return
two:
    y = call.i1 @g(c)
    return
}
"""
    assert launch(text)[0].status == "deadlock"


def test_a_thread_that_waits_for_a_later_one_reaches_the_limit():
    body = """    first = eq.i32 t, 0
    branch first, spin, set
spin:
    x = atomic_add.i32 a, 0
    waits = eq.i32 x, 0
    branch waits, spin, out
set:
    y = atomic_add.i32 a, 1
    return
out:
    return
"""
    outcome, _ = launch(kernel(body), limit=1000)
    assert outcome.status == "limit"
    assert outcome.steps <= 1000
    assert launch(kernel(body), limit=1000, backward=True)[0].status == "done"


# Faults and refusals


@pytest.mark.parametrize(
    ("buffer", "offset", "kind"),
    [
        ("s: i32[4] in shared", -20, "out of bounds"),
        ("s: i32[4] in shared", 1, "misaligned"),
        ("s: i32[4] in local", 16, "out of bounds"),
        ("s: i32[4] in global", 16, "out of bounds"),
        ("s: i32[4] in constant", 1, "misaligned"),
    ],
)
def test_faults_name_thread_block_and_place(buffer, offset, kind):
    """The first thread that goes wrong is the last of the second block."""
    body = f"""    s = address.ptr s
    b1 = ctaid.x
    m = and.i32 b1, t
    bad = eq.i32 m, 1
    w = select.i64 bad, {offset}, 0
    w2 = mul.i64 w, o
    q = add.ptr s, w2
    x = load.i32 q
    return
"""
    text = kernel(body, buffer)
    outcome, _ = launch(text, threads=2, blocks=2)
    assert outcome.fault.kind == kind
    assert outcome.at == ((1, 0, 0), (1, 0, 0))
    assert outcome.fault.location.line == text[: text.index("x = load")].count("\n") + 1
    assert (outcome.fault.function, outcome.fault.block, outcome.fault.index) == ("k", "entry", 11)


def test_division_by_zero_faults_precisely():
    body = "    store.i32 p, 5\n    z = sub.i32 1, t\n    q = div_s.i32 7, z\n    return\n"
    outcome, a = launch(kernel(body))
    assert outcome.fault.kind == "division by zero"
    assert outcome.at == ((0, 0, 0), (1, 0, 0))
    assert a == [5, 5, 2, 3]


@pytest.mark.parametrize(
    "body",
    ["    barrier\n", "    x = atomic_add.i32 p, 1\n", "    q = address.ptr s\n"],
)
def test_one_thread_alone_refuses_programs_of_threads(body):
    text = f"s: i32[1] in shared\nfunc @k(p: ptr) {{\nb:\n{body}    return\n}}\n"
    module = parse(text, "k.sir")
    given = {"p": np.zeros(1, np.int32)}
    with pytest.raises(InputError, match="@k runs many times at once") as caught:
        interpret(module.functions["k"], given, memory_for(module, given))
    assert caught.value.diagnostics[0].location.line == 4


def test_a_kernel_returns_nothing():
    module = parse("func @k() -> i32 {\nb:\n    return 1\n}\n")
    memory = memory_for(module, {})
    with pytest.raises(InputError, match="a kernel returns nothing"):
        interpret_grid(module.functions["k"], {}, memory, Grid((1, 1, 1), (1, 1, 1)))


def test_buffers_of_blocks_and_threads_have_no_values():
    with pytest.raises(InputError, match="a buffer in shared has no values to begin with"):
        parse("s: i32[2] in shared = [1, 2]\nfunc @k() {\nb:\n    return\n}\n")


def test_text_of_every_row_is_read_back():
    """One instruction of each; results and operands named after their place."""
    lines = []
    rows = [row for row in operations().family("ir").values() if "threads" in row.flags]
    for number, row in enumerate(rows):
        results = "".join(f"d{number}_{o.name} = " for o in row.writes)
        reads = ", ".join(f"v_{o.kind}" for o in row.reads)
        lines.append(f"    {results}{row} {reads}".rstrip())
    types = ("i1", "i32", "i64", "f32", "f64", "ptr")
    parameters = ", ".join(f"v_{t}: {t}" for t in types)
    text = f"func @k({parameters}) {{\nb:\n" + "\n".join(lines) + "\n    return\n}\n"
    buffers = "".join(
        f"{space}: i32[2] in {space}\n" for space in ("global", "shared", "local", "constant")
    )
    assert print_module(parse(buffers + "\n" + text)) == buffers + "\n" + text
