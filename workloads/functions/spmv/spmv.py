from __future__ import annotations

from compiler.kernel import f32, function, i32


@function
def spmv(rows: tuple[i32, f32][:][:], x: f32[:]) -> f32[:]:
    """A sparse matrix, whose rows are pairs of a column and a value, times a vector."""
    return [sum([v * x[j] for j, v in row]) for row in rows]
