"""Loops over vectors: every element of the result by itself, or a few neighbours."""

from __future__ import annotations

from compiler.kernel import f32, f64, fma, i16, i32, i64, kernel, sqrt, u8


@kernel
def copy(n: i64, x: i64[:], y: i64[:]):
    for i in range(n):
        y[i] = x[i]


@kernel
def scale(n: i64, a: f64, x: f64[:]):
    for i in range(n):
        x[i] = a * x[i]


@kernel
def daxpy(n: i64, a: f64, x: f64[:], y: f64[:]):
    for i in range(n):
        y[i] = fma(a, x[i], y[i])


@kernel
def triad(n: i64, a: f64, x: f64[:], y: f64[:], z: f64[:]):
    """The loop of the STREAM benchmark (McCalpin 1995)."""
    for i in range(n):
        x[i] = y[i] + a * z[i]


@kernel
def swap(n: i64, x: f64[:], y: f64[:]):
    for i in range(n):
        x[i], y[i] = y[i], x[i]


@kernel
def rotate_plane(n: i64, c: f64, s: f64, x: f64[:], y: f64[:]):
    """A Givens rotation of two vectors."""
    for i in range(n):
        turned = c * x[i] + s * y[i]
        y[i] = c * y[i] - s * x[i]
        x[i] = turned


@kernel
def complex_multiply(n: i64, a: f64[:, 2], b: f64[:, 2], c: f64[:, 2]):
    """c = a·b; a number is (real, imaginary)."""
    for i in range(n):
        c[i, 0] = a[i, 0] * b[i, 0] - a[i, 1] * b[i, 1]
        c[i, 1] = a[i, 0] * b[i, 1] + a[i, 1] * b[i, 0]


@kernel
def fir(n: i64, c0: f64, c1: f64, c2: f64, c3: f64, x: f64[:], y: f64[:]):
    """A filter of four taps."""
    for i in range(n):
        y[i] = c0 * x[i + 3] + c1 * x[i + 2] + c2 * x[i + 1] + c3 * x[i]


@kernel
def convolution(n: i64, taps: i64, c: f32[:], x: f32[:], y: f32[:]):
    """y[i] = Σ c[k]·x[i + k] for k < taps."""
    for i in range(taps):
        total: f32 = 0.0
        for k in range(n):
            total = fma(c[k], x[i + k], total)
        y[i] = total


@kernel
def stencil_1d(n: i64, x: f64[:], y: f64[:]):
    for i in range(n):
        y[i] = (x[i] + x[i + 1] + x[i + 2]) * 0.3333333333333333


@kernel
def lerp(n: i64, t: f32, x: f32[:], y: f32[:], z: f32[:]):
    """Between x and y, at t."""
    for i in range(n):
        z[i] = x[i] + t * (y[i] - x[i])


@kernel
def alpha_blend(n: i64, alpha: i32, x: u8[:], y: u8[:]):
    """Images of bytes: y = (alpha·x + (256 - alpha)·y) / 256."""
    for i in range(n):
        y[i] = u8((alpha * x[i] + (256 - alpha) * y[i]) >> 8)


@kernel
def to_float(n: i64, gain: f32, x: i16[:], y: f32[:]):
    """Samples of sound."""
    for i in range(n):
        y[i] = gain * f32(x[i])


@kernel
def distance(n: i64, x: f64[:], y: f64[:], r: f64[:]):
    """The length of (x, y)."""
    for i in range(n):
        r[i] = sqrt(x[i] * x[i] + y[i] * y[i])


@kernel
def gather(n: i64, index: i32[:], x: f64[:], y: f64[:]):
    for i in range(n):
        y[i] = x[index[i]]


@kernel
def scatter(n: i64, index: i32[:], x: f64[:], y: f64[:]):
    for i in range(n):
        y[index[i]] = x[i]


@kernel
def reverse(n: i64, x: i32[:], y: i32[:]):
    for i in range(n):
        y[i] = x[n - 1 - i]


@kernel
def sparse_row(n: i64, column: i64[:], value: f64[:], x: f64[:]) -> f64:
    """A row of a sparse matrix times a vector."""
    total = 0.0
    for k in range(n):
        total = fma(value[k], x[column[k]], total)
    return total
