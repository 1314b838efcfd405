"""How numpy holds elements of every type in the table (`machines/types.py`).

Where numpy has the type, an array is of that.  Where it has none (i4, u4, e4m3, e5m2, bf16), an
array has one field of the type's name, which holds the encodings, one a byte or two bytes: it says
what it is, is copied, cut and saved as every array, and numpy computes nothing wrong of it.

    as_elements([1.5, 0.1], "bf16")    array([(16320,), (15821,)], dtype=[('bf16', '<u2')])
    as_numbers(that)                   array([1.5, 0.10009765625], dtype=float32)
    in_memory(as_elements([1, -2], "i4")) array([225], dtype=uint8)

Arrays of package ml_dtypes are taken as well (`known_array`); it is not needed here.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from machines.later import Later, LaterTable
from machines.types import BF16, BOOLEAN, E4M3, E5M2, ELEMENTS, F16, F32, F64, I4, U4, Type

np = Later("numpy")

_OTHERS = {
    BF16: ("<u2", "bfloat16"),
    E4M3: ("|u1", "float8_e4m3fn"),
    E5M2: ("|u1", "float8_e5m2"),
    I4: ("|i1", "int4"),
    U4: ("|u1", "uint4"),
}
"""Of types that numpy has not: what holds an encoding, and what ml_dtypes calls the type."""


def _dtype(type: Type) -> np.dtype:
    if type is BOOLEAN:
        return np.dtype("?")
    if type in _OTHERS:
        return np.dtype([(type.name, _OTHERS[type][0])])
    letter = "f" if type.is_float else "iu"[not type.signed]
    return np.dtype(f"<{letter}{type.bytes}")


DTYPES = LaterTable(lambda: {name: _dtype(type) for name, type in ELEMENTS.items()})
"""The numpy type of arrays of each element type, by name."""
DTYPE_NAMES = LaterTable(lambda: {dtype: name for name, dtype in DTYPES.items()})


def type_of(dtype: np.dtype) -> Type:
    """The element type of arrays of a numpy type of `DTYPES`; KeyError of others."""
    return ELEMENTS[DTYPE_NAMES[dtype]]


def is_encoded(type: Type) -> bool:
    """Whether arrays of a type hold encodings."""
    return type in _OTHERS


def common_name(dtype: np.dtype) -> str:
    """What numpy, or else ml_dtypes, calls the type of elements: 'float16', 'bfloat16', 'bool'."""
    return dtype.name if dtype.names is None else _OTHERS[type_of(dtype)][1]


def known_array(array: np.ndarray) -> np.ndarray | None:
    """An array as one of `DTYPES`, little-endian and C-ordered; None if no type of them is its own.

    It may be of another byte order, and not contiguous: what counts are its values.  Those of
    ml_dtypes are known by what they are called.
    """
    for type, (word, name) in _OTHERS.items():
        if array.dtype.name == name and array.dtype.names is None:
            return encoded(np.ascontiguousarray(array).view(word).reshape(array.shape), type)
    if array.dtype.newbyteorder("<") not in DTYPE_NAMES:
        return None
    return np.array(array, array.dtype.newbyteorder("<"), order="C")


# ---- Rounding, encodings ------------------------------------------------------------------------


def rounded(values: np.ndarray, type: Type, saturate: bool = False) -> np.ndarray:
    """Numbers (f64) rounded to a type of floats, in f64."""
    values, form = np.asarray(values, np.float64), type.format
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        if type in (F16, F32, F64):
            found = values.astype(DTYPES[type.name]).astype(np.float64)
        else:
            unit = spacing(values, type)
            found = np.where(np.isfinite(values), np.rint(values / unit) * unit, values)
    over = np.abs(found) > form.largest
    if saturate:
        return np.where(over, np.copysign(form.largest, values), found)
    return np.where(over, np.copysign(form.too_large, values), found)


def spacing(values: np.ndarray, type: Type) -> np.ndarray:
    """How far from a number (f64) of this size to the next one of a type of floats; NaN if it is
    not finite."""
    least, digits = type.format.least_exponent, type.format.digits
    _, exponent = np.frexp(values)
    exponent = np.where(values == 0, least, np.maximum(exponent - 1, least))
    return np.where(np.isfinite(values), np.ldexp(1.0, exponent - (digits - 1)), np.nan)


def encodings(values: np.ndarray, type: Type) -> np.ndarray:
    """The encodings, as unsigned integers, of numbers (f64) that are of a type of floats."""
    form, width = type.format, f"<u{type.bytes}"
    if type in (F16, F32, F64):
        found = np.array(values, DTYPES[type.name]).view(width)
    else:
        size = np.abs(values)
        finite = np.where(np.isfinite(size), size, 0.0)
        _, exponent = np.frexp(finite)
        is_normal = finite >= form.least
        field = np.where(is_normal, exponent - 1 + form.bias, 0)
        fraction = finite / spacing(finite, type) - is_normal * 2.0 ** (form.digits - 1)
        found = (field << (form.digits - 1)) + fraction.astype(np.int64)
        found = np.where(np.isinf(size), form.infinity, found)
        found = (found + (np.signbit(values) << (type.bits - 1))).astype(width)
    return np.where(np.isnan(values), np.array(form.nan, width), found)


@cache
def _all_numbers(type: Type) -> np.ndarray:
    """The numbers (f32, or the integers of a byte) of all encodings of 8 or 16 bits, in order; of
    4 bits those of a byte, whose high bits say nothing."""
    codes = np.arange(1 << max(type.bits, 8), dtype=np.int64)
    if type.is_integer:
        codes &= 15
        return np.where(codes > type.highest, codes - 16, codes).astype(
            np.int8 if type.signed else np.uint8
        )
    form = type.format
    field = codes >> (form.digits - 1) & (1 << form.exponent_bits) - 1
    fraction = codes & (1 << (form.digits - 1)) - 1
    significand = fraction + ((field > 0) << (form.digits - 1))
    size = np.ldexp(
        significand.astype(np.float64),
        np.maximum(field, 1) + form.least_exponent - 1 - (form.digits - 1),
    )
    magnitude = codes & (1 << (type.bits - 1)) - 1
    if form.has_infinities:
        size[magnitude == form.infinity] = np.inf
        size[magnitude > form.infinity] = np.nan
    else:
        size[magnitude == form.nan] = np.nan
    with np.errstate(invalid="ignore"):
        return np.where(codes >> (type.bits - 1), -size, size).astype(np.float32)


def decoded(codes: np.ndarray, type: Type) -> np.ndarray:
    """The numbers that encodings of a type that numpy has not are."""
    return _all_numbers(type)[codes.view(f"u{codes.dtype.itemsize}")]


def ordinals(values: np.ndarray, type: Type) -> np.ndarray:
    """For numbers (f64) of a type of floats their place in its order: neighbours differ by 1, both
    zeros have 0, and an infinity comes behind the largest number."""
    codes = encodings(values, type).astype(np.uint64)
    sign = np.uint64(1 << (type.bits - 1))
    size = (codes & (sign - np.uint64(1))).astype(np.int64)
    return np.where(codes & sign, -size, size)


# ---- Arrays -------------------------------------------------------------------------------------


def as_elements(values: Any, type: str | Type, saturate: bool = False) -> np.ndarray:
    """Numbers as an array of an element type: floats are rounded, integers keep the low bits.

    >>> as_elements([1.5, 1000.0], "e4m3").tolist(), as_elements([1000.0], "e4m3", True).tolist()
    ([(60,), (127,)], [(126,)])
    """
    type = ELEMENTS[type] if isinstance(type, str) else type
    values = np.asarray(values)
    if type.is_float:
        if type is F64 and not saturate:
            return values.astype(np.float64)
        codes = encodings(rounded(values, type, saturate), type)
        return encoded(codes, type) if type in _OTHERS else codes.view(DTYPES[type.name])
    if saturate:
        values = np.clip(values, type.lowest, type.highest)
    if type not in _OTHERS:
        return values.astype(DTYPES[type.name])
    return encoded(_all_numbers(type)[values.astype(np.int64) & 15], type)


def as_numbers(array: np.ndarray) -> np.ndarray:
    """The numbers that elements are, in a type of numpy's that holds all of them: of bf16, e4m3
    and e5m2 f32, of i4 and u4 a byte, of all others the array itself."""
    if array.dtype.names is None:
        return array
    type = type_of(array.dtype)
    return decoded(array[type.name], type)


def encoded(codes: np.ndarray, type: Type) -> np.ndarray:
    """Encodings of a type that numpy has not, in bytes or words, as an array of it."""
    word = np.dtype(_OTHERS[type][0])
    if type.in_byte > 1:  # one that came from outside may have anything in its high bits
        codes = _all_numbers(type)[codes.view(np.uint8)]
    return np.asarray(codes, word, order="C").view(DTYPES[type.name])


def in_memory(array: np.ndarray) -> np.ndarray:
    """The bytes of an array's elements one behind another, in C order."""
    flat = np.ascontiguousarray(array).reshape(-1)
    count = 1 if array.dtype.names is None else type_of(array.dtype).in_byte
    return flat.view(np.uint8) if count == 1 else packed(flat.view(np.uint8))


