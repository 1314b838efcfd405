"""What was emitted as a network: what no output needs is left out, and everything gets its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from compiler.frontends.onnx.emitting.code import Code, Emitted
from compiler.frontends.onnx.emitting.values import Tensor, Value, as_encoded
from compiler.frontends.onnx.reading.names import Names
from compiler.levels.network.builder import NetworkBuilder
from compiler.levels.network.network import Network
from machines.levels.network.tensors import Constant, Stored


@dataclass
class Building:
    """`tensors` has the name in the network of every tensor that is built."""

    build: NetworkBuilder = field(default_factory=NetworkBuilder)
    names: Names = field(default_factory=Names)
    tensors: dict[Tensor, str] = field(default_factory=dict)
    _constants: dict[tuple, tuple[Value, str]] = field(default_factory=dict)

    def network(
        self, inputs: Mapping[str, Value], outputs: Mapping[str, Value], code: Code
    ) -> Network:
        """The network; inputs and outputs by what the model calls them."""
        for name, value in inputs.items():
            self.tensors[value.what] = self.build.input(self.names.new(name), value.type)
        for node in _needed(code, outputs):
            self._add(node)
        output_names = Names()
        for name, value in outputs.items():
            self.build.output(output_names.new(name), self._operand(value))
        return self.build.network()

    def _add(self, node: Emitted) -> None:
        stem = node.results[0].name or node.operator.name
        operands = [self._operand(operand) for operand in node.operands]
        found = self.build.emit_all(
            node.operator.name,
            *operands,
            name=self.names.new(stem),
            layer=node.layer,
            location=node.location,
            **node.attributes,
        )
        self.tensors.update(zip(node.results, found, strict=True))

    def _operand(self, value: Value) -> str:
        """The name of a tensor; of what is known the constant is made, once."""
        if isinstance(value.what, Tensor):
            return self.tensors[value.what]
        key = (id(value.what), value.shape, value.order, value.type.element.name)
        if key not in self._constants:
            constant = Constant(value.type, _elements(value), value.order)
            name = self.build.constant(constant, self.names.new(value.name or "c"))
            self._constants[key] = value, name
        return self._constants[key][1]


def _elements(value: Value) -> np.ndarray | Stored:
    if isinstance(value.what, Stored):
        return value.what
    array = value.what
    if array.size and not any(array.strides):  # one number again and again takes no memory
        return np.broadcast_to(as_encoded(array.reshape(-1)[:1].reshape(())), array.shape)
    return np.ascontiguousarray(as_encoded(array)).reshape(array.shape)


def _needed(code: Code, outputs: Mapping[str, Value]) -> list[Emitted]:
    """The nodes that outputs depend on, in their order."""
    wanted = {value.what for value in outputs.values() if isinstance(value.what, Tensor)}
    found = []
    for node in reversed(code.nodes):
        if any(result in wanted for result in node.results):
            found.append(node)
            wanted.update(x.what for x in node.operands if isinstance(x.what, Tensor))
    return found[::-1]
