"""Oracles of kernels: checksums, sorting, transforms, long numbers, bodies that attract each
other."""

from __future__ import annotations

import hashlib
import zlib

from machines.later import Later
from sim.oracles.registry import (
    Array,
    Bytes,
    Flags,
    FloatGrid,
    Floats,
    Integer,
    IntegerGrid,
    Integers,
    Numbers,
    Real,
    Words,
    oracle,
)

np = Later("numpy")


@oracle("crc32")
def crc32(data: Bytes) -> int:
    """CRC-32 (polynomial 0x04C11DB7, reflected) of uint8[n], by zlib."""
    return zlib.crc32(np.ascontiguousarray(data).tobytes())


@oracle("sha256")
def sha256(data: Bytes) -> Array:
    """SHA-256 of uint8[n], by hashlib, as uint32[8]: the words H0 … H7 of the standard."""
    digest = hashlib.sha256(np.ascontiguousarray(data).tobytes()).digest()
    return np.frombuffer(digest, dtype=">u4").astype(np.uint32)


@oracle("sorted")
def ascending(values: Numbers) -> Array:
    """The values in ascending order."""
    return np.sort(values)


@oracle("stencil")
def jacobi(grid: FloatGrid, sweeps: Integer) -> Array:
    """f64[h, w] after `sweeps` Jacobi sweeps of the five-point stencil; the border stays."""
    grid = grid.astype(np.float64)
    for _ in range(sweeps):
        around = grid[:-2, 1:-1] + grid[2:, 1:-1] + grid[1:-1, :-2] + grid[1:-1, 2:]
        grid = grid.copy()
        grid[1:-1, 1:-1] = 0.25 * around
    return grid


@oracle("life")
def game_of_life(grid: IntegerGrid, turns: Integer) -> Array:
    """Cells (0 or 1) of a square after turns of Conway's game of life; nothing lives outside."""
    for _ in range(turns):
        wide = np.pad(grid, 1)
        square = sum(np.roll(wide, (r, c), (0, 1)) for r in (-1, 0, 1) for c in (-1, 0, 1))
        square = square[1:-1, 1:-1]
        grid = ((square == 3) | ((square == 4) & (grid == 1))).astype(grid.dtype)
    return grid


@oracle("fft")
def fourier(signal: FloatGrid) -> Array:
    """The discrete Fourier transform of f64[n, 2] (real, imaginary), by numpy's FFT."""
    transform = np.fft.fft(signal[:, 0] + 1j * signal[:, 1])
    return np.stack([transform.real, transform.imag], axis=1)


@oracle("sieve")
def prime_flags(flags: Flags) -> Array:
    """For every index of `flags` 1 if it is prime, else 0, by trial division with small primes."""
    numbers = np.arange(len(flags))
    prime = numbers >= 2
    for divisor in range(2, int(len(flags) ** 0.5) + 1):
        if prime[divisor]:
            prime &= (numbers % divisor != 0) | (numbers == divisor)
    return prime.astype(flags.dtype)


@oracle("sieve_count")
def prime_count(flags: Flags) -> int:
    """How many primes are below the length of `flags`."""
    return int(prime_flags(flags).sum())


def _move_to_front(data: bytes) -> tuple[list[int], int]:
    """Positions of the bytes in a list that moves each to the front, and how many bytes occur."""
    order = sorted(set(data))
    positions = []
    for byte in data:
        position = order.index(byte)
        positions.append(position)
        order.insert(0, order.pop(position))
    return positions, len(order)


def _mtf_rle(data: Array) -> list[int]:
    """bzip2's symbols: runs of position 0 in bijective base 2, other positions + 1, end of block.

    A run of length L is the binary digits of L + 1 after the leading 1, lowest first.
    """
    positions, in_use = _move_to_front(data.tobytes())
    symbols: list[int] = []
    run = 0
    for position in [*positions, None]:
        if position == 0:
            run += 1
            continue
        if run:
            symbols.extend(int(digit) for digit in reversed(bin(run + 1)[3:]))
            run = 0
        symbols.append(in_use + 1 if position is None else position + 1)
    return symbols


@oracle("move_to_front_rle")
def move_to_front_rle(data: Bytes, symbols: Integers) -> Array:
    """uint8[n] as bzip2's move-to-front and run-length symbols, in the initial array `symbols`."""
    coded = _mtf_rle(data)
    expected = symbols.astype(np.int64)
    expected[: len(coded)] = coded
    return expected


@oracle("move_to_front_rle_length")
def move_to_front_rle_length(data: Bytes) -> int:
    """How many symbols `move_to_front_rle` writes."""
    return len(_mtf_rle(data))


