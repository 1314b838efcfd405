"""Functions that recur, that stand in a kernel once, and that are called through pointers."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import sim
from compiler.frontends.ptx.lowering import call_graph
from machines.diagnostics import InputError
from sim.results.result import Result
from tests.campaign.seeds import spread
from tests.compiler.frontends.ptx_runs import FOLDER, fixture, kernel, read, result, run

RANDOM = np.random.default_rng(3)
LISTS = RANDOM.integers(-100, 100, (8, 13)).astype(np.int32)
REALS = RANDOM.random(40)
WHICH = RANDOM.integers(0, 3, 40).astype(np.int32)


@cache
def fibonacci(n: int) -> int:
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def walk(bits: list[int], n: int, at: int) -> int:
    own = [bits[at + k & 3] + n for k in range(4)]
    return own[at & 3] if n == 0 else walk(own, n - 1, at * 3 + 1 & 3) + own[at + 1 & 3]


def zeros(count: int, dtype: str) -> np.ndarray:
    return np.zeros(count, dtype)


CALLS = {
    "fibs": (
        {"out": zeros(40, "i4"), "n": np.int32(40)},
        [np.array([fibonacci(i % 12) for i in range(40)], "i4")],
    ),
    "apply": (
        {"out": zeros(40, "f4"), "x": REALS.astype("f4"), "which": WHICH, "n": np.int32(40)},
        [np.choose(WHICH, [(x := REALS.astype("f4")) + 2, x * 2, x - 2]).astype("f4")],
    ),
    "areas": (
        {"out": zeros(40, "f8"), "x": REALS, "n": np.int32(40)},
        [np.where(np.arange(40) & 1, REALS * REALS, 3.0 * REALS * REALS)],
    ),
    "pairs": (
        {"out": zeros(16, "i4"), "sums": zeros(8, "i8"), "a": LISTS.ravel(), "n": np.int32(13)},
        [
            np.stack([LISTS.min(1) + (np.arange(8) % 2 == 0), LISTS.max(1)], 1).ravel(),
            LISTS.sum(1),
        ],
    ),
    "sorts": ({"a": LISTS.ravel(), "n": np.int32(13)}, [np.sort(LISTS, 1).ravel()]),
    "walks": (
        {"out": zeros(40, "i4")},
        [np.array([walk([k * i for k in range(8)], 6, i & 7) for i in range(40)], "i4")],
    ),
}
"""Arguments of each kernel of calls.cu, and what it leaves in the first arrays."""
THREADS = {"pairs": 8, "sorts": 8}


@pytest.mark.parametrize("name", CALLS)
def test_thread_by_thread(name: str):
    arguments, wanted = CALLS[name]
    found = run(fixture("calls"), name, list(arguments.values()), 1, THREADS.get(name, 40))
    for got, right in zip(found, wanted, strict=False):
        np.testing.assert_array_equal(got, right)


def on_core(name: str, machine: str, **overrides: str) -> Result:
    arguments, _ = CALLS[name]
    workload = {
        "workload": name,
        "program": str(FOLDER / "calls.ptx"),
        "entry": name,
        "arguments": arguments,
        "launch": {"grid": [1], "block": [THREADS.get(name, 40)]},
    }
    given = {"compute_capability": "7.5", **overrides}
    return sim.run(workload, machine=machine, overrides=given)


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("policy", spread(["markers", "ipdom", "min_pc"], 3))
def test_on_the_core(name: str, policy: str):
    found = on_core(name, "teaching_gpu", **{"reconvergence.policy": policy})
    assert found.status == "done", found.to_dict()["fault"]
    for got, right in zip(found.outputs.values(), CALLS[name][1], strict=False):
        np.testing.assert_array_equal(got, right)


def test_by_convergence_barriers():
    for name in ("fibs", "apply", "sorts"):
        found = on_core(name, "h200", compute_capability="9.0")
        [right, *_] = CALLS[name][1]
        np.testing.assert_array_equal(next(iter(found.outputs.values())), right)


def test_a_stack_that_is_full():
    found = on_core("fibs", "teaching_gpu", **{"limits.stack": "64 B"})
    assert found.status == "fault"
    fault = found.to_dict()["fault"]
    assert "out of bounds of local memory" in fault["message"] and fault["location"]["line"] == 4


# ── which stand once ─────────────────────────────────────────────────────────────────────────


def shared_once(text: str) -> list[str]:
    [function] = read(text).functions.values()
    return [name for name in function.blocks if name.startswith("f")]


def doubling(count: int) -> str:
    """f0 calls f1 twice, and so on: the last is called 2^count times."""
    head = "(.reg .b32 %d) f{} (.reg .b32 %a)"
    chain = [
        f".func {head.format(k)} {{ .reg .b32 %t; call (%t), f{k + 1}, (%a); "
        f"call (%d), f{k + 1}, (%t); ret; }}\n"
        for k in range(count)
    ]
    last = f".func {head.format(count)} {{ add.s32 %d, %a, 3; ret; }}\n"
    return last + "".join(reversed(chain))


def test_what_is_called_very_often_stands_once():
    body = "mov.u32 %r1, 7; call (%r2), f0, (%r1); st.global.u32 [%rd0], %r2;"
    assert result(body, above=doubling(14)) == [7 + 3 * 2**14]
    assert result(body, above=doubling(3)) == [7 + 3 * 2**3]


def test_what_lies_deep_in_calls_stands_once(monkeypatch: pytest.MonkeyPatch):
    chain = [f".func f{k} () {{ call f{k + 1}; ret; }}\n" for k in range(200)]
    above = ".global .u32 g; .func f200 () { .reg .b32 %r; ld.global.u32 %r, [g];"
    above += " add.u32 %r, %r, 5; st.global.u32 [g], %r; ret; }\n" + "".join(reversed(chain))
    body = "call f0; call f0; ld.global.u32 %r1, [g]; st.global.u32 [%rd0], %r1;"
    assert result(body, above=above) == [10]
    monkeypatch.setattr(call_graph, "DEEPEST", 1000)
    assert result(body.replace("f0", "f170"), above=above) == [10]


def test_registers_change_places_from_call_to_call():
    """Arguments are all read before any is given: gcd(a, b) calls gcd(b, a % b)."""
    above = """.func (.reg .b32 %d) gcd (.reg .b32 %a, .reg .b32 %b) {
        .reg .pred %p; .reg .b32 %t; setp.eq.u32 %p, %b, 0; @%p bra DONE;
        rem.u32 %a, %a, %b; call (%d), gcd, (%b, %a); ret;
        DONE: mov.u32 %d, %a; ret; }"""
    body = "mov.u32 %r1, 252; mov.u32 %r2, 105; call (%r3), gcd, (%r1, %r2);"
    assert result(f"{body} st.global.u32 [%rd0], %r3;", above=above) == [21]


def test_predicates_are_kept():
    above = """.func (.reg .b32 %d) f (.reg .b32 %n) {
        .reg .pred %p, %q; .reg .b32 %t; setp.eq.u32 %p, %n, 0; mov.u32 %d, 0; @%p ret;
        and.b32 %t, %n, 1; setp.eq.u32 %q, %t, 1; sub.u32 %t, %n, 1; call (%d), f, (%t);
        @%q add.u32 %d, %d, 10; @!%q add.u32 %d, %d, 1; ret; }"""
    body = "mov.u32 %r1, 5; call (%r2), f, (%r1); st.global.u32 [%rd0], %r2;"
    assert result(body, above=above) == [32]


# ── through pointers ─────────────────────────────────────────────────────────────────────────

TWO = """.func (.reg .b32 %d) one () { mov.u32 %d, 1; ret; }
.func (.reg .b32 %d) two () { mov.u32 %d, 2; ret; }
.global .align 8 .u64 table[2] = {one, two};"""
PROTOTYPE = "P: .callprototype (.reg .b32 _) _ ();"


def test_through_a_list_of_functions():
    body = "T: .calltargets two, one; mov.u64 %rd1, two; call (%r1), %rd1, T;"
    assert result(f"{body} st.global.u32 [%rd0], %r1;", above=TWO) == [2]
    body = "ld.global.u64 %rd1, [table]; T: .calltargets two, one; call (%r1), %rd1, T;"
    assert result(f"{body} st.global.u32 [%rd0], %r1;", above=TWO) == [1]


def test_a_guard_before_it():
    body = "mov.u64 %rd1, one; mov.u32 %r1, 9; setp.eq.u64 %p1, %rd0, 0;"
    assert result(f"{PROTOTYPE} {body} @%p1 call (%r1), %rd1, P; st.global.u32 [%rd0], %r1;",
                  above=TWO) == [9]  # fmt: skip


def test_what_is_no_function_faults(tmp_path):
    text = kernel(
        f"{PROTOTYPE} mov.u64 %rd1, 5; call (%r1), %rd1, P; st.global.u32 [%rd0], %r1;", TWO
    )
    path = tmp_path / "k.ptx"
    path.write_text(text)
    workload = {
        "workload": "k", "program": str(path), "launch": {"grid": [1], "block": [1]},
        "arguments": {"out": zeros(1, "u4")},
    }  # fmt: skip
    found = sim.run(workload, machine="h200")
    assert found.status == "fault" and "call of what is no function" in str(
        found.to_dict()["fault"]
    )


# ── parameters in memory ─────────────────────────────────────────────────────────────────────

PAIRS = """.func (.param .b32 d) sums (.param .align 8 .b8 p[8]) {{
    .reg .pred %p; .reg .b32 %n, %k, %s, %t; .reg .b64 %w;
    ld.param.b64 %w, [p];
    mov.b64 {{%n, %k}}, %w;
    mov.u32 %s, 0;
    setp.eq.u32 %p, %n, 0;
    @%p bra DONE;
    sub.u32 %n, %n, 1;
    {{ .param .align 8 .b8 q[8]; .param .b32 r, r2;
      st.param.b32 [q], %n; st.param.b32 [q+4], %k;
      call (r), sums, (q);
      ld.param.b32 %s, [r];
      {again}
    }}
    add.u32 %s, %s, %k;
    DONE: st.param.b32 [d], %s; ret; }}
"""
"""The caller stores two halves of what the callee loads as a whole: they are passed in memory."""
ONCE = """{ .param .align 8 .b8 q[8]; .param .b32 r; st.param.b32 [q], 3; st.param.b32 [q+4], 7;
call (r), sums, (q); ld.param.b32 %r1, [r]; } st.global.u32 [%rd0], %r1;"""


def test_parameters_in_memory_of_a_function_that_recurs():
    assert result(ONCE, above=PAIRS.format(again="")) == [21]


def test_memory_that_a_call_in_between_would_write():
    again = "call (r2), sums, (q); ld.param.b32 %t, [r2]; add.u32 %s, %s, %t;"
    with pytest.raises(InputError) as caught:
        read(kernel(ONCE, PAIRS.format(again=again)))
    [finding] = caught.value.diagnostics
    assert "'sums' recurs while 'q' is in memory" in finding.message
