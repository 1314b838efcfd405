"""CuTe's kernels, compiled for a target without a GPU: `CORPUS_TARGET=sm_90a`."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

import cutlass
import numpy as np
from cutlass import cute
from cutlass.cute.runtime import make_fake_compact_tensor

from tests.corpus.keeping import is_wanted, kind, write

TARGET = os.environ.get("CORPUS_TARGET", "sm_90a")
TYPES = {
    "float32": cutlass.Float32, "f16": cutlass.Float16, "bf16": cutlass.BFloat16,
    "int32": cutlass.Int32,
}  # fmt: skip


def build(
    name: str, function: Any, args: Mapping[str, Any], grid: Sequence[int], block: Sequence[int],
    expect: Mapping[str, Any], tol: Mapping[str, list] | None = None, *, shared: int = 0,
) -> None:  # fmt: skip
    """Write the unit of the only kernel that a function launches; layouts are known."""
    if not is_wanted(name):
        return
    handed, params = [], []
    for own, value in args.items():
        if isinstance(value, np.ndarray):
            order = tuple(reversed(range(value.ndim)))
            type = TYPES[kind(value)]
            handed.append(
                make_fake_compact_tensor(type, value.shape, stride_order=order, assumed_align=16)
            )
            params.append({"struct": [{"ptr": own}]})
        else:
            handed.append((cutlass.Float32 if isinstance(value, float) else cutlass.Int32)(value))
            params.append({"value": value})
    with tempfile.TemporaryDirectory() as folder:
        how = f"--gpu-arch {TARGET} --keep-ptx --dump-dir={folder}"
        ptx = cute.compile(function, *handed, options=how).__ptx__
    launch = {"grid": grid, "block": block, "shared": shared}
    entry = re.search(r"\.entry (\S+?)\(", ptx)[1]
    arrays = {own: one for own, one in args.items() if isinstance(one, np.ndarray)}
    write("cute", name, TARGET[:5], ptx, entry, launch, params, arrays, expect, tol)
