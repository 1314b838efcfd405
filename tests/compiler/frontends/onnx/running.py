"""Models read and evaluated by the interpreter of networks, in the types of the package onnx."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from onnx import ModelProto

from compiler.frontends.onnx.emitting.values import as_encoded, as_onnx
from compiler.frontends.onnx.model import Model, read_model
from compiler.frontends.onnx.translation.graph import NodeRefused
from compiler.levels.network.interpret import run_network
from compiler.levels.network.network import Network
from compiler.levels.network.verify import verify_network

NO_DIMENSIONS: Mapping[str, int] = {}


def read(
    model: ModelProto | bytes | Path,
    dimensions: Mapping[str, int] = NO_DIMENSIONS,
    values: Mapping[str, np.ndarray] = NO_DIMENSIONS,
) -> Model:
    """The model, whose network the verifier has nothing to say against."""
    if isinstance(model, Path):
        found = read_model(model, dimensions, values)
    else:
        source = model if isinstance(model, bytes) else model.SerializeToString()
        found = read_model("case.onnx", dimensions, values, source)
    assert verify_network(network_of(found)) == []
    return found


def read_bound(source: bytes, inputs: Mapping[str, np.ndarray]) -> Model:
    """The model, with those inputs bound that it asks for, as shapes depend on their elements."""
    values: dict[str, np.ndarray] = {}
    while True:
        try:
            return read(source, values=values)
        except NodeRefused as refused:
            wanted = refused.unbound
            if wanted is None or wanted in values or wanted not in inputs:
                raise
            values[wanted] = inputs[wanted]


def network_of(model: Model) -> Network:
    return model.module.functions[model.module.entry].body


def run(
    model: Model, inputs: Mapping[str, np.ndarray], tensors: Sequence[str] = ()
) -> dict[str, np.ndarray]:
    """The outputs, and further tensors of f32, by the names of the model."""
    network = network_of(model)
    given = {
        name: as_encoded(np.asarray(inputs[source]))
        for name, source in zip(network.inputs, model.inputs, strict=True)
    }
    wanted = {model.tensors[name]: name for name in tensors}
    found = run_network(network, given, tuple(wanted))
    outputs = {
        source: as_onnx(found[name], model.elements[source])
        for source, name in zip(model.outputs, network.outputs, strict=True)
    }
    return outputs | {source: found[name] for name, source in wanted.items()}
