// The CRC-32 of IEEE 802.3, by a table that is made first.
#include <stdint.h>

static void make(uint32_t table[256]) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
        table[i] = c;
    }
}

uint32_t crc32(const uint8_t *restrict data, int64_t n) {
    uint32_t table[256], c = ~0u;
    make(table);
    for (int64_t i = 0; i < n; i++) c = table[(c ^ data[i]) & 255] ^ (c >> 8);
    return ~c;
}
