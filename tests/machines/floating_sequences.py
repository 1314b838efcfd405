"""The exact division and square-root sequences, over any set of floating functions.

They are the ones compilers emit for IA-64, which has no divide: a seed refined with fused
operations in the wide exponent range, then one final rounding (Markstein, *IA-64 and Elementary
Functions*, 2000).  `functions` is a namespace with the vocabulary of
`machines/vocabulary/floating.py`.
"""

from __future__ import annotations

ZERO, ONE = (0.0, 0, 0), (1.0, 0, 0)
HALF = (0.5, 0, 0)


def divide_f64(functions, a: float, b: float) -> float:
    """a / b."""
    f = functions
    n, d = f.fr_from_f64(a), f.fr_from_f64(b)
    y0, refine = f.fr_reciprocal(n, d, 0)
    if not refine:
        return y0[0]
    e0, q0 = f.fr_fnma(d, y0, ONE, 64, 1), f.fr_fma(n, y0, ZERO, 64, 1)
    q1, e1 = f.fr_fma(e0, q0, q0, 64, 1), f.fr_fma(e0, e0, ZERO, 64, 1)
    y1 = f.fr_fma(e0, y0, y0, 64, 1)
    q2, e2 = f.fr_fma(e1, q1, q1, 64, 1), f.fr_fma(e1, e1, ZERO, 64, 1)
    y2 = f.fr_fma(e1, y1, y1, 64, 1)
    q3, y3 = f.fr_fma(e2, q2, q2, 53, 1), f.fr_fma(e2, y2, y2, 64, 1)
    r = f.fr_fnma(d, q3, n, 53, 1)
    return f.fr_fma(r, y3, q3, 53, 0)[0]


def divide_integers(functions, n: int, d: int, signed: bool = True) -> int:
    """n / d truncated, 64 bits; d is not 0 and the quotient fits."""
    f = functions
    convert = f.fr_from_signed_integer if signed else lambda x: f.fr_fma(x, ONE, ZERO, 64, 1)
    a = convert(f.fr_from_significand(n))
    b = convert(f.fr_from_significand(d))
    y0, refine = f.fr_reciprocal(a, b, 1)
    q = y0
    if refine:
        e0, q0 = f.fr_fnma(b, y0, ONE, 64, 1), f.fr_fma(a, y0, ZERO, 64, 1)
        q1, e1 = f.fr_fma(e0, q0, q0, 64, 1), f.fr_fma(e0, e0, ZERO, 64, 1)
        y1 = f.fr_fma(e0, y0, y0, 64, 1)
        q2, y2 = f.fr_fma(e1, q1, q1, 64, 1), f.fr_fma(e1, y1, y1, 64, 1)
        r = f.fr_fnma(b, q2, a, 64, 1)
        q = f.fr_fma(r, y2, q2, 64, 1)
    to_integer = f.fr_to_signed_truncate if signed else f.fr_to_unsigned_truncate
    return f.fr_significand(to_integer(q))


def sqrt_f64(functions, x: float) -> float:
    """The square root of x."""
    f = functions
    a = f.fr_from_f64(x)
    y0, refine = f.fr_reciprocal_root(a, 0)
    if not refine:
        return y0[0]
    h, g = f.fr_fma(HALF, y0, ZERO, 64, 1), f.fr_fma(a, y0, ZERO, 64, 1)
    for bits in (64, 64, 53):
        r = f.fr_fnma(g, h, HALF, 64, 1)
        g, h = f.fr_fma(g, r, g, bits, 1), f.fr_fma(h, r, h, 64, 1)
    d = f.fr_fnma(g, g, a, 64, 1)
    return f.fr_fma(d, h, g, 53, 0)[0]
