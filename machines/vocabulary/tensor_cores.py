"""What tensor cores compute, on the registers of a whole warp.

    a, b, c, d   fragments: word 32·k + lane is the k-th register of the fragment in a lane

Elements stand in fragments as the PTX ISA (9.0, 9.7.14) draws them for m16n8 and m8n8; with N > 8
columns (`wgmma`) pieces of eight columns follow each other.

A product of matrices of floats is, for each element, **one** sum of all products and the
accumulator, as measured on an H100 (all elements of 500 tiles of a type, see
`tests/sim/simt/test_tensor_cores.py`):

* A product's exponent is the sum of those of its factors; it is not normalised.  The largest one,
  or the accumulator's, is the place to which all terms are aligned.
* Each term is cut, toward zero, `cut` bits below that place: 25, and 13 of e4m3 and e5m2 by
  `wgmma`.  The sum of what is left is exact.
* It is cut toward zero to the significant bits of the result (24 of f32; 14 of e4m3 and e5m2 by
  `wgmma`), or rounded to nearest even to f16.
* Subnormal factors count as they are; a sum of zero is +0; NaN is canonical.

e4m3 and e5m2 by `mma.sync` are two such products of half of k each, and an addition of f32 (see
`multiply_small`).  What other machines than those of compute capability 9.0 do with the last bits
is not known; they do the same here.

Lists are read and written by index only: the jitted core compiles the same text, with arrays on the
stack for those that `room` makes.
"""

from __future__ import annotations

from collections.abc import Callable

from machines.vocabulary.lanes import (
    bits_of_f16,
    bits_of_f32,
    bits_of_f64,
    count_leading_zeros,
    f16_from_bits,
)
from machines.vocabulary.numbers import (
    f32_from_bits,
    f64_from_bits,
    fma_f64,
    population_count,
    round_f32,
)
from machines.vocabulary.rooms import room
from machines.vocabulary.rounding import round_toward

F16, BF16, TF32, E4M3, E5M2, F32 = range(6)
"""Formats of elements, as meanings name them."""


def _packed(*counts: int) -> int:
    """Counts of bits by format, a byte each: compiled code cannot look into a tuple."""
    return sum(count << 8 * kind for kind, count in enumerate(counts))


SIZE = _packed(16, 16, 32, 8, 8, 32)
EXPONENT = _packed(5, 8, 8, 4, 5, 8)
FRACTION = _packed(10, 7, 10, 3, 2, 23)
UNUSED = _packed(0, 0, 13, 0, 0, 0)
"""Bits of an element: all, of the exponent, of the fraction, and below it."""
LANES = 32
MOST_DEPTH = 64
"""Elements of k in one instruction (of 4 bits; 256 single bits stand in words)."""
NOTHING, SPECIAL = -(1 << 12), 1 << 20
"""As exponents: of zero, and of infinities (significand ±1) and NaN (0)."""
NAN_F32, INFINITE_F32, NAN_F16, INFINITE_F16 = 0x7FFF_FFFF, 0x7F80_0000, 0x7FFF, 0x7C00
MOST_S32, LEAST_S32 = (1 << 31) - 1, -(1 << 31)


# Elements ------------------------------------------------------------------------------------


def count(counts: int, kind: int) -> int:
    """Of one format, of those that `_packed` has put together."""
    return counts >> 8 * kind & 255


def place(row: int, column: int) -> int:
    """Where an element of the accumulators stands that has a register of its own."""
    register = (column & 1) + 2 * (row >> 3) + 4 * (column >> 3)
    return LANES * register + 4 * (row & 7) + (column >> 1 & 3)


def place_of_half(row: int, column: int) -> int:
    """The same of accumulators two of which share a register: the even column has its low half."""
    return LANES * ((row >> 3) + 2 * (column >> 3)) + 4 * (row & 7) + (column >> 1 & 3)


def place_of_one(row: int, k: int, rows: int) -> int:
    """Where an element of A or B stands that has a register of its own: the other way round."""
    return LANES * ((row >> 3) + (rows >> 3) * (k >> 2)) + 4 * (row & 7) + (k & 3)


def significand(bits: int, kind: int) -> int:
    """Of an element as a signed whole number; see `SPECIAL`."""
    digits, top = count(FRACTION, kind), (1 << count(EXPONENT, kind)) - 1
    bits = bits >> count(UNUSED, kind)
    field, fraction = bits >> digits, bits & (1 << digits) - 1
    size = fraction | 1 << digits if field & top != 0 else fraction
    if field & top == top and (kind != E4M3 or fraction == 7):
        size = 1 if fraction == 0 else 0
    return -size if field > top else size


