/* Numbers as sums of two doubles, high + low, of which the first is the sum rounded: about 106 bits.
 * Sources: T. J. Dekker, A floating-point technique for extending the available precision, 1971;
 * D. E. Knuth, The Art of Computer Programming, volume 2, 4.2.2. Products are split by fma.
 */

typedef unsigned long word;
typedef struct { double high, low; } pair;

#define NAN __builtin_nan("")
#define INFINITY __builtin_inf()

static inline word bits_of(double x) { return (union { double x; word w; }){x}.w; }
static inline double of_bits(word w) { return (union { word w; double x; }){w}.x; }

/* a + b, where |a| >= |b| or a is 0. */
static inline pair fast_sum(double a, double b)
{
    double sum = a + b;
    return (pair){sum, b - (sum - a)};
}

static inline pair sum_of(double a, double b)
{
    double sum = a + b, other = sum - a;
    return (pair){sum, (a - (sum - other)) + (b - other)};
}

static inline pair product_of(double a, double b)
{
    double product = a * b;
    return (pair){product, __builtin_fma(a, b, -product)};
}

static inline pair add(pair a, pair b)
{
    pair sum = sum_of(a.high, b.high), rest = sum_of(a.low, b.low);
    sum = fast_sum(sum.high, sum.low + rest.high);
    return fast_sum(sum.high, sum.low + rest.low);
}

static inline pair negative(pair a) { return (pair){-a.high, -a.low}; }

static inline pair multiply(pair a, pair b)
{
    pair product = product_of(a.high, b.high);
    return fast_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

static inline pair divide(pair a, pair b)
{
    double first = a.high / b.high;
    pair rest = add(a, negative(multiply(b, (pair){first, 0})));
    double second = rest.high / b.high;
    rest = add(rest, negative(multiply(b, (pair){second, 0})));
    pair quotient = fast_sum(first, second);
    return fast_sum(quotient.high, quotient.low + rest.high / b.high);
}

/* Of a number that is not below 0. */
static inline pair root(pair a)
{
    if (a.high == 0)
        return a;
    double first = __builtin_sqrt(a.high);
    pair rest = add(a, negative(product_of(first, first)));
    return fast_sum(first, rest.high / (2 * first));
}

/* x * 2**shift, rounded once: what may become subnormal is moved to 2**-53 of that first. */
static inline double scaled(double x, int shift)
{
    for (int k = 0; k < 2 && shift > 1023; k++, shift -= 1023)
        x *= 0x1p1023;
    for (int k = 0; k < 2 && shift < -1022; k++, shift += 969)
        x *= 0x1p-969;
    shift = shift > 1023 ? 1023 : shift < -1022 ? -1022 : shift;
    return x * of_bits((word)(1023 + shift) << 52);
}
