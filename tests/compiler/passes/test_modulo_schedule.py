"""Software pipelining: what it makes of loops, and that they compute what they did."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from random import Random

import numpy as np
import pytest

from compiler.analyses.dependence_graph import DependenceGraph
from compiler.ir.copy import copy_function
from compiler.pass_lists import make_steps
from compiler.pipelines import run_steps
from compiler.targets.epic.bundling import groups
from compiler.targets.epic.scheduling import modulo
from compiler.targets.epic.scheduling.modulo import schedule_loop, violations
from compiler.targets.epic.scheduling.problem import GaveUp, LoopSchedule, Problem
from compiler.targets.epic.scheduling.reservation import reservation
from compiler.text_form import parse
from compiler.transformation import Changes
from machines.description.load import load_machine
from tests.campaign.seeds import short_form
from tests.compiler.both_ways import build, differences, run_ir, run_program
from tests.programs.random_bodies import RandomBody, arguments

MACHINE = load_machine("itanium2")
ALWAYS = ["default", {"modulo_schedule": {"always": True}}]
TRIPS = (0, 1, 2, 3, 4, 5, 8, 21)

DOT = """func @dot(x: ptr, y: ptr, n: i64) -> f64 {
entry:
    total = const.f64 0.0
    some = gt_s.i64 n, 0
    branch some, loop, done
loop:
    a = load.f64 x
    b = load.f64 y
    c = mul.f64 a, b
    total = add.f64 total, c
    x = add.ptr x, 8
    y = add.ptr y, 8
    n = sub.i64 n, 1
    more = ne.i64 n, 0
    branch more, loop, done
done:
    return total
}
"""
SEARCH = """func @search(x: ptr, wanted: i64, limit: i64) -> i64 {
entry:
    at = const.i64 -1
    jump loop
loop:
    at = add.i64 at, 1
    v = load.i64 x
    x = add.ptr x, 8
    square = mul.i64 v, v
    differs = ne.i64 square, wanted
    @differs differs = ne.i64 at, limit
    branch differs, loop, done
done:
    return at
}
"""


def read(text: str):
    module = parse(text, "test.sir")
    (function,) = module.functions.values()
    return function, module


def changes_of(text: str, passes="default", machine=MACHINE) -> Changes:
    """What the pass says of a program."""
    function, module = read(text)
    report = run_steps(make_steps("epic", passes), copy_function(function), module, machine)
    return next(step.changes for step in report.steps if step.name == "modulo_schedule")


def wrong_runs(text: str, runs: list[dict], passes="default") -> list:
    """The runs that differ from the interpreter's, and how."""
    function, module = read(text)
    program = build(function, module, MACHINE, passes)
    found = [
        (run, differences(run_ir(function, module, run), run_program(program, run))) for run in runs
    ]
    return [(run, how) for run, how in found if how]


def test_a_counted_loop_for_every_trip_count_past_its_depth():
    summary = str(changes_of(DOT).remarks[0])
    assert "II 4 (resources 1, recurrences 4), 4 stages" in summary
    numbers = np.arange(1.0, 41.0)
    assert (
        wrong_runs(DOT, [{"x": numbers, "y": numbers + 1, "n": n} for n in (*range(12), 40)]) == []
    )


def test_a_while_loop_leaves_where_it_should():
    numbers = np.arange(40, dtype=np.int64)
    runs = [{"x": numbers, "wanted": k * k, "limit": 39} for k in (0, 1, 2, 3, 4, 5, 6, 39, 77)]
    assert changes_of(SEARCH, ALWAYS).counts == {"loops pipelined": 1}
    assert wrong_runs(SEARCH, runs, ALWAYS) == []


def test_a_while_loop_loads_nothing_behind_its_end():
    numbers = np.arange(6, dtype=np.int64)
    assert wrong_runs(SEARCH, [{"x": numbers, "wanted": 25, "limit": 99}], ALWAYS) == []
    assert wrong_runs(SEARCH, [{"x": numbers, "wanted": 26, "limit": 99}], ALWAYS) == []


def test_what_is_known_to_be_short_stays():
    text = """func @fill(x: ptr) {
entry:
    n = const.i64 2
    jump loop
loop:
    store.i64 x, n
    x = add.ptr x, 8
    n = sub.i64 n, 1
    more = ne.i64 n, 0
    branch more, loop, done
done:
    return
}
"""
    changes = changes_of(text)
    assert list(changes.counts) == ["not pipelined: the list schedule is as good"]
    assert "2 iterations known" in str(changes.remarks[0])
    assert list(changes_of(text, ALWAYS).counts) == ["loops pipelined"]
    assert list(changes_of(text.replace("const.i64 2", "const.i64 200")).counts) == [
        "loops pipelined"
    ]


def test_what_gains_nothing_stays():
    """A search loads nothing before it knows that it goes on."""
    assert list(changes_of(SEARCH).counts) == ["not pipelined: the list schedule is as good"]


def test_loops_of_several_blocks_stay():
    text = SEARCH.replace(
        "    square =", "    odd = lt_s.i64 v, 3\n    branch odd, done, rest\nrest:\n    square ="
    )
    counts = changes_of(text, ["default", "-convert_branches"]).counts
    assert list(counts) == ["not pipelined: several blocks"]


def test_ii_is_raised_where_registers_run_short():
    machine = load_machine("itanium2", ["registers.floating.rotating=[32, 39]"])
    function, module = read(DOT)
    program = build(function, module, machine, ALWAYS)
    numbers = np.arange(1.0, 41.0)
    for n in (1, 2, 5, 40):
        run = {"x": numbers, "y": numbers, "n": n}
        assert differences(run_ir(function, module, run), run_program(program, run)) == []
    few = load_machine("itanium2", ["registers.floating.rotating=[32, 33]"])
    assert list(changes_of(DOT, ALWAYS, few).counts) == [
        "not pipelined: too few floating registers rotate"
    ]
    none = load_machine("itanium2", ["registers.floating.rotating=null"])
    assert list(changes_of(DOT, ALWAYS, none).counts) == [
        "not pipelined: too few floating registers rotate"
    ]


