"""What instructions of halves and 8-bit floats give, from their names: by fractions, and with
ml_dtypes' tables of values.

    expected("add.rn.sat.f16x2", [0x3C003C00, 0x40003C00])    [0x3C003C00]
    expected("setp.ltu.f16x2", [0x3C007E00, 0x40003C00])      [1, 1]

Nothing here is of `machines`.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from fractions import Fraction
from functools import cache

import ml_dtypes
import numpy as np

INF, NAN = math.inf, math.nan


class Kind:
    """A type of floats: `digits` of the significand, exponents of its least and greatest numbers,
    the encoding that NaN gets."""

    def __init__(self, name: str, dtype: object, bits: int, digits: int, nan: int):
        self.name, self.bits, self.digits, self.nan = name, bits, digits, nan
        whole = np.arange(1 << bits, dtype=np.uint16 if bits == 16 else np.uint8)
        with np.errstate(invalid="ignore"):
            self.values = whole.view(dtype).astype(np.float64).tolist()
        finite = [v for v in self.values if math.isfinite(v)]
        self.largest = max(finite)
        self.quantum = min(v for v in finite if v > 0)
        self.encodings = {v: k for k, v in enumerate(self.values) if v and v == v}

    def decode(self, bits: int) -> float:
        return self.values[bits & ((1 << self.bits) - 1)]

    def encode(self, x: float) -> int:
        if x != x:
            return self.nan
        if x == 0.0:
            return 1 << (self.bits - 1) if math.copysign(1, x) < 0 else 0
        return self.encodings[x]

    def flush(self, x: float) -> float:
        least = self.quantum * 2 ** (self.digits - 1)
        return math.copysign(0.0, x) if abs(x) < least else x

    def round(self, x: float | Fraction, mode: str = "rn", finite: bool = False) -> float:
        """The next number in a direction; `x` is exact, and no number of the type if infinite."""
        if isinstance(x, float) and (not math.isfinite(x) or x == 0.0):
            return math.copysign(self.largest, x) if finite and abs(x) == INF else x
        exact = Fraction(x)
        power = math.floor(math.log2(abs(exact))) if abs(exact) < 2**1000 else 1000
        while Fraction(2) ** power > abs(exact):
            power -= 1
        while Fraction(2) ** (power + 1) <= abs(exact):
            power += 1
        unit = max(Fraction(2) ** (power - self.digits + 1), Fraction(self.quantum))
        towards = {"rn": round, "rz": math.trunc, "rm": math.floor, "rp": math.ceil}[mode]
        near = towards(exact / unit) * unit
        if abs(near) > self.largest:
            down = mode == "rz" or (mode == "rm" and exact > 0) or (mode == "rp" and exact < 0)
            size = self.largest if down or finite else INF
            return math.copysign(size, exact)
        return math.copysign(float(near), exact)


@cache
def kind(name: str) -> Kind:
    return {
        "f16": lambda: Kind("f16", np.float16, 16, 11, 0x7FFF),
        "bf16": lambda: Kind("bf16", ml_dtypes.bfloat16, 16, 8, 0x7FFF),
        "e4m3": lambda: Kind("e4m3", ml_dtypes.float8_e4m3fn, 8, 4, 0x7F),
        "e5m2": lambda: Kind("e5m2", ml_dtypes.float8_e5m2, 8, 3, 0x7F),
    }[name]()


def f32(bits: int) -> float:
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def f32_bits(x: float) -> int:
    return struct.unpack("<I", struct.pack("<f", x))[0] if x == x else 0x7FFF_FFFF


def f64(bits: int) -> float:
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


def f64_bits(x: float) -> int:
    return struct.unpack("<Q", struct.pack("<d", x))[0] if x == x else 0x7FF8 << 48


def flush_f32(x: float) -> float:
    return math.copysign(0.0, x) if abs(x) < 2.0**-126 else x


def relu(x: float) -> float:
    return x if x != x or x > 0 else 0.0


def saturate(x: float) -> float:
    return min(max(x, 0.0), 1.0) + 0.0 if x == x else 0.0


# ── arithmetic ───────────────────────────────────────────────────────────────────────────────


def _sum(a: float, b: float) -> float | Fraction:
    if math.isfinite(a) and math.isfinite(b) and Fraction(a) + Fraction(b) != 0:
        return Fraction(a) + Fraction(b)
    return a + b


def _product(a: float, b: float) -> float | Fraction:
    if math.isfinite(a) and math.isfinite(b) and a != 0 and b != 0:
        return Fraction(a) * Fraction(b)
    return a * b


def _fma(a: float, b: float, c: float) -> float | Fraction:
    product = _product(a, b)
    if isinstance(product, Fraction):
        if not math.isfinite(c):
            return c
        return product + Fraction(c) if product + Fraction(c) != 0 else 0.0
    return product + c


def _least(a: float, b: float) -> float:
    if a != a or b != b:
        return b if a != a else a
    return a if (a, math.copysign(1, a)) < (b, math.copysign(1, b)) else b


def _greatest(a: float, b: float) -> float:
    return -_least(-a, -b)


ARITHMETIC: dict[str, Callable] = {
    "add": _sum, "sub": lambda a, b: _sum(a, -b), "mul": _product, "fma": _fma, "min": _least,
    "max": _greatest, "neg": lambda a: -a, "abs": abs,
}  # fmt: skip


def _arithmetic(op: str, mods: set[str], of: Kind, values: list[float]) -> float:
    if "ftz" in mods:
        values = [of.flush(v) for v in values]
    if "NaN" in mods and any(v != v for v in values):
        return NAN
    given = [abs(v) for v in values] if "xorsign" in mods else values
    result = of.round(ARITHMETIC[op](*given))
    if "xorsign" in mods and result == result:
        signs = [math.copysign(1, v) for v in values]
        result = math.copysign(result, signs[0] * signs[1])
    if "ftz" in mods:
        result = of.flush(result)
    return relu(result) if "relu" in mods else saturate(result) if "sat" in mods else result


# ── comparisons ──────────────────────────────────────────────────────────────────────────────


def holds(relation: str, a: float, b: float) -> bool:
    unordered = a != a or b != b
    if relation in ("num", "nan"):
        return unordered == (relation == "nan")
    ordered = {
        "eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b,
    }[relation[:2]]  # fmt: skip
    return relation.endswith("u") if unordered else ordered


# ── conversions ──────────────────────────────────────────────────────────────────────────────


def _integer(x: float, mode: str, name: str) -> int:
    bits, signed = int(name[1:]), name[0] == "s"
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    if x != x:
        return 1 << 63 if bits == 64 else 0
    if abs(x) == INF:
        value = high if x > 0 else low
    else:
        exact = Fraction(x)
        value = {"rni": round, "rzi": math.trunc, "rmi": math.floor, "rpi": math.ceil}[mode](exact)
    return min(max(value, low), high) & ((1 << bits) - 1)


def _integral(x: float, mode: str) -> float:
    if not math.isfinite(x):
        return x
    way = {"rni": round, "rzi": math.trunc, "rmi": math.floor, "rpi": math.ceil}[mode]
    return math.copysign(float(way(Fraction(x))), x)


def _read(name: str, bits: int) -> float | int:
    if name == "f32":
        return f32(bits)
    if name == "f64":
        return f64(bits)
    if name[0] in "su":
        width = int(name[1:])
        bits &= (1 << width) - 1
        return bits - (1 << width) if name[0] == "s" and bits >> width - 1 else bits
    return kind(name).decode(bits)


def _tf32(mods: set[str], bits: int) -> int:
    magnitude, sign = bits & 0x7FFF_FFFF, bits & 0x8000_0000
    if "rna" in mods:
        if magnitude < 0x7F80_0000:
            magnitude += 0x1000
        magnitude &= ~0x1FFF
        if "satfinite" in mods and magnitude >= 0x7F80_0000:
            magnitude -= 0x2000
        return sign | magnitude
    if magnitude > 0x7F80_0000:
        return 0x7FFF_FFFF
    if "relu" in mods and sign:
        return 0
    if "rz" in mods:
        return sign | magnitude & ~0x1FFF
    low, half = magnitude & 0x1FFF, 0x1000
    up = low > half or (low == half and magnitude & 0x2000)
    return sign | (magnitude & ~0x1FFF) + (0x2000 if up else 0)


def _converted(mods: set[str], target: str, source: str, bits: int) -> int:
    x = _read(source, bits)
    mode = next(
        (m for m in ("rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi") if m in mods), "rn"
    )
    if target[0] in "su":
        return _integer(x, mode, target)
    if "ftz" in mods:
        x = flush_f32(x)
    if len(mode) == 3:
        x = _integral(x, mode)
    if target in ("f32", "f64"):
        x = saturate(x) if "sat" in mods else x
        return f32_bits(x) if target == "f32" else f64_bits(x)
    of = kind(target)
    exact = Fraction(x) if isinstance(x, int) and x else float(x)
    result = of.round(exact, mode if len(mode) == 2 else "rn", "satfinite" in mods)
    result = relu(result) if "relu" in mods else result
    return of.encode(saturate(result) if "sat" in mods else result)


PAIRS = {"f16x2": ("f16", 16), "bf16x2": ("bf16", 16), "e4m3x2": ("e4m3", 8), "e5m2x2": ("e5m2", 8)}


def _cvt(mods: set[str], target: str, source: str, operands: list[int]) -> int:
    if target == "tf32":
        return _tf32(mods, operands[0])
    if target not in PAIRS:
        return _converted(mods, target, source, operands[0])
    part, width = PAIRS[target]
    if source in PAIRS:
        source, wide = PAIRS[source]
        operands = [operands[0] >> wide, operands[0] & ((1 << wide) - 1)]
    high, low = (_converted(mods, part, source, x) for x in operands)
    return high << width | low


def expected(form: str, operands: list[int]) -> list[int]:
    """The results of an instruction: encodings, or 0 and 1."""
    op, *parts = form.split(".")
    if op == "cvt":
        return [_cvt(set(parts[:-2]), parts[-2], parts[-1], operands)]
    name = parts[-1]
    pairs = name in PAIRS
    mods = set(parts[:-1])
    if name in ("f32", "f64"):
        read = {"f32": f32, "f64": f64}[name]
        values = [read(x) for x in operands[:2]]
        halves = [[flush_f32(x) for x in values] if "ftz" in mods else values]
        return _compared(op, parts, halves, operands)
    of = kind(PAIRS[name][0] if pairs else name)
    shifts = (0, 16) if pairs else (0,)
    halves = [[of.decode(x >> shift) for x in operands[:3]] for shift in shifts]
    if op in ("setp", "set"):
        halves = [values[:2] for values in halves]
        if "ftz" in mods:
            halves = [[of.flush(v) for v in values] for values in halves]
        return _compared(op, parts, halves, operands)
    low, *high = (of.encode(_arithmetic(op, mods, of, values)) for values in halves)
    return [high[0] << 16 | low if high else low]


ONES = {"f16": 0x3C00, "bf16": 0x3F80, "f32": 0x3F80_0000, "f16x2": 0x3C00, "bf16x2": 0x3F80}


def _compared(op: str, parts: list[str], halves: list[list[float]], operands: list[int]):
    """The results of setp and set."""
    found = [holds(parts[0], *values) for values in halves]
    other = operands[-1] != 0
    for combine in {"and", "or", "xor"} & set(parts):
        found = [{"and": f and other, "or": f or other, "xor": f != other}[combine] for f in found]
    if op == "setp":
        return [int(one) for one in found]
    target = parts[-2]
    width = 32 if target[-2:] in ("32", "x2") else 16
    if len(found) == 1:
        return [ONES.get(target, (1 << width) - 1) if found[0] else 0]
    one = ONES.get(target, 0xFFFF)
    return [(one if found[1] else 0) << 16 | (one if found[0] else 0)]
