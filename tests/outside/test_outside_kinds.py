"""Two kinds of machine from a package: everything that a user does with a machine works with them.

The package lies in this folder, with its own pyproject.toml; commands, in a process of their own,
find it as an installed one.
"""

from __future__ import annotations

import ast
import json
import multiprocessing
import os
import re
import shutil
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.outside.server import serve

pytestmark = pytest.mark.quick

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
KINDS = ("scalar5", "duo")
WORKLOADS = {"scalar5": "dot", "duo": "tiles"}
MOST_LINES = 200
EVENTS = {"scalar5": {"execute", "lost"}, "duo": {"engine", "command"}}
"""What is on their timelines."""


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    stdout: str
    stderr: str


Run = Callable[..., Ended]


def installed(folder: Path) -> Path:
    """A folder with the packages and what an installer leaves beside them."""
    described = tomllib.loads((HERE / "pyproject.toml").read_text())
    project = described["project"]
    for name in described["tool"]["setuptools"]["packages"]:
        shutil.copytree(HERE / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    about = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    about.mkdir()
    name, version = project["name"], project["version"]
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    groups = project["entry-points"].items()
    points = (f"[{g}]\n" + "".join(f"{k} = {v}\n" for k, v in ps.items()) for g, ps in groups)
    (about / "entry_points.txt").write_text("\n".join(points))
    shutil.copytree(HERE / "workloads", folder / "workloads")
    return folder


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return installed(tmp_path_factory.mktemp("outside"))


FORKS = multiprocessing.get_context("forkserver")
"""To start Python and import what commands import would take a second for each folder."""
FORKS.set_forkserver_preload(["tests.outside.preloaded"])


@contextmanager
def simrun_in(folder: Path) -> Iterator[Run]:
    """`simrun WORDS…` where the packages of a folder are installed."""
    environment = {name: value for name, value in os.environ.items() if name != "CI"}
    environment["PYTHONPATH"] = os.pathsep.join([str(folder), str(ROOT)])
    ours, theirs = FORKS.Pipe()
    process = FORKS.Process(target=serve, args=(theirs, folder, environment))
    process.start()
    theirs.close()

    def run(*words: str, code: int = 0) -> Ended:
        ours.send(words)
        ended = Ended(*ours.recv())
        assert ended.code == code, ended.stdout + ended.stderr
        return ended

    try:
        yield run
    finally:
        ours.send(())
        process.join()


@pytest.fixture(scope="module")
def simrun(packages: Path) -> Iterator[Run]:
    with simrun_in(packages) as run:
        yield run


@pytest.mark.parametrize("kind", KINDS)
def test_a_workload_runs_is_held_and_traced(kind: str, simrun: Run, packages: Path):
    workload = f"workloads/{WORKLOADS[kind]}/workload.yaml"
    told = json.loads(simrun(workload, "--json", "--trace", f"{kind}.jsonl").stdout)
    assert told["ok"] and told["status"] == "done"
    assert told["vocabulary"] == {"name": kind, "version": 1} and told["provenance"]["model"] == 1
    engines = 2 if kind == "duo" else 1
    assert sum(told["breakdown"].values()) == engines * told["cycles"] > 0
    assert bool(told["lines"]) == (kind == "scalar5")  # duo says nothing of instructions
    events = [json.loads(line) for line in (packages / f"{kind}.jsonl").read_text().splitlines()]
    assert {one["event"] for one in events} == EVENTS[kind]
    assert max(one["end"] for one in events) == told["cycles"]  # what it adds up to is a law

    assert "1 checked, 1 failed" in simrun("check", workload, code=1).stdout  # no baseline yet
    simrun("check", workload, "--update", "--reason", "a test")
    assert "1 checked, 0 failed" in simrun("check", workload).stdout
    name, change = {"scalar5": ("load_delay", "3 cycles"), "duo": ("command", "11 cycles")}[kind]
    slower = json.loads(simrun(workload, "--json", "--set", f"{name}={change}").stdout)
    assert slower["cycles"] > told["cycles"]


def test_a_format_of_traces_from_a_package(simrun: Run, packages: Path):
    """For machines of any kind; no file of simrun knows of it."""
    assert "csv" in simrun("list", "traces").stdout
    for machine, workload in (("duo", "tiles"), ("scalar5", "dot")):
        words = ("--machine", machine, "--trace", "run.csv")
        simrun(f"workloads/{workload}/workload.yaml", *words)
        first, *lines, last = (packages / "run.csv").read_text().splitlines()
        assert first.endswith(f" on {machine}") and last == f"# {len(lines)}" != "# 0"
        assert all(line.count(",") == 3 for line in lines)


@pytest.mark.parametrize("kind", KINDS)
def test_results_and_machines_are_compared(kind: str, simrun: Run, packages: Path):
    """In its words, although nothing of simrun knows them; their changes add up."""
    workload = f"workloads/{WORKLOADS[kind]}/workload.yaml"
    name, change = {"scalar5": ("load_delay", "3 cycles"), "duo": ("command", "11 cycles")}[kind]
    files = []
    for words in ([], ["--set", f"{name}={change}"]):
        told = simrun(workload, "--json", *words).stdout
        files.append(packages / f"{kind}{len(files)}.json")
        files[-1].write_text(told)
    text = simrun("compare", *map(str, files)).stdout
    title = {"scalar5": "where the cycles went", "duo": "what the engines did"}[kind]
    assert f"\n{title}: what moved\n" in text and f"\n  {name}: " in text
    assert ("\nsource lines that moved" in text) == (kind == "scalar5")
    assert f"  {name}: " in simrun("machines", "diff", kind, "--set", f"{name}={change}").stdout
    told = json.loads(simrun("compare", *map(str, files), "--json").stdout)
    assert sum(one["change"] for one in told["reasons"]) == told["breakdown"]["change"] > 0
    others = json.loads(simrun("compare", "scalar5", "duo", "--json").stdout)
    assert {one["path"] for one in others["fields"]} >= {"kind", "clock"} and not others[
        "same_kind"
    ]


BY_HAND = {
    "chain": {"issuing": 4, "operand": 0, "load": 1, "long": 3, "branch": 0, "fill": 4},
    "one_tile": {
        "compute.work": 4, "compute.transfer": 24, "compute.begin": 10, "compute.wait": 26,
        "compute.bus": 0, "compute.idle": 26,
        "copy.transfer": 32, "copy.begin": 20, "copy.wait": 38, "copy.bus": 0, "copy.idle": 0,
    },
}  # fmt: skip
"""Where the cycles of two programs go; the programs say why."""


@pytest.mark.parametrize("workload", BY_HAND)
def test_cycles_worked_out_by_hand(workload: str, simrun: Run):
    told = json.loads(simrun(f"workloads/{workload}/workload.yaml", "--json").stdout)
    assert told["ok"] and told["breakdown"] == BY_HAND[workload]


@pytest.mark.parametrize("kind", KINDS)
def test_the_text_report_speaks_its_words(kind: str, simrun: Run):
    text = simrun(f"workloads/{WORKLOADS[kind]}/workload.yaml").stdout
    said = {
        "scalar5": ("where the cycles went", "issuing", "instructions", "source lines that take"),
        "duo": ("what the engines did", "compute.work", "copy.transfer"),
    }[kind]
    assert all(words in text for words in said), text
    assert ("source lines" in text) == (kind == "scalar5")


@pytest.mark.parametrize("kind", KINDS)
def test_a_machine_is_shown_and_explained(kind: str, simrun: Run):
    assert "clock" in simrun("machines", "show", kind).stdout
    own = {"scalar5": "pipeline", "duo": "queues"}[kind]
    workload = f"workloads/{WORKLOADS[kind]}/workload.yaml"
    assert simrun("explain", workload, "--show", own).stdout
    assert simrun("explain", workload, "--show", "asm").stdout
    told = json.loads(simrun("explain", workload, "--show", own, "--format", "json").stdout)
    assert told
    other = simrun("explain", workload, "--show", "dispersal", code=2)
    assert kind in other.stderr and other.stderr.count("error:") == 1
    file = {"scalar5": "dot.lst", "duo": "tiles.queues"}[kind]
    assert f"see {file}" in simrun(workload, "--emit", file).stdout
    assert simrun(workload, "--emit", "program.s", code=2).stderr.count("error:") == 1


SESSIONS = """
import json, sim
for kind, name in {"scalar5": "dot", "duo": "tiles"}.items():
    path, told, seen = f"workloads/{name}", [], []
    for steps in ((1,), (7,), (1000,), (1, 7, 1000, 3)):
        with sim.session(path) as s:
            turn = 0
            while s.advance(steps[turn % len(steps)]):
                turn += 1
                seen += [row for view in s.views for row in s.view(view)]
            told.append(s.finish().to_json())
    print(json.dumps([set(told) == {sim.run(path).to_json()}, list(s.views), seen[:1]]))
"""


def test_sessions_end_as_runs(simrun: Run):
    """However they are let on; a kind need not say what its machines hold."""
    scalar5, duo = map(json.loads, simrun("-c", SESSIONS).stdout.splitlines())
    assert scalar5 == [True, [], []]
    assert duo == [True, ["engines"], [{"engine": "compute", "done": 0, "commands": 4}]]


def test_lists_have_them(simrun: Run):
    plugins = simrun("list", "plugins").stdout
    assert all(f"{kind}.core" in plugins for kind in KINDS)
    counters = simrun("list", "counters").stdout
    assert "SQUASHED" in counters and "BUS_CYCLES" in counters
    machines = simrun("list", "machines").stdout
    assert all(f"\n{kind} " in f"\n{machines}" for kind in KINDS)


@pytest.mark.parametrize(
    "words, said",
    [
        (["workloads/dot/workload.yaml", "--set", "branch_delay=7 cycles"], "at most two cycles"),
        (["workloads/dot/workload.yaml", "--set", "bus_bytes=7"], "bus_bytes"),
        (["workloads/tiles/workload.yaml", "--set", "scratchpad=512 B"], "do not fit"),
        (["workloads/dot/workload.yaml", "--machine", "duo"], "duo does not execute"),
        (["workloads/tiles/workload.yaml", "--machine", "scalar5"], "scalar5"),
        (["workloads/dot/workload.yaml", "--passes", "default,bundle@after=lay_out_blocks"],
         "pass 'bundle' is for machines of kind 'epic'"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said(words: list[str], said: str, simrun: Run):
    assert said in simrun(*words, code=2).stderr


@pytest.mark.parametrize(
    "words, said",
    [
        (["workloads/endless/workload.yaml"], "the program loops at"),
        (["workloads/outside/workload.yaml"], "out of bounds"),
        (["workloads/dot/workload.yaml", "--cycle-limit", "100"], "limit 100"),
        (["workloads/tiles/workload.yaml", "--cycle-limit", "100"], "limit 100"),
    ],
)
def test_programs_that_do_not_end_well(words: list[str], said: str, simrun: Run):
    assert said in simrun(*words, code=3).stdout


def test_a_memory_of_its_own(simrun: Run, packages: Path):
    """`pad` is a space where `duo` is installed, and what its machine refuses says so."""
    file = packages / "workloads/one_tile/one_tile.sir"
    text = file.read_text()
    assert "in pad" in text
    moved = text.replace("pad0: f32[64] in pad", "pad0: f32[64] in global")
    (file.parent / "other.sir").write_text(moved)
    work = (file.parent / "workload.yaml").read_text().replace("one_tile.sir", "other.sir")
    (file.parent / "other.yaml").write_text(work)
    said = simrun("workloads/one_tile/other.yaml", code=2).stderr
    assert "the compute engine reaches the scratchpad alone" in said and "in pad" in said
    (file.parent / "other.sir").write_text(text.replace("in pad", "in pat"))
    said = simrun("workloads/one_tile/other.yaml", code=2).stderr
    assert "there is no memory space 'pat'" in said and "pad" in said


@pytest.mark.parametrize("registers", [32, 8, 5])
def test_registers_that_are_too_few_are_spilled(registers: int, simrun: Run):
    """On the allocator of `compiler.machine_code`: values stay, loads and stores are more."""
    workload, few = "workloads/dot/workload.yaml", ("--set", f"registers={registers}")
    told = json.loads(simrun(workload, "--json", *few).stdout)
    assert told["ok"] and (told["counters"]["STORES"] > 47) == (registers < 32)
    assert told["counters"]["LOADS"] >= {32: 100, 8: 150, 5: 300}[registers]
    names = {f"%r{number}" for number in range(registers)}
    code = simrun("explain", workload, "--show", "asm", *few).stdout
    assert set(re.findall(r"%r\d+", code)) <= names


def test_registers_that_hold_nothing_are_refused(simrun: Run):
    words = ("workloads/dot/workload.yaml", "--set", "registers=4")
    assert "4 registers are too few for 'dot'" in simrun(*words, code=2).stderr


def test_the_allocator_is_small():
    """What `compiler.machine_code` has need not be written again."""
    assert len((HERE / "scalar5" / "registers.py").read_text().splitlines()) < 150


def test_a_broken_law_is_caught(tmp_path: Path):
    folder = installed(tmp_path / "broken")
    file = folder / "scalar5" / "vocabulary.py"
    law = "run.executed.sum() + run.lost.sum()"
    assert law in file.read_text()
    file.write_text(file.read_text().replace(law, f"{law} + 1"))
    with simrun_in(folder) as simrun:
        ended = simrun("workloads/dot/workload.yaml", code=70)
    assert "cycles = instructions + lost cycles" in ended.stderr


def test_they_import_no_private_name():
    files = [path for kind in KINDS for path in (HERE / kind).rglob("*.py")]
    assert len(files) >= 2 * 7
    for path in files:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom):
                parts = [*(node.module or "").split("."), *(alias.name for alias in node.names)]
                private = [part for part in parts if part.startswith("_") and part != "__future__"]
                assert not private, path


def test_targets_and_cores_are_small():
    for kind in KINDS:
        for part in ("target", "core"):
            assert len((HERE / kind / f"{part}.py").read_text().splitlines()) < MOST_LINES


def test_snippets(packages: Path):
    """A command's 10 cycles to begin, 512 bytes in 16: one copy behind the other.  The kind that
    has no such part says so."""
    (packages / "one.sir").write_text(
        "x: f32[64] in global\npad0: f32[64] in pad\ntensor.copy.f32 pad0[0:64], x[0:64]\n"
    )
    with simrun_in(packages) as simrun:
        told = json.loads(simrun("trace", "one.sir", "--machine", "duo", "--json").stdout)
        assert told["cycles_per_iteration"] == 26 and told["latency"] == 16
        text = simrun("trace", "one.sir", "--machine", "duo", "-o", "one.jsonl").stdout
        refused = simrun("trace", "one.sir", "--machine", "scalar5", code=2).stderr
    assert "tensor.copy.f32 pad0[0:64], x[0:64]" in text
    assert (packages / "one.jsonl").stat().st_size
    assert "error: scalar5, a machine of kind 'scalar5', runs no snippets" in refused
    assert "hint: machines of kind " in refused and "duo" in refused
