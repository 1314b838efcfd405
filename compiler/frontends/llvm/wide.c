/* What compilers call for integers of 128 bits, by the names that they call it: quotients and
 * remainders, and floats as such integers and back.  A number is two halves, the low one first.
 * What does not fit saturates, and NaN becomes 0 (compiler/NUMBERS.md).
 */

typedef unsigned long word;
typedef struct { word low, high; } wide;

static inline wide make(word low, word high) { return (wide){low, high}; }
static inline wide negated(wide a) { return make(-a.low, ~a.high + !a.low); }

/* (high, low) / by, where high < by: Knuth's algorithm D with two digits of 32 bits
 * (The Art of Computer Programming, volume 2, 4.3.1). */
static word divide(word high, word low, word by, word *rest)
{
    int shift = __builtin_clzl(by);
    by <<= shift;
    high = high << shift | (shift ? low >> (64 - shift) : 0);
    low <<= shift;
    word upper = by >> 32, lower = by & 0xffffffff, quotient = 0;
    for (int k = 32; k >= 0; k -= 32) {
        word next = low >> k & 0xffffffff;
        word digit = high / upper, left = high % upper;
        while (digit >> 32 || digit * lower > (left << 32 | next)) {
            digit--;
            left += upper;
            if (left >> 32)
                break;
        }
        high = (high << 32 | next) - digit * by;
        quotient = quotient << 32 | digit;
    }
    *rest = high >> shift;
    return quotient;
}

static wide quotient(wide a, wide b, wide *rest)
{
    word left, high = 0;
    if (!b.high) {
        word above = a.high;
        if (above >= b.low) { /* and where b is 0: the machine's fault */
            high = above / b.low;
            above %= b.low;
        }
        word low = above ? divide(above, a.low, b.low, &left) : a.low / b.low;
        *rest = make(above ? left : a.low - low * b.low, 0);
        return make(low, high);
    }
    /* Bit by bit: at most as many as b.high has zeros in front. */
    wide found = make(0, 0);
    if (a.high < b.high) {
        *rest = a;
        return found;
    }
    int shift = __builtin_clzl(b.high) - __builtin_clzl(a.high);
    if (shift > 0)
        b = make(b.low << shift, b.high << shift | b.low >> (64 - shift));
    for (; shift >= 0; shift--) {
        found.low <<= 1;
        if (a.high > b.high || (a.high == b.high && a.low >= b.low)) {
            word low = a.low - b.low;
            a = make(low, a.high - b.high - (a.low < b.low));
            found.low |= 1;
        }
        b = make(b.low >> 1 | b.high << 63, b.high >> 1);
    }
    *rest = a;
    return found;
}

wide __udivti3(word a, word a1, word b, word b1)
{
    wide rest;
    return quotient(make(a, a1), make(b, b1), &rest);
}

wide __umodti3(word a, word a1, word b, word b1)
{
    wide rest;
    quotient(make(a, a1), make(b, b1), &rest);
    return rest;
}

static wide size(wide a) { return (long)a.high < 0 ? negated(a) : a; }

wide __divti3(word a, word a1, word b, word b1)
{
    wide rest, found = quotient(size(make(a, a1)), size(make(b, b1)), &rest);
    return (long)(a1 ^ b1) < 0 ? negated(found) : found;
}

wide __modti3(word a, word a1, word b, word b1)
{
    wide rest;
    quotient(size(make(a, a1)), size(make(b, b1)), &rest);
    return (long)a1 < 0 ? negated(rest) : rest;
}

/* The highest 64 bits, the lowest of them with all that was lost, and how far they were moved: they
 * round to a float as the whole number does. */
static word top(wide a, int *shift)
{
    *shift = 0;
    if (!a.high)
        return a.low;
    int zeros = __builtin_clzl(a.high);
    *shift = 64 - zeros;
    word high = zeros ? a.high << zeros | a.low >> (64 - zeros) : a.high;
    return high | ((zeros ? a.low << zeros : a.low) != 0);
}

static double power(int shift)
{
    union { word bits; double value; } found = {(word)(1023 + shift) << 52};
    return found.value;
}

double __floatuntidf(word low, word high)
{
    int shift;
    word bits = top(make(low, high), &shift);
    return bits * power(shift);
}

float __floatuntisf(word low, word high)
{
    int shift;
    word bits = top(make(low, high), &shift);
    return (float)bits * (float)power(shift);
}

double __floattidf(word low, word high)
{
    wide a = size(make(low, high));
    double found = __floatuntidf(a.low, a.high);
    return (long)high < 0 ? -found : found;
}

float __floattisf(word low, word high)
{
    wide a = size(make(low, high));
    float found = __floatuntisf(a.low, a.high);
    return (long)high < 0 ? -found : found;
}

wide __fixunsdfti(double x)
{
    if (!(x > 0))
        return make(0, 0);
    if (x >= 0x1p128)
        return make(-1ul, -1ul);
    word high = x * 0x1p-64;
    return make(x - high * 0x1p64, high);
}

wide __fixdfti(double x)
{
    if (x >= 0x1p127)
        return make(-1ul, -1ul >> 1);
    if (x <= -0x1p127)
        return make(0, 1ul << 63);
    wide found = __fixunsdfti(x < 0 ? -x : x);
    return x < 0 ? negated(found) : found;
}
