"""Superblocks: what is merged and copied, what may pass a side exit, and right results."""

from __future__ import annotations

import pytest

from compiler.ir.module import Function
from compiler.ir.printer import print_instruction
from compiler.pass_lists import make_steps, passes
from compiler.pipelines import run_on_all
from compiler.targets.epic.bundling.groups import violations
from compiler.targets.epic.dependences import dependences
from compiler.targets.epic.emit import emit_program
from compiler.targets.epic.registers.operands import machine_liveness
from compiler.transformation import make_options
from tests.campaign.seeds import cut
from tests.compiler.both_ways import differences, run_ir, run_program
from tests.compiler.code_of_lines import code as function_of
from tests.programs.random_programs import Options, generate

LEAVE = "br.ret 0, b0"


def go(label: str, guard: str = "") -> str:
    return f"{guard and f'@{guard} '}br.cond 0, {label}"


def step(register: str) -> str:
    return f"{register} = adds 1, {register}"


def formed(function: Function, **options) -> tuple[dict[str, list[str]], dict[str, int]]:
    """The blocks after the pass, and what it counted."""
    plugin = passes("epic")["form_superblocks"]
    changes = plugin.run(function, None, make_options(plugin, options))
    code = {
        name: [print_instruction(i) for i in block.instructions]
        for name, block in function.blocks.items()
    }
    return code, changes.counts


def triangle() -> Function:
    """a leads to b or past it to c; the test is for equality, so b is likelier."""
    return function_of(
        "ia64",
        a=["%p, p0 = cmp.eq %x, r0", go("c", "%p")],
        b=[step("%y")],
        c=["st8 %q, %y", "br.ret 0, b0"],
    )


def test_what_is_merged_and_reached_from_elsewhere_too_is_there_twice():
    """x follows a in its superblock, and the copies of a, which are all that may be copied."""
    function = function_of(
        "ia64",
        entry=["%s, p0 = cmp.eq %z, r0", go("a", "%s")],
        h=["%p, p0 = cmp.eq %x, r0", go("c", "%p")],
        a=[step("%y")],
        x=["st8 %q, %y", LEAVE],
        c=[step("%z"), go("a")],
    )
    code, _ = formed(function, copied=1)
    assert code["a"] == ["%y = adds 1, %y", *code["x"]]
    found = [i for block in function.blocks.values() for i in block.instructions]
    assert len(set(map(id, found))) == len(found)


def test_a_head_is_copied_with_its_branch_as_it_was():
    """The branch of h is turned around in its own superblock."""
    function = function_of(
        "ia64",
        entry=["%q, p0 = cmp.eq %z, r0", go("a", "%q")],
        b=["%r, p0 = cmp.eq %z, %x", go("h", "%r")],
        c=[LEAVE],
        h=["p0, %p = cmp.eq %x, r0", go("far", "%p")],
        near=[step("%y"), "br.ret 0, b0"],
        far=[step("%z"), "br.ret 0, b0"],
        a=[step("%w"), go("h")],
    )
    code, _ = formed(function)
    assert code["a"][1:] == ["p0, %p = cmp.eq %x, r0", "@%p br.cond 0, far", "br.cond 0, near"]


def test_the_likely_path_is_one_block_and_what_others_reach_is_copied():
    code, counts = formed(triangle())
    assert code == {
        "a": [
            "%p, p0 = cmp.eq %x, r0",
            "@%p br.cond 0, c",
            "%y = adds 1, %y",
            "st8 %q, %y",
            "br.ret 0, b0",
        ],
        "c": ["st8 %q, %y", "br.ret 0, b0"],
    }
    assert counts["superblocks"] == 1 and counts["instructions copied"] == 2


def test_a_branch_to_the_likely_path_is_turned_around():
    function = function_of(
        "ia64",
        a=["p0, %p = cmp.eq %x, r0", go("b", "%p")],
        c=[step("%z"), LEAVE],
        b=[step("%y"), LEAVE],
    )
    code, _ = formed(function)
    assert code["a"][:2] == ["%not.1, %p = cmp.eq %x, r0", "@%not.1 br.cond 3, c"]
    assert list(code) == ["a", "c"]


