"""Oracles of loops over floats: whole rows at once, or the linear system that a recurrence solves.

The loops stand in `workloads/loops`; `registry.py` says what an oracle is.
"""

from __future__ import annotations

from machines.later import Later
from sim.oracles.registry import (
    Array,
    FloatCube,
    FloatGrid,
    Floats,
    Integer,
    Integers,
    Real,
    oracle,
)

np = Later("numpy")


def _recurrence(coefficients: Array, terms: Array) -> Array:
    """y[i] = terms[i] + Σ coefficients[i, k]·y[i - 1 - k], as a triangular system."""
    count = len(terms)
    system = np.eye(count)
    for k in range(coefficients.shape[1]):
        rows = np.arange(k + 1, count)
        system[rows, rows - 1 - k] = -coefficients[k + 1 :, k]
    return np.linalg.solve(system, terms)


@oracle("linear_recurrence")
def linear_recurrence(coefficients: FloatGrid, terms: Floats) -> Array:
    """y[i] = terms[i] + Σ coefficients[i, k]·y[i - 1 - k], f64[n] from f64[n, order]."""
    return _recurrence(coefficients, terms.astype(np.float64))


@oracle("full_recurrence")
def full_recurrence(b: FloatGrid, w: Floats) -> Array:
    """w[i] + Σ b[k, i]·y[i - k - 1] over all k < i, in f64[n]."""
    count = len(w)
    row, column = np.indices((count, count))
    lower = np.where(column < row, b[(row - column - 1) % len(b), row], 0.0)
    return np.linalg.solve(np.eye(count) - lower, w)


@oracle("recurrence_up_and_down")
def recurrence_up_and_down(start: Real, sa: Floats, sb: Floats) -> Array:
    """Livermore kernel 19: s ← sa + s·(sb - 1) upwards from `start`, then downwards; sa + s·sb."""
    state = start
    for order in (slice(None), slice(None, None, -1)):
        a, factors = sa[order], sb[order] - 1.0
        terms = np.concatenate([[a[0] + state * factors[0]], a[1:]])
        states = _recurrence(factors[:, None], terms)
        before = np.concatenate([[state], states[:-1]])
        state = states[-1]
    return (sa[::-1] + before * sb[::-1])[::-1]


@oracle("solve")
def solution(matrix: FloatGrid, right: Floats) -> Array:
    """x of matrix·x = right, by numpy."""
    return np.linalg.solve(matrix, right)


@oracle("tridiagonal_solution")
def tridiagonal_solution(a: Floats, b: Floats, c: Floats, d: Floats) -> Array:
    """x of a[i]·x[i - 1] + b[i]·x[i] + c[i]·x[i + 1] = d[i]."""
    return np.linalg.solve(np.diag(a[1:], -1) + np.diag(b) + np.diag(c[:-1], 1), d)


@oracle("pivots")
def pivots(a: Floats, b: Floats, c: Floats) -> Array:
    """The pivots of a tridiagonal matrix, by its symmetric minors: b[i] less the Schur complement.

    Bordering: the last entry of the inverse of a leading minor is 1 / pivot.
    """
    matrix = np.diag(a[1:], -1) + np.diag(b) + np.diag(c[:-1], 1)
    near = 60  # what is farther away does not count: the matrix is dominated by its diagonal
    return np.array(
        [
            1.0 / np.linalg.inv(matrix[max(0, i - near) : i + 1, max(0, i - near) : i + 1])[-1, -1]
            for i in range(len(b))
        ]
    )


@oracle("conjugate_gradient_levels")
def conjugate_gradient_levels(n: Integer, x: Floats, v: Floats) -> Array:
    """Livermore kernel 2, a level at a time; its last element may see its first."""
    x, end, length = x.copy(), 0, n
    while length > 1:
        k = np.arange(end + 1, end + length, 2)
        end += length
        length >>= 1
        level = x[k] - v[k] * x[k - 1] - v[k + 1] * x[k + 1]
        if len(k) > 1 and k[-1] + 1 == end:
            level[-1] = x[k[-1]] - v[k[-1]] * x[k[-1] - 1] - v[end] * level[0]
        x[end : end + len(level)] = level
    return x


