"""The rows that ptxas makes of divisions, reciprocals and roots, read from its machine code.

    rcp.rn.f32 d, a  ->   add.s32, and.b32, setp   slow: is a or 1 / a no number like most?
                          branch slow              … then a function works it out
                          rcp.approx, fma, sub, fma    else from the unit's approximation

A sequence is a row a line: name, result, operands.  a, b are operands, d the result, other words
registers of its own; `@p` or `@!p` in front guards a row.  `branch slow` and `branch !plain` leave
for the way around: there stands the row itself, whose class costs what the function takes that the
machine code calls; behind is what only the short way does.  Of `ftz` rows the short way is the
same, as nothing on it is subnormal, but for what the unit does without scaling.

Read with cuobjdump from what ptxas 13.0 makes for sm_90; for sm_75 and sm_80 it is the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

RECIPROCAL = """
    add.s32 exponent, a, 0x1800000
    and.b32 exponent, exponent, 0x7F800000
    setp.le.u32 slow, exponent, 0x1FFFFFF
    branch slow
    rcp.approx.ftz.f32 y, a
    fma.rn.f32 rest, y, a, -1.0
    sub.rn.ftz.f32 rest, -0.0, rest
    fma.rn.f32 d, y, rest, y
"""
ROOT = """
    add.s32 exponent, a, -0xD000000
    rsqrt.approx.ftz.f32 y, a
    setp.gt.u32 slow, exponent, 0x727FFFFF
    branch slow
    mul.rn.ftz.f32 root, a, y
    mul.rn.ftz.f32 half, y, 0.5
    ffma.negated rest, root, root, a
    fma.rn.f32 d, rest, half, root
"""
QUOTIENT = """
    rcp.approx.ftz.f32 y, b
    fchk.divide slow, a, b
    ffma.negated rest, b, y, 1.0
    fma.rn.f32 y, y, rest, y
    fma.rn.f32 q, a, y, 0.0
    ffma.negated rest, b, q, a
    fma.rn.f32 d, y, rest, q
    branch slow
"""
RECIPROCAL_64 = """
    mufu.rcp64h y, a
    check.reciprocal64 plain, a
    dfma.negated rest, a, y, 1.0
    fma.rn.f64 rest, rest, rest, rest
    fma.rn.f64 y, y, rest, y
    dfma.negated rest, a, y, 1.0
    fma.rn.f64 d, y, rest, y
    branch !plain
"""
ROOT_64 = """
    rsqrt.approx.ftz.f64 y, a
    check.root64 plain, a
    mul.rn.f64 square, y, y
    dfma.negated rest, a, square, 1.0
    fma.rn.f64 factor, rest, 0.375, 0.5
    mul.rn.f64 rest, y, rest
    fma.rn.f64 y, factor, rest, y
    mul.rn.f64 root, a, y
    sub.s64 half, y, 0x10000000000000
    dfma.negated rest, root, root, a
    fma.rn.f64 d, rest, half, root
    branch !plain
"""
QUOTIENT_64 = """
    mufu.rcp64h y, b
    check.dividend64 plain, a
    dfma.negated rest, b, y, 1.0
    fma.rn.f64 rest, rest, rest, rest
    fma.rn.f64 y, y, rest, y
    dfma.negated rest, b, y, 1.0
    fma.rn.f64 y, y, rest, y
    mul.rn.f64 q, a, y
    dfma.negated rest, b, q, a
    fma.rn.f64 d, y, rest, q
    check.quotient64 plain, d, b, plain
    branch !plain
"""
RSQRT_64 = """
    rsqrt.approx.ftz.f64 y, a
    check.rsqrt64 plain, a
    mul.rn.f64 square, y, y
    dfma.negated rest, a, square, 1.0
    fma.rn.f64 factor, rest, 0.375, 0.5
    mul.rn.f64 rest, y, rest
    fma.rn.f64 d, factor, rest, y
    branch !plain
"""
SCALED_RECIPROCAL = """
    check.small small, a
    check.large large, a
    selp.b32 scale, 0x4B800000, 0x3F800000, small
    selp.b32 scale, 0x3E800000, scale, large
    mul.rn.f32 x, a, scale
    rcp.approx.ftz.f32 y, x
    mul.rn.f32 d, y, scale
