"""The Livermore kernels 13 to 24, from their definitions.

F. H. McMahon, "The Livermore Fortran Kernels: A Computer Test of the Numerical Performance Range",
Lawrence Livermore National Laboratory, UCRL-53745, 1986.  Indices count from 0; where a kernel has
more arrays than a call has registers for, they are rows of one.
"""

from __future__ import annotations

from compiler.kernel import f64, i64, kernel, sqrt


@kernel
def k13(n: i64, p: f64[:, 4], b: f64[64, 64], c: f64[64, 64], y: f64[:], z: f64[:], h: f64[64, 64]):
    """Particles in a plane of 64×64 cells: moved by the fields b and c, then counted in h."""
    for ip in range(n):
        column, row = i64(p[ip, 0]) & 63, i64(p[ip, 1]) & 63
        vx = p[ip, 2] + b[row, column]
        vy = p[ip, 3] + c[row, column]
        p[ip, 2] = vx
        p[ip, 3] = vy
        px, py = p[ip, 0] + vx, p[ip, 1] + vy
        column, row = i64(px) & 63, i64(py) & 63
        p[ip, 0] = px + y[column]
        p[ip, 1] = py + z[row]
        h[row, column] += 1.0


@kernel
def k14(n: i64, flx: f64, grid: f64[:], ex: f64[:], dex: f64[:], place: f64[:], rh: f64[:]):
    """Particles on a line of 2048 cells: moved by the field ex, their charge shared by two cells.

    Two loops, as the charges of two particles may meet.
    """
    for k in range(n):
        cell = i64(grid[k])
        moved = ex[cell] - f64(cell) * dex[cell] + flx
        whole = i64(moved)
        place[k] = f64(whole & 2047) + (moved - f64(whole))
    for k in range(n):
        cell = i64(place[k])
        share = place[k] - f64(cell)
        rh[cell] += 1.0 - share
        rh[cell + 1] += share


@kernel
def k15(n: i64, m: i64, vy: f64[7, m], vs: f64[7, m], vf: f64[7, m], vg: f64[7, m], vh: f64[7, m]):
    """Casual Fortran: two fields, each by the larger of two neighbours on the side it flows from.

    Rows 1 to 5 and columns 1 to n - 1; the last row of vy and the last column of vs are 0.
    """
    ar, br = 0.053, 0.073
    for j in range(1, 6):
        for k in range(1, n):
            t = ar if vh[j + 1, k] > vh[j, k] else br
            if vf[j, k] < vf[j, k - 1]:
                r, s = max(vh[j, k - 1], vh[j + 1, k - 1]), vf[j, k - 1]
            else:
                r, s = max(vh[j, k], vh[j + 1, k]), vf[j, k]
            vy[j, k] = sqrt(vg[j, k] * vg[j, k] + r * r) * t / s
            if k + 1 < n:
                if vf[j, k] < vf[j - 1, k]:
                    r, s, t = max(vg[j - 1, k], vg[j - 1, k + 1]), vf[j - 1, k], br
                else:
                    r, s, t = max(vg[j, k], vg[j, k + 1]), vf[j, k], ar
                vs[j, k] = sqrt(vh[j, k] * vh[j, k] + r * r) * t / s
            else:
                vs[j, k] = 0.0
    for k in range(1, n):
        vy[6, k] = 0.0


@kernel
def k16(n: i64, r: f64, s: f64, t: f64, zones: i64[:], plan: f64[:], d: f64[:]) -> i64:
    """Monte Carlo search: look at zones in turn until one is hit, or all n were looked at.

    Zone k is (direction, number); a number below n is one of the plan, compared with t, s or r by
    thirds, a larger one asks the three distances in d.  The search goes on while the difference
    has the direction's sign.  Returns looks · 65536 + looks at d.
    """
    third = n // 3
    looks, far = 0, 0
    for k in range(n):
        direction, number = zones[2 * k], zones[2 * k + 1]
        looks += 1
        if number < n:
            limit = t if number < third else (s if number < 2 * third else r)
            difference = plan[number] - limit
        else:
            far += 1
            a, b, c = t - d[number - 2], s - d[number - 3], r - d[number - 4]
            difference = d[number] - (d[number - 1] * a * a + b * b + c * c)
        if direction == 0 or (difference < 0.0) != (direction < 0):
            break
    return looks * 65536 + far


@kernel
def k17(
    n: i64, vsp: f64[:], vstp: f64[:], vxne: f64[:], vxnd: f64[:], ve3: f64[:], lines: f64[:, 2]
):
    """Implicit, conditional computation, from the last element to the second."""
    scale = 5.0 / 3.0
    xnm, e6 = 1.0 / 3.0, 1.03 / 3.07
    for i in range(n - 1, 0, -1):
        e3 = xnm * lines[i, 0] + lines[i, 1]
        xnei = vxne[i]
        vxnd[i] = e6
        if xnm > scale * e3 or xnei > scale * e3:
            e6 = xnm * vsp[i] + vstp[i]
            vxne[i] = e6
            ve3[i] = e6
        else:
            ve3[i] = e3
            e6 = e3 + e3 - xnm
            vxne[i] = e3 + e3 - xnei
        xnm = e6


ZA = 0
ZB = 1
ZP = 2
ZQ = 3
ZR = 4
ZM = 5
ZU = 6
ZV = 7
ZZ = 8


