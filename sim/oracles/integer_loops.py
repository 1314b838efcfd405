"""Oracles of loops over integers and bytes: the library's, or an algorithm of another shape.

The loops stand in `workloads/loops`; `registry.py` says what an oracle is.
"""

from __future__ import annotations

import base64
import functools
import math
import zlib
from collections import deque

from machines.later import Later
from sim.oracles.registry import Array, Bytes, Integer, IntegerGrid, Integers, oracle

np = Later("numpy")

WORD = 1 << 64


@oracle("adler32")
def adler32(data: Bytes) -> int:
    """Adler-32 of uint8[n], by zlib."""
    return zlib.adler32(np.ascontiguousarray(data).tobytes())


@oracle("base64")
def base64_letters(data: Bytes) -> Array:
    """Base 64 of uint8[3·n] as letters, by Python's library."""
    return np.frombuffer(base64.b64encode(data.tobytes()), np.uint8)


@oracle("hexadecimal")
def hexadecimal(data: Bytes) -> Array:
    """Two digits a byte, by Python's bytes.hex."""
    return np.frombuffer(data.tobytes().hex().encode(), np.uint8)


@oracle("fnv1a")
def fnv1a(data: Bytes) -> int:
    """The hash of Fowler, Noll and Vo, as a signed number of 64 bits."""
    start, prime = 0xCBF29CE484222325, 0x100000001B3
    h = functools.reduce(lambda h, byte: (h ^ byte) * prime % WORD, data.tolist(), start)
    return h - WORD if h >> 63 else h


@oracle("exclusive_or")
def exclusive_or(values: Integers) -> int:
    """All values folded by exclusive or."""
    return int(np.bitwise_xor.reduce(values))


@oracle("running_maximum")
def running_maximum(values: Integers) -> Array:
    """For each place the maximum up to it."""
    return np.maximum.accumulate(values)


@oracle("nth_largest")
def nth_largest(values: Integers, n: Integer) -> int:
    """The largest (n = 0), the larger but one (n = 1), …"""
    return int(np.sort(values)[-1 - n])


@oracle("histogram")
def histogram(values: Integers, counts: Integers) -> Array:
    """`counts` and how often each number below its length occurs."""
    return counts + np.bincount(values, minlength=len(counts))


@oracle("compacted")
def compacted(values: Integers, limit: Integer, out: Integers) -> Array:
    """`out` with the values below the limit at its front."""
    kept = values[values < limit]
    return np.concatenate([kept, out[len(kept) :]])


@oracle("merged")
def merged(x: Integers, y: Integers, count: Integer) -> Array:
    """The first elements of two ascending sequences together, by sorting them."""
    return np.sort(np.concatenate([x, y]))[:count]


@oracle("partitioned")
def partitioned(values: Integers, pivot: Integer) -> Array:
    """Lomuto's partition: the larger ones are a queue; each smaller one turns it by one."""
    smaller: list[int] = []
    larger: deque[int] = deque()
    for value in values.tolist():
        if value < pivot:
            smaller.append(value)
            larger.rotate(-1)
        else:
            larger.append(value)
    return np.array([*smaller, *larger])


@oracle("fibonacci")
def fibonacci(n: Integer, modulus: Integer) -> int:
    """F(n) by doubling, modulo a number; modulo 2**64 if that is 0."""
    a, b = 0, 1
    for bit in bin(n)[2:]:
        a, b = a * (2 * b - a), a * a + b * b
        if bit == "1":
            a, b = b, a + b
    return a % (modulus or WORD)


@oracle("power")
def power(base: Integer, exponent: Integer, modulus: Integer) -> int:
    """base ** exponent modulo a number, by Python."""
    return pow(base, exponent, modulus)


@oracle("xorshift")
def xorshift(seed: Integer, n: Integer) -> int:
    """Marsaglia's xorshift64 after n steps: a power of its matrix over GF(2)."""
    one = np.eye(64, dtype=np.int64)
    step = one
    for by in (-13, 7, -17):  # bit i takes in bit i + by
        step = (one + np.eye(64, k=by, dtype=np.int64)) @ step % 2
    bits = np.array([(seed >> i) & 1 for i in range(64)])
    while n:
        if n & 1:
            bits = step @ bits % 2
        step, n = step @ step % 2, n >> 1
    return sum(int(bit) << i for i, bit in enumerate(bits))


@oracle("gcd")
def gcd(a: Integers, b: Integers) -> Array:
    """Greatest common divisors, by Python's math."""
    return np.array([math.gcd(int(x), int(y)) for x, y in zip(a, b, strict=True)])


