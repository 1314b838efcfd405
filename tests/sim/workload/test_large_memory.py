"""Buffers as large as a machine's memory take as much of the host as is written in them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from machines import host_memory
from machines.diagnostics import InputError
from sim import run

GIB = 1 << 30
PROGRAM = """
x: f32[64] in dram
large: f32[{count}] in dram
y: f32[64] in dram
a: f32[64] in nram

func @main() {{
entry:
    tensor.copy.f32 a[0:64], x[0:64]
    tensor.copy.f32 large[{last}:{count}], a[0:64]
    tensor.copy.f32 a[0:64], large[{last}:{count}]
    tensor.copy.f32 y[0:64], a[0:64]
    return
}}
"""
WORKLOAD = """workload: large
machine: mlu_single
program: large.sir
arguments:
  x: {dtype: f32, shape: [64], value: 3}
  y: {dtype: f32, shape: [64], value: 0}
expect:
  y: {equals: x}
"""
CHILD = """
import resource, sys
from sim import run
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
result = run(sys.argv[1])
print(result.status, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def written(folder: Path, size: int) -> Path:
    count = size // 4
    (folder / "large.sir").write_text(PROGRAM.format(count=count, last=count - 64))
    path = folder / "workload.yaml"
    path.write_text(WORKLOAD)
    return path


def test_a_large_buffer_takes_what_is_written(tmp_path):
    if host_memory.free_bytes() < 4 * GIB:
        pytest.skip("less than 4 GiB are free")
    path = written(tmp_path, 2 * GIB)
    command = [sys.executable, "-c", CHILD, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    status, more = done.stdout.split()
    assert status == "done"
    assert int(more) < 400 << 10  # KiB, most of them the compiler's


def test_what_the_host_does_not_have_is_said(tmp_path, monkeypatch):
    path = written(tmp_path, 2 * GIB)
    monkeypatch.setattr("sim.prepared_case.free_bytes", lambda: GIB)
    with pytest.raises(InputError, match="needs more memory than there is") as error:
        run(path)
    assert "this computer has 1024 MiB to give" in str(error.value)