def from_memory(space: np.ndarray, dtype: np.dtype, shape: tuple[int, ...]) -> np.ndarray:
    """The array of this shape that begins with the first of some bytes; it shares them, unless
    several elements stand in one."""
    count = 1
    for extent in shape:
        count *= extent
    type = None if dtype.names is None else type_of(dtype)
    if type is None or type.in_byte == 1:
        return space[: count * dtype.itemsize].view(dtype).reshape(shape)
    return encoded(unpacked(space[: type.size(count)], type)[:count], type).reshape(shape)


def bytes_in_memory(array: np.ndarray) -> int:
    """How many bytes an array's elements take."""
    if array.dtype.names is None:
        return array.nbytes
    return type_of(array.dtype).size(array.size)


def packed(codes: np.ndarray) -> np.ndarray:
    """Elements of 4 bits, one a byte, as two a byte; the last byte may be half empty."""
    low = np.zeros(len(codes) + len(codes) % 2, np.uint8)
    low[: len(codes)] = codes.view(np.uint8) & 15
    return low[::2] | low[1::2] << 4


def unpacked(space: np.ndarray, type: Type) -> np.ndarray:
    """The reverse, as numbers of a byte."""
    both = np.stack([space & 15, space >> 4], axis=-1).reshape(-1)
    return _all_numbers(type)[both]
