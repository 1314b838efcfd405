"""Warp kernels."""

import numpy as np
import warp as wp

from tests.corpus.keeping import F4, normals, rng
from tests.corpus.of_warp import build

A = wp.array


@wp.kernel(module="unique")
def saxpy(x: A(dtype=float), y: A(dtype=float), z: A(dtype=float), a: float):
    i = wp.tid()
    z[i] = a * x[i] + y[i]


x, y = normals(300), normals(300, seed=2)
build(
    saxpy,
    {"x": x, "y": y, "z": np.zeros_like(x), "a": 2.5},
    300,
    {"z": F4(2.5) * x + y},
    {"z": [1e-6, 1e-6]},
)


@wp.kernel(module="unique")
def integrate(
    x: A(dtype=wp.vec3),
    v: A(dtype=wp.vec3),
    f: A(dtype=wp.vec3),
    w: A(dtype=float),
    g: wp.vec3,
    dt: float,
):
    i = wp.tid()
    a = (f[i] + g / wp.max(w[i], 1.0e-6)) * w[i]
    v[i] = v[i] + a * dt
    x[i] = x[i] + v[i] * dt


x, v, f, w = (
    normals(100, 3),
    normals(100, 3, seed=2),
    normals(100, 3, seed=3),
    rng(4).random(100).astype(F4) + F4(0.1),
)
g = np.array([0, -9.8, 0], F4)
a = (f + g / w[:, None]) * w[:, None]
v1 = v + a * F4(0.01)
build(
    integrate,
    {"x": x, "v": v, "f": f, "w": w, "g": {"struct": [{"f32": [0.0, -9.8, 0.0]}]}, "dt": 0.01},
    100,
    {"v": v1, "x": x + v1 * F4(0.01)},
    {"v": [1e-5, 1e-5], "x": [1e-5, 1e-5]},
)


@wp.kernel(module="unique")
def springs(
    x: A(dtype=wp.vec3), e: A(dtype=wp.vec2i), rest: A(dtype=float), f: A(dtype=wp.vec3), k: float
):
    i = wp.tid()
    a = e[i][0]
    b = e[i][1]
    d = x[b] - x[a]
    l = wp.length(d)
    n = d / l * (k * (l - rest[i]))
    wp.atomic_add(f, a, n)
    wp.atomic_sub(f, b, n)


e = rng(5).integers(0, 40, (80, 2)).astype(np.int32)
e[:, 1] = (e[:, 0] + 1 + e[:, 1] % 38) % 40
x = normals(40, 3)
rest = np.ones(80, F4)
d = x[e[:, 1]] - x[e[:, 0]]
l = np.linalg.norm(d, axis=1, keepdims=True)
n = d / l * (l - 1) * F4(3.0)
F = np.zeros((40, 3), F4)
np.add.at(F, e[:, 0], n)
np.add.at(F, e[:, 1], -n)
build(
    springs,
    {"x": x, "e": e, "rest": rest, "f": np.zeros((40, 3), F4), "k": 3.0},
    80,
    {"f": F},
    {"f": [1e-4, 1e-4]},
)


@wp.func
def rotate(q: wp.quat, p: wp.vec3):
    return wp.quat_rotate(q, p)


@wp.kernel(module="unique")
def transforms(q: A(dtype=wp.quat), p: A(dtype=wp.vec3), y: A(dtype=wp.vec3)):
    i = wp.tid()
    y[i] = rotate(wp.normalize(q[i]), p[i])


q, p = normals(64, 4), normals(64, 3, seed=2)
u = q / np.linalg.norm(q, axis=1, keepdims=True)
v, s = u[:, :3], u[:, 3:]
y = p * (2 * s * s - 1) + np.cross(v, p) * s * 2 + v * (v * p).sum(1, keepdims=True) * 2
build(transforms, {"q": q, "p": p, "y": np.zeros_like(p)}, 64, {"y": y}, {"y": [1e-4, 1e-5]})


