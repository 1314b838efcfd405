"""Kernels of threads in Python: what they do in a grid, and what is refused."""

from __future__ import annotations

import re

import numpy as np
import pytest

import compiler.kernel
from compiler import compile
from compiler.interpret.functions import memory_for
from compiler.interpret.grids import GridOutcome, interpret_grid
from compiler.python_syntax.scope import IMPORTABLE, THREAD_NAMES
from machines.description.load import load_machine
from machines.diagnostics import InputError
from machines.threads.grid import Grid
from tests.compiler.frontends.test_python_page import EXAMPLES

IMPORTS = f"from compiler.kernel import {', '.join(THREAD_NAMES)}\n"


@pytest.fixture(name="launch")
def launch_fixture(read):
    """launch(text, blocks, threads, **arguments) -> arrays by name; the kernel must end well."""

    def launch(text, blocks, threads, status="done", **arguments) -> dict | GridOutcome:
        module = read(IMPORTS + text)
        function = module.functions[module.entry]
        memory = memory_for(module, arguments)
        grid = Grid((blocks, 1, 1), (threads, 1, 1))
        outcome = interpret_grid(function, arguments, memory, grid, limit=1_000_000)
        assert outcome.status == status, outcome.lines()
        if status != "done":
            return outcome
        arrays = {n: a for n, a in arguments.items() if isinstance(a, np.ndarray)}
        return {n: memory.view(n, a.dtype).tolist() for n, a in arrays.items()}

    return launch


def test_example_of_the_page(read):
    (text,) = (example for example in EXAMPLES if "def sum_up" in example)
    module = read(text)
    x, total = np.arange(1, 101, dtype=np.float32), np.zeros(1, np.float32)
    arguments = {"n": 100, "x": x, "total": total}
    memory = memory_for(module, arguments)
    kernel = module.functions["sum_up"]
    grid = Grid((2, 1, 1), (64, 1, 1))
    assert interpret_grid(kernel, arguments, memory, grid).status == "done"
    assert memory.view("total", np.float32).tolist() == [5050.0]


def test_places(launch):
    text = """@kernel
def k(out: i32[:]):
    i = grid(1)
    out[8 * i] = threadIdx.x
    out[8 * i + 1] = blockIdx.x
    out[8 * i + 2] = blockDim.x
    out[8 * i + 3] = gridDim.x
    out[8 * i + 4] = laneid
    out[8 * i + 5] = warpsize
    x, y, z = grid(3)
    out[8 * i + 6] = x
    out[8 * i + 7] = y + z
"""
    out = launch(text, 2, 40, out=np.zeros(8 * 80, np.int32))["out"]
    assert out[8 * 75 : 8 * 76] == [35, 1, 40, 2, 3, 32, 75, 0]


def test_shared_memory_of_two_dimensions_and_barriers(launch):
    text = """@kernel
def transpose(a: i32[8, 8], out: i32[8, 8]):
    tile = shared.array((8, 9), i32)
    x = threadIdx.x % 8
    y = threadIdx.x // 8
    tile[y, x] = a[y, x]
    syncthreads()
    out[y, x] = tile[x, y]
"""
    a = np.arange(64, dtype=np.int32)
    assert (
        launch(text, 1, 64, a=a, out=np.zeros_like(a))["out"] == a.reshape(8, 8).T.ravel().tolist()
    )


def test_local_memory_is_the_thread_s_own(launch):
    text = """@kernel
def k(out: i32[:]):
    mine = local.array(4, i32)
    for i in range(4):
        mine[i] = i32(threadIdx.x * 10 + i)
    syncthreads()
    out[threadIdx.x] = mine[threadIdx.x % 4]
"""
    assert launch(text, 1, 8, out=np.zeros(8, np.int32))["out"] == [0, 11, 22, 33, 40, 51, 62, 73]


