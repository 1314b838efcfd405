"""Jitted twins of `machines/vocabulary/lanes.py`, and the whole vocabulary of the ptx rows for the
core.

Every function has the name, the parameters and the results of its Python twin; there the meaning is
told, here only what makes it fast.  Integers are int64, floats float64; a lane loop over registers
of 32 bits is narrowed by LLVM where the meaning allows it (`round_f32(a + b)` of two f32 values
becomes one f32 addition).
"""

from __future__ import annotations

from math import inf, nan

from machines.vocabulary import small_floats
from machines.vocabulary.lanes import FUNCTIONS, NAN_F16
from sim.cores import numbers
from sim.cores.jit import inlined, jitted, jitted_twins
from sim.cores.numbers import shift_right_unsigned
from sim.cores.simt import rounding, special_functions
from sim.cores.simt.host import encodings
from sim.cores.simt.host.encodings import bits_of_f64
from sim.cores.simt.rounding import is_negative, power_of_two

# Floating point ------------------------------------------------------------------------------


@inlined
def saturate(x):
    return (x if x < 1.0 else 1.0) if x > 0.0 else 0.0


# Half precision ------------------------------------------------------------------------------


@inlined
def f16_from_bits(a):
    field, fraction = a >> 10 & 31, a & 0x3FF
    if field == 31:
        size = nan if fraction != 0 else inf
    elif field == 0:
        size = float(fraction) * 2.0**-24
    else:
        size = float(fraction | 1 << 10) * power_of_two(field - 25)
    return -size if a & 0x8000 else size


@inlined
def bits_of_f16(x):
    if x != x:
        return NAN_F16
    sign = 0x8000 if is_negative(x) else 0
    size = abs(x)
    if size == inf:
        return sign | 0x7C00
    if size < 2.0**-14:
        return sign | int(size * 2.0**24)
    bits = bits_of_f64(size)
    return sign | ((bits >> 52) - 1008) << 10 | bits >> 42 & 0x3FF


# Bits ----------------------------------------------------------------------------------------


@jitted
def find_set_bit(mask, base, offset):
    step = -1 if offset < 0 else 1
    left = max(abs(offset), 1)
    bit = base
    while 0 <= bit < 32:
        left -= mask >> bit & 1
        if left == 0:
            return bit
        if offset == 0:
            break
        bit += step
    return 0xFFFF_FFFF


@inlined
def look_up_bits(a, b, c, table):
    with_a = (
        (-(table >> 4 & 1) & ~b & ~c)
        | (-(table >> 5 & 1) & ~b & c)
        | (-(table >> 6 & 1) & b & ~c)
        | (-(table >> 7 & 1) & b & c)
    )
    without_a = (
        (-(table & 1) & ~b & ~c)
        | (-(table >> 1 & 1) & ~b & c)
        | (-(table >> 2 & 1) & b & ~c)
        | (-(table >> 3 & 1) & b & c)
    )
    return (a & with_a) | (~a & without_a)


@inlined
def _chosen_byte(pair, nibble):
    byte = shift_right_unsigned(pair, 8 * (nibble & 7)) & 255
    return -(byte >> 7) & 255 if nibble & 8 else byte


@inlined
def permute_bytes(a, b, selector):
    pair = b << 32 | a
    low = _chosen_byte(pair, selector & 15) | _chosen_byte(pair, selector >> 4 & 15) << 8
    high = _chosen_byte(pair, selector >> 8 & 15) | _chosen_byte(pair, selector >> 12 & 15) << 8
    return low | high << 16


# Shuffles ------------------------------------------------------------------------------------


@inlined
def _last_lane(lane, c):
    segment = c >> 8 & 31
    return (lane & ~31) | (lane & segment) | (c & 31 & ~segment)


@inlined
def shuffle_up(lane, b, c):
    source = lane - (b & 31)
    return source if source >= _last_lane(lane, c) else -1


@inlined
def shuffle_down(lane, b, c):
    source = lane + (b & 31)
    return source if source <= _last_lane(lane, c) else -1


@inlined
def shuffle_bfly(lane, b, c):
    source = lane ^ (b & 31)
    return source if source <= _last_lane(lane, c) else -1


@inlined
def shuffle_idx(lane, b, c):
    segment = c >> 8 & 31
    source = (lane & ~31) | (lane & segment) | (b & 31 & ~segment)
    return source if source <= _last_lane(lane, c) else -1


_SMALL_FLOATS = jitted_twins(small_floats, numbers.VOCABULARY, how=inlined)
_TWINS = {
    **vars(encodings), **vars(rounding), **vars(_SMALL_FLOATS), **special_functions.VOCABULARY,
    **globals(),
}  # fmt: skip

VOCABULARY = {
    **numbers.VOCABULARY,
    **{function.__name__: _TWINS[function.__name__] for function in FUNCTIONS},
    "inf": inf,
    "nan": nan,
}
"""All that a meaning of a ptx row may name; a function without a twin is an error at import."""
