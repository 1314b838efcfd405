"""Reductions: many elements become one number."""

from compiler.kernel import f32, f64, fma, i32, i64, kernel, u8, u64


@kernel
def sum_i64(n: i64, x: i64[:]) -> i64:
    total = 0
    for i in range(n):
        total += x[i]
    return total


@kernel
def sum_i32(n: i64, x: i32[:]) -> i64:
    total = 0
    for i in range(n):
        total += x[i]
    return total


@kernel
def sum_f64(n: i64, x: f64[:]) -> f64:
    total = 0.0
    for i in range(n):
        total += x[i]
    return total


@kernel
def sum_of_four(n: i64, x: f64[:]) -> f64:
    """Four sums at once, so that the additions need not wait for each other; 4·n elements."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    for i in range(0, 4 * n, 4):
        a += x[i]
        b += x[i + 1]
        c += x[i + 2]
        d += x[i + 3]
    return (a + b) + (c + d)


@kernel
def dot(n: i64, x: f64[:], y: f64[:]) -> f64:
    total = 0.0
    for i in range(n):
        total = fma(x[i], y[i], total)
    return total


@kernel
def dot_i32(n: i64, x: i32[:], y: i32[:]) -> i64:
    total = 0
    for i in range(n):
        total += i64(x[i]) * i64(y[i])
    return total


@kernel
def minimum(n: i64, x: i64[:]) -> i64:
    least = x[0]
    for i in range(n):
        least = min(least, x[i])
    return least


@kernel
def maximum(n: i64, x: f64[:]) -> f64:
    most = x[0]
    for i in range(n):
        most = max(most, x[i])
    return most


@kernel
def argmax(n: i64, x: i32[:]) -> i64:
    """Place of the first maximum."""
    place = 0
    most = x[0]
    for i in range(n):
        if x[i] > most:
            most = x[i]
            place = i
    return place


@kernel
def range_of(n: i64, x: i32[:]) -> i64:
    """The maximum less the minimum."""
    least, most = x[0], x[0]
    for i in range(n):
        least = min(least, x[i])
        most = max(most, x[i])
    return i64(most) - i64(least)


@kernel
def exclusive_or(n: i64, x: u64[:]) -> u64:
    folded: u64 = 0
    for i in range(n):
        folded = folded ^ x[i]
    return folded


@kernel
def product(n: i64, x: f64[:]) -> f64:
    total = 1.0
    for i in range(n):
        total *= x[i]
    return total


@kernel
def squares(n: i64, x: f64[:]) -> f64:
    """The squared Euclidean norm."""
    total = 0.0
    for i in range(n):
        total = fma(x[i], x[i], total)
    return total


@kernel
def sum_abs(n: i64, x: f32[:]) -> f32:
    total: f32 = 0.0
    for i in range(n):
        total += abs(x[i])
    return total


@kernel
def complex_dot(n: i64, x: f64[:], y: f64[:]) -> f64:
    """|Σ x·y|² of complex numbers, real and imaginary parts in turn."""
    real, imaginary = 0.0, 0.0
    for i in range(0, 2 * n, 2):
        real += x[i] * y[i] - x[i + 1] * y[i + 1]
        imaginary += x[i] * y[i + 1] + x[i + 1] * y[i]
    return real * real + imaginary * imaginary


@kernel
def sum_of_differences(n: i64, x: u8[:], y: u8[:]) -> i64:
    """Σ |x - y| of two blocks of an image, as motion estimation compares them."""
    total = 0
    for i in range(n):
        total += abs(x[i] - y[i])
    return total


@kernel
def any_set(n: i64, x: i32[:]) -> i32:
    """All elements by 'or'."""
    found = 0
    for i in range(n):
        found = found | x[i]
    return i32(found)
