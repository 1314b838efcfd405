"""Warp: a folder that `wp.compile_aot_module(module, arch=90, use_ptx=True)` or its cache left has
PTX, the C++ that it was made of, and metadata."""

from __future__ import annotations

from pathlib import Path

from sim.kinds.simt.generators import Generator, is_one_of


def claims(path: Path) -> bool:
    """Whether a folder has a module's PTX, its C++ and its metadata."""
    if not path.is_dir():
        return False
    try:
        return all(any(path.glob(f"*.{one}")) for one in ("ptx", "cu", "meta"))
    except OSError:
        return False


PLUGIN = Generator(
    "warp",
    "Functions of Python under @warp.kernel.",
    claims,
    "sim.kinds.simt.generators.warp.cache:kernels",
    compiles=is_one_of("warp._src.context.Kernel"),
    makes="sim.kinds.simt.generators.warp.compiled:make",
)
