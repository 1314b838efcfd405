"""Functions under @cute.jit that tests call."""

import cutlass
from cutlass import cute


@cute.kernel
def _scaled(
    a: cute.Tensor, c: cute.Tensor, s: cutlass.Float32, k: cutlass.Constexpr, n: cutlass.Int32
):
    i, _, _ = cute.arch.thread_idx()
    if i < n:
        c[i] = a[i] * s + k


@cute.jit
def scaled(c: cute.Tensor, a: cute.Tensor, s: cutlass.Float32, n: cutlass.Int32):
    _scaled(a, c, s, 3, n).launch(grid=[1, 1, 1], block=[64, 1, 1], smem=64)
    _scaled(c, a, 2.0, 5, 7).launch(grid=cute.size(a) // 64, block=[64, 1, 1])


@cute.jit
def doubled_first(c: cute.Tensor, n: cutlass.Int32):
    _scaled(c, c, 1.0, 0, n * 2).launch(grid=1, block=64)
