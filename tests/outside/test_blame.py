"""What a plugin raises, or gives in place of what its kind gives, names its package, the part that
it is and its line: for every group of plugins with code, and every part of a kind of machine."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest

from machines.blame import BrokenByPlugin, told
from machines.kinds import Kind
from sim.workers import _sendable
from tests.outside.test_outside_kinds import Run, installed, simrun_in

pytestmark = pytest.mark.quick

PLUGINS = """
import dataclasses, click, scalar5
from compiler.frontends import Frontend
from compiler.targets.epic.passes.bundlers import Bundler
from compiler.targets.epic.scheduling.problem import Scheduler
from compiler.transformation import Changes, NoOptions, Pass
from machines.kinds import Kind
from machines.levels import Level
from sim.views import BODY, SOURCE, Option, View


def raising():
    raise ZeroDivisionError("on purpose")  # the line


def helper():
    raising()


def run_pass(*given):
    raising()


def read(*given):
    raising()


def solve(*given):
    raising()


def pack(*given):
    raising()


def show(*given):
    raising()


def rule(*given):
    raising()


def run(*given):
    raising()


def bind(*given):
    raising()


def whole(*given):
    raising()


def show_machine(*given):
    raising()


def breaks(function, machine, options):
    function.blocks[0].instructions.clear()
    return Changes({"taken out": 1})


class Report:
    name, sentence = "theirs", "A report."

    def write(self, results, stream, *, several):
        helper()


raises = Pass("raises", "Raises.", run_pass, {"ssa": "ssa"})
nothing = Pass("nothing", "Gives nothing.", lambda *given: None, {"ssa": "ssa"})
broken = Pass("broken", "Breaks code.", breaks, {"ssa": "ssa"})
frontend = Frontend("their_language", (".theirs",), "Theirs.", "theirs:read")
empty = Frontend("their_other", (".empty",), "Theirs.", "theirs:nobody")
nobody = lambda *given: None
scheduler = Scheduler("theirs", "Theirs.", solve)
bundler = Bundler("theirs", "Theirs.", pack)
report = Report()
view = (View("theirs", "Theirs.", SOURCE, show),)
no_view = (View("theirs_too", "Theirs.", SOURCE, lambda function: "a text"),)


@click.command("theirs", help="A command.")
def command():
    helper()


def oracle(n):
    raising()


def emits(functions, module, description):
    raising()


def parse(*given):
    raising()


def show_body(*given):
    raising()


level_views = (View("their_body", "Theirs.", BODY, show_body),)
level = Level(
    "their_level",
    parse="theirs:parse",
    print="theirs:nobody",
    verify="theirs:nobody",
    interpret="theirs:nobody",
    passes="theirs:level_passes",
    views="theirs:level_views",
)
level_passes = ()


def of_kind(name, **parts):
    own = {field.name: getattr(scalar5.KIND, field.name) for field in dataclasses.fields(Kind)}
    return Kind(**{**own, **parts, "name": name})


# A kind for each part that raises, with a machine each.
PARTS = ("rules", "target", "core", "binding", "vocabulary", "views")
from scalar5 import binding, core, registers, target, vocabulary, views
registers = dataclasses.replace(registers.PASS, kinds=tuple(f"their_{part}" for part in PARTS))
rules = (rule,)
target = dataclasses.replace(target.TARGET, emit=emits)
core = dataclasses.replace(core.CORE, run=run)
binding = dataclasses.replace(binding.BINDING, bind=bind)
vocabulary = dataclasses.replace(vocabulary.VOCABULARY, whole=whole)
views = (dataclasses.replace(views.VIEWS[0], make=show_machine),)
for part in PARTS:
    globals()[f"{part}_kind"] = of_kind(f"their_{part}", **{part: f"theirs:{part}"})
"""
POINTS = """
[simrun.passes]
registers = theirs:registers
raises = theirs:raises
nothing = theirs:nothing
broken = theirs:broken
[simrun.frontends]
a = theirs:frontend
b = theirs:empty
[simrun.levels]
a = theirs:level
[simrun.schedulers]
a = theirs:scheduler
[simrun.bundlers]
a = theirs:bundler
[simrun.reports]
a = theirs:report
[simrun.views]
a = theirs:view
b = theirs:no_view
[simrun.commands]
theirs = theirs:command
[simrun.oracles]
their_oracle = theirs:oracle
[simrun.kinds]
rules = theirs:rules_kind
target = theirs:target_kind
core = theirs:core_kind
binding = theirs:binding_kind
vocabulary = theirs:vocabulary_kind
views = theirs:views_kind
"""
KERNEL = """
from compiler.kernel import f64, i64, kernel


@kernel
def tiny(n: i64, x: f64[n]) -> i64:
    for i in range(n):
        x[i] = x[i] + 1.0
    return n
"""
WORKLOAD = """
workload: tiny
description: A loop.
program: tiny.py
machine: itanium2
arguments:
  n: 5
  x: {dtype: f64, shape: [5], value: 7}
