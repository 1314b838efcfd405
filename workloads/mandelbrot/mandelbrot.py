"""The Mandelbrot set by escape time."""

from __future__ import annotations

from compiler.kernel import f64, i32, i64, kernel


@kernel
def escape_time(cx: f64, cy: f64, limit: i32) -> i32:
    """How often z = z² + c may be applied, from 0, while |z| ≤ 2; at most `limit`."""
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


@kernel
def mandelbrot(
    rows: i64,
    columns: i64,
    left: f64,
    top: f64,
    step: f64,
    limit: i32,
    counts: i32[rows, columns],
):
    for row in range(rows):
        for column in range(columns):
            cx = left + f64(column) * step
            cy = top - f64(row) * step
            counts[row, column] = escape_time(cx, cy, limit)
