"""Triton: products of matrices, attention, decode."""

import numpy as np
import triton
import triton.language as tl

from tests.corpus.keeping import BF16, E4M3, E5M2, F4, normals, rng, wide
from tests.corpus.of_triton import build


@triton.jit
def matmul(a, b, c, M, N, K, sam, sbk, scm, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    i = tl.program_id(0)
    j = tl.program_id(1)
    rm = i * BM + tl.arange(0, BM)
    rn = j * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    pa = a + rm[:, None] * sam + rk[None, :]
    pb = b + rk[:, None] * sbk + rn[None, :]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for _k in range(0, K, BK):
        acc = tl.dot(tl.load(pa), tl.load(pb), acc)
        pa += BK
        pb += BK * sbk
    tl.store(c + rm[:, None] * scm + rn[None, :], acc)


for dt, nm, ts, r in (
    (np.float16, "f16", (75, 80, 90), 1e-4),
    (BF16, "bf16", (80, 90), 1e-4),
    (np.float32, "tf32", (75, 80, 90), 3e-3),
    (E4M3, "e4m3", (90,), 1e-2),
    (E5M2, "e5m2", (90,), 1e-2),
):
    a, b = normals(64, 64, dt=dt), normals(64, 64, seed=2, dt=dt)
    e = (wide(a) @ wide(b)).astype(F4)
    build(
        matmul,
        {
            "a": a,
            "b": b,
            "c": np.zeros((64, 64), F4),
            "M": 64,
            "N": 64,
            "K": 64,
            "sam": 64,
            "sbk": 64,
            "scm": 64,
        },
        {"BM": 64, "BN": 64, "BK": 32},
        (1, 1),
        {"c": e},
        {"c": [r, r * 5]},
        name=f"matmul_{nm}",
        targets=ts,
        stages=3,
    )
a, b = normals(64, 96, dt=np.float16), normals(96, 64, seed=2, dt=np.float16)
build(
    matmul,
    {
        "a": a,
        "b": b,
        "c": np.zeros((64, 64), F4),
        "M": 64,
        "N": 64,
        "K": 96,
        "sam": 96,
        "sbk": 64,
        "scm": 64,
    },
    {"BM": 32, "BN": 32, "BK": 32},
    (2, 2),
    {"c": (wide(a) @ wide(b)).astype(F4)},
    {"c": [1e-4, 5e-4]},
    name="matmul_f16_small_tiles",
)
a, b = normals(128, 64, dt=np.float16), normals(64, 128, seed=2, dt=np.float16)
build(
    matmul,
    {
        "a": a,
        "b": b,
        "c": np.zeros((128, 128), F4),
        "M": 128,
        "N": 128,
        "K": 64,
        "sam": 64,
        "sbk": 128,
        "scm": 128,
    },
    {"BM": 128, "BN": 128, "BK": 32},
    (1, 1),
    {"c": (wide(a) @ wide(b)).astype(F4)},
    {"c": [1e-4, 5e-4]},
    name="matmul_f16_128",
    stages=4,
    warps=8,
)


@triton.jit
def matmul_ieee(a, b, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.arange(0, BM)
    rn = tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(
            tl.load(a + rm[:, None] * K + k + rk[None, :]),
            tl.load(b + (k + rk)[:, None] * BN + rn[None, :]),
            acc,
            input_precision="ieee",
        )
    tl.store(c + rm[:, None] * BN + rn[None, :], acc)


a, b = normals(32, 32), normals(32, 32, seed=2)
build(
    matmul_ieee,
    {"a": a, "b": b, "c": np.zeros((32, 32), F4), "K": 32},
    {"BM": 32, "BN": 32, "BK": 16},
    (1,),
    {"c": (wide(a) @ wide(b)).astype(F4)},
    {"c": [1e-5, 1e-5]},
)


@triton.jit
def matmul_tf32x3(a, b, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.arange(0, BM)
    rn = tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(
            tl.load(a + rm[:, None] * K + k + rk[None, :]),
            tl.load(b + (k + rk)[:, None] * BN + rn[None, :]),
            acc,
            input_precision="tf32x3",
        )
    tl.store(c + rm[:, None] * BN + rn[None, :], acc)


build(
    matmul_tf32x3,
    {"a": a, "b": b, "c": np.zeros((32, 32), F4), "K": 32},
    {"BM": 32, "BN": 32, "BK": 16},
    (1,),
    {"c": (wide(a) @ wide(b)).astype(F4)},
    {"c": [1e-5, 1e-4]},
    targets=(80, 90),
)


@triton.jit
def matmul_int8(a, b, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.arange(0, BM)
    rn = tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.int32)
    for k in range(0, K, BK):
        acc = tl.dot(
            tl.load(a + rm[:, None] * K + k + rk[None, :]),
            tl.load(b + (k + rk)[:, None] * BN + rn[None, :]),
            acc,
            out_dtype=tl.int32,
        )
    tl.store(c + rm[:, None] * BN + rn[None, :], acc)


a, b = (rng(i).integers(-128, 128, (64, 64)).astype(np.int8) for i in (1, 2))
build(
    matmul_int8,
    {"a": a, "b": b, "c": np.zeros((64, 64), np.int32), "K": 64},
    {"BM": 64, "BN": 64, "BK": 32},
    (1,),
    {"c": a.astype(np.int32) @ b.astype(np.int32)},
    targets=(80, 90),
)


@triton.jit
def matmul_f64(a, b, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.arange(0, BM)
    rn = tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float64)
    for k in range(0, K, BK):
        acc = tl.dot(
            tl.load(a + rm[:, None] * K + k + rk[None, :]),
            tl.load(b + (k + rk)[:, None] * BN + rn[None, :]),
            acc,
            out_dtype=tl.float64,
        )
    tl.store(c + rm[:, None] * BN + rn[None, :], acc)


a, b = normals(32, 32, dt=np.float64), normals(32, 32, seed=2, dt=np.float64)
build(
    matmul_f64,
    {"a": a, "b": b, "c": np.zeros((32, 32)), "K": 32},
    {"BM": 32, "BN": 32, "BK": 16},
    (1,),
    {"c": a @ b},
    {"c": [1e-12, 1e-12]},
    targets=(80, 90),
)


@triton.jit
def matmul_f16_out(a, b, bias, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    i = tl.program_id(0)
    j = tl.program_id(1)
    rm = i * BM + tl.arange(0, BM)
    rn = j * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        x = tl.load(
            a + rm[:, None] * K + k + rk[None, :],
            mask=(rm < M)[:, None] & (k + rk < K)[None, :],
            other=0.0,
        )
        y = tl.load(
            b + (k + rk)[:, None] * N + rn[None, :],
            mask=(rn < N)[None, :] & (k + rk < K)[:, None],
            other=0.0,
        )
        acc += tl.dot(x, y)
    acc += tl.load(bias + rn, mask=rn < N, other=0.0)[None, :]
    acc = tl.where(acc > 0, acc, 0.01 * acc)
    tl.store(
        c + rm[:, None] * N + rn[None, :],
        acc.to(tl.float16),
        mask=(rm < M)[:, None] & (rn < N)[None, :],
    )


a, b, bi = (
    normals(50, 70, dt=np.float16),
    normals(70, 90, seed=2, dt=np.float16),
    normals(90, seed=3, dt=np.float16),
)
e = wide(a) @ wide(b) + wide(bi)
e = np.where(e > 0, e, 0.01 * e).astype(np.float16)
build(
    matmul_f16_out,
    {"a": a, "b": b, "bias": bi, "c": np.zeros((50, 90), np.float16), "M": 50, "N": 90, "K": 70},
    {"BM": 32, "BN": 64, "BK": 32},
    (2, 2),
    {"c": e},
    {"c": [1e-3, 2e-3]},
    stages=3,
)


@triton.jit
def matmul_persistent(
    a, b, c, M, N, K, P, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, G: tl.constexpr
):
    start = tl.program_id(0)
    nm = tl.cdiv(M, BM)
    nn = tl.cdiv(N, BN)
    rk = tl.arange(0, BK)
    for t in range(start, nm * nn, P):
        g = t // (G * nn)
        first = g * G
        size = tl.minimum(nm - first, G)
        i = first + (t % (G * nn)) % size
        j = (t % (G * nn)) // size
        rm = i * BM + tl.arange(0, BM)
        rn = j * BN + tl.arange(0, BN)
        acc = tl.zeros((BM, BN), dtype=tl.float32)
        for k in range(0, K, BK):
            acc = tl.dot(
                tl.load(a + rm[:, None] * K + k + rk[None, :]),
                tl.load(b + (k + rk)[:, None] * N + rn[None, :]),
                acc,
            )
        tl.store(c + rm[:, None] * N + rn[None, :], acc.to(tl.float16))


a, b = normals(96, 64, dt=np.float16), normals(64, 96, seed=2, dt=np.float16)
build(
    matmul_persistent,
    {"a": a, "b": b, "c": np.zeros((96, 96), np.float16), "M": 96, "N": 96, "K": 64, "P": 3},
    {"BM": 32, "BN": 32, "BK": 32, "G": 2},
    (3,),
    {"c": (wide(a) @ wide(b)).astype(np.float16)},
    {"c": [1e-3, 2e-3]},
)


@triton.jit
def matmul_grouped(a, b, c, sizes, G, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    t = tl.program_id(0)
    P = tl.num_programs(0)
    last = 0
    row = 0
    rk = tl.arange(0, BK)
    nn = tl.cdiv(N, BN)
    for g in range(G):
        m = tl.load(sizes + g)
        tiles = tl.cdiv(m, BM) * nn
        while t >= last and t < last + tiles:
            w = t - last
            rm = (w // nn) * BM + tl.arange(0, BM)
            rn = (w % nn) * BN + tl.arange(0, BN)
            acc = tl.zeros((BM, BN), dtype=tl.float32)
            for k in range(0, K, BK):
                acc = tl.dot(
                    tl.load(
                        a + (row + rm)[:, None] * K + k + rk[None, :],
                        mask=(rm < m)[:, None],
                        other=0.0,
                    ),
                    tl.load(b + (g * K + k + rk)[:, None] * N + rn[None, :]),
                    acc,
                )
            tl.store(c + (row + rm)[:, None] * N + rn[None, :], acc, mask=(rm < m)[:, None])
            t += P
        last += tiles
        row += m


sizes = np.array([20, 0, 33, 7], np.int32)
a, b = normals(60, 32, dt=np.float16), normals(4, 32, 64, seed=2, dt=np.float16)
e = np.concatenate(
    [
        wide(a)[s : s + m] @ wide(b)[g]
        for g, (s, m) in enumerate(zip((0, 20, 20, 53), sizes, strict=False))
    ]
).astype(F4)
build(
    matmul_grouped,
    {"a": a, "b": b, "c": np.zeros((60, 64), F4), "sizes": sizes, "G": 4, "N": 64, "K": 32},
    {"BM": 32, "BN": 32, "BK": 32},
    (3,),
    {"c": e},
    {"c": [1e-4, 5e-4]},
)


@triton.jit
def matmul_split_k(
    a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, S: tl.constexpr
):
    i = tl.program_id(0)
    s = tl.program_id(1)
    rm = i * BM + tl.arange(0, BM)
    rn = tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(s * BK, K, S * BK):
        rk = k + tl.arange(0, BK)
        acc = tl.dot(
            tl.load(a + rm[:, None] * K + rk[None, :]),
            tl.load(b + rk[:, None] * N + rn[None, :]),
            acc,
        )
    tl.atomic_add(c + rm[:, None] * N + rn[None, :], acc)


a, b = normals(32, 128, dt=np.float16), normals(128, 32, seed=2, dt=np.float16)
build(
    matmul_split_k,
    {"a": a, "b": b, "c": np.zeros((32, 32), F4), "M": 32, "N": 32, "K": 128},
    {"BM": 32, "BN": 32, "BK": 32, "S": 2},
    (1, 2),
    {"c": (wide(a) @ wide(b)).astype(F4)},
    {"c": [1e-4, 5e-4]},
)


@triton.jit
def matmul_dequantized(a, q, s, c, K, N, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.arange(0, BM)
    rn = tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(
            tl.load(a + rm[:, None] * K + k + rk[None, :]),
            tl.load(q + (k + rk)[:, None] * N + rn[None, :]).to(tl.float16),
            acc,
        )
    tl.store(c + rm[:, None] * N + rn[None, :], acc * tl.load(s + rn)[None, :])


a, q, s = (
    normals(32, 64, dt=np.float16),
    rng(2).integers(-128, 128, (64, 32)).astype(np.int8),
    rng(3).random(32).astype(F4),
)
build(
    matmul_dequantized,
    {"a": a, "q": q, "s": s, "c": np.zeros((32, 32), F4), "K": 64, "N": 32},
    {"BM": 32, "BN": 32, "BK": 32},
    (1,),
    {"c": (wide(a) @ wide(q) * s).astype(F4)},
    {"c": [1e-4, 5e-2]},
)


@triton.jit
def matmul_batched_bf16(a, b, c, K, N, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    z = tl.program_id(0)
    rm = tl.arange(0, BM)
    rn = tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(
            tl.load(a + z * BM * K + rm[:, None] * K + k + rk[None, :]),
            tl.load(b + z * K * N + (k + rk)[:, None] * N + rn[None, :]),
            acc,
        )
    tl.store(c + z * BM * N + rm[:, None] * N + rn[None, :], acc.to(tl.bfloat16))


a, b = normals(3, 32, 32, dt=BF16), normals(3, 32, 32, seed=2, dt=BF16)
build(
    matmul_batched_bf16,
    {"a": a, "b": b, "c": np.zeros((3, 32, 32), BF16), "K": 32, "N": 32},
    {"BM": 32, "BN": 32, "BK": 16},
    (3,),
    {"c": (wide(a) @ wide(b)).astype(BF16)},
    {"c": [8e-3, 1e-2]},
    targets=(80, 90),
)


@triton.jit
def matmul_block_pointers(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    A = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    B = tl.make_tensor_descriptor(b, [K, N], [N, 1], [BK, BN])
    C = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    i = tl.program_id(0) * BM
    j = tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(A.load([i, k]), B.load([k, j]), acc)
    C.store([i, j], acc.to(tl.float16))


a, b = normals(64, 64, dt=np.float16), normals(64, 64, seed=2, dt=np.float16)
build(
    matmul_block_pointers,
    {"a": a, "b": b, "c": np.zeros((64, 64), np.float16), "M": 64, "N": 64, "K": 64},
    {"BM": 32, "BN": 32, "BK": 32},
    (2, 2),
    {"c": (wide(a) @ wide(b)).astype(np.float16)},
    {"c": [1e-3, 2e-3]},
    name="matmul_device_descriptors",
    targets=(75, 80, 90),
)


@triton.jit
def lora(x, w, A, B, y, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, R: tl.constexpr):
    rm = tl.arange(0, BM)
    rn = tl.arange(0, BN)
    rk = tl.arange(0, BK)
    rr = tl.arange(0, R)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    t = tl.zeros((BM, R), dtype=tl.float32)
    for k in range(0, K, BK):
        v = tl.load(x + rm[:, None] * K + k + rk[None, :])
        acc = tl.dot(v, tl.load(w + (k + rk)[:, None] * BN + rn[None, :]), acc)
        t = tl.dot(v, tl.load(A + (k + rk)[:, None] * R + rr[None, :]), t)
    acc = tl.dot(t.to(tl.float16), tl.load(B + rr[:, None] * BN + rn[None, :]), acc)
    tl.store(y + rm[:, None] * BN + rn[None, :], acc)


x, w, A, B = (
    normals(32, 64, dt=np.float16),
    normals(64, 32, seed=2, dt=np.float16),
    normals(64, 16, seed=3, dt=np.float16),
    normals(16, 32, seed=4, dt=np.float16),
)
build(
    lora,
    {"x": x, "w": w, "A": A, "B": B, "y": np.zeros((32, 32), F4), "K": 64},
    {"BM": 32, "BN": 32, "BK": 32, "R": 16},
    (1,),
    {"y": (wide(x) @ wide(w) + wide((wide(x) @ wide(A)).astype(np.float16)) @ wide(B)).astype(F4)},
    {"y": [1e-3, 0.1]},
)


@triton.jit
def attention(
    q,
    k,
    v,
    o,
    lse,
    S,
    scale,
    BM: tl.constexpr,
    BN: tl.constexpr,
    D: tl.constexpr,
    CAUSAL: tl.constexpr,
):
    i = tl.program_id(0)
    h = tl.program_id(1)
    base = h * S * D
    rm = i * BM + tl.arange(0, BM)
    rd = tl.arange(0, D)
    rn = tl.arange(0, BN)
    Q = tl.load(q + base + rm[:, None] * D + rd[None, :])
    m = tl.full((BM,), -1e30, tl.float32)
    l = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    hi = (i + 1) * BM if CAUSAL else S
    for j in range(0, hi, BN):
        K = tl.load(k + base + (j + rn)[None, :] * D + rd[:, None])
        s = tl.dot(Q, K) * scale
        if CAUSAL:
            s = tl.where(rm[:, None] >= (j + rn)[None, :], s, -1e30)
        mn = tl.maximum(m, tl.max(s, 1))
        p = tl.exp(s - mn[:, None])
        al = tl.exp(m - mn)
        l = l * al + tl.sum(p, 1)
        acc = acc * al[:, None]
        V = tl.load(v + base + (j + rn)[:, None] * D + rd[None, :])
        acc = tl.dot(p.to(v.dtype.element_ty), V, acc)
        m = mn
    tl.store(o + base + rm[:, None] * D + rd[None, :], (acc / l[:, None]).to(o.dtype.element_ty))
    tl.store(lse + h * S + rm, m + tl.log(l))


def att(q, k, v, causal, scale):
    s = wide(q) @ wide(k).swapaxes(-1, -2) * scale
    if causal:
        s = np.where(np.tril(np.ones(s.shape[-2:])) > 0, s, -1e30)
    p = np.exp(s - s.max(-1, keepdims=True))
    l = p.sum(-1, keepdims=True)
    return p / l, (p / l) @ wide(v), s.max(-1) + np.log(l[..., 0])


for dt, nm, ts, tol in ((np.float16, "f16", (75, 80, 90), 3e-3), (BF16, "bf16", (80, 90), 2e-2)):
    for causal in (False, True):
        q, k, v = (normals(2, 64, 32, seed=s, dt=dt) for s in (1, 2, 3))
        p, e, l = att(q, k, v, causal, 0.25)
        build(
            attention,
            {
                "q": q,
                "k": k,
                "v": v,
                "o": np.zeros_like(q),
                "lse": np.zeros((2, 64), F4),
                "S": 64,
                "scale": 0.25,
            },
            {"BM": 32, "BN": 32, "D": 32, "CAUSAL": causal},
            (2, 2),
            {"o": e.astype(dt), "lse": l.astype(F4)},
            {"o": [tol, tol], "lse": [1e-3, 2e-3]},
            name=f"attention_{nm}{'_causal' if causal else ''}",
            targets=ts,
        )
q, k, v = (normals(1, 64, 64, seed=s, dt=np.float16) for s in (1, 2, 3))
p, e, l = att(q, k, v, False, 0.125)
build(
    attention,
    {
        "q": q,
        "k": k,
        "v": v,
        "o": np.zeros_like(q),
        "lse": np.zeros((1, 64), F4),
        "S": 64,
        "scale": 0.125,
    },
    {"BM": 64, "BN": 64, "D": 64, "CAUSAL": False},
    (1, 1),
    {"o": e.astype(np.float16), "lse": l.astype(F4)},
    {"o": [3e-3, 3e-3], "lse": [1e-3, 2e-3]},
    name="attention_f16_64",
    targets=(80, 90),
    stages=3,
)


@triton.jit
def attention_preprocess(o, do, delta, D: tl.constexpr, B: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B)
    d = tl.arange(0, D)
    tl.store(
        delta + r,
        tl.sum(
            tl.load(o + r[:, None] * D + d[None, :]).to(tl.float32)
            * tl.load(do + r[:, None] * D + d[None, :]).to(tl.float32),
            1,
        ),
    )


@triton.jit
def attention_backward(
    q,
    k,
    v,
    do,
    dq,
    dk,
    dv,
    lse,
    delta,
    S,
    scale,
    BM: tl.constexpr,
    BN: tl.constexpr,
    D: tl.constexpr,
):
    j = tl.program_id(0)
    h = tl.program_id(1)
    base = h * S * D
    rn = j * BN + tl.arange(0, BN)
    rd = tl.arange(0, D)
    K = tl.load(k + base + rn[:, None] * D + rd[None, :])
    V = tl.load(v + base + rn[:, None] * D + rd[None, :])
    DK = tl.zeros((BN, D), tl.float32)
    DV = tl.zeros((BN, D), tl.float32)
    for i in range(0, S, BM):
        rm = i + tl.arange(0, BM)
        Q = tl.load(q + base + rm[:, None] * D + rd[None, :])
        DO = tl.load(do + base + rm[:, None] * D + rd[None, :])
        p = tl.exp(tl.dot(Q, tl.trans(K)) * scale - tl.load(lse + h * S + rm)[:, None])
        DV += tl.dot(tl.trans(p.to(tl.float16)), DO)
        dp = tl.dot(DO, tl.trans(V))
        ds = (p * (dp - tl.load(delta + h * S + rm)[:, None]) * scale).to(tl.float16)
        DK += tl.dot(tl.trans(ds), Q)
        tl.atomic_add(dq + base + rm[:, None] * D + rd[None, :], tl.dot(ds, K))
    tl.store(dk + base + rn[:, None] * D + rd[None, :], DK)
    tl.store(dv + base + rn[:, None] * D + rd[None, :], DV)


q, k, v, do = (normals(1, 64, 32, seed=s, dt=np.float16) for s in (1, 2, 3, 4))
p, o, l = att(q, k, v, False, 0.25)
delta = (o.astype(np.float16).astype(float) * wide(do)).sum(-1)
dp = wide(do) @ wide(v).swapaxes(-1, -2)
ds = p * (dp - delta[..., None]) * 0.25
build(
    attention_preprocess,
    {"o": o.astype(np.float16), "do": do, "delta": np.zeros((1, 64), F4)},
    {"D": 32, "B": 32},
    (2,),
    {"delta": delta.astype(F4)},
    {"delta": [1e-4, 1e-4]},
)
build(
    attention_backward,
    {
        "q": q,
        "k": k,
        "v": v,
        "do": do,
        "dq": np.zeros((1, 64, 32), F4),
        "dk": np.zeros((1, 64, 32), F4),
        "dv": np.zeros((1, 64, 32), F4),
        "lse": l.astype(F4),
        "delta": delta.astype(F4),
        "S": 64,
        "scale": 0.25,
    },
    {"BM": 32, "BN": 32, "D": 32},
    (2, 1),
    {
        "dq": (ds @ wide(k)).astype(F4),
        "dk": (ds.swapaxes(-1, -2) @ wide(q)).astype(F4),
        "dv": (p.swapaxes(-1, -2) @ wide(do)).astype(F4),
    },
    {"dq": [5e-3, 5e-3], "dk": [5e-3, 5e-3], "dv": [5e-3, 5e-3]},
)


@triton.jit
def paged_decode(q, kc, vc, table, lens, o, scale, MAXB, D: tl.constexpr, P: tl.constexpr):
    z = tl.program_id(0)
    h = tl.program_id(1)
    H = tl.num_programs(1)
    rd = tl.arange(0, D)
    rp = tl.arange(0, P)
    Q = tl.load(q + (z * H + h) * D + rd).to(tl.float32) * scale
    n = tl.load(lens + z)
    m = -1e30
    l = 0.0
    acc = tl.zeros((D,), tl.float32)
    for b in range(tl.cdiv(n, P)):
        pg = tl.load(table + z * MAXB + b)
        ok = b * P + rp < n
        at = ((pg * P + rp) * H + h)[:, None] * D + rd[None, :]
        K = tl.load(kc + at, mask=ok[:, None], other=0.0).to(tl.float32)
        s = tl.where(ok, tl.sum(K * Q[None, :], 1), -1e30)
        mn = tl.maximum(m, tl.max(s, 0))
        p = tl.exp(s - mn)
        al = tl.exp(m - mn)
        l = l * al + tl.sum(p, 0)
        V = tl.load(vc + at, mask=ok[:, None], other=0.0).to(tl.float32)
        acc = acc * al + tl.sum(p[:, None] * V, 0)
        m = mn
    tl.store(o + (z * H + h) * D + rd, (acc / l).to(tl.float16))


q, kc, vc = (
    normals(3, 2, 32, dt=np.float16),
    normals(8, 16, 2, 32, seed=2, dt=np.float16),
    normals(8, 16, 2, 32, seed=3, dt=np.float16),
)
table = np.array([[3, 1, 0], [5, 0, 0], [7, 2, 6]], np.int32)
lens = np.array([20, 9, 48], np.int32)
e = np.zeros((3, 2, 32))
for z in range(3):
    K = np.concatenate([kc[t] for t in table[z]])[: lens[z]]
    V = np.concatenate([vc[t] for t in table[z]])[: lens[z]]
    for h in range(2):
        s = wide(K[:, h]) @ wide(q[z, h]) * 0.2
        p = np.exp(s - s.max())
        e[z, h] = p @ wide(V[:, h]) / p.sum()
build(
    paged_decode,
    {
        "q": q,
        "kc": kc,
        "vc": vc,
        "table": table,
        "lens": lens,
        "o": np.zeros_like(q),
        "scale": 0.2,
        "MAXB": 3,
    },
    {"D": 32, "P": 16},
    (3, 2),
    {"o": e.astype(np.float16)},
    {"o": [2e-3, 1e-3]},
)


@triton.jit
def decode_gqa(q, k, v, o, S, scale, G: tl.constexpr, D: tl.constexpr, BN: tl.constexpr):
    h = tl.program_id(0)
    rg = tl.arange(0, G)
    rd = tl.arange(0, D)
    rn = tl.arange(0, BN)
    Q = tl.load(q + (h * G + rg)[:, None] * D + rd[None, :])
    m = tl.full((G,), -1e30, tl.float32)
    l = tl.zeros((G,), tl.float32)
    acc = tl.zeros((G, D), tl.float32)
    for j in range(0, S, BN):
        K = tl.load(
            k + (h * S + j + rn)[None, :] * D + rd[:, None], mask=(j + rn < S)[None, :], other=0.0
        )
        s = tl.where((j + rn < S)[None, :], tl.dot(Q, K) * scale, -1e30)
        mn = tl.maximum(m, tl.max(s, 1))
        p = tl.exp(s - mn[:, None])
        al = tl.exp(m - mn)
        l = l * al + tl.sum(p, 1)
        V = tl.load(
            v + (h * S + j + rn)[:, None] * D + rd[None, :], mask=(j + rn < S)[:, None], other=0.0
        )
        acc = tl.dot(p.to(tl.float16), V, acc * al[:, None])
        m = mn
    tl.store(o + (h * G + rg)[:, None] * D + rd[None, :], (acc / l[:, None]).to(tl.float16))


q, k, v = (
    normals(2, 16, 32, dt=np.float16),
    normals(2, 50, 32, seed=2, dt=np.float16),
    normals(2, 50, 32, seed=3, dt=np.float16),
)
s = wide(q) @ wide(k).swapaxes(1, 2) * 0.2
p = np.exp(s - s.max(-1, keepdims=True))
e = p / p.sum(-1, keepdims=True) @ wide(v)
build(
    decode_gqa,
    {"q": q, "k": k, "v": v, "o": np.zeros_like(q), "S": 50, "scale": 0.2},
    {"G": 16, "D": 32, "BN": 32},
    (2,),
    {"o": e.astype(np.float16)},
    {"o": [3e-3, 2e-3]},
)


@triton.jit
def attention_block_sparse(
    q, k, v, blocks, counts, o, S, scale, MAXB, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr
):
    i = tl.program_id(0)
    rm = i * BM + tl.arange(0, BM)
    rd = tl.arange(0, D)
    rn = tl.arange(0, BN)
    Q = tl.load(q + rm[:, None] * D + rd[None, :])
    m = tl.full((BM,), -1e30, tl.float32)
    l = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for t in range(tl.load(counts + i)):
        j = tl.load(blocks + i * MAXB + t) * BN
        s = tl.dot(Q, tl.load(k + (j + rn)[None, :] * D + rd[:, None])) * scale
        mn = tl.maximum(m, tl.max(s, 1))
        p = tl.exp(s - mn[:, None])
        al = tl.exp(m - mn)
        l = l * al + tl.sum(p, 1)
        acc = tl.dot(
            p.to(tl.float16), tl.load(v + (j + rn)[:, None] * D + rd[None, :]), acc * al[:, None]
        )
        m = mn
    tl.store(o + rm[:, None] * D + rd[None, :], (acc / l[:, None]).to(tl.float16))


q, k, v = (normals(64, 32, seed=s, dt=np.float16) for s in (1, 2, 3))
blocks = np.array([[0, 3, 0], [1, 2, 3], [2, 0, 0], [3, 1, 0]], np.int32)
counts = np.array([2, 3, 1, 2], np.int32)
mask = np.zeros((4, 4), bool)
for i in range(4):
    mask[i, blocks[i, : counts[i]]] = True
s = np.where(np.kron(mask, np.ones((16, 16))) > 0, wide(q) @ wide(k).T * 0.2, -np.inf)
p = np.exp(s - s.max(-1, keepdims=True))
e = p / p.sum(-1, keepdims=True) @ wide(v)
build(
    attention_block_sparse,
    {
        "q": q,
        "k": k,
        "v": v,
        "blocks": blocks,
        "counts": counts,
        "o": np.zeros_like(q),
        "S": 64,
        "scale": 0.2,
        "MAXB": 3,
    },
    {"BM": 16, "BN": 16, "D": 32},
    (4,),
    {"o": e.astype(np.float16)},
    {"o": [3e-3, 2e-3]},
    warps=2,
)


@triton.jit
def convolution_implicit(
    x, w, y, H, W, C: tl.constexpr, BM: tl.constexpr, BK: tl.constexpr, BC: tl.constexpr
):
    OW = W - 2
    OH = H - 2
    o = tl.program_id(0) * BM + tl.arange(0, BM)
    i = o // OW
    j = o % OW
    rc = tl.arange(0, BC)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BK), tl.float32)
    ok = o < OH * OW
    for r in range(3):
        for s in range(3):
            acc = tl.dot(
                tl.load(
                    x + ((i + r) * W + j + s)[:, None] * C + rc[None, :],
                    mask=ok[:, None],
                    other=0.0,
                ),
                tl.load(w + ((r * 3 + s) * C + rc)[:, None] * BK + rk[None, :]),
                acc,
            )
    tl.store(y + o[:, None] * BK + rk[None, :], acc.to(tl.float16), mask=ok[:, None])


x, w = normals(10, 10, 16, dt=np.float16), normals(3, 3, 16, 32, seed=2, dt=np.float16)
e = (
    sum(wide(x[r : r + 8, s : s + 8]) @ wide(w[r, s]) for r in range(3) for s in range(3))
    .reshape(64, 32)
    .astype(np.float16)
)
build(
    convolution_implicit,
    {"x": x, "w": w, "y": np.zeros((64, 32), np.float16), "H": 10, "W": 10},
    {"C": 16, "BM": 32, "BK": 32, "BC": 16},
    (2,),
    {"y": e},
    {"y": [1e-3, 1e-2]},
)


@triton.jit
def chunk_state(k, v, g, s, D: tl.constexpr, L: tl.constexpr):
    c = tl.program_id(0)
    r = tl.arange(0, L)
    d = tl.arange(0, D)
    K = tl.load(k + (c * L + r)[None, :] * D + d[:, None])
    V = tl.load(v + (c * L + r)[:, None] * D + d[None, :])
    G = tl.cumsum(tl.load(g + c * L + r), 0)
    last = tl.sum(tl.load(g + c * L + r), 0)
    tl.store(
        s + c * D * D + d[:, None] * D + d[None, :],
        tl.dot((K * tl.exp(last - G)[None, :]).to(tl.float16), V),
    )


k, v, g = (
    normals(2, 32, 32, dt=np.float16),
    normals(2, 32, 32, seed=2, dt=np.float16),
    -rng(3).random((2, 32)).astype(F4) * F4(0.2),
)
G = np.cumsum(g.astype(float), 1)
e = np.stack(
    [
        (wide(k[c]) * np.exp(G[c, -1] - G[c])[:, None]).astype(np.float16).astype(float).T
        @ wide(v[c])
        for c in (0, 1)
    ]
)
build(
    chunk_state,
    {"k": k, "v": v, "g": g, "s": np.zeros((2, 32, 32), F4)},
    {"D": 32, "L": 32},
    (2,),
    {"s": e.astype(F4)},
    {"s": [2e-3, 1e-2]},
)


@triton.jit
def matmul_scaled_fp8(a, b, sa, sb, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.arange(0, BM)
    rn = tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        acc += (
            tl.dot(
                tl.load(a + rm[:, None] * K + k + rk[None, :]),
                tl.load(b + rn[None, :] * K + (k + rk)[:, None]),
            )
            * tl.load(sa + rm)[:, None]
            * tl.load(sb + rn)[None, :]
        )
    tl.store(c + rm[:, None] * BN + rn[None, :], acc.to(tl.bfloat16))


a, b, sa, sb = (
    normals(64, 64, dt=E4M3),
    normals(64, 64, seed=2, dt=E4M3),
    rng(3).random(64).astype(F4),
    rng(4).random(64).astype(F4),
)
build(
    matmul_scaled_fp8,
    {"a": a, "b": b, "sa": sa, "sb": sb, "c": np.zeros((64, 64), BF16), "K": 64},
    {"BM": 64, "BN": 64, "BK": 32},
    (1,),
    {"c": (wide(a) @ wide(b).T * sa[:, None] * sb).astype(BF16)},
    {"c": [2e-2, 5e-2]},
    targets=(90,),
)


@triton.jit
def matmul_transposed(a, b, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.arange(0, BM)
    rn = tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(
            tl.load(a + (k + rk)[None, :] * BM + rm[:, None]),
            tl.load(b + rn[None, :] * K + (k + rk)[:, None]),
            acc,
        )
    tl.store(c + rm[:, None] * BN + rn[None, :], acc)


a, b = normals(64, 64, dt=np.float16), normals(64, 64, seed=2, dt=np.float16)
build(
    matmul_transposed,
    {"a": a, "b": b, "c": np.zeros((64, 64), F4), "K": 64},
    {"BM": 64, "BN": 64, "BK": 32},
    (1,),
    {"c": (wide(a).T @ wide(b).T).astype(F4)},
    {"c": [1e-4, 5e-4]},
)


@triton.jit
def mlp_fused(x, w1, w2, y, H, BM: tl.constexpr, D: tl.constexpr, BH: tl.constexpr):
    rm = tl.arange(0, BM)
    rd = tl.arange(0, D)
    rh = tl.arange(0, BH)
    X = tl.load(x + rm[:, None] * D + rd[None, :])
    acc = tl.zeros((BM, D), tl.float32)
    for h in range(0, H, BH):
        t = tl.dot(X, tl.load(w1 + rd[:, None] * H + h + rh[None, :]))
        t = tl.maximum(t, 0.0).to(tl.float16)
        acc = tl.dot(t, tl.load(w2 + (h + rh)[:, None] * D + rd[None, :]), acc)
    tl.store(y + rm[:, None] * D + rd[None, :], acc.to(tl.float16))


x, w1, w2 = (
    normals(32, 32, dt=np.float16),
    normals(32, 64, seed=2, dt=np.float16),
    normals(64, 32, seed=3, dt=np.float16),
)
t = np.maximum(wide(x) @ wide(w1), 0).astype(np.float16)
e = (wide(t) @ wide(w2)).astype(np.float16)
build(
    mlp_fused,
    {"x": x, "w1": w1, "w2": w2, "y": np.zeros((32, 32), np.float16), "H": 64},
    {"BM": 32, "D": 32, "BH": 32},
    (1,),
    {"y": e},
    {"y": [3e-3, 0.2]},
)
