"""Every loop of the suite does what the IR says at the trip counts where pipelines err.

A software pipeline of d stages has special cases where fewer iterations than stages run; so the
counts are 0, 1, 2, and d - 1, d, d + 1 of every pipelined loop.  At the workloads' own sizes
`simrun check` runs them on the cores, against their oracles.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from compiler.interpret.functions import interpret as interpret_ir
from compiler.interpret.functions import memory_for
from compiler.targets.epic.interpret import interpret as interpret_machine
from sim.prepared_case import prepare
from sim.runner import Compiled, compile_workload
from sim.workload.schema import read_workload
from tests.campaign.seeds import spread
from tests.workloads.loop_trips import NAMES, SIZES, SUITE, with_trips

LIMIT = 2_000_000  # syllables or IR steps: far more than any of these sizes needs


def test_the_suite_has_its_loops():
    assert len(NAMES) >= 60
    assert set(SIZES) <= set(NAMES)


def suite_program(name: str, machine: str = "itanium2") -> Compiled:
    group, loop = name.split("/")
    return compile_workload(read_workload(SUITE / group / f"{loop}.yaml"), machine)


def trip_counts(compiled: Compiled) -> list[int]:
    """0, 1, 2, and around the number of stages of every kernel."""
    code = compiled.compilation.function.instructions()
    kernels = [i.attributes["kernel"] for _, i in code if "kernel" in i.attributes]
    return sorted({0, 1, 2} | {k.stages + more for k in kernels for more in (-1, 0, 1)})


def check_trips(compiled: Compiled, name: str, trips: int, folder: Path) -> None:
    """Both interpreters leave the same arrays and return the same value."""
    workload = read_workload(with_trips(name, trips, folder))
    prepared = prepare(replace(compiled, workload=workload), workload.case())
    arguments = {
        key: value if value.ndim else value.item() for key, value in prepared.inputs.items()
    }
    memory = memory_for(compiled.compilation.module, arguments)
    wanted = interpret_ir(compiled.function, arguments, memory, limit=LIMIT)
    got = interpret_machine(prepared.program, prepared.memory, prepared.arguments, limit=LIMIT)
    assert (got.status, wanted.status) == ("done", "done"), (trips, wanted.fault, got.fault)
    both_nan = got.value != got.value and wanted.value != wanted.value
    assert got.value == wanted.value or both_nan, trips
    for key, array in prepared.inputs.items():
        if array.ndim:
            views = (held.view(key, array.dtype) for held in (prepared.memory, memory))
            assert _same(*views), (trips, key)


def _same(a: np.ndarray, b: np.ndarray) -> bool:
    """Equal bit by bit, or NaN where the other is."""
    return bool(np.all((a == b) & (np.signbit(a) == np.signbit(b)) | (a != a) & (b != b)))


@pytest.mark.parametrize("name", spread(NAMES, 10))
def test_outputs_are_right(name: str, tmp_path: Path):
    """At every such trip count as the IR says: every tenth loop; the campaign takes all."""
    compiled = suite_program(name)
    for trips in trip_counts(compiled):
        check_trips(compiled, name, trips, tmp_path)


def test_the_nests_are_what_clang_makes_of_them(tmp_path: Path):
    """The command is the one at the head of polybench.c; another clang may compile otherwise."""
    folder = SUITE / "polybench"
    command = re.search(r"(clang-\d+) .*", (folder / "polybench.c").read_text(encoding="utf-8"))
    if shutil.which(command[1]) is None:
        pytest.skip(f"there is no {command[1]}")
    out = tmp_path / "polybench.ll"
    subprocess.run([*command[0].split(), "-o", str(out)], cwd=folder, check=True)
    kept, made = ((place / "polybench.ll").read_text("utf-8") for place in (folder, tmp_path))
    if _compiler(kept) != _compiler(made):
        pytest.skip(f"the file is by {_compiler(kept)}")
    assert kept == made


def _compiler(text: str) -> str:
    return re.search(r'"(.*clang version.*)"', text)[1]