"""
ORACLE = "expect:\n  return: {oracle: their_oracle, of: [n]}\n"
THE_LINE = 'raise ZeroDivisionError("on purpose")  # the line'

PARTS = ("rules", "target", "core", "binding", "vocabulary", "views")

COMMANDS = {
    "pass 'raises'": ("workload.yaml", "--passes", "default,raises@after=number_values"),
    "reader of front end 'their_language'": ("explain", "source.theirs", "--show", "ir"),
    "parse of level 'their_level'": ("explain", "source.theirs", "--show", "their_body"),
    "scheduler 'theirs'": ("scheduler.yaml",),
    "bundler 'theirs'": ("bundler.yaml",),
    "report 'theirs'": ("workload.yaml", "--report", "theirs"),
    "view 'theirs'": ("explain", "workload.yaml", "--show", "theirs"),
    "command 'theirs'": ("theirs",),
    **{f"{part} of machine kind 'their_{part}'": (f"{part}.yaml",) for part in PARTS[:-1]},
    "views of machine kind 'their_views'": ("explain", "views.yaml", "--show", "pipeline"),
}
RESULTS = {
    "pass 'nothing'": ("workload.yaml", "--passes", "default,nothing@after=number_values"),
    "pass 'broken'": ("workload.yaml", "--passes", "default,broken@after=number_values"),
    "reader of front end 'their_other'": ("explain", "source.empty", "--show", "ir"),
    "view 'theirs_too'": ("explain", "workload.yaml", "--show", "theirs_too"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = installed(tmp_path_factory.mktemp("blame"))
    about = folder / "their_things-2.5.dist-info"
    about.mkdir()
    (folder / "theirs.py").write_text(PLUGINS)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: their-things\nVersion: 2.5\n")
    (about / "entry_points.txt").write_text(POINTS)
    (folder / "tiny.py").write_text(KERNEL)
    (folder / "source.theirs").write_text("")
    (folder / "source.empty").write_text("")
    (folder / "workload.yaml").write_text(WORKLOAD)
    (folder / "oracle.yaml").write_text(WORKLOAD + ORACLE)
    for option, name in (("scheduler", "modulo_schedule"), ("bundler", "bundle")):
        passes = f"passes: [default, {{{name}: {{{option}: theirs}}}}]\n"
        (folder / f"{option}.yaml").write_text(WORKLOAD + passes)
    machine = (folder / "scalar5" / "scalar5.yaml").read_text()
    for part in PARTS:
        own = machine.replace("kind: scalar5", f"kind: their_{part}")
        own = own.replace("name: scalar5", f"name: their_{part}")
        (folder / f"machine_{part}.yaml").write_text(own)
        workload = WORKLOAD.replace("itanium2", f"./machine_{part}.yaml")
        (folder / f"{part}.yaml").write_text(workload)
    return folder


@pytest.fixture(scope="module")
def simrun(folder: Path) -> Iterator[Run]:
    with simrun_in(folder) as run:
        yield run


def test_every_part_of_a_kind_is_asked():
    """But for what is no code that runs: fields, memories and notes, and what sessions show."""
    asked = {*PARTS, "name", "fields", "code", "state_views", "snippets", "page"}
    assert asked == set(Kind.__dataclass_fields__)


@pytest.mark.parametrize("part", COMMANDS)
def test_what_a_plugin_raises_names_it_and_the_line(part: str, simrun: Run):
    message = simrun(*COMMANDS[part], code=70).stderr
    first, place, text, report, *more = message.splitlines()
    expected = f"{part} of package their-things 2.5 made a mistake: "
    expected += "ZeroDivisionError: on purpose  [mistake]"
    assert first == expected and not more
    number = 1 + next(n for n, line in enumerate(PLUGINS.splitlines()) if "# the line" in line)
    assert place.endswith(f"theirs.py:{number}, in raising") and text.strip() == THE_LINE
    assert THE_LINE in Path(report.split()[-1]).read_text()


@pytest.mark.parametrize("part", RESULTS)
def test_what_a_plugin_gives_is_what_its_kind_gives(part: str, simrun: Run):
    message = simrun(*RESULTS[part], code=70).stderr
    assert message.startswith(f"{part} of package their-things 2.5 made a mistake: ")
    assert "theirs.py:" in message and len(message.splitlines()) <= 12
    lines = message.splitlines()
    assert len(set(lines)) == len(lines)


def test_an_oracle_that_raises_is_named_where_it_is_asked(simrun: Run):
    message = simrun("oracle.yaml", code=2).stderr
    assert (
        message.startswith("oracle.yaml:")
        and "oracle 'their_oracle' of package their-thi" in message
    )
    assert "in raising: ZeroDivisionError: on purpose" in message


def test_simruns_own_mistakes_stay_its_own():
    assert told(_raised(KeyError("x"))) == "simrun made a mistake: KeyError: 'x'"
    broken = BrokenByPlugin("it gave nothing", test_simruns_own_mistakes_stay_its_own, "all of it")
    assert told(broken) == "simrun made a mistake: it gave nothing"


def test_who_is_to_blame_goes_to_other_processes():
    broken = pickle.loads(pickle.dumps(_sendable(BrokenByPlugin("it gave nothing", len, "all"))))
    assert (broken.message, broken.detail) == ("it gave nothing", "all")


def _raised(error: Exception) -> Exception:
    try:
        raise error
    except type(error) as caught:
        return caught