@oracle("mandelbrot")
def mandelbrot(counts: IntegerGrid, left: Real, top: Real, step: Real, limit: Integer) -> Array:
    """For each point of the grid the iterations of z = z² + c (at most `limit`) with |z|² ≤ 4.

    Row r, column q of `counts` is c = left + q·step + i·(top − r·step); f64 without fma, so the
    counts are exact.
    """
    rows, columns = counts.shape
    x0 = (left + np.arange(columns) * step)[None, :] + np.zeros((rows, 1))
    y0 = (top - np.arange(rows) * step)[:, None] + np.zeros((1, columns))
    x, y = np.zeros_like(x0), np.zeros_like(y0)
    result = np.zeros(counts.shape, dtype=np.int64)
    inside = np.ones(counts.shape, dtype=bool)
    for _ in range(limit):
        xx, yy = x * x, y * y
        inside &= xx + yy <= 4.0
        result += inside
        x, y = np.where(inside, xx - yy + x0, x), np.where(inside, 2.0 * x * y + y0, y)
    return result


@oracle("levenshtein")
def edit_distance(text: Integers, first: Integer, second: Integer, length: Integer) -> int:
    """Levenshtein distance of `text[first:first + length]` and `text[second:second + length]`.

    Row by row; the running minimum of (row − index) does the insertions of a whole row at once.
    """
    a, b = text[first : first + length], text[second : second + length]
    index = np.arange(length + 1)
    row = index.copy()
    for byte in a:
        changed = np.minimum(row[1:] + 1, row[:-1] + (b != byte))
        row = np.concatenate([[row[0] + 1], changed])
        row = np.minimum.accumulate(row - index) + index
    return int(row[-1])


@oracle("pointer_chase")
def end_of_chase(ring: Integers, hops: Integer) -> int:
    """The place reached from place 0 after `hops` steps, each to the place that the ring names.

    The ring is laid out in the order of the walk first, so any number of hops is one look-up.
    """
    walk = [0]
    while (following := int(ring[walk[-1]])) != 0:
        walk.append(following)
        if len(walk) > len(ring):
            raise ValueError("place 0 is not on a ring")
    return walk[hops % len(walk)]


def _number(words: Array) -> int:
    """The number whose 64-bit digits the words are, the lowest first."""
    return int.from_bytes(np.ascontiguousarray(words, dtype="<u8").tobytes(), "little")


def _digits(number: int, count: int) -> Array:
    """Its lowest digits."""
    return np.array([number >> 64 * k & (1 << 64) - 1 for k in range(count)], dtype=np.uint64)


@oracle("sum_of_long_numbers")
def sum_of_long_numbers(a: Words, b: Words) -> Array:
    """The digits of a + b, two numbers of n 64-bit digits, by Python's integers."""
    return _digits(_number(a) + _number(b), len(a))


@oracle("carry_of_long_sum")
def carry_of_long_sum(a: Words, b: Words) -> int:
    """What a + b carries out of n digits."""
    return _number(a) + _number(b) >> 64 * len(a)


@oracle("shifted_long_number")
def shifted_long_number(a: Words, count: Integer) -> Array:
    """The n lowest digits of a number of n 64-bit digits, shifted left."""
    return _digits(_number(a) << count, len(a))


@oracle("shifted_out")
def shifted_out(a: Words, count: Integer) -> int:
    """The bits that leave the highest digit when a number is shifted left."""
    return _number(a) << count >> 64 * len(a)


def _multiplied_and_added(total: Array, source: Array, factor: int, passes: int) -> list[int]:
    """total + source * factor and what leaves the highest digit, pass by pass."""
    found, size = [_number(total)], 64 * len(total)
    for _ in range(passes):
        found.append(found[-1] % (1 << size) + _number(source) * (factor % (1 << 64)))
    return found


@oracle("long_multiply_and_add")
def long_multiply_and_add(total: Words, source: Words, factor: Integer, passes: Integer) -> Array:
    """The digits of total + passes · source · factor, which wrap; the factor is taken as u64."""
    return _digits(_multiplied_and_added(total, source, factor, passes)[-1], len(total))


@oracle("digit_of_long_multiply_and_add")
def digit_of_long_multiply_and_add(
    total: Words, source: Words, factor: Integer, passes: Integer
) -> int:
    """The digit that the last pass carries out, as a signed number."""
    last = _multiplied_and_added(total, source, factor, passes)[-1] >> 64 * len(total)
    return last - (1 << 64) if last >> 63 else last


def _accelerations(position: Array, mass: Array, softening: float) -> Array:
    """f64[n, 3]: Σ m·d / (|d|² + softening)^1.5 over all other bodies."""
    distance = position[None, :, :] - position[:, None, :]
    squared = (distance**2).sum(axis=2) + softening
    return (mass[None, :, None] * distance / (squared * np.sqrt(squared))[:, :, None]).sum(axis=1)


@oracle("nbody_velocity")
def nbody_velocity(
    position: FloatGrid, velocity: FloatGrid, mass: Floats, dt: Real, softening: Real
) -> Array:
    """Velocities f64[n, 3] after one symplectic Euler step of length dt."""
    return velocity + dt * _accelerations(position, mass, softening)


@oracle("nbody_position")
def nbody_position(
    position: FloatGrid, velocity: FloatGrid, mass: Floats, dt: Real, softening: Real
) -> Array:
    """Positions f64[n, 3] after one symplectic Euler step: moved by the new velocities."""
    return position + dt * nbody_velocity(position, velocity, mass, dt, softening)
