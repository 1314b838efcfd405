"""Division and square root: IA-64 has only seeds, so they are sequences of exact steps.

The sequences refine the seed by Newton steps on status field s1 (wide exponent range, 64-bit
significand) and end with one correctly rounded step on s0, as in Markstein, *IA-64 and Elementary
Functions*, 2000.  When no refinement is needed (a zero, infinity or NaN is involved) the seed
instruction itself delivers the result and a false predicate.  The steps between run without that
predicate: they cannot fault, and only the last one, which overwrites the seed, has to be held back.
"""

from __future__ import annotations

from compiler.targets.epic.selection.selector import Selector


def _fma(s: Selector, a: str, b: str, c: str, form: str = "fma.s1") -> str:
    """a * b + c (or c - a * b for 'fnma').  A sum with f0 is none, but a product."""
    if c == "f0":
        return s.floating(form.replace("ma", "mpy", 1), a, b)
    return s.floating(form, a, b, c)


def _product(s: Selector, a: str, b: str) -> str:
    return s.floating("fmpy.s1", a, b)


def _square(s: Selector, a: str) -> str:
    return _product(s, a, a)


def _seed(s: Selector, operation: str, *operands: str) -> tuple[str, str]:
    """Seed and predicate 'refine it'."""
    seed, refine = s.temporary("floating"), s.temporary("predicate")
    s.emit(operation, (seed, refine), operands)
    return seed, refine


def divide_double(s: Selector, a: str, b: str) -> str:
    """a / b, correctly rounded to double."""
    result, refine = _seed(s, "frcpa.s0", a, b)
    y = result
    e = _fma(s, b, y, "f1", "fnma.s1")
    q = _product(s, a, y)
    q = _fma(s, q, e, q)
    y = _fma(s, y, e, y)
    e = _square(s, e)
    q = _fma(s, q, e, q)
    y = _fma(s, y, e, y)
    e = _square(s, e)
    q = _fma(s, q, e, q, "fma.d.s1")
    y = _fma(s, y, e, y)
    r = _fma(s, b, q, a, "fnma.d.s1")
    s.emit("fma.d.s0", (result,), (r, y, q), refine)
    return result


def root_double(s: Selector, a: str) -> str:
    """The square root of a, correctly rounded to double."""
    result, refine = _seed(s, "frsqrta.s0", a)
    y = result
    half = s.float_constant(0.5)
    h = _product(s, y, half)
    g = _product(s, a, y)
    for last in (False, False, True):
        r = _fma(s, g, h, half, "fnma.s1")
        g = _fma(s, g, r, g, "fma.d.s1" if last else "fma.s1")
        h = _fma(s, h, r, h)
    d = _fma(s, g, g, a, "fnma.s1")
    s.emit("fma.d.s0", (result,), (d, h, g), refine)
    return result


def divide_integers(s: Selector, n: str, d: str, signed: bool) -> str:
    """The truncated quotient of two 64-bit integers as a significand in a floating register.

    `n` and `d` are general registers, d not 0.  Both convert exactly to a 64-bit significand; the
    refined quotient is off by less than one unit in its 64th bit on the side that truncation
    forgives.  -2**63 / -1 is out of range, and the conversion then delivers -2**63, which is the
    wrapped quotient.
    """
    kind = "fx" if signed else "fxu"
    a, b = (_float_of(s, register, signed) for register in (n, d))
    result, refine = _seed(s, "frcpa.s1", a, b)
    y = result
    e = _fma(s, b, y, "f1", "fnma.s1")
    q = _product(s, a, y)
    q = _fma(s, q, e, q)
    y = _fma(s, y, e, y)
    e = _square(s, e)
    q = _fma(s, q, e, q)
    y = _fma(s, y, e, y)
    r = _fma(s, b, q, a, "fnma.s1")
    s.emit("fma.s1", (result,), (r, y, q), refine)
    return s.floating(f"fcvt.{kind}.trunc.s1", result)


def _float_of(s: Selector, register: str, signed: bool) -> str:
    integer = s.floating("setf.sig", register)
    return s.floating("fcvt.xf", integer) if signed else s.floating("fmpy.s1", integer, "f1")
