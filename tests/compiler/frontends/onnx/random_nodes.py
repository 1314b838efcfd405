"""Models of one random node each, with odd extents and every attribute, for a second opinion.

python -m tests.compiler.frontends.onnx.random_nodes 0:1000    # how often each operator differs
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable

import numpy as np

from tests.compiler.frontends.onnx.drawn import Draw, Node
from tests.compiler.frontends.onnx.runtime import judged


def _window(draw: Draw, axes: int) -> dict:
    """Attributes of windows that fit on an image of 5 or more points an axis."""
    kernel = [draw.one(1, 2, 3, 3) for _ in range(axes)]
    found: dict = {"kernel_shape": kernel}
    if draw.maybe(0.7):
        found["strides"] = [draw.one(1, 2, 3) for _ in range(axes)]
    if draw.maybe(0.3):
        found["dilations"] = [draw.one(1, 2) for _ in range(axes)]
    if draw.maybe(0.25):
        found["auto_pad"] = draw.one("SAME_UPPER", "SAME_LOWER", "VALID")
        found.pop("dilations", None)
    elif draw.maybe(0.7):
        found["pads"] = [draw.random.randint(0, kernel[k % axes] - 1) for k in range(2 * axes)]
    return found


def conv(draw: Draw) -> Node:
    axes, groups = draw.one(1, 2, 2, 2, 3), draw.one(1, 1, 2, 3)
    ci, co = groups * draw.one(1, 2, 3), groups * draw.one(1, 2, 5)
    more = _window(draw, axes)
    x = draw.floats([draw.one(1, 2), ci, *(draw.extent(5) for _ in range(axes))])
    weights = {"w": draw.floats([co, ci // groups, *more["kernel_shape"]])}
    if draw.maybe():
        weights["b"] = draw.floats(co)
    return Node("Conv", {"x": x}, weights, {**more, "group": groups})


def conv_transpose(draw: Draw) -> Node:
    axes, groups = draw.one(1, 2, 2), draw.one(1, 1, 2)
    ci, each = groups * draw.one(1, 2, 3), draw.one(1, 2, 3)
    extents = [draw.extent(2) for _ in range(axes)]
    kernel = [draw.one(2, 3) for _ in range(axes)]
    strides = [draw.one(1, 2, 3) for _ in range(axes)]
    more: dict = {"kernel_shape": kernel, "strides": strides, "group": groups}
    if draw.maybe(0.3):
        more["dilations"] = [draw.one(1, 2) for _ in range(axes)]
    if draw.maybe(0.3):
        more["output_padding"] = [draw.random.randrange(s) for s in strides]
    how = draw.one("pads", "pads", "none", "same", "shape")
    if how == "pads":
        more["pads"] = [draw.one(0, 1) for _ in range(2 * axes)]
    elif how == "same":
        more["auto_pad"] = draw.one("SAME_UPPER", "SAME_LOWER")
    elif how == "shape":
        more["output_shape"] = [n * s for n, s in zip(extents, strides, strict=True)]
    x = draw.floats([draw.one(1, 2), ci, *extents])
    weights = {"w": draw.floats([ci, each, *kernel])}
    if draw.maybe():
        weights["b"] = draw.floats(groups * each)
    return Node("ConvTranspose", {"x": x}, weights, more)


def pool(draw: Draw) -> Node:
    axes, average = draw.one(1, 2, 2, 3), draw.maybe()
    extents = [draw.extent(5) for _ in range(axes)]
    more = _window(draw, axes)
    if "auto_pad" not in more and draw.maybe():
        more["ceil_mode"] = 1
    if average and draw.maybe():
        more["count_include_pad"] = 1
    x = {"x": draw.floats([draw.one(1, 2), draw.extent(), *extents])}
    return Node("AveragePool" if average else "MaxPool", x, {}, more, draw.one(19, 22))


def global_pool(draw: Draw) -> Node:
    name = draw.one("GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool", "InstanceNormalization")
    x, weights = draw.floats(draw.shape(draw.one(3, 4, 5))), {}
    if name == "InstanceNormalization":
        x = draw.floats([2, 3, 4, 5])
        weights = {"s": draw.floats(3), "b": draw.floats(3)}
    return Node(name, {"x": x}, weights, {})


def resize(draw: Draw) -> Node:
    mode = draw.one("nearest", "linear", "linear", "cubic")
    x = draw.floats([draw.one(1, 2), draw.one(1, 3), draw.extent(3), draw.extent(3)])
    how = draw.one(
        "half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel", "half_pixel_symmetric"
    )  # fmt: skip
    more: dict = {"mode": mode, "coordinate_transformation_mode": how}
    if mode == "nearest":
        more["nearest_mode"] = draw.one("floor", "ceil", "round_prefer_floor", "round_prefer_ceil")
    if mode == "cubic" and draw.maybe():
        more["exclude_outside"] = 1
    # Where an exact quotient lies between two places, rounding chooses: not where it is exact.
    if how == "align_corners" or (mode != "nearest" and draw.maybe()):
        sizes = [*x.shape[:2], *(draw.random.randint(2, 9) for _ in range(2))]
        weights = {"z": np.array(sizes, np.int64)}
        operands = ["x", "", "", "z"]
    else:
        weights = {"s": np.array([1, 1, draw.one(0.5, 2, 3), draw.one(0.5, 1, 2)], np.float32)}
        operands = ["x", "", "s"]
    return Node("Resize", {"x": x}, weights, more, draw.one(13, 19), operands)


def matrices(draw: Draw) -> Node:
    m, k, n = draw.extent(), draw.extent(), draw.extent()
    if draw.maybe():
        a, b = draw.one(
            ([m, k], [k, n]), ([k], [k, n]), ([m, k], [k]), ([2, 1, m, k], [3, k, n]),
            ([2, m, k], [k, n]), ([m, k], [3, k, n]), ([k], [2, k, n]), ([k], [k]),
        )  # fmt: skip
        left, right = {"a": draw.floats(a)}, {"b": draw.floats(b)}
        if draw.maybe():
            return Node("MatMul", left, right, {})
        return Node("MatMul", left | right, {}, {})
    turns = [int(draw.maybe()), int(draw.maybe())]
    a = draw.floats([k, m] if turns[0] else [m, k])
    weights = {"b": draw.floats([n, k] if turns[1] else [k, n])}
    if draw.maybe():
        weights["c"] = draw.floats(draw.one([n], [1, n], [m, 1], [m, n], []))
    scales = {"alpha": draw.one(1.0, 0.5), "beta": draw.one(1.0, 2.0)}
    return Node("Gemm", {"a": a}, weights, {"transA": turns[0], "transB": turns[1], **scales})


def einsum(draw: Draw) -> Node:
    extents = {c: draw.extent() for c in "abcd"}
    equation = draw.one(
        "ab,bc->ac", "abc,acd->abd", "ab,ab->a", "ab,ab->", "ab,b", "abc->ca", "abc->b",
        "ab,cb->ca",
        "...ab,...bc->...ac", "abcd,adb->c", "a,b->ab", "aab->ab", "ab,bc,cd->ad", "ba,bc"
    )  # fmt: skip
    inputs = {}
    for k, term in enumerate(equation.split("->")[0].split(",")):
        hidden = [2, 2] if "..." in term else []
        inputs[f"x{k}"] = draw.floats(hidden + [extents[c] for c in term.replace("...", "")])
    return Node("Einsum", inputs, {}, {"equation": equation})


def reduction(draw: Draw) -> Node:
    name = draw.one("Sum", "Mean", "Max", "Min", "L1", "L2", "LogSumExp", "SumSquare")
    shape = draw.shape(draw.one(1, 2, 3, 4))
    opset = draw.one(12, 18, 21)
    axes = sorted(draw.random.sample(range(len(shape)), draw.random.randint(1, len(shape))))
    axes = [axis - len(shape) if draw.maybe(0.3) else axis for axis in axes]
    more, weights = {"keepdims": int(draw.maybe())}, {}
    if draw.maybe(0.8):
        late = opset >= (13 if name == "Sum" else 18)
        if late:
            weights["axes"] = np.array(axes, np.int64)
        else:
            more["axes"] = axes
    return Node(f"Reduce{name}", {"x": draw.floats(shape)}, weights, more, opset)


def along(draw: Draw) -> Node:
    shape = draw.shape(draw.one(2, 3, 4))
    axis = draw.random.randrange(-len(shape), len(shape))
    x = {"x": draw.floats(shape)}
    name = draw.one(
        "Softmax", "LogSoftmax", "Hardmax", "ArgMax", "ArgMin", "CumSum", "TopK", "LpNormalization"
    )  # fmt: skip
    if name in ("ArgMax", "ArgMin"):
        more = {"keepdims": int(draw.maybe()), "select_last_index": int(draw.maybe())}
        return Node(name, {"x": np.round(x["x"])}, {}, {"axis": axis, **more})
    if name == "CumSum":
        more = {"exclusive": int(draw.maybe()), "reverse": int(draw.maybe())}
        return Node(name, x, {"axis": np.array(axis, np.int64)}, more)
    if name == "TopK":
        k = draw.random.randint(1, shape[axis])
        more = {"axis": axis, "largest": int(draw.maybe())}
        return Node(name, x, {"k": np.array([k], np.int64)}, more, results=2)
    if name == "LpNormalization":
        return Node(name, x, {}, {"axis": axis, "p": draw.one(1, 2)})
    return Node(name, x, {}, {"axis": axis}, draw.one(11, 13))


def movement(draw: Draw) -> Node:
    shape = draw.shape(draw.one(1, 2, 3, 4))
    rank, x = len(shape), {"x": draw.floats(shape)}
    name = draw.one(*_MOVEMENTS)
    axis = draw.random.randrange(rank)
    return _MOVEMENTS[name](draw, name, x, shape, axis)


def _slice(draw: Draw, name: str, x: dict, shape: list[int], axis: int) -> Node:
    given: dict[str, list[int]] = {"starts": [], "ends": [], "axes": [], "steps": []}
    for a in draw.random.sample(range(len(shape)), draw.random.randint(1, len(shape))):
        step, n = draw.one(1, 1, 2, -1, -2), shape[a]
        start, end = draw.one((0, 99), (-n, n)) if step > 0 else draw.one((n - 1, -99), (-1, -99))
        for numbers, number in zip(given.values(), (start, end, a, step), strict=True):
            numbers.append(number)
    return Node(name, x, {n: np.array(v, np.int64) for n, v in given.items()}, {})


def _pad(draw: Draw, name: str, x: dict, shape: list[int], axis: int) -> Node:
    mode, rank = draw.one("constant", "edge", "reflect"), len(shape)
    most = [n - 1 if mode == "reflect" else 3 for n in shape]
    pads = [draw.random.randint(0, most[k % rank]) for k in range(2 * rank)]
    weights = {"p": np.array(pads, np.int64)}
    if mode == "constant" and draw.maybe():
        weights["v"] = np.float32(1.5)
    return Node(name, x, weights, {"mode": mode})


def _transpose(draw: Draw, name: str, x: dict, shape: list[int], axis: int) -> Node:
    return Node(name, x, {}, {"perm": draw.random.sample(range(len(shape)), len(shape))})


def _tile(draw: Draw, name: str, x: dict, shape: list[int], axis: int) -> Node:
    return Node(name, x, {"r": np.array([draw.one(1, 2, 3) for _ in shape], np.int64)}, {})


def _expand(draw: Draw, name: str, x: dict, shape: list[int], axis: int) -> Node:
    wide = [draw.one(1, n) if n > 1 else draw.one(1, 4) for n in shape]
    return Node(name, x, {"s": np.array([2, *wide], np.int64)}, {})


def _gather(draw: Draw, name: str, x: dict, shape: list[int], axis: int) -> Node:
    wanted = draw.shape(draw.one(0, 1, 2))
    if name == "GatherElements":
        wanted = [draw.random.randint(1, n) for n in shape]
    places = draw.numbers.integers(-shape[axis], shape[axis], wanted)
    return Node(name, {**x, "i": np.asarray(places)}, {}, {"axis": axis})


def _concat(draw: Draw, name: str, x: dict, shape: list[int], axis: int) -> Node:
    for k in range(draw.one(1, 2)):
        other = [draw.extent() if a == axis else n for a, n in enumerate(shape)]
        x[f"x{k}"] = draw.floats(other)
    return Node(name, x, {}, {"axis": axis - draw.one(0, len(shape))})


def _split(draw: Draw, name: str, x: dict, shape: list[int], axis: int) -> Node:
    parts = draw.random.randint(1, shape[axis])
    return Node(name, x, {}, {"axis": axis, "num_outputs": parts}, results=parts)


_MOVEMENTS = {
    "Slice": _slice, "Pad": _pad, "Transpose": _transpose, "Tile": _tile, "Expand": _expand,
    "Gather": _gather, "GatherElements": _gather, "Concat": _concat, "Split": _split,
}  # fmt: skip


def linear(draw: Draw) -> Node:
    """To whole numbers, and back."""
    name, type = draw.one("QuantizeLinear", "DequantizeLinear"), draw.one(np.uint8, np.int8)
    shape, axis = draw.shape(3), draw.random.randrange(3)
    count = shape[axis] if draw.maybe() else None
    scales = np.asarray(draw.numbers.uniform(0.01, 0.1, count), np.float32)
    x = 3 * draw.floats(shape) if name[0] == "Q" else draw.bytes(shape, type)
    weights = {"s": scales, "z": draw.bytes(count, type)}
    return Node(name, {"x": x}, weights, {"axis": axis})


def integer_convolution(draw: Draw) -> Node:
    groups, plain = draw.one(1, 1, 2), draw.maybe(0.7)
    ci, co = groups * draw.one(1, 2, 4), groups * draw.one(1, 3)
    more = {**_window(draw, 2), "group": groups}
    x = draw.bytes([draw.one(1, 2), ci, draw.extent(5), draw.extent(5)], np.uint8)
    shape, x_zero = [co, ci // groups, *more["kernel_shape"]], draw.bytes([])
    if draw.maybe(0.4):  # of which the runtime has only u8
        zero = np.uint8(0) if plain else draw.bytes([])
        weights = {"w": draw.bytes(shape), "xz": x_zero, "wz": zero}
        return Node("ConvInteger", {"x": x}, weights, more, operands=["x", "w", "xz", "wz"])
    count = draw.one(None, co) if plain else None
    scale = np.asarray(draw.numbers.uniform(0.005, 0.02, count), np.float32)
    kind = np.int8 if plain else np.uint8
    zero = np.full(scale.shape, 0 if plain else draw.bytes([]), kind)
    weights = {
        "xs": np.float32(0.01), "xz": x_zero, "w": draw.bytes(shape, kind), "ws": scale, "wz": zero,
        "ys": np.float32(0.5), "yz": draw.bytes([]),
    }  # fmt: skip
    if draw.maybe():
        weights["b"] = draw.numbers.integers(-1000, 1000, co).astype(np.int32)
    return Node("QLinearConv", {"x": x}, weights, more)


def integer_product(draw: Draw) -> Node:
    type, m, k, n = draw.one(np.uint8, np.int8), draw.extent(), draw.extent(), draw.extent()
    a, b = draw.bytes([m, k], type), draw.bytes([k, n], draw.one(np.int8, type))
    a_zero, b_zero = draw.bytes([], type), draw.one(b.dtype.type(0), draw.bytes([], b.dtype.type))
    if draw.maybe():
        return Node("MatMulInteger", {"a": a}, {"b": b, "az": a_zero, "bz": b_zero}, {})
    weights = {
        "as": np.float32(0.02), "az": a_zero, "b": b, "bs": np.float32(0.01), "bz": b_zero,
        "ys": np.float32(0.3), "yz": draw.bytes([], type),
    }  # fmt: skip
    return Node("QLinearMatMul", {"a": a}, weights, {})


def elementwise(draw: Draw) -> Node:
    name = draw.one(
        "Add", "Sub", "Mul", "Div", "Pow", "Max", "Min", "Less", "Equal", "Elu", "Selu", "Celu",
        "Softplus", "Softsign", "HardSigmoid", "HardSwish", "LeakyRelu", "PRelu", "Mish", "Gelu",
        "ThresholdedRelu", "Shrink", "Clip", "Erf", "Sigmoid", "Sign", "Round", "Where", "Mod",
    )  # fmt: skip
    shape = draw.shape(draw.one(1, 2, 3))
    other = [n if draw.maybe(0.7) else 1 for n in shape][draw.random.randrange(len(shape)) :]
    x, y = 2 * draw.floats(shape), 2 * draw.floats(other)
    more: dict = {}
    if name in ("Add", "Sub", "Mul", "Div", "Max", "Min", "Less", "Equal", "PRelu"):
        kind = draw.one(np.float32, np.float32, np.int32, np.int64)
        if kind is not np.float32 and name != "PRelu":
            x, y = np.round(9 * x).astype(kind), np.round(9 * y).astype(kind)
            y = np.where(y == 0, kind(3), y) if name == "Div" else y
        return Node(name, {"x": x, "y": y}, {}, {})
    if name == "Mod":
        kind = draw.one(np.int32, np.int8, np.float32)
        y = np.where(np.round(9 * y) == 0, 2, np.round(9 * y)).astype(kind)
        more["fmod"] = 1 if kind is np.float32 else int(draw.maybe())
        return Node(name, {"x": np.round(9 * x).astype(kind), "y": y}, {}, more)
    if name == "Pow":
        exponent = draw.one(np.float32(2), np.float32(0.5), np.float32(-1), np.float32(3), y)
        return Node(name, {"x": np.abs(x) + np.float32(0.01)}, {"y": exponent}, {})
    if name == "Where":
        return Node(name, {"p": y > 0, "x": x, "y": y}, {}, {})
    if name == "Clip":
        return Node(name, {"x": x}, {"l": np.float32(-1), "h": np.float32(draw.one(0.5, 2))}, {})
    if name in ("Elu", "Celu", "LeakyRelu", "ThresholdedRelu") and draw.maybe():
        more["alpha"] = draw.one(0.3, 1.5)
    if name == "Gelu":
        more["approximate"] = draw.one("none", "tanh")
    if name == "Shrink":
        more = {"bias": draw.one(0.0, 0.7), "lambd": draw.one(0.5, 1.2)}
    return Node(name, {"x": x}, {}, more, 21 if name != "Gelu" else 20)


def normal(draw: Draw) -> Node:
    name = draw.one("BatchNormalization", "LRN", "LayerNormalization", "GroupNormalization")
    shape = [draw.one(1, 2), draw.one(4, 6), draw.extent(), draw.extent()]
    x, c = {"x": draw.floats(shape)}, shape[1]
    more: dict = {"epsilon": draw.one(1e-5, 0.1)}
    if name == "BatchNormalization":
        weights = {n: draw.floats(c) for n in ("scale", "shift", "mean")}
        return Node(name, x, weights | {"variance": np.abs(draw.floats(c))}, more)
    if name == "LRN":
        more = {
            "size": draw.one(1, 2, 3, 4, 5),
            "alpha": 0.5,
            "beta": draw.one(0.75, 0.5, 0.6, 1.0),
        }
        return Node(name, x, {}, more | {"bias": draw.one(1.0, 2.0)})
    if name == "GroupNormalization":
        weights = {n: draw.floats(c) for n in ("scale", "shift")}
        return Node(name, x, weights, {**more, "num_groups": draw.one(1, 2, c)})
    axis = draw.one(1, 2, 3, -1)
    weights = {"scale": draw.floats(shape[axis:])}
    if draw.maybe():
        weights["shift"] = draw.floats(draw.one(shape[axis:], shape[-1:]))
    return Node(name, x, weights, {**more, "axis": axis})


def placed(draw: Draw) -> Node:
    name = draw.one(
        "ScatterElements", "ScatterND", "GatherND", "DepthToSpace", "SpaceToDepth", "OneHot"
    )
    shape = draw.shape(3)
    x = {"x": draw.floats(shape)}
    if name == "ScatterElements":
        axis = draw.random.randrange(3)
        other = [draw.random.randint(1, n) for n in shape]
        # Each place once along the axis, as the order of two updates is nobody's.
        places = np.argsort(draw.floats([*other[:axis], shape[axis], *other[axis + 1 :]]), axis)
        places = places.take(range(other[axis]), axis) - shape[axis] * draw.one(0, 1)
        given = {**x, "i": places, "u": draw.floats(other)}
        return Node(name, given, {}, {"axis": axis, "reduction": draw.one("none", "add")})
    if name == "ScatterND":
        rows = draw.numbers.permutation(shape[0])[: draw.random.randint(1, shape[0])]
        given = {**x, "i": rows[:, None], "u": draw.floats([len(rows), *shape[1:]])}
        return Node(name, given, {}, {"reduction": draw.one("none", "add")})
    if name == "GatherND":
        batch = draw.one(0, 1)
        places = draw.numbers.integers(0, shape[batch], [*shape[:batch], draw.extent(), 1])
        return Node(name, {**x, "i": places}, {}, {"batch_dims": batch})
    if name == "OneHot":
        places = draw.numbers.integers(-4, 4, draw.shape(2))
        weights = {"d": np.array(draw.one(3, 5)), "v": draw.floats(2)}
        return Node(name, {"i": places}, weights, {"axis": draw.one(-1, 0, 1)})
    size = draw.one(1, 2, 3)
    if name == "DepthToSpace":
        x = {"x": draw.floats([2, 2 * size * size, draw.extent(), draw.extent()])}
        return Node(name, x, {}, {"blocksize": size, "mode": draw.one("DCR", "CRD")})
    x = {"x": draw.floats([2, 3, size * draw.extent(), size * draw.extent()])}
    return Node(name, x, {}, {"blocksize": size})


def recurrent(draw: Draw) -> Node:
    name, directions = draw.one("RNN", "GRU", "LSTM"), draw.one(1, 1, 2)
    gates = {"RNN": 1, "GRU": 3, "LSTM": 4}[name]
    steps, batch, size, hidden = draw.one(1, 3), draw.one(1, 2), draw.extent(), draw.one(2, 3)
    more: dict = {"hidden_size": hidden}
    more["direction"] = "bidirectional" if directions == 2 else draw.one("forward", "reverse")
    if name == "GRU":
        more["linear_before_reset"] = draw.one(0, 1)
    state = [directions, batch, hidden]
    weights = {
        "w": draw.floats([directions, gates * hidden, size]),
        "r": draw.floats([directions, gates * hidden, hidden]),
        "b": draw.floats([directions, 2 * gates * hidden]),
        "h": draw.floats(state),
        "c": draw.floats(state),
        "p": draw.floats([directions, 3 * hidden]),
    }
    operands = ["x", "w", "r", *draw.one(["b"], [""], ["b", "", "h"])]
    if name == "LSTM" and len(operands) > 4:
        operands += draw.one(["c"], ["c", "p"])
    weights = {n: a for n, a in weights.items() if n in operands}
    x = {"x": draw.floats([steps, batch, size])}
    return Node(name, x, weights, more, 14, operands, 3 if name == "LSTM" else 2)


def trigonometry(draw: Draw) -> Node:
    name, x = draw.one(*_DOMAINS), 2 * draw.floats(draw.shape(2))
    return Node(name, {"x": _DOMAINS[name](x)}, {}, {})


_DOMAINS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    **dict.fromkeys(("Sin", "Cos", "Sinh", "Cosh", "Asinh", "Atan"), lambda x: x),
    "Tan": lambda x: np.clip(x, -1.5, 1.5),
    "Acosh": lambda x: 1 + np.abs(x),
    **dict.fromkeys(("Asin", "Acos", "Atanh"), lambda x: np.tanh(x).clip(-0.999, 0.999)),
}


FAMILIES: tuple[Callable[[Draw], Node], ...] = (
    conv, conv, conv_transpose, pool, pool, global_pool, resize, matrices, einsum, reduction, along,
    movement, linear, integer_convolution, integer_product, normal, placed, recurrent, trigonometry,
    elementwise, elementwise,
)  # fmt: skip


def compared(seed: int) -> tuple[str, str]:
    """The operator of a random node, and what came of it; see `judged`."""
    draw = Draw(seed)
    node = draw.random.choice(FAMILIES)(draw)
    return node.operator, judged(node)


if __name__ == "__main__":
    first, end = map(int, sys.argv[1].split(":"))
    counts: Counter = Counter()
    for seed in range(first, end):
        try:
            counts[compared(seed)] += 1
        except AssertionError as error:
            counts["", "wrong"] += 1
            print(f"seed {seed}: {str(error)[:600]}")
        except Exception as error:
            counts["", "broken"] += 1
            print(f"seed {seed}: {type(error).__name__}: {error}")
    for (operator, what), count in sorted(counts.items()):
        print(f"{count:5} {operator:24} {what}")
