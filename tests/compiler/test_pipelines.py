"""Pass lists from workloads, and the door `compile`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from compiler import compile, pipelines
from compiler.pass_lists import all_passes, default_passes, make_steps, passes
from compiler.pipelines import EVERY_PASS, run_steps
from compiler.targets.epic.assembly import print_assembly
from compiler.targets.epic.bundling.groups import violations
from compiler.text_form import parse
from compiler.transformation import Changes
from machines.description.load import load_machine
from machines.diagnostics import InputError
from machines.kinds import kinds
from tests.campaign.seeds import short_form
from tests.compiler.both_ways import build
from tests.programs.random_programs import Options, generate

pytestmark = pytest.mark.quick

SOURCE = """func @f(a: i64) -> i64 {
entry:
    b = add.i64 a, 1
    return b
}
"""
ROOT = Path(__file__).parents[2]


def names(wanted) -> list[str]:
    return [step.plugin.name for step in make_steps("epic", wanted)]


def test_default_and_whole_lists():
    assert names("default") == list(default_passes("epic"))
    whole = ["select", "schedule_blocks", "allocate_registers", "schedule_blocks", "bundle"]
    assert names(whole) == whole


def test_a_pass_is_left_out_and_options_are_set():
    steps = make_steps("epic", ["default", "-convert_branches", {"rotate_loops": {"limit": 3}}])
    by_name = {step.plugin.name: step.options for step in steps}
    assert "convert_branches" not in by_name
    assert by_name["rotate_loops"].limit == 3


@pytest.mark.parametrize(
    ("wanted", "message", "hint"),
    [
        (["selekt"], "there is no pass 'selekt'", "did you mean 'select'?"),
        (["default", {"bundle": {"bundlr": "linear"}}], "no option 'bundlr'", "'bundler'"),
        (["default", {"rotate_loops": {"limit": "3"}}], "is int, not '3'", "limit: 12"),
        (["default", {"rotate_loops": {"limit": True}}], "is int, not True", "limit: 12"),
        (["default", "-bundel"], "'bundel' is not among", "did you mean 'bundle'?"),
        (["default", {"leave_ssa": {"x": 1}}], "no option 'x'", "has no options"),
        (["default", {"reduce_strength": {"limit": -4}}], "is a count, not -4", "limit: 8"),
        (["bundle"], "it takes form 'scheduled'", "default order"),
        (["select"], "leave the code in form 'virtual'", "default order"),
        ([["select"]], "is not a pass", "write a name"),
        ([], "leave the code in form 'ir'", "default order"),
        (["default", "-"], "'-' is not a pass", "-name"),
        (["default", {"-bundle": {}}], "is not a pass", "-name"),
        (["default", "bundle"], "'bundle' is in 'default' already", "{option: value}"),
        (["default", "leave_ssa@behind=bundle"], "does not say where", "name@after=other"),
        (["default", "bundle_x@after=bundle"], "there is no pass 'bundle_x'", "'bundle'"),
        (["default", "leave_ssa@after=bundel"], "'bundel' is not among", "'bundle'"),
        (
            ["default", "-bundle", "leave_ssa@after=bundle"],
            "'bundle' is not among",
            "schedule_blocks; one more says where",
        ),
        (["default", "number_values@after=leave_ssa"], "stands 2 times", "leave_ssa:1"),
        (["default", "number_values@after=leave_ssa:3"], "there is no 3", "leave_ssa:1"),
        (["default", "number_values@after=bundle"], "cannot stand there", "default order"),
        (["default", "join_loads@after=select"], "is for machines of kind 'simt'", "'epic'"),
        (["-bundle"], "'bundle' is named, and it is not there", "begin with 'default'"),
        (
            ["default", {"rotate_loops": {"limit": 3}}, "-rotate_loops"],
            "has options, but is left out",
            "'-rotate_loops'",
        ),
    ],
)
def test_wrong_lists(wanted, message, hint):
    with pytest.raises(InputError) as refused:
        make_steps("epic", wanted)
    (finding,) = refused.value.diagnostics
    assert message in finding.message
    assert hint in finding.hint


def test_a_list_where_an_option_is_text_is_shown_as_text():
    with pytest.raises(InputError) as refused:
        make_steps("epic", ["default", {"vectorize": {"over": ["x", "y"]}}], form="arrays")
    (finding,) = refused.value.diagnostics
    assert "is str, not ['x', 'y']" in finding.message
    assert finding.hint == 'write for example over: "x,y"'


def test_a_pass_is_put_in():
    order = list(default_passes("epic"))
    at = order.index("number_values")
    wanted = ["default", "propagate_copies@after=number_values"]
    assert names(wanted) == [*order[: at + 1], "propagate_copies", *order[at + 1 :]]
    wanted = ["default", {"remove_dead_code@before=number_values": {}}]
    assert names(wanted) == [*order[:at], "remove_dead_code", *order[at:]]
    for nth, at in enumerate((n for n, name in enumerate(order) if name == "leave_ssa"), start=1):
        wanted = ["default", f"simplify_control_flow@after=leave_ssa:{nth}"]
        assert names(wanted) == [*order[: at + 1], "simplify_control_flow", *order[at + 1 :]]


@pytest.mark.parametrize("kind", kinds())
def test_passes_of_other_kinds_are_refused_in_one_sentence(kind: str):
    others = {one.name for one in all_passes() if one.kinds and kind not in one.kinds}
    others -= set(passes(kind))
    assert others
    for name in others:
        for wanted in ([name], ["default", f"{name}@after=inline_calls"]):
            with pytest.raises(InputError) as refused:
                make_steps(kind, wanted)
            (finding,) = refused.value.diagnostics
            assert finding.message.startswith(f"pass '{name}' is for machines of kind '")
            assert finding.hint == f"this one is of kind '{kind}'"


def test_passes_beside_a_target_are_for_its_kind():
    """For another kind they are not even imported."""
    for plugin in all_passes():
        folder = plugin.run.__module__.partition("compiler.targets.")[2].partition(".")[0]
        assert not folder or plugin.kinds == (folder,)
    of_kinds = {plugin.key for kind in kinds() for plugin in passes(kind).values()}
    assert of_kinds == {plugin.key for plugin in all_passes()}


def test_an_unknown_bundler_is_refused(itanium2):
    with pytest.raises(InputError, match="there is no bundler 'quadratic'"):
        compile(
            "f.sir", machine=itanium2, source=SOURCE,
            passes=["default", {"bundle": {"bundler": "quadratic"}}],
        )  # fmt: skip


def test_every_option_has_a_sentence():
    for plugin in all_passes():
        for option in plugin.options.__dataclass_fields__.values():
            assert option.metadata["sentence"].endswith(".")


def test_compile_reports_what_passes_did(itanium2):
    result = compile("f.sir", machine=itanium2, source=SOURCE, print_after=lambda n: n == "select")
    assert [step.name for step in result.report.steps] == list(default_passes("epic"))
    assert "%b1 = adds 1, %a" in result.report.printed("select")
    assert result.report.printed("bundle") is None
    assert "br.ret" in result.listing
    assert result.module.functions["f"].entry.instructions[0].operation.name == "add.i64"


def _without_its_end(function, machine, options):
    """A pass that breaks code: it takes away the last instruction."""
    del [*function.blocks.values()][-1].instructions[-1]
    return Changes()


@pytest.mark.parametrize("broken", ["number_values", "combine_operations"])
@pytest.mark.parametrize("every", [True, False])
def test_a_pass_that_breaks_code_is_blamed(broken, every, itanium2):
    """Be it for tests, or since it is none of the compiler's own."""
    plugin = replace(passes("epic")[broken], run=_without_its_end)
    steps = make_steps("epic")
    steps = [replace(s, plugin=plugin) if s.plugin.name == broken else s for s in steps]
    module = parse(SOURCE)
    token = EVERY_PASS.set(every)
    try:
        with pytest.raises(RuntimeError) as blamed:
            run_steps(steps, module.functions["f"], module, itanium2)
    finally:
        EVERY_PASS.reset(token)
    assert str(blamed.value).startswith(f"pass '{broken}' broke function 'f', which is in form '")


