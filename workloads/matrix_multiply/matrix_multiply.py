"""c = a·b for square matrices, by the textbook's three loops."""

from __future__ import annotations

from compiler.kernel import f64, fma, i64, kernel


@kernel
def matrix_multiply(n: i64, a: f64[n, n], b: f64[n, n], c: f64[n, n]):
    for row in range(n):
        for column in range(n):
            total = 0.0
            for k in range(n):
                total = fma(a[row, k], b[k, column], total)
            c[row, column] = total
