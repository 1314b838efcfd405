"""Numba-CUDA kernels."""

import math

import numpy as np
from numba import cuda, float32, float64, int32, uint32, uint64

from tests.corpus.keeping import F4, normals, rng
from tests.corpus.of_numba import build


def saxpy(a, x, y, z):
    i = cuda.grid(1)
    if i < x.size:
        z[i] = a * x[i] + y[i]


x, y = normals(300), normals(300, seed=2)
build(
    saxpy,
    {"a": 2.5, "x": x, "y": y, "z": np.zeros_like(x)},
    (3,),
    (128,),
    {"z": F4(2.5) * x + y},
    {"z": [1e-6, 1e-6]},
)


def matmul_tiled(a, b, c):
    sa = cuda.shared.array((16, 16), float32)
    sb = cuda.shared.array((16, 16), float32)
    x, y = cuda.grid(2)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    acc = float32(0.0)
    for k in range(0, a.shape[1], 16):
        sa[ty, tx] = a[y, k + tx] if y < a.shape[0] and k + tx < a.shape[1] else float32(0)
        sb[ty, tx] = b[k + ty, x] if x < b.shape[1] and k + ty < b.shape[0] else float32(0)
        cuda.syncthreads()
        for j in range(16):
            acc += sa[ty, j] * sb[j, tx]
        cuda.syncthreads()
    if y < c.shape[0] and x < c.shape[1]:
        c[y, x] = acc


a, b = normals(20, 24), normals(24, 28, seed=2)
build(
    matmul_tiled,
    {"a": a, "b": b, "c": np.zeros((20, 28), F4)},
    (2, 2),
    (16, 16),
    {"c": a @ b},
    {"c": [1e-5, 1e-5]},
)


def reduce_atomic(x, out):
    s = cuda.shared.array(128, float32)
    t = cuda.threadIdx.x
    acc = float32(0.0)
    i = cuda.grid(1)
    while i < x.size:
        acc += x[i]
        i += cuda.gridsize(1)
    s[t] = acc
    cuda.syncthreads()
    k = 64
    while k > 0:
        if t < k:
            s[t] += s[t + k]
        cuda.syncthreads()
        k //= 2
    if t == 0:
        cuda.atomic.add(out, 0, s[0])


x = normals(1000)
build(
    reduce_atomic,
    {"x": x, "out": np.zeros(1, F4)},
    (2,),
    (128,),
    {"out": x.sum(keepdims=True)},
    {"out": [1e-4, 1e-4]},
)


