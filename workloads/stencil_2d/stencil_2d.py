"""Jacobi sweeps of the five-point stencil, to and fro between two grids."""

from __future__ import annotations

from compiler.kernel import f64, i64, kernel


@kernel
def sweep(n: i64, old: f64[n, n], new: f64[n, n]):
    for row in range(1, n - 1):
        for column in range(1, n - 1):
            vertical = old[row - 1, column] + old[row + 1, column]
            horizontal = old[row, column - 1] + old[row, column + 1]
            new[row, column] = 0.25 * (vertical + horizontal)


@kernel
def copy_border(n: i64, old: f64[n, n], new: f64[n, n]):
    for i in range(n):
        new[0, i] = old[0, i]
        new[n - 1, i] = old[n - 1, i]
        new[i, 0] = old[i, 0]
        new[i, n - 1] = old[i, n - 1]


@kernel
def stencil_2d(n: i64, pairs: i64, grid: f64[n, n], scratch: f64[n, n]):
    """`pairs` times two sweeps; the result is in `grid`."""
    copy_border(n, grid, scratch)
    for _ in range(pairs):
        sweep(n, grid, scratch)
        sweep(n, scratch, grid)
