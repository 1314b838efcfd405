"""The scalar product of two vectors."""

from compiler.kernel import f64, fma, i64, kernel


@kernel
def dot_product(n: i64, x: f64[:], y: f64[:]) -> f64:
    total = 0.0
    for i in range(n):
        total = fma(x[i], y[i], total)
    return total