def test_what_kernels_write_may_live_in_memory_around_them():
    """Two loops each change a half of more variables than there are registers."""
    start = [f"    v{k} = add.i64 n, {k}" for k in range(30)]
    sums = [f"    s = add.i64 s, v{k}\n    s = mul.i64 s, 3" for k in range(30)]
    lines = ["func @f(n: i64, c: i1) -> i64 {", "entry:", "    s = copy.i64 n", *start]
    for part in range(2):
        lines += [f"    i{part} = copy.i64 n", f"    jump loop{part}", f"loop{part}:"]
        lines += [f"    @c v{k} = add.i64 v{k}, i{part}" for k in range(part, 30, 2)]
        lines += [f"    i{part} = sub.i64 i{part}, 1", f"    more{part} = ne.i64 i{part}, 0"]
        lines += [f"    branch more{part}, loop{part}, done{part}", f"done{part}:"]
    function, module = read("\n".join([*lines, *sums, "    return s", "}\n"]))
    few = ["registers.general.count=40", "registers.general.rotating=[32, 39]"]
    machine = load_machine("itanium2", [*few, "register_stack.registers=8"])
    program = build(function, module, machine, ALWAYS)
    assert program.operations.count("br.ctop")
    for n in (1, 2, 9):
        run = {"n": n, "c": 1}
        assert differences(run_ir(function, module, run), run_program(program, run)) == []


def test_frames_are_no_larger_than_the_register_stack():
    values = [f"    v{k} = mul.i64 n, {2 * k + 1}" for k in range(40)]
    sums = [f"    v0 = xor.i64 v0, v{k}\n    v0 = mul.i64 v0, v{k}" for k in range(40)]
    lines = ["func @f(n: i64) -> i64 {", "entry:", *values, *sums, "    return v0", "}\n"]
    numbers = np.arange(1.0, 41.0)
    dot = {"x": numbers, "y": numbers, "n": 40}
    machine = load_machine("itanium2", ["register_stack.registers=8"])
    for text, run in ((DOT, dot), ("\n".join(lines), {"n": 3})):
        function, module = read(text)
        program = build(function, module, machine, ALWAYS)
        expected, got = run_ir(function, module, run), run_program(program, run, machine)
        assert differences(expected, got) == []


def test_predicates_behind_those_that_rotate_are_not_kept_over_a_kernel():
    """mov pr.rot sets them, too."""
    conditions = [f"    c{k} = lt_s.i64 k, {k}" for k in range(40)]
    reads = [f"    @c{k} i = add.i64 i, {k}" for k in range(40)]
    lines = ["func @f(n: i64, k: i64) -> i64 {", "entry:", *conditions, "    i = const.i64 0"]
    lines += ["    jump loop", "loop:", "    i = add.i64 i, k", "    i = mul.i64 i, 3"]
    lines += ["    n = sub.i64 n, 1", "    more = ne.i64 n, 0", "    branch more, loop, done"]
    function, module = read("\n".join([*lines, "done:", *reads, "    return i", "}\n"]))
    machine = load_machine("itanium2", ["registers.predicate.rotating=[16, 31]"])
    program = build(function, module, machine, ALWAYS)
    assert program.operations.count("br.ctop")
    run = {"n": 5, "k": 11}
    assert differences(run_ir(function, module, run), run_program(program, run)) == []


@pytest.mark.parametrize("seed", short_form(range(24), 5))
def test_random_loops(seed: int):
    text = RandomBody(seed).text
    assert wrong_runs(text, [arguments(seed, n) for n in TRIPS], ALWAYS) == []


@pytest.mark.parametrize("seed", range(100, 106))
def test_random_loops_that_fault(seed: int):
    text = RandomBody(seed, faults=True).text
    assert wrong_runs(text, [arguments(seed, n) for n in (1, 3, 40, 90)], ALWAYS) == []


@pytest.mark.parametrize("seed", short_form(range(200, 212), 4))
def test_random_loops_whose_operations_wait_at_random(seed: int, monkeypatch):
    """Schedules that nobody would make spread an iteration over many stages."""
    random = Random(seed)
    monkeypatch.setattr(modulo, "schedule_loop", partial(_late, random))
    text = RandomBody(seed).text
    assert wrong_runs(text, [arguments(seed, n) for n in TRIPS], ALWAYS) == []


def _late(random: Random, problem: Problem, **also) -> LoopSchedule | GaveUp:
    least = schedule_loop(problem, **also)
    if isinstance(least, GaveUp):
        return least
    arcs = tuple(
        replace(arc, latency=arc.latency + random.choice((0, 0, 1, least.ii, 2 * least.ii)))
        if arc.kind in ("flow", "control") and arc.source != arc.target
        else arc
        for arc in problem.graph.arcs
    )
    graph = DependenceGraph(problem.size, arcs)
    found = schedule_loop(replace(problem, graph=graph), **also)
    late = least if isinstance(found, GaveUp) else replace(found, problem=problem)
    fits = reservation(also["reservation"], also["description"])
    return least if list(violations(late, fits)) else late


@pytest.mark.parametrize("seed", range(300, 306))
def test_groups_of_kernels_are_legal(seed: int):
    function, module = read(RandomBody(seed).text)
    program = build(function, module, MACHINE, ALWAYS)
    assert list(groups.violations(program, MACHINE.description)) == []
