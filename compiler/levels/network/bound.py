"""What is said of a network before it is read: extents that its source leaves open, and values of
inputs on which shapes depend.

    fold_constants: {dimensions: '{"batch": 1}', values: '{"shape": [1, -1]}'}

They are options of the first pass over networks, as text in JSON; the front end reads them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from compiler.transformation import option
from machines.diagnostics import input_error

MOST = 1 << 31
"""An extent."""


@dataclass(frozen=True, slots=True)
class Bound:
    """For what reads the source."""

    dimensions: str = option("", 'Extents that a model leaves open: {"batch": 1}.')
    values: str = option("", 'Inputs that are known when it is read: {"shape": [1, -1]}.')


def bound(options: Mapping[str, Any]) -> tuple[dict[str, int], dict[str, np.ndarray]]:
    """The dimensions and the values that options say, as text or as mappings; raises InputError."""
    dimensions, values = (_read(options, name) for name in ("dimensions", "values"))
    for name, extent in dimensions.items():
        if type(extent) is not int or not 1 <= extent < MOST:
            raise input_error(f"dimension '{name}' is a number from 1 on, not {extent!r}")
    return dict(dimensions), {name: _array(name, value) for name, value in values.items()}


def _read(options: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    text = options.get(name) or {}
    try:
        found = json.loads(text) if isinstance(text, str) else text
    except ValueError:
        found = None
    if not isinstance(found, Mapping):
        raise input_error(f"'{name}' is not a mapping in JSON: {text!r}")
    return found


def _array(name: str, value: Any) -> np.ndarray:
    try:
        array = np.array(value)
    except ValueError:
        array = np.array(None)
    if array.dtype.kind not in "iufb":
        raise input_error(f"the value of '{name}' is no number and no rows of numbers: {value!r}")
    return array
