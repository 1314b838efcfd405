"""Oracles of the workloads of `workloads/gpu`: all threads of a kernel at once, in numpy.

`registry.py` says what an oracle is.  Where a kernel's threads part, masks stand for those that are
still in a loop.
"""

from __future__ import annotations

from collections.abc import Callable

from machines.later import Later
from sim.oracles.registry import (
    Array,
    Bytes,
    FloatGrid,
    Floats,
    Integer,
    IntegerGrid,
    Integers,
    Real,
    oracle,
)

np = Later("numpy")


@oracle("matrix_product")
def matrix_product(a: FloatGrid, b: FloatGrid) -> Array:
    """a · b in f64, by numpy."""
    return a.astype(np.float64) @ b.astype(np.float64)


@oracle("byte_counts")
def byte_counts(data: Bytes) -> Array:
    """How often each of the 256 bytes occurs."""
    return np.bincount(data, minlength=256)


@oracle("pattern_places")
def pattern_places(text: Bytes, pattern: Bytes) -> Array:
    """1 at every place of the text where the pattern begins, else 0, by bytes.find."""
    text, pattern = text.tobytes(), pattern.tobytes()
    begins = np.zeros(len(text), np.uint8)
    position = text.find(pattern)
    while position >= 0:
        begins[position] = 1
        position = text.find(pattern, position + 1)
    return begins


@oracle("pattern_count")
def pattern_count(text: Bytes, pattern: Bytes) -> Array:
    """At how many places of the text the pattern begins, as an array of one."""
    return np.array([int(pattern_places(text, pattern).sum())])


@oracle("breadth_first_depth")
def breadth_first_depth(rows: Integers, columns: Integers, start: Integer) -> Array:
    """Steps from `start` to every vertex of a graph in compressed rows, -1 where there is no way:
    the vertices reached, as a vector that is multiplied by the matrix of the graph."""
    vertices = len(rows) - 1
    adjacent = np.zeros((vertices, vertices), np.float32)
    adjacent[np.repeat(np.arange(vertices), np.diff(rows)), columns] = 1
    depth = np.full(vertices, -1)
    reached = np.arange(vertices) == start
    for level in range(vertices):
        depth[reached & (depth < 0)] = level
        spread = reached | (reached @ adjacent > 0)
        if np.array_equal(spread, reached):
            break
        reached = spread
    return depth


@oracle("sparse_product")
def sparse_product(rows: Integers, columns: Integers, values: Floats, x: Floats) -> Array:
    """A · x in f64 of a matrix in compressed rows: the products added up by row."""
    row = np.repeat(np.arange(len(rows) - 1), np.diff(rows))
    products = values.astype(np.float64) * x[columns]
    return np.bincount(row, weights=products, minlength=len(rows) - 1)


@oracle("gravity")
def gravity(bodies: FloatGrid, softening: Real) -> Array:
    """Accelerations f64[n, 4] of bodies (x, y, z, mass): Σ m·d / (|d|² + softening)^1.5, and 0."""
    position, mass = bodies[:, :3].astype(np.float64), bodies[:, 3].astype(np.float64)
    distance = position[None] - position[:, None]
    strength = mass / ((distance**2).sum(axis=2) + softening) ** 1.5
    acceleration = np.einsum("ij,ijk->ik", strength, distance)
    return np.concatenate([acceleration, np.zeros((len(bodies), 1))], axis=1)


def _next(x: Array) -> Array:
    """The linear congruential generator of Numerical Recipes."""
    return x * np.uint32(1664525) + np.uint32(1013904223)


def _words(values: Array) -> Array:
    return values.astype(np.uint32)


@oracle("short_circuit")
def short_circuit(seeds: Integers, table: Integers, rounds: Integer) -> Array:
    """What the loop of `short_circuit` leaves for every seed: a thread that has found enough keeps
    its sum, inverted."""
    x, table = _words(seeds), _words(table)
    total, running = np.zeros_like(x), np.ones(len(x), bool)
    for _ in range(rounds):
        x = _next(x)
        first = table[x >> 24] % 4 != 0
        second = (table[x >> 16 & 255] % 5 != 0) | (table[x >> 8 & 255] % 7 == 0)
        third = (table[x >> 20 & 255] % 3 != 0) | (table[x >> 12 & 255] % 11 == 0)
        chosen = first & second & third
        larger = total + (table[x >> 10 & 255] ^ x)
        enough = chosen & (larger % 61 == 0)
        more = np.where(enough, larger, larger + (table[larger & 255] >> 3))
        other = _next(total ^ table[total >> 5 & 255])
        total = np.where(running, np.where(chosen, more, other), total)
        running &= ~enough
    return np.where(running, _next(total ^ table[total & 255]), ~total)