@pytest.mark.parametrize(
    ("call", "dtype", "start", "expected"),
    [
        ("atomic.add(a, 0, i)", "i32", 5, 5 + 28),
        ("atomic.add(a, 0, f64(i) + 0.5)", "f64", 0, 32.0),
        ("atomic.min(a, 0, i - 3)", "i32", 5, -3),
        ("atomic.max(a, 0, u32(i))", "u32", 2**32 - 1, 2**32 - 1),
        ("atomic.and_(a, 0, 255 - (i32(1) << i))", "i32", 511, 0),
        ("atomic.or_(a, 0, 1 << i)", "i64", 0, 255),
        ("atomic.xor(a, 0, i)", "i32", 1, 1),
        ("atomic.exch(a, 0, 77)", "i32", 1, 77),
        ("atomic.cas(a, 0, i, i + 1)", "i32", 0, 8),
    ],
)
def test_atomics(launch, call, dtype, start, expected):
    text = f"@kernel\ndef k(a: {dtype}[:]):\n    i = threadIdx.x\n    {call}\n"
    kinds = {"i32": np.int32, "u32": np.uint32, "i64": np.int64, "f64": np.float64}
    assert launch(text, 1, 8, a=np.array([start], kinds[dtype]))["a"] == [expected]


def test_atomics_give_the_old_value(launch):
    text = """@kernel
def k(next: i32[:], out: i32[:]):
    out[atomic.add(next, 0, 1)] = 1
"""
    assert (
        launch(text, 2, 10, next=np.zeros(1, np.int32), out=np.zeros(20, np.int32))["out"]
        == [1] * 20
    )


def test_votes(launch):
    text = """@kernel
def k(out: u64[:]):
    i = threadIdx.x
    if any_sync(i == 33):
        out[4 * (i // 32)] = 1
    if all_sync(0xffffffff, i >= 32):
        out[4 * (i // 32) + 1] = 1
    out[4 * (i // 32) + 2] = ballot_sync(i % 2 == 1)
"""
    out = launch(text, 1, 40, out=np.zeros(8, np.uint64))["out"]
    assert out == [0, 0, 0xAAAA_AAAA, 0, 1, 1, 0xAA, 0]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("shfl_sync(v, 3)", [3] * 8),
        ("shfl_sync(v, 99)", list(range(8))),
        ("shfl_up_sync(v, 2)", [0, 1, 0, 1, 2, 3, 4, 5]),
        ("shfl_down_sync(0xffffffff, v, 2)", [2, 3, 4, 5, 6, 7, 6, 7]),
        ("shfl_xor_sync(v, threadIdx.x * 0 + 1)", [1, 0, 3, 2, 5, 4, 7, 6]),
    ],
)
@pytest.mark.parametrize("dtype", ["i32", "f64"])
def test_shuffles(launch, call, expected, dtype):
    text = f"@kernel\ndef k(out: {dtype}[:]):\n    v = {dtype}(threadIdx.x)\n"
    text += f"    out[threadIdx.x] = {call}\n"
    out = np.zeros(8, {"i32": np.int32, "f64": np.float64}[dtype])
    assert launch(text, 1, 8, out=out)["out"] == expected


def test_ways_out_of_loops_and_early_returns(launch):
    """The first multiple of 7 from the thread's start on that is no multiple of 3, in rows of 5."""
    text = """@kernel
def k(n: i32, out: i32[:]):
    i = threadIdx.x
    if i >= n:
        return
    row = i32(i)
    while True:
        for column in range(i32(5)):
            value = row * 5 + column
            if value % 3 == 0:
                continue
            if value > 60:
                break
            if value % 7 == 0:
                out[i] = value
                return
        row += 1
        if row > 12:
            break
    out[i] = -1
"""

    def expected(i: int) -> int:
        found = [v for v in range(i * 5, 65) if v % 3 and v % 7 == 0 and v <= 60]
        return found[0] if found else -1

    out = launch(text, 1, 20, n=14, out=np.zeros(20, np.int32))["out"]
    assert out == [expected(i) for i in range(14)] + [0] * 6


def test_a_test_that_meets_others_stands_once(read):
    text = """@kernel
def k(a: i32[:]):
    while atomic.cas(a, 0, 0, 1) != 0:
        pass
    while any_sync(a[threadIdx.x] > 0):
        a[threadIdx.x] -= 1
"""
    function = read(IMPORTS + text).functions["k"]
    rows = [i.operation.name for _, i in function.instructions()]
    assert rows.count("atomic_cas.i32") == rows.count("vote_any") == 1


def test_deadlock_says_who_waits_where(launch):
    text = """@kernel
def k(a: i32[:]):
    if threadIdx.x < 3:
        syncthreads()
    elif any_sync(True):
        a[0] = 1
"""
    outcome = launch(text, 1, 8, status="deadlock", a=np.zeros(1, np.int32))
    assert outcome.lines() == [
        "3 threads from (0, 0, 0) to (2, 0, 0) wait at 'barrier', kernels.py:6:9",
        "5 threads from (3, 0, 0) to (7, 0, 0) wait at 'vote_any', kernels.py:7:10",
    ]


