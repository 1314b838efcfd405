"""Models of this repository, made with seeded weights.

    python -m workloads.networks.make_models workloads/networks/models   # the small ones, kept
    python -m workloads.networks.make_models /tmp/models --full          # at their usual sizes

mobilenet_v2     inverted residuals with depthwise convolutions (Sandler et al. 2018), batch
                 normalization folded into them as exporters do
bert_layer       an encoder layer as PyTorch exports it at opset 16: layer normalization and GELU
                 in pieces
decoder_step     one step of a LLaMA-like decoder block with its cache of keys and values: RMS
                 normalization, rotary embedding and grouped heads in pieces, SiLU
cnn_qdq          a convolutional network with QuantizeLinear and DequantizeLinear around everything
cnn_qoperator    the same network as QLinearConv and so on
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import onnx
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper


@dataclass
class Making:
    """A graph that is being made; weights come from one stream of random numbers."""

    name: str
    opset: int
    seed: int
    nodes: list[NodeProto] = field(default_factory=list)
    weights: list[TensorProto] = field(default_factory=list)
    inputs: list = field(default_factory=list)
    outputs: list = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = np.random.default_rng(self.seed)

    def input(self, name: str, shape: Sequence[int | str], type: int = TensorProto.FLOAT) -> str:
        self.inputs.append(helper.make_tensor_value_info(name, type, shape))
        return name

    def output(self, name: str, type: int = TensorProto.FLOAT) -> None:
        self.outputs.append(helper.make_tensor_value_info(name, type, None))

    def constant(self, array: np.ndarray, name: str = "") -> str:
        name = name or f"c{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def number(self, number: float) -> str:
        return self.constant(np.float32(number))

    def normal(self, shape: Sequence[int], deviation: float, name: str = "") -> str:
        numbers = self.random.standard_normal(shape, np.float32) * np.float32(deviation)
        return self.constant(numbers, name)

    def node(self, operator: str, *operands: str, out: str = "", name: str = "", **attributes):
        out = out or f"t{len(self.nodes)}"
        made = helper.make_node(operator, operands, [out], name or out, **attributes)
        self.nodes.append(made)
        return out

    def model(self) -> ModelProto:
        graph = helper.make_graph(self.nodes, self.name, self.inputs, self.outputs, self.weights)
        found = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=8
        )
        found = onnx.shape_inference.infer_shapes(found, strict_mode=True)  # shapes of outputs
        onnx.checker.check_model(found, full_check=True)
        del found.graph.value_info[:]
        return found


# ---- MobileNetV2 --------------------------------------------------------------------------------

_STAGES = (
    (1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2),
    (6, 320, 1, 1),
)  # fmt: skip
"""Expansion, channels, blocks, stride of the first: table 2 of the paper."""


def mobilenet_v2(size: int = 224, width: float = 1.0, classes: int = 1000) -> ModelProto:
    make = Making("mobilenet_v2", 13, 1)
    low, high = make.number(0.0), make.number(6.0)

    def conv(x: str, ci: int, co: int, kernel: int, stride: int, groups: int, name: str) -> str:
        fan_in = kernel * kernel * ci // groups
        weight = make.normal((co, ci // groups, kernel, kernel), math.sqrt(2 / fan_in))
        bias, pad = make.normal((co,), 0.05), kernel // 2
        return make.node(
            "Conv", x, weight, bias, name=name, kernel_shape=[kernel] * 2, strides=[stride] * 2,
            pads=[pad] * 4, group=groups, dilations=[1, 1],
        )  # fmt: skip

    def clipped(x: str, name: str) -> str:
        return make.node("Clip", x, low, high, name=f"{name}/relu6")

    def channels(count: int) -> int:
        return max(8, int(count * width + 4) // 8 * 8)

    x, ci = make.input("image", [1, 3, size, size]), channels(32)
    x = clipped(conv(x, 3, ci, 3, 2, 1, "stem"), "stem")
    for stage, (expansion, count, blocks, stride) in enumerate(_STAGES):
        co = channels(count)
        for block in range(blocks):
            name, step, skip = f"block{stage}.{block}", stride if block == 0 else 1, x
            wide = ci * expansion
            if expansion > 1:
                x = clipped(conv(x, ci, wide, 1, 1, 1, f"{name}/expand"), f"{name}/expand")
            x = clipped(conv(x, wide, wide, 3, step, wide, f"{name}/depth"), f"{name}/depth")
            x = conv(x, wide, co, 1, 1, 1, f"{name}/project")
            if step == 1 and ci == co:
                x = make.node("Add", x, skip, name=f"{name}/add")
            ci = co
    last = channels(1280)
    x = clipped(conv(x, ci, last, 1, 1, 1, "head"), "head")
    x = make.node("Flatten", make.node("GlobalAveragePool", x, name="pool"), axis=1)
    weight = make.normal((classes, last), 1 / math.sqrt(last))
    make.node("Gemm", x, weight, make.normal((classes,), 0.05), out="logits", transB=1)
    make.output("logits")
    return make.model()


# ---- BERT ---------------------------------------------------------------------------------------


def _linear(make: Making, x: str, rows: int, columns: int, name: str, bias: bool = True) -> str:
    weight = make.normal((rows, columns), 1 / math.sqrt(rows))
    product = make.node("MatMul", x, weight, name=f"{name}/MatMul")
    if not bias:
        return product
    return make.node("Add", product, make.normal((columns,), 0.05), name=f"{name}/Add")


def _layer_norm(make: Making, x: str, size: int, name: str, out: str = "") -> str:
    """As exporters write it before opset 17."""
    mean = make.node("ReduceMean", x, name=f"{name}/mean", axes=[-1])
    apart = make.node("Sub", x, mean, name=f"{name}/Sub")
    square = make.node("Pow", apart, make.number(2.0), name=f"{name}/Pow")
    variance = make.node("ReduceMean", square, name=f"{name}/variance", axes=[-1])
    added = make.node("Add", variance, make.number(1e-12), name=f"{name}/epsilon")
    root = make.node("Sqrt", added, name=f"{name}/Sqrt")
    scaled = make.node("Div", apart, root, name=f"{name}/Div")
    scale = make.constant(make.random.uniform(0.8, 1.2, size).astype(np.float32))
    scaled = make.node("Mul", scaled, scale, name=f"{name}/Mul")
    return make.node("Add", scaled, make.normal((size,), 0.05), out=out, name=f"{name}/Add")


def bert_layer(size: int = 768, heads: int = 12, inner: int = 3072) -> ModelProto:
    """Of hidden states [batch, sequence, size] and a mask [batch, 1, 1, sequence] that is added."""
    make = Making("bert_layer", 16, 2)
    x = make.input("hidden", ["batch", "sequence", size])
    mask = make.input("mask", ["batch", 1, 1, "sequence"])
    each = size // heads
    apart = make.constant(np.array([0, 0, heads, each], np.int64))

    def in_heads(name: str, perm: list[int]) -> str:
        made = _linear(make, x, size, size, f"attention/{name}")
        split = make.node("Reshape", made, apart, name=f"attention/{name}/Reshape")
        return make.node("Transpose", split, perm=perm, name=f"attention/{name}/Transpose")

    q, v = in_heads("query", [0, 2, 1, 3]), in_heads("value", [0, 2, 1, 3])
    k = in_heads("key", [0, 2, 3, 1])
    scores = make.node("MatMul", q, k, name="attention/scores")
    scores = make.node("Div", scores, make.number(math.sqrt(each)), name="attention/scale")
    scores = make.node("Add", scores, mask, name="attention/mask")
    weights = make.node("Softmax", scores, axis=-1, name="attention/Softmax")
    mixed = make.node("MatMul", weights, v, name="attention/values")
    mixed = make.node("Transpose", mixed, perm=[0, 2, 1, 3], name="attention/Transpose")
    together = make.constant(np.array([0, 0, size], np.int64))
    mixed = make.node("Reshape", mixed, together, name="attention/Reshape")
    mixed = _linear(make, mixed, size, size, "attention/output")
    x = _layer_norm(make, make.node("Add", mixed, x, name="attention/skip"), size, "attention/norm")
    wide = _linear(make, x, size, inner, "intermediate")
    part = make.node("Div", wide, make.number(math.sqrt(2)), name="gelu/Div")
    part = make.node("Erf", part, name="gelu/Erf")
    part = make.node("Add", part, make.number(1.0), name="gelu/Add")
    part = make.node("Mul", wide, part, name="gelu/Mul")
    wide = make.node("Mul", part, make.number(0.5), name="gelu/half")
    back = _linear(make, wide, inner, size, "output")
    _layer_norm(make, make.node("Add", back, x, name="output/skip"), size, "norm", out="result")
    make.output("result")
    return make.model()


# ---- A decoder ----------------------------------------------------------------------------------


def decoder_step(
    size: int = 2048, heads: int = 32, groups: int = 4, inner: int = 5632
) -> ModelProto:
    """One token: hidden state [batch, 1, size], its position, keys and values of the tokens before
    it [batch, groups, past, size / heads].  Each group of heads shares keys and values."""
    make = Making("decoder_step", 17, 3)
    each, shared = size // heads, heads // groups
    x = make.input("hidden", ["batch", 1, size])
    position = make.input("position", ["batch", 1], TensorProto.INT64)
    position = make.node("Cast", position, to=TensorProto.FLOAT, name="rotary/position")
    caches = [make.input(f"past_{n}", ["batch", groups, "past", each]) for n in ("keys", "values")]

    def norm(x: str, name: str) -> str:
        square = make.node("Pow", x, make.number(2.0), name=f"{name}/Pow")
        mean = make.node("ReduceMean", square, axes=[-1], name=f"{name}/mean")
        mean = make.node("Add", mean, make.number(1e-6), name=f"{name}/epsilon")
        root = make.node("Sqrt", mean, name=f"{name}/Sqrt")
        factor = make.node("Reciprocal", root, name=f"{name}/Reciprocal")
        scaled = make.node("Mul", x, factor, name=f"{name}/Mul")
        scale = make.constant(make.random.uniform(0.8, 1.2, size).astype(np.float32))
        return make.node("Mul", scale, scaled, name=f"{name}/scale")

    def in_heads(x: str, count: int, name: str) -> str:
        made = _linear(make, x, size, count * each, name, bias=False)
        shape = make.constant(np.array([0, 1, count, each], np.int64))
        split = make.node("Reshape", made, shape, name=f"{name}/Reshape")
        return make.node("Transpose", split, perm=[0, 2, 1, 3], name=f"{name}/Transpose")

    frequencies = (10000.0 ** (-np.arange(0, each, 2) / each)).astype(np.float32)
    angles = make.node("Mul", position, make.constant(frequencies), name="rotary/angles")
    angles = make.node("Concat", angles, angles, axis=-1, name="rotary/Concat")
    one = make.constant(np.array([1, 2], np.int64))
    angles = make.node("Unsqueeze", angles, one, name="rotary/Unsqueeze")
    cosines, sines = (make.node(f, angles, name=f"rotary/{f}") for f in ("Cos", "Sin"))
    ends = [make.constant(np.array([n], np.int64)) for n in (0, each // 2, each)]
    last = make.constant(np.array([-1], np.int64))

    def rotated(x: str, name: str) -> str:
        low = make.node("Slice", x, ends[0], ends[1], last, name=f"{name}/low")
        high = make.node("Slice", x, ends[1], ends[2], last, name=f"{name}/high")
        turned = make.node("Neg", high, name=f"{name}/Neg")
        turned = make.node("Concat", turned, low, axis=-1, name=f"{name}/Concat")
        straight = make.node("Mul", x, cosines, name=f"{name}/cosines")
        turned = make.node("Mul", turned, sines, name=f"{name}/sines")
        return make.node("Add", straight, turned, name=f"{name}/Add")

    def repeated(x: str, name: str) -> str:
        """Each group's tensor for all of its heads."""
        axis = make.constant(np.array([2], np.int64))
        x = make.node("Unsqueeze", x, axis, name=f"{name}/Unsqueeze")
        wide = make.constant(np.array([1, 1, shared, 1, 1], np.int64))
        x = make.node("Expand", x, wide, name=f"{name}/Expand")
        shape = make.constant(np.array([0, heads, -1, each], np.int64))
        return make.node("Reshape", x, shape, name=f"{name}/Reshape")

    normal = norm(x, "norm1")
    q = rotated(in_heads(normal, heads, "query"), "query/rotary")
    k = rotated(in_heads(normal, groups, "key"), "key/rotary")
    v = in_heads(normal, groups, "value")
    k = make.node("Concat", caches[0], k, axis=2, out="keys", name="key/cache")
    v = make.node("Concat", caches[1], v, axis=2, out="values", name="value/cache")
    across = make.node("Transpose", repeated(k, "key/repeat"), perm=[0, 1, 3, 2], name="key/across")
    scores = make.node("MatMul", q, across, name="attention/scores")
    scale = make.number(1 / math.sqrt(each))
    scores = make.node("Mul", scores, scale, name="attention/scale")
    weights = make.node("Softmax", scores, axis=-1, name="attention/Softmax")
    mixed = make.node("MatMul", weights, repeated(v, "value/repeat"), name="attention/values")
    mixed = make.node("Transpose", mixed, perm=[0, 2, 1, 3], name="attention/Transpose")
    flat = make.constant(np.array([0, 1, size], np.int64))
    mixed = make.node("Reshape", mixed, flat, name="attention/Reshape")
    mixed = _linear(make, mixed, size, size, "attention/output", bias=False)
    x = make.node("Add", x, mixed, name="attention/skip")
    normal = norm(x, "norm2")
    gate = _linear(make, normal, size, inner, "gate", bias=False)
    gate = make.node("Mul", gate, make.node("Sigmoid", gate, name="silu/Sigmoid"), name="silu/Mul")
    up = _linear(make, normal, size, inner, "up", bias=False)
    wide = make.node("Mul", gate, up, name="product")
    down = _linear(make, wide, inner, size, "down", bias=False)
    make.node("Add", x, down, out="result", name="skip")
    for name in ("result", "keys", "values"):
        make.output(name)
    return make.model()


