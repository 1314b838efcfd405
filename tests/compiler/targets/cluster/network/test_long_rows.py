"""Rows that do not fit in a tile are worked on in parts."""

from __future__ import annotations

import numpy as np
import pytest

from compiler.levels.network.builder import NetworkBuilder
from compiler.levels.network.network import TensorType
from machines.description.load import load_machine
from machines.diagnostics import InputError
from machines.elements import as_elements
from machines.types import TYPES
from tests.campaign.seeds import short_form
from tests.programs.network_runs import check, some

OPERATORS = {
    "softmax": {},
    "log_softmax": {},
    "layer_norm": {"epsilon": 1e-3},
    "rms_norm": {"epsilon": 1e-3},
    "argmax": {"axis": 1},
    "argmin": {"axis": 1},
    "topk": {"k": 7},
    "cumulative_sum": {"axis": 1, "exclusive": True, "reverse": True},
}
ELEMENTS = short_form(("f32", "f16", "bf16"), 1)


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("name", short_form(list(OPERATORS), 3))
def test_in_parts(name, element):
    numbers, build = np.random.default_rng(3), NetworkBuilder()
    type = TensorType(TYPES[element], (2, 2503))
    row = TensorType(type.element, type.shape[-1:])
    rows = [
        build.constant(some(numbers, row))
        for _ in range({"layer_norm": 2, "rms_norm": 1}.get(name, 0))
    ]
    x = build.emit("abs", build.input("x", type), layer="l")
    for k, y in enumerate(build.emit_all(name, x, *rows, layer="l", **OPERATORS[name])):
        build.output(f"y{k}", y)
    check(build.network(), load_machine("teaching_chip"), {"x": some(numbers, type)})


def test_rows_that_fill_nram_but_for_what_stays():
    """As one tile their operand stays, and one more buffer is needed: there are two tiles."""
    build, type = NetworkBuilder(), TensorType(TYPES["f32"], (16, 37))
    build.output("y", build.emit("softmax", build.input("x", type), layer="l"))
    values = {"x": some(np.random.default_rng(4), type)}
    check(build.network(), load_machine("teaching_chip"), values)


def test_all_elements_to_one():
    build = NetworkBuilder()
    type = TensorType(TYPES["i32"], (128, 150))
    build.output("y", build.emit("reduce_sum", build.input("x", type), axes=(0, 1)))
    values = {"x": some(np.random.default_rng(1), type)}
    assert check(build.network(), load_machine("mlu370"), values).outcome.cycles < 5000


@pytest.mark.parametrize(
    ("shape", "operator", "attributes", "message"),
    [
        ((3, 7), "convert", {"to": TYPES["f32"]}, "an odd number of elements that stand two in"),
        ((4, 8), "transpose", {"order": (1, 0)}, "elements of i4 move two at a time, not alone"),
        ((4, 8), "convert", {"to": TYPES["f32"]}, ""),
    ],
)
def test_elements_that_stand_two_in_a_byte(shape, operator, attributes, message):
    build = NetworkBuilder()
    type = TensorType(TYPES["i4"], shape)
    build.output("y", build.emit(operator, build.input("x", type), layer="l", **attributes))
    values = {"x": as_elements(np.arange(type.count).reshape(shape) % 5, "i4")}
    if not message:
        check(build.network(), load_machine("mlu370"), values)
        return
    with pytest.raises(InputError, match=message):
        check(build.network(), load_machine("mlu370"), values)


@pytest.mark.parametrize("name", short_form(("sum", "max", "min"), 2))
def test_columns_longer_than_nram(name):
    numbers, build = np.random.default_rng(2), NetworkBuilder()
    type = TensorType(TYPES["f32"], (2, 517, 9))
    build.output("y", build.emit(f"reduce_{name}", build.input("x", type), axes=(1,)))
    values = {"x": some(numbers, type)}
    check(build.network(), load_machine("teaching_chip"), values)