@kernel
def k18(n: i64, m: i64, s: f64, t: f64, z: f64[9, 7, m]):
    """Explicit hydrodynamics in the plane: rows 1 to 5, columns 1 to n."""
    for k in range(1, 6):
        for j in range(1, n + 1):
            left = z[ZP, k, j - 1] + z[ZQ, k, j - 1]
            fall = z[ZP, k + 1, j - 1] + z[ZQ, k + 1, j - 1] - left
            mass = z[ZM, k, j - 1] + z[ZM, k + 1, j - 1]
            z[ZA, k, j] = fall * (z[ZR, k, j] + z[ZR, k, j - 1]) / mass
            fall = left - z[ZP, k, j] - z[ZQ, k, j]
            mass = z[ZM, k, j] + z[ZM, k, j - 1]
            z[ZB, k, j] = fall * (z[ZR, k, j] + z[ZR, k - 1, j]) / mass
    for k in range(1, 6):
        for j in range(1, n + 1):
            a, b = z[ZA, k, j], z[ZB, k, j]
            left, below = z[ZA, k, j - 1], z[ZB, k + 1, j]
            here = z[ZZ, k, j]
            around = a * (here - z[ZZ, k, j + 1]) - left * (here - z[ZZ, k, j - 1])
            across = b * (here - z[ZZ, k - 1, j]) - below * (here - z[ZZ, k + 1, j])
            z[ZU, k, j] += s * (around - across)
            here = z[ZR, k, j]
            around = a * (here - z[ZR, k, j + 1]) - left * (here - z[ZR, k, j - 1])
            across = b * (here - z[ZR, k - 1, j]) - below * (here - z[ZR, k + 1, j])
            z[ZV, k, j] += s * (around - across)
    for k in range(1, 6):
        for j in range(1, n + 1):
            z[ZR, k, j] += t * z[ZU, k, j]
            z[ZZ, k, j] += t * z[ZV, k, j]


@kernel
def k19(n: i64, start: f64, b5: f64[:], sa: f64[:], sb: f64[:]):
    """Linear recurrence equations, up and down again."""
    last = start
    for k in range(n):
        b5[k] = sa[k] + last * sb[k]
        last = b5[k] - last
    for k in range(n - 1, -1, -1):
        b5[k] = sa[k] + last * sb[k]
        last = b5[k] - last


Y = 0
G = 1
Z = 2
W = 3
V = 4
U = 5
VX = 6


@kernel
def k20(n: i64, m: i64, dk: f64, s: f64, t: f64, given: f64[7, m], x: f64[:], xx: f64[:]):
    """Discrete ordinates transport; the next xx is between this one and x by a clipped share."""
    for k in range(n):
        di = given[Y, k] - given[G, k] / (xx[k] + dk)
        dn = 0.2
        if di != 0.0:
            dn = max(s, min(given[Z, k] / di, t))
        carried = given[V, k] * dn
        x[k] = ((given[W, k] + carried) * xx[k] + given[U, k]) / (given[VX, k] + carried)
        xx[k + 1] = (x[k] - xx[k]) * dn + xx[k]


@kernel
def k21(n: i64, rows: i64, m: i64, px: f64[rows, m], vy: f64[25, m], cx: f64[rows, 25]):
    """Matrix product, n columns: px += cx·vy."""
    for k in range(25):
        for j in range(rows):
            for i in range(n):
                px[j, i] += cx[j, k] * vy[k, i]


POWERS: f64[32] = [
    1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0, 2048.0, 4096.0, 8192.0,
    16384.0, 32768.0, 65536.0, 131072.0, 262144.0, 524288.0, 1048576.0, 2097152.0, 4194304.0,
    8388608.0, 16777216.0, 33554432.0, 67108864.0, 134217728.0, 268435456.0, 536870912.0,
    1073741824.0, 2147483648.0,
]  # fmt: skip


@kernel
def exponential(x: f64) -> f64:
    """exp(x) for 0 ≤ x ≤ 21: 2**k · exp(r) with |r| ≤ ln 2 / 2, by the series of exp."""
    k = i64(x * 1.4426950408889634 + 0.5)
    r = (x - f64(k) * 0.693147180369123816490) - f64(k) * 1.90821492927058770002e-10
    series = 1.0 + r / 14.0
    series = 1.0 + series * r * 0.07692307692307693
    series = 1.0 + series * r * 0.08333333333333333
    series = 1.0 + series * r * 0.09090909090909091
    series = 1.0 + series * r * 0.1
    series = 1.0 + series * r * 0.1111111111111111
    series = 1.0 + series * r * 0.125
    series = 1.0 + series * r * 0.14285714285714285
    series = 1.0 + series * r * 0.16666666666666666
    series = 1.0 + series * r * 0.2
    series = 1.0 + series * r * 0.25
    series = 1.0 + series * r * 0.3333333333333333
    series = 1.0 + series * r * 0.5
    return POWERS[k] * (1.0 + series * r)


@kernel
def k22(n: i64, w: f64[:], x: f64[:], y: f64[:], u: f64[:], v: f64[:]):
    """Planckian distribution."""
    for k in range(n):
        y[k] = u[k] / v[k]
        w[k] = x[k] / (exponential(y[k]) - 1.0)


@kernel
def k23(
    n: i64,
    m: i64,
    za: f64[7, m],
    zr: f64[7, m],
    zb: f64[7, m],
    zu: f64[7, m],
    zv: f64[7, m],
    zz: f64[7, m],
):
    """Implicit hydrodynamics in the plane: rows 1 to 5, columns 1 to n, in place."""
    for j in range(1, 6):
        for k in range(1, n + 1):
            rows = za[j + 1, k] * zr[j, k] + za[j - 1, k] * zb[j, k]
            columns = za[j, k + 1] * zu[j, k] + za[j, k - 1] * zv[j, k]
            za[j, k] += 0.175 * (rows + columns + zz[j, k] - za[j, k])


@kernel
def k24(n: i64, x: f64[:]) -> i64:
    """Place of the first minimum."""
    place = 0
    for k in range(1, n):
        if x[k] < x[place]:
            place = k
    return place
