"""Functions whose arrays are needed where a condition says so: what stands beside an element."""

from __future__ import annotations

from compiler.kernel import f64, function, gather, i32, i64, replicate, scan, sqrt, u8


@function
def across(row: u8[:]) -> i32[:]:
    """Each cell with those on its left and right."""
    n = len(row)
    return [
        (i32(row[c - 1]) if c > 0 else 0) + i32(row[c]) + (i32(row[c + 1]) if c < n - 1 else 0)
        for c in range(n)
    ]


@function
def rule(cell: u8, square: i32) -> u8:
    """Whether a cell lives on; `square` is the sum of the nine cells around it and of it."""
    return u8(square == 3 or (square == 4 and cell == 1))


@function
def turn(grid: u8[:, :]) -> u8[:, :]:
    n = len(grid)
    sums = [across(row) for row in grid]
    none = replicate(i32(0), n)
    return [
        [
            rule(cell, a + b + c)
            for cell, a, b, c in zip(
                grid[r],
                sums[r - 1] if r > 0 else none,
                sums[r],
                sums[r + 1] if r < n - 1 else none,
            )
        ]
        for r in range(n)
    ]


@function
def life(pairs: i64, grid: u8[:, :]) -> u8[:, :]:
    for _ in range(pairs):
        grid = turn(turn(grid))
    return grid


@function
def levenshtein(text: u8[:], first: i64, second: i64, length: i64) -> i32:
    """A row of the table is `over[j] + j`, so that its insertions are running minima of `over`."""
    over = replicate(i32(0), length + 1)
    for i in range(length):
        byte = text[first + i]
        best = [
            i32(i + 1)
            if j == 0
            else min(over[j] + 1, over[j - 1] - 1 + i32(text[second + j - 1] != byte))
            for j in range(length + 1)
        ]
        over = scan(min, i32(2147483647), best)
    return over[length] + i32(length)


@function
def odd_even_sort(xs: i32[:]) -> i32[:]:
    """Places 2k and 2k + 1 are a pair: each round sorts all pairs, then the upper of each beside
    the lower of the next. Where there is one number too few, the last pair has the largest."""
    n = len(xs)
    pairs = [
        (xs[2 * k], xs[2 * k + 1] if 2 * k + 1 < n else i32(2147483647))
        for k in range((n + 1) // 2)
    ]
    for _ in range(len(pairs)):
        pairs = [(min(x, y), max(x, y)) for x, y in pairs]
        pairs = [
            (
                max(pairs[k - 1][1], x) if k > 0 else x,
                min(y, pairs[k + 1][0]) if k + 1 < len(pairs) else y,
            )
            for k, (x, y) in enumerate(pairs)
        ]
    return [pairs[i >> 1][0] if i & 1 == 0 else pairs[i >> 1][1] for i in range(n)]


@function
def mirrored(n: i64, i: i64) -> i64:
    """i with its bits in reverse order."""
    mirror = 0
    while n > 1:
        mirror = 2 * mirror + (i & 1)
        i = i >> 1
        n = n >> 1
    return mirror


@function
def root(half: i64, roots: tuple[f64, f64][:], step: tuple[f64, f64], k: i64) -> tuple[f64, f64]:
    """roots[half + j] = exp(-iπ·j / half), as `workloads/fft` has them, from those of half / 2."""
    if k < half:
        return roots[k]
    x, y = roots[k >> 1]
    cosine, sine = step
    return (x, y) if k & 1 == 0 else (x * cosine - y * sine, x * sine + y * cosine)


@function
def butterfly(
    points: tuple[f64, f64][:], roots: tuple[f64, f64][:], half: i64, i: i64
) -> tuple[f64, f64]:
    low = i & ~half
    x, y = points[low]
    u, v = points[low + half]
    cosine, sine = roots[half + (i & (half - 1))]
    real, imaginary = u * cosine - v * sine, u * sine + v * cosine
    return (x + real, y + imaginary) if i & half == 0 else (x - real, y - imaginary)


@function
def fft(signal: f64[:, :]) -> f64[:, :]:
    n = len(signal)
    roots = [(1.0, 0.0), (1.0, 0.0)]
    cosine, sine = 0.0, -1.0
    half = 2
    while half < n:
        roots = [root(half, roots, (cosine, sine), k) for k in range(2 * half)]
        cosine = sqrt(0.5 * (1.0 + cosine))
        sine = 0.5 * sine / cosine
        half = half * 2
    given = [(row[0], row[1]) for row in signal]
    points = gather(given, [mirrored(n, i) for i in range(n)])
    half = 1
    while half < n:
        points = [butterfly(points, roots, half, i) for i in range(n)]
        half = half * 2
    return [[x, y] for x, y in points]
