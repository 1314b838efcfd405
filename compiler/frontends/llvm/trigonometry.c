/* Sines, tangents and their inverses, within 1 ulp; of float as of double, rounded. Series are
 * Taylor's; what their rounding could spoil is computed in pairs of doubles. Large angles are
 * reduced with 1280 bits of 2 / pi: M. H. Payne and R. N. Hanek, Radian reduction for trigonometric
 * functions, 1983.
 */

#include "double_double.h"

typedef unsigned __int128 wide;

static const pair HALF_PI = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
static const pair PI = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
#define HALF_PI_LAST -0x1.f1976b7ed8fbcp-110
#define TURNS 0x1.45f306dc9c883p-1 /* 2 / pi */

static const word TWO_OVER_PI[20] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
    0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d,
};

/* 64 bits of 2 / pi from bit `at` on. */
static word bits_at(int at)
{
    int index = at >> 6, shift = at & 63;
    word found = TWO_OVER_PI[index] << shift;
    return shift ? found | TWO_OVER_PI[index + 1] >> (64 - shift) : found;
}

/* Of x >= 2**45: x modulo pi / 2, in -pi/4 ... pi/4, and which quarter of a turn. x is a number of
 * 53 bits times 2**exponent; bits of 2 / pi that give whole turns are left out, and of the rest 192
 * are taken: fixed point with two bits before the point. */
static pair far_reduced(double x, int *quarter)
{
    int exponent = (int)(bits_of(x) >> 52 & 2047) - 1075, first = exponent > 2 ? exponent - 2 : 0;
    word whole = (bits_of(x) & 0xfffffffffffff) | 1ul << 52;
    wide low = (wide)bits_at(first + 128) * whole;
    wide middle = (wide)bits_at(first + 64) * whole + (low >> 64);
    wide high = (wide)bits_at(first) * whole + (middle >> 64);
    word a = high, b = middle, c = low;
    if (exponent < 2) {
        int shift = 2 - exponent;
        word above = high >> 64;
        c = c >> shift | b << (64 - shift);
        b = b >> shift | a << (64 - shift);
        a = a >> shift | above << (64 - shift);
    }
    *quarter = a >> 62;
    a = a << 2 | b >> 62;
    b = b << 2 | c >> 62;
    int is_above = a >> 63;
    if (is_above) { /* the fraction less one */
        ++*quarter;
        a = ~a;
        b = ~b;
    }
    int zeros = a ? __builtin_clzl(a) : 64;
    wide fraction = (wide)a << 64 | b;
    fraction <<= zeros;
    word upper = fraction >> 64, lower = fraction;
    pair found = sum_of((double)(upper >> 11) * 0x1p-53,
                        ((double)(upper & 2047) + (double)lower * 0x1p-64) * 0x1p-64);
    double scale = of_bits((word)(1023 - zeros) << 52);
    found = multiply((pair){found.high * scale, found.low * scale}, HALF_PI);
    return is_above ? negative(found) : found;
}

static pair reduced(double x, int *quarter)
{
    double size = __builtin_fabs(x);
    pair found;
    *quarter = 0;
    if (size < 0.785)
        return (pair){x, 0};
    if (size < 0x1p45) {
        double turns = __builtin_rint(size * TURNS);
        *quarter = (long)turns & 3;
        double rest = __builtin_fma(-turns, HALF_PI.high, size); /* exact */
        pair next = product_of(turns, HALF_PI.low);
        found = sum_of(rest, -next.high);
        found = fast_sum(found.high, found.low - next.low - turns * HALF_PI_LAST);
    } else
        found = far_reduced(size, quarter);
    if (x >= 0)
        return found;
    *quarter = -*quarter;
    return negative(found);
}

static pair sine(pair r)
{
    double s = r.high * r.high;
    double sum = s * (-1 / 6.0 + s * (1 / 120.0 + s * (-1 / 5040.0 + s * (1 / 362880.0
        + s * (-1 / 39916800.0 + s * (1 / 6227020800.0 + s * (-1 / 1307674368000.0
        + s * (1 / 355687428096000.0))))))));
    return fast_sum(r.high, r.high * sum + r.low * (1 - s / 2));
}

static pair cosine(pair r)
{
    pair square = product_of(r.high, r.high);
    double s = square.high;
    double sum = s * s * (1 / 24.0 + s * (-1 / 720.0 + s * (1 / 40320.0 + s * (-1 / 3628800.0
        + s * (1 / 479001600.0 + s * (-1 / 87178291200.0 + s * (1 / 20922789888000.0)))))));
    pair one = fast_sum(1, -s / 2);
    return fast_sum(one.high, one.low + (sum - square.low / 2 - r.high * r.low));
}

