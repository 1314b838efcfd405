"""What is said of a network before it is read: extents that its source leaves open, values of
inputs on which shapes depend, and tensors that are wanted beside the outputs.

    fold_constants: {dimensions: '{"batch": 1}', values: '{"shape": [1, -1]}', tensors: '["conv1"]'}

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
    tensors: str = option("", 'Tensors between that are outputs, too: ["conv1"].')


def bound(options: Mapping[str, Any]) -> tuple[dict[str, int], dict[str, np.ndarray]]:
    """The dimensions and the values that options say, as text or as mappings; raises InputError."""
    dimensions, values = (_read(options, name) for name in ("dimensions", "values"))
    for name, extent in dimensions.items():
        if type(extent) is not int or not 1 <= extent < MOST:
            raise input_error(f"dimension '{name}' is a number from 1 on, not {extent!r}")
    return dict(dimensions), {name: _array(name, value) for name, value in values.items()}


def further_outputs(options: Mapping[str, Any]) -> tuple[str, ...]:
    """The tensors that options want beside the outputs; raises InputError."""
    found = _json(options.get("tensors") or ())
    if not isinstance(found, list | tuple) or not all(isinstance(name, str) for name in found):
        raise input_error(f"'tensors' is not a list of names in JSON: {options['tensors']!r}")
    return tuple(found)


def _read(options: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = _json(options.get(name) or {})
    if not isinstance(found, Mapping):
        raise input_error(f"'{name}' is not a mapping in JSON: {options[name]!r}")
    return found


def _json(given: Any) -> Any:
    """What a text says, None if it is no JSON."""
    try:
        return json.loads(given) if isinstance(given, str) else given
    except ValueError:
        return None


def _array(name: str, value: Any) -> np.ndarray:
    try:
        array = np.array(value)
    except ValueError:
        array = np.array(None)
    if array.dtype.kind not in "iufb":
        raise input_error(f"the value of '{name}' is no number and no rows of numbers: {value!r}")
    return array
