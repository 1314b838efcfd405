"""Numba's CUDA target: `cuda.compile_ptx(function, signature, cc=(9, 0))` without a GPU.

What it makes is one PTX file; the types of the kernel's parameters are in its mangled name.
"""

from __future__ import annotations

from pathlib import Path

from sim.kinds.simt.generators import Generator, is_one_of
from sim.kinds.simt.generators.numba.mangled import BEGIN, is_mangled

LOOKED_AT = 16_384
"""Bytes of a file in which its first kernel's name stands."""


def claims(path: Path) -> bool:
    """Whether a file's kernels have names as Numba mangles them."""
    if path.suffix != ".ptx" or not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            head = file.read(LOOKED_AT).decode("utf-8", "replace")
    except OSError:
        return False
    return BEGIN in head and any(is_mangled(word) for word in head.split() if BEGIN in word)


PLUGIN = Generator(
    "numba-cuda",
    "Functions of Python under @numba.cuda.jit.",
    claims,
    "sim.kinds.simt.generators.numba.file:kernels",
    compiles=is_one_of("numba.cuda.dispatcher.CUDADispatcher"),
    makes="sim.kinds.simt.generators.numba.compiled:make",
)
