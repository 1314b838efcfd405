"""Iterative radix-2 fast Fourier transform, in place, decimation in time."""

from __future__ import annotations

from compiler.kernel import f64, i64, kernel, sqrt

MOST = 4096  # points; the size of the table of roots


@kernel
def reverse_bits(n: i64, signal: f64[n, 2]):
    """Exchange every element with the one whose index has the bits in reverse order."""
    mirror = 0
    for i in range(1, n):
        bit = n >> 1
        while mirror & bit != 0:
            mirror = mirror ^ bit
            bit = bit >> 1
        mirror = mirror | bit
        if i < mirror:
            real, imaginary = signal[i, 0], signal[i, 1]
            signal[i, 0] = signal[mirror, 0]
            signal[i, 1] = signal[mirror, 1]
            signal[mirror, 0] = real
            signal[mirror, 1] = imaginary


@kernel
def fill_roots(n: i64, roots: f64[MOST, 2]):
    """roots[half + j] = exp(-iπ·j / half) for half = 1, 2, 4, … n/2 and j < half.

    Half the angle at each level: cos(t/2) = √((1 + cos t)/2), sin(t/2) = sin t / (2 cos(t/2)).
    Even entries are those of the level before; an odd one is its left neighbour turned by one step,
    so that rounding errors never add up over more than one product a level.
    """
    roots[1, 0] = 1.0
    roots[1, 1] = 0.0
    cosine, sine = 0.0, -1.0  # exp(-iπ/2), the step of the level half = 2
    half = 2
    while half < n:
        for j in range(0, half, 2):
            real, imaginary = roots[(half + j) >> 1, 0], roots[(half + j) >> 1, 1]
            roots[half + j, 0] = real
            roots[half + j, 1] = imaginary
            roots[half + j + 1, 0] = real * cosine - imaginary * sine
            roots[half + j + 1, 1] = real * sine + imaginary * cosine
        cosine = sqrt(0.5 * (1.0 + cosine))
        sine = 0.5 * sine / cosine
        half = half * 2


@kernel
def fft(n: i64, signal: f64[n, 2]):
    """The transform of n = 2^k ≤ MOST points; a point is (real, imaginary)."""
    roots: f64[MOST, 2]
    fill_roots(n, roots)
    reverse_bits(n, signal)
    half = 1
    while half < n:
        for first in range(0, n, 2 * half):
            for j in range(half):
                low, high = first + j, first + j + half
                cosine, sine = roots[half + j, 0], roots[half + j, 1]
                real = signal[high, 0] * cosine - signal[high, 1] * sine
                imaginary = signal[high, 0] * sine + signal[high, 1] * cosine
                signal[high, 0] = signal[low, 0] - real
                signal[high, 1] = signal[low, 1] - imaginary
                signal[low, 0] = signal[low, 0] + real
                signal[low, 1] = signal[low, 1] + imaginary
        half = half * 2
