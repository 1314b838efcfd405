"""The vocabulary of the ptx rows beyond `machines/vocabulary/numbers.py`, and how registers hold
values.

    lane_bits(-1, "s32")          0xFFFF_FFFF: what a register holds
    read_lane(0xFFFF_FFFF, "s32") -1: what an operand of that kind reads there

Rounding in other directions than to nearest is in `machines/vocabulary/rounding.py`, what floats of
8 bits and bf16 need in `machines/vocabulary/small_floats.py`, what hardware approximates in
`machines/vocabulary/special_functions.py`.  The jitted
cores have twins of the same names in `sim/cores/simt/vocabulary.py`; a test holds that both agree.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable

from machines.vocabulary import numbers, rounding, small_floats, special_functions
from machines.vocabulary.numbers import (
    bits_from_f64,
    f32_from_bits,
    f64_from_bits,
    sign_extend,
    wrap,
    zero_extend,
)

NAN_F32 = 0x7FFF_FFFF
"""The NaN that f32 arithmetic gives (PTX ISA 9.0, 9.7.3: canonical NaN)."""
NAN_F64 = numbers.NAN_BITS_F64
NAN_F16 = 0x7FFF
LEAST_NORMAL_F32 = 2.0**-126


# Registers -----------------------------------------------------------------------------------


def bits_of_f32(x: float) -> int:
    """The 32-bit encoding (unsigned) of an f32 value; NaN gives `NAN_F32`."""
    return struct.unpack("<I", struct.pack("<f", x))[0] if x == x else NAN_F32


def bits_of_f64(x: float) -> int:
    """The 64-bit encoding (signed) of `x`; NaN gives `NAN_F64`."""
    return bits_from_f64(x)


def read_lane(bits: int, kind: str) -> int | float:
    """What an operand of a lane type reads in a register that holds `bits`."""
    if kind == "f32":
        return f32_from_bits(bits)
    if kind == "f64":
        return f64_from_bits(wrap(bits))
    if kind == "pred":
        return bits & 1
    width = int(kind[1:])
    return sign_extend(bits, width) if kind[0] == "s" else zero_extend(bits, width)


def lane_bits(value: int | float, kind: str) -> int:
    """What a register holds after `value` was written as a lane type: unsigned, 64 bits signed.

    Values of 16 bits are zero-extended.  A float where the type is of integers stands for its bits.
    """
    if kind == "pred":
        return int(value) & 1
    width = int(kind[1:])
    if isinstance(value, float):
        value = bits_of_f64(value) if width == 64 else bits_of_f32(value)
    return zero_extend(value, width)


# Floating point ------------------------------------------------------------------------------


def flush(x: float) -> float:
    """The f32 value `x`, or a zero of its sign if it is subnormal (`.ftz`)."""
    return math.copysign(0.0, x) if abs(x) < LEAST_NORMAL_F32 else x


def saturate(x: float) -> float:
    """`x` clamped to 0 … 1; NaN and -0 give +0 (`.sat`)."""
    return (x if x < 1.0 else 1.0) if x > 0.0 else 0.0


def round_even(x: float) -> float:
    """The integral value nearest to `x`, ties to even."""
    return math.copysign(float(round(x)), x) if abs(x) < 2.0**52 else x


def truncate(x: float) -> float:
    """The integral value next to `x` towards zero."""
    return math.copysign(float(int(x)), x) if abs(x) < 2.0**52 else x


def floor(x: float) -> float:
    """The greatest integral value that is not above `x`."""
    return math.copysign(float(math.floor(x)), x) if abs(x) < 2.0**52 else x


def ceiling(x: float) -> float:
    """The least integral value that is not below `x`."""
    return math.copysign(float(math.ceil(x)), x) if abs(x) < 2.0**52 else x


# Half precision ------------------------------------------------------------------------------


def f16_from_bits(a: int) -> float:
    """The f16 whose encoding is the low 16 bits of `a`."""
    return struct.unpack("<e", struct.pack("<H", a & 0xFFFF))[0]


def bits_of_f16(x: float) -> int:
    """The 16-bit encoding of an f16 value; NaN gives `NAN_F16`."""
    return struct.unpack("<H", struct.pack("<e", x))[0] if x == x else NAN_F16


# Bits ----------------------------------------------------------------------------------------


def count_leading_zeros(a: int) -> int:
    """Zeros above the first one of 64 bits; 64 for 0."""
    return 64 - (a % (1 << 64)).bit_length()


def reverse_bits(a: int) -> int:
    """The 64 bits in reverse order."""
    return wrap(int(f"{a % (1 << 64):064b}"[::-1], 2))


def find_set_bit(mask: int, base: int, offset: int) -> int:
    """Position of the offset-th one of 32 bits from `base` on, downwards if negative (PTX fns);
    offset 0 asks whether there is one at `base`.  0xFFFF_FFFF if there is none."""
    step = -1 if offset < 0 else 1
    left = max(abs(offset), 1)
    position = base
    while 0 <= position < 32:
        left -= mask >> position & 1
        if left == 0:
            return position
        if offset == 0:
            break
        position += step
    return 0xFFFF_FFFF


def look_up_bits(a: int, b: int, c: int, table: int) -> int:
    """Each bit is bit a * 4 + b * 2 + c of the table."""
    result = 0
    for k in range(8):
        if table >> k & 1:
            result |= (a if k & 4 else ~a) & (b if k & 2 else ~b) & (c if k & 1 else ~c)
    return result


def permute_bytes(a: int, b: int, selector: int) -> int:
    """Four bytes of the pair {b, a}: each nibble says which, or (8 and more) its sign in all bits.

    a and b are unsigned numbers of 32 bits.
    """
    pair, result = b << 32 | a, 0
    for position in range(4):
        nibble = selector >> 4 * position & 15
        byte = pair >> 8 * (nibble & 7) & 255
        if nibble & 8:
            byte = 255 if byte & 128 else 0
        result |= byte << 8 * position
    return result


# Shuffles (PTX ISA, shfl.sync): the lane whose value a lane gets, or -1 if it is not in the
# segment.  Lanes beyond 32 make a group of their own.


def shuffle_up(lane: int, b: int, c: int) -> int:
    """The lane b below."""
    source = lane - (b & 31)
    return source if source >= _last_lane(lane, c) else -1


def shuffle_down(lane: int, b: int, c: int) -> int:
    """The lane b above."""
    source = lane + (b & 31)
    return source if source <= _last_lane(lane, c) else -1


def shuffle_bfly(lane: int, b: int, c: int) -> int:
    """The lane whose number is this one's exclusive or with b."""
    source = lane ^ (b & 31)
    return source if source <= _last_lane(lane, c) else -1


def shuffle_idx(lane: int, b: int, c: int) -> int:
    """The lane b of the segment."""
    segment = c >> 8 & 31
    source = (lane & ~31) | (lane & segment) | (b & 31 & ~segment)
    return source if source <= _last_lane(lane, c) else -1


def _last_lane(lane: int, c: int) -> int:
    segment = c >> 8 & 31
    return (lane & ~31) | (lane & segment) | (c & 31 & ~segment)


FUNCTIONS: tuple[Callable, ...] = (
    *rounding.FUNCTIONS, *small_floats.FUNCTIONS, *special_functions.FUNCTIONS, bits_of_f32,
    bits_of_f64, flush, saturate, round_even, truncate, floor, ceiling, f16_from_bits, bits_of_f16,
    count_leading_zeros, reverse_bits, find_set_bit, look_up_bits, permute_bytes, shuffle_up,
    shuffle_down, shuffle_bfly, shuffle_idx,
)  # fmt: skip

VOCABULARY = {function.__name__: function for function in FUNCTIONS}
"""What a meaning of a ptx row may call beside `machines.vocabulary.numbers.VOCABULARY`, by name
(and `abs`, `inf`, `nan`)."""
