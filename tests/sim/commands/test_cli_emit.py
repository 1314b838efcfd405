"""`simrun WORKLOAD --emit FILE`: what it writes, says and refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compiler.gnu_as import complaints, needs_gnu_as

pytestmark = pytest.mark.quick


@needs_gnu_as
def test_a_file_that_gnu_as_takes(tiny: Path, simrun, tmp_path):
    ended = simrun("workload.yaml", "--emit", "out/tiny.s")
    assert ended.code == 0
    assert "x (32 bytes), y (32 bytes)" in ended.out
    assert "ia64-linux-gnu-as -x --fatal-warnings out/tiny.s" in ended.out
    assert not complaints(Path("out/tiny.s").read_text(), tmp_path)


def test_nothing_runs(tiny: Path, simrun):
    assert "cycles" not in simrun("workload.yaml", "--emit", "tiny.s").out
    ended = simrun("workload.yaml", "--emit", "tiny.s", "--json")
    assert (ended.code, "--json has no effect" in ended.err) == (2, True)


def test_a_place_that_cannot_be_written(tiny: Path, simrun):
    ended = simrun("workload.yaml", "--emit", "/proc/tiny.s")
    assert ended.code == 2
    assert "error: cannot write" in ended.err
    Path("folder.s").mkdir()
    assert "it is a folder" in simrun("workload.yaml", "--emit", "folder.s").err


def test_one_variant(tiny: Path, simrun):
    tiny.write_text(
        tiny.read_text()
        + "variants:\n  small: {arguments: {a: 1.0}}\n  again: {arguments: {a: 2.0}}\n"
    )
    ended = simrun("workload.yaml", "--emit", "tiny.s")
    assert (ended.code, "choose by --variant: small, again" in ended.err) == (2, True)
    assert simrun("workload.yaml", "--variant", "small", "--emit", "tiny.s").code == 0


def test_what_is_not_written(tiny: Path, simrun):
    ended = simrun("workload.yaml", "--emit", "tiny.ptx")
    assert ended.code == 2
    assert "--emit writes no '.ptx' files of itanium2" in ended.err
    assert ".s .S .asm: a stand-alone program for GNU as" in ended.err


def test_a_machine_whose_programs_nothing_is_made_of(simrun, tmp_path):
    workload = Path(__file__).parents[3] / "workloads" / "gpu" / "mandelbrot" / "workload.yaml"
    words = ("--machine", "teaching_gpu", "--emit", str(tmp_path / "m.s"))
    ended = simrun(str(workload), *words)
    assert (ended.code, not (tmp_path / "m.s").exists()) == (2, True)
    assert "--emit writes no programs of teaching_gpu, a machine of kind 'simt'" in ended.err
    assert "choose another by --machine: epic3, itanium, itanium2" in ended.err
