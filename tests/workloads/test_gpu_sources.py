"""The CUDA C, the PTX and the workload files of GPU workloads belong together."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from machines.cxx_names import named
from sim.kinds.simt.launches import kernels_of
from sim.workload.schema import read_workload
from tests.campaign.seeds import spread
from workloads.compile_kernels import GPU, command, ptx, sources, without_names
from workloads.keep_generated import SOURCES as SOURCES_OF_GENERATORS

SOURCES = sources()
CHECKED = sources(GPU)
UNSTRUCTURED = ("short_circuit", "two_breaks", "exception", "interpreter", "ray_march")


def test_there_are_twenty_five_workloads():
    assert len(CHECKED) == 25
    by_nvcc = {path.parent / "workload.yaml" for path in CHECKED}
    generated = {GPU / name / "workload.yaml" for name in SOURCES_OF_GENERATORS}
    assert by_nvcc | generated == set(GPU.glob("*/workload.yaml"))


@pytest.mark.parametrize("source", SOURCES, ids=[path.stem for path in SOURCES])
def test_the_command_at_the_head_names_the_files(source: Path):
    expected = f"nvcc -arch=sm_90 -ptx -lineinfo -o {source.stem}.ptx {source.stem}.cu"
    assert " ".join(command(source)) == expected


@pytest.mark.parametrize("source", SOURCES, ids=[path.stem for path in SOURCES])
def test_the_ptx_names_no_folder(source: Path):
    files = re.findall(r'^\s*\.file\s+\d+\s+"(.*)"', source.with_suffix(".ptx").read_text(), re.M)
    assert source.name in files and not any("/" in file for file in files)


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc on this machine")
@pytest.mark.parametrize("source", spread(SOURCES, 8), ids=lambda path: path.stem)
def test_the_ptx_is_what_nvcc_makes(source: Path):
    written, made = source.with_suffix(".ptx").read_text(), ptx(source)
    release = "// Cuda compilation tools, release"
    if [line for line in written.splitlines() if line.startswith(release)] != [
        line for line in made.splitlines() if line.startswith(release)
    ]:
        pytest.skip("this nvcc is of another release than the PTX")
    assert without_names(made) == without_names(written)


@pytest.mark.parametrize("source", CHECKED, ids=[path.stem for path in CHECKED])
def test_the_workload_is_read_and_launches_kernels_of_the_ptx(source: Path):
    workload = read_workload(source.parent)
    assert workload.program == source.with_suffix(".ptx")
    kernels = re.findall(r"\.visible \.entry (\w+)\(", workload.program.read_text())
    for case in workload.cases():
        assert case.expect and case.steps
        for _, step in case.steps:
            for name in kernels_of(step) if step.kernel or step.steps else [kernels[0]]:
                assert len(named(name, kernels)) == 1


@pytest.mark.parametrize("name", UNSTRUCTURED)
def test_unstructured_flow_is_branches_not_selections(name: str):
    text = (GPU / name / f"{name}.ptx").read_text()
    branches, selections = len(re.findall(r"@%p\d+ bra", text)), len(re.findall(r"\bselp\.", text))
    assert branches >= 5 and selections <= 2


def test_the_graph_of_imports_is_a_graph():
    """Every edge stands in both rows; transitions out of a vertex sum to 1."""
    rows, columns, transitions = (
        np.load(GPU / "data" / f"{name}.npy")
        for name in ("imports_rows", "imports_columns", "transitions")
    )
    source = np.repeat(np.arange(len(rows) - 1), np.diff(rows))
    assert len(columns) == len(transitions) == rows[-1] == 18112
    assert set(zip(source.tolist(), columns.tolist(), strict=True)) == set(
        zip(columns.tolist(), source.tolist(), strict=True)
    )
    sums = np.bincount(columns, weights=transitions)
    assert np.allclose(sums, 1, atol=1e-4)
