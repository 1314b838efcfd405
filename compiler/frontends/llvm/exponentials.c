/* Exponentials, logarithms, powers, hyperbolic functions and roots, within 1 ulp; of float as of
 * double, rounded. Series are Taylor's; what their rounding could spoil is computed in pairs of
 * doubles (double_double.h). Special cases are those of ISO C, Annex F.
 */

#include "double_double.h"

static const pair LN2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
static const pair LN10 = {0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53};
static const pair PER_LN2 = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
static const pair PER_LN10 = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
static const pair THIRD = {0x1.5555555555555p-2, 0x1.5555555555555p-56};

#define HALF_LN2_HIGH 0x1.62e42fee00000p-1 /* ln 2 with 32 bits, and the rest of it */
#define HALF_LN2_LOW 0x1.a39ef35793c76p-33

/* e**r - 1 - r of |r| <= 0.35. */
static double beyond(double r)
{
    double sum = 1 / 87178291200.0;
    static const double factorials[] = {6227020800, 479001600, 39916800, 3628800, 362880, 40320,
                                        5040,       720,       120,      24,      6,      2};
    for (int k = 0; k < 12; k++)
        sum = sum * r + 1 / factorials[k];
    return sum * r * r;
}

/* e**x as a pair, to be multiplied by 2**shift; |x| < 2000. */
static pair power_of_e(pair x, int *shift)
{
    double turns = __builtin_rint(x.high * PER_LN2.high);
    *shift = turns;
    pair r = sum_of(x.high - turns * HALF_LN2_HIGH, -turns * HALF_LN2_LOW);
    r = fast_sum(r.high, r.low + x.low);
    pair one = fast_sum(1, r.high);
    return fast_sum(one.high, one.low + (beyond(r.high) + r.low * (1 + r.high)));
}

static double rounded_power(pair x)
{
    int shift;
    if (!(x.high < 710))
        return x.high * INFINITY;
    if (x.high < -746)
        return 0;
    pair found = power_of_e(x, &shift);
    return scaled(found.high, shift);
}

double exp(double x)
{
    return x != x ? x : rounded_power((pair){x, 0});
}

double exp2(double x)
{
    double turns = __builtin_rint(x);
    if (!(x > -1076 && x < 1025))
        return x != x ? x : x > 0 ? INFINITY : 0;
    return scaled(rounded_power(multiply(LN2, (pair){x - turns, 0})), turns);
}

double exp10(double x)
{
    if (!(x > -325 && x < 309))
        return x != x ? x : x > 0 ? INFINITY : 0;
    return rounded_power(multiply(LN10, (pair){x, 0}));
}

/* e**x - 1 as a pair; |x| < 700. */
static pair less_one(double x)
{
    int shift;
    if (__builtin_fabs(x) < 0.3) {
        pair square = product_of(x, x);
        double rest = beyond(x) - square.high / 2;
        pair half = fast_sum(square.high / 2, square.low / 2 + rest);
        return fast_sum(x, half.high);
    }
    pair found = power_of_e((pair){x, 0}, &shift);
    return add((pair){scaled(found.high, shift), scaled(found.low, shift)}, (pair){-1, 0});
}

double expm1(double x)
{
    if (!(__builtin_fabs(x) < 700))
        return x != x ? x : x < 0 ? -1 : rounded_power((pair){x, 0});
    return x == 0 || __builtin_fabs(x) < 0x1p-60 ? x : less_one(x).high;
}

/* The logarithm of a number above 0, to some 2**-65 of it: of m in sqrt(1/2) ... sqrt(2) it is
 * 2 (s + s**3 / 3 + ...), s = (m - 1) / (m + 1). */
static pair logarithm(pair x)
{
    int shift = 0;
    if (x.high < 0x1p-1000) {
        x.high *= 0x1p200;
        x.low *= 0x1p200;
        shift = -200;
    }
    int exponent = (int)(bits_of(x.high) >> 52) - 1023;
    exponent += (bits_of(x.high) & 0xfffffffffffff) > 0x6a09e667f3bcc;
    pair m = {scaled(x.high, -exponent), scaled(x.low, -exponent)};
    shift += exponent;
    pair s = divide(add(m, (pair){-1, 0}), add(m, (pair){1, 0}));
    pair square = multiply(s, s);
    double sum = 0;
    for (int k = 29; k >= 5; k -= 2)
        sum = sum * square.high + 1.0 / k;
    pair inner = add(THIRD, multiply(square, product_of(sum, 1)));
    inner = add((pair){1, 0}, multiply(square, inner));
    pair found = multiply(s, inner);
    found = (pair){2 * found.high, 2 * found.low};
    return shift ? add(multiply((pair){shift, 0}, LN2), found) : found;
}

