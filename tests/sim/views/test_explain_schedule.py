"""`simrun explain PROBLEM.yaml` and `--show schedule`: the worked examples whole, and refusals."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from compiler.pass_lists import default_passes

GOLDEN = Path(__file__).parents[2] / "golden"
SPLIT, BACK, LOOP = (
    str(GOLDEN / f"{name}.yaml") for name in ("split_issue", "back_edges", "pipelined_loop")
)

LINEAR = """
split_issue.yaml on itanium2
  2 cycles, 1 split issue, 3 bundles, 3 nops

  row  cycles  bundle  slots
    0       2  MII     adds:M0    shr.u:I0  add:I1
               MMF     lfetch:M1  xor:M2    nop:F1
               MFB;    ld8:M0     nop:F0    nop:B0

automaton:"""
PIPELINED = """
pipelined_loop.yaml on itanium2
  II 1; ResMII 1, RecMII 1; 12 stages
  1 cycle, 0 split issues, 2 bundles, 1 nop

  row  stage  name   operation  unit
    0      0  close  br.ctop    B2
    0      0  x      ldfd       M0
    0      0  y      ldfd       M1
    0      6  fma    fma.d      F1
    0     11  st     stfd       M2

  row  cycles  bundle  slots
    0       1  MMI     x:M0   y:M1    nop:I0
               MFB;    st:M2  fma:F1  close:B2

