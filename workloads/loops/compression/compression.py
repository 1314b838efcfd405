"""Inner loops of compressors: bzip2's and gzip's, and of encodings of bytes."""

from compiler.kernel import i64, kernel, u8, u16, u32, u64

POLYNOMIAL: u32 = 0xEDB88320  # of CRC-32, its bits reversed
BASE = 65521  # of Adler-32: the largest prime below 2**16
LETTERS: u8[64] = [
    65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80,
    81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 97, 98, 99, 100, 101, 102,
    103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118,
    119, 120, 121, 122, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 43, 47,
]  # fmt: skip


@kernel
def adler32(n: i64, data: u8[:]) -> u32:
    """The checksum of zlib for at most 5552 bytes, so that one division is enough."""
    a: u32 = 1
    b: u32 = 0
    for i in range(n):
        a += data[i]
        b += a
    return ((b % BASE) << 16) | (a % BASE)


@kernel
def crc32_bitwise(n: i64, data: u8[:]) -> u32:
    """CRC-32, a bit at a time; n bytes."""
    crc: u32 = 0xFFFFFFFF
    for i in range(n):
        crc = crc ^ data[i]
        for _ in range(8):
            odd = crc & 1
            crc = crc >> 1
            if odd != 0:
                crc = crc ^ POLYNOMIAL
    return ~crc


@kernel
def crc32_table(n: i64, data: u8[:], table: u32[256]) -> u32:
    """CRC-32, a look-up a byte."""
    crc: u32 = 0xFFFFFFFF
    for i in range(n):
        crc = (crc >> 8) ^ table[(crc ^ data[i]) & 0xFF]
    return ~crc


@kernel
def longest_match(n: i64, at: i64, before: i64, data: u8[:]) -> i64:
    """How many of at most n bytes from data[at] are those from data[before] (deflate)."""
    length = 0
    while length < n and data[at + length] == data[before + length]:
        length += 1
    return length


@kernel
def hash_chain(n: i64, data: u8[:], head: u16[4096], chain: u16[:]):
    """Deflate's chains: to every place the one before with the same hash of three bytes."""
    h: u32 = (u32(data[0]) << 4) ^ data[1]
    for i in range(n):
        h = ((h << 4) ^ data[i + 2]) & 0xFFF
        chain[i] = head[h]
        head[h] = u16(i + 1)


@kernel
def copy_match(n: i64, distance: i64, at: i64, window: u8[:]):
    """Inflate: n bytes from `distance` before; they may be among those written."""
    for i in range(n):
        window[at + i] = window[at + i - distance]


@kernel
def move_to_front(n: i64, data: u8[:], order: u8[256], ranks: u8[:]):
    """Every byte becomes its place in a list that moves it to the front."""
    for i in range(n):
        byte = data[i]
        carried = order[0]
        place = 0
        while carried != byte:
            place += 1
            carried, order[place] = order[place], carried
        order[0] = byte
        ranks[i] = u8(place)


@kernel
def shift_ranks(n: i64, order: u8[:]):
    """The move in move-to-front: n elements one place up, the last of them to the front."""
    moved = order[n]
    for i in range(n, 0, -1):
        order[i] = order[i - 1]
    order[0] = moved


@kernel
def run_length(n: i64, data: u8[:], values: u8[:], lengths: u32[:]) -> i64:
    """Runs of equal bytes, n ≥ 1; returns how many there are."""
    runs = 0
    length: u32 = 1
    for i in range(1, n):
        if data[i] == data[i - 1]:
            length += 1
        else:
            values[runs] = data[i - 1]
            lengths[runs] = length
            runs += 1
            length = 1
    if n > 0:
        values[runs] = data[n - 1]
        lengths[runs] = length
        runs += 1
    return runs


@kernel
def pair_buckets(n: i64, data: u8[:], buckets: u32[:]):
    """bzip2's first sort: how often each pair of neighbours occurs."""
    pair: u32 = u32(data[0]) << 8
    for i in range(n):
        pair = (pair >> 8) | (u32(data[i + 1]) << 8)
        buckets[pair] += 1