/* What logarithms of 0, of negative numbers, of infinity and of NaN are. */
static double no_logarithm(double x)
{
    return x == 0 ? -INFINITY : x < 0 ? NAN : x;
}

#define HAS_LOGARITHM(x) ((x) > 0 && (x) < INFINITY)

double log(double x)
{
    return HAS_LOGARITHM(x) ? logarithm((pair){x, 0}).high : no_logarithm(x);
}

double log2(double x)
{
    int exponent = (int)(bits_of(x) >> 52) - 1023;
    if (!HAS_LOGARITHM(x))
        return no_logarithm(x);
    if (bits_of(x) << 12 == 0 && exponent > -1023)
        return exponent;
    return multiply(logarithm((pair){x, 0}), PER_LN2).high;
}

double log10(double x)
{
    return HAS_LOGARITHM(x) ? multiply(logarithm((pair){x, 0}), PER_LN10).high : no_logarithm(x);
}

double log1p(double x)
{
    if (__builtin_fabs(x) < 0x1p-60)
        return x;
    if (!HAS_LOGARITHM(1 + x))
        return no_logarithm(1 + x);
    return logarithm(sum_of(1, x)).high;
}

double pow(double x, double y)
{
    int is_whole = __builtin_fabs(y) >= 0x1p53 || (double)(long)y == y;
    int is_odd = is_whole && __builtin_fabs(y) < 0x1p53 && (long)y & 1;
    double size = __builtin_fabs(x), found;
    if (y == 0 || x == 1)
        return 1;
    if (x != x || y != y)
        return x + y;
    if (__builtin_fabs(y) == INFINITY)
        return size == 1 ? 1 : (size > 1) == (y > 0) ? INFINITY : 0;
    if (size == 0 || size == INFINITY)
        found = (size == 0) == (y > 0) ? 0 : INFINITY;
    else if (x < 0 && !is_whole)
        return NAN;
    else {
        pair log = logarithm((pair){size, 0});
        double exponent = log.high * y;
        if (!(__builtin_fabs(exponent) < 800))
            found = exponent > 0 ? INFINITY : 0;
        else
            found = rounded_power(multiply(log, (pair){y, 0}));
    }
    return is_odd ? __builtin_copysign(found, x) : found;
}

double __powidf2(double x, int n)
{
    double found = 1;
    for (unsigned k = n < 0 ? -(unsigned)n : n; k; k >>= 1, x *= x)
        if (k & 1)
            found *= x;
    return n < 0 ? 1 / found : found;
}

/* e**x and e**-x of 0 <= x < 36. */
static void both_powers(double x, pair *rising, pair *falling)
{
    int shift;
    pair found = power_of_e((pair){x, 0}, &shift);
    *rising = (pair){scaled(found.high, shift), scaled(found.low, shift)};
    *falling = divide((pair){1, 0}, *rising);
}

/* sinh(x) / x - 1 and cosh(x) - 1 of |x| < 0.35, by x * x. */
static double sinh_beyond(double s)
{
    return s * (1 / 6.0 + s * (1 / 120.0 + s * (1 / 5040.0 + s * (1 / 362880.0 + s * (1 / 39916800.0
        + s * (1 / 6227020800.0))))));
}

static double cosh_beyond(double s)
{
    return s * (1 / 2.0 + s * (1 / 24.0 + s * (1 / 720.0 + s * (1 / 40320.0 + s * (1 / 3628800.0
        + s * (1 / 479001600.0 + s * (1 / 87178291200.0)))))));
}

double sinh(double x)
{
    double size = __builtin_fabs(x), found;
    pair up, down;
    if (size < 0.35)
        return x + x * sinh_beyond(x * x);
    if (!(size < 36))
        found = size < 720 ? rounded_power(add((pair){size, 0}, negative(LN2))) : INFINITY;
    else {
        both_powers(size, &up, &down);
        found = add(up, negative(down)).high / 2;
    }
    return x != x ? x : __builtin_copysign(found, x);
}

double cosh(double x)
{
    double size = __builtin_fabs(x);
    pair up, down;
    if (!(size < 720))
        return x != x ? x : INFINITY;
    if (size >= 36)
        return rounded_power(add((pair){size, 0}, negative(LN2)));
    both_powers(size, &up, &down);
    return add(up, down).high / 2;
}