@oracle("banded_rows")
def banded_rows(n: Integer, bands: Integer, stride: Integer, x: Floats, y: Floats) -> Array:
    """Livermore kernel 4: the last element of each band by a scalar product."""
    x = x.copy()
    for first in range(0, bands * stride, stride):
        x[first + 5] = y[4] * (x[first + 5] - x[first : first + n] @ y[4 : 4 + 5 * n : 5])
    return x


@oracle("direction_implicit")
def direction_implicit(
    n: Integer, sig: Real, a: FloatGrid, u1: FloatCube, u2: FloatCube, u3: FloatCube, which: Integer
) -> Array:
    """Livermore kernel 8: array `which` (0, 1, 2) after the step."""
    old = np.stack([u1[0], u2[0], u3[0]])
    difference = old[:, 2 : n + 2, 1:3] - old[:, :n, 1:3]
    here = old[:, 1 : n + 1]
    bend = here[:, :, 2:4] - 2.0 * here[:, :, 1:3] + here[:, :, 0:2]
    new = (u1, u2, u3)[which].copy()
    new[1, 1 : n + 1, 1:3] = (
        here[which, :, 1:3] + np.tensordot(a[which], difference, 1) + sig * bend[which]
    )
    return new


def _moved(p: Array, b: Array, c: Array) -> Array:
    """Particles f64[n, 4] after the fields moved them."""
    row, column = p[:, 1].astype(int) & 63, p[:, 0].astype(int) & 63
    speed = p[:, 2:] + np.stack([b[row, column], c[row, column]], axis=1)
    return np.concatenate([p[:, :2] + speed, speed], axis=1)


@oracle("particles")
def particles(p: FloatGrid, b: FloatGrid, c: FloatGrid, y: Floats, z: Floats) -> Array:
    """Livermore kernel 13: the particles at the end."""
    moved = _moved(p, b, c)
    cells = moved[:, :2].astype(int) & 63
    moved[:, 0] += y[cells[:, 0]]
    moved[:, 1] += z[cells[:, 1]]
    return moved


@oracle("particles_in_cells")
def particles_in_cells(p: FloatGrid, b: FloatGrid, c: FloatGrid, h: FloatGrid) -> Array:
    """Livermore kernel 13: how many particles came to each cell."""
    cells = _moved(p, b, c)[:, :2].astype(int) & 63
    counted = h.copy()
    np.add.at(counted, (cells[:, 1], cells[:, 0]), 1.0)
    return counted


@oracle("shared_charge")
def shared_charge(place: Floats, rh: Floats) -> Array:
    """Livermore kernel 14: every particle's charge in two cells, by its distance."""
    cell = place.astype(int)
    share = place - cell
    size = len(rh)
    return rh + np.bincount(cell, 1.0 - share, size) + np.bincount(cell + 1, share, size)


@oracle("upwind")
def upwind(
    n: Integer, vf: FloatGrid, vg: FloatGrid, vh: FloatGrid, old: FloatGrid, which: Integer
) -> Array:
    """Livermore kernel 15: vy (which 0) or vs (which 1), by numpy's where."""
    ar, br = 0.053, 0.073
    new = old.copy()
    here = (slice(1, 6), slice(1, n))
    if which == 0:
        pairs = np.maximum(vh[1:6], vh[2:7])
        leftwards = vf[1:6, 1:n] < vf[1:6, : n - 1]
        r = np.where(leftwards, pairs[:, : n - 1], pairs[:, 1:n])
        s = np.where(leftwards, vf[1:6, : n - 1], vf[here])
        t = np.where(vh[2:7, 1:n] > vh[here], ar, br)
        new[here] = np.hypot(vg[here], r) * t / s
        new[6, 1:n] = 0.0
        return new
    inner = slice(1, n - 1)
    pairs = np.maximum(vg[:, 1 : n - 1], vg[:, 2:n])
    downwards = vf[1:6, inner] < vf[0:5, inner]
    r = np.where(downwards, pairs[0:5], pairs[1:6])
    s = np.where(downwards, vf[0:5, inner], vf[1:6, inner])
    new[1:6, inner] = np.hypot(vh[1:6, inner], r) * np.where(downwards, br, ar) / s
    new[1:6, n - 1] = 0.0
    return new


