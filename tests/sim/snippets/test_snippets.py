"""Snippets of which it was worked out by hand what they take, for every kind of machine; the text,
the traces, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from machines.diagnostics import InputError
from sim.snippets.flow import Flow
from sim.snippets.running import Ran, run_snippet
from sim.timeline.span import Span, Track

NRAM = "a: f32[128] in nram\nc: f32[64] in nram\n"
DRAM = "x: f32[1024] in dram\n"
ADD = "tensor.add.f32 c[0:64], a[0:64], a[0:64]\n"
WORKED = {
    # An integer is there in the next cycle: one packet a cycle, and each waits for the one before.
    "one.s": ("adds r14 = 8, r14 ;;", 1, 1, 1, "latency chain, issue", "issue 1"),
    # Itanium 2's multiply-add takes 4 cycles.
    "fma.s": ("fma.d f8 = f9, f10, f8 ;;", 4, 4, 4, "latency chain", "issue 1, latency chain 3"),
    # Two of them side by side take no longer.
    "two.s": (
        "fma.d f8 = f9, f10, f8\nfma.d f11 = f9, f10, f11 ;;", 4, 4, 4, "latency chain",
        "issue 1, latency chain 3",
    ),
    # Beside a sum, whose own chain is shorter, all the same.
    "second.s": (
        "adds r14 = 1, r14\nfma.d f8 = f9, f10, f8 ;;", 4, 4, 4, "latency chain",
        "issue 1, latency chain 3",
    ),
    # An address is there a cycle later than another use of a load that hits L1D: 1 + 1.
    "chase.s": (
        "ld8 r14 = [r14] ;;", 2, 1, 2, "latency chain through memory", "issue 1, memory 1",
    ),
    # Two bundles a cycle hold six instructions, the seventh goes with the next: 2 cycles.
    "seven.s": (
        "".join(f"adds r{k} = 1, r{k}\n" for k in range(14, 21)), 2, 1, 1, "issue", "issue 2",
    ),
    # A load of L1D is there in the next cycle: two packets, nothing waits.
    "use.s": ("ld8 r8 = [r14] ;;\nadds r9 = 1, r8 ;;", 2, 2, 0, "issue", "issue 2"),
    # Floats come from the L2: 5 cycles and 1 more to floating point, then 4; the next load waits
    # for the multiply-add to issue: 6 + 1.
    "load.s": (
        "ldfd f8 = [r14] ;;\nfma.d f9 = f8, f8, f9 ;;", 7, 10, 4, "memory, waited for in order",
        "issue 2, memory 5",
    ),
    # A predicate guards from the next cycle on, the sum is compared in the next one: 2.
    "guard.s": (
        "cmp.lt p6, p7 = r14, r15 ;;\n(p6) adds r14 = 1, r14 ;;", 2, 2, 2, "latency chain, issue",
        "issue 2",
    ),
    # The teaching GPU: results of its arithmetic are there after 4 cycles.
    "add.ptx": ("add.s32 %r1, %r1, 1;", 4, 4, 4, "latency chain", "issue 1, latency chain 3"),
    # Four such chains fill the cycles in between.
    "adds.ptx": (
        "".join(f"add.s32 %r{k}, %r{k}, 1;\n" for k in (1, 2, 3, 4)), 4, 4, 4,
        "latency chain, issue, sub-core 0/alu", "issue 4",
    ),
    # A root of 10 cycles, of which the next one waits to write the same register: 10; its pipe has
    # 8 lanes, and takes a warp in 4.
    "special.ptx": (
        "ex2.approx.f32 %f1, %f2;", 10, 10, 10, "latency chain", "issue 1, latency chain 9",
    ),
    # Of two registers in turn the pipe could take one every 4 cycles; each waits for what it wrote
    # before: 10 for both, issued at 0 and 4.  Of the waits, 5 … 9 and 11 … 13, none is the pipe's.
    "turns.ptx": (
        "ex2.approx.f32 %f1, %f2;\nex2.approx.f32 %f3, %f2;", 10, 10, 10, "latency chain",
        "issue 2, latency chain 8",
    ),
    # A comparison waits 4 for the sum, and guards after 8.
    "guard.ptx": (
        "setp.lt.s32 %p1, %r1, 5;\n@%p1 add.s32 %r1, %r1, 1;", 12, 12, 12, "latency chain",
        "issue 2, latency chain 10",
    ),
    # Shared memory answers in 20.
    "shared.ptx": (
        "ld.shared.b32 %r1, [%r1];", 20, 20, 20, "latency chain through memory",
        "issue 1, memory 19",
    ),
    # Of three in a chain the last is nobody's source: 4 + 4, and its own issue.
    "three.ptx": (
        "add.s32 %r1, %r1, 1;\nmul.lo.s32 %r1, %r1, 3;\nsub.s32 %r2, %r1, %r3;", 9, 12, 8,
        "latency chain, waited for in order", "issue 3, latency chain 6",
    ),
    # A sum of 8 numbers: 1 + 4 + 1 cycles, one behind the other.
    "sum.sir": (
        NRAM + "tensor.add.f32 c[0:8], c[0:8], c[0:8]", 6, 6, 6,
        "latency chain, compute of core 0", "issue 1, ports 5",
    ),
    # 256 bytes at 16 a cycle, one write behind the other; setting up goes on meanwhile.
    "out.sir": (
        DRAM + NRAM + "tensor.copy.f32 x[0:64], a[0:64]", 16, 16, 16,
        "latency chain through memory, controller 0, iodma of core 0, port of cluster 0",
        "issue 1, ports 15",
    ),
    # Issue 1, setup 5 + 26, 256 bytes 16: the core waits until 48; the sum, issued at 49, takes 13:
    # 62.  The copy of the next iteration waits for that; what moves and computes takes 16 + 13.
    "in.sir": (
        DRAM + NRAM + "tensor.copy.f32 a[0:64], x[0:64]\n" + ADD, 62, 29, 29,
        "memory, waited for in order", "issue 4, memory 46, ports 12",
    ),
    # One queue: a sum of 64 in 13 cycles, a product in 18, which have nothing in common.
    "both.sir": (
        NRAM + "b: f32[256] in nram\nw: f32[64] in wram\n" + ADD
        + "tensor.matmul.f32 b[0:8], a[0:10], w[0:20], 2, 5, 4", 31, 18, 18, "compute of core 0",
        "issue 2, ports 29",
    ),
}  # fmt: skip
"""By the snippet's name: its lines; cycles of an iteration, latency, latency chain, limits, and
what the cycles go to."""
MACHINES = {".s": "itanium2", ".ptx": "teaching_gpu", ".sir": "teaching_chip"}


def ran(folder: Path, name: str, text: str, iterations: int = 10, machine: str = "") -> Ran:
    path = folder / name
    path.write_text(f"{text.rstrip()}\n")
    return run_snippet(path, machine or MACHINES[path.suffix], iterations=iterations)


@pytest.mark.parametrize("name", WORKED)
def test_figures_are_those_worked_out(name: str, tmp_path: Path):
    text, cycles, latency, chain, limits, spent = WORKED[name]
    found = ran(tmp_path, name, text).figures
    assert (found.cycles, found.latency, found.chain) == (cycles, latency, chain)
    assert sorted(found.limits) == sorted(limits.split(", ")) or ", ".join(found.limits) == limits
    sums = {limit: sum(by.values()) for limit, by in found.spent.items()}
    assert ", ".join(f"{limit} {total:g}" for limit, total in sums.items()) == spent
    assert sum(sums.values()) == cycles


def test_the_timeline_of_a_chain(tmp_path: Path):
    """A multiply-add waits 3 cycles for the one before; its own result takes 4."""
    lines = ran(tmp_path, "fma.s", "fma.d f8 = f9, f10, f8 ;;").text().splitlines()
    rows = [line for line in lines if line.startswith("[")]
    pictures = [row[66:].strip() for row in rows]
    assert [row.split()[0] for row in rows] == ["[7,0]", "[8,0]", "[9,0]"]
    assert pictures == ["IeeE", "lllIeeE", "lllIeeE"]
    assert [len(row) - len(picture) for row, picture in zip(rows, pictures, strict=True)] == [
        66, 67, 71
    ]  # fmt: skip
    assert "Limited by             latency chain" in lines
    assert "      +4  fma.d f8 = f9, f10, f8                fma.s:1" in lines


@pytest.mark.parametrize("name", ["load.s", "guard.ptx", "in.sir"])
def test_traces_are_written_in_every_format(name: str, tmp_path: Path):
    """Of the iterations alone; places are those of the snippet."""
    done = ran(tmp_path, name, WORKED[name][0])
    done.write(tmp_path / "a.jsonl", None)
    told = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    assert len(told) == len(done.happened)
    places = {one["location"] for one in told if one.get("location")}
    last = len(WORKED[name][0].rstrip().splitlines())
    assert f"{name}:{last}" in places
    assert all(int(place.rpartition(":")[2]) <= last for place in places)
    done.write(tmp_path / "a.json.gz", None)
    done.write(tmp_path / "a.kanata", None)
    done.write(tmp_path / "a.txt", None)
    assert (tmp_path / "a.kanata").read_text().startswith("Kanata")
    figures = done.to_dict()
    assert figures["cycles_per_iteration"] == WORKED[name][1] and json.dumps(figures)


class OneLoad:
    """A program of one instruction, a load of what it reads."""

    has_flow = True

    def issued(self, one: Span) -> list[int]:
        return [0] if one.name == "issue" else []

    def thread(self, one: Span) -> None:
        return None

    def accessed(self, one: Span) -> int | None:
        return 0 if one.name == "access" else None

    def writes(self, number: int) -> list[str]:
        return ["r"]

    def reads(self, number: int) -> list[tuple[str, None]]:
        return [("r", None)]

    def cycles(self, producer: int, use: None, what: str, took: int | None) -> int:
        return took

    def latency(self, number: int, took: int | None) -> int:
        return took


def test_an_access_is_that_of_its_issue():
    """An instruction in a loop has many."""
    code, track = OneLoad(), Track("a", "a")
    spans = [
        Span(track, begin, begin + lasts, name, {})
        for begin, long in ((0, 10), (100, 50), (200, 7))
        for name, lasts in (("issue", 1), ("access", long))
    ]
    flow = Flow(code, spans, (), lambda number, cycle: cycle // 100)
    assert [step.took for step in flow.steps] == [10, 50, 7]
    assert flow.chain(0, 2).cycles == 60


def test_functions_are_called(tmp_path: Path):
    """Three operations of 4 cycles, and the return: the call takes 10; the constants are in
    registers.  A function of Python has arguments made up."""
    text = (
        "func @poly(x: f64, y: f64) -> f64 {\nentry:\n    a = mul.f64 x, y\n"
        "    b = add.f64 a, x\n    c = mul.f64 b, b\n    return c\n}"
    )
    found = ran(tmp_path, "poly.sir", text, machine="itanium2").figures
    assert (found.cycles, found.latency, found.chain) == (10, 12, None)
    text = (
        "from compiler.kernel import f32, i64, kernel\n\n\n@kernel\n"
        "def saxpy(n: i64, a: f32, x: f32[:], y: f32[:]):\n    for i in range(n):\n"
        "        y[i] = a * x[i] + y[i]"
    )
    found = ran(tmp_path, "saxpy.py", text, machine="itanium2").figures
    assert found.latency is None and found.cycles > 64  # registers rotate
    text = (
        "from compiler.kernel import f32, grid, kernel\n\n\n@kernel\n"
        "def double(x: f32[:]):\n    x[grid(1)] = 2.0 * x[grid(1)]"
    )
    assert ran(tmp_path, "double.py", text, machine="teaching_gpu").figures.cycles > 20
    text = "x: f32[64] in dram\na: f32[64] in nram\nfunc @f() {\nentry:\n"
    text += "    tensor.copy.f32 a[0:64], x[0:64]\n"
    whole = f"{text}    tensor.copy.f32 x[0:64], a[0:64]\n    return\n}}"
    # The read ends at 48, the write behind it in the queue at 64; a job starts in 6.
    assert ran(tmp_path, "copy.sir", whole).figures.cycles == 64 + 6
    with pytest.raises(InputError, match="passes remove what nobody needs"):
        ran(tmp_path, "dead.sir", f"{text}    return\n}}")


@pytest.mark.parametrize("iterations", [1, 2, 3])
def test_few_iterations(iterations: int, tmp_path: Path):
    done = ran(tmp_path, "fma.s", "fma.d f8 = f9, f10, f8 ;;", iterations)
    assert done.figures.cycles == (None if iterations == 1 else 4)
    assert done.figures.latency == 4 and "Timeline" in done.text()


BROKEN = {
    ("a.s", "top:\nadds r14 = 8, r14 ;;"): "a.s:1:1: error: a snippet is straight code, without",
    ("a.s", "adds r14 = 8, r14 ;;\n  br.cond.sptk x ;;"): "a.s:2:3: error: a snippet is straight",
    ("a.s", "  .data"): "a.s:1:3: error: a snippet is instructions, without '.data'",
    ("a.s", "// nothing"): "a.s has no instruction",
    ("a.s", "adds r14 = 8, r14\nadds r15 = 8, r14 ;;"): "reads r14, which line 1 writes in the",
    ("a.s", "foo r1 = r2 ;;"): "a.s:1:1: error: unknown instruction 'foo'",
    (
        "a.s",
        "adds r14 = 4096, r14 ;;\nadds r14 = 4096, r14 ;;\nld8 r15 = [r14] ;;",
    ): "its run ended with: out of bounds",
    ("a.ptx", "add.s32 %r1, %r1, %x2;"): "a.ptx:1:19: error: nothing says what '%x2' is",
    ("a.ptx", "bra L;"): "a.ptx:1:1: error: a snippet is straight code, without 'bra'",
    ("a.ptx", "L: add.s32 %r1, %r1, 1;"): "a snippet is straight code, without labels",
    ("a.ptx", "add.s32 %r1, %r1;"): "a.ptx:1:1: error: 'add.s32' takes 3 operands, not 2",
    ("a.ptx", ".version 8.0"): "a snippet is instructions, without '.version'",
    ("a.ptx", ""): "a.ptx has no instruction",
    ("a.sir", ""): "a.sir has no command",
    ("a.sir", "return"): "a.sir:1:1: error: a snippet is straight code, without 'return'",
    ("a.sir", "tensor.copy.f32 a[0:64], x[0:64]"): "a.sir:1:17: error: there is no buffer 'a'",
}


@pytest.mark.parametrize("given", BROKEN, ids=str)
def test_what_is_wrong_is_said_once_and_where(given: tuple[str, str], tmp_path: Path):
    with pytest.raises(InputError) as caught:
        ran(tmp_path, *given)
    text = str(caught.value)
    assert BROKEN[given] in text and "hint: " in text
    assert len(text.splitlines()) <= 8


def test_on_the_command_line(simrun: Callable, tmp_path: Path):
    path = tmp_path / "a.s"
    path.write_text("fma.d f8 = f9, f10, f8 ;;\n")
    ended = simrun("trace", str(path), "-o", str(tmp_path / "a.txt"))
    assert ended.code == 0 and "Cycles per iteration       4.00" in ended.out
    assert (tmp_path / "a.txt").read_text().startswith("a.s on itanium2, 10 iterations\n")
    ended = simrun("trace", str(path), "--json", "--iterations", "4")
    assert json.loads(ended.out)["cycles_per_iteration"] == 4
    (tmp_path / "b.c").write_text("x")
    for words, told in (
        ((str(path), "--iterations", "0"), "0 iterations: there are 1 to 10000"),
        ((str(path), "--machine", "h100"), "h100 runs no snippets of '.s' files"),
        ((str(path), "--trace-format", "text"), "--trace-format: there is no --out"),
        ((str(tmp_path / "b.s"),), "there is no such file"),
        ((str(tmp_path / "b.c"),), "'b.c' is no snippet"),
    ):
        ended = simrun("trace", *words)
        assert ended.code == 2 and told in ended.err and "Traceback" not in ended.err