double tanh(double x)
{
    double size = __builtin_fabs(x), found = 1;
    pair up, down;
    if (x == 0 || x != x)
        return x;
    if (size < 0.35) {
        pair square = product_of(size, size);
        pair sine = fast_sum(size, size * sinh_beyond(square.high));
        pair rest = fast_sum(square.high / 2, square.low / 2 + (cosh_beyond(square.high) - square.high / 2));
        found = divide(sine, add((pair){1, 0}, rest)).high;
    } else if (size < 22) {
        both_powers(size, &up, &down);
        found = divide(add(up, negative(down)), add(up, down)).high;
    }
    return __builtin_copysign(found, x);
}

double asinh(double x)
{
    double size = __builtin_fabs(x), found;
    if (!(size > 0x1p-28))
        return x;
    if (size > 0x1p28)
        found = add(logarithm((pair){size < INFINITY ? size : 1, 0}), LN2).high + (size < INFINITY ? 0 : size);
    else {
        pair square = add(product_of(size, size), (pair){1, 0});
        found = logarithm(add(root(square), (pair){size, 0})).high;
    }
    return __builtin_copysign(found, x);
}

double acosh(double x)
{
    if (!(x > 1))
        return x == 1 ? 0 : x != x ? x : NAN;
    if (x > 0x1p28)
        return x < INFINITY ? add(logarithm((pair){x, 0}), LN2).high : x;
    pair square = add(product_of(x, x), (pair){-1, 0});
    return logarithm(add(root(square), (pair){x, 0})).high;
}

double atanh(double x)
{
    double size = __builtin_fabs(x);
    if (!(size > 0x1p-28))
        return x;
    if (size >= 1)
        return size == 1 ? __builtin_copysign(INFINITY, x) : NAN;
    pair found = logarithm(divide(sum_of(1, size), sum_of(1, -size)));
    return __builtin_copysign(found.high / 2, x);
}

/* By Newton's method from a number whose bits are a third of those of x. */
double cbrt(double x)
{
    double size = __builtin_fabs(x);
    int shift = 0;
    if (x == 0 || x != x || size == INFINITY)
        return x;
    if (size < 0x1p-1000) {
        size *= 0x1p210;
        shift = -70;
    }
    double y = of_bits(bits_of(size) / 3 + 0x2a9f7893782da1ce);
    for (int k = 0; k < 4; k++)
        y -= (y - size / (y * y)) / 3;
    pair square = product_of(y, y), cube = multiply(square, (pair){y, 0});
    double rest = add(cube, (pair){-size, 0}).high;
    return __builtin_copysign(scaled(y - rest / (3 * square.high), shift), x);
}

double hypot(double x, double y)
{
    x = __builtin_fabs(x);
    y = __builtin_fabs(y);
    if (x == INFINITY || y == INFINITY)
        return INFINITY;
    if (x != x || y != y)
        return NAN;
    double larger = x > y ? x : y, smaller = x > y ? y : x;
    int shift = larger > 0x1p500 ? 600 : larger < 0x1p-400 ? -600 : 0;
    if (smaller == 0 || larger * 0x1p-60 > smaller)
        return larger + smaller;
    larger = scaled(larger, -shift);
    smaller = scaled(smaller, -shift);
    return scaled(root(add(product_of(larger, larger), product_of(smaller, smaller))).high, shift);
}

#define OF_FLOAT(name) float name##f(float x) { return name(x); }
#define OF_FLOATS(name) float name##f(float x, float y) { return name(x, y); }

OF_FLOAT(exp) OF_FLOAT(exp2) OF_FLOAT(exp10) OF_FLOAT(expm1)
OF_FLOAT(log) OF_FLOAT(log2) OF_FLOAT(log10) OF_FLOAT(log1p)
OF_FLOAT(sinh) OF_FLOAT(cosh) OF_FLOAT(tanh)
OF_FLOAT(asinh) OF_FLOAT(acosh) OF_FLOAT(atanh) OF_FLOAT(cbrt)
OF_FLOATS(pow) OF_FLOATS(hypot)

float __powisf2(float x, int n)
{
    float found = 1;
    for (unsigned k = n < 0 ? -(unsigned)n : n; k; k >>= 1, x *= x)
        if (k & 1)
            found *= x;
    return n < 0 ? 1 / found : found;
}
