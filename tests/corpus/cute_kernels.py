"""Kernels in CuTe's DSL."""

import cutlass
import numpy as np
from cutlass import cute

from tests.corpus.keeping import BF16, F4, normals, rng, wide
from tests.corpus.of_cute import build


@cute.kernel
def _add(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
    t, _, _ = cute.arch.thread_idx()
    bx, _, _ = cute.arch.block_idx()
    i = bx * 64 + t
    c[i] = a[i] + b[i]


@cute.jit
def add(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
    _add(a, b, c).launch(grid=[2, 1, 1], block=[64, 1, 1])


x, y = normals(128), normals(128, seed=2)
build("add", add, {"a": x, "b": y, "c": np.zeros(128, F4)}, (2,), (64,), {"c": x + y})
x, y = normals(128, dt=np.float16), normals(128, seed=2, dt=np.float16)
build("add_f16", add, {"a": x, "b": y, "c": np.zeros(128, np.float16)}, (2,), (64,), {"c": x + y})


@cute.kernel
def _vectors(a: cute.Tensor, c: cute.Tensor, s: cutlass.Float32):
    t, _, _ = cute.arch.thread_idx()
    ta = cute.local_tile(a, (4,), (t,))
    tc = cute.local_tile(c, (4,), (t,))
    r = ta.load()
    tc.store(r * s + 1.0)


@cute.jit
def vectors(a: cute.Tensor, c: cute.Tensor, s: cutlass.Float32):
    _vectors(a, c, s).launch(grid=[1, 1, 1], block=[32, 1, 1])


x = normals(128)
build(
    "vectors",
    vectors,
    {"a": x, "c": np.zeros(128, F4), "s": 2.5},
    (1,),
    (32,),
    {"c": x * F4(2.5) + 1},
    {"c": [1e-6, 1e-6]},
)


@cute.kernel
def _transpose(a: cute.Tensor, c: cute.Tensor):
    smem = cutlass.utils.SmemAllocator()
    s = smem.allocate_tensor(cutlass.Float32, cute.make_layout((16, 16), stride=(17, 1)), 16)
    x, y, _ = cute.arch.thread_idx()
    bx, by, _ = cute.arch.block_idx()
    s[y, x] = a[by * 16 + y, bx * 16 + x]
    cute.arch.sync_threads()
    c[bx * 16 + y, by * 16 + x] = s[x, y]


@cute.jit
def transpose(a: cute.Tensor, c: cute.Tensor):
    _transpose(a, c).launch(grid=[3, 2, 1], block=[16, 16, 1], smem=1152)


x = normals(32, 48)
build(
    "transpose",
    transpose,
    {"a": x, "c": np.zeros((48, 32), F4)},
    (3, 2),
    (16, 16),
    {"c": x.T.copy()},
    shared=1152,
)


@cute.kernel
def _softmax(a: cute.Tensor, c: cute.Tensor):
    l, _, _ = cute.arch.thread_idx()
    r, _, _ = cute.arch.block_idx()
    m = -cutlass.Float32.inf
    for i in cutlass.range_constexpr(4):
        m = cute.arch.fmax(m, a[r, i * 32 + l])
    m = cute.arch.warp_reduction(m, cute.arch.fmax)
    s = cutlass.Float32(0.0)
    for i in cutlass.range_constexpr(4):
        s += cute.math.exp(a[r, i * 32 + l] - m)
    s = cute.arch.warp_reduction(s, lambda p, q: p + q)
    for i in cutlass.range_constexpr(4):
        c[r, i * 32 + l] = cute.math.exp(a[r, i * 32 + l] - m) / s


@cute.jit
def softmax(a: cute.Tensor, c: cute.Tensor):
    _softmax(a, c).launch(grid=[6, 1, 1], block=[32, 1, 1])


x = normals(6, 128)
e = np.exp(wide(x))
e /= e.sum(1, keepdims=True)
build(
    "softmax",
    softmax,
    {"a": x, "c": np.zeros_like(x)},
    (6,),
    (32,),
    {"c": e.astype(F4)},
    {"c": [1e-5, 1e-8]},
)


@cute.kernel
def _sgemm(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, K: cutlass.Constexpr):
    x, y, _ = cute.arch.thread_idx()
    bx, by, _ = cute.arch.block_idx()
    acc = cutlass.Float32(0.0)
    for k in cutlass.range(K):
        acc += a[by * 8 + y, k] * b[k, bx * 8 + x]
    c[by * 8 + y, bx * 8 + x] = acc


@cute.jit
def sgemm(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
    _sgemm(a, b, c, 24).launch(grid=[2, 2, 1], block=[8, 8, 1])


a, b = normals(16, 24), normals(24, 16, seed=2)
build(
    "sgemm",
    sgemm,
    {"a": a, "b": b, "c": np.zeros((16, 16), F4)},
    (2, 2),
    (8, 8),
    {"c": a @ b},
    {"c": [1e-5, 1e-5]},
)


@cute.kernel
def _hgemm(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, mma: cute.TiledMma):
    t, _, _ = cute.arch.thread_idx()
    thr = mma.get_slice(t)
    ta, tb, tc = thr.partition_A(a), thr.partition_B(b), thr.partition_C(c)
    ra, rb, rc = mma.make_fragment_A(ta), mma.make_fragment_B(tb), mma.make_fragment_C(tc)
    cute.autovec_copy(ta, ra)
    cute.autovec_copy(tb, rb)
    rc.fill(0.0)
    cute.gemm(mma, rc, ra, rb, rc)
    cute.autovec_copy(rc, tc)


@cute.jit
def hgemm(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
    op = cute.nvgpu.warp.MmaF16BF16Op(a.element_type, cutlass.Float32, (16, 8, 16))
    mma = cute.make_tiled_mma(op, cute.make_layout((1, 2, 1)))
    _hgemm(a, b, c, mma).launch(grid=[1, 1, 1], block=[64, 1, 1])


for dt, nm in ((np.float16, "f16"), (BF16, "bf16")):
    a, b = normals(32, 32, dt=dt), normals(32, 32, seed=2, dt=dt)
    build(
        "gemm_" + nm,
        hgemm,
        {"a": a, "b": b, "c": np.zeros((32, 32), F4)},
        (1,),
        (64,),
        {"c": (wide(a) @ wide(b).T).astype(F4)},
        {"c": [1e-4, 1e-4]},
    )


@cute.kernel
def _async(a: cute.Tensor, c: cute.Tensor):
    smem = cutlass.utils.SmemAllocator()
    s = smem.allocate_tensor(cutlass.Float32, cute.make_layout(256), 16)
    t, _, _ = cute.arch.thread_idx()
    atom = cute.make_copy_atom(
        cute.nvgpu.cpasync.CopyG2SOp(), cutlass.Float32, num_bits_per_copy=128
    )
    cp = cute.make_tiled_copy_tv(atom, cute.make_layout(64), cute.make_layout(4)).get_slice(t)
    cute.copy(atom, cp.partition_S(a), cp.partition_D(s))
    cute.arch.cp_async_commit_group()
    cute.arch.cp_async_wait_group(0)
    cute.arch.sync_threads()
    for i in cutlass.range_constexpr(4):
        c[i * 64 + t] = s[255 - (i * 64 + t)]


@cute.jit
def async_copy(a: cute.Tensor, c: cute.Tensor):
    _async(a, c).launch(grid=[1, 1, 1], block=[64, 1, 1], smem=1024)


x = normals(256)
build(
    "async_copy",
    async_copy,
    {"a": x, "c": np.zeros(256, F4)},
    (1,),
    (64,),
    {"c": x[::-1].copy()},
    shared=1024,
)


@cute.kernel
def _count(x: cute.Tensor, n: cute.Tensor):
    t, _, _ = cute.arch.thread_idx()
    if x[t] > 0:
        cute.arch.atomic_add(n.iterator.llvm_ptr, cutlass.Int32(1))


@cute.jit
def count(x: cute.Tensor, n: cute.Tensor):
    _count(x, n).launch(grid=[1, 1, 1], block=[64, 1, 1])


x = rng(1).integers(-5, 5, 64).astype(np.int32)
build(
    "count",
    count,
    {"x": x, "n": np.zeros(1, np.int32)},
    (1,),
    (64,),
    {"n": np.array([(x > 0).sum()], np.int32)},
)


@cute.kernel
def _says(x: cute.Tensor):
    t, _, _ = cute.arch.thread_idx()
    if t == 0:
        cute.printf("first {}", x[0])
    x[t] = x[t] + 1


@cute.jit
def says(x: cute.Tensor):
    _says(x).launch(grid=[1, 1, 1], block=[32, 1, 1])


x = np.arange(32, dtype=np.int32)
build("says", says, {"x": x}, (1,), (32,), {"x": x + 1})
