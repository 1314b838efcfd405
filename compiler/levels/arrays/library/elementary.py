"""exp, log, sin, cos, tanh and erf of f32: computed in f64, in straight lines, and rounded once.

The worst errors are in LANGUAGE.md.  No operation here faults, so all of it vectorizes; what a
choice does not take is computed too, of whatever numbers there are.  Names with `_` are not found
by files that call the library.
"""

from __future__ import annotations

from compiler.kernel import f32, f64, function, i64, u64

LN2_HIGH = 0.6931471804855391
LN2_LOW = 7.440617110012397e-11


@function
def _exp(t: f64) -> f64:
    """e ** t, where -160 < t < 160; NaN gives NaN.

    t = k ln 2 + r with ln 2 in two parts (Cody and Waite, Software Manual for the Elementary
    Functions, 1980), the Taylor polynomial of degree 11 for |r| <= 0.35 (off by 7e-15), and 2 ** k
    as a product of shifted ones.
    """
    k = i64(t * 1.4426950408889634 + 1024.5) - 1024
    r = (t - f64(k) * LN2_HIGH) - f64(k) * LN2_LOW
    p = 2.505210838544172e-08
    p = p * r + 2.755731922398589e-07
    p = p * r + 2.7557319223985893e-06
    p = p * r + 2.48015873015873e-05
    p = p * r + 0.0001984126984126984
    p = p * r + 0.001388888888888889
    p = p * r + 0.008333333333333333
    p = p * r + 0.041666666666666664
    p = p * r + 0.16666666666666666
    p = p * r + 0.5
    p = p * r + 1.0
    p = p * r + 1.0
    n = abs(k)
    first, second = min(n, 60), min(max(n - 60, 0), 60)
    third, fourth = min(max(n - 120, 0), 60), min(max(n - 180, 0), 60)
    power = f64(i64(1) << first) * f64(i64(1) << second)
    power = power * (f64(i64(1) << third) * f64(i64(1) << fourth))
    return p / power if k < 0 else p * power


@function
def exp(x: f32) -> f32:
    """e ** x; infinite above 88.72, zero below -103.97, denormals between."""
    t: f64 = x
    t = 89.0 if t > 89.0 else t
    t = -110.0 if t < -110.0 else t
    return f32(_exp(t))


@function
def _normalized(a: f64) -> tuple[f64, i64]:
    """(m, e) with a = m 2 ** e and 1 <= m < 2, where a is a positive f32: a binary ladder."""
    m, e = a * 7.1362384635298e44, i64(-149)
    is_large = m >= 1.157920892373162e77
    m = m * 8.636168555094445e-78 if is_large else m
    e = e + 256 if is_large else e
    is_large = m >= 3.402823669209385e38
    m = m * 2.938735877055719e-39 if is_large else m
    e = e + 128 if is_large else e
    is_large = m >= 1.8446744073709552e19
    m = m * 5.421010862427522e-20 if is_large else m
    e = e + 64 if is_large else e
    is_large = m >= 4294967296.0
    m = m * 2.3283064365386963e-10 if is_large else m
    e = e + 32 if is_large else e
    is_large = m >= 65536.0
    m = m * 1.52587890625e-05 if is_large else m
    e = e + 16 if is_large else e
    is_large = m >= 256.0
    m = m * 0.00390625 if is_large else m
    e = e + 8 if is_large else e
    is_large = m >= 16.0
    m = m * 0.0625 if is_large else m
    e = e + 4 if is_large else e
    is_large = m >= 4.0
    m = m * 0.25 if is_large else m
    e = e + 2 if is_large else e
    is_large = m >= 2.0
    m = m * 0.5 if is_large else m
    e = e + 1 if is_large else e
    return m, e


@function
def log(x: f32) -> f32:
    """The natural logarithm; of zeros -inf, of what is negative NaN.

    x = m 2 ** e with 0.7 < m < 1.5, and log m = 2 atanh s, s = (m - 1) / (m + 1), by its series to
    s ** 17, s ** 2 < 0.03 (off by 2e-15; the form is that of Cody and Waite).
    """
    v: f64 = x
    m, e = _normalized(v)
    is_high = m > 1.4142135623730951
    m = m * 0.5 if is_high else m
    e = e + 1 if is_high else e
    s = (m - 1.0) / (m + 1.0)
    z = s * s
    p = 0.058823529411764705
    p = p * z + 0.06666666666666667
    p = p * z + 0.07692307692307693
    p = p * z + 0.09090909090909091
    p = p * z + 0.1111111111111111
    p = p * z + 0.14285714285714285
    p = p * z + 0.2
    p = p * z + 0.3333333333333333
    p = p * z + 1.0
    found = f64(e) * LN2_HIGH + (2.0 * s * p + f64(e) * LN2_LOW)
    found = v if v > 3.5e38 else found
    found = -1.0 / (v * v) if v == 0.0 else found
    found = (v - v) / (v - v) if v < 0.0 else found
    return f32(v if v != v else found)


@function
def _word(i: i64) -> u64:
    """Word i of 32 bits of 2 / pi, whose bit of weight 1 is the highest of word 1."""
    word: u64 = 0 if i == 0 else 0xFF28B1D5
    word = 0x517CC1B7 if i == 1 else word
    word = 0x27220A94 if i == 2 else word
    word = 0xFE13ABE8 if i == 3 else word
    word = 0xFA9A6EE0 if i == 4 else word
    word = 0x6DB14ACC if i == 5 else word
    return 0x9E21C820 if i == 6 else word