def scan_block(x, y):
    s = cuda.shared.array(256, int32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncthreads()
    d = 1
    while d < 256:
        v = s[t - d] if t >= d else 0
        cuda.syncthreads()
        s[t] += v
        cuda.syncthreads()
        d *= 2
    y[t] = s[t]


x = rng(1).integers(-100, 100, 256).astype(np.int32)
build(scan_block, {"x": x, "y": np.zeros_like(x)}, (1,), (256,), {"y": x.cumsum().astype(np.int32)})


def histogram_shared(x, h):
    s = cuda.shared.array(64, int32)
    t = cuda.threadIdx.x
    if t < 64:
        s[t] = 0
    cuda.syncthreads()
    i = cuda.grid(1)
    while i < x.size:
        cuda.atomic.add(s, x[i] & 63, 1)
        i += cuda.gridsize(1)
    cuda.syncthreads()
    if t < 64:
        cuda.atomic.add(h, t, s[t])


x = rng(1).integers(0, 256, 1000).astype(np.uint8)
build(
    histogram_shared,
    {"x": x, "h": np.zeros(64, np.int32)},
    (2,),
    (128,),
    {"h": np.bincount(x & 63, minlength=64).astype(np.int32)},
)


def mandelbrot(out, w, h):
    i, j = cuda.grid(2)
    if i < w and j < h:
        c = complex(-2 + 3.0 * i / w, -1 + 2.0 * j / h)
        z = 0j
        n = 0
        while n < 30 and z.real * z.real + z.imag * z.imag < 4:
            z = z * z + c
            n += 1
        out[j, i] = n


e = np.zeros((16, 24), np.int32)
for j in range(16):
    for i in range(24):
        z = 0j
        c = complex(-2 + 3.0 * i / 24, -1 + 2.0 * j / 16)
        n = 0
        while n < 30 and z.real**2 + z.imag**2 < 4:
            z = z * z + c
            n += 1
        e[j, i] = n
build(
    mandelbrot,
    {"out": np.zeros((16, 24), np.int32), "w": 24, "h": 16},
    (3, 2),
    (8, 8),
    {"out": e},
    {"out": [0, 1.1]},
)


def nbody(p, a, n):
    i = cuda.grid(1)
    if i < n:
        x = p[i, 0]
        y = p[i, 1]
        z = p[i, 2]
        ax = float32(0)
        ay = float32(0)
        az = float32(0)
        for j in range(n):
            dx = p[j, 0] - x
            dy = p[j, 1] - y
            dz = p[j, 2] - z
            r = float32(1) / math.sqrt(dx * dx + dy * dy + dz * dz + float32(0.01))
            r = r * r * r
            ax += dx * r
            ay += dy * r
            az += dz * r
        a[i, 0] = ax
        a[i, 1] = ay
        a[i, 2] = az


p = normals(50, 3)
d = p[None].astype(float) - p[:, None]
e = (d * ((d**2).sum(-1) + 0.01)[..., None] ** -1.5).sum(1).astype(F4)
build(nbody, {"p": p, "a": np.zeros_like(p), "n": 50}, (1,), (64,), {"a": e}, {"a": [1e-4, 1e-3]})
build(
    nbody,
    {"p": p, "a": np.zeros_like(p), "n": 50},
    (1,),
    (64,),
    {"a": e},
    {"a": [1e-4, 1e-3]},
    fastmath=True,
    name="nbody_fast",
)


def black_scholes(S, K, T, call, put, r, v):
    i = cuda.grid(1)
    if i < S.size:
        q = math.sqrt(T[i])
        d1 = (math.log(S[i] / K[i]) + (r + 0.5 * v * v) * T[i]) / (v * q)
        d2 = d1 - v * q
        c1 = 0.5 * math.erfc(-d1 * 0.7071067811865476)
        c2 = 0.5 * math.erfc(-d2 * 0.7071067811865476)
        e = K[i] * math.exp(-r * T[i])
        call[i] = S[i] * c1 - e * c2
        put[i] = call[i] - S[i] + e


S, K, T = (rng(i).uniform(a, b, 100) for i, a, b in ((1, 5, 30), (2, 1, 100), (3, 0.25, 10)))
P = np.vectorize(lambda t: 0.5 * math.erfc(-t * 0.7071067811865476))
d1 = (np.log(S / K) + (0.02 + 0.5 * 0.09) * T) / (0.3 * np.sqrt(T))
d2 = d1 - 0.3 * np.sqrt(T)
E = K * np.exp(-0.02 * T)
C = S * P(d1) - E * P(d2)
build(
    black_scholes,
    {
        "S": S,
        "K": K,
        "T": T,
        "call": np.zeros(100),
        "put": np.zeros(100),
        "r": np.float64(0.02),
        "v": np.float64(0.3),
    },
    (2,),
    (64,),
    {"call": C, "put": C - S + E},
    {"call": [1e-12, 1e-12], "put": [1e-12, 1e-12]},
)


def heat(u, v, k):
    j, i = cuda.grid(2)
    if 0 < i < u.shape[0] - 1 and 0 < j < u.shape[1] - 1:
        v[i, j] = u[i, j] + k * (
            u[i, j - 1] + u[i, j + 1] + u[i - 1, j] + u[i + 1, j] - 4 * u[i, j]
        )


u = normals(20, 40)
e = np.zeros_like(u)
e[1:-1, 1:-1] = u[1:-1, 1:-1] + F4(0.1) * (
    u[1:-1, :-2] + u[1:-1, 2:] + u[:-2, 1:-1] + u[2:, 1:-1] - 4 * u[1:-1, 1:-1]
)
build(
    heat, {"u": u, "v": np.zeros_like(u), "k": 0.1}, (3, 3), (16, 8), {"v": e}, {"v": [1e-5, 1e-6]}
)


def transpose_fortran(x, y):
    j, i = cuda.grid(2)
    if i < x.shape[0] and j < x.shape[1]:
        y[i, j] = x[i, j] * 2


x = normals(10, 20)
build(
    transpose_fortran,
    {"x": x, "y": np.zeros_like(x)},
    (2, 2),
    (16, 8),
    {"y": x * 2},
    layouts={"x": "F"},
)


def warp_sums(x, y):
    i = cuda.grid(1)
    v = x[i]
    k = 16
    while k > 0:
        v += cuda.shfl_down_sync(0xFFFFFFFF, v, k)
        k //= 2
    if cuda.laneid == 0:
        y[i // 32] = v


x = normals(128)
build(
    warp_sums,
    {"x": x, "y": np.zeros(4, F4)},
    (1,),
    (128,),
    {"y": x.reshape(4, 32).sum(1)},
    {"y": [1e-5, 1e-5]},
)


def ballots(x, y, z, m):
    i = cuda.grid(1)
    p = x[i] > 0
    b = cuda.ballot_sync(0xFFFFFFFF, p)
    z[i] = cuda.popc(b)
    m[i] = cuda.match_any_sync(0xFFFFFFFF, x[i] & 3)
    if p:
        y[i] = cuda.ffs(b)


x = rng(1).integers(-5, 5, 64).astype(np.int32)
p = (x > 0).reshape(2, 32)
y = np.where(x > 0, np.repeat([np.argmax(q) + 1 for q in p], 32), 0).astype(np.int32)
m = np.array(
    [
        sum(1 << j for j in range(32) if (x[(i // 32) * 32 + j] & 3) == (x[i] & 3))
        for i in range(64)
    ],
    np.uint32,
).view(np.int32)
build(
    ballots,
    {"x": x, "y": np.zeros_like(x), "z": np.zeros_like(x), "m": np.zeros_like(x)},
    (1,),
    (64,),
    {"y": y, "z": np.repeat(p.sum(1), 32).astype(np.int32), "m": m},
)


def local_sort(x, y):
    i = cuda.grid(1)
    b = cuda.local.array(8, int32)
    for k in range(8):
        b[k] = x[i, k]
    for k in range(1, 8):
        v = b[k]
        j = k - 1
        while j >= 0 and b[j] > v:
            b[j + 1] = b[j]
            j -= 1
        b[j + 1] = v
    for k in range(8):
        y[i, k] = b[k]


x = rng(1).integers(0, 100, (64, 8)).astype(np.int32)
build(local_sort, {"x": x, "y": np.zeros_like(x)}, (2,), (32,), {"y": np.sort(x, 1)})


def bitonic(x):
    s = cuda.shared.array(0, int32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncthreads()
    k = 2
    while k <= cuda.blockDim.x:
        j = k >> 1
        while j > 0:
            o = t ^ j
            if o > t and (s[t] > s[o]) == ((t & k) == 0):
                a = s[t]
                s[t] = s[o]
                s[o] = a
            cuda.syncthreads()
            j >>= 1
        k <<= 1
    x[t] = s[t]


x = rng(1).integers(0, 1000, 128).astype(np.int32)
build(bitonic, {"x": x}, (1,), (128,), {"x": np.sort(x)}, shared=512)


def random_walk(state, y):
    i = cuda.grid(1)
    s = state[i]
    for _ in range(4):
        s ^= s << uint64(13)
        s ^= s >> uint64(7)
        s ^= s << uint64(17)
    state[i] = s
    y[i] = float64(s >> uint64(11)) * (1.0 / (uint64(1) << uint64(53)))


s = rng(1).integers(1, 2**63, 64).astype(np.uint64)
t = s.copy()
for _ in range(4):
    t ^= t << np.uint64(13)
    t ^= t >> np.uint64(7)
    t ^= t << np.uint64(17)
build(
    random_walk,
    {"state": s, "y": np.zeros(64)},
    (1,),
    (64,),
    {"state": t, "y": (t >> np.uint64(11)).astype(float) / 2.0**53},
    {"y": [0, 1e-15]},
)


def game_of_life(a, b):
    j, i = cuda.grid(2)
    h, w = a.shape
    if i < h and j < w:
        n = 0
        for di in range(-1, 2):
            for dj in range(-1, 2):
                if di != 0 or dj != 0:
                    n += a[(i + di) % h, (j + dj) % w]
        b[i, j] = 1 if n == 3 or (n == 2 and a[i, j]) else 0


a = rng(1).integers(0, 2, (16, 24)).astype(np.uint8)
n = sum(np.roll(a, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j)
build(
    game_of_life,
    {"a": a, "b": np.zeros_like(a)},
    (3, 2),
    (8, 8),
    {"b": ((n == 3) | ((n == 2) & (a == 1))).astype(np.uint8)},
)


def knn(x, q, idx):
    i = cuda.grid(1)
    if i < q.shape[0]:
        d = cuda.local.array(4, float32)
        w = cuda.local.array(4, int32)
        for k in range(4):
            d[k] = float32(1e30)
            w[k] = -1
        for j in range(x.shape[0]):
            s = float32(0)
            for c in range(x.shape[1]):
                t = x[j, c] - q[i, c]
                s += t * t
            if s < d[3]:
                k = 3
                while k > 0 and d[k - 1] > s:
                    d[k] = d[k - 1]
                    w[k] = w[k - 1]
                    k -= 1
                d[k] = s
                w[k] = j
        for k in range(4):
            idx[i, k] = w[k]


x, q = normals(60, 3), normals(40, 3, seed=2)
e = np.argsort(((q[:, None].astype(float) - x) ** 2).sum(-1), 1)[:, :4].astype(np.int32)
build(knn, {"x": x, "q": q, "idx": np.zeros((40, 4), np.int32)}, (2,), (32,), {"idx": e})


def spmv(rows, cols, vals, x, y):
    i = cuda.grid(1)
    if i < y.size:
        s = float32(0)
        for k in range(rows[i], rows[i + 1]):
            s += vals[k] * x[cols[k]]
        y[i] = s


dense = normals(50, 40) * (rng(2).random((50, 40)) < 0.2)
rows = np.concatenate([[0], np.cumsum((dense != 0).sum(1))]).astype(np.int32)
cols = np.nonzero(dense)[1].astype(np.int32)
vals = dense[dense != 0].astype(F4)
x = normals(40, seed=3)
build(
    spmv,
    {"rows": rows, "cols": cols, "vals": vals, "x": x, "y": np.zeros(50, F4)},
    (1,),
    (64,),
    {"y": dense.astype(F4) @ x},
    {"y": [1e-5, 1e-5]},
)


def bfs_step(rows, cols, depth, level, changed):
    i = cuda.grid(1)
    if i < depth.size and depth[i] == level:
        for k in range(rows[i], rows[i + 1]):
            if cuda.atomic.compare_and_swap(depth[cols[k] :], -1, level + 1) == -1:
                changed[0] = 1


dep = np.full(50, -1, np.int32)
dep[0] = 0
dep[7] = 0
g = rng(5).integers(0, 50, (50, 3)).astype(np.int32)
r = np.arange(0, 151, 3, dtype=np.int32)
e = dep.copy()
e[[t for i in (0, 7) for t in g[i] if dep[t] == -1]] = 1
build(
    bfs_step,
    {"rows": r, "cols": g.reshape(-1), "depth": dep, "level": 0, "changed": np.zeros(1, np.int32)},
    (1,),
    (64,),
    {"depth": e, "changed": np.ones(1, np.int32)},
)


def compact(x, y, count):
    i = cuda.grid(1)
    if i < x.size and x[i] > 0:
        y[i] = cuda.atomic.add(count, 0, 1)


x = rng(1).integers(-5, 5, 100).astype(np.int32)
build(
    compact,
    {"x": x, "y": np.full(100, -1, np.int32), "count": np.zeros(1, np.int32)},
    (1,),
    (128,),
    {"count": np.array([(x > 0).sum()], np.int32)},
)


def max_float_atomic(x, y):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.max(y, 0, x[i])
        cuda.atomic.min(y, 1, x[i])


x = normals(100).astype(np.float64)
build(
    max_float_atomic,
    {"x": x, "y": np.array([-1e9, 1e9])},
    (1,),
    (128,),
    {"y": np.array([x.max(), x.min()])},
)


def powers(x, y, z):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = x[i] ** 3 + math.pow(abs(x[i]), 1.5) + math.fmod(x[i], 0.7)
        z[i] = int(x[i] * 1000) // 7 + int(x[i] * 1000) % 7


x = normals(64).astype(np.float64)
k = (x * 1000).astype(np.int64)
build(
    powers,
    {"x": x, "y": np.zeros(64), "z": np.zeros(64, np.int64)},
    (1,),
    (64,),
    {"y": x**3 + np.abs(x) ** 1.5 + np.fmod(x, 0.7), "z": k // 7 + k % 7},
    {"y": [1e-12, 1e-12]},
)


def half_sums(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = x[i] * x[i] + x[i]


x = normals(64).astype(np.float16)
build(
    half_sums, {"x": x, "y": np.zeros_like(x)}, (1,), (64,), {"y": x * x + x}, {"y": [2e-3, 1e-3]}
)


def levenshtein(a, b, d):
    s = cuda.shared.array((3, 64), int32)
    t = cuda.threadIdx.x
    n = a.size
    m = b.size
    for k in range(n + m + 1):
        if t <= n and 0 <= k - t <= m:
            j = k - t
            if t == 0:
                v = j
            elif j == 0:
                v = t
            else:
                v = min(
                    min(s[(k - 1) % 3, t - 1], s[(k - 1) % 3, t]) + 1,
                    s[(k - 2) % 3, t - 1] + (1 if a[t - 1] != b[j - 1] else 0),
                )
            s[k % 3, t] = v
            if t == n and j == m:
                d[0] = v
        cuda.syncthreads()


a, b = (
    np.frombuffer(b"intention of the many", np.uint8).copy(),
    np.frombuffer(b"execution for a man", np.uint8).copy(),
)
D = np.zeros((len(a) + 1, len(b) + 1), int)
D[:, 0] = range(len(a) + 1)
D[0] = range(len(b) + 1)
for i in range(1, len(a) + 1):
    for j in range(1, len(b) + 1):
        D[i, j] = min(D[i - 1, j] + 1, D[i, j - 1] + 1, D[i - 1, j - 1] + (a[i - 1] != b[j - 1]))
build(
    levenshtein,
    {"a": a, "b": b, "d": np.zeros(1, np.int32)},
    (1,),
    (64,),
    {"d": np.array([D[-1, -1]], np.int32)},
)


def debug_print(x):
    i = cuda.grid(1)
    if i == 0:
        print("first", x[0])
    x[i] += 1


x = np.arange(32, dtype=np.int32)
build(debug_print, {"x": x}, (1,), (32,), {"x": x + 1})


def checked(x, y):
    i = cuda.grid(1)
    y[i] = x[i] // (x[i] + 1)


x = np.arange(32, dtype=np.int32)
build(
    checked,
    {"x": x, "y": np.zeros(32, np.int64)},
    (1,),
    (32,),
    {"y": (x // (x + 1)).astype(np.int64)},
    debug=True,
    opt=False,
    name="debug_build",
)


def radix_count(x, counts, shift):
    s = cuda.shared.array(16, int32)
    t = cuda.threadIdx.x
    if t < 16:
        s[t] = 0
    cuda.syncthreads()
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.add(s, (x[i] >> uint32(shift)) & uint32(15), 1)
    cuda.syncthreads()
    if t < 16:
        counts[t, cuda.blockIdx.x] = s[t]


x = rng(1).integers(0, 2**32, 256).astype(np.uint32)
e = np.stack(
    [np.bincount((x[k * 64 : (k + 1) * 64] >> np.uint32(4)) & 15, minlength=16) for k in range(4)],
    1,
).astype(np.int32)
build(
    radix_count,
    {"x": x, "counts": np.zeros((16, 4), np.int32), "shift": 4},
    (4,),
    (64,),
    {"counts": e},
)


def softmax_rows(x, y):
    s = cuda.shared.array(64, float32)
    r = cuda.blockIdx.x
    t = cuda.threadIdx.x
    m = float32(-1e30)
    for c in range(t, x.shape[1], 64):
        m = max(m, x[r, c])
    s[t] = m
    cuda.syncthreads()
    k = 32
    while k > 0:
        if t < k:
            s[t] = max(s[t], s[t + k])
        cuda.syncthreads()
        k >>= 1
    m = s[0]
    cuda.syncthreads()
    v = float32(0)
    for c in range(t, x.shape[1], 64):
        e = math.exp(x[r, c] - m)
        y[r, c] = e
        v += e
    s[t] = v
    cuda.syncthreads()
    k = 32
    while k > 0:
        if t < k:
            s[t] += s[t + k]
        cuda.syncthreads()
        k >>= 1
    for c in range(t, x.shape[1], 64):
        y[r, c] /= s[0]


x = normals(4, 150)
e = np.exp(x.astype(float))
e /= e.sum(1, keepdims=True)
build(
    softmax_rows,
    {"x": x, "y": np.zeros_like(x)},
    (4,),
    (64,),
    {"y": e.astype(F4)},
    {"y": [1e-5, 1e-8]},
)
