"""CuTe, the DSL of CUTLASS: a folder that `CUTE_DSL_KEEP_PTX=1` with `CUTE_DSL_DUMP_DIR` left, or
one file of it; kernels' names begin with `kernel_cutlass_`."""

from __future__ import annotations

from pathlib import Path

from sim.kinds.simt.generators import Generator

BEGIN = "kernel_cutlass_"
LOOKED_AT = 16_384
"""Bytes of a file in which its first kernel's name stands."""


def files(path: Path) -> list[Path]:
    """A file, or those of a folder."""
    return [path] if path.is_file() else sorted(path.glob("*.ptx"))


def claims(path: Path) -> bool:
    """Whether a file, or the first one of a folder, has a kernel of CuTe's."""
    if path.suffix != ".ptx" and not path.is_dir():
        return False
    try:
        return any(_has_kernel(one) for one in files(path)[:1])
    except OSError:
        return False


def _has_kernel(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return f".entry {BEGIN}".encode() in file.read(LOOKED_AT)


PLUGIN = Generator(
    "cute",
    "Functions of Python under @cute.jit with the kernels that they launch.",
    claims,
    "sim.kinds.simt.generators.cute.file:kernels",
    compiles=lambda function: hasattr(function, "_dsl_cls") and hasattr(function, "__wrapped__"),
    makes="sim.kinds.simt.generators.cute.compiled:make",
)