@wp.kernel(module="unique")
def heat(u: A(dtype=float, ndim=2), v: A(dtype=float, ndim=2), k: float):
    i, j = wp.tid()
    if i > 0 and j > 0 and i < u.shape[0] - 1 and j < u.shape[1] - 1:
        v[i, j] = u[i, j] + k * (
            u[i, j - 1] + u[i, j + 1] + u[i - 1, j] + u[i + 1, j] - 4.0 * u[i, j]
        )


u = normals(20, 30)
e = np.zeros_like(u)
e[1:-1, 1:-1] = u[1:-1, 1:-1] + F4(0.1) * (
    u[1:-1, :-2] + u[1:-1, 2:] + u[:-2, 1:-1] + u[2:, 1:-1] - 4 * u[1:-1, 1:-1]
)
build(heat, {"u": u, "v": np.zeros_like(u), "k": 0.1}, (20, 30), {"v": e}, {"v": [1e-5, 1e-6]})


@wp.kernel(module="unique")
def monte_carlo(seed: int, y: A(dtype=float), h: A(dtype=int)):
    i = wp.tid()
    s = wp.rand_init(seed, i)
    a = wp.randf(s)
    b = wp.randf(s)
    y[i] = a
    if a * a + b * b < 1.0:
        wp.atomic_add(h, 0, 1)


def pcg(s):
    b = (s * 747796405 + 2891336453) & 0xFFFFFFFF
    c = (((b >> ((b >> 28) + 4)) ^ b) * 277803737) & 0xFFFFFFFF
    return ((c >> 22) ^ c) & 0xFFFFFFFF


Y, H = [], 0
for i in range(100):
    s = pcg((42 + pcg(i)) & 0xFFFFFFFF)
    s = pcg(s)
    a = F4(s >> 8) * F4(1 / 16777216)
    s = pcg(s)
    b = F4(s >> 8) * F4(1 / 16777216)
    Y.append(a)
    H += a * a + b * b < 1
build(
    monte_carlo,
    {"seed": 42, "y": np.zeros(100, F4), "h": np.zeros(1, np.int32)},
    100,
    {"y": np.array(Y, F4), "h": np.array([H], np.int32)},
    {"y": [0, 1e-7]},
)


@wp.kernel(module="unique")
def inverses(m: A(dtype=wp.mat33), b: A(dtype=wp.vec3), x: A(dtype=wp.vec3), d: A(dtype=float)):
    i = wp.tid()
    x[i] = wp.inverse(m[i]) * b[i]
    d[i] = wp.determinant(m[i])


m, b = normals(50, 3, 3) + 3 * np.eye(3, dtype=F4), normals(50, 3, seed=2)
build(
    inverses,
    {"m": m, "b": b, "x": np.zeros_like(b), "d": np.zeros(50, F4)},
    50,
    {
        "x": np.linalg.solve(m.astype(float), b[..., None])[..., 0].astype(F4),
        "d": np.linalg.det(m.astype(float)).astype(F4),
    },
    {"x": [2e-3, 1e-4], "d": [1e-3, 1e-4]},
)


@wp.kernel(module="unique")
def svd3(m: A(dtype=wp.mat33), s: A(dtype=wp.vec3)):
    i = wp.tid()
    _U, S, _V = wp.svd3(m[i])
    s[i] = wp.vec3(wp.abs(S[0]), wp.abs(S[1]), wp.abs(S[2]))


build(
    svd3,
    {"m": m, "s": np.zeros((50, 3), F4)},
    50,
    {"s": np.linalg.svd(m.astype(float))[1].astype(F4)},
    {"s": [2e-3, 2e-3]},
)


@wp.kernel(module="unique")
def noise(y: A(dtype=float), z: A(dtype=float)):
    i = wp.tid()
    p = float(i) * 0.37
    y[i] = wp.sin(p) + wp.cos(2.0 * p) + wp.exp(-p) + wp.log(p + 1.0)
    z[i] = wp.tanh(p) + wp.sqrt(p) + wp.atan2(p, 2.0) + wp.floor(p) + wp.pow(p + 0.5, 1.5)


