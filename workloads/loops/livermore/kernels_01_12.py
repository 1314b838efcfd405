"""The Livermore kernels 1 to 12, from their definitions.

F. H. McMahon, "The Livermore Fortran Kernels: A Computer Test of the Numerical Performance Range",
Lawrence Livermore National Laboratory, UCRL-53745, 1986.  Indices count from 0.
"""

from __future__ import annotations

from compiler.kernel import f64, i64, kernel


@kernel
def k01(n: i64, q: f64, r: f64, t: f64, x: f64[:], y: f64[:], z: f64[:]):
    """Hydrodynamics fragment."""
    for k in range(n):
        x[k] = q + y[k] * (r * z[k + 10] + t * z[k + 11])


@kernel
def k02(n: i64, x: f64[:], v: f64[:]):
    """Incomplete Cholesky, conjugate gradient: every level is half as long as the one before."""
    end, length = 0, n
    while length > 1:
        begin = end
        end += length
        length = length >> 1
        i = end
        for k in range(begin + 1, end, 2):
            x[i] = x[k] - v[k] * x[k - 1] - v[k + 1] * x[k + 1]
            i += 1


@kernel
def k03(n: i64, z: f64[:], x: f64[:]) -> f64:
    """Inner product."""
    q = 0.0
    for k in range(n):
        q += z[k] * x[k]
    return q


@kernel
def k04(n: i64, bands: i64, stride: i64, x: f64[:], y: f64[:]):
    """Banded linear equations: `bands` rows of n coefficients, every fifth of y."""
    for band in range(bands):
        row = 6 + band * stride
        total = x[row - 1]
        for j in range(n):
            total -= x[row - 6 + j] * y[5 * j + 4]
        x[row - 1] = y[4] * total


@kernel
def k05(n: i64, x: f64[:], y: f64[:], z: f64[:]):
    """Tridiagonal elimination below the diagonal."""
    for i in range(1, n):
        x[i] = z[i] * (y[i] - x[i - 1])


@kernel
def k06(n: i64, m: i64, w: f64[:], b: f64[:, m]):
    """General linear recurrence: w[i] += Σ b[k, i]·w[i - k - 1] for k < i < n."""
    for i in range(1, n):
        total = w[i]
        for k in range(i):
            total += b[k, i] * w[i - k - 1]
        w[i] = total


@kernel
def k07(n: i64, q: f64, r: f64, t: f64, x: f64[:], y: f64[:], z: f64[:], u: f64[:]):
    """Equation of state fragment."""
    for k in range(n):
        near = u[k + 3] + r * (u[k + 2] + r * u[k + 1])
        far = u[k + 6] + q * (u[k + 5] + q * u[k + 4])
        x[k] = u[k] + r * (z[k] + r * y[k]) + t * (near + t * far)


@kernel
def k08(
    n: i64,
    m: i64,
    sig: f64,
    a: f64[3, 3],
    u1: f64[2, m, 5],
    u2: f64[2, m, 5],
    u3: f64[2, m, 5],
):
    """Alternating direction implicit integration: plane 1 of u1, u2 and u3 from plane 0."""
    for kx in range(1, 3):
        for ky in range(1, n + 1):
            du1 = u1[0, ky + 1, kx] - u1[0, ky - 1, kx]
            du2 = u2[0, ky + 1, kx] - u2[0, ky - 1, kx]
            du3 = u3[0, ky + 1, kx] - u3[0, ky - 1, kx]
            bend1 = u1[0, ky, kx + 1] - 2.0 * u1[0, ky, kx] + u1[0, ky, kx - 1]
            bend2 = u2[0, ky, kx + 1] - 2.0 * u2[0, ky, kx] + u2[0, ky, kx - 1]
            bend3 = u3[0, ky, kx + 1] - 2.0 * u3[0, ky, kx] + u3[0, ky, kx - 1]
            turn1 = a[0, 0] * du1 + a[0, 1] * du2 + a[0, 2] * du3
            turn2 = a[1, 0] * du1 + a[1, 1] * du2 + a[1, 2] * du3
            turn3 = a[2, 0] * du1 + a[2, 1] * du2 + a[2, 2] * du3
            u1[1, ky, kx] = u1[0, ky, kx] + turn1 + sig * bend1
            u2[1, ky, kx] = u2[0, ky, kx] + turn2 + sig * bend2
            u3[1, ky, kx] = u3[0, ky, kx] + turn3 + sig * bend3


@kernel
def k09(
    n: i64,
    dm22: f64,
    dm23: f64,
    dm24: f64,
    dm25: f64,
    dm26: f64,
    dm27: f64,
    dm28: f64,
    c0: f64,
    px: f64[:, 13],
):
    """Integrate predictors."""
    for i in range(n):
        high = dm28 * px[i, 12] + dm27 * px[i, 11] + dm26 * px[i, 10] + dm25 * px[i, 9]
        low = dm24 * px[i, 8] + dm23 * px[i, 7] + dm22 * px[i, 6]
        px[i, 0] = high + low + c0 * (px[i, 4] + px[i, 5]) + px[i, 2]


@kernel
def k10(n: i64, px: f64[:, 14], cx: f64[:, 14]):
    """Difference predictors: each column takes the difference of the new and the old one before."""
    for i in range(n):
        d4 = cx[i, 4]
        d5 = d4 - px[i, 4]
        px[i, 4] = d4
        d6 = d5 - px[i, 5]
        px[i, 5] = d5
        d7 = d6 - px[i, 6]
        px[i, 6] = d6
        d8 = d7 - px[i, 7]
        px[i, 7] = d7
        d9 = d8 - px[i, 8]
        px[i, 8] = d8
        d10 = d9 - px[i, 9]
        px[i, 9] = d9
        d11 = d10 - px[i, 10]
        px[i, 10] = d10
        d12 = d11 - px[i, 11]
        px[i, 11] = d11
        px[i, 13] = d12 - px[i, 12]
        px[i, 12] = d12


@kernel
def k11(n: i64, x: f64[:], y: f64[:]):
    """First sum."""
    total = 0.0
    for k in range(n):
        total += y[k]
        x[k] = total


@kernel
def k12(n: i64, x: f64[:], y: f64[:]):
    """First difference."""
    for k in range(n):
        x[k] = y[k + 1] - y[k]
