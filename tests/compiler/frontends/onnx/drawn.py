"""Models of one node, and random choices."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
import onnx
from onnx import ModelProto, helper, numpy_helper

EXTENTS = (1, 1, 2, 3, 4, 5, 7, 8)


@dataclass
class Draw:
    """A stream of random choices."""

    seed: int

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.numbers = np.random.default_rng(self.seed)

    def one(self, *choices):
        return self.random.choice(choices)

    def maybe(self, chance: float = 0.5) -> bool:
        return self.random.random() < chance

    def extent(self, least: int = 1) -> int:
        return max(least, self.random.choice(EXTENTS))

    def shape(self, rank: int) -> list[int]:
        return [self.extent() for _ in range(rank)]

    def floats(self, shape) -> np.ndarray:
        return self.numbers.standard_normal(shape, np.float32)

    def bytes(self, shape, type=np.uint8) -> np.ndarray:
        return self.numbers.integers(np.iinfo(type).min, np.iinfo(type).max, shape, type, True)


@dataclass
class Node:
    """`inputs` are given when the model runs, `weights` stand in it; operands in that order, unless
    `operands` says another."""

    operator: str
    inputs: dict[str, np.ndarray]
    weights: dict[str, np.ndarray]
    attributes: dict
    opset: int = 21
    operands: list[str] | None = None
    results: int = 1

    def model(self) -> ModelProto:
        operands = self.operands or [*self.inputs, *self.weights]
        results = [f"y{k}" for k in range(self.results)]
        node = helper.make_node(self.operator, operands, results, **self.attributes)
        infos = [
            helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(a.dtype), a.shape)
            for n, a in self.inputs.items()
        ]
        outputs = [onnx.ValueInfoProto(name=name) for name in results]
        weights = [numpy_helper.from_array(a, n) for n, a in self.weights.items()]
        graph = helper.make_graph([node], "one", infos, outputs, weights)
        imports = [helper.make_opsetid("", self.opset)]
        model = helper.make_model(graph, opset_imports=imports, ir_version=10)
        return onnx.shape_inference.infer_shapes(model)