def test_a_predicate_from_elsewhere_has_no_opposite():
    function = function_of(
        "ia64",
        entry=["p0, %p = cmp.eq %x, r0", "b0 = br.call 0, @g"],
        a=[go("b", "%p")],
        c=[LEAVE],
        b=[step("%y")],
        d=[step("%z"), LEAVE],
    )
    _, counts = formed(function)
    assert counts["trace ends: a condition without an opposite"] == 1


@pytest.mark.parametrize(
    ("options", "reason"), [({"length": 3}, "long"), ({"copied": 1}, "much to copy")]
)
def test_a_limit_ends_a_trace(options, reason):
    _, counts = formed(triangle(), **options)
    assert counts[f"trace ends: {reason}"] == 1


def test_a_loop_with_two_exits_is_one_block_and_what_is_around_it_is_not_in_it():
    function = function_of(
        "ia64",
        entry=[step("%y")],
        loop=[
            "%x = ld8 %q",
            "%p, p0 = cmp.eq %x, r0",
            go("out", "%p"),
        ],
        body=[step("%q"), "%t, p0 = cmp.lt %q, %n", go("loop", "%t")],
        out=[LEAVE],
    )
    code, counts = formed(function)
    assert list(code) == ["entry", "loop", "out"]
    assert counts["trace ends: a way back"] == counts["trace ends: the border of a loop"] == 1


def test_a_call_and_what_comes_back_from_it_stay_where_they_are():
    function = function_of(
        "ia64",
        a=["%p, p0 = cmp.eq %x, r0", go("c", "%p")],
        b=["b0 = br.call 0, @g"],
        c=[LEAVE],
    )
    code, counts = formed(function)
    assert list(code) == ["a", "b", "c"]
    assert "superblocks" not in counts


def test_what_is_overwritten_behind_a_side_exit_is_alive_before_it():
    function = function_of(
        "ia64",
        a=[go("c", "%p"), "%y = adds 1, r0", LEAVE],
        c=["st8 %q, %y", LEAVE],
    )
    live = machine_liveness(function)
    assert set(live.names(live.live_in["a"])) == {"%p", "%q", "%y", "b0", "ar.pfs"}


@pytest.mark.parametrize(
    ("instruction", "passes_it"),
    [
        ("%z = adds 1, %x", True),
        ("%y = adds 1, %x", False),  # read where the exit leads
        ("@%g %z = adds 1, %x", True),
        ("%z = ld8 %x", False),  # may fault
        ("st8 %x, %z", False),
        ("break.m 1", False),
        ("mov.to_ar.ec.imm 1", False),
        (go("c", "%g"), False),
    ],
)
def test_what_may_pass_a_side_exit(instruction, passes_it, itanium2):
    lines = [go("c", "%p"), instruction, "br.ret 0, b0"]
    function = function_of("ia64", a=lines, c=["st8 %q, %y", LEAVE])
    code = function.entry.instructions
    graph = dependences(code, itanium2.description, machine_liveness(function))
    assert (1 not in graph.after[0]) is passes_it
    assert 1 in dependences(code, itanium2.description).after[0]


OPTIONS = (
    Options(size=25),
    Options(size=25, faults=True),
    Options(size=30, unassigned=True),
    Options(size=20, variables=30),
)


@pytest.mark.parametrize("seeds", cut(4, 18))
def test_random_programs(seeds, itanium2):
    """Results, memory and faults as in the IR; groups keep the architecture's rules."""
    merged = 0
    for seed in seeds:
        program = generate(seed, OPTIONS[seed % len(OPTIONS)])
        steps = make_steps("epic")
        functions, report = run_on_all(steps, program.function, program.module, itanium2)
        merged += sum(step.changes.counts.get("superblocks", 0) for step in report.steps)
        built = emit_program(functions, program.module, itanium2.description)
        assert not list(violations(built, itanium2.description)), seed
        expected = run_ir(program.function, program.module, program.arguments)
        assert differences(expected, run_program(built, program.arguments)) == [], seed
    assert merged
