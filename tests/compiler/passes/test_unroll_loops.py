"""Loops that run four iterations at a time: which, and that they do the same."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from compiler.ir.printer import print_instruction
from compiler.pass_lists import make_steps
from compiler.pipelines import run_on_all
from compiler.targets.simt import TARGET
from compiler.targets.simt.passes.unroll_loops import unroll
from machines.description.load import load_machine
from tests.compiler.code_of_lines import code, findings
from tests.compiler.frontends import ptx_runs

HEAD = ["%m = ld.shared.b32 0, 0", "%n = mov.b32 0", "%s = mov.b32 0", "bra.uni loop"]
SUM = ["%a = ld.shared.b32 %s, 0", "%s = add.s32 %s, %a"]
COUNT = ["%n = add.s32 %n, 1", "%q = setp.lt.s32 %n, %m", "bra %q, loop, out"]
OUT = ["st.shared.b32 0, 0, %s", "exit"]


def unrolled(limit: int = 20, times: int = 4, **blocks: list[str]) -> dict[str, list[str]]:
    made = code("ptx", **blocks)
    unroll(made, limit, times, load_machine("h200").description)
    assert findings(made, "h200") == []
    return {n: [print_instruction(i) for i in b.instructions] for n, b in made.blocks.items()}


def test_the_last_time_values_are_those_of_the_loop():
    found = unrolled(times=2, entry=HEAD, loop=[*SUM, *COUNT], out=OUT)
    assert list(found) == ["entry", "loop.1", "loop.2", "loop.3", "loop", "out"]
    assert found["loop.1"] == [
        "%limit.1 = max.s32 %m, -2147483647",
        "%limit.2 = add.s32 %limit.1, -1",
        "%many.1 = setp.lt.s32 %n, %limit.2",
        "bra %many.1, loop.2, loop",
    ]
    assert found["loop.2"] == [
        "%a.1 = ld.shared.b32 %s, 0",
        "%s.1 = add.s32 %s, %a.1",
        "%a = ld.shared.b32 %s.1, 0",
        "%s = add.s32 %s.1, %a",
        "%n = add.s32 %n, 2",
        "%q = setp.lt.s32 %n, %m",
        "%many.2 = setp.lt.s32 %n, %limit.2",
        "bra %many.2, loop.2, loop.3",
    ]
    assert found["loop.3"] == ["bra %q, loop, out"]
    assert found["loop"] == [*SUM, *COUNT]


def test_a_test_may_lead_out():
    ends = ["%n = add.s32 %n, 1", "%q = setp.ge.s32 %n, %m", "bra %q, out, loop"]
    found = unrolled(entry=HEAD, loop=[*SUM, *ends], out=OUT)
    assert found["loop.1"][2:] == [
        "%many.1 = setp.lt.s32 %n, %limit.2",
        "bra %many.1, loop.2, loop",
    ]
    assert found["loop.3"] == ["bra %q, out, loop"]


def test_an_address_made_of_what_counts_is_made_once():
    """Behind the loop its register holds what the last time made."""
    head = ["%p = ld.param.b64 0", "%t = mov.tid.x", *HEAD]
    body = ["%a = mad.wide.s32 %t, 4, %p", "%x = ld.global.b32 %a, 8", "%s = add.s32 %s, %x"]
    loop = [*body, "%p = add.s64 %p, 256", *COUNT]
    out = ["st.global.b32 %a, 0, %s", "exit"]
    found = unrolled(times=3, entry=head, loop=loop, out=out)
    assert found["loop.2"][:-3] == [
        "%a.1 = mad.wide.s32 %t, 4, %p",
        "%x.1 = ld.global.b32 %a.1, 8",
        "%s.1 = add.s32 %s, %x.1",
        "%x.2 = ld.global.b32 %a.1, 264",
        "%s.2 = add.s32 %s.1, %x.2",
        "%p.1 = add.s64 %p, 512",
        "%a = mad.wide.s32 %t, 4, %p.1",
        "%x = ld.global.b32 %a.1, 520",
        "%s = add.s32 %s.2, %x",
        "%p = add.s64 %p, 768",
        "%n = add.s32 %n, 3",
    ]


def test_a_register_that_a_guard_may_leave_stays_itself():
    body = ["%p = setp.gt.s32 %n, 7", "@%p %s = add.s32 %s, %n"]
    found = unrolled(times=2, entry=HEAD, loop=[*body, *COUNT], out=OUT)
    assert found["loop.2"][:5] == [
        "%p.1 = setp.gt.s32 %n, 7",
        "@%p.1 %s = add.s32 %s, %n",
        "%n.1 = add.s32 %n, 1",
        "%p = setp.gt.s32 %n.1, 7",
        "@%p %s = add.s32 %s, %n.1",
    ]


def test_copies_and_loads_do_not_count():
    loads = [f"%l{k} = ld.shared.b32 {4 * k}, 0" for k in range(30)]
    sums = [f"%s = add.s32 %s, %l{k}" for k in range(18)]
    assert len(unrolled(entry=HEAD, loop=[*loads, *sums, *COUNT], out=OUT)) == 6
    assert len(unrolled(entry=HEAD, loop=[*loads, *sums, sums[0], *COUNT], out=OUT)) == 3


@pytest.mark.parametrize(
    "loop",
    [
        [*SUM, "%n = add.s32 %n, %m", *COUNT[1:]],
        [*SUM, "%n = add.s32 %n, -1", *COUNT[1:]],
        [*SUM, COUNT[1], COUNT[0], COUNT[2]],
        [*SUM, *COUNT[:1], "%m = add.s32 %m, 1", *COUNT[1:]],
        [*SUM, *COUNT[:1], "%q = setp.eq.s32 %n, %m", COUNT[2]],
        [*SUM, *COUNT[:1], "%q = setp.lt.f32 %n, %m", COUNT[2]],
        [*SUM, "%n = add.s32 %n, 1", "%q = setp.lt.s32 %n, %m", "@%q %n = add.s32 %n, 1", COUNT[2]],
    ],
)  # fmt: skip
def test_what_stays_as_it_is(loop):
    blocks = {"entry": HEAD, "loop": loop, "out": OUT}
    assert unrolled(**blocks) == blocks


KERNEL = """
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 given, .param .u64 found)
{{
    .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [given];
    ld.param.u64 %rd2, [found];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 8;
    add.s64 %rd4, %rd1, %rd3;
    add.s64 %rd5, %rd2, %rd3;
    ld.global.u32 %r2, [%rd4];
    ld.global.u32 %r3, [%rd4+4];
    mov.u32 %r4, 0;
loop:
    {pragma}
    xor.b32 %r4, %r4, %r2;
    add.s32 %r4, %r4, 1;
    add.s32 %r2, %r2, {step};
    setp.{test} %p1, %r2, {bound};
    @%p1 bra loop;
    st.global.u32 [%rd5], %r4;
    st.global.u32 [%rd5+4], %r2;
    ret;
}}
"""
STEP = 1 << 28
"""With it a counter has gone all round after 16 iterations."""
EDGES = [STEP * k + off for k in range(16) for off in (0, 1)]


def _expected(start: int, bound: int, step: int, test: str) -> tuple[int, int] | None:
    """What a thread leaves, None if it never ends."""
    compare, kind = test.split(".")
    counted, total = start % 2**32, 0
    for _ in range(20):
        total = ((total ^ counted) + 1) % 2**32
        counted = (counted + step) % 2**32
        one, other = counted, bound % 2**32
        if kind == "s32":
            one, other = (x - (x >> 31 << 32) for x in (one, other))
        goes_on = {"lt": one < other, "le": one <= other, "gt": one > other, "ge": one >= other}
        if not goes_on.get(compare, one != other):
            return total, counted
    return None


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("test", ["lt.s32", "le.s32", "gt.s32", "ge.s32", "ne.s32", "lt.u32",
                                  "ge.u32", "le.u32", "gt.u32"])  # fmt: skip
@pytest.mark.parametrize("bound", [None, 3 * STEP, (1 << 31) - STEP, 0])
def test_counters_from_any_start_to_any_bound(test, bound, after_all_passes):
    """Starts and bounds all over both ranges, with steps that go round them in 16 iterations; each
    thread is one case, so that the lanes of a warp leave after one, four, five or more of them."""
    step = STEP if test[:2] in ("lt", "le", "ne") else -STEP
    pairs = itertools.product(EDGES, EDGES if bound is None else [bound])
    cases = {pair: end for pair in pairs if (end := _expected(*pair, step, test)) is not None}
    given = np.array(list(cases), np.uint32)
    names = {"pragma": "", "step": step, "test": test, "bound": "%r3" if bound is None else bound}
    found = after_all_passes(KERNEL.format(**names), given)
    assert after_all_passes.unrolled == 1
    assert found.tolist() == [list(one) for one in cases.values()]


BARRIER = "bar.sync 0, 0"
SHUFFLE = "%s, %p = shfl.sync.bfly.b32 %s, 1, 31, -1"
OF_LAUNCH = ["%m = ld.param.b32 0", *HEAD[1:]]


@pytest.mark.parametrize("meeting", [BARRIER, SHUFFLE])
def test_meetings_are_repeated_where_all_lanes_go_round_equally_often(meeting):
    found = unrolled(entry=OF_LAUNCH, loop=[meeting, *COUNT], out=OUT)
    assert sum("sync" in line for line in found["loop.2"]) == 4


@pytest.mark.parametrize("meeting", [BARRIER, SHUFFLE])
def test_meetings_stay_where_lanes_may_leave_one_after_the_other(meeting):
    """How far the loop counts comes from a lane's own place in shared memory, or is its number."""
    theirs = ["%t = mov.tid.x", "%m = ld.shared.b32 %t, 0", *HEAD[1:]]
    found = unrolled(entry=theirs, loop=[meeting, *COUNT], out=OUT)
    assert list(found) == ["entry", "loop", "out"]
    own = ["%m = mov.tid.x", *HEAD[1:]]
    assert list(unrolled(entry=own, loop=[meeting, *COUNT], out=OUT)) == ["entry", "loop", "out"]