@function
def _reduced(v: f64) -> tuple[f64, i64]:
    """(r, q) with v = q pi / 2 + r up to whole turns, |r| <= pi / 4 but for rounding.

    Payne and Hanek (Radian reduction for trigonometric functions, SIGNUM Newsletter 18, 1983): |v|
    is an integer m < 2 ** 24 times a power of two, and of 2 / pi only the 96 bits count that stand
    behind the turns of that power; m times these, modulo 2 ** 96, is quadrants and fraction.  No
    f32 is nearer to a multiple of pi / 2 than about 2 ** -30; the product is off by 2 ** -61.
    """
    a = abs(v)
    m, e = _normalized(a)
    mantissa = u64(m * 8388608.0)
    place = e + 8
    i, shift = place >> 5, place & 31
    w0, w1, w2, w3 = _word(i), _word(i + 1), _word(i + 2), _word(i + 3)
    low = u64(0xFFFFFFFF)
    high_bits = ((w0 << 32 | w1) >> (32 - shift)) & low
    middle_bits = ((w1 << 32 | w2) >> (32 - shift)) & low
    low_bits = ((w2 << 32 | w3) >> (32 - shift)) & low
    product = (mantissa * high_bits << 32) + mantissa * middle_bits + (mantissa * low_bits >> 32)
    quadrant = (product + u64(0x2000000000000000)) >> 62
    fraction = i64(product - (quadrant << 62))
    r = f64(fraction) * 3.4061215800865545e-19
    q = i64(quadrant)
    is_small = a < 0.5
    q = 0 if is_small else -q if v < 0.0 else q
    return v if is_small else -r if v < 0.0 else r, q


@function
def _quarter(r: f64, q: i64) -> f64:
    """sin(r + q pi / 2): Taylor polynomials of degrees 13 and 14 (off by 2e-14 at pi / 4)."""
    z = r * r
    s = 1.6059043836821613e-10
    s = s * z - 2.505210838544172e-08
    s = s * z + 2.7557319223985893e-06
    s = s * z - 0.0001984126984126984
    s = s * z + 0.008333333333333333
    s = s * z - 0.16666666666666666
    s = s * z + 1.0
    c = -1.1470745597729725e-11
    c = c * z + 2.08767569878681e-09
    c = c * z - 2.755731922398589e-07
    c = c * z + 2.48015873015873e-05
    c = c * z - 0.001388888888888889
    c = c * z + 0.041666666666666664
    c = c * z - 0.5
    c = c * z + 1.0
    found = c if (q & 1) == 1 else r * s
    return -found if (q & 2) == 2 else found


@function
def sin(x: f32) -> f32:
    """The sine, of any number of radians; of infinities NaN."""
    v: f64 = x
    r, q = _reduced(v)
    return f32(_quarter(r, q) if abs(v) < 3.5e38 else v - v)


@function
def cos(x: f32) -> f32:
    """The cosine, of any number of radians; of infinities NaN."""
    v: f64 = x
    r, q = _reduced(v)
    return f32(_quarter(r, q + 1) if abs(v) < 3.5e38 else v - v)


@function
def tanh(x: f32) -> f32:
    """The hyperbolic tangent: (e ** 2a - 1) / (e ** 2a + 1), its series near 0, 1 from 20 on."""
    v: f64 = x
    a = abs(v)
    a = 20.0 if a > 20.0 else a
    e = _exp(2.0 * a)
    large = (e - 1.0) / (e + 1.0)
    large = -large if v < 0.0 else large
    z = v * v
    small = v * (1.0 - z * (0.3333333333333333 - z * 0.13333333333333333))
    return f32(small if a < 0.0078125 else large)


@function
def erf(x: f32) -> f32:
    """The error function: below 1 x times a polynomial of x ** 2, then a polynomial, from 4 on 1.

    Both are Chebyshev interpolants of this project's own fit, nearly minimax: degree 10, off by
    1e-15; degree 20, off by 1e-12.
    """
    v: f64 = x
    a = abs(v)
    z = 2.0 * (v * v) - 1.0
    p = 9.23311206694277e-12
    p = p * z - 2.045555236325257e-10
    p = p * z + 4.11569894950077e-09
    p = p * z - 7.511467688017737e-08
    p = p * z + 1.223382807441612e-06
    p = p * z - 1.7537169876835433e-05
    p = p * z + 0.00021751715602129343
    p = p * z - 0.0022854855610678158
    p = p * z + 0.019852496688985703
    p = p * z - 0.14053608902272113
    p = p * z + 0.9654687386698674
    a = 4.0 if a > 4.0 else a
    t = (a - 2.5) / 1.5
    large = 3.5145880479228108e-06
    large = large * t - 9.524607492099987e-07
    large = large * t - 3.2972624828269435e-05
    large = large * t + 3.7460469143127074e-05
    large = large * t + 0.00011404499900052298
    large = large * t - 0.00030285931837688534
    large = large * t + 5.6374208381371755e-05
    large = large * t + 0.0009287602083611468
    large = large * t - 0.0018287806286218934
    large = large * t + 0.0004370145667025553
    large = large * t + 0.00454477828333016
    large = large * t - 0.009619654942727375
    large = large * t + 0.006680538261644495
    large = large * t + 0.009267199409165216
    large = large * t - 0.031876532436302785
    large = large * t + 0.04645365101609582
    large = large * t - 0.04365077510302094
    large = large * t + 0.02818155050109454
    large = large * t - 0.012252848763679835
    large = large * t + 0.0032674263687654387
    large = large * t + 0.9995930479824214
    large = -large if v < 0.0 else large
    return f32(v * p if a < 1.0 else large)