def test_the_compilers_own_passes_are_verified_by_tests_alone(itanium2, monkeypatch):
    """The first, and those that change the code; not those that find nothing to do."""
    verified = []
    monkeypatch.setattr(pipelines, "_verify", lambda step, *code: verified.append(step.plugin.name))
    for every in (False, True):
        token = EVERY_PASS.set(every)
        try:
            module = parse(SOURCE)
            report = run_steps(make_steps("epic"), module.functions["f"], module, itanium2)
        finally:
            EVERY_PASS.reset(token)
        assert bool(verified) == every
    names = [step.name for step in report.steps]
    assert names == list(default_passes("epic")) and verified[0] == names[0]
    changed = {step.name for step in report.steps if step.changes}
    assert changed <= set(verified) < set(names)


def test_the_door_refuses_what_it_cannot_read(itanium2, tmp_path):
    with pytest.raises(InputError, match="no front end reads"):
        compile("f.txt", machine=itanium2)
    with pytest.raises(InputError, match="cannot read"):
        compile(tmp_path / "missing.sir", machine=itanium2)
    with pytest.raises(InputError, match="no function 'g'"):
        compile("f.sir", machine=itanium2, source=SOURCE, entry="g")
    with pytest.raises(InputError, match="leave the code in form 'ir'"):
        compile("f.sir", machine=itanium2, source=SOURCE, passes=[])
    (tmp_path / "bytes.sir").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not UTF-8"):
        compile(tmp_path / "bytes.sir", machine=itanium2)