automaton:"""


@pytest.fixture
def explain(simrun):
    """The output of a view of a problem."""

    def run(problem: str, *words: str) -> str:
        ended = simrun("explain", problem, "--show", *words)
        assert (ended.code, ended.err) == (0, "")
        return ended.out

    return run


@pytest.fixture
def content(explain):
    def run(problem: str, *words: str) -> dict:
        return json.loads(explain(problem, *words, "--format", "json"))

    return run


def bundle(template: str, *slots: str, stop: bool = False) -> dict:
    """'adds:M0' is an operation and its unit, ':F0' a nop."""
    parts = [slot.split(":") for slot in slots]
    return {
        "template": template,
        "slots": [{"op": name or None, "unit": unit} for name, unit in parts],
        "stop": stop,
    }


def test_worked_example_1_linear(content, explain):
    """To the letter: three bundles of which the machine issues the third a cycle later."""
    assert content(SPLIT, "bundles", "--bundler", "linear") == {
        "res_mii": None,
        "rec_mii": None,
        "ii": None,
        "stages": 1,
        "rows": [
            {
                "row": 0,
                "cycles": 2,
                "split_issues": 1,
                "nops": 3,
                "bundles": [
                    bundle("MII", "adds:M0", "shr.u:I0", "add:I1"),
                    bundle("MMF", "lfetch:M1", "xor:M2", ":F1"),
                    bundle("MFB", "ld8:M0", ":F0", ":B0", stop=True),
                ],
            }
        ],
    }
    text = explain(SPLIT, "bundles", "--bundler", "linear", "--machine", "itanium2")
    assert text.startswith(LINEAR.lstrip())


def test_worked_example_1_microscheduled(content):
    """One cycle, no nop; which of the many packings is free."""
    for show in ("bundles", "schedule"):
        (row,) = content(SPLIT, show)["rows"]
        assert (row["cycles"], row["split_issues"], row["nops"]) == (1, 0, 0)
        slots = [slot for packed in row["bundles"] for slot in packed["slots"]]
        assert {slot["op"] for slot in slots} == {"adds", "shr.u", "add", "lfetch", "xor", "ld8"}
        assert len({slot["unit"] for slot in slots}) == 6
        assert next(slot["unit"] for slot in slots if slot["op"] == "shr.u") == "I0"
        assert [packed["stop"] for packed in row["bundles"]] == [False, True]


@pytest.mark.parametrize(
    ("rules", "cycles"), [("seed", 1), ("sound", 2), ("acyclic", 2)], ids=lambda value: str(value)
)
def test_worked_example_2(rules: str, cycles: int, content):
    """Stage and omega let the four meet; with both ignored the row splits."""
    found = content(BACK, "bundles", "--rules", rules)
    assert (found["ii"], found["stages"]) == (2, 3)
    assert [row["cycles"] for row in found["rows"]] == [cycles]
    assert [row["split_issues"] for row in found["rows"]] == [cycles - 1]


@pytest.mark.parametrize("scheduler", ("slack", "iterative"))
def test_a_loop_is_scheduled(scheduler: str, explain, content):
    found = content(LOOP, "schedule", "--scheduler", scheduler)
    assert {key: found[key] for key in ("res_mii", "rec_mii", "ii", "stages")} == {
        "res_mii": 1, "rec_mii": 1, "ii": 1, "stages": 12,
    }  # fmt: skip
    text = explain(LOOP, "schedule", "--scheduler", scheduler)
    assert text.startswith(PIPELINED.lstrip())


def test_bundles_leaves_the_times_out(explain):
    times = PIPELINED[PIPELINED.index("\n  row  stage") : PIPELINED.index("\n  row  cycles")]
    assert explain(LOOP, "bundles").startswith(PIPELINED.replace(times, "").lstrip())


def test_the_automaton_is_described(explain):
    last = explain(LOOP, "schedule").splitlines()[-1]
    form = r"automaton: \d+ patterns of templates, \d+ states reached, built in \d+ ms"
    assert re.fullmatch(form, last)


def test_ports_alone_make_split_issues(content):
    """Two long operations and a float operation: ports for all, but no two bundles."""
    program = str(GOLDEN / "long_operations.yaml")
    by_ports = content(program, "schedule", "--reservation", "ports", "--bundler", "linear")
    by_automaton = content(program, "schedule")
    assert (by_ports["res_mii"], by_ports["ii"]) == (1, 1)
    assert sum(row["split_issues"] for row in by_ports["rows"]) == 1
    assert (by_automaton["res_mii"], by_automaton["ii"]) == (2, 2)
    assert sum(row["split_issues"] for row in by_automaton["rows"]) == 0


def test_another_machine(content):
    """Itanium has two M ports: three memory operations take two cycles."""
    assert content(LOOP, "schedule", "--machine", "itanium")["ii"] == 2
    override = ("--set", 'latencies.loop_branch.result="2 cycles"')
    assert content(LOOP, "schedule", *override)["ii"] == 1


def test_the_second_half_of_a_long_operation_is_nothing(content):
    rows = content(str(GOLDEN / "long_operations.yaml"), "bundles")["rows"]
    slots = [s for row in rows for packed in row["bundles"] for s in packed["slots"]]
    assert sum(s == {"op": None, "unit": None} for s in slots) == 2
    assert sum(s["op"] in ("a", "b") and s["unit"] in ("I0", "I1") for s in slots) == 2


def passes_with(*names: str) -> str:
    """The default passes with modulo_schedule, or with it left out."""
    order = [name for name in default_passes("epic") if name != "modulo_schedule"]
    place = order.index("schedule_blocks")
    return ",".join([*order[:place], *names, *order[place:]])


def test_the_loops_of_a_program(tiny: Path, explain, content):
    """saxpy: two loads, a product, a sum, a store, two addresses and the branch."""
    words = ("schedule", "--passes", passes_with("modulo_schedule"))
    found = content(str(tiny), *words)
    assert found["machine"] == "itanium2"
    (loop,) = found["loops"]
    assert list(loop) == ["loop", "res_mii", "rec_mii", "ii", "stages", "rows"]
    assert loop["ii"] == max(loop["res_mii"], loop["rec_mii"])
    assert [row["row"] for row in loop["rows"]] == list(range(loop["ii"]))
    assert [row["cycles"] for row in loop["rows"]] == [1] * loop["ii"]
    last = loop["rows"][-1]["bundles"][-1]["slots"][-1]
    assert last["op"].endswith("br.ctop") and last["unit"] == "B2"
    text = explain(str(tiny), *words)
    assert text.startswith("saxpy on itanium2: 1 pipelined loop\n\nloop")
    assert f"  II {loop['ii']}; ResMII {loop['res_mii']}, RecMII {loop['rec_mii']};" in text


def test_a_program_without_pipelined_loops(tiny: Path, content):
    found = content(str(tiny), "schedule", "--passes", passes_with())
    assert found == {"machine": "itanium2", "loops": []}


def test_assembly_has_no_schedule(tmp_path: Path, simrun):
    program = tmp_path / "a.s"
    program.write_text("{ .mib\n nop.m 0\n nop.i 0\n br.ret.sptk b0 ;; }\n")
    ended = simrun("explain", str(program), "--show", "schedule")
    assert (ended.code, ended.err.splitlines()[0]) == (
        2, "error: an assembly program runs as it is written: it has no schedule  [view]",
    )  # fmt: skip


@pytest.mark.parametrize("bundler", ["microschedule", "linear"])
@pytest.mark.parametrize(
    ("op", "arcs", "hint"),
    [
        ("br.ctop", "{from: a, to: b, latency: 0}", "'a' closes the loop, so it comes last"),
        ("add", "{from: a, to: b, latency: 0}, {from: b, to: a, latency: 0}", "leave out an arc"),
    ],
)
def test_operations_of_a_row_that_wait_for_each_other(bundler, op, arcs, hint, tmp_path, simrun):
    problem = tmp_path / "row.yaml"
    ops = f"{{name: a, op: {op}}}, {{name: b, op: add}}"
    problem.write_text(f"ops: [{ops}]\narcs: [{arcs}]\nrow: true\n")
    ended = simrun("explain", str(problem), "--show", "bundles", "--bundler", bundler)
    assert ended.code == 2
    assert "no order keeps the arcs of this row: 'b' before 'a' before 'b'" in ended.err
    assert hint in ended.err
