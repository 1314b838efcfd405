"""SHA-256 (FIPS 180-4), padding included."""

from compiler.kernel import i64, kernel, u8, u32

# The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
ROUND: u32[64] = [
    0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1, 0x923F82A4, 0xAB1C5ED5,
    0xD807AA98, 0x12835B01, 0x243185BE, 0x550C7DC3, 0x72BE5D74, 0x80DEB1FE, 0x9BDC06A7, 0xC19BF174,
    0xE49B69C1, 0xEFBE4786, 0x0FC19DC6, 0x240CA1CC, 0x2DE92C6F, 0x4A7484AA, 0x5CB0A9DC, 0x76F988DA,
    0x983E5152, 0xA831C66D, 0xB00327C8, 0xBF597FC7, 0xC6E00BF3, 0xD5A79147, 0x06CA6351, 0x14292967,
    0x27B70A85, 0x2E1B2138, 0x4D2C6DFC, 0x53380D13, 0x650A7354, 0x766A0ABB, 0x81C2C92E, 0x92722C85,
    0xA2BFE8A1, 0xA81A664B, 0xC24B8B70, 0xC76C51A3, 0xD192E819, 0xD6990624, 0xF40E3585, 0x106AA070,
    0x19A4C116, 0x1E376C08, 0x2748774C, 0x34B0BCB5, 0x391C0CB3, 0x4ED8AA4A, 0x5B9CCA4F, 0x682E6FF3,
    0x748F82EE, 0x78A5636F, 0x84C87814, 0x8CC70208, 0x90BEFFFA, 0xA4506CEB, 0xBEF9A3F7, 0xC67178F2,
]  # fmt: skip

# The same of the square roots of the first eight primes.
INITIAL: u32[8] = [
    0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19,
]  # fmt: skip


@kernel
def big_endian(data: u8[:], i: i64) -> u32:
    high = (u32(data[i]) << 24) | (u32(data[i + 1]) << 16)
    low = (u32(data[i + 2]) << 8) | u32(data[i + 3])
    return high | low


@kernel
def small_sigma_0(x: u32) -> u32:
    return ((x >> 7) | (x << 25)) ^ ((x >> 18) | (x << 14)) ^ (x >> 3)


@kernel
def small_sigma_1(x: u32) -> u32:
    return ((x >> 17) | (x << 15)) ^ ((x >> 19) | (x << 13)) ^ (x >> 10)


@kernel
def big_sigma_0(x: u32) -> u32:
    return ((x >> 2) | (x << 30)) ^ ((x >> 13) | (x << 19)) ^ ((x >> 22) | (x << 10))


@kernel
def big_sigma_1(x: u32) -> u32:
    return ((x >> 6) | (x << 26)) ^ ((x >> 11) | (x << 21)) ^ ((x >> 25) | (x << 7))


@kernel
def hash_block(data: u8[:], start: i64, w: u32[64], digest: u32[:]):
    """Mix the 64 bytes at data[start] into the digest; `w` holds the message schedule."""
    for t in range(16):
        w[t] = big_endian(data, start + 4 * t)
    for t in range(16, 64):
        w[t] = small_sigma_1(w[t - 2]) + w[t - 7] + small_sigma_0(w[t - 15]) + w[t - 16]
    a, b, c, d = digest[0], digest[1], digest[2], digest[3]
    e, f, g, h = digest[4], digest[5], digest[6], digest[7]
    for t in range(64):
        choice = (e & f) ^ (~e & g)
        majority = (a & b) ^ (a & c) ^ (b & c)
        first = h + big_sigma_1(e) + choice + ROUND[t] + w[t]
        second = big_sigma_0(a) + majority
        h, g, f, e = g, f, e, d + first
        d, c, b, a = c, b, a, first + second
    digest[0] += a
    digest[1] += b
    digest[2] += c
    digest[3] += d
    digest[4] += e
    digest[5] += f
    digest[6] += g
    digest[7] += h


@kernel
def sha256(n: i64, data: u8[:], digest: u32[:]):
    """digest[0 … 7] = the hash of data[0 … n - 1]."""
    w: u32[64]
    tail: u8[128]
    for i in range(8):
        digest[i] = INITIAL[i]
    whole = n & ~63
    for start in range(0, whole, 64):
        hash_block(data, start, w, digest)

    # The rest, a one bit, zeros, and the length in bits as 64 bits: one block or two.
    rest = n - whole
    for i in range(rest):
        tail[i] = data[whole + i]
    tail[rest] = 0x80
    end = 64 if rest < 56 else 128
    for i in range(8):
        tail[end - 1 - i] = u8(((n << 3) >> (8 * i)) & 0xFF)
    for start in range(0, end, 64):
        hash_block(tail, start, w, digest)