p = np.arange(64) * 0.37
build(
    noise,
    {"y": np.zeros(64, F4), "z": np.zeros(64, F4)},
    64,
    {
        "y": (np.sin(p) + np.cos(2 * p) + np.exp(-p) + np.log(p + 1)).astype(F4),
        "z": (
            np.tanh(p)
            + np.sqrt(p)
            + np.arctan2(p, 2)
            + np.floor(F4(0.37) * np.arange(64, dtype=F4))
            + (p + 0.5) ** 1.5
        ).astype(F4),
    },
    {"y": [1e-4, 1e-4], "z": [1e-4, 1e-4]},
)


@wp.kernel(module="unique")
def particles_in_cells(x: A(dtype=wp.vec2), g: A(dtype=float, ndim=2), h: float):
    i = wp.tid()
    p = x[i] / h
    a = int(wp.floor(p[0]))
    b = int(wp.floor(p[1]))
    u = p[0] - float(a)
    v = p[1] - float(b)
    wp.atomic_add(g, a, b, (1.0 - u) * (1.0 - v))
    wp.atomic_add(g, a + 1, b, u * (1.0 - v))
    wp.atomic_add(g, a, b + 1, (1.0 - u) * v)
    wp.atomic_add(g, a + 1, b + 1, u * v)


x = (rng(1).random((100, 2)) * 7).astype(F4)
a = np.floor(x).astype(int)
u, v = (x - a).T
g = np.zeros((9, 9), F4)
for di, dj, w in (
    (0, 0, (1 - u) * (1 - v)),
    (1, 0, u * (1 - v)),
    (0, 1, (1 - u) * v),
    (1, 1, u * v),
):
    np.add.at(g, (a[:, 0] + di, a[:, 1] + dj), w)
build(
    particles_in_cells,
    {"x": x, "g": np.zeros((9, 9), F4), "h": 1.0},
    100,
    {"g": g},
    {"g": [1e-4, 1e-5]},
)


@wp.struct
class Body:
    m: float
    p: wp.vec3
    n: int


@wp.kernel(module="unique")
def structures(b: A(dtype=Body), y: A(dtype=float)):
    i = wp.tid()
    y[i] = b[i].m * wp.dot(b[i].p, b[i].p) + float(b[i].n)


m, p, n = normals(40), normals(40, 3, seed=2), rng(3).integers(0, 9, 40).astype(np.int32)
packed = np.zeros((40, 5), np.uint32)
packed[:, 0] = m.view(np.uint32)
packed[:, 1:4] = p.view(np.uint32)
packed[:, 4] = n


class _S:
    pass


build(
    structures,
    {"b": packed, "y": np.zeros(40, F4)},
    40,
    {"y": m * (p * p).sum(1) + n},
    {"y": [1e-5, 1e-5]},
)


@wp.kernel(module="unique")
def signed_distance(y: A(dtype=float, ndim=3), r: float):
    i, j, k = wp.tid()
    p = wp.vec3(float(i) - 3.5, float(j) - 3.5, float(k) - 3.5)
    q = wp.vec3(wp.abs(p[0]) - 2.0, wp.abs(p[1]) - 2.0, wp.abs(p[2]) - 2.0)
    y[i, j, k] = wp.min(
        wp.length(p) - r,
        wp.length(wp.vec3(wp.max(q[0], 0.0), wp.max(q[1], 0.0), wp.max(q[2], 0.0)))
        + wp.min(wp.max(q[0], wp.max(q[1], q[2])), 0.0),
    )


g = np.stack(np.meshgrid(*[np.arange(8) - 3.5] * 3, indexing="ij"), -1)
q = np.abs(g) - 2
build(
    signed_distance,
    {"y": np.zeros((8, 8, 8), F4), "r": 2.5},
    (8, 8, 8),
    {
        "y": np.minimum(
            np.linalg.norm(g, axis=-1) - 2.5,
            np.linalg.norm(np.maximum(q, 0), axis=-1) + np.minimum(q.max(-1), 0),
        ).astype(F4)
    },
    {"y": [1e-5, 1e-5]},
)


