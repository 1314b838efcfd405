"""What the PTX files were compiled of, with Triton 3.6.0 for sm_90a."""

import triton
import triton.language as tl


@triton.jit
def matmul(a, b, c, M, N, K, sam, sbk, scm, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    i, j = tl.program_id(0), tl.program_id(1)
    rows, columns = i * BM + tl.arange(0, BM), j * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    pa = a + rows[:, None] * sam + inner[None, :]
    pb = b + inner[:, None] * sbk + columns[None, :]
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for _ in range(0, K, BK):
        total = tl.dot(tl.load(pa), tl.load(pb), total)
        pa += BK
        pb += BK * sbk
    tl.store(c + rows[:, None] * scm + columns[None, :], total)


@triton.jit
def softmax(x, y, n, BLOCK: tl.constexpr):
    row, o = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(x + row * n + o, mask=o < n, other=-float("inf"))
    v = tl.exp(v - tl.max(v, 0))
    tl.store(y + row * n + o, v / tl.sum(v, 0), mask=o < n)


@triton.jit
def norm(x, w, y, n, eps, BLOCK: tl.constexpr):
    row, o = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(x + row * n + o, mask=o < n, other=0.0).to(tl.float32)
    d = tl.where(o < n, v - tl.sum(v, 0) / n, 0.0)
    s = tl.rsqrt(tl.sum(d * d, 0) / n + eps)
    tl.store(y + row * n + o, d * s * tl.load(w + o, mask=o < n), mask=o < n)


@triton.jit
def attention(q, k, v, o, S, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    i, base = tl.program_id(0), tl.program_id(1) * S * D
    rows, d, n = i * BM + tl.arange(0, BM), tl.arange(0, D), tl.arange(0, BN)
    queries = tl.load(q + base + rows[:, None] * D + d[None, :])
    most = tl.full((BM,), -1e30, tl.float32)
    weight = tl.zeros((BM,), tl.float32)
    total = tl.zeros((BM, D), tl.float32)
    for j in range(0, S, BN):
        keys = tl.load(k + base + (j + n)[None, :] * D + d[:, None])
        scores = tl.dot(queries, keys) * scale
        higher = tl.maximum(most, tl.max(scores, 1))
        p, less = tl.exp(scores - higher[:, None]), tl.exp(most - higher)
        weight = weight * less + tl.sum(p, 1)
        total = total * less[:, None]
        values = tl.load(v + base + (j + n)[:, None] * D + d[None, :])
        total = tl.dot(p.to(tl.float16), values, total)
        most = higher
    tl.store(o + base + rows[:, None] * D + d[None, :], (total / weight[:, None]).to(tl.float16))


@triton.jit
def gelu(x, y, n, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + o, mask=o < n)
    tl.store(y + o, 0.5 * v * (1 + tl.erf(v * 0.7071067811865476)), mask=o < n)
