// What machines have instructions for and C has builtins.
#include <stdint.h>

#define ALL(name, type, width) \
    uint64_t name(type a, type b, uint8_t n) { \
        type r = (type)(a << (n % width) | a >> ((width - n % width) % width)); \
        uint64_t sum = r; \
        sum = sum * 31 + (type)(a + b) + (type)(a - b) + (type)(a * b) + (type)(a ^ ~b); \
        sum = sum * 31 + (a > b ? a : b) + (a < b ? a : b); \
        sum = sum * 31 + (b ? a / b + a % b : 1); \
        return sum; \
    }
ALL(bits8, uint8_t, 8)
ALL(bits16, uint16_t, 16)
ALL(bits32, uint32_t, 32)
ALL(bits64, uint64_t, 64)

int counts(uint32_t a, uint64_t b) {
    int sum = __builtin_popcount(a) + 100 * __builtin_popcountll(b);
    if (a) sum += __builtin_clz(a) * 3 + __builtin_ctz(a) * 5;
    if (b) sum += __builtin_clzll(b) * 7 + __builtin_ctzll(b) * 11;
    return sum + __builtin_parity(a) + __builtin_ffsll((int64_t)b);
}

uint64_t swapped(uint16_t a, uint32_t b, uint64_t c) {
    return __builtin_bswap16(a) + __builtin_bswap32(b) + __builtin_bswap64(c) +
           __builtin_bitreverse32(b) + __builtin_bitreverse8((uint8_t)a) +
           __builtin_rotateleft64(c, a) + __builtin_rotateright32(b, a) +
           __builtin_rotateleft16(a, (uint16_t)b);
}

int overflows(int32_t a, int32_t b, int64_t c, int64_t d, uint64_t e, uint64_t f) {
    int32_t r;
    int64_t s;
    uint64_t t;
    uint8_t u;
    return __builtin_add_overflow(a, b, &r) | __builtin_sub_overflow(a, b, &r) << 1 |
           __builtin_mul_overflow(a, b, &r) << 2 | __builtin_add_overflow(c, d, &s) << 3 |
           __builtin_sub_overflow(c, d, &s) << 4 | __builtin_mul_overflow(c, d, &s) << 5 |
           __builtin_add_overflow(e, f, &t) << 6 | __builtin_sub_overflow(e, f, &t) << 7 |
           __builtin_mul_overflow(e, f, &t) << 8 |
           __builtin_add_overflow((uint8_t)e, (uint8_t)f, &u) << 9;
}
