"""The element types of workloads and kernels, and which numbers each holds."""

from __future__ import annotations

import math
from collections.abc import Iterable

from machines.description.strict_yaml import Node
from machines.diagnostics import InputError
from machines.later import Later, LaterTable

np = Later("numpy")

_CODES = {
    "i8": "<i1", "i16": "<i2", "i32": "<i4", "i64": "<i8",
    "u8": "<u1", "u16": "<u2", "u32": "<u4", "u64": "<u8",
    "f16": "<f2", "f32": "<f4", "f64": "<f8", "boolean": "?",
}  # fmt: skip
DTYPES = LaterTable(lambda: {name: np.dtype(code) for name, code in _CODES.items()})
"""numpy's type of each element type of workloads and kernels."""
DTYPE_NAMES = LaterTable(lambda: {dtype: name for name, dtype in DTYPES.items()})

MOST_AXES = 32  # of one input array; every numpy has as many


def shown(value: object) -> str:
    """A value as the file writes it, for messages; a long one is cut."""
    if isinstance(value, dict | list):
        return "a mapping" if isinstance(value, dict) else "a list"
    if value is None:
        return "nothing"
    if isinstance(value, int) and value.bit_length() > 4096:  # more digits than Python writes
        return f"an integer of {value.bit_length()} bits"
    text = repr(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


def numbers(nodes: Iterable[Node], dtype: np.dtype, what: str, finite: bool = False) -> np.ndarray:
    """Numbers as an array of `dtype`; what does not fit is an error at its location."""
    findings, values = [], []
    for node in nodes:
        problem = misfit(node.value, dtype, finite)
        if problem is not None:
            findings.append(node.finding(f"{what}: {problem[0]}", problem[1]))
        values.append(node.value)
    if findings:
        raise InputError(findings[:20])
    return np.asarray(values, dtype=dtype)


def misfit(value: object, dtype: np.dtype, finite: bool = False) -> tuple[str, str | None] | None:
    """Why `value` is no number of `dtype`, and a hint; None if it is one."""
    if dtype.kind == "b":
        is_boolean = isinstance(value, int) and value in (0, 1)
        return None if is_boolean else (f"{shown(value)} is not a boolean", "write true or false")
    if isinstance(value, bool) or not isinstance(value, int | float):
        return f"expected a number, found {shown(value)}", None
    misfit = f"{shown(value)} does not fit into {DTYPE_NAMES[dtype]}"
    if dtype.kind == "f":
        if finite and isinstance(value, float) and not math.isfinite(value):
            return f"{value} is not finite", None
        return (misfit, None) if _overflows(value, dtype) else None
    low, high = limits(dtype)
    if isinstance(value, float) and not value.is_integer():
        return f"{value} is not an integer", None
    if not low <= value <= high:
        return misfit, f"from {low} to {high}"
    return (f"{value} is not an integer", f"write {value:.0f}") if type(value) is float else None


def _overflows(value: int | float, dtype: np.dtype) -> bool:
    """Whether a finite number becomes infinite in a type of floats."""
    try:
        with np.errstate(over="ignore"):
            return math.isfinite(value) and not np.isfinite(dtype.type(value))
    except OverflowError:
        return True


def limits(dtype: np.dtype) -> tuple[int, int]:
    """The least and the greatest value of a type of integers, or of booleans as 0 and 1."""
    if dtype.kind == "b":
        return 0, 1
    bounds = np.iinfo(dtype)
    return int(bounds.min), int(bounds.max)
