"""What a start of the command line, or of a script, imports, and what it finds of earlier ones; in
processes, as few as tell it: what a command has not imported, those before it in a process have
not, either."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from machines.cache.cache_folder import cache_folder
from machines.cache.entries import FOLDER, SUFFIX
from sim.cores.machine_code import KEPT_AS

ROOT = Path(__file__).parent.parent.parent
PROGRAM = """
import json, sys
from machines.cache import software
software.STARTED = 4e9  # as if no file had changed lately
from sim.cli import main
for words in json.loads(sys.argv[1]):
    sys.argv = ["simrun", *words]
    try:
        main()
    except SystemExit as ended:
        print(json.dumps([ended.code, sorted(sys.modules)]))
"""
SCRIPT = """
import json, sys
from machines.cache import software
software.STARTED = 4e9
import sim
from machines import changed_code

assert changed_code._changed == ["machines.cache.software.STARTED"]
changed_code._changed.clear()
{first}
result = sim.run("workload.yaml")
print(json.dumps(result.counters, sort_keys=True))
print(json.dumps([0, sorted(sys.modules)]))
"""
"""A caller's own, which does something `first`."""
HEAVY = {"numpy", "numba", "llvmlite", "simpy", "rich", "compiler"}


@dataclass(frozen=True)
class Ended:
    """A command that has ended: exit code, modules its process has imported, what it printed."""

    code: int
    modules: frozenset[str]
    out: str


