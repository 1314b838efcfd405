"""Softmax of rows, in Triton; `python -m workloads.keep_generated triton` writes what is kept."""

import json
from pathlib import Path

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def softmax(x, y, n, BLOCK: tl.constexpr):  # noqa: N803
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < n
    value = tl.load(x + row * n + at, mask=inside, other=-float("inf"))
    value = tl.exp(value - tl.max(value, 0))
    tl.store(y + row * n + at, value / tl.sum(value, 0), mask=inside)


def write(folder: Path) -> None:
    """The kernel for sm_90 and rows of up to 512 elements, 16 of which divide their number."""
    signature = {"x": "*fp32", "y": "*fp32", "n": "i32", "BLOCK": "constexpr"}
    divisible = {(place,): [["tt.divisibility", 16]] for place in range(3)}
    source = ASTSource(softmax, signature, {"BLOCK": 512}, divisible)
    made = triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_warps": 4})
    said = {key: one for key, one in made.metadata._asdict().items() if key != "extern_libs"}
    said["target"] = {"backend": "cuda", "arch": 90, "warp_size": 32}
    (folder / "softmax.json").write_text(json.dumps(said, indent=1) + "\n")
    for suffix in ("ptx", "ttir"):
        (folder / f"softmax.{suffix}").write_text(made.asm[suffix])
