"""What products of matrices should be, from the PTX ISA's formulas and whole numbers of any size.

Written without the implementation: where an element lies is the ISA's text for each shape ("groupID
= %laneid >> 2; row = groupID for ai where 0 <= i < 2 …"), and a sum is one of integers in units of
2 ** -400.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction

import numpy as np

UNIT = 400
FORMATS = {
    "f16": (5, 10, 16, 0), "bf16": (8, 7, 16, 0), "tf32": (8, 10, 32, 13), "e4m3": (4, 3, 8, 0),
    "e5m2": (5, 2, 8, 0), "f32": (8, 23, 32, 0),
}  # fmt: skip
"""Bits of the exponent, of the fraction, of an element, and unused ones below the fraction."""
WIDTH = {"s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1, "s32": 32, "f64": 64}
NAN = {"f32": 0x7FFFFFFF, "f16": 0x7FFF}
FORM = re.compile(
    r"mma\.sync\.aligned\.m(\d+)n(\d+)k(\d+)\.row\.col(\.satfinite)?"
    r"\.(\w+)\.(\w+)\.(\w+)\.(\w+)"
)


def width(kind: str) -> int:
    return FORMATS[kind][2] if kind in FORMATS else WIDTH[kind]


def spread(words: np.ndarray, kind: str) -> np.ndarray:
    """[32, registers] as [32, elements of a lane], the lowest bits of a register first."""
    bits = width(kind)
    if bits >= 32:
        return words.astype(object)
    each = 32 // bits
    parts = [(words >> np.uint32(bits * k)) & np.uint32((1 << bits) - 1) for k in range(each)]
    return np.stack(parts, -1).reshape(32, -1).astype(object)


def left(words: np.ndarray, m: int, k: int, kind: str) -> np.ndarray:
    """A [m, k]: of a lane elements i lie in row groupID, or 8 further; columns threadID_in_group
    times the elements of a register, further ones behind the others."""
    each = max(1, 32 // width(kind))
    values, found = spread(words, kind), np.zeros((m, k), object)
    for lane in range(32):
        group, thread = lane >> 2, lane % 4
        for i in range(values.shape[1]):
            register, inside = divmod(i, each)
            row = group if m == 8 or register % 2 == 0 else group + 8
            block = register if m == 8 else register // 2
            found[row, block * 4 * each + thread * each + inside] = values[lane, i]
    return found


def right(words: np.ndarray, k: int, kind: str) -> np.ndarray:
    """B [k, 8]: column groupID."""
    each = max(1, 32 // width(kind))
    values, found = spread(words, kind), np.zeros((k, 8), object)
    for lane in range(32):
        group, thread = lane >> 2, lane % 4
        for i in range(values.shape[1]):
            register, inside = divmod(i, each)
            found[register * 4 * each + thread * each + inside, group] = values[lane, i]
    return found


def places(m: int, count: int):
    """(lane, i, row, column) of accumulators: pairs of columns, then the rows 8 further."""
    for lane in range(32):
        for i in range(count):
            yield lane, i, (lane >> 2) + 8 * (i >= 2), 2 * (lane % 4) + (i & 1)


def accumulators(words: np.ndarray, m: int, kind: str) -> np.ndarray:
    values, found = spread(words, kind), np.zeros((m, 8), object)
    for lane, i, row, column in places(m, values.shape[1]):
        found[row, column] = values[lane, i]
    return found


def back(found: np.ndarray, kind: str) -> np.ndarray:
    """The registers that hold accumulators."""
    m = len(found)
    values = np.zeros((32, m // 4), object)
    for lane, i, row, column in places(m, m // 4):
        values[lane, i] = found[row, column]
    if kind != "f16":
        return values
    low, high = values[:, 0::2], values[:, 1::2]
    return low | high * 65536


# Floats -----------------------------------------------------------------------------------------


def parts(bits: int, kind: str) -> tuple[str, int, int]:
    """('number', signed value in units of 2 ** -UNIT, the exponent of its leading place), or
    ('inf', sign, 0), ('nan', 0, 0)."""
    exponent_bits, fraction_bits, total, unused = FORMATS[kind]
    bits = (bits & (1 << total) - 1) >> unused
    fraction = bits % (1 << fraction_bits)
    field = bits // (1 << fraction_bits) % (1 << exponent_bits)
    sign = -1 if bits // (1 << fraction_bits + exponent_bits) else 1
    bias, top = (1 << exponent_bits - 1) - 1, (1 << exponent_bits) - 1
    if kind == "e4m3" and field == top and fraction == 7:
        return "nan", 0, 0
    if kind != "e4m3" and field == top:
        return ("nan", 0, 0) if fraction else ("inf", sign, 0)
    exponent = (field if field else 1) - bias
    whole = fraction + ((1 << fraction_bits) if field else 0)
    return "number", sign * whole * 2 ** (exponent - fraction_bits + UNIT), exponent


def summed(pairs: list[tuple[int, int]], c: int, a: str, b: str, kind: str, cut: int) -> object:
    """One sum: a whole number in units of 2 ** -UNIT, or 'inf', '-inf', 'nan'."""
    terms, positive, negative = [], False, False
    for x, y in pairs:
        (how_x, value_x, e_x), (how_y, value_y, e_y) = parts(x, a), parts(y, b)
        if "nan" in (how_x, how_y):
            return "nan"
        if "inf" in (how_x, how_y):
            if value_x == 0 or value_y == 0:
                return "nan"
            positive, negative = (
                positive or (value_x > 0) == (value_y > 0),
                negative or (value_x > 0) != (value_y > 0),
            )
        elif value_x and value_y:
            product = Fraction(value_x * value_y, 2**UNIT)
            terms.append((product, e_x + e_y))
    how, value, e = parts(c, kind)
    if how == "nan":
        return "nan"
    if how == "inf":
        positive, negative = positive or value > 0, negative or value < 0
    if positive and negative:
        return "nan"
    if positive or negative:
        return "inf" if positive else "-inf"
    if value:
        terms.append((Fraction(value), e))
    if not terms:
        return 0
    step = Fraction(2) ** (max(e for _, e in terms) - cut + UNIT)
    return sum(int(abs(t) / step) * (1 if t > 0 else -1) for t, _ in terms) * step


def as_f32(total: object, digits: int = 24) -> int:
    """Toward zero."""
    if isinstance(total, str):
        return {"nan": NAN["f32"], "inf": 0x7F800000, "-inf": 0xFF800000}[total]
    size, sign = abs(Fraction(total) / Fraction(2) ** UNIT), (1 << 31 if total < 0 else 0)
    if size == 0:
        return 0
    exponent = -126
    while size >= Fraction(2) ** (exponent + 1):
        exponent += 1
    if exponent > 127:
        return sign | 0x7F800000
    whole = int(size / Fraction(2) ** (exponent - digits + 1)) << 24 - digits
    return sign | (whole if whole < 1 << 23 else (exponent + 126 << 23) + whole)


def as_f16(total: object) -> int:
    """To nearest even."""
    if isinstance(total, str):
        return {"nan": NAN["f16"], "inf": 0x7C00, "-inf": 0xFC00}[total]
    if total == 0:
        return 0
    value = Fraction(total) / Fraction(2) ** UNIT
    if abs(value) >= 65520:
        return 0x7C00 if value > 0 else 0xFC00
    return int(np.float16(_to_odd(value)).view(np.uint16))


def _to_odd(value: Fraction) -> float:
    """A float that rounds to f16 as the fraction does."""
    scaled = abs(value) * 2**30
    whole = int(scaled)
    whole |= 1 if scaled != whole else 0
    return float(whole) / 2**30 * (1 if value > 0 else -1)


def add_f32(x: int, y: int) -> int:
    return _added(x, y, np.uint32, np.float32, NAN["f32"])


def add_f16(x: int, y: int) -> int:
    return _added(x, y, np.uint16, np.float16, NAN["f16"])


def _added(x: int, y: int, bits: type, kind: type, nan: int) -> int:
    with np.errstate(all="ignore"):
        total = np.array([x], bits).view(kind) + np.array([y], bits).view(kind)
    return nan if np.isnan(total[0]) else int(total.view(bits)[0])


def multiplied(name: str, a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """The registers of the result of an `mma.sync` of a tile: uint32 (uint64 of f64) [32, …]."""
    m, _, k, limit, kind_d, kind_a, kind_b, kind_c = FORM.match(name).groups()
    m, k = int(m), int(k)
    of_a, of_b = left(a, m, k, kind_a), right(b, k, kind_b)
    of_c = accumulators(c, m, kind_c)
    found = np.zeros((m, 8), object)
    for row in range(m):
        for column in range(8):
            pairs = list(zip(of_a[row], of_b[:, column], strict=True))
            found[row, column] = _element(
                name, pairs, of_c[row, column], kind_a, kind_b, kind_d, bool(limit)
            )
    return back(found, kind_d).astype(np.uint64 if kind_d == "f64" else np.uint32)


def _element(name, pairs, c, kind_a, kind_b, kind_d, limit):
    if kind_a == "f64":
        return chained([(int(x), int(y)) for x, y in pairs], int(c))
    if kind_a == "b1":
        how = (lambda x, y: x & y) if ".and." in name else (lambda x, y: x ^ y)
        return (int(c) + sum(how(int(x), int(y)) for x, y in pairs)) % 2**32
    if kind_a in WIDTH and kind_a != "f64":
        total = _signed(int(c), "s32") + sum(
            _signed(int(x), kind_a) * _signed(int(y), kind_b) for x, y in pairs
        )
        return (max(-(2**31), min(2**31 - 1, total)) if limit else total) % 2**32
    if kind_a in ("e4m3", "e5m2"):
        total = 0
        for part in (0, 1):
            some = [pair for k, pair in enumerate(pairs) if k % 4 // 2 == part]
            total = _rounded(summed(some, total, kind_a, kind_b, kind_d, 25), kind_d)
        return (add_f32 if kind_d == "f32" else add_f16)(total, int(c))
    return _rounded(summed(pairs, int(c), kind_a, kind_b, kind_d, 25), kind_d)


def chained(pairs: list[tuple[int, int]], c: int) -> int:
    """Fused products and sums of f64, one after the other."""
    total = _double(c)
    for x, y in pairs:
        first, second = _double(x), _double(y)
        if np.isfinite([first, second, total]).all():
            exact = Fraction(first) * Fraction(second) + Fraction(total)
            try:
                total = float(exact)
            except OverflowError:
                total = math.inf if exact > 0 else -math.inf
        elif not np.isfinite([first, second]).all():
            total = first * second + total
    if math.isnan(total):
        return 0x7FF8000000000000
    return int(np.float64(total).view(np.uint64))


def _double(bits: int) -> float:
    return float(np.uint64(bits).view(np.float64))


def _rounded(total: object, kind: str) -> int:
    return as_f32(total) if kind == "f32" else as_f16(total)


def _signed(value: int, kind: str) -> int:
    bits = WIDTH[kind]
    return value - (1 << bits) if kind[0] == "s" and value >> bits - 1 else value