KNOWN = """
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 given, .param .u64 found)
{{
    .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [given];
    ld.param.u64 %rd2, [found];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 8;
    add.s64 %rd4, %rd1, %rd3;
    add.s64 %rd5, %rd2, %rd3;
    ld.global.u32 %r4, [%rd4];
    ld.global.u32 %r5, [%rd4+4];
    mov.u32 %r6, 0;
    {outside}
again:
    {inside}
loop:
    {body}
    xor.b32 %r4, %r4, %r2;
    add.s32 %r2, %r2, {step};
    setp.{test} %p1, %r2, {bound};
    @{negated}%p1 bra loop;
    add.s32 %r6, %r6, 1;
    setp.lt.s32 %p2, %r6, %r5;
    @%p2 bra again;
    st.global.u32 [%rd5], %r4;
    st.global.u32 [%rd5+4], %r2;
    ret;
}}
"""


@pytest.mark.parametrize(
    "start, bound, step, test, rows, copies",
    [
        (0, 7, 1, "lt.s32", 1, 7),
        (0, 33, 1, "lt.s32", 39, 8),
        (-5, 33, 4, "le.s32", 39, 10),
        (100, -5, -3, "gt.s32", 39, 7),
        (100, 1, -3, "ge.s32", 70, 4),
        (-1, 1, -2, "lt.u32", 4, 1),
        (1 << 31, (1 << 31) + 60, 2, "ne.u32", 60, 5),
        (5, 65, 1, "!ge.s32", 34, 10),
        (5, 64, 1, "!gt.s32", 34, 10),
        (0, 64, 1, "ne.s32", 74, 4),
        (0, 64, 1, "ne.s32", 75, 1),
    ],
)
def test_loops_of_known_length(start, bound, step, test, rows, copies, after_all_passes):
    """Whatever is written out, lanes leave what the loop leaves, as often as it is entered."""
    body = "add.s32 %r4, %r4, %r5; " + "mul.lo.s32 %r4, %r4, 7; " * (rows - 1)
    names = {"step": step, "test": test.lstrip("!"), "bound": bound, "body": body}
    names |= {"negated": "!" * test.startswith("!"), "outside": ""}
    given = np.array([[1, 1], [77, 2], [5, 3]], np.uint32)
    text = KNOWN.format(inside=f"mov.u32 %r2, {start};", **names)
    found = after_all_passes(text, given)
    assert after_all_passes.written == copies
    assert found.tolist() == [list(_known(*one, start, bound, step, test, rows)) for one in given]


