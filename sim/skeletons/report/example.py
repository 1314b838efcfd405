"""The sum of the squares of an array."""

from compiler.kernel import f64, i64, kernel


@kernel
def example(n: i64, x: f64[:]) -> f64:
    total: f64 = 0.0
    for i in range(n):
        total += x[i] * x[i]
    return total
