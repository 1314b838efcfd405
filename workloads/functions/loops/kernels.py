"""Kernels of what two functions of `neighbours.py` do; those of the others have workloads."""

from __future__ import annotations

from compiler.kernel import i32, i64, kernel, u8


@kernel
def cell(n: i64, grid: u8[n, n], r: i64, c: i64) -> i32:
    """A cell, or nothing outside."""
    if r >= 0 and r < n and c >= 0 and c < n:
        return i32(grid[r, c])
    return 0


@kernel
def turn(n: i64, old: u8[n, n], new: u8[n, n]):
    for r in range(n):
        for c in range(n):
            around = (
                cell(n, old, r - 1, c - 1) + cell(n, old, r - 1, c) + cell(n, old, r - 1, c + 1)
            )
            around += cell(n, old, r, c - 1) + cell(n, old, r, c + 1)
            around += cell(n, old, r + 1, c - 1) + cell(n, old, r + 1, c)
            around += cell(n, old, r + 1, c + 1)
            new[r, c] = u8(around == 3 or (around == 2 and old[r, c] == 1))


@kernel
def life(pairs: i64, n: i64, grid: u8[n, n], other: u8[n, n]):
    for _ in range(pairs):
        turn(n, grid, other)
        turn(n, other, grid)


@kernel
def odd_even_sort(n: i64, xs: i32[n]):
    for _ in range((n + 1) // 2):
        for first in range(2):
            for i in range(first, n - 1, 2):
                a, b = xs[i], xs[i + 1]
                xs[i] = min(a, b)
                xs[i + 1] = max(a, b)