def test_several_functions_are_told_where_the_second_begins(itanium2):
    with pytest.raises(InputError, match="which function runs is not said: f, g") as refused:
        compile("f.sir", machine=itanium2, source=SOURCE + SOURCE.replace("@f", "@g"))
    (finding,) = refused.value.diagnostics
    assert finding.location.line == len(SOURCE.splitlines()) + 1 and "--entry" in finding.hint
    with pytest.raises(InputError, match=r"f\.sir:1:1: error: the file has no function"):
        compile("f.sir", machine=itanium2, source="\n")


ASSEMBLY = "{ .mib\n nop.m 0\n adds r8 = 1, r32\n br.ret.sptk b0 ;;\n}\n"
KERNEL = (
    "from compiler.kernel import kernel, i64\n@kernel\ndef f(a: i64) -> i64:\n    return a + 1\n"
)


@pytest.mark.parametrize(("name", "text"), [("f.sir", SOURCE), ("f.py", KERNEL), ("f.s", ASSEMBLY)])
def test_a_byte_order_mark_is_no_part_of_the_text(itanium2, tmp_path, name, text):
    file = tmp_path / name
    places = []
    for encoding in ("utf-8", "utf-8-sig"):
        file.write_text(text, encoding=encoding)
        places.append(compile(file, machine=itanium2).program.locations)
    assert places[0] == places[1]
    file.write_text("§\n" + text, encoding="utf-8-sig")
    with pytest.raises(InputError) as refused:
        compile(file, machine=itanium2)
    place = refused.value.diagnostics[0].location
    assert (place.line, place.column) == (1, 1)


def test_refusals_show_the_source_line(itanium2):
    source = SOURCE.replace("b = add.i64 a, 1", "p = opaque.i1\n    b = select.i64 p, a, 1")
    with pytest.raises(InputError) as refused:
        compile("f.sir", machine=itanium2, source=source)
    assert "    p = opaque.i1\n" in str(refused.value)


HASH_PROBE = """
from tests.programs.random_programs import Options, generate
from machines.description.load import load_machine
from tests.compiler.both_ways import build
machine = load_machine("itanium2")
for seed in range(4):
    program = generate(seed, Options(size=40))
    print(build(program.function, program.module, machine).content_hash)
"""


def test_the_same_program_whatever_the_hash_seed(capsys):
    """Here, and in a process where strings have other hashes."""
    there = subprocess.run(
        [sys.executable, "-c", HASH_PROBE],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "77", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    exec(HASH_PROBE, {})
    assert capsys.readouterr().out == there and len(there.split()) == 4


@pytest.mark.parametrize(
    ("machine", "overrides"),
    [("itanium2", []), ("itanium", []), ("epic3", []),
     ("itanium2", ["latencies.alu.result=0 cycles", "latencies.fp_compare.result=0 cycles",
                   "latencies.compare.result=0 cycles"])],
)  # fmt: skip
def test_no_group_has_a_forbidden_dependence(machine, overrides):
    """Whatever the latencies: an instruction that gives its value at once still ends the group."""
    loaded = load_machine(machine, overrides)
    for seed in range(1):
        program = generate(seed, Options(size=40))
        built = build(program.function, program.module, loaded)
        assert list(violations(built, loaded.description)) == []


@pytest.mark.skipif(not shutil.which("ia64-linux-gnu-as"), reason="GNU as for ia64 is not there")
@pytest.mark.parametrize("seed", short_form(range(10), 2))
def test_gnu_as_accepts_the_listing(seed, itanium2, cramped, tmp_path):
    program = generate(seed, Options(size=30))
    for machine in (itanium2, cramped):
        built = build(program.function, program.module, machine)
        source = tmp_path / "program.s"
        source.write_text(print_assembly(built, machine.description))
        command = ["ia64-linux-gnu-as", "-x", "--fatal-warnings", "-o", str(tmp_path / "p.o")]
        done = subprocess.run([*command, str(source)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