def test_faults_name_block_thread_and_place(launch):
    text = """@kernel
def k(a: i32[:]):
    tile = shared.array(4, i32)
    tile[blockIdx.x * 4 + threadIdx.x] = a[threadIdx.x]
"""
    outcome = launch(text, 2, 4, status="fault", a=np.zeros(4, np.int32))
    assert outcome.at == ((1, 0, 0), (0, 0, 0))
    assert outcome.lines() == [
        "out of bounds at 0x700000000010: thread (0, 0, 0) of block (1, 0, 0) at kernels.py:6:5"
    ]


REFUSED = [
    ("v = threadIdx.w", "'threadIdx' has no axis 'w'"),
    ("v = threadIdx", "'threadIdx' is a name of compiler.kernel, not a value"),
    ("i, j = grid(1)", "2 targets need 2 values"),
    ("v = grid(2)", "grid(2) gives 2 numbers"),
    ("v = grid(n)", "grid needs 1, 2 or 3"),
    ("for i in range(3):\n        t = shared.array(4, f32)", "shared.array declares an array once"),
    ("t = shared.array(n, f32)", "the size of such an array is a constant, positive integer"),
    ("t = shared.array(4, float)", "'float' is not a kernel type"),
    ("t = local.zeros(4, f32)", "'local' has no 'zeros'"),
    ("t = local.array(4)", "local.array needs a shape and a type"),
    ("shared = 1", "'shared' is a name of compiler.kernel"),
    ("syncthreads(1)", "syncthreads takes no argument"),
    ("v = syncthreads()", "syncthreads() has no value"),
    ("any_sync(n > 0)", "the value is not used"),
    ("v = any_sync(3, n > 0)", "all threads of the warp take part"),
    ("v = shfl_sync(n, -1)", "-1 is no lane"),
    ("v = shfl_sync(n, 1.5)", "1.5 is no lane"),
    ("atomic.sub(x, 0, 1)", "'atomic' has no 'sub'"),
    ("atomic.max(x, 0, 1)", "there is no atomic max of f32"),
    ("atomic.add(b, 0, 1)", "there is no atomic add of u8"),
    ("atomic.add(x, 0)", "expected 3 argument(s)"),
    ("atomic.add(x, 0, d)", "an element of x is f32, which does not hold every f64"),
    ("atomic.add(n, 0, 1)", "'n' is not an array"),
]


@pytest.mark.parametrize(("statement", "message"), REFUSED)
def test_what_is_refused(read, statement, message):
    parameters = "n: i64, d: f64, x: f32[:], b: u8[:]"
    with pytest.raises(InputError) as caught:
        read(f"{IMPORTS}@kernel\ndef f({parameters}):\n    {statement}\n")
    [finding] = caught.value.diagnostics
    assert finding.message.startswith(message)
    assert finding.location


@pytest.mark.parametrize(
    "statement",
    ["v = threadIdx.x", "syncthreads()", "v = grid(1)", "t = shared.array(4, f32)",
     "atomic.add(x, 0, 1.0)"],
)  # fmt: skip
def test_names_have_to_be_imported(read, statement):
    with pytest.raises(InputError) as caught:
        read(f"@kernel\ndef f(x: f32[:]):\n    {statement}\n")
    assert re.match(r"'\w+' is not imported", caught.value.diagnostics[0].message)


def test_names_are_free_where_they_are_not_imported(run):
    text = "@kernel\ndef grid(local: i64) -> i64:\n    atomic = local + 1\n    return atomic\n"
    assert run(text, local=4).value == 5


def test_kernel_files_can_be_imported():
    assert all(hasattr(compiler.kernel, name) for name in IMPORTABLE)


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("syncthreads()", "barrier"),
        ("a[0] = threadIdx.x", "tid.x"),
        ("t = shared.array(4, i32)\n    t[0] = a[0]", "address.ptr"),
    ],
)
def test_other_machines_refuse_threads(tmp_path, body, what):
    path = tmp_path / "k.py"
    path.write_text(
        "from compiler.kernel import kernel, i32, shared, syncthreads, threadIdx\n"
        f"@kernel\ndef k(a: i32[:]):\n    {body}\n"
    )
    with pytest.raises(InputError, match=f"'{what}' cannot be compiled for this machine") as caught:
        compile(path, machine=load_machine("itanium2"))
    assert "simt" in caught.value.diagnostics[0].hint
