"""Whether numbers of a workload are of an element type, and as an array of it."""

from __future__ import annotations

import math
from collections.abc import Iterable

from machines.description.strict_yaml import Node
from machines.diagnostics import InputError
from machines.elements import as_elements, is_encoded, rounded, type_of
from machines.later import Later
from machines.types import Type

np = Later("numpy")

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
    return array_of(values, dtype)


def array_of(values: list[int | float], dtype: np.dtype) -> np.ndarray:
    """Numbers that fit as an array of `dtype`."""
    type = type_of(dtype)
    holder = np.float64 if type.is_float else np.int64 if is_encoded(type) else dtype
    return as_elements(np.asarray(values, holder), type)


def misfit(value: object, dtype: np.dtype, finite: bool = False) -> tuple[str, str | None] | None:
    """Why `value` is no number of `dtype`, and a hint; None if it is one."""
    type = type_of(dtype)
    if type.kind == "boolean":
        is_boolean = isinstance(value, int) and value in (0, 1)
        return None if is_boolean else (f"{shown(value)} is not a boolean", "write true or false")
    if isinstance(value, bool) or not isinstance(value, int | float):
        return f"expected a number, found {shown(value)}", None
    misfit = f"{shown(value)} does not fit into {type}"
    if type.is_float:
        if isinstance(value, float) and not math.isfinite(value):
            if finite:
                return f"{value} is not finite", None
            if math.isinf(value) and not type.format.has_infinities:
                return f"{type} has no infinity", f"up to {type.format.largest:g}, or .nan"
            return None
        return (misfit, f"up to {type.format.largest:g}") if overflows(value, type) else None
    if isinstance(value, float) and not value.is_integer():
        return f"{value} is not an integer", None
    if not type.lowest <= value <= type.highest:
        return misfit, f"from {type.lowest} to {type.highest}"
    if isinstance(value, float):
        return f"{value} is not an integer", f"write {value:.0f}"
    return None


def overflows(value: int | float, type: Type) -> bool:
    """Whether a finite number is too large for a type of floats, when it is rounded."""
    if abs(value) <= type.format.largest:
        return False
    try:
        return math.isfinite(value) and not np.isfinite(rounded(float(value), type))
    except OverflowError:
        return True
