"""CRC-32 as in zlib, gzip and Ethernet: a table look-up a byte."""

from compiler.kernel import i64, kernel, u8, u32

POLYNOMIAL: u32 = 0xEDB88320  # 0x04C11DB7 with its bits reversed


@kernel
def fill_table(table: u32[256]):
    """table[b] = the remainder that byte b leaves."""
    for byte in range(256):
        remainder = u32(byte)
        for _ in range(8):
            divide = remainder & 1 != 0
            remainder = remainder >> 1
            if divide:
                remainder = remainder ^ POLYNOMIAL
        table[byte] = remainder


@kernel
def crc32(n: i64, data: u8[:]) -> u32:
    table: u32[256]
    fill_table(table)
    crc: u32 = 0xFFFFFFFF
    for i in range(n):
        crc = (crc >> 8) ^ table[(crc ^ u32(data[i])) & 0xFF]
    return ~crc
