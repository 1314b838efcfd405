/* Remainders of floats, and their parts: exact. Special cases are those of ISO C, Annex F. */

#include "double_double.h"

/* Digit by digit: 11 bits of the quotient at a time. */
double fmod(double x, double y)
{
    double size = __builtin_fabs(x), by = __builtin_fabs(y);
    if (!(size < INFINITY) || by == 0 || y != y)
        return NAN;
    if (size < by)
        return x;
    int shift = 0, upper = bits_of(size) >> 52, lower = bits_of(by) >> 52;
    word a = bits_of(size) & 0xfffffffffffff, b = bits_of(by) & 0xfffffffffffff;
    a |= upper ? 1ul << 52 : 0;
    b |= lower ? 1ul << 52 : 0;
    upper += !upper;
    lower += !lower;
    for (shift = upper - lower; shift >= 11; shift -= 11)
        a = (a % b) << 11;
    a = ((a % b) << shift) % b;
    double found = a;
    return __builtin_copysign(scaled(found, lower - 1075), x);
}

double remainder(double x, double y)
{
    double by = __builtin_fabs(y), size = __builtin_fabs(x);
    if (!(size < INFINITY) || by == 0 || y != y)
        return NAN;
    if (by == INFINITY)
        return x;
    if (by < 0x1p1022)
        size = fmod(size, by + by);
    if (by < 0x1p-1021) {
        if (size + size > by) {
            size -= by;
            if (size + size >= by)
                size -= by;
        }
    } else if (size > by / 2) {
        size -= by;
        if (size >= by / 2)
            size -= by;
    }
    return bits_of(x) >> 63 ? -size : size;
}

double frexp(double x, int *exponent)
{
    *exponent = 0;
    if (x == 0 || !(__builtin_fabs(x) < INFINITY))
        return x;
    int shift = __builtin_fabs(x) < 0x1p-1022 ? 64 : 0;
    if (shift)
        x *= 0x1p64;
    *exponent = (int)(bits_of(x) >> 52 & 2047) - 1022 - shift;
    return of_bits((bits_of(x) & ~(2047ul << 52)) | 1022ul << 52);
}

double ldexp(double x, int shift) { return scaled(x, shift); }
double scalbn(double x, int shift) { return scaled(x, shift); }
double scalbln(double x, long shift)
{
    return scaled(x, shift > 5000 ? 5000 : shift < -5000 ? -5000 : shift);
}

double modf(double x, double *whole)
{
    *whole = __builtin_trunc(x);
    return __builtin_copysign(__builtin_fabs(x) == INFINITY ? 0 : x - *whole, x);
}

int ilogb(double x)
{
    int exponent;
    if (x == 0 || x != x)
        return -2147483647 - 1;
    if (__builtin_fabs(x) == INFINITY)
        return 2147483647;
    frexp(x, &exponent);
    return exponent - 1;
}

double logb(double x)
{
    return x == 0 ? -INFINITY : !(__builtin_fabs(x) < INFINITY) ? x * x : ilogb(x);
}

double fdim(double x, double y) { return x != x || y != y ? NAN : x > y ? x - y : 0; }

double nextafter(double x, double y)
{
    if (x != x || y != y)
        return NAN;
    if (x == y)
        return y;
    if (x == 0)
        return __builtin_copysign(0x1p-1074, y);
    return of_bits(bits_of(x) + ((x < y) == (x > 0) ? 1 : -1));
}

float fmodf(float x, float y) { return fmod(x, y); }
float remainderf(float x, float y) { return remainder(x, y); }
float frexpf(float x, int *exponent) { return frexp(x, exponent); }
float fdimf(float x, float y) { return x != x || y != y ? NAN : x > y ? x - y : 0; }
float logbf(float x) { return logb(x); }
int ilogbf(float x) { return ilogb(x); }
float ldexpf(float x, int shift) { return scaled(x, shift); }
float scalbnf(float x, int shift) { return scaled(x, shift); }

float modff(float x, float *whole)
{
    double part, rest = modf(x, &part);
    *whole = part;
    return rest;
}