"""
SCALED = """
    check.small small, a
    mov.b32 x, a
    @small mul.rn.f32 x, a, 16777216.0
    {unit}.approx.ftz.f32 d, x
    @small {back}
"""
POWER = """
    setp.lt.f32 small, a, -126.0
    mov.b32 x, a
    @small mul.rn.f32 x, a, 0.5
    ex2.approx.ftz.f32 d, x
    @small mul.rn.f32 d, d, d
"""
APPROXIMATE_QUOTIENT = """
    check.small small, b
    mov.b32 x, a
    mov.b32 z, b
    @small mul.rn.f32 z, b, 16777216.0
    @small mul.rn.f32 x, a, 16777216.0
    rcp.approx.ftz.f32 y, z
    mul.rn.f32 d, y, x
"""
FULL_QUOTIENT = """
    check.large large, b
    check.small small, b
    mov.b32 x, a
    mov.b32 z, b
    @large mul.rn.f32 z, b, 0.25
    @large mul.rn.f32 x, a, 0.25
    @small mul.rn.f32 z, b, 16777216.0
    @small mul.rn.f32 x, a, 16777216.0
    rcp.approx.ftz.f32 y, z
    mul.rn.f32 d, y, x
"""
FLUSHED_QUOTIENT = """
    rcp.approx.ftz.f32 y, b
    mul.rn.ftz.f32 d, y, a
"""
FULL_FLUSHED_QUOTIENT = """
    check.large large, b
    mov.b32 x, a
    mov.b32 z, b
    @large mul.rn.ftz.f32 z, b, 0.25
    @large mul.rn.ftz.f32 x, a, 0.25
    rcp.approx.ftz.f32 y, z
    mul.rn.ftz.f32 d, y, x
"""
TEXTS = {
    "rcp.rn.f32": RECIPROCAL,
    "rcp.rn.ftz.f32": RECIPROCAL,
    "sqrt.rn.f32": ROOT,
    "sqrt.rn.ftz.f32": ROOT,
    "div.rn.f32": QUOTIENT,
    "div.rn.ftz.f32": QUOTIENT,
    "rcp.rn.f64": RECIPROCAL_64,
    "sqrt.rn.f64": ROOT_64,
    "div.rn.f64": QUOTIENT_64,
    "rsqrt.approx.f64": RSQRT_64,
    "rcp.approx.f32": SCALED_RECIPROCAL,
    "rsqrt.approx.f32": SCALED.format(unit="rsqrt", back="mul.rn.f32 d, d, 4096.0"),
    "sqrt.approx.f32": SCALED.format(unit="sqrt", back="mul.rn.f32 d, d, 0.000244140625"),
    "lg2.approx.f32": SCALED.format(unit="lg2", back="add.rn.f32 d, d, -24.0"),
    "ex2.approx.f32": POWER,
    "div.approx.f32": APPROXIMATE_QUOTIENT,
    "div.full.f32": FULL_QUOTIENT,
    "div.approx.ftz.f32": FLUSHED_QUOTIENT,
    "div.full.ftz.f32": FULL_FLUSHED_QUOTIENT,
}
"""By the row that they stand for."""


@dataclass(frozen=True, slots=True)
class Step:
    """A row of a sequence, or `branch`; the guard is the name of a predicate."""

    name: str
    result: str = ""
    operands: tuple[str | int | float, ...] = ()
    guard: str = ""
    negated: bool = False


@cache
def sequence(row: str) -> tuple[Step, ...] | None:
    """The steps that a row becomes, None if it is one of the machine's."""
    text = TEXTS.get(row)
    return None if text is None else tuple(_steps(text))


def _steps(text: str) -> Iterator[Step]:
    for line in text.strip().splitlines():
        name, *words = line.replace(",", " ").split()
        guard = ""
        if name[0] == "@":
            guard, name, *words = name[1:], *words
        if name == "branch":
            (guard,), words = words, [""]
        result, *operands = words
        values = tuple(map(_operand, operands))
        yield Step(name, result, values, guard.lstrip("!"), guard.startswith("!"))


def _operand(word: str) -> str | int | float:
    if word[0].isalpha():
        return word
    return float(word) if "." in word else int(word, 0)