@oracle("zone_search")
def zone_search(
    n: Integer, r: Real, s: Real, t: Real, zones: Integers, plan: Floats, d: Floats
) -> int:
    """Livermore kernel 16: all differences at once, then the first zone that ends the search."""
    direction, number = zones[0 : 2 * n : 2], zones[1 : 2 * n : 2]
    third = n // 3
    limit = np.select([number < third, number < 2 * third], [t, s], r)
    far = number >= n
    position = np.where(far, number, 4)
    squares = d[position - 1] * (t - d[position - 2]) ** 2 + (s - d[position - 3]) ** 2
    distant = d[position] - (squares + (r - d[position - 4]) ** 2)
    difference = np.where(far, distant, plan[np.where(far, 0, number)] - limit)
    ends = np.flatnonzero((direction == 0) | ((difference < 0) != (direction < 0)))
    looks = int(ends[0]) + 1 if len(ends) else n
    return looks * 65536 + int(far[:looks].sum())


@oracle("conditional_computation")
def conditional_computation(
    vsp: Floats, vstp: Floats, vxne: Floats, old: Floats, lines: FloatGrid, which: Integer
) -> Array:
    """Livermore kernel 17: vxne, vxnd or ve3 (which 0, 1, 2), whose initial values are `old`."""
    outputs = (vxne.copy(), old.copy(), old.copy())
    new_vxne, vxnd, ve3 = outputs
    carried, shown = 1.0 / 3.0, 1.03 / 3.07
    for i in reversed(range(1, len(vsp))):
        vxnd[i] = shown
        middle = carried * lines[i, 0] + lines[i, 1]
        if max(carried, vxne[i]) > 5.0 / 3.0 * middle:
            ve3[i] = new_vxne[i] = shown = vsp[i] * carried + vstp[i]
        else:
            ve3[i], new_vxne[i], shown = middle, 2.0 * middle - vxne[i], 2.0 * middle - carried
        carried = shown
    return outputs[which]


@oracle("hydrodynamics")
def hydrodynamics(n: Integer, s: Real, t: Real, z: FloatCube) -> Array:
    """Livermore kernel 18: the nine fields after a step, whole planes at once."""
    z = z.copy()
    za, zb, zp, zq, zr, zm, zu, zv, zz = z

    def at(field: Array, down: int = 0, right: int = 0) -> Array:
        return field[1 + down : 6 + down, 1 + right : n + 1 + right]

    pressure = zp + zq
    at(za)[:] = (at(pressure, 1, -1) - at(pressure, 0, -1)) * (at(zr) + at(zr, 0, -1))
    at(za)[:] /= at(zm, 0, -1) + at(zm, 1, -1)
    at(zb)[:] = (at(pressure, 0, -1) - at(pressure)) * (at(zr) + at(zr, -1))
    at(zb)[:] /= at(zm) + at(zm, 0, -1)
    for speed, field in ((zu, zz), (zv, zr)):
        here = at(field)
        flow = at(za) * (here - at(field, 0, 1)) - at(za, 0, -1) * (here - at(field, 0, -1))
        flow += at(zb, 1) * (here - at(field, 1)) - at(zb) * (here - at(field, -1))
        at(speed)[:] += s * flow
    at(zr)[:] += t * at(zu)
    at(zz)[:] += t * at(zv)
    return z


@oracle("transport")
def transport(
    dk: Real, s: Real, t: Real, given: FloatGrid, x: Floats, xx: Floats, which: Integer
) -> Array:
    """Livermore kernel 20: x or xx (which 0, 1); xx[k + 1] is a mean of xx[k] and x[k]."""
    x, xx = x.copy(), xx.copy()
    for k, (y, g, z, w, v, u, vx) in enumerate(given.T):
        gap = y - g / (xx[k] + dk)
        share = 0.2 if gap == 0 else np.clip(z / gap, s, t)
        x[k] = np.dot([w + v * share, u], [xx[k], 1.0]) / (vx + v * share)
        xx[k + 1] = (1.0 - share) * xx[k] + share * x[k]
    return (x, xx)[which]


