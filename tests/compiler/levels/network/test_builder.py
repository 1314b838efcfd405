"""Networks are checked node by node as they are built."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from compiler.levels.network import network
from compiler.levels.network.builder import NetworkBuilder, as_name
from compiler.levels.network.network import TensorType
from compiler.levels.network.operators import OPERATORS
from machines.diagnostics import InputError, Location
from machines.types import BF16, F32, F64, I8, I32, U8, Type

HERE = Location("net.onnx", 3, 1)


def shaped(element: Type, *shape: int) -> TensorType:
    return TensorType(element, shape)


def test_a_node_knows_all_its_attributes_and_its_type():
    build = NetworkBuilder()
    x = build.input("x", shaped(F32, 2, 8, 8, 4))
    w = build.constant(np.zeros((6, 3, 3, 2), "f4"), "w")
    y = build.emit("conv", x, w, strides=(2, 1), groups=2, layer="first", location=HERE)
    build.output("y", y)
    network = build.network()
    (node,) = network.nodes
    assert network.types[y] == shaped(F32, 2, 3, 6, 6)
    assert node.attributes == {
        "strides": (2, 1), "dilations": (1, 1), "pads": (0, 0, 0, 0), "groups": 2, "to": F32,
    }  # fmt: skip
    assert (node.layer, node.location) == ("first", HERE)
    assert (network.inputs, list(network.constants), network.outputs) == (["x"], ["w"], {"y": y})


def test_several_results():
    build = NetworkBuilder()
    values, places = build.emit_all("topk", build.input("x", shaped(BF16, 3, 5)), k=2, name="best")
    assert (values, places) == ("best", "best.1")
    assert build.type(places) == shaped(I32, 3, 2)


@pytest.mark.parametrize(
    ("operator", "types", "attributes", "message"),
    [
        ("add", [(F32, 2, 3), (F32, 2)], {}, "the shapes [2, 3] and [2] are not broadcast to one"),
        ("add", [(F32, 2), (I32, 2)], {}, "all operands have elements of one type, not of f32 and"),
        ("add", [(F32, 2)], {}, "it takes 2 operands (x, y), not 1"),
        ("exp", [(F64, 2)], {}, "elements are of f32, f16 or bf16, not of f64"),
        ("convert", [(F32, 2)], {}, "its attribute 'to' is not given: an element type"),
        ("convert", [(F32, 2)], {"to": 3}, "its attribute 'to' is an element type, not 3"),
        ("convert", [(F32, 2)], {"to": F32}, "elements are of f32 already"),
        ("convert", [(I8, 2)], {"to": U8, "mode": "round"}, "'round' is for floats that become"),
        ("clip", [(I8, 2)], {"high": 200}, "'high' is 200, which is no number of i8"),
        ("softmax", [(F32,)], {}, "'the last axis' is -1; a tensor of 0 dimensions has axes none"),
        ("reduce_sum", [(F32, 2, 3)], {"axes": (1, 0)}, "'axes' are in ascending order, each once"),
        ("matmul", [(F32, 2, 3), (F32, 4, 5)], {}, "'a' has 3 columns, and 'b' 4 rows"),
        ("matmul", [(U8, 2, 3), (U8, 3, 5)], {}, "'to' is u8; products of u8 give i32"),
        ("matmul", [(F32, 3), (F32, 3, 5)], {}, "'a' is a matrix or a tensor of matrices, not [3]"),
        (
            "conv", [(F32, 1, 3, 3, 4), (F32, 2, 4, 3, 4)], {},
            "a window spans 4 rows, the image and its border 3",
        ),
        ("conv", [(F32, 1, 3, 3, 4), (F32, 2, 3, 3, 3)], {}, "'x' has 4 channels, and 'w' is for"),
        ("pool_max", [(F32, 1, 3, 3, 4)], {"kernel": (2,)}, "'kernel' has 1 numbers, not 2"),
        ("transpose", [(F32, 2, 3)], {"order": (0, 0)}, "'order' is [0, 0], not each axis of"),
        ("reshape", [(F32, 2, 3)], {"shape": (5,)}, "[2, 3] has 6 elements, [5] 5"),
        (
            "slice", [(F32, 5)], {"starts": (3,), "sizes": (3,)},
            "of axis 0, which has 5 elements, those from 3 to 5 are taken",
        ),
        (
            "pad", [(F32, 5)], {"before": (5,), "after": (0,), "mode": "reflect"},
            "axis 0 has 5 elements: 'reflect' gives at most 4 a side",
        ),
        ("concat", [(F32, 5, 2), (F32, 5, 3)], {"axis": 0}, "[5, 2] and [5, 3] differ in more"),
        ("concat", [], {"axis": 0}, "it takes 1 or more operands (x*), not 0"),
        ("gather", [(F32, 5, 2), (F32, 5)], {"axis": 0}, "elements are of i32, not of f32"),
        ("topk", [(F32, 5)], {"k": 6}, "'k' is 6; the last axis has 5 elements"),
        ("relu", [(F32, 5)], {"slope": 1}, "it has no attribute 'slope'"),
        ("layer_norm", [(F32, 5), (F32, 4)], {}, "'scale' is [4], not [5]"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_an_error_at_its_place(operator, types, attributes, message):
    build = NetworkBuilder()
    operands = [build.input(f"x{k}", shaped(*type)) for k, type in enumerate(types)]
    with pytest.raises(InputError) as error:
        build.emit(operator, *operands, location=HERE, **attributes)
    assert f"net.onnx:3:1: error: nn.{operator}: {message}" in str(error.value)


def test_names_are_there_once():
    build = NetworkBuilder()
    x = build.input("x", shaped(F32, 2))
    with pytest.raises(InputError, match="there is a tensor 'x' already"):
        build.constant(np.zeros(2, "f4"), "x")
    with pytest.raises(InputError, match="there is no tensor 'z' yet"):
        build.emit("neg", "z")
    with pytest.raises(InputError, match="there is no operator"):
        build.emit("negg", x)
    assert build.emit("neg", x) != build.emit("neg", x)
    assert [as_name(text) for text in ("a/b:0", "0", "ä")] == ["a_b_0", "_0", "_"]


def test_the_page_has_every_operator():
    page = Path(network.__file__).with_name("README.md").read_text()
    table = page.partition("| operators |")[2].partition("## ")[0].splitlines()
    told = [
        word
        for line in table if line.startswith("| `")
        for word in line.split("|")[1].replace("`", " ").split()
    ]  # fmt: skip
    assert sorted(told) == sorted(OPERATORS)