@oracle("two_breaks")
def two_breaks(seeds: Integers, table: Integers, rounds: Integer) -> Array:
    """What the search of `two_breaks` leaves for every seed: the way out is a number a thread."""
    x, table = _words(seeds), _words(table)
    result, way = np.zeros_like(x), np.zeros(len(x), int)
    for _ in range(rounds):
        inside = way == 0
        x = np.where(inside, _next(x), x)
        value = table[x >> 24]
        rare = inside & (value % 29 == 0)
        added = result + value
        rarer = inside & ~rare & (table[added & 255] % 31 == 0)
        stays = inside & ~rare & ~rarer
        mixed = added ^ (table[added >> 8 & 255] << 3)
        result = np.where(stays, mixed, np.where(rarer, added, result))
        way += rare + 2 * rarer
    rare, rarer = result, result
    for k in range(8):
        rare = rare * np.uint32(31) + table[rare >> k & 255]
        rarer = (rarer << 5 | rarer >> 27) ^ table[rarer >> 3 & 255]
    return np.choose(way, [result + np.uint32(1), rare, rarer]) * np.uint32(7) + x


@oracle("exception")
def exception(seeds: Integers, table: Integers, outer: Integer, inner: Integer) -> Array:
    """What the nested loop of `exception` leaves for every seed, each in Python's integers."""
    words = [int(value) % 2**32 for value in table]
    return np.array([_exception(int(seed) % 2**32, words, outer, inner) for seed in seeds])


def _exception(x: int, table: list[int], outer: int, inner: int) -> int:
    """One thread; an error is a Python exception."""
    total, iteration = 0, (0, 0)
    try:
        for a in range(outer):
            iteration = (a, inner)
            for b in range(inner):
                x = (x * 1664525 + 1013904223) % 2**32
                if table[x >> 24] % 251 == 0:
                    iteration = (a, b)
                    raise ArithmeticError
                total = (total + table[x >> 24]) % 2**32
                if table[total % 256] % 4 == 0:
                    iteration = (a, b)
                    break
            total = (total * 3 + table[total >> 7 & 255]) % 2**32
            if total % 127 == 0:
                raise ArithmeticError
    except ArithmeticError:
        for k in range(4):
            total = (total ^ table[total + k & 255]) * 2654435761 % 2**32
        return (total + iteration[0] * 1000 + iteration[1]) % 2**32
    return total


@oracle("stack_programs")
def stack_programs(code: Bytes, starts: Integers, seeds: Integers, limit: Integer) -> Array:
    """What the program of `interpreter` that each seed chooses leaves on top of its stack."""
    programs = [int(start) for start in starts]
    return np.array(
        [
            _stack_program(code.tobytes(), programs[seed % len(programs)], seed, 1 + i % 7, limit)
            for i, seed in enumerate(_words(seeds).tolist())
        ]
    )


_BINARY: dict[int, Callable[[int, int], int]] = {
    2: lambda a, b: a + b,
    3: lambda a, b: a * b,
    4: lambda a, b: a - b,
    7: lambda a, b: a ^ b,
}


def _stack_program(code: bytes, pc: int, seed: int, counter: int, limit: int) -> int:
    """One thread, on a list of Python's integers."""
    stack = [seed]
    for _ in range(limit):
        operation, operand = code[pc], code[pc + 1] if pc + 1 < len(code) else 0
        pc += 2 if operation in (1, 8, 9) else 1
        if operation == 0:
            break
        if operation in _BINARY:
            b, a = stack.pop(), stack.pop()
            stack.append(_BINARY[operation](a, b) % 2**32)
        elif operation == 1:
            stack.append(operand)
        elif operation == 5:
            stack.append(stack[-1])
        elif operation == 6:
            stack[-2:] = stack[:-3:-1]
        elif operation == 8:
            counter -= 1
            pc -= operand if counter else 0
        elif operation == 9:
            pc += 0 if stack.pop() % 2 else operand
    return stack[-1]


