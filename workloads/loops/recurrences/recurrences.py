"""Recurrences: an element needs those before it, so that iterations overlap only in part."""

from compiler.kernel import f32, f64, fma, i32, i64, kernel, u32, u64


@kernel
def prefix_sum(n: i64, x: i64[:]):
    total = 0
    for i in range(n):
        total += x[i]
        x[i] = total


@kernel
def first_order(n: i64, a: f64, x: f64[:]):
    """x[i] += a·x[i - 1], the element before by memory."""
    for i in range(1, n):
        x[i] = fma(a, x[i - 1], x[i])


@kernel
def second_order(n: i64, a: f64, b: f64, x: f64[:]):
    """x[i] += a·x[i - 1] + b·x[i - 2]."""
    for i in range(2, n):
        x[i] = x[i] + a * x[i - 1] + b * x[i - 2]


@kernel
def every_fourth(n: i64, a: f64, x: f64[:]):
    """x[i + 4] += a·x[i]: four recurrences side by side."""
    for i in range(n):
        x[i + 4] = fma(a, x[i], x[i + 4])


@kernel
def horner(n: i64, x: f64, c: f64[:]) -> f64:
    """Σ c[i]·x^(n - 1 - i)."""
    value = 0.0
    for i in range(n):
        value = fma(value, x, c[i])
    return value


@kernel
def fibonacci(n: i64) -> u64:
    """F(n) modulo 2**64."""
    a: u64 = 0
    b: u64 = 1
    for _ in range(n):
        a, b = b, a + b
    return a


@kernel
def fibonacci_modulo(n: i64, modulus: i64) -> i64:
    a, b = 0, 1
    for _ in range(n):
        following = a + b
        if following >= modulus:
            following -= modulus
        a = b
        b = following
    return a


@kernel
def tridiagonal(n: i64, a: f64[:], b: f64[:], c: f64[:], d: f64[:]):
    """Thomas' algorithm: d becomes the solution of a·x[i-1] + b·x[i] + c·x[i+1] = d."""
    for i in range(1, n):
        factor = a[i] / b[i - 1]
        b[i] = b[i] - factor * c[i - 1]
        d[i] = d[i] - factor * d[i - 1]
    if n > 0:
        d[n - 1] = d[n - 1] / b[n - 1]
    for i in range(n - 2, -1, -1):
        d[i] = (d[i] - c[i] * d[i + 1]) / b[i]


@kernel
def biquad(n: i64, b0: f64, b1: f64, b2: f64, a1: f64, a2: f64, x: f64[:], y: f64[:]):
    """A recursive filter of second order, transposed direct form II."""
    s1, s2 = 0.0, 0.0
    for i in range(n):
        out = b0 * x[i] + s1
        s1 = b1 * x[i] - a1 * out + s2
        s2 = b2 * x[i] - a2 * out
        y[i] = out


@kernel
def smoothing(n: i64, alpha: f32, x: f32[:], y: f32[:]):
    """Exponential smoothing."""
    level: f32 = 0.0
    for i in range(n):
        level += alpha * (x[i] - level)
        y[i] = level


@kernel
def linear_congruential(n: i64, seed: u32, x: u32[:]):
    """Random numbers, x ← 1664525·x + 1013904223 (Numerical Recipes)."""
    state = seed
    for i in range(n):
        state = state * 1664525 + 1013904223
        x[i] = state


@kernel
def xorshift(n: i64, seed: u64) -> u64:
    """Marsaglia's generator of 64 bits (2003) after n steps."""
    state = seed
    for _ in range(n):
        state = state ^ (state << 13)
        state = state ^ (state >> 7)
        state = state ^ (state << 17)
    return state


@kernel
def running_maximum(n: i64, x: i32[:], y: i32[:]):
    most = x[0]
    for i in range(n):
        most = max(most, x[i])
        y[i] = most


@kernel
def delta_decode(n: i64, first: i32, x: i32[:]):
    """Differences of differences back to values."""
    step: i32 = 0
    value = first
    for i in range(n):
        step += x[i]
        value += step
        x[i] = value


@kernel
def modular_power(n: i64, base: i64, modulus: i64) -> i64:
    """baseⁿ modulo a number below 2**31, by n products."""
    value = 1
    for _ in range(n):
        value = value * base % modulus
    return value
