from compiler.kernel import f64, i64, kernel


@kernel
def dot(n: i64, a: f64[n], b: f64[n], quotients: i64[n]) -> f64:
    total: f64 = 0.0
    for i in range(n):
        total += a[i] * b[i]
        if i > 2:
            quotients[i] = 1000 // i
    return total
