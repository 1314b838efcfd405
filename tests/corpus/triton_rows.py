"""Triton: elementwise, rows, reductions, scans, sorts, gathers."""

import math

import numpy as np
import triton
import triton.language as tl

from tests.corpus.keeping import BF16, E4M3, E5M2, F4, normals, rng
from tests.corpus.of_triton import build


@triton.jit
def vector_add(x, y, z, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    m = o < n
    tl.store(z + o, tl.load(x + o, mask=m) + tl.load(y + o, mask=m), mask=m)


x, y = normals(1000), normals(1000, seed=2)
build(
    vector_add, {"x": x, "y": y, "z": np.zeros_like(x), "n": 1000}, {"B": 256}, (4,), {"z": x + y}
)


@triton.jit
def softmax(x, y, n, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    o = tl.arange(0, BLOCK)
    m = o < n
    v = tl.load(x + r * n + o, mask=m, other=-float("inf"))
    v = tl.exp(v - tl.max(v, 0))
    tl.store(y + r * n + o, v / tl.sum(v, 0), mask=m)


x = normals(8, 300)
e = np.exp(x.astype(float) - x.max(1, keepdims=True))
e /= e.sum(1, keepdims=True)
build(
    softmax,
    {"x": x, "y": np.zeros_like(x), "n": 300},
    {"BLOCK": 512},
    (8,),
    {"y": e.astype(F4)},
    {"y": [2e-6, 1e-9]},
)


@triton.jit
def softmax_online(x, y, n, B: tl.constexpr):
    r = tl.program_id(0)
    o = tl.arange(0, B)
    m = tl.full((B,), -float("inf"), tl.float32)
    s = tl.zeros((B,), tl.float32)
    for k in range(0, n, B):
        v = tl.load(x + r * n + k + o, mask=k + o < n, other=-float("inf"))
        w = tl.maximum(m, v)
        s = s * tl.exp(m - w) + tl.exp(v - w)
        m = w
    M = tl.max(m, 0)
    S = tl.sum(s * tl.exp(m - M), 0)
    for k in range(0, n, B):
        v = tl.load(x + r * n + k + o, mask=k + o < n)
        tl.store(y + r * n + k + o, tl.exp(v - M) / S, mask=k + o < n)


build(
    softmax_online,
    {"x": x, "y": np.zeros_like(x), "n": 300},
    {"B": 128},
    (8,),
    {"y": e.astype(F4)},
    {"y": [2e-6, 1e-9]},
)


@triton.jit
def layer_norm(x, w, b, y, mean, rstd, n, eps, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    o = tl.arange(0, BLOCK)
    m = o < n
    v = tl.load(x + r * n + o, mask=m, other=0.0)
    mu = tl.sum(v, 0) / n
    d = tl.where(m, v - mu, 0.0)
    s = tl.rsqrt(tl.sum(d * d, 0) / n + eps)
    tl.store(y + r * n + o, d * s * tl.load(w + o, mask=m) + tl.load(b + o, mask=m), mask=m)
    tl.store(mean + r, mu)
    tl.store(rstd + r, s)


x, w, b = normals(8, 200), normals(200, seed=2), normals(200, seed=3)
mu = x.mean(1)
sd = 1 / np.sqrt(x.astype(float).var(1) + 1e-5)
build(
    layer_norm,
    {
        "x": x,
        "w": w,
        "b": b,
        "y": np.zeros_like(x),
        "mean": np.zeros(8, F4),
        "rstd": np.zeros(8, F4),
        "n": 200,
        "eps": 1e-5,
    },
    {"BLOCK": 256},
    (8,),
    {"y": ((x - mu[:, None]) * sd[:, None] * w + b).astype(F4), "mean": mu, "rstd": sd.astype(F4)},
    {"y": [1e-5, 3e-6], "mean": [1e-5, 1e-7], "rstd": [1e-5, 0]},
)


@triton.jit
def layer_norm_backward(x, w, dy, dx, dw, db, mean, rstd, n, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    o = tl.arange(0, BLOCK)
    m = o < n
    v = tl.load(x + r * n + o, mask=m, other=0.0)
    g = tl.load(dy + r * n + o, mask=m, other=0.0)
    wt = tl.load(w + o, mask=m, other=0.0)
    mu = tl.load(mean + r)
    s = tl.load(rstd + r)
    h = tl.where(m, (v - mu) * s, 0.0)
    wg = wt * g
    c1 = tl.sum(h * wg, 0) / n
    c2 = tl.sum(wg, 0) / n
    tl.store(dx + r * n + o, (wg - (h * c1 + c2)) * s, mask=m)
    tl.atomic_add(dw + o, g * h, mask=m)
    tl.atomic_add(db + o, g, mask=m)


g = normals(8, 200, seed=5)
h = (x - mu[:, None]) * sd[:, None]
wg = w * g
dx = (wg - (h * (h * wg).mean(1, keepdims=True) + wg.mean(1, keepdims=True))) * sd[:, None]
build(
    layer_norm_backward,
    {
        "x": x,
        "w": w,
        "dy": g,
        "dx": np.zeros_like(x),
        "dw": np.zeros(200, F4),
        "db": np.zeros(200, F4),
        "mean": mu,
        "rstd": sd.astype(F4),
        "n": 200,
    },
    {"BLOCK": 256},
    (8,),
    {"dx": dx.astype(F4), "dw": (g * h).sum(0).astype(F4), "db": g.sum(0)},
    {"dx": [1e-4, 1e-5], "dw": [1e-4, 1e-5], "db": [1e-5, 1e-5]},
)


@triton.jit
def rms_norm_f16(x, w, y, n, eps, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    o = tl.arange(0, BLOCK)
    m = o < n
    v = tl.load(x + r * n + o, mask=m, other=0.0).to(tl.float32)
    s = 1 / tl.sqrt(tl.sum(v * v, 0) / n + eps)
    tl.store(y + r * n + o, (v * s).to(tl.float16) * tl.load(w + o, mask=m), mask=m)


x, w = normals(4, 256).astype(np.float16), normals(256, seed=4).astype(np.float16)
v = x.astype(F4)
q = (v / np.sqrt((v * v).mean(1, keepdims=True) + F4(1e-6))).astype(np.float16) * w
build(
    rms_norm_f16,
    {"x": x, "w": w, "y": np.zeros_like(x), "n": 256, "eps": 1e-6},
    {"BLOCK": 256},
    (4,),
    {"y": q},
    {"y": [2e-3, 1e-6]},
)


@triton.jit
def rms_norm_bf16(x, w, y, n, eps, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    o = tl.arange(0, BLOCK)
    m = o < n
    v = tl.load(x + r * n + o, mask=m, other=0.0).to(tl.float32)
    s = tl.rsqrt(tl.sum(v * v, 0) / n + eps)
    tl.store(y + r * n + o, (v * s * tl.load(w + o, mask=m).to(tl.float32)).to(tl.bfloat16), mask=m)


x, w = normals(4, 256).astype(BF16), normals(256, seed=4).astype(BF16)
v = x.astype(F4)
q = (v / np.sqrt((v * v).mean(1, keepdims=True) + F4(1e-6)) * w.astype(F4)).astype(BF16)
build(
    rms_norm_bf16,
    {"x": x, "w": w, "y": np.zeros_like(x), "n": 256, "eps": 1e-6},
    {"BLOCK": 256},
    (4,),
    {"y": q},
    {"y": [8e-3, 1e-6]},
)


@triton.jit
def gelu(x, y, n, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = o < n
    v = tl.load(x + o, mask=m)
    tl.store(y + o, 0.5 * v * (1 + tl.erf(v * 0.7071067811865476)), mask=m)


x = normals(1000) * 2
e = np.array([0.5 * t * (1 + math.erf(t * 0.7071067811865476)) for t in x.astype(float)], F4)
build(
    gelu,
    {"x": x, "y": np.zeros_like(x), "n": 1000},
    {"BLOCK": 256},
    (4,),
    {"y": e},
    {"y": [1e-5, 1e-6]},
)


@triton.jit
def gelu_tanh_f16(x, y, n, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = o < n
    v = tl.load(x + o, mask=m).to(tl.float32)
    u = 0.7978845608 * (v + 0.044715 * v * v * v)
    t = 1 - 2 / (tl.exp(2 * u) + 1)
    tl.store(y + o, (0.5 * v * (1 + t)).to(tl.float16), mask=m)


x = (normals(500) * 2).astype(np.float16)
v = x.astype(float)
e = (0.5 * v * (1 + np.tanh(0.7978845608 * (v + 0.044715 * v**3)))).astype(np.float16)
build(
    gelu_tanh_f16,
    {"x": x, "y": np.zeros_like(x), "n": 500},
    {"BLOCK": 256},
    (2,),
    {"y": e},
    {"y": [2e-3, 3e-4]},
)


@triton.jit
def swiglu_bf16(x, g, y, n, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = o < n
    v = tl.load(x + o, mask=m).to(tl.float32)
    k = tl.load(g + o, mask=m)
    tl.store(y + o, (v * tl.sigmoid(v)).to(tl.bfloat16) * k, mask=m)


x, g = normals(512).astype(BF16), normals(512, seed=2).astype(BF16)
v = x.astype(float)
e = (v / (1 + np.exp(-v))).astype(BF16) * g
build(
    swiglu_bf16,
    {"x": x, "g": g, "y": np.zeros_like(x), "n": 512},
    {"BLOCK": 256},
    (2,),
    {"y": e},
    {"y": [8e-3, 1e-6]},
)


@triton.jit
def dropout(x, y, n, p, seed, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = o < n
    v = tl.load(x + o, mask=m)
    r = tl.rand(seed, o)
    tl.store(y + o, tl.where(r > p, v / (1 - p), 0.0), mask=m)


def philox(seed, o, rounds=10):
    M = 0xFFFFFFFF
    c = [
        o.astype(np.uint64),
        np.zeros_like(o, np.uint64),
        np.zeros_like(o, np.uint64),
        np.zeros_like(o, np.uint64),
    ]
    k0, k1 = seed & M, (seed >> 32) & M
    for _ in range(rounds):
        a, b = np.uint64(0xD2511F53) * c[0], np.uint64(0xCD9E8D57) * c[2]
        c = [
            (b >> np.uint64(32)) ^ c[1] ^ np.uint64(k0),
            b & np.uint64(M),
            (a >> np.uint64(32)) ^ c[3] ^ np.uint64(k1),
            a & np.uint64(M),
        ]
        k0, k1 = (k0 + 0x9E3779B9) & M, (k1 + 0xBB67AE85) & M
    return c


def uniform(u):
    s = u.astype(np.uint32).view(np.int32).astype(np.int64)
    s = np.where(s < 0, -s - 1, s)
    return (s.astype(F4) * F4(4.6566127342e-10)).astype(F4)


x = normals(1000)
r = uniform(philox(123, np.arange(1000))[0])
e = np.where(r > F4(0.25), x / F4(0.75), 0).astype(F4)
build(
    dropout,
    {"x": x, "y": np.zeros_like(x), "n": 1000, "p": 0.25, "seed": 123},
    {"BLOCK": 256},
    (4,),
    {"y": e},
    {"y": [1e-6, 0]},
)


@triton.jit
def normal(y, n, seed, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + o, tl.randn(seed, o), mask=o < n)


c = philox(7, np.arange(512))
u1, u2 = np.maximum(1e-7, uniform(c[0]).astype(float)), uniform(c[1]).astype(float)
e = np.sqrt(-2 * np.log(u1)) * np.cos(6.283185307179586 * u2)
build(
    normal,
    {"y": np.zeros(512, F4), "n": 512, "seed": 7},
    {"BLOCK": 256},
    (2,),
    {"y": e.astype(F4)},
    {"y": [1e-4, 1e-4]},
)


@triton.jit
def cross_entropy(x, label, loss, lse, n, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    o = tl.arange(0, BLOCK)
    m = o < n
    v = tl.load(x + r * n + o, mask=m, other=-float("inf"))
    M = tl.max(v, 0)
    s = tl.log(tl.sum(tl.exp(v - M), 0)) + M
    tl.store(lse + r, s)
    tl.store(loss + r, s - tl.load(x + r * n + tl.load(label + r)))


x, l = normals(8, 200), rng(3).integers(0, 200, 8).astype(np.int64)
s = np.log(np.exp(x.astype(float)).sum(1))
build(
    cross_entropy,
    {"x": x, "label": l, "loss": np.zeros(8, F4), "lse": np.zeros(8, F4), "n": 200},
    {"BLOCK": 256},
    (8,),
    {"loss": (s - x[np.arange(8), l]).astype(F4), "lse": s.astype(F4)},
    {"loss": [1e-5, 1e-5], "lse": [1e-5, 1e-6]},
)


@triton.jit
def cross_entropy_backward(x, label, lse, dx, n, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    o = tl.arange(0, BLOCK)
    m = o < n
    v = tl.load(x + r * n + o, mask=m, other=-float("inf"))
    p = tl.exp(v - tl.load(lse + r))
    tl.store(dx + r * n + o, tl.where(o == tl.load(label + r), p - 1.0, p), mask=m)


p = np.exp(x - s[:, None])
p[np.arange(8), l] -= 1
build(
    cross_entropy_backward,
    {"x": x, "label": l, "lse": s.astype(F4), "dx": np.zeros_like(x), "n": 200},
    {"BLOCK": 256},
    (8,),
    {"dx": p.astype(F4)},
    {"dx": [1e-5, 1e-6]},
)


@triton.jit
def rotary(q, cos, sin, y, H, D: tl.constexpr):
    t = tl.program_id(0)
    h = tl.program_id(1)
    o = tl.arange(0, D // 2)
    b = (t * H + h) * D
    c = tl.load(cos + t * (D // 2) + o)
    s = tl.load(sin + t * (D // 2) + o)
    u = tl.load(q + b + o).to(tl.float32)
    v = tl.load(q + b + D // 2 + o).to(tl.float32)
    tl.store(y + b + o, (u * c - v * s).to(tl.float16))
    tl.store(y + b + D // 2 + o, (v * c + u * s).to(tl.float16))


q = normals(8, 4, 64).astype(np.float16)
th = np.outer(np.arange(8), 10000 ** (-np.arange(32) / 32.0))
c, s = np.cos(th).astype(F4), np.sin(th).astype(F4)
u, v = q[..., :32].astype(F4), q[..., 32:].astype(F4)
e = np.concatenate([u * c[:, None] - v * s[:, None], v * c[:, None] + u * s[:, None]], -1).astype(
    np.float16
)
build(
    rotary,
    {"q": q, "cos": c, "sin": s, "y": np.zeros_like(q), "H": 4},
    {"D": 64},
    (8, 4),
    {"y": e},
    {"y": [1e-3, 2e-4]},
    warps=1,
)


@triton.jit
def argmax_rows(x, y, v, n, B: tl.constexpr):
    r = tl.program_id(0)
    o = tl.arange(0, B)
    a = tl.load(x + r * n + o, mask=o < n, other=-float("inf"))
    m, i = tl.max(a, 0, return_indices=True)
    tl.store(y + r, i)
    tl.store(v + r, m)


x = normals(8, 250)
build(
    argmax_rows,
    {"x": x, "y": np.zeros(8, np.int32), "v": np.zeros(8, F4), "n": 250},
    {"B": 256},
    (8,),
    {"y": x.argmax(1).astype(np.int32), "v": x.max(1)},
)


@triton.jit
def sum_columns(x, y, M, N, BM: tl.constexpr, BN: tl.constexpr):
    c = tl.program_id(0) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for i in range(0, M, BM):
        r = i + tl.arange(0, BM)
        acc += tl.load(
            x + r[:, None] * N + c[None, :], mask=(r < M)[:, None] & (c < N)[None, :], other=0.0
        )
    tl.store(y + c, tl.sum(acc, 0), mask=c < N)


x = normals(100, 70)
build(
    sum_columns,
    {"x": x, "y": np.zeros(70, F4), "M": 100, "N": 70},
    {"BM": 32, "BN": 32},
    (3,),
    {"y": x.sum(0)},
    {"y": [1e-5, 1e-5]},
)


@triton.jit
def prefix_sum(x, y, n, B: tl.constexpr):
    r = tl.program_id(0)
    o = tl.arange(0, B)
    m = o < n
    tl.store(y + r * n + o, tl.cumsum(tl.load(x + r * n + o, mask=m, other=0), 0), mask=m)


x = rng(1).integers(-100, 100, (4, 500)).astype(np.int32)
build(
    prefix_sum,
    {"x": x, "y": np.zeros_like(x), "n": 500},
    {"B": 512},
    (4,),
    {"y": x.cumsum(1).astype(np.int32)},
)


@triton.jit
def _combine(a, x, b, y):
    return a * b, x * b + y


@triton.jit
def linear_recurrence(a, x, y, n, B: tl.constexpr):
    r = tl.program_id(0)
    o = tl.arange(0, B)
    _, h = tl.associative_scan((tl.load(a + r * n + o), tl.load(x + r * n + o)), 0, _combine)
    tl.store(y + r * n + o, h)


a, x = rng(1).random((4, 256)).astype(F4), normals(4, 256)
h = np.zeros_like(x)
s = np.zeros(4)
for i in range(256):
    s = a[:, i] * s + x[:, i]
    h[:, i] = s
build(
    linear_recurrence,
    {"a": a, "x": x, "y": np.zeros_like(x), "n": 256},
    {"B": 256},
    (4,),
    {"y": h},
    {"y": [1e-4, 1e-5]},
)


@triton.jit
def sort_rows(x, y, B: tl.constexpr):
    r = tl.program_id(0)
    o = tl.arange(0, B)
    tl.store(y + r * B + o, tl.sort(tl.load(x + r * B + o)))


x = normals(4, 128)
build(sort_rows, {"x": x, "y": np.zeros_like(x)}, {"B": 128}, (4,), {"y": np.sort(x, 1)})


@triton.jit
def top_k(x, y, n, B: tl.constexpr, K: tl.constexpr):
    r = tl.program_id(0)
    o = tl.arange(0, B)
    v = tl.load(x + r * n + o, mask=o < n, other=-float("inf"))
    tl.store(y + r * K + tl.arange(0, K), tl.topk(v, K))


x = normals(4, 200)
e = -np.sort(-x, 1)[:, :8]
build(top_k, {"x": x, "y": np.zeros((4, 8), F4), "n": 200}, {"B": 256, "K": 8}, (4,), {"y": e})


@triton.jit
def top_k_pairs(x, y, j, n, B: tl.constexpr, K: tl.constexpr):
    r = tl.program_id(0)
    o = tl.arange(0, B)
    v = tl.load(x + r * n + o, mask=o < n, other=-float("inf")).to(tl.float16)
    b = v.to(tl.uint16, bitcast=True)
    k = tl.where(b & 0x8000 != 0, ~b, b | 0x8000).to(tl.uint32)
    t = tl.topk((k << 16) | (0xFFFF - o).to(tl.uint32), K)
    i = (0xFFFF - (t & 0xFFFF)).to(tl.int32)
    tl.store(j + r * K + tl.arange(0, K), i)
    tl.store(y + r * K + tl.arange(0, K), tl.load(x + r * n + i))


x = normals(4, 200).astype(np.float16)
i = np.argsort(-x, 1, kind="stable")[:, :4].astype(np.int32)
build(
    top_k_pairs,
    {"x": x, "y": np.zeros((4, 4), np.float16), "j": np.zeros((4, 4), np.int32), "n": 200},
    {"B": 256, "K": 4},
    (4,),
    {"y": np.take_along_axis(x, i, 1), "j": i},
)


@triton.jit
def histogram(x, y, n, B: tl.constexpr, K: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    h = tl.histogram(tl.load(x + o), K)
    tl.atomic_add(y + tl.arange(0, K), h)


x = rng(1).integers(0, 32, 1024).astype(np.int32)
build(
    histogram,
    {"x": x, "y": np.zeros(32, np.int32), "n": 1024},
    {"B": 256, "K": 32},
    (4,),
    {"y": np.bincount(x, minlength=32).astype(np.int32)},
)


@triton.jit
def compact(x, y, count, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    m = o < n
    v = tl.load(x + o, mask=m, other=0)
    keep = (v > 0) & m
    k = keep.to(tl.int32)
    p = tl.cumsum(k, 0) - k
    base = tl.atomic_add(count, tl.sum(k, 0))
    tl.store(y + base + p, v, mask=keep)


x = rng(1).integers(-50, 50, 256).astype(np.int32)
k = x[x > 0]
e = np.zeros(256, np.int32)
e[: len(k)] = k
build(
    compact,
    {"x": x, "y": np.zeros(256, np.int32), "count": np.zeros(1, np.int32), "n": 256},
    {"B": 256},
    (1,),
    {"y": e, "count": np.array([len(k)], np.int32)},
)


@triton.jit
def radix_step(x, y, shift, B: tl.constexpr, BITS: tl.constexpr):
    o = tl.arange(0, B)
    v = tl.load(x + o)
    for s in tl.static_range(0, 8, 1):
        b = ((v >> s) & 1).to(tl.int32)
        z = tl.cumsum(1 - b, 0)
        total = tl.sum(1 - b, 0)
        p = tl.where(b == 0, z - 1, total + tl.cumsum(b, 0) - 1)
        tl.store(y + p, v)
        tl.debug_barrier()
        v = tl.load(y + o)
        tl.debug_barrier()


x = rng(1).integers(0, 256, 256).astype(np.uint32)
build(
    radix_step,
    {"x": x, "y": np.zeros_like(x), "shift": 0},
    {"B": 256, "BITS": 8},
    (1,),
    {"y": np.sort(x)},
)


@triton.jit
def embedding(w, ids, y, D: tl.constexpr):
    t = tl.program_id(0)
    o = tl.arange(0, D)
    tl.store(y + t * D + o, tl.load(w + tl.load(ids + t).to(tl.int64) * D + o))


w, i = normals(50, 64).astype(np.float16), rng(2).integers(0, 50, 16).astype(np.int64)
build(
    embedding,
    {"w": w, "ids": i, "y": np.zeros((16, 64), np.float16)},
    {"D": 64},
    (16,),
    {"y": w[i]},
    warps=1,
)


@triton.jit
def embedding_backward(dy, ids, dw, D: tl.constexpr):
    t = tl.program_id(0)
    o = tl.arange(0, D)
    tl.atomic_add(dw + tl.load(ids + t) * D + o, tl.load(dy + t * D + o))


g = normals(16, 64)
e = np.zeros((50, 64), F4)
np.add.at(e, i, g)
build(
    embedding_backward,
    {"dy": g, "ids": i, "dw": np.zeros((50, 64), F4)},
    {"D": 64},
    (16,),
    {"dw": e},
    {"dw": [1e-6, 1e-6]},
    warps=2,
)


@triton.jit
def scatter_max(x, ids, y, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    m = o < n
    tl.atomic_max(y + tl.load(ids + o, mask=m), tl.load(x + o, mask=m), mask=m)


x = rng(1).integers(-1000, 1000, 500).astype(np.int32)
i = rng(2).integers(0, 20, 500).astype(np.int32)
e = np.full(20, -(2**31), np.int32)
np.maximum.at(e, i, x)
build(
    scatter_max,
    {"x": x, "ids": i, "y": np.full(20, -(2**31), np.int32), "n": 500},
    {"B": 128},
    (4,),
    {"y": e},
)


@triton.jit
def scatter_max_f32(x, ids, y, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    m = o < n
    tl.atomic_max(y + tl.load(ids + o, mask=m), tl.load(x + o, mask=m), mask=m)


x = normals(500)
e = np.full(20, -np.inf, F4)
np.maximum.at(e, i, x)
build(
    scatter_max_f32,
    {"x": x, "ids": i, "y": np.full(20, -np.inf, F4), "n": 500},
    {"B": 128},
    (4,),
    {"y": e},
)


@triton.jit
def add_half_atomics(x, y, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    tl.atomic_add(y + (o % 32), tl.load(x + o))


x = rng(1).integers(-8, 8, 512).astype(np.float16)
e = x.reshape(-1, 32).sum(0, dtype=np.float32).astype(np.float16)
build(
    add_half_atomics, {"x": x, "y": np.zeros(32, np.float16), "n": 512}, {"B": 128}, (4,), {"y": e}
)
xb = x.astype(BF16)
build(
    add_half_atomics,
    {"x": xb, "y": np.zeros(32, BF16), "n": 512},
    {"B": 128},
    (4,),
    {"y": e.astype(BF16)},
    name="add_bf16_atomics",
    targets=(90,),
)


@triton.jit
def spin_lock(x, lock, y, B: tl.constexpr):
    o = tl.arange(0, B)
    v = tl.load(x + tl.program_id(0) * B + o)
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(y + o, tl.load(y + o) + v)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


x = rng(1).integers(-8, 8, (4, 64)).astype(F4)
build(
    spin_lock,
    {"x": x, "lock": np.zeros(1, np.int32), "y": np.zeros(64, F4)},
    {"B": 64},
    (4,),
    {"y": x.sum(0)},
    warps=2,
)


@triton.jit
def transpose(x, y, M, N, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    j = tl.program_id(1) * B + tl.arange(0, B)
    v = tl.load(x + i[:, None] * N + j[None, :])
    tl.store(y + j[:, None] * M + i[None, :], tl.trans(v))


x = normals(64, 96)
build(
    transpose,
    {"x": x, "y": np.zeros((96, 64), F4), "M": 64, "N": 96},
    {"B": 32},
    (2, 3),
    {"y": x.T.copy()},
)
x = normals(64, 96).astype(np.float16)
build(
    transpose,
    {"x": x, "y": np.zeros((96, 64), np.float16), "M": 64, "N": 96},
    {"B": 32},
    (2, 3),
    {"y": x.T.copy()},
    name="transpose_f16",
)


@triton.jit
def quantize_int8(x, q, s, n, B: tl.constexpr):
    r = tl.program_id(0)
    o = tl.arange(0, B)
    v = tl.load(x + r * n + o)
    a = tl.max(tl.abs(v), 0) / 127.0
    tl.store(s + r, a)
    t = v / a
    tl.store(q + r * n + o, tl.where(t >= 0, t + 0.5, t - 0.5).to(tl.int8))


x = normals(4, 256)
a = (np.abs(x).max(1) / F4(127)).astype(F4)
t = (x / a[:, None]).astype(F4)
q = np.where(t >= 0, t + F4(0.5), t - F4(0.5)).astype(np.int8)
build(
    quantize_int8,
    {"x": x, "q": np.zeros((4, 256), np.int8), "s": np.zeros(4, F4), "n": 256},
    {"B": 256},
    (4,),
    {"q": q, "s": a},
    {"q": [0, 1.1], "s": [1e-6, 0]},
)


@triton.jit
def dequantize_int4(p, s, z, y, B: tl.constexpr):
    r = tl.program_id(0)
    o = tl.arange(0, B)
    b = tl.load(p + r * B + o)
    lo = (b & 15).to(tl.float32)
    hi = (b >> 4).to(tl.float32)
    k = tl.load(s + r)
    zz = tl.load(z + r)
    tl.store(
        y + r * 2 * B + tl.arange(0, 2 * B),
        tl.interleave(((lo - zz) * k).to(tl.float16), ((hi - zz) * k).to(tl.float16)),
    )


p = rng(1).integers(0, 256, (4, 64)).astype(np.uint8)
s = rng(2).random(4).astype(F4)
z = np.full(4, 8, F4)
e = np.stack([(p & 15).astype(F4), (p >> 4).astype(F4)], -1).reshape(4, 128)
e = ((e - 8) * s[:, None]).astype(np.float16)
build(
    dequantize_int4,
    {"p": p, "s": s, "z": z, "y": np.zeros((4, 128), np.float16)},
    {"B": 64},
    (4,),
    {"y": e},
    {"y": [1e-3, 1e-6]},
    warps=2,
)


@triton.jit
def quantize_fp8(x, q, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(q + o, tl.load(x + o).to(tl.float8e4nv))


x = normals(512) * 10
build(
    quantize_fp8,
    {"x": x, "q": np.zeros(512, E4M3), "n": 512},
    {"B": 256},
    (2,),
    {"q": x.astype(E4M3)},
    targets=(90,),
)


@triton.jit
def quantize_e5m2(x, q, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(q + o, tl.load(x + o).to(tl.float8e5))


build(
    quantize_e5m2,
    {"x": x, "q": np.zeros(512, E5M2), "n": 512},
    {"B": 256},
    (2,),
    {"q": x.astype(E5M2)},
    targets=(80, 90),
)


@triton.jit
def dequantize_fp8(q, y, s, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + o, tl.load(q + o).to(tl.float32) * s)


q = x.astype(E4M3)
build(
    dequantize_fp8,
    {"q": q, "y": np.zeros(512, F4), "s": 0.5},
    {"B": 256},
    (2,),
    {"y": q.astype(F4) * F4(0.5)},
    targets=(90,),
)


@triton.jit
def black_scholes(S, K, T, call, put, n, r, v, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    m = o < n
    s = tl.load(S + o, mask=m, other=1.0)
    k = tl.load(K + o, mask=m, other=1.0)
    t = tl.load(T + o, mask=m, other=1.0)
    q = tl.sqrt(t)
    d1 = (tl.log(s / k) + (r + 0.5 * v * v) * t) / (v * q)
    d2 = d1 - v * q
    c1 = 0.5 * (1 + tl.erf(d1 * 0.70710678))
    c2 = 0.5 * (1 + tl.erf(d2 * 0.70710678))
    e = k * tl.exp(-r * t)
    c = s * c1 - e * c2
    tl.store(call + o, c, mask=m)
    tl.store(put + o, c - s + e, mask=m)


S, K, T = (
    rng(i).uniform(a, b, 500).astype(F4) for i, a, b in ((1, 5, 30), (2, 1, 100), (3, 0.25, 10))
)
P = np.vectorize(lambda t: 0.5 * (1 + math.erf(t * 0.70710678)))
S8, K8, T8 = (a.astype(float) for a in (S, K, T))
d1 = (np.log(S8 / K8) + (0.02 + 0.5 * 0.09) * T8) / (0.3 * np.sqrt(T8))
d2 = d1 - 0.3 * np.sqrt(T8)
E = K8 * np.exp(-0.02 * T8)
C = S8 * P(d1) - E * P(d2)
build(
    black_scholes,
    {
        "S": S,
        "K": K,
        "T": T,
        "call": np.zeros(500, F4),
        "put": np.zeros(500, F4),
        "n": 500,
        "r": 0.02,
        "v": 0.3,
    },
    {"B": 256},
    (2,),
    {"call": C.astype(F4), "put": (C - S8 + E).astype(F4)},
    {"call": [1e-4, 2e-4], "put": [1e-4, 2e-4]},
)


@triton.jit
def mandelbrot(y, W, H, ITERS: tl.constexpr, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    cx = (o % W).to(tl.float32) * (3.0 / 32) - 2.0
    cy = (o // W).to(tl.float32) * (2.0 / 32) - 1.0
    x = tl.zeros((B,), tl.float32)
    yy = tl.zeros((B,), tl.float32)
    n = tl.zeros((B,), tl.int32)
    for _ in range(ITERS):
        go = x * x + yy * yy <= 4.0
        t = x * x - yy * yy + cx
        yy = tl.where(go, 2 * x * yy + cy, yy)
        x = tl.where(go, t, x)
        n += go.to(tl.int32)
    tl.store(y + o, n)


o = np.arange(1024)
cx = (o % 32).astype(float) * 3 / 32 - 2
cy = (o // 32) * 2.0 / 32 - 1
X = np.zeros(1024)
Y = np.zeros(1024)
n = np.zeros(1024, np.int32)
for _ in range(20):
    go = X * X + Y * Y <= 4
    t = X * X - Y * Y + cx
    Y = np.where(go, 2 * X * Y + cy, Y)
    X = np.where(go, t, X)
    n += go
build(
    mandelbrot,
    {"y": np.zeros(1024, np.int32), "W": 32, "H": 32},
    {"ITERS": 20, "B": 256},
    (4,),
    {"y": n},
    {"y": [0, 1.5]},
)


@triton.jit
def heat_step(u, v, W, H, k, B: tl.constexpr):
    i = tl.program_id(0)
    j = tl.arange(0, B)
    m = (j > 0) & (j < W - 1) & (i > 0) & (i < H - 1)
    p = u + i * W + j
    c = tl.load(p, mask=j < W)
    s = (
        tl.load(p - 1, mask=m, other=0.0)
        + tl.load(p + 1, mask=m, other=0.0)
        + tl.load(p - W, mask=m, other=0.0)
        + tl.load(p + W, mask=m, other=0.0)
    )
    tl.store(v + i * W + j, tl.where(m, c + k * (s - 4 * c), c), mask=j < W)


u = normals(20, 50)
e = u.copy()
e[1:-1, 1:-1] += F4(0.1) * (
    u[1:-1, :-2] + u[1:-1, 2:] + u[:-2, 1:-1] + u[2:, 1:-1] - 4 * u[1:-1, 1:-1]
)
build(
    heat_step,
    {"u": u, "v": np.zeros_like(u), "W": 50, "H": 20, "k": 0.1},
    {"B": 64},
    (20,),
    {"v": e},
    {"v": [1e-5, 1e-6]},
    warps=2,
)


@triton.jit
def convolution(x, w, y, H, W, C: tl.constexpr, K: tl.constexpr, R: tl.constexpr, B: tl.constexpr):
    k = tl.program_id(0)
    o = tl.program_id(1) * B + tl.arange(0, B)
    OW = W - R + 1
    OH = H - R + 1
    i = o // OW
    j = o % OW
    m = o < OH * OW
    acc = tl.zeros((B,), tl.float32)
    for c in range(C):
        for r in tl.static_range(R):
            for s in tl.static_range(R):
                acc += tl.load(x + (c * H + i + r) * W + j + s, mask=m, other=0.0) * tl.load(
                    w + ((k * C + c) * R + r) * R + s
                )
    tl.store(y + k * OH * OW + o, acc, mask=m)


x, w = normals(3, 14, 14), normals(4, 3, 3, 3, seed=2)
e = np.zeros((4, 12, 12))
for r in range(3):
    for s in range(3):
        e += np.einsum("chw,kc->khw", x[:, r : r + 12, s : s + 12].astype(float), w[:, :, r, s])
build(
    convolution,
    {"x": x, "w": w, "y": np.zeros((4, 12, 12), F4), "H": 14, "W": 14},
    {"C": 3, "K": 4, "R": 3, "B": 64},
    (4, 3),
    {"y": e.astype(F4)},
    {"y": [1e-5, 1e-5]},
)


@triton.jit
def assign_clusters(x, c, y, n, D: tl.constexpr, K: tl.constexpr, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    best = tl.full((B,), float("inf"), tl.float32)
    who = tl.zeros((B,), tl.int32)
    for k in range(K):
        d = tl.zeros((B,), tl.float32)
        for j in tl.static_range(D):
            t = tl.load(x + o * D + j) - tl.load(c + k * D + j)
            d += t * t
        who = tl.where(d < best, k, who)
        best = tl.minimum(best, d)
    tl.store(y + o, who)


x, c = normals(256, 4), normals(5, 4, seed=2)
e = ((x[:, None] - c) ** 2).sum(-1).argmin(1).astype(np.int32)
build(
    assign_clusters,
    {"x": x, "c": c, "y": np.zeros(256, np.int32), "n": 256},
    {"D": 4, "K": 5, "B": 128},
    (2,),
    {"y": e},
)


@triton.jit
def bodies(p, a, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(p + i * 3)
    y = tl.load(p + i * 3 + 1)
    z = tl.load(p + i * 3 + 2)
    ax = tl.zeros((B,), tl.float32)
    ay = tl.zeros((B,), tl.float32)
    az = tl.zeros((B,), tl.float32)
    for j in range(n):
        dx = tl.load(p + j * 3) - x
        dy = tl.load(p + j * 3 + 1) - y
        dz = tl.load(p + j * 3 + 2) - z
        r = tl.rsqrt(dx * dx + dy * dy + dz * dz + 0.01)
        r = r * r * r
        ax += dx * r
        ay += dy * r
        az += dz * r
    tl.store(a + i * 3, ax)
    tl.store(a + i * 3 + 1, ay)
    tl.store(a + i * 3 + 2, az)


p = normals(64, 3)
d = p[None].astype(float) - p[:, None]
e = (d * ((d**2).sum(-1) + 0.01)[..., None] ** -1.5).sum(1)
build(
    bodies,
    {"p": p, "a": np.zeros_like(p), "n": 64},
    {"B": 64},
    (1,),
    {"a": e.astype(F4)},
    {"a": [1e-4, 1e-3]},
    warps=2,
)


@triton.jit
def spmv(rows, cols, vals, x, y, n, B: tl.constexpr):
    r = tl.program_id(0)
    s = tl.load(rows + r)
    e = tl.load(rows + r + 1)
    acc = tl.zeros((B,), tl.float32)
    for k in range(s, e, B):
        o = k + tl.arange(0, B)
        m = o < e
        acc += tl.load(vals + o, mask=m, other=0.0) * tl.load(
            x + tl.load(cols + o, mask=m, other=0), mask=m, other=0.0
        )
    tl.store(y + r, tl.sum(acc, 0))


dense = normals(32, 40) * (rng(2).random((32, 40)) < 0.3)
rows = np.concatenate([[0], np.cumsum((dense != 0).sum(1))]).astype(np.int32)
cols = np.nonzero(dense)[1].astype(np.int32)
vals = dense[dense != 0].astype(F4)
x = normals(40, seed=3)
build(
    spmv,
    {"rows": rows, "cols": cols, "vals": vals, "x": x, "y": np.zeros(32, F4), "n": 32},
    {"B": 32},
    (32,),
    {"y": dense.astype(F4) @ x},
    {"y": [1e-5, 1e-5]},
    warps=1,
)


@triton.jit
def divide_f64(x, y, z, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    a = tl.load(x + o)
    b = tl.load(y + o)
    tl.store(z + o, a / b + tl.sqrt(a * a))


a, b = rng(1).standard_normal(256), rng(2).standard_normal(256)
build(
    divide_f64,
    {"x": a, "y": b, "z": np.zeros(256), "n": 256},
    {"B": 256},
    (1,),
    {"z": a / b + np.abs(a)},
    {"z": [1e-14, 1e-14]},
)


@triton.jit
def hash_i64(x, y, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + o)
    v = (v ^ (v >> 30)) * 0xBF58476D1CE4E5B9
    v = (v ^ (v >> 27)) * 0x94D049BB133111EB
    tl.store(y + o, v ^ (v >> 31))


x = rng(1).integers(0, 2**63, 256).astype(np.uint64)
v = x.copy()
with np.errstate(over="ignore"):
    v = (v ^ (v >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    v = (v ^ (v >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    v ^= v >> np.uint64(31)
build(hash_i64, {"x": x, "y": np.zeros_like(x), "n": 256}, {"B": 256}, (1,), {"y": v})


@triton.jit
def divide_integers(x, y, q, r, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    a = tl.load(x + o)
    b = tl.load(y + o)
    tl.store(q + o, a // b)
    tl.store(r + o, a % b)


a, b = (
    rng(1).integers(0, 2**31, 256).astype(np.int32),
    rng(2).integers(1, 1000, 256).astype(np.int32),
)
build(
    divide_integers,
    {"x": a, "y": b, "q": np.zeros_like(a), "r": np.zeros_like(a), "n": 256},
    {"B": 256},
    (1,),
    {"q": a // b, "r": a % b},
)


@triton.jit
def inline_assembly(x, y, B: tl.constexpr):
    o = tl.arange(0, B)
    v = tl.load(x + o)
    tl.store(
        y + o,
        tl.inline_asm_elementwise(
            "shf.l.wrap.b32 $0, $1, $1, 7;", "=r,r", [v], dtype=tl.uint32, is_pure=True, pack=1
        ),
    )


x = rng(1).integers(0, 2**32, 256).astype(np.uint32)
build(
    inline_assembly,
    {"x": x, "y": np.zeros_like(x)},
    {"B": 256},
    (1,),
    {"y": (x << np.uint32(7)) | (x >> np.uint32(25))},
)


@triton.jit
def says(x, y, B: tl.constexpr):
    o = tl.arange(0, B)
    v = tl.load(x + o)
    tl.device_print("x", v)
    tl.store(y + o, v + 1)


x = np.arange(32, dtype=np.int32)
build(says, {"x": x, "y": np.zeros_like(x)}, {"B": 32}, (1,), {"y": x + 1}, warps=1)


@triton.jit
def asserts(x, y, B: tl.constexpr):
    o = tl.arange(0, B)
    v = tl.load(x + o)
    tl.device_assert(v >= 0, "negative")
    tl.store(y + o, v * 2)


build(asserts, {"x": x, "y": np.zeros_like(x)}, {"B": 32}, (1,), {"y": x * 2}, warps=1, debug=True)


@triton.jit
def gather_columns(x, i, y, B: tl.constexpr, D: tl.constexpr):
    r = tl.arange(0, B)
    c = tl.arange(0, D)
    v = tl.load(x + r[:, None] * D + c[None, :])
    k = tl.load(i + r[:, None] * D + c[None, :])
    tl.store(y + r[:, None] * D + c[None, :], tl.gather(v, k, 1))


x, i = normals(16, 32), rng(2).integers(0, 32, (16, 32)).astype(np.int32)
build(
    gather_columns,
    {"x": x, "i": i, "y": np.zeros_like(x)},
    {"B": 16, "D": 32},
    (1,),
    {"y": np.take_along_axis(x, i, 1)},
)


@triton.jit
def adam(p, g, m, v, n, lr, t1, t2, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    k = o < n
    gg = tl.load(g + o, mask=k)
    mm = 0.9 * tl.load(m + o, mask=k) + 0.1 * gg
    vv = 0.999 * tl.load(v + o, mask=k) + 0.001 * gg * gg
    tl.store(m + o, mm, mask=k)
    tl.store(v + o, vv, mask=k)
    tl.store(p + o, tl.load(p + o, mask=k) - lr * (mm * t1) / (tl.sqrt(vv * t2) + 1e-8), mask=k)


p, g, m, v = normals(300), normals(300, seed=2), normals(300, seed=3), normals(300, seed=4) ** 2
mm = 0.9 * m + 0.1 * g.astype(float)
vv = 0.999 * v + 0.001 * g.astype(float) ** 2
build(
    adam,
    {"p": p, "g": g, "m": m, "v": v, "n": 300, "lr": 0.01, "t1": 2.0, "t2": 3.0},
    {"B": 256},
    (2,),
    {
        "p": (p - 0.01 * mm * 2 / (np.sqrt(vv * 3) + 1e-8)).astype(F4),
        "m": mm.astype(F4),
        "v": vv.astype(F4),
    },
    {"p": [1e-5, 1e-6], "m": [1e-5, 1e-6], "v": [1e-5, 1e-7]},
)