@oracle("implicit_rows")
def implicit_rows(
    n: Integer, za: FloatGrid, zr: FloatGrid, zb: FloatGrid, zu: FloatGrid, zv: FloatGrid,
    zz: FloatGrid,
) -> Array:  # fmt: skip
    """Livermore kernel 23: a row at a time, the elements of which solve a bidiagonal system."""
    za = za.copy()
    k = slice(1, n + 1)
    for j in range(1, 6):
        known = za[j + 1, k] * zr[j, k] + za[j - 1, k] * zb[j, k] + za[j, 2 : n + 2] * zu[j, k]
        terms = 0.825 * za[j, k] + 0.175 * (known + zz[j, k])
        terms[0] += 0.175 * za[j, 0] * zv[j, 1]
        za[j, k] = _recurrence(0.175 * zv[j, k][:, None], terms)
    return za


@oracle("gauss_seidel")
def gauss_seidel(a: FloatGrid) -> Array:
    """One sweep of the mean of nine neighbours in place: each row solves a bidiagonal system."""
    a = a.copy()
    rows, columns = a.shape
    ninth = np.full((columns - 2, 1), 1.0 / 9.0)
    for i in range(1, rows - 1):
        sums = a[i - 1] + a[i + 1]
        known = sums[:-2] + sums[1:-1] + sums[2:] + a[i, 1:-1] + a[i, 2:]
        known[0] += a[i, 0]
        a[i, 1:-1] = _recurrence(ninth, known / 9.0)
    return a


@oracle("levinson_durbin")
def levinson_durbin(r: Floats) -> Array:
    """y of T·y = -r, where T is the symmetric Toeplitz matrix of 1, r[0], r[1], …"""
    first = np.concatenate([[1.0], r[:-1]])
    row, column = np.indices((len(r), len(r)))
    return np.linalg.solve(first[abs(row - column)], -r)


@oracle("lu_factors")
def lu_factors(a: FloatGrid) -> Array:
    """L and U in one matrix, without pivots, by halves: the Schur complement of the first."""
    if len(a) == 1:
        return a.copy()
    half = len(a) // 2
    first = lu_factors(a[:half, :half])
    lower, upper = np.tril(first, -1) + np.eye(half), np.triu(first)
    right = np.linalg.solve(lower, a[:half, half:])
    left = np.linalg.solve(upper.T, a[half:, :half].T).T
    return np.block([[first, right], [left, lu_factors(a[half:, half:] - left @ right)]])


@oracle("means_of_three")
def means_of_three(a: Floats, b: Floats, pairs: Integer, which: Integer) -> Array:
    """jacobi_1d: a or b (which 0, 1) after sweeps from a to b and back."""
    a, b = a.copy(), b.copy()
    mean = np.full(3, 0.33333)
    for _ in range(pairs):
        b[1:-1] = np.convolve(a, mean, "valid")
        a[1:-1] = np.convolve(b, mean, "valid")
    return (a, b)[which]


@oracle("maxwell_step")
def maxwell_step(ex: FloatGrid, ey: FloatGrid, hz: FloatGrid, which: Integer) -> Array:
    """fdtd_2d: ex, ey or hz (which 0, 1, 2) after a step."""
    ex, ey, hz = ex.copy(), ey.copy(), hz.copy()
    ey[1:] -= 0.5 * np.diff(hz, axis=0)
    ex[:, 1:] -= 0.5 * np.diff(hz, axis=1)
    hz[:-1, :-1] -= 0.7 * (np.diff(ex, axis=1)[:-1] + np.diff(ey, axis=0)[:, :-1])
    return (ex, ey, hz)[which]


@oracle("arithmetic_geometric_mean")
def arithmetic_geometric_mean(a: Floats, b: Floats) -> Array:
    """By Gauss' integral, π / (2·∫ dθ / √(a²cos²θ + b²sin²θ)) over a quarter turn."""
    theta = (np.arange(2000) + 0.5) * (np.pi / 4000)
    root = np.hypot(a[:, None] * np.cos(theta), b[:, None] * np.sin(theta))
    return 1.0 / (1.0 / root).mean(axis=1)