@kernel
def bucket_ends(n: i64, buckets: u32[:]):
    """Counts become places: the sum of all up to each."""
    total: u32 = 0
    for i in range(n):
        total += buckets[i]
        buckets[i] = total


@kernel
def compare_suffixes(n: i64, a: i64, b: i64, data: u8[:], ranks: u16[:]) -> i64:
    """bzip2's main comparison of suffixes, by bytes and ranks: the sign of their difference."""
    for i in range(n):
        if data[a + i] != data[b + i]:
            return 1 if data[a + i] > data[b + i] else -1
        if ranks[a + i] != ranks[b + i]:
            return 1 if ranks[a + i] > ranks[b + i] else -1
    return 0


@kernel
def code_lengths(n: i64, parents: u16[:], lengths: u8[:]):
    """Huffman: the depths of n nodes and the root, which is the last, from their parents."""
    lengths[n] = 0
    for node in range(n - 1, -1, -1):
        lengths[node] = u8(lengths[parents[node]] + 1)


@kernel
def canonical_codes(n: i64, following: u16[16], lengths: u8[:], codes: u16[:]):
    """Deflate: codes of one length are numbered in the order of their symbols."""
    for i in range(n):
        length = lengths[i]
        codes[i] = following[length]
        following[length] = u16(following[length] + 1)


@kernel
def cost_of_group(n: i64, lengths: u8[:], symbols: u16[:]) -> u32:
    """bzip2: bits of a group of symbols with one of its code tables."""
    bits: u32 = 0
    for i in range(n):
        bits += lengths[symbols[i]]
    return bits


@kernel
def send_bits(n: i64, codes: u32[:], lengths: u8[:], symbols: u8[:], out: u8[:]) -> i64:
    """Codes one after another, low bits first, one byte a symbol at most; returns the bytes."""
    held: u64 = 0
    count, written = 0, 0
    for i in range(n):
        symbol = symbols[i]
        held = held | (u64(codes[symbol]) << count)
        count += i64(lengths[symbol])
        if count >= 8:
            out[written] = u8(held)
            written += 1
            held = held >> 8
            count -= 8
    return written


@kernel
def inverse_bwt(n: i64, first: i64, links: u32[:], letters: u8[:], out: u8[:]):
    """bzip2: the text, a letter and a link an iteration."""
    place = first
    for i in range(n):
        out[i] = letters[place]
        place = i64(links[place])


@kernel
def block_hash(n: i64, key: u64[:], block: u64[:]) -> u64:
    """Like bzip2's integer loops: words of two streams are shifted, added, mixed and summed.

    The sums are one iteration behind, so that a row of the schedule has one load of each stream,
    a shift, and three operations for M or I slots, one of which stands first.
    """
    total: u64 = 0
    folded: u64 = 0
    crossed: u64 = 0
    mixed: u64 = 0
    for i in range(n):
        total += mixed
        folded = folded ^ (mixed >> 5)
        crossed += mixed ^ folded
        mixed = ((key[i] >> 3) + 17) ^ block[i]
    return total ^ folded ^ crossed


@kernel
def base64(n: i64, data: u8[:], text: u8[:]):
    """3·n bytes become 4·n letters."""
    for i in range(n):
        word = (u32(data[3 * i]) << 16) | (u32(data[3 * i + 1]) << 8) | data[3 * i + 2]
        text[4 * i] = LETTERS[word >> 18]
        text[4 * i + 1] = LETTERS[(word >> 12) & 63]
        text[4 * i + 2] = LETTERS[(word >> 6) & 63]
        text[4 * i + 3] = LETTERS[word & 63]


@kernel
def hexadecimal(n: i64, data: u8[:], text: u8[:]):
    """Every byte becomes two digits."""
    for i in range(n):
        high, low = data[i] >> 4, data[i] & 15
        text[2 * i] = u8(high + 48 if high < 10 else high + 87)
        text[2 * i + 1] = u8(low + 48 if low < 10 else low + 87)