@oracle("ray_march_steps")
def ray_march_steps(steps: IntegerGrid, limit: Integer) -> Array:
    """Steps of every ray of `ray_march`."""
    return _ray_march(steps.shape, limit)[0]


@oracle("ray_march_depths")
def ray_march_depths(depths: FloatGrid, limit: Integer) -> Array:
    """How far every ray of `ray_march` goes until it hits something, -1 if it does not."""
    return _ray_march(depths.shape, limit)[1]


def _length(x: Array, y: Array, z: Array) -> Array:
    return np.sqrt(x * x + y * y + z * z)


def _ray_march(shape: tuple[int, int], limit: int) -> tuple[Array, Array]:
    """Steps and depths, in f32: each operation is rounded as the kernel's, so both are exact."""
    one = np.float32
    rows, columns = (np.arange(extent, dtype=np.float32) for extent in shape)
    dx, dy = np.meshgrid(columns * one(2 / 64) - one(1), one(1) - rows * one(2 / 64))
    scale = _length(dx, dy, one(1.5))
    ray = [dx / scale, dy / scale, one(1.5) / scale]
    at = [np.full(shape, start, np.float32) for start in (0, 0.5, -3)]
    t, steps = np.zeros(shape, np.float32), np.zeros(shape, int)
    going, hit = np.ones(shape, bool), np.zeros(shape, bool)
    for _ in range(limit):
        x, y, z = at
        ball = _length(x, y - one(0.5), z) - one(0.75)
        hit |= going & (ball < one(0.001))
        low = y < one(0.5)
        off = [v - np.floor(v + one(0.5)) for v in (x, z)]
        pebble = np.where(low, _length(off[0], y + one(0.75), off[1]) - one(0.35), one(np.inf))
        hit |= going & (pebble < one(0.001))
        going &= ~hit & ~(~low & (t > 6) & (ray[1] > 0))
        nearest = np.minimum(ball, pebble)
        t = np.where(going, t + nearest, t)
        going &= t <= 20
        steps += going
        at = [np.where(going, v + nearest * d, v) for v, d in zip(at, ray, strict=True)]
    return steps, np.where(hit, t, one(-1))


@oracle("solution")
def solution(a: FloatGrid, b: Floats, amount: Real) -> Array:
    """x of (a + amount·1)·x = b in f64, by LAPACK."""
    system = a.astype(np.float64) + amount * np.eye(len(a))
    return np.linalg.solve(system, b.astype(np.float64))


@oracle("heat_of_plate")
def heat_of_plate(plate: FloatGrid, rate: Real, steps: Integer) -> Array:
    """The plate after so many steps towards the mean of four neighbours, in f64: the inner points
    as products with the matrices of second differences along both axes."""
    now = plate.astype(np.float64)
    vertical, horizontal = (np.eye(n, k=1) + np.eye(n, k=-1) - 2 * np.eye(n) for n in now.shape)
    for _ in range(steps):
        change = vertical @ now + now @ horizontal
        now[1:-1, 1:-1] += rate * change[1:-1, 1:-1]
    return now


@oracle("convolution")
def convolution(image: FloatGrid, weights: FloatGrid) -> Array:
    """Sums of weights times the points around each, in f64; zero outside: a shifted copy of the
    image for each weight."""
    below, right = (size // 2 for size in weights.shape)
    padded = np.pad(image.astype(np.float64), ((below, below), (right, right)))
    rows, columns = image.shape
    return sum(
        weight * padded[y : y + rows, x : x + columns]
        for (y, x), weight in np.ndenumerate(weights.astype(np.float64))
    )


@oracle("pasted_window")
def pasted_window(
    source: FloatGrid, target: FloatGrid, low: Real, high: Real, scale: Real, shift: Real
) -> Array:
    """The window of 20 × 40 at (5, 7) of the source, mirrored, scaled, shifted and clipped, set
    into the target at (2, 3)."""
    window = source[5:25, 7:47][:, ::-1].astype(np.float64)
    result = target.copy()
    result[2:22, 3:43] = np.clip(window * scale + shift, low, high)
    return result
