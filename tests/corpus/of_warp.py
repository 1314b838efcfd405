"""Warp's kernels, compiled for three targets without a GPU."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import warp as wp

from tests.corpus.keeping import is_wanted, write

FORWARD = "_cuda_kernel_forward"


def build(
    kernel: Any, args: Mapping[str, Any], dim: int | Sequence[int], expect: Mapping[str, Any],
    tol: Mapping[str, list] | None = None, *, targets: Sequence[int] = (75, 80, 90),
    block: int = 64, tile: bool = False,
) -> None:  # fmt: skip
    """Write the units of a kernel that is launched over `dim`, or, of tiles, a block a place."""
    name = kernel.key.rpartition(".")[2]
    if not is_wanted(name):
        return
    extents = [dim] if isinstance(dim, int) else list(dim)
    size, shared_by = int(np.prod(extents)), block if tile else 1
    params: list[Any] = [
        {"struct": [{"u32": extents}, {"u64": size * shared_by}, {"u64": shared_by}]}
    ]
    params += [
        _param(one, value) for one, value in zip(kernel.adj.args, args.values(), strict=True)
    ]
    entry = kernel.get_mangled_name() + FORWARD
    for target in targets:
        with tempfile.TemporaryDirectory() as folder:
            kernel.module.options.update({"block_dim": block, "enable_backward": False})
            wp.compile_aot_module(kernel.module, arch=target, module_dir=folder, use_ptx=True)
            ptx = next(Path(folder).glob("*.ptx")).read_bytes()
            meta = json.loads(next(Path(folder).glob("*.meta")).read_text())
        launch = {
            "grid": [-(-size * shared_by // block)], "block": [block],
            "shared": meta[f"{entry}_smem_bytes"],
        }  # fmt: skip
        arrays = {own: one for own, one in args.items() if isinstance(one, np.ndarray)}
        write("warp", name, f"sm_{target}", ptx, entry, launch, params, arrays, expect, tol)


def _param(argument: Any, value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    if not isinstance(value, np.ndarray):
        return {"value": value}
    item, axes = wp._src.types.type_size_in_bytes(argument.type.dtype), argument.type.ndim
    shape = value.shape[:axes]
    strides = [int(np.prod(shape[k + 1 :], dtype=int)) * item for k in range(axes)]
    rest = [0] * (4 - axes)
    fields = [{"ptr": argument.label}, {"u64": 0}, {"i32": [*shape, *rest]}]
    fields += [{"i32": [*strides, *rest]}, {"u16": axes}, {"u16": 0}]
    return {"struct": fields}
