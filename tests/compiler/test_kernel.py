"""Kernel files can be imported by Python, and their kernels refuse to be called."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

import workloads
from compiler import kernel as names

FILES = [
    path
    for path in sorted(Path(workloads.__path__[0]).glob("*/*.py"))
    if "@kernel" in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_kernel_files_import(path):
    assert path.stem in runpy.run_path(str(path))


def test_kernels_types_and_operations_cannot_be_called(tmp_path):
    file = tmp_path / "one.py"
    file.write_text(
        "from compiler.kernel import kernel, f32\n"
        "TABLE: f32[2] = [1, 2]\n"
        "@kernel\ndef f(x: f32, y: f32[:]) -> f32:\n    'Nothing.'\n    return x\n"
    )
    kernel = runpy.run_path(str(file))["f"]
    assert (kernel.__name__, kernel.__doc__) == ("f", "Nothing.")
    for call in (kernel, names.f32, names.sqrt):
        with pytest.raises(TypeError, match="compiled"):
            call(1.0)
    with pytest.raises(TypeError, match="compiled"):
        names.fma(1.0, 2.0, 3.0)
