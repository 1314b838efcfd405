"""Functions under @triton.jit that tests call."""

import triton
import triton.language as tl


@triton.jit
def scaled(x, y, n, stride, factor, BLOCK: tl.constexpr):  # noqa: N803
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(y + at, tl.load(x + at * stride, mask=inside) * factor, mask=inside)