def exponent(bits: int, kind: int) -> int:
    """Of the leading place of an element's significand; see `SPECIAL`."""
    digits, top = count(FRACTION, kind), (1 << count(EXPONENT, kind)) - 1
    bits = bits >> count(UNUSED, kind)
    field, fraction = bits >> digits & top, bits & (1 << digits) - 1
    if field == top and (kind != E4M3 or fraction == 7):
        return SPECIAL
    if field == 0 and fraction == 0:
        return NOTHING
    return max(field, 1) - (top >> 1)


def row_of(register: int, lane: int, rows: int) -> int:
    """Of the elements of A in a register of a lane, or the column of those of B (rows: 8)."""
    return (lane >> 2) + 8 * (register & (rows >> 3) - 1)


def first_of(register: int, lane: int, rows: int) -> int:
    """Which of its row's registers it is: k of its first element, where a register has one."""
    return (lane & 3) + 4 * (register >> (rows >> 4))


def unpack(fragment, sizes, exponents, rows: int, depth: int, kind: int, halves: int) -> None:
    """All elements of A or B, row by row; if `halves`, of each row those with k mod 4 < 2 first."""
    bits, each = count(SIZE, kind), 32 // count(SIZE, kind)
    for register in range(rows * depth * bits >> 10):
        for lane in range(LANES):
            word = fragment[LANES * register + lane]
            into = MOST_DEPTH * row_of(register, lane, rows)
            first = each * first_of(register, lane, rows)
            for k in range(first, first + each):
                found = word & (1 << bits) - 1
                word = word >> bits
                at = into + k
                if halves:
                    at = into + (k & 1) + (k >> 2 << 1) + (depth >> 1) * (k >> 1 & 1)
                sizes[at] = significand(found, kind)
                exponents[at] = exponent(found, kind)


def unpack_integers(fragment, values, rows: int, depth: int, bits: int, is_signed: int) -> None:
    """The same of integers."""
    each = 32 // bits
    for register in range(rows * depth * bits >> 10):
        for lane in range(LANES):
            word = fragment[LANES * register + lane]
            into = MOST_DEPTH * row_of(register, lane, rows) + each * first_of(register, lane, rows)
            for k in range(each):
                found = word >> bits * k & (1 << bits) - 1
                values[into + k] = found - (is_signed * (found >> bits - 1) << bits)


# Sums ----------------------------------------------------------------------------------------


def aligned(size: int, left: int, below: int) -> int:
    """A signed number, shifted to the left and then to the right, what falls out cut off."""
    found = abs(size) << left >> min(below, 63)
    return -found if size < 0 else found


def highest_exponent(a, first_a: int, b, first_b: int, depth: int, least: int) -> int:
    """The largest sum of exponents, or `least`."""
    highest = least
    for k in range(depth):
        highest = max(highest, a[first_a + k] + b[first_b + k])
    return highest


def aligned_sum(
    a, a_exponents, first_a: int, b, b_exponents, first_b: int, depth: int, left: int, highest: int
) -> int:
    """The products, each cut, in units of 2 ** (highest - cut); `left` is cut less the bits of a
    product's fraction."""
    total = 0
    for k in range(depth):
        below = highest - (a_exponents[first_a + k] + b_exponents[first_b + k])
        total += aligned(a[first_a + k] * b[first_b + k], left, below)
    return total


def special_sum(
    a, a_exponents, first_a: int, b, b_exponents, first_b: int, depth: int, c: int, c_exponent: int
) -> int:
    """A sum with infinities or NaN: 1 or -1 for an infinity, 0 for NaN."""
    positive, negative = c_exponent == SPECIAL and c > 0, c_exponent == SPECIAL and c < 0
    is_nan = c_exponent == SPECIAL and c == 0
    for k in range(depth):
        if a_exponents[first_a + k] == SPECIAL or b_exponents[first_b + k] == SPECIAL:
            product = a[first_a + k] * b[first_b + k]
            is_nan = is_nan or product == 0
            positive = positive or product > 0
            negative = negative or product < 0
    if is_nan or (positive and negative):
        return 0
    return 1 if positive else -1


