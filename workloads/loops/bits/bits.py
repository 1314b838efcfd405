"""Loops over the bits of words."""

from compiler.kernel import i64, kernel, u8, u32, u64


@kernel
def popcount(n: i64, x: u64[:]) -> i64:
    """Ones in all words, by sums of 2, 4 and 8 bits (Warren, Hacker's Delight, 2002)."""
    total = 0
    for i in range(n):
        word = x[i]
        word = word - ((word >> 1) & 0x5555555555555555)
        word = (word & 0x3333333333333333) + ((word >> 2) & 0x3333333333333333)
        word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0F
        total += i64((word * 0x0101010101010101) >> 56)
    return total


@kernel
def clear_lowest(count: i64, x: u64[:], ones: i64[:]):
    """Ones in every word, one an iteration (Wegner 1960)."""
    for i in range(count):
        word = x[i]
        found = 0
        while word != 0:
            word = word & (word - 1)
            found += 1
        ones[i] = found


@kernel
def reverse_bits(n: i64, x: u32[:]):
    """The bits of every word in reverse order."""
    for i in range(n):
        word = x[i]
        word = ((word >> 1) & 0x55555555) | ((word & 0x55555555) << 1)
        word = ((word >> 2) & 0x33333333) | ((word & 0x33333333) << 2)
        word = ((word >> 4) & 0x0F0F0F0F) | ((word & 0x0F0F0F0F) << 4)
        word = ((word >> 8) & 0x00FF00FF) | ((word & 0x00FF00FF) << 8)
        x[i] = (word >> 16) | (word << 16)


@kernel
def parity(n: i64, x: u64[:], y: u8[:]):
    """1 where a word has an odd number of ones."""
    for i in range(n):
        word = x[i]
        word = word ^ (word >> 32)
        word = word ^ (word >> 16)
        word = word ^ (word >> 8)
        word = word ^ (word >> 4)
        y[i] = u8((0x6996 >> (word & 15)) & 1)


@kernel
def gray_code(n: i64, x: u32[:]):
    for i in range(n):
        number = u32(i)
        x[i] = number ^ (number >> 1)


@kernel
def gray_decode(n: i64, x: u32[:]):
    for i in range(n):
        word = x[i]
        word = word ^ (word >> 16)
        word = word ^ (word >> 8)
        word = word ^ (word >> 4)
        word = word ^ (word >> 2)
        x[i] = word ^ (word >> 1)


@kernel
def swap_bytes(n: i64, x: u32[:]):
    for i in range(n):
        word = x[i]
        outer = (word << 24) | (word >> 24)
        x[i] = outer | ((word & 0xFF00) << 8) | ((word >> 8) & 0xFF00)


@kernel
def interleave(n: i64, x: u32[:], y: u32[:]):
    """Morton's order: the 16 low bits of x between zeros."""
    for i in range(n):
        word = x[i] & 0xFFFF
        word = (word | (word << 8)) & 0x00FF00FF
        word = (word | (word << 4)) & 0x0F0F0F0F
        word = (word | (word << 2)) & 0x33333333
        y[i] = (word | (word << 1)) & 0x55555555


@kernel
def hamming_distance(n: i64, x: u8[:], y: u8[:]) -> i64:
    """Bits in which two sequences of bytes differ."""
    total = 0
    for i in range(n):
        word = u32(x[i] ^ y[i])
        word = word - ((word >> 1) & 0x55)
        word = (word & 0x33) + ((word >> 2) & 0x33)
        total += i64((word + (word >> 4)) & 0x0F)
    return total


@kernel
def pack_flags(n: i64, flags: u8[:], packed: u8[:]):
    """Eight flags a byte, the first one lowest; 8·n flags."""
    for i in range(n):
        low = flags[8 * i] | (flags[8 * i + 1] << 1)
        low = low | (flags[8 * i + 2] << 2) | (flags[8 * i + 3] << 3)
        high = flags[8 * i + 4] | (flags[8 * i + 5] << 1)
        high = high | (flags[8 * i + 6] << 2) | (flags[8 * i + 7] << 3)
        packed[i] = u8(low | (high << 4))