static double of_quarter(double x, int shift)
{
    int quarter;
    if (!(__builtin_fabs(x) < INFINITY))
        return NAN;
    pair r = reduced(x, &quarter);
    quarter += shift;
    double found = quarter & 1 ? cosine(r).high : sine(r).high;
    return quarter & 2 ? -found : found;
}

double sin(double x) { return __builtin_fabs(x) < 0x1p-27 ? x : of_quarter(x, 0); }
double cos(double x) { return of_quarter(x, 1); }

void sincos(double x, double *s, double *c)
{
    *s = sin(x);
    *c = cos(x);
}

double tan(double x)
{
    int quarter;
    if (!(__builtin_fabs(x) < INFINITY))
        return NAN;
    if (__builtin_fabs(x) < 0x1p-27)
        return x;
    pair r = reduced(x, &quarter), s = sine(r), c = cosine(r);
    return quarter & 1 ? -divide(c, s).high : divide(s, c).high;
}

/* The angle whose tangent is y / x; 0 <= y <= x. Near k / 4 it is that of k / 4 and that of
 * (y - x k/4) / (x + y k/4). */
static pair angle(pair y, pair x)
{
    static const pair known[5] = {
        {0, 0}, {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
        {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
        {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
        {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
    };
    int k = __builtin_rint(4 * (y.high / x.high));
    pair at = {k / 4.0, 0};
    pair t = k ? divide(add(y, negative(multiply(at, x))), add(x, multiply(at, y))) : divide(y, x);
    double square = t.high * t.high, sum = 0;
    for (int n = 23; n >= 3; n -= 2)
        sum = (n & 2 ? -1.0 : 1.0) / n + square * sum;
    t = fast_sum(t.high, t.low + t.high * square * sum);
    return k ? add(known[k], t) : t;
}

/* The angle of a point in the first quarter. */
static pair angle_of(pair y, pair x)
{
    return y.high > x.high ? add(HALF_PI, negative(angle(x, y))) : angle(y, x);
}

double atan(double x)
{
    double size = __builtin_fabs(x);
    if (x != x || size < 0x1p-27)
        return x;
    if (size > 0x1p60)
        return __builtin_copysign(HALF_PI.high, x);
    return __builtin_copysign(angle_of((pair){size, 0}, (pair){1, 0}).high, x);
}

double atan2(double y, double x)
{
    double above = __builtin_fabs(y), beside = __builtin_fabs(x);
    int is_left = bits_of(x) >> 63;
    pair found;
    if (x != x || y != y)
        return NAN;
    if (above == INFINITY && beside == INFINITY)
        found = (pair){HALF_PI.high / 2, HALF_PI.low / 2};
    else if (above == 0 || beside == INFINITY)
        found = (pair){0, 0};
    else if (beside == 0 || above == INFINITY)
        found = HALF_PI;
    else {
        int high = (bits_of(above) >> 52) - 1023, wide = (bits_of(beside) >> 52) - 1023;
        if (high - wide > 60)
            found = HALF_PI;
        else if (wide - high > 60)
            found = (pair){is_left ? 0 : above / beside, 0};
        else {
            int shift = high > 900 || wide > 900 ? -200 : high < -800 || wide < -800 ? 200 : 0;
            found = angle_of((pair){scaled(above, shift), 0}, (pair){scaled(beside, shift), 0});
        }
    }
    return __builtin_copysign((is_left ? add(PI, negative(found)) : found).high, y);
}

/* The other side of a triangle whose longest is 1: sqrt(1 - x**2). */
static pair side(double x) { return root(multiply(sum_of(1, -x), sum_of(1, x))); }

double asin(double x)
{
    double size = __builtin_fabs(x);
    if (!(size <= 1))
        return NAN;
    if (size < 0x1p-27)
        return x;
    return __builtin_copysign(size == 1 ? HALF_PI.high : angle_of((pair){size, 0}, side(size)).high, x);
}

double acos(double x)
{
    double size = __builtin_fabs(x);
    if (!(size <= 1))
        return NAN;
    pair found = size == 1 ? (pair){0, 0} : angle_of(side(size), (pair){size, 0});
    return (x < 0 ? add(PI, negative(found)) : found).high;
}

#define OF_FLOAT(name) float name##f(float x) { return name(x); }

OF_FLOAT(sin) OF_FLOAT(cos) OF_FLOAT(tan) OF_FLOAT(asin) OF_FLOAT(acos) OF_FLOAT(atan)
float atan2f(float y, float x) { return atan2(y, x); }

void sincosf(float x, float *s, float *c)
{
    *s = sin(x);
    *c = cos(x);
}
