"""Each thing that a result depends on is a part of its identity, and nothing else is."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from sim.identity import Identity, identity_of
from sim.runner import compile_workload
from sim.workload.given_arguments import as_arguments
from sim.workload.schema import read_workload

LLVM = Path(__file__).parents[1] / "compiler" / "frontends" / "llvm"


def identity(path: Path, overrides: tuple = (), passes: list | None = None, **how) -> Identity:
    workload = read_workload(path)
    compiled = compile_workload(workload, None, overrides, passes)
    return identity_of(compiled, workload.case(), **how)


CHANGES = {
    "the kernel": ("tiny.py", "a * x[i]", "x[i] * a * 1.0", ("source", "program")),
    "a comment in the kernel": ("tiny.py", "@kernel", "@kernel  # ours", ("source",)),
    "the name": ("workload.yaml", "workload: tiny", "workload: other", ("workload",)),
    "a number": ("workload.yaml", "a: 2.5", "a: 2.25", ("inputs",)),
    "an array": ("workload.yaml", "value: 1", "value: 2", ("inputs",)),
    "an element of a file": ("x.raw", "\0", "\1", ("inputs",)),
    "an expression": ("workload.yaml", '"a * x + y"', '"x * a + y"', ("expectations",)),
    "an oracle's text": ("own.py", "return", "return 0 +", ("expectations",)),
    "the limit": ("workload.yaml", "cycles: 900", "cycles: 901", ("limits",)),
    "the passes": ("workload.yaml", "passes: [default]", "passes: [default, -modulo_schedule]",
                   ("passes", "program")),
    "a comment": ("workload.yaml", "machine:", "# a comment\nmachine:", ()),
    "how a number is written": ("workload.yaml", "a: 2.5", "a: 25.0e-1", ()),
}  # fmt: skip


@pytest.fixture
def written(tiny: Path) -> Path:
    """The small workload with a file, an oracle of its own, a limit and passes."""
    text = tiny.read_text()
    text = text.replace("x: {dtype: f32, shape: [8], range: {}}", "x: {dtype: f32, file: x.raw}")
    text = text.replace("expect:\n", "limits: {cycles: 900}\npasses: [default]\nexpect:\n")
    tiny.write_text(text + '  x: {oracle: "own.py:same", of: x}\n')
    (tiny.parent / "x.raw").write_bytes(bytes(32))
    (tiny.parent / "own.py").write_text("def same(x):\n    return x\n")
    return tiny


@pytest.mark.parametrize("what", CHANGES)
def test_what_moves(written: Path, what: str):
    before = identity(written)
    name, old, new, parts = CHANGES[what]
    path = written.parent / name
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))
    after = identity(written)
    assert after.moved_since(before) == parts
    assert (after.key == before.key) == (not parts)


@pytest.mark.parametrize(
    "change, parts",
    [
        ("memory.main.latency_cycles=300 cycles", ("machine",)),
        ("latencies.fp_arithmetic.result=9 cycles", ("program", "machine")),
        ("memory.l2.latency=5.0 cycles", ()),
    ],
)
def test_figures(tiny: Path, change: str, parts: tuple):
    assert identity(tiny, (change,)).moved_since(identity(tiny)) == parts


def test_limits_that_a_caller_gives(tiny: Path):
    before = identity(tiny)
    assert identity(tiny, cycle_limit=7).moved_since(before) == ("limits",)
    assert identity(tiny, values=False).moved_since(before) == ("limits",)


def test_arrays_that_a_caller_gives(tiny: Path):
    workload = read_workload(tiny)
    compiled = compile_workload(workload)

    def given(x: np.ndarray) -> str:
        case = workload.case().with_arguments(as_arguments({"x": x}))
        return identity_of(compiled, case).key

    zeros = np.zeros(8, "f4")
    assert given(zeros) == given(zeros.copy()) == given(zeros.astype(">f4"))
    assert len({given(zeros), given(-zeros), given(zeros + 1), given(zeros.astype("f8"))}) == 4


def test_lines_that_results_show(tmp_path: Path):
    """Of a program that another compiler made: the C file is read once it has run."""
    for name in ("crc32.c", "crc32.ll", "crc32.yaml"):
        shutil.copy(LLVM / name, tmp_path)
    before = identity(tmp_path / "crc32.yaml")
    text = (tmp_path / "crc32.c").read_text()
    (tmp_path / "crc32.c").write_text(text + "// more\n")
    assert identity(tmp_path / "crc32.yaml").moved_since(before) == ("source",)