@pytest.fixture
def process(tmp_path: Path) -> Callable[..., list[Ended]]:
    """Start a process in which the command line runs once for each list of words, or a `program`;
    results are kept in a folder of their own, beside the cores that are compiled already."""
    cache = tmp_path / "cache"
    cache.joinpath(FOLDER).mkdir(parents=True, mode=0o700)
    for code in cache_folder().glob(f"{FOLDER}/{KEPT_AS}-*{SUFFIX}"):
        shutil.copy(code, cache / FOLDER)

    def run(
        *commands: Sequence[str], packages: Path | None = None, program: str = PROGRAM
    ) -> list[Ended]:
        path = os.pathsep.join([*([str(packages)] if packages else []), str(ROOT)])
        printed = subprocess.run(
            [sys.executable, "-c", program, json.dumps(commands)],
            env={**os.environ, "PYTHONPATH": path, "SIMRUN_CACHE": str(cache)},
            cwd=tmp_path, capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
        ended, out = [], []
        for line in printed.splitlines():
            if line.startswith("["):
                code, modules = json.loads(line)
                ended.append(Ended(code, frozenset(modules), "\n".join(out)))
                out = []
            else:
                out.append(line)
        return ended

    return run


@pytest.fixture
def start(process: Callable[..., list[Ended]]) -> Callable[..., Ended]:
    """Start the command line with these words, or a `program`, in a process of its own."""

    def run(*words: str, packages: Path | None = None, program: str = PROGRAM) -> Ended:
        [ended] = process(words, packages=packages, program=program)
        return ended

    return run


def test_help_and_the_version_import_nothing_heavy(process):
    version, *others = process(["--version"], ["--help"], ["chekc"], ["missing.yaml"])
    assert not version.modules & (HEAVY | {"pydantic"})
    assert [ended.code for ended in others] == [0, 2, 2]
    assert not others[-1].modules & HEAVY


REFUSED = ("saxpy", "machine:", "\tmachine:"), ("crc32", "machine:", "machin:"), \
    ("gpu/bfs", "arguments:", "a: 1\nb:")  # fmt: skip
"""Workloads, with a change: a tab, a machine that is missing, a key that is unknown."""


def test_a_workload_that_is_refused_imports_nothing_heavy(tmp_path: Path, process):
    """Neither at a tab, nor with a key that is unknown, for which every kind is asked."""
    for name, old, new in REFUSED:
        shutil.copytree(ROOT / "workloads" / name, tmp_path / name)
        path = tmp_path / name / "workload.yaml"
        path.write_text(path.read_text().replace(old, new))
    refused = process(*([f"{name}/workload.yaml"] for name, _, _ in REFUSED))
    assert [ended.code for ended in refused] == [2, 2, 2]
    assert not refused[-1].modules & HEAVY


def test_a_second_start_compiles_nothing_and_the_first_imports_one_kind(tiny: Path, start):
    first, second = start("workload.yaml"), start("workload.yaml")
    assert "compiler" in first.modules and "compiler" not in second.modules
    assert "llvmlite" in second.modules and "numba" not in second.modules
    assert first.out == second.out and first.out.startswith("tiny on itanium2: done, outputs right")
    assert "compiler.targets.epic" in first.modules
    of_others = [name for name in first.modules if "simt" in name]
    assert of_others in ([], ["machines.kinds.simt"])
    for other in ("llvm", "ia64", "ptx"):
        assert not [n for n in first.modules if n.startswith(f"compiler.frontends.{other}.")]


PATCH = """
import dataclasses
import compiler.targets.epic.passes.modulo_schedule as changed
from compiler.transformation import Changes
changed.PLUGIN = dataclasses.replace(changed.PLUGIN, run=lambda *given: Changes())
"""


def test_a_second_script_compiles_nothing(tiny: Path, start):
    """One that has changed the compiler in its memory finds and leaves nothing."""
    patched = start(program=SCRIPT.format(first=PATCH))
    first, second = (start(program=SCRIPT.format(first="")) for _ in range(2))
    assert "compiler" in first.modules and "compiler" not in second.modules
    assert first.out == second.out != patched.out
    assert start(program=SCRIPT.format(first=PATCH)).out == patched.out
    assert "compiler" not in start("workload.yaml").modules


def cycles(ended: Ended) -> int:
    assert ended.code == 0, ended.out
    return json.loads(ended.out)["cycles"]


@pytest.mark.campaign
def test_what_a_program_came_from_counts(tiny: Path, start):
    """Each change gives what a first run of it would; a figure that the compiler does not ask needs
    no other program."""
    (tiny.parent / "base.yaml").write_text(
        "extends: itanium2\nname: base\nmemory: {main: {latency_cycles: "
        '{value: 200 cycles, source: "assumed: for a test"}}}\n'
    )
    (tiny.parent / "mine.yaml").write_text("extends: base.yaml\nname: mine\n")
    tiny.write_text(tiny.read_text().replace("itanium2", "mine.yaml"))
    kernel = tiny.parent / "tiny.py"

    def run(*words: str) -> tuple[int, bool]:
        ended = start("workload.yaml", "--json", *words)
        return cycles(ended), "compiler" in ended.modules

    usual, compiled = run()
    assert compiled
    for path, old, new, is_asked in (
        (tiny.parent / "base.yaml", "200 cycles", "400 cycles", False),
        (kernel, "a * x[i] + y[i]", "a * x[i] + (y[i] + 0.0) * 1.0 / 1.0", True),
    ):
        before = path.read_text()
        path.write_text(before.replace(old, new))
        changed, compiled = run()
        assert compiled is is_asked and changed > usual
        path.write_text(before)
    assert run()[0] == usual
    assert run() == (usual, False)
    for words, is_asked in (
        (["--passes", "default,-modulo_schedule"], True),
        (["--set", "memory.main.latency_cycles=500 cycles"], False),
    ):
        changed, compiled = run(*words)
        assert compiled is is_asked and changed != usual
        assert run(*words) == (changed, False)


PASS = """from compiler.transformation import Changes, Pass

def run(function, machine, options):
    changes = Changes()
    changes.count("visits")
    return changes

PLUGIN = Pass("theirs", "Does nothing.", run, {"ssa": "ssa"})
"""


@pytest.mark.campaign
def test_the_text_of_a_plugin_counts(tiny: Path, tmp_path: Path, start):
    packages = tmp_path / "packages"
    about = packages / "theirs-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[simrun.passes]\na = theirs_passes:PLUGIN\n")
    (packages / "theirs_passes.py").write_text(PASS)
    words = ["workload.yaml", "--json", "--passes", "default,theirs@after=number_values"]
    assert "compiler" in start(*words, packages=packages).modules
    assert "compiler" not in start(*words, packages=packages).modules
    broken = PASS.replace("changes = Changes()", "raise ValueError('edited')")
    (packages / "theirs_passes.py").write_text(broken)
    assert start(*words, packages=packages).code == 70