@wp.kernel(module="unique")
def half_products(
    a: A(dtype=wp.float16), b: A(dtype=wp.float16), y: A(dtype=wp.float16), z: A(dtype=wp.float64)
):
    i = wp.tid()
    y[i] = a[i] * b[i] + a[i]
    z[i] = wp.float64(a[i]) / wp.float64(b[i])


a, b = normals(64).astype(np.float16), normals(64, seed=2).astype(np.float16)
build(
    half_products,
    {"a": a, "b": b, "y": np.zeros_like(a), "z": np.zeros(64)},
    64,
    {"y": a * b + a, "z": a.astype(float) / b.astype(float)},
    {"y": [2e-3, 1e-3], "z": [1e-15, 1e-15]},
)


@wp.kernel(module="unique")
def tile_matmul(a: A(dtype=float, ndim=2), b: A(dtype=float, ndim=2), c: A(dtype=float, ndim=2)):
    i, j = wp.tid()
    s = wp.tile_zeros(shape=(8, 8), dtype=float)
    for k in range(4):
        x = wp.tile_load(a, shape=(8, 8), offset=(i * 8, k * 8))
        y = wp.tile_load(b, shape=(8, 8), offset=(k * 8, j * 8))
        wp.tile_matmul(x, y, s)
    wp.tile_store(c, s, offset=(i * 8, j * 8))


a, b = normals(16, 32), normals(32, 16, seed=2)
build(
    tile_matmul,
    {"a": a, "b": b, "c": np.zeros((16, 16), F4)},
    (2, 2),
    {"c": a @ b},
    {"c": [1e-4, 1e-4]},
    tile=True,
)


@wp.kernel(module="unique")
def tile_sums(x: A(dtype=float, ndim=2), y: A(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(x, shape=(1, 128), offset=(i, 0))
    s = wp.tile_sum(t)
    wp.tile_store(y, wp.tile_reshape(s, shape=(1,)), offset=(i,))


x = normals(6, 128)
build(
    tile_sums, {"x": x, "y": np.zeros(6, F4)}, (6,), {"y": x.sum(1)}, {"y": [1e-5, 1e-5]}, tile=True
)


@wp.kernel(module="unique")
def jacobi(a: A(dtype=float, ndim=2), b: A(dtype=float), x: A(dtype=float), y: A(dtype=float)):
    i = wp.tid()
    s = float(0.0)  # noqa: UP018
    for j in range(a.shape[1]):
        if j != i:
            s += a[i, j] * x[j]
    y[i] = (b[i] - s) / a[i, i]


a, b, x = normals(40, 40) + 10 * np.eye(40, dtype=F4), normals(40, seed=2), normals(40, seed=3)
y = (b - (a @ x - np.diag(a) * x)) / np.diag(a)
build(jacobi, {"a": a, "b": b, "x": x, "y": np.zeros(40, F4)}, 40, {"y": y}, {"y": [1e-4, 1e-5]})


@wp.kernel(module="unique")
def bits(x: A(dtype=wp.uint32), y: A(dtype=wp.uint32), z: A(dtype=wp.int64)):
    i = wp.tid()
    v = x[i]
    v ^= v << wp.uint32(13)
    v ^= v >> wp.uint32(17)
    v ^= v << wp.uint32(5)
    y[i] = v
    z[i] = wp.int64(v) * wp.int64(-3) / wp.int64(7) + wp.int64(v) % wp.int64(11)


x = rng(1).integers(1, 2**32, 100).astype(np.uint32)
v = x.copy()
v ^= v << np.uint32(13)
v ^= v >> np.uint32(17)
v ^= v << np.uint32(5)
w = v.astype(np.int64)
z = -((3 * w) // 7) + w % 11
build(bits, {"x": x, "y": np.zeros_like(x), "z": np.zeros(100, np.int64)}, 100, {"y": v, "z": z})


@wp.kernel(module="unique")
def says(x: A(dtype=int)):
    i = wp.tid()
    if i == 0:
        wp.printf("first %d\n", x[0])
    x[i] = x[i] + 1


x = np.arange(40, dtype=np.int32)
build(says, {"x": x}, 40, {"x": x + 1})
