"""Loops of `workloads/loops`, and four workloads, as functions of arrays or of one element."""

from __future__ import annotations

from compiler.kernel import f32, f64, fma, function, i16, i32, i64, reduce, scatter, sqrt, u8


@function
def triad(a: f64, y: f64, z: f64) -> f64:
    return y + a * z


@function
def lerp(t: f32, x: f32, y: f32) -> f32:
    return x + t * (y - x)


@function
def alpha_blend(alpha: i32, x: u8, y: u8) -> u8:
    return u8((alpha * x + (256 - alpha) * y) >> 8)


@function
def to_float(gain: f32, x: i16) -> f32:
    return gain * f32(x)


@function
def distance(x: f64, y: f64) -> f64:
    return sqrt(x * x + y * y)


@function
def clip(low: i32, high: i32, x: i32) -> i32:
    value = x
    if value < low:
        value = low
    elif value > high:
        value = high
    return value


@function
def rectify(x: f64) -> f64:
    return x if x > 0.0 else 0.01 * x


@function
def select(mask: u8, x: i64, y: i64) -> i64:
    return x if mask != 0 else y


@function
def safe_divide(x: i32, y: i32) -> i32:
    return x // y if y != 0 else 0


@function
def compact(limit: i32, x: i32[:]) -> i32[:]:
    return [v for v in x if v < limit]


@function
def count_above(limit: f64, x: f64[:]) -> i64:
    return sum([i64(v > limit) for v in x])


@function
def max_abs(x: f64[:]) -> f64:
    return reduce(lambda most, v: max(most, abs(v)), 0.0, x)


@function
def sum_i32(x: i32[:]) -> i64:
    return sum([i64(v) for v in x])


@function
def dot_product(x: f64[:], y: f64[:]) -> f64:
    return reduce(lambda total, pair: fma(pair[0], pair[1], total), 0.0, zip(x, y))


@function
def saxpy(a: f32, x: f32, y: f32) -> f32:
    return a * x + y


@function
def escape_time(cx: f64, cy: f64, limit: i32) -> i32:
    x, y = 0.0, 0.0
    xx, yy = 0.0, 0.0
    count = 0
    while count < i64(limit) and xx + yy <= 4.0:
        y = 2.0 * x * y + cy
        x = xx - yy + cx
        xx = x * x
        yy = y * y
        count += 1
    return i32(count)


@function
def mandelbrot(rows: i64, columns: i64, left: f64, top: f64, step: f64, limit: i32) -> i32[:][:]:
    return [
        [
            escape_time(left + f64(column) * step, top - f64(row) * step, limit)
            for column in range(columns)
        ]
        for row in range(rows)
    ]


@function
def sweep_row(up: f64[:], row: f64[:], down: f64[:]) -> f64[:]:
    n = len(row)
    inner = [0.25 * ((up[c] + down[c]) + (row[c - 1] + row[c + 1])) for c in range(1, n - 1)]
    return scatter(row, range(1, n - 1), inner)


@function
def sweep(old: f64[:, :]) -> f64[:, :]:
    n = len(old)
    return [
        sweep_row(old[r - 1], old[r], old[r + 1]) if 0 < r < n - 1 else old[r] for r in range(n)
    ]


@function
def stencil_2d(pairs: i64, grid: f64[:, :]) -> f64[:, :]:
    for _ in range(pairs):
        grid = sweep(sweep(grid))
    return grid