def bits_of_sum(total: int, highest: int, cut: int, digits: int) -> int:
    """A sum, in units of 2 ** (highest - cut), cut to an f32 of so many significant bits."""
    if highest > SPECIAL >> 1:
        infinite = INFINITE_F32 if total > 0 else INFINITE_F32 | 1 << 31
        return NAN_F32 if total == 0 else infinite
    if total == 0:
        return 0
    size, sign = abs(total), (1 << 31 if total < 0 else 0)
    top = 63 - count_leading_zeros(size) + highest - cut
    if top > 127:
        return sign | INFINITE_F32
    lost = max(top, -126) - (digits - 1) - (highest - cut)
    kept = size >> min(lost, 63) if lost > 0 else size << -lost
    kept <<= 24 - digits
    return sign | kept if top < -126 else sign | kept + (top + 126 << 23)


def half_of_sum(total: int, highest: int, cut: int) -> int:
    """A sum, in units of 2 ** (highest - cut), rounded to the nearest f16."""
    if highest > SPECIAL >> 1:
        infinite = INFINITE_F16 if total > 0 else INFINITE_F16 | 0x8000
        return NAN_F16 if total == 0 else infinite
    if total == 0:
        return 0
    size, sign = abs(total), (0x8000 if total < 0 else 0)
    top = 63 - count_leading_zeros(size) + highest - cut
    if top > 15:
        return sign | INFINITE_F16
    lost = max(top, -14) - 10 - (highest - cut)
    if lost <= 0:
        kept = size << -lost
    else:
        lost = min(lost, 62)
        kept, rest, half = size >> lost, size & ((1 << lost) - 1), 1 << (lost - 1)
        kept += 1 if rest > half or (rest == half and kept & 1 == 1) else 0
    return sign | kept if top < -14 else sign | kept + (top + 14 << 10)


def product_sum(
    a, a_exponents, first_a: int, b, b_exponents, first_b: int, depth: int, c: int, kind_c: int,
    fraction: int, cut: int, digits: int,
) -> int:  # fmt: skip
    """The bits of an element of the result, of format `kind_c` as its accumulator's bits `c`.

    fraction  bits of a product's
    """
    size, place_of_c = significand(c, kind_c), exponent(c, kind_c)
    highest = highest_exponent(a_exponents, first_a, b_exponents, first_b, depth, place_of_c)
    if highest > SPECIAL >> 1:
        total = special_sum(
            a, a_exponents, first_a, b, b_exponents, first_b, depth, size, place_of_c
        )
    else:
        left = cut - count(FRACTION, kind_c)
        total = aligned(size, max(left, 0), highest - place_of_c + max(-left, 0))
        total += aligned_sum(
            a, a_exponents, first_a, b, b_exponents, first_b, depth, cut - fraction, highest
        )
    if kind_c == F16:
        return half_of_sum(total, highest, cut)
    return bits_of_sum(total, highest, cut, digits)


# Products of matrices ------------------------------------------------------------------------


def multiply_floats(
    d, a, b, c, rows: int, depth: int, kind_a: int, kind_b: int, kind_d: int, kind_c: int
) -> None:
    """d = a · b + c of f16, bf16 or tf32, rows × 8 with so many k; `kind_c`, `kind_d`: F16 or
    F32, of the accumulators."""
    a_sizes, a_exponents = room(1024), room(1024)
    b_sizes, b_exponents = room(512), room(512)
    unpack(a, a_sizes, a_exponents, rows, depth, kind_a, 0)
    unpack(b, b_sizes, b_exponents, 8, depth, kind_b, 0)
    fraction = count(FRACTION, kind_a) + count(FRACTION, kind_b)
    for row in range(rows):
        for column in range(8):
            found = product_sum(
                a_sizes, a_exponents, MOST_DEPTH * row, b_sizes, b_exponents, MOST_DEPTH * column,
                depth, accumulator(c, row, column, kind_c), kind_c, fraction, 25, 24,
            )  # fmt: skip
            put(d, row, column, kind_d, found)


def accumulator(c, row: int, column: int, kind: int) -> int:
    """The bits of an element of the accumulators."""
    if kind == F16:
        return c[place_of_half(row, column)] >> 16 * (column & 1) & 0xFFFF
    return c[place(row, column)]


def put(d, row: int, column: int, kind: int, bits: int) -> None:
    """Let bits be an element of the result; of halves the even column comes first."""
    if kind != F16:
        d[place(row, column)] = bits
    elif column & 1:
        d[place_of_half(row, column)] |= bits << 16
    else:
        d[place_of_half(row, column)] = bits


