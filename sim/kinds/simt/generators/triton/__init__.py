"""Triton: a folder of its cache has PTX, metadata (JSON) and the code before lowering (TTIR)."""

from __future__ import annotations

from pathlib import Path

from sim.kinds.simt.generators import Generator, is_one_of

SUFFIXES = (".json", ".ptx", ".ttir")
"""Of the files of a kernel that are read; the group's file begins with two underscores."""


def folders(path: Path) -> list[Path]:
    """A folder of the cache, or those of a whole cache."""
    return [path, *(one for one in path.iterdir() if one.is_dir())]


def claims(path: Path) -> bool:
    """Whether a folder has a kernel with its TTIR, or folders with such."""
    if not path.is_dir():
        return False
    try:
        return any(any(one.glob("*.ttir")) for one in folders(path))
    except OSError:
        return False


PLUGIN = Generator(
    "triton",
    "Functions of Python under @triton.jit.",
    claims,
    "sim.kinds.simt.generators.triton.cache:kernels",
    compiles=is_one_of("triton.runtime.jit.JITFunction"),
    makes="sim.kinds.simt.generators.triton.compiled:make",
)
