from compiler.kernel import f64, i64, kernel


@kernel
def axpy(n: i64, a: f64, x: f64[n], y: f64[n]) -> f64:
    total = 0.0
    for i in range(n):
        y[i] = a * x[i] + y[i]
        total = total + y[i]
    return total