def multiply_small(d, a, b, c, rows: int, depth: int, kind_a: int, kind_b: int, kind: int) -> None:
    """The same of e4m3 and e5m2, as `mma.sync` has it made on sm_90: a product of those with
    k mod 4 < 2 and of zero, one of the others and of that, and a sum of it with the accumulator."""
    a_sizes, a_exponents = room(1024), room(1024)
    b_sizes, b_exponents = room(512), room(512)
    unpack(a, a_sizes, a_exponents, rows, depth, kind_a, 1)
    unpack(b, b_sizes, b_exponents, 8, depth, kind_b, 1)
    fraction = count(FRACTION, kind_a) + count(FRACTION, kind_b)
    for row in range(rows):
        for column in range(8):
            found = 0
            for half in range(2):
                skipped = half * (depth >> 1)
                found = product_sum(
                    a_sizes, a_exponents, MOST_DEPTH * row + skipped, b_sizes, b_exponents,
                    MOST_DEPTH * column + skipped, depth >> 1, found, kind, fraction, 25, 24,
                )  # fmt: skip
            other = accumulator(c, row, column, kind)
            if kind == F16:
                total = f16_from_bits(found) + f16_from_bits(other)
                put(d, row, column, kind, bits_of_f16(round_toward(total, 0, 11)))
            else:
                total = f32_from_bits(found) + f32_from_bits(other)
                put(d, row, column, kind, bits_of_f32(round_f32(total)))


def multiply_integers(
    d, a, b, c, rows: int, depth: int, bits: int, a_signed: int, b_signed: int, saturates: int
) -> None:
    """The same of integers of so many bits; the sum wraps, or stays at the end of the range of
    s32."""
    left, right = room(1024), room(512)
    unpack_integers(a, left, rows, depth, bits, a_signed)
    unpack_integers(b, right, 8, depth, bits, b_signed)
    for row in range(rows):
        for column in range(8):
            word = c[place(row, column)]
            total = word - (word >> 31 << 32)
            for k in range(depth):
                total += left[MOST_DEPTH * row + k] * right[MOST_DEPTH * column + k]
            if saturates:
                total = max(min(total, MOST_S32), LEAST_S32)
            d[place(row, column)] = total & 0xFFFF_FFFF


