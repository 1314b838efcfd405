"""Elements as numbers that numpy computes with, and back; what tensor rows do with NaN and zeros.

What has fewer bits than an f32 is computed in f32, and rounded to its type at the end; integers
wrap.
"""

from __future__ import annotations

import numpy as np

from machines.elements import DTYPES, as_elements, as_numbers, encoded, is_encoded, type_of
from machines.types import BF16, F64, Type


def numbers(array: np.ndarray) -> np.ndarray:
    """The numbers that elements are: of floats f32 or f64, of integers their own type or a byte."""
    found = as_numbers(array)
    return found.astype(np.float32) if found.dtype == np.float16 else found


def elements(values: np.ndarray, type: Type) -> np.ndarray:
    """Numbers as elements of a type of their kind: floats are rounded, integers wrap."""
    values = np.asarray(values)
    if type is BF16 and values.dtype == np.float32:
        return encoded(_bf16_encodings(values), BF16)
    if is_encoded(type):
        return as_elements(values, type)
    with np.errstate(all="ignore"):
        return values.astype(DTYPES[type.name], copy=False)


def _bf16_encodings(values: np.ndarray) -> np.ndarray:
    """Those of f32 numbers, rounded to nearest even: the low half decides about the high one."""
    bits = np.ascontiguousarray(values).view(np.uint32).reshape(values.shape)
    odd = bits >> 16 & 1
    found = (bits + np.uint32(0x7FFF) + odd >> 16).astype(np.uint16)
    return np.where(np.isnan(values), np.uint16(BF16.format.nan), found)


# As tensor rows have it ----------------------------------------------------------------------


def maximum(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The larger; the other one if one is NaN; +0 is larger than -0."""
    found = np.fmax(a, b)
    return _zeros_mended(found, a, b, a + b)


def minimum(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The smaller; the other one if one is NaN; -0 is smaller than +0."""
    found = np.fmin(a, b)
    return _zeros_mended(found, a, b, -(-a - b)) if _is_float(found) else found


def _zeros_mended(
    found: np.ndarray, a: np.ndarray, b: np.ndarray, of_zeros: np.ndarray
) -> np.ndarray:
    """`found`, but `of_zeros` where both are zero: numpy's choice between zeros is not said."""
    if not _is_float(found):
        return found
    both = (a == 0) & (b == 0)
    return np.where(both, of_zeros, found) if both.any() else found


def _is_float(values: np.ndarray) -> bool:
    return values.dtype.kind == "f"


def largest(x: np.ndarray, axes: tuple[int, ...]) -> np.ndarray:
    """The maximum along axes: NaN is passed over, +0 is larger than -0."""
    if not _is_float(x):
        return np.max(x, axis=axes)
    found = np.fmax.reduce(x, axis=axes, initial=-np.inf)
    if (found == 0).any():
        positive = ((x == 0) & ~np.signbit(x)).any(axis=axes)
        zero = np.where(positive, found.dtype.type(0.0), found.dtype.type(-0.0))
        found = np.where(found == 0, zero, found)
    return found


def smallest(x: np.ndarray, axes: tuple[int, ...]) -> np.ndarray:
    """The minimum along axes: NaN is passed over, -0 is smaller than +0."""
    return -largest(-x, axes) if _is_float(x) else np.min(x, axis=axes)


def total(x: np.ndarray, axes: tuple[int, ...]) -> np.ndarray:
    """The sum along axes; of floats in f64."""
    return np.sum(x, axis=axes, dtype=np.float64 if _is_float(x) else x.dtype)


def converted(array: np.ndarray, to: Type, mode: str) -> np.ndarray:
    """Elements as those of another type, as `tensor.convert`, `convert_round` and
    `convert_saturate` have it."""
    source, values = type_of(array.dtype), numbers(array)
    if not source.is_float and not to.is_float:
        if mode == "saturate":
            values = np.clip(values.astype(np.int64), to.lowest, to.highest)
        return elements(values, to)
    if not to.is_float:
        return elements(_whole(np.rint(values) if mode == "round" else values, to), to)
    if mode == "saturate":
        return as_elements(values, to, saturate=True)
    if to is BF16 and not source.is_float:
        values = _rounded_to_odd(values).astype(np.float64)
    return elements(values, to)


def _whole(values: np.ndarray, to: Type) -> np.ndarray:
    """Floats truncated to a type of integers (i64), saturated; NaN gives 0."""
    values = np.asarray(values, np.float64)
    low, high = values <= to.lowest, values >= to.highest
    with np.errstate(all="ignore"):
        found = np.where(low | high | np.isnan(values), 0.0, values).astype(np.int64)
    return np.where(high, to.highest, np.where(low, to.lowest, found))


def _rounded_to_odd(values: np.ndarray) -> np.ndarray:
    """Integers of which an f64 holds each: of others the last bit that it holds says that there was
    more, so that to round again rounds once."""
    wide = values.astype(np.int64)
    cut = (wide >> 11 | ((wide & 0x7FF) != 0)) << 11
    return np.where(np.abs(wide) <= 1 << F64.format.digits, wide, cut)