# ---- Quantized ----------------------------------------------------------------------------------


@dataclass
class Quantized:
    """A tensor as whole numbers: its name, and those of its scale and zero point."""

    name: str
    scale: str
    zero: str


class _Cnn:
    """Image, convolution, pool, convolution with a skip, mean, product of matrices; how the
    quantized operators are written is left to a class below."""

    def __init__(self, name: str, size: int, width: int, classes: int):
        self.make = Making(name, 13, 4)
        make = self.make
        x = self.quantized(make.input("image", [1, 3, size, size]), 0.02, 128)
        x = self.conv(x, 3, width, 3, "conv1", 0.03)
        x = self.conv(x, width, width, 3, "conv2", 0.03)
        skip = x
        x = self.conv(x, width, width, 3, "depth", 0.03, groups=width)
        x = self.added(x, skip, 0.05, "skip")
        x = self.conv(x, width, 2 * width, 1, "point", 0.04, stride=2)
        mean = make.node("GlobalAveragePool", self.plain(x), name="mean")
        flat = make.node("Flatten", mean, name="flat")
        x = self.quantized(flat, 0.02, 10)
        x = self.product(x, 2 * width, classes, "classes", 0.04)
        make.node("Identity", self.plain(x), out="logits")
        make.output("logits")

    def numbers(self, scale: float | np.ndarray, zero: int, type: type = np.uint8) -> list[str]:
        scale = np.asarray(scale, np.float32)
        zeros = np.full(scale.shape, zero, type)
        return [self.make.constant(scale), self.make.constant(zeros)]

    def quantized(self, x: str, scale: float, zero: int) -> Quantized:
        names = self.numbers(scale, zero)
        return Quantized(self.make.node("QuantizeLinear", x, *names), *names)

    def plain(self, x: Quantized) -> str:
        return self.make.node("DequantizeLinear", x.name, x.scale, x.zero)

    def weights(self, shape: Sequence[int], axis: int) -> tuple[str, np.ndarray]:
        """Whole numbers, and a scale for each place along an axis."""
        fan_in = math.prod(shape) // shape[axis]
        numbers = self.make.random.integers(-127, 128, shape, np.int8)
        scale = self.make.random.uniform(0.7, 1.3, shape[axis]) * math.sqrt(3 / fan_in) / 127
        return self.make.constant(numbers), scale.astype(np.float32)

    def bias(self, count: int, scale: np.ndarray) -> tuple[str, list[str]]:
        numbers = (self.make.random.normal(0, 0.1, count) / scale).astype(np.int32)
        return self.make.constant(numbers), self.numbers(scale, 0, np.int32)


