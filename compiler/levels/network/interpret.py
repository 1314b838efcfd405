"""What networks mean: evaluates one node after another, with numpy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from compiler.levels.network.constants import elements_of
from compiler.levels.network.network import Network
from machines.diagnostics import input_error
from machines.elements import DTYPES


def run_network(
    network: Network, inputs: Mapping[str, np.ndarray], tensors: Collection[str] = ()
) -> dict[str, np.ndarray]:
    """The outputs by name, from inputs by name, encoded as `machines.elements` says; and the
    `tensors` that are asked for, by their names.  What nobody reads again is let go of.

    Raises InputError for inputs of other types and shapes, and for constants that cannot be read.
    """
    values = {name: _checked(network, name, inputs[name]) for name in network.inputs}
    left = Counter(name for node in network.nodes for name in node.operands)
    kept = {*network.outputs.values(), *tensors}
    values |= {n: elements_of(c) for n, c in network.constants.items() if left[n] or n in kept}
    for node in network.nodes:
        operands = [values[name] for name in node.operands]
        types = [network.types[name] for name in node.results]
        results = node.operator.evaluate(operands, node.attributes, types)
        for name, result in zip(node.results, results, strict=True):
            if left[name] or name in kept:
                values[name] = result
        left.subtract(node.operands)
        for name in node.operands:
            if not left[name] and name not in kept:
                values.pop(name, None)
    found = {name: values[name] for name in tensors}
    found |= {name: values[tensor] for name, tensor in network.outputs.items()}
    return {name: np.ascontiguousarray(value).reshape(value.shape) for name, value in found.items()}


def in_order(network: Network, arguments: Sequence[np.ndarray]) -> dict[str, np.ndarray]:
    """Inputs by name, from all of them in order."""
    if len(arguments) != len(network.inputs):
        wanted = ", ".join(network.inputs)
        raise input_error(f"{len(arguments)} inputs, where the network has {wanted or 'none'}")
    return dict(zip(network.inputs, arguments, strict=True))


def _checked(network: Network, name: str, array: np.ndarray) -> np.ndarray:
    type, array = network.types[name], np.asarray(array)
    if array.dtype != DTYPES[type.element.name] or array.shape != type.shape:
        given = f"an array of {array.dtype}{list(array.shape)}"
        raise input_error(f"input '{name}' is {type}, not {given}")
    return array
