"""Loops with a condition in their body, to be turned into predicates."""

from compiler.kernel import f64, i16, i32, i64, kernel, u8, u32


@kernel
def clip(n: i64, low: i32, high: i32, x: i32[:], y: i32[:]):
    for i in range(n):
        value = x[i]
        if value < low:
            value = low
        elif value > high:
            value = high
        y[i] = value


@kernel
def count_above(n: i64, limit: f64, x: f64[:]) -> i64:
    count = 0
    for i in range(n):
        if x[i] > limit:
            count += 1
    return count


@kernel
def sign(n: i64, x: i32[:], y: i32[:]):
    for i in range(n):
        if x[i] > 0:
            y[i] = 1
        elif x[i] < 0:
            y[i] = -1
        else:
            y[i] = 0


@kernel
def max_abs(n: i64, x: f64[:]) -> f64:
    most = 0.0
    for i in range(n):
        size = abs(x[i])
        if size > most:
            most = size
    return most


@kernel
def branchy_sum(n: i64, x: i32[:]) -> i64:
    """Even elements are added, odd ones subtracted, multiples of eight doubled."""
    total = 0
    for i in range(n):
        value = i64(x[i])
        if value & 1 != 0:
            total -= value
        elif value & 7 == 0:
            total += 2 * value
        else:
            total += value
    return total


@kernel
def histogram(n: i64, data: u8[:], counts: u32[256]):
    for i in range(n):
        counts[data[i]] += 1


@kernel
def rectify(n: i64, x: f64[:], y: f64[:]):
    """x where it is positive, a hundredth of it elsewhere."""
    for i in range(n):
        y[i] = x[i] if x[i] > 0.0 else 0.01 * x[i]


@kernel
def select(n: i64, mask: u8[:], x: i64[:], y: i64[:], z: i64[:]):
    for i in range(n):
        z[i] = x[i] if mask[i] != 0 else y[i]


@kernel
def compact(n: i64, limit: i32, x: i32[:], y: i32[:]) -> i64:
    """The elements below a limit, one after another in y; returns how many."""
    count = 0
    for i in range(n):
        if x[i] < limit:
            y[count] = x[i]
            count += 1
    return count


@kernel
def saturating_add(n: i64, x: i16[:], y: i16[:]):
    for i in range(n):
        total = x[i] + y[i]
        if total > 32767:
            total = 32767
        if total < -32768:
            total = -32768
        y[i] = i16(total)


@kernel
def masked_update(n: i64, a: f64, x: f64[:], y: f64[:]):
    """y += a·x only where y is negative."""
    for i in range(n):
        if y[i] < 0.0:
            y[i] = y[i] + a * x[i]


@kernel
def merge(n: i64, x: i32[:], y: i32[:], z: i32[:]):
    """The first n elements of two ascending sequences merged."""
    a, b = 0, 0
    for i in range(n):
        left, right = x[a], y[b]
        if left <= right:
            z[i] = left
            a += 1
        else:
            z[i] = right
            b += 1


@kernel
def partition(n: i64, pivot: i32, x: i32[:]) -> i64:
    """Elements below the pivot move to the front, by exchanges; returns how many there are."""
    store = 0
    for i in range(n):
        value = x[i]
        if value < pivot:
            x[i] = x[store]
            x[store] = value
            store += 1
    return store


@kernel
def safe_divide(n: i64, x: i32[:], y: i32[:], z: i32[:]):
    """x // y, and 0 where y is 0."""
    for i in range(n):
        z[i] = x[i] // y[i] if y[i] != 0 else 0


@kernel
def second_largest(n: i64, x: i32[:]) -> i32:
    """The larger but one element, equal ones counted twice; of fewer than two, the lowest i32."""
    first: i32 = -2147483648
    second: i32 = -2147483648
    for i in range(n):
        value = x[i]
        if value > first:
            second = first
            first = value
        elif value > second:
            second = value
    return second


@kernel
def dead_zone(n: i64, width: f64, x: f64[:]):
    """Quantize towards 0 by `width`, then keep the size and give back the sign."""
    for i in range(n):
        size = abs(x[i]) - width
        if size < 0.0:
            size = 0.0
        x[i] = -size if x[i] < 0.0 else size
