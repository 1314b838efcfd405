"""The models of `workloads/networks/models`, against onnxruntime; and what they are made of."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")

from compiler.frontends.onnx.emitting.values import element_type  # noqa: E402
from machines.types import I8, I32  # noqa: E402
from tests.compiler.frontends.onnx.running import network_of, read, run  # noqa: E402
from workloads import networks  # noqa: E402
from workloads.networks.make_models import MODELS  # noqa: E402

FOLDER = Path(networks.__file__).parent / "models"
DIMENSIONS = {
    "mobilenet_v2": {},
    "bert_layer": {"batch": 2, "sequence": 11},
    "decoder_step": {"batch": 2, "past": 7},
    "cnn_qdq": {},
    "cnn_qoperator": {},
}


def inputs_of(name: str) -> tuple[dict[str, int], dict[str, np.ndarray]]:
    """Dimensions, and seeded numbers for every input."""
    dimensions, random = DIMENSIONS[name], np.random.default_rng(5)
    model = onnx.load(FOLDER / f"{name}.onnx")
    found = {}
    for info in model.graph.input:
        type = info.type.tensor_type
        shape = [dim.dim_value or dimensions[dim.dim_param] for dim in type.shape.dim]
        numbers = random.standard_normal(shape, np.float32)
        if type.elem_type == onnx.TensorProto.INT64:
            numbers = np.full(shape, 7, np.int64)
        found[info.name] = numbers
    return dimensions, found


@pytest.mark.parametrize("name", DIMENSIONS)
def test_against_onnxruntime(name: str):
    runtime = pytest.importorskip("onnxruntime")
    path = FOLDER / f"{name}.onnx"
    dimensions, inputs = inputs_of(name)
    session = runtime.InferenceSession(path, providers=["CPUExecutionProvider"])
    names = [one.name for one in session.get_outputs()]
    found = run(read(path, dimensions), inputs)
    for output, wanted in zip(names, session.run(None, inputs), strict=True):
        assert found[output].shape == wanted.shape
        assert element_type(found[output].dtype) == element_type(wanted.dtype)
        np.testing.assert_allclose(found[output], wanted, rtol=1e-3, atol=1e-5, err_msg=output)


@pytest.mark.parametrize("name", MODELS)
def test_the_models_are_what_their_script_makes(name: str):
    make, small = MODELS[name]
    made, kept = make(**small), onnx.load(FOLDER / f"{name}.onnx")
    assert made == kept


@pytest.mark.parametrize("name", ["cnn_qdq", "cnn_qoperator"])
def test_quantized_products_are_products_of_bytes(name: str):
    network = network_of(read(FOLDER / f"{name}.onnx"))
    products = [n for n in network.nodes if n.operator.name in ("conv", "matmul")]
    assert Counter(n.operator.name for n in products) == {"conv": 4, "matmul": 1}
    for node in products:
        assert [network.types[x].element for x in node.operands] == [I8, I8]
        assert network.types[node.results[0]].element is I32


def test_both_quantized_forms_give_the_same():
    _, inputs = inputs_of("cnn_qdq")
    both = [run(read(FOLDER / f"{n}.onnx"), inputs)["logits"] for n in ("cnn_qdq", "cnn_qoperator")]
    np.testing.assert_array_equal(*both)


def test_names_are_those_of_the_model():
    model = read(FOLDER / "bert_layer.onnx", DIMENSIONS["bert_layer"])
    layers = list(network_of(model).layers())
    assert layers[:3] == [
        "attention/query/MatMul",
        "attention/query/Add",
        "attention/query/Reshape",
    ]
    assert model.inputs == ("hidden", "mask") and model.outputs == ("result",)
