"""Rounds of four kinds of work in turn, so that a run's length is a number of rounds."""

from __future__ import annotations

from compiler.kernel import f64, i32, i64, kernel, u8, u32


@kernel
def checksum(data: u8[4096], table: u32[256]) -> u32:
    """Byte by byte through a table: short loads, a chain of dependent operations."""
    rest: u32 = 0xFFFFFFFF
    for i in range(4096):
        rest = (rest >> 8) ^ table[(rest ^ u32(data[i])) & 0xFF]
    return rest


@kernel
def edit_distance(data: u8[4096], row: i32[65]) -> i32:
    """Dynamic programming over 64 x 64 bytes: conditional expressions and minima."""
    for j in range(65):
        row[j] = i32(j)
    for i in range(64):
        diagonal = row[0]
        left = i32(i + 1)
        row[0] = left
        for j in range(64):
            above = row[j + 1]
            replaced = diagonal if data[i] == data[64 + j] else diagonal + 1
            left = min(min(left, above) + 1, replaced)
            diagonal = above
            row[j + 1] = left
    return row[64]


@kernel
def search(sorted_numbers: i64[2048], key: i64) -> i64:
    """Binary search: branches that nothing can foresee."""
    low, high = 0, 2048
    while low < high:
        middle = (low + high) >> 1
        if sorted_numbers[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def smooth(old: f64[2048], new: f64[2048]):
    """A three-point average: floating loads, sums, products and stores."""
    for i in range(1, 2047):
        new[i] = 0.25 * old[i - 1] + 0.5 * old[i] + 0.25 * old[i + 1]


@kernel
def mixture(
    rounds: i64,
    data: u8[4096],
    table: u32[256],
    sorted_numbers: i64[2048],
    signal: f64[2048],
) -> i64:
    row: i32[65]
    scratch: f64[2048]
    total = 0
    key = 12345
    for _ in range(rounds):
        total += i64(checksum(data, table))
        total += i64(edit_distance(data, row))
        for _ in range(256):
            key = (key * 1103515245 + 12345) & 0x7FFFFFFF
            total += search(sorted_numbers, key)
        smooth(signal, scratch)
        smooth(scratch, signal)
    return total
