"""Quicksort with an explicit stack: median of three, insertion sort for short ranges."""

from compiler.kernel import i32, i64, kernel

SHORT = 12  # ranges of at most this many elements are left to insertion sort


@kernel
def insertion_sort(values: i32[:], first: i64, last: i64):
    """Sort values[first … last]."""
    for i in range(first + 1, last + 1):
        value = values[i]
        j = i
        while j > first and values[j - 1] > value:
            values[j] = values[j - 1]
            j -= 1
        values[j] = value


@kernel
def median_of_three(a: i32, b: i32, c: i32) -> i32:
    return max(min(a, b), min(max(a, b), c))


@kernel
def quicksort(n: i64, values: i32[:]):
    """Sort values[0 … n - 1] in ascending order.

    The longer part waits on the stack, so that it never holds more than log2 n ranges.
    """
    firsts: i64[64]
    lasts: i64[64]
    waiting = 0
    first, last = 0, n - 1
    while True:
        while last - first >= SHORT:
            pivot = median_of_three(values[first], values[(first + last) >> 1], values[last])
            i, j = first, last
            while i <= j:
                while values[i] < pivot:
                    i += 1
                while values[j] > pivot:
                    j -= 1
                if i <= j:
                    values[i], values[j] = values[j], values[i]
                    i += 1
                    j -= 1
            if j - first > last - i:
                firsts[waiting], lasts[waiting] = first, j
                first = i
            else:
                firsts[waiting], lasts[waiting] = i, last
                last = j
            waiting += 1
        insertion_sort(values, first, last)
        if waiting == 0:
            break
        waiting -= 1
        first, last = firsts[waiting], lasts[waiting]
