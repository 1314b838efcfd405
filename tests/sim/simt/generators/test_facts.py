"""What arrays say in a launch, worked out by numpy; layouts of Numba's arrays."""

from __future__ import annotations

import numpy as np
import pytest

from machines.description.strict_yaml import read_yaml
from sim.kinds.simt.generators.numba.file import array_of
from sim.kinds.simt.generators.numba.mangled import Array
from sim.kinds.simt.launch_values import Names, State, read_value

X = np.zeros((3, 5, 7), "<i2")
STATE = State({}, {"x": (X.dtype, X.size)}, lambda name: 512, shapes={"x": X.shape})
NAMES = Names({"x": read_yaml("{dtype: i16, shape: [3, 5, 7], value: 0}", "w.yaml")})


def value(text: str) -> int:
    return read_value(read_yaml(text, "w.yaml"), NAMES).of(STATE)


def test_size_and_bytes_of_one():
    assert value("{size: x}") == X.size and value("{item: x}") == X.itemsize


@pytest.mark.parametrize("axis", range(3))
def test_extents_and_strides(axis: int):
    assert value(f"{{extent: [x, {axis}]}}") == X.shape[axis]
    assert value(f"{{stride: [x, {axis}]}}") == X.strides[axis]
    assert value(f"{{stride_in_elements: [x, {axis}]}}") == X.strides[axis] // X.itemsize


@pytest.mark.parametrize("layout", ["C", "F", "A"])
def test_an_array_of_numba_as_numpy_has_it(layout: str):
    """Layout F is given as it lies in memory: its transpose is of layout C."""
    seen = X.T if layout == "F" else X
    written = array_of("x", Array("i16", 3, layout))
    numbers = list(written[5:])
    axes = [next(iter(one.values()))[1] for one in numbers]
    found = [
        value(f"{{extent: [x, {axis}]}}") if "extent" in one else value(f"{{stride: [x, {axis}]}}")
        for one, axis in zip(numbers, axes, strict=True)
    ]
    assert found == [*seen.shape, *seen.strides]
    assert written[4] == {"value": "x", "elements": "i16", "axes": 3}


@pytest.mark.parametrize(
    ("text", "address"), [("x", 512), ("x + 2", 516), ("{value: x + 8, multiple_of: 16}", 528)]
)
def test_pointers(text: str, address: int):
    assert value(text if text.startswith("{") else f'"{text}"') == address
