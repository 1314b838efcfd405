"""Numba's kernels, compiled for three targets without a GPU."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numba
import numpy as np
from numba import cuda, types

from tests.corpus.keeping import is_wanted, write


def build(
    function: Any, args: Mapping[str, Any], grid: Sequence[int], block: Sequence[int],
    expect: Mapping[str, Any], tol: Mapping[str, list] | None = None, *, shared: int = 0,
    targets: Sequence[int] = (75, 80, 90), name: str | None = None,
    layouts: Mapping[str, str] | None = None, **options: Any,
) -> None:  # fmt: skip
    """Write the units of a kernel; arrays are of layout C unless `layouts` says another."""
    name, layouts = name or function.__name__, layouts or {}
    if not is_wanted(name):
        return
    signature, params, arrays = [], [], {}
    for own, value in args.items():
        if isinstance(value, np.ndarray):
            layout = layouts.get(own, "C")
            signature.append(types.Array(numba.from_dtype(value.dtype), value.ndim, layout))
            lies = np.asfortranarray(value) if layout == "F" else np.ascontiguousarray(value)
            params += [{"value": None}, {"value": None}, {"value": value.size}]
            params += [{"value": value.itemsize}, {"array": own}]
            params += [{"value": int(one)} for one in (*value.shape, *lies.strides)]
            arrays[own] = np.ascontiguousarray(lies.T) if layout == "F" else lies
        else:
            signature.append(_number(value))
            params.append({"value": value.item() if isinstance(value, np.generic) else value})
    for target in targets:
        text, _ = cuda.compile_ptx(function, tuple(signature), cc=divmod(target, 10), **options)
        entry = re.search(r"\.entry (\S+?)\(", text)[1]
        launch = {"grid": grid, "block": block, "shared": shared}
        write("numba", name, f"sm_{target}", text, entry, launch, params, arrays, expect, tol)


def _number(value: Any) -> Any:
    if isinstance(value, np.float64):
        return types.float64
    if isinstance(value, float):
        return types.float32
    return types.int64 if isinstance(value, np.int64) else types.int32