class _Qdq(_Cnn):
    def conv(self, x, ci, co, kernel, name, out, groups=1, stride=1) -> Quantized:
        make = self.make
        weight, scale = self.weights((co, ci // groups, kernel, kernel), 0)
        bias, bias_numbers = self.bias(co, scale * numpy_helper.to_array(self._tensor(x.scale)))
        w = make.node("DequantizeLinear", weight, *self.numbers(scale, 0, np.int8), axis=0)
        b = make.node("DequantizeLinear", bias, *bias_numbers, axis=0)
        made = make.node(
            "Conv", self.plain(x), w, b, name=name, kernel_shape=[kernel] * 2,
            pads=[kernel // 2] * 4, group=groups, strides=[stride] * 2,
        )  # fmt: skip
        return self.quantized(make.node("Relu", made, name=f"{name}/relu"), out, 0)

    def added(self, x, y, out, name) -> Quantized:
        made = self.make.node("Add", self.plain(x), self.plain(y), name=name)
        return self.quantized(made, out, 0)

    def product(self, x, rows, columns, name, out) -> Quantized:
        weight, scale = self.weights((rows, columns), 1)
        w = self.make.node("DequantizeLinear", weight, *self.numbers(scale, 0, np.int8), axis=1)
        made = self.make.node("MatMul", self.plain(x), w, name=name)
        return self.quantized(made, out, 128)

    def _tensor(self, name: str) -> TensorProto:
        return next(t for t in self.make.weights if t.name == name)


class _QOperator(_Qdq):
    def conv(self, x, ci, co, kernel, name, out, groups=1, stride=1) -> Quantized:
        weight, scale = self.weights((co, ci // groups, kernel, kernel), 0)
        bias, _ = self.bias(co, scale * numpy_helper.to_array(self._tensor(x.scale)))
        w, given = self.numbers(scale, 0, np.int8), self.numbers(out, 0)
        made = self.make.node(
            "QLinearConv", x.name, x.scale, x.zero, weight, *w, *given, bias, name=name,
            kernel_shape=[kernel] * 2, pads=[kernel // 2] * 4, group=groups, strides=[stride] * 2,
        )  # fmt: skip
        return Quantized(made, *given)  # a zero point of 0 makes the saturation a ReLU

    def product(self, x, rows, columns, name, out) -> Quantized:
        weight, scale = self.weights((rows, columns), 1)
        w, given = self.numbers(scale, 0, np.int8), self.numbers(out, 128)
        made = self.make.node(
            "QLinearMatMul", x.name, x.scale, x.zero, weight, *w, *given, name=name
        )
        return Quantized(made, *given)


def cnn_qdq(size: int = 56, width: int = 64, classes: int = 100) -> ModelProto:
    return _Qdq("cnn_qdq", size, width, classes).make.model()


def cnn_qoperator(size: int = 56, width: int = 64, classes: int = 100) -> ModelProto:
    return _QOperator("cnn_qoperator", size, width, classes).make.model()


MODELS: dict[str, tuple[Callable[..., ModelProto], dict]] = {
    "mobilenet_v2": (mobilenet_v2, {"size": 32, "width": 0.125, "classes": 10}),
    "bert_layer": (bert_layer, {"size": 32, "heads": 4, "inner": 64}),
    "decoder_step": (decoder_step, {"size": 32, "heads": 4, "groups": 2, "inner": 48}),
    "cnn_qdq": (cnn_qdq, {"size": 12, "width": 8, "classes": 10}),
    "cnn_qoperator": (cnn_qoperator, {"size": 12, "width": 8, "classes": 10}),
}
"""How each is made, and how large the one is that is kept."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", choices=[[], *MODELS], default=[])
    parser.add_argument("--full", action="store_true", help="at their usual sizes")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for name in arguments.names or MODELS:
        make, small = MODELS[name]
        onnx.save(make() if arguments.full else make(**small), arguments.folder / f"{name}.onnx")


if __name__ == "__main__":
    main()