@oracle("collatz_steps")
def collatz_steps(start: Integers) -> Array:
    """Steps of 3·n + 1 to 1, of all numbers at once."""
    numbers, steps = start.copy(), np.zeros(len(start), np.int64)
    while (going := numbers != 1).any():
        steps += going
        numbers = np.where(going, np.where(numbers % 2 == 1, 3 * numbers + 1, numbers // 2), 1)
    return steps


@oracle("digit_sums")
def digit_sums(numbers: Integers) -> Array:
    """The sums of the digits, by writing the numbers."""
    return np.array([sum(map(int, str(int(number)))) for number in numbers])


def _walk(following: Array, first: int) -> list[int]:
    """The elements of a ring from `first` to the one before element 0."""
    ring = [0]
    while (element := int(following[ring[-1]])) != 0:
        ring.append(element)
    return ring[ring.index(first) :] if first else []


@oracle("list_length")
def list_length(first: Integer, following: Integers) -> int:
    """Elements of a ring from `first` to the one before element 0."""
    return len(_walk(following, first))


@oracle("list_sum")
def list_sum(first: Integer, following: Integers, value: Integers) -> int:
    """Sum of the values of these elements."""
    return int(value[_walk(following, first)].sum())


@oracle("list_values")
def list_values(first: Integer, following: Integers, value: Integers, count: Integer) -> Array:
    """The values of `count` elements of a ring, from `first` on."""
    ring = _walk(following, int(following[0]))
    ring = [0, *ring]
    begin = ring.index(first)
    return value[(ring[begin:] + ring[:begin])[:count]]


@oracle("previous_equal")
def previous_equal(values: Integers) -> Array:
    """For each place 1 + the last place before it with an equal value, 0 if there is none."""
    order = np.argsort(values, kind="stable")
    same = np.concatenate([[False], np.diff(values[order]) == 0])
    found = np.zeros(len(values), np.int64)
    found[order[same]] = order[np.flatnonzero(same) - 1] + 1
    return found


@oracle("last_equal")
def last_equal(values: Integers, size: Integer) -> Array:
    """For each number below `size` 1 + the last place that holds it, 0 if there is none."""
    found = np.zeros(size, np.int64)
    np.maximum.at(found, values, np.arange(1, len(values) + 1))
    return found


@oracle("front_ranks")
def front_ranks(data: Bytes) -> Array:
    """Move to front from 0 … 255: the bytes seen since this one, or those before it and above."""
    seen = data.tolist()
    ranks = []
    for position, byte in enumerate(seen):
        before = seen[:position]
        if byte in before:
            ranks.append(len(set(before[position - before[::-1].index(byte) :])))
        else:
            ranks.append(byte + len({other for other in before if other > byte}))
    return np.array(ranks)


@oracle("front_order")
def front_order(data: Bytes) -> Array:
    """The list at the end: the bytes by their last occurrence, then the others."""
    recent = list(dict.fromkeys(reversed(data.tolist())))
    return np.array(recent + [byte for byte in range(256) if byte not in recent])


def _runs(data: Array) -> tuple[Array, Array]:
    """Values and lengths of runs of equal bytes."""
    ends = np.flatnonzero(np.concatenate([np.diff(data.astype(int)) != 0, [True]]))
    return data[ends], np.diff(ends, prepend=-1)


@oracle("runs")
def runs(data: Bytes, out: Integers, which: Integer) -> Array:
    """`out` with the values (which 0) or lengths (which 1) of the runs of `data` at its front."""
    found = _runs(data)[which]
    return np.concatenate([found, out[len(found) :]])


@oracle("depths")
def depths(parents: Integers) -> Array:
    """Depths of the nodes and the root behind them; all climb at once until they are there."""
    root = len(parents)
    up = np.append(parents, root).astype(int)
    ancestor, found = np.arange(root + 1), np.zeros(root + 1, np.int64)
    while (below := ancestor != root).any():
        found += below
        ancestor = up[ancestor]
    return found


@oracle("packed_codes")
def packed_codes(codes: Integers, lengths: Integers, symbols: Bytes, out: Bytes) -> Array:
    """The whole bytes of codes one after another, low bits first, at the front of `out`."""
    text = "".join(f"{codes[s]:0{lengths[s]}b}"[::-1] for s in symbols)
    whole = [int(text[i : i + 8][::-1], 2) for i in range(0, len(text) - 7, 8)]
    return np.concatenate([whole, out[len(whole) :]]).astype(np.int64)


@oracle("block_hash")
def block_hash(key: Integers, block: Integers) -> int:
    """Σ m ^ (⊕ m >> 5) ^ Σ (m ^ (⊕ m >> 5 so far)) of 0 and all but the last ((key >> 3) + 17) ^
    block, modulo 2**64."""
    key, block = key.astype(np.uint64), block.astype(np.uint64)
    mixed = np.append(np.uint64(0), ((key >> np.uint64(3)) + np.uint64(17)) ^ block)[: len(key)]
    folded = np.bitwise_xor.accumulate(mixed >> np.uint64(5))
    return int(mixed.sum() ^ folded[-1] ^ (mixed ^ folded).sum())


@oracle("edit_row")
def edit_row(text: Bytes, byte: Integer, row: Integers) -> Array:
    """The next row of Levenshtein's table, its insertions by a running minimum."""
    index = np.arange(len(row))
    changed = np.minimum(row[1:] + 1, row[:-1] + (text != byte))
    return np.minimum.accumulate(np.concatenate([[row[0] + 1], changed]) - index) + index


@oracle("shortest_paths")
def shortest_paths(paths: IntegerGrid) -> Array:
    """All pairs, by squaring in the (min, +) algebra."""
    best = paths.astype(np.int64)
    for _ in range(max(1, len(best).bit_length())):
        best = np.minimum(best, (best[:, :, None] + best[None, :, :]).min(axis=1))
    return best


@oracle("most_pairs")
def most_pairs(bases: Integers, best: IntegerGrid) -> Array:
    """Nussinov's table over `best`, a diagonal at a time."""
    best, n = best.copy(), len(bases)
    for apart in range(1, n):
        for i in range(n - apart):
            j = i + apart
            inner = best[i + 1, j - 1] if apart > 1 else 0
            splits = (best[i, i:j] + best[i + 1 : j + 1, j])[1:]
            ends = [best[i, j - 1], best[i + 1, j], inner + (bases[i] + bases[j] == 3)]
            best[i, j] = max([*ends, *splits])
    return best