def multiply_bits(d, a, b, c, rows: int, depth: int, exclusive: int) -> None:
    """The same of single bits: how many of k are set in both, or in one if `exclusive`."""
    for row in range(rows):
        for column in range(8):
            total = c[place(row, column)]
            for k in range(depth // 32):
                first, second = a[place_of_one(row, k, rows)], b[place_of_one(column, k, 8)]
                total += population_count(first ^ second if exclusive else first & second)
            d[place(row, column)] = total & 0xFFFF_FFFF


def multiply_doubles(d, a, b, c, rows: int, depth: int) -> None:
    """The same of f64: fused, from the first k on."""
    for row in range(rows):
        for column in range(8):
            total = f64_from_bits(c[place(row, column)])
            for k in range(depth):
                first = f64_from_bits(a[place_of_one(row, k, rows)])
                total = fma_f64(first, f64_from_bits(b[place_of_one(column, k, 8)]), total)
            d[place(row, column)] = bits_of_f64(total)


# Matrices of 8 × 8 elements of 16 bits --------------------------------------------------------


def deal_rows(d, rows, matrices: int, turned: int) -> None:
    """Matrices as they stand in memory, 8 rows of 16 bytes each, dealt out to lanes (ldmatrix).

    rows  word k of row r of matrix m is 32·k + 8·m + r
    d     register m of a lane: elements 2·(lane mod 4) and the next of row lane div 4 of matrix m,
          of its column if `turned`
    """
    for matrix in range(matrices):
        for lane in range(LANES):
            across, along = lane >> 2, lane & 3
            if turned:
                low = half_of(rows, matrix, 2 * along, across)
                d[LANES * matrix + lane] = low | half_of(rows, matrix, 2 * along + 1, across) << 16
            else:
                d[LANES * matrix + lane] = rows[LANES * along + 8 * matrix + across]


def half_of(rows, matrix: int, row: int, column: int) -> int:
    """An element of a matrix in memory."""
    return rows[LANES * (column >> 1) + 8 * matrix + row] >> 16 * (column & 1) & 0xFFFF


def gather_rows(rows, a, matrices: int, turned: int) -> None:
    """The other way round (stmatrix)."""
    for matrix in range(matrices):
        for row in range(8):
            for k in range(4):
                if turned:
                    low = a[LANES * matrix + 8 * k + (row >> 1)]
                    high = a[LANES * matrix + 8 * k + 4 + (row >> 1)]
                    side = 16 * (row & 1)
                    word = low >> side & 0xFFFF | (high >> side & 0xFFFF) << 16
                else:
                    word = a[LANES * matrix + 4 * row + k]
                rows[LANES * k + 8 * matrix + row] = word


def turn(d, a) -> None:
    """A matrix in the registers of a warp becomes its transpose (movmatrix)."""
    for lane in range(LANES):
        row, side = 2 * (lane & 3), 16 * (lane >> 2 & 1)
        low, high = a[4 * row + (lane >> 3)], a[4 * row + 4 + (lane >> 3)]
        d[lane] = low >> side & 0xFFFF | (high >> side & 0xFFFF) << 16


# Products of a group of four warps -------------------------------------------------------------


S8, U8, B1, S32, SATURATING = 8, 9, 10, 6, 7
"""Formats of `multiply_group` beside those of floats: of elements, and of results."""
OUTSIDE, OUT_OF_STEP = 1, 2
"""What is wrong with a matrix in shared memory: it is not within it, or begins where the pattern of
its swizzle does not."""
GROUP_DEPTH = 32
"""Most elements of k: 32 bytes of each row."""


def chunk_address(descriptor: int, row: int, chunk: int, turned: int) -> int:
    """Where 16 bytes of a matrix lie in shared memory (PTX ISA 9.0, 9.7.15.5).

    Eight rows and a chunk make a core matrix.  Without a swizzle its rows follow each other; the
    next one along k is the leading offset further, the next eight rows the stride offset.  With a
    swizzle of 32, 64 or 128 bytes a row of as many bytes holds chunks side by side, which are
    exchanged by the exclusive or with bits 7 and on of the address; eight such rows are the stride
    offset apart.  If the matrix is `turned`, k counts its rows, and `row` chunks along the other
    axis: those beyond the swizzle are the leading offset apart.
    """
    start, leading = (descriptor & 0x3FFF) << 4, (descriptor >> 16 & 0x3FFF) << 4
    stride, mode = (descriptor >> 32 & 0x3FFF) << 4, descriptor >> 62 & 3
    if mode == 0:
        if turned:
            return start + row * stride + (chunk & 7) * 16 + (chunk >> 3) * leading
        return start + (row >> 3) * stride + (row & 7) * 16 + chunk * leading
    side = 16 >> mode
    if turned:
        across = (row & side - 1) * 16 + (row >> 4 - mode) * leading
        address = start + across + (chunk & 7) * 16 * side + (chunk >> 3) * stride
    else:
        address = start + (row >> 3) * stride + (row & 7) * 16 * side + chunk * 16
    return address ^ ((address >> 7) - (descriptor >> 49 & 7) & side - 1) << 4


def wrong_step(descriptor: int) -> int:
    """Whether a matrix begins in another row of its swizzle than its base offset says."""
    mode = descriptor >> 62 & 3
    side = (16 >> mode) - 1 if mode else 0
    return ((descriptor & 0x3FFF) >> 3) - (descriptor >> 49 & 7) & side


def bring(words, rows: int, first: int, descriptor: int, shared, size: int, turned: int) -> int:
    """32 bytes of each of some rows of a matrix in shared memory, from row `first` on, eight words
    a row; what is wrong with it, or 0.  `size`: bytes of shared memory."""
    if wrong_step(descriptor) != 0:
        return OUT_OF_STEP
    for row in range(rows):
        for k in range(8):
            if turned:
                place = chunk_address(descriptor, first + row >> 3, 2 * k, 1) + 2 * (row & 7)
                other = chunk_address(descriptor, first + row >> 3, 2 * k + 1, 1) + 2 * (row & 7)
                if max(place, other) + 2 > size:
                    return OUTSIDE
                low = shared[place >> 2] >> 8 * (place & 2) & 0xFFFF
                words[8 * row + k] = low | (shared[other >> 2] >> 8 * (other & 2) & 0xFFFF) << 16
            else:
                place = chunk_address(descriptor, first + row, k >> 2, 0) + 4 * (k & 3)
                if place + 4 > size:
                    return OUTSIDE
                words[8 * row + k] = shared[place >> 2]
    return 0


def unpack_words(words, sizes, exponents, rows: int, kind: int, negated: int) -> None:
    """The elements of rows of eight words; integers have no exponents."""
    bits = 8 if kind >= S8 else count(SIZE, kind)
    each = 32 // bits
    for row in range(rows):
        for k in range(8):
            word, into = words[8 * row + k] & 0xFFFF_FFFF, GROUP_DEPTH * row + each * k
            for part in range(each):
                found = word >> bits * part & (1 << bits) - 1
                if kind >= S8:
                    sizes[into + part] = found - (found >> 7 << 8) if kind == S8 else found
                else:
                    value = significand(found, kind)
                    sizes[into + part] = -value if negated else value
                    exponents[into + part] = exponent(found, kind)


def multiply_group(
    d, c, a, b, shared, size: int, warp: int, scale: int, types: int, scale_a: int, scale_b: int,
    turn_a: int, turn_b: int, columns: int, in_registers: int,
) -> int:  # fmt: skip
    """The rows of one warp of a · b + c, 64 rows deep in 32 bytes (wgmma); what is wrong with the
    matrices in shared memory, or 0.

    a       a fragment, or a descriptor; `b` is one
    scale   0: the accumulators count as zeros
    types   format of a, of b << 4, and of the result << 8
    scale_a, scale_b   1, or -1: the matrix is negated
    """
    kind_a, kind_b, result = types & 15, types >> 4 & 15, types >> 8
    words_a, words_b = room(128), room(2048)
    left, left_exponents = room(512), room(512)
    right, right_exponents = room(8192), room(8192)
    if in_registers:
        for row in range(16):
            for k in range(8):
                words_a[8 * row + k] = a[place_of_one(row, k, 16)]
    else:
        wrong = bring(words_a, 16, 16 * (warp & 3), a[0], shared, size, turn_a)
        if wrong != 0:
            return wrong
    wrong = bring(words_b, columns, 0, b[0], shared, size, turn_b)
    if wrong != 0:
        return wrong
    if kind_a == B1:
        count_group(d, c, words_a, words_b, scale, columns)
        return 0
    unpack_words(words_a, left, left_exponents, 16, kind_a, 1 if scale_a < 0 else 0)
    unpack_words(words_b, right, right_exponents, columns, kind_b, 1 if scale_b < 0 else 0)
    if kind_a >= S8:
        sum_group(d, c, left, right, scale, columns, 1 if result == SATURATING else 0)
        return 0
    is_small = E4M3 <= kind_a <= E5M2
    fraction, depth = count(FRACTION, kind_a) + count(FRACTION, kind_b), 256 // count(SIZE, kind_a)
    cut, digits = (13, 14) if is_small else (25, 24)
    for row in range(16):
        for column in range(columns):
            found = product_sum(
                left, left_exponents, GROUP_DEPTH * row, right, right_exponents,
                GROUP_DEPTH * column, depth, accumulator(c, row, column, result) if scale else 0,
                result, fraction, cut, digits,
            )  # fmt: skip
            put(d, row, column, result, found)
    return 0


def count_group(d, c, words_a, words_b, scale: int, columns: int) -> None:
    """Of single bits: how many are set in both."""
    for row in range(16):
        for column in range(columns):
            total = c[place(row, column)] if scale else 0
            for k in range(8):
                both = words_a[8 * row + k] & words_b[8 * column + k]
                total += population_count(both & 0xFFFF_FFFF)
            d[place(row, column)] = total & 0xFFFF_FFFF


def sum_group(d, c, left, right, scale: int, columns: int, saturates: int) -> None:
    """Of integers."""
    for row in range(16):
        for column in range(columns):
            word = c[place(row, column)] if scale else 0
            total = word - (word >> 31 << 32)
            for k in range(GROUP_DEPTH):
                total += left[GROUP_DEPTH * row + k] * right[GROUP_DEPTH * column + k]
            if saturates:
                total = max(min(total, MOST_S32), LEAST_S32)
            d[place(row, column)] = total & 0xFFFF_FFFF


FUNCTIONS: tuple[Callable, ...] = (
    multiply_floats, multiply_small, multiply_integers, multiply_bits, multiply_doubles,
    deal_rows, gather_rows, turn, multiply_group,
)  # fmt: skip

VOCABULARY = {function.__name__: function for function in FUNCTIONS}
"""What the meaning of a row may call whose lanes bring matrices."""
