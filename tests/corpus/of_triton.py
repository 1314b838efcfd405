"""Triton's kernels, compiled for three targets without a GPU."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from tests.corpus.keeping import is_wanted, kind, write

TYPES = {
    "float32": "fp32", "float64": "fp64", "f16": "fp16", "bf16": "bf16", "e4m3": "fp8e4nv",
    "e5m2": "fp8e5", "int8": "i8", "uint8": "u8", "int16": "i16", "uint16": "u16", "int32": "i32",
    "uint32": "u32", "int64": "i64", "uint64": "u64",
}  # fmt: skip
DIVISIBLE = [["tt.divisibility", 16]]


def build(
    function: Any, args: Mapping[str, Any], const: Mapping[str, Any], grid: Sequence[int],
    expect: Mapping[str, Any], tol: Mapping[str, list] | None = None, *, warps: int = 4,
    stages: int = 2, targets: Sequence[int] = (75, 80, 90), name: str | None = None, **options: Any,
) -> None:  # fmt: skip
    """Write the units of a kernel: `args` in any order, `const` are its constants."""
    name = name or function.__name__
    if not is_wanted(name):
        return
    signature: dict[str, str] = {}
    constants, assumed, params = dict(const), {}, []
    for place, own in enumerate(function.arg_names):
        value = args.get(own)
        if own in const:
            signature[own] = "constexpr"
        elif isinstance(value, np.ndarray):
            signature[own], assumed[(place,)] = "*" + TYPES[kind(value)], DIVISIBLE
            params.append({"array": own})
        elif isinstance(value, float):
            signature[own] = "fp32"
            params.append({"value": value})
        elif value == 1:
            signature[own], constants[own] = "constexpr", 1
        else:
            signature[own] = "i32"
            params.append({"value": value})
            if value % 16 == 0:
                assumed[(place,)] = DIVISIBLE
    arrays = {own: one for own, one in args.items() if isinstance(one, np.ndarray)}
    for target in targets:
        source = ASTSource(function, signature, constants, assumed)
        how = {"num_warps": warps, "num_stages": stages, **options}
        made = triton.compile(source, target=GPUTarget("cuda", target, 32), options=how)
        said = made.metadata
        hidden = [{"value": None}, {"value": None}]
        own = dict(arrays)
        if said.global_scratch_size:
            size = said.global_scratch_size * int(np.prod(grid))
            own["scratch"], hidden[0] = np.zeros(size, np.uint8), {"array": "scratch"}
        launch = {"grid": grid, "block": [32 * said.num_warps], "shared": said.shared}
        write(
            "triton", name, f"sm_{target}", made.asm["ptx"], said.name, launch, params + hidden,
            own, expect, tol,
        )  # fmt: skip