def _known(value, times, start, bound, step, test, rows) -> tuple[int, int]:
    value, times = int(value), int(times)
    compare, kind = test.lstrip("!").split(".")
    bits = 1 << 32

    def as_kind(number: int) -> int:
        number %= bits
        return number - bits if kind == "s32" and number >> 31 else number

    for _ in range(times):
        counted = start % bits
        while True:
            value = (value + times) % bits * pow(7, rows - 1, bits) % bits ^ counted
            counted = (counted + step) % bits
            one, other = as_kind(counted), as_kind(bound)
            goes_on = {"lt": one < other, "le": one <= other, "gt": one > other,
                       "ge": one >= other, "ne": one != other}[compare]  # fmt: skip
            if goes_on == test.startswith("!"):
                break
    return value, counted


def test_a_counter_that_is_not_set_again_is_not_known(after_all_passes):
    names = {"step": 1, "test": "lt.s32", "bound": 3, "negated": "", "body": "add.s32 %r4, %r4, 1;"}
    text = KNOWN.format(inside="", outside="mov.u32 %r2, 0;", **names)
    found = after_all_passes(text, np.array([[9, 4]], np.uint32))
    value = 9
    for counted in (0, 1, 2, 3, 4, 5):
        value = value + 1 ^ counted
    assert found.tolist() == [[value, 6]]


def test_nounroll_is_heard(after_all_passes):
    names = {"step": 1, "test": "lt.s32", "bound": "%r3"}
    for pragma, count in (("", 1), ('.pragma "nounroll";', 0), ('.pragma "other";', 1)):
        after_all_passes(KERNEL.format(pragma=pragma, **names), np.array([[0, 9]], np.uint32))
        assert after_all_passes.unrolled == count


@pytest.fixture
def after_all_passes(monkeypatch):
    """Runs the kernel of a text over pairs of words, a thread each; gives what it leaves."""
    machine = load_machine("h200")

    def optimized(functions, module, description):
        made, report = run_on_all(
            make_steps("simt", form=module.form), functions[0], module, machine
        )
        (step,) = (one for one in report.steps if one.name == "unroll_loops")
        run.unrolled = step.changes.counts.get("loop unrolled", 0)
        names = [i.operation.name for one in made for _, i in one.instructions()]
        run.written = names.count("xor.b32")
        return TARGET.emit(made, module, machine.description)

    def run(text: str, given: np.ndarray) -> np.ndarray:
        found = np.zeros_like(given)
        module = ptx_runs.read(text)
        return ptx_runs.run(module, "k", [given, found], threads=len(given))[1]

    monkeypatch.setattr(ptx_runs, "emit_program", optimized)
    return run
