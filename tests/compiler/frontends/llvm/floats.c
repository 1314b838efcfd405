// Compares with NaN, conversions, and what the mathematical library has instructions for.
#include <math.h>
#include <stdint.h>

int compares(double a, double b) {
    return (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5 |
           !(a < b) << 6 | !(a <= b) << 7 | !(a > b) << 8 | !(a >= b) << 9 |
           !!__builtin_isunordered(a, b) << 10 | !__builtin_isunordered(a, b) << 11 |
           !!__builtin_islessgreater(a, b) << 12 | !__builtin_islessgreater(a, b) << 13;
}

int compares_f(float a, float b) {
    return (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5 |
           !(a < b) << 6 | !(a <= b) << 7 | !(a > b) << 8 | !(a >= b) << 9 |
           !!__builtin_isunordered(a, b) << 10 | !!__builtin_islessgreater(a, b) << 12;
}

double mixture(double a, float b, int32_t i, uint32_t u, int64_t l, uint64_t v) {
    double sum = a * (double)b - (double)i / ((double)u + 1.0);
    sum += (double)(float)l + (double)v + (double)(float)v;
    sum += fabs(a) + sqrt(fabs(sum)) + -b;
    sum += __builtin_fma(a, 3.0, (double)b) + copysign(2.5, a) + fmax(a, b) - fmin(a, b);
    return sum;
}

int64_t truncated(double a, float b) {
    return (int8_t)(int)b + (int32_t)a + (int64_t)(a * 65536) + (uint8_t)(unsigned)b + (uint32_t)b;
}

uint64_t bits(double a, float b) {
    union { double d; uint64_t u; } x = {a};
    union { float f; uint32_t u; } y = {b};
    return x.u ^ (uint64_t)y.u << 7;
}

// Newton's method: how often until the square root stands still.
int steps(double a) {
    double x = a > 1 ? a : 1, before = 0;
    int n = 0;
    while (x != before && n < 100) before = x, x = 0.5 * (x + a / x), n++;
    return n;
}
