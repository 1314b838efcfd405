"""Random networks of every operator, with odd shapes: prime extents, and 1."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np

from compiler.levels.network.builder import NetworkBuilder
from compiler.levels.network.network import Network
from compiler.levels.network.operators import OPERATORS
from compiler.levels.network.operators.elementwise import BINARY, UNARY
from compiler.levels.network.operators.reductions import REDUCTIONS
from compiler.levels.network.operators.type_rules import types_of_row
from machines.elements import as_elements
from machines.levels.network.tensors import TensorType
from machines.types import BF16, E4M3, E5M2, F16, F32, F64, I4, I8, I16, I32, I64, U4, U8, Type

EXTENTS = (1, 2, 3, 5, 7)
ELEMENTS = (F32, F32, F32, F16, BF16, F64, I8, U8, I16, I32, I64)
STORED = (E4M3, E5M2, I4, U4)
STEPS = frozenset(
    {"floor", "ceil", "round", "eq", "ne", "lt", "le", "gt", "ge", "argmax", "argmin", "topk"}
)
"""Operators of which the result is another one where an operand differs in its last bit."""
POLES = frozenset({"div", "recip", "rsqrt", "sqrt", "log", "pow"})
"""Operators of which the result is another one where an operand near 0 does."""


def random_elements(random: np.random.Generator, type: TensorType) -> np.ndarray:
    """Numbers around 0; now and then some are the same, which matters where the first is taken."""
    if type.element.is_float:
        values = random.uniform(-2, 2, type.shape)
        values = values if random.integers(4) else np.round(values)
    else:
        low, high = max(type.element.lowest, -9), min(type.element.highest, 9)
        values = random.integers(low, high, type.shape, endpoint=True)
    return as_elements(values, type.element)


class Maker:
    """Makes one network, node after node; `random` decides everything."""

    def __init__(
        self,
        random: np.random.Generator,
        elements: Sequence[Type] = ELEMENTS,
        operators: Collection[str] = OPERATORS.keys(),
        extents: Sequence[int] = EXTENTS,
    ):
        self.random, self.elements, self.extents = random, elements, extents
        self.operators = [name for name in MAKERS if name in operators]
        self.build = NetworkBuilder()
        self.known: list[str] = []

    def network(self, nodes: int, layers: bool = True) -> Network:
        """About so many nodes; what is read by none is put out, and some of what is read."""
        self.known += [
            self.build.input(f"x{k}", TensorType(self.choice(self.elements), self.shape()))
            for k in range(2)
        ]
        while len(self.build.network().nodes) < nodes:
            self.layer = f"layer{len(self.build.network().nodes) // 3}" if layers else ""
            MAKERS[self.choice(self.operators)](self)
        network = self.build.network()
        readers = network.readers()
        for name in self.known:
            is_read = readers[name] and self.random.integers(8)
            if not is_read and name not in network.inputs:
                self.build.output(f"out_{name}", name)
        return network

    # Choices

    def choice(self, items: Sequence) -> object:
        return items[self.random.integers(len(items))]

    def flip(self) -> bool:
        return bool(self.random.integers(2))

    def extent(self) -> int:
        return int(self.choice(self.extents))

    def shape(self, ranks: Sequence[int] = (1, 2, 2, 3, 3, 4)) -> tuple[int, ...]:
        return tuple(self.extent() for _ in range(self.choice(ranks)))

    def tensor(
        self, row: str = "tensor.copy", fits: Callable[[TensorType], bool] = lambda type: True
    ) -> str | None:
        """One that is there, whose elements a row has, often the last; None if there is none."""
        valid = types_of_row(row)
        found = [
            name
            for name in self.known
            if self.build.type(name).element in valid and fits(self.build.type(name))
        ]
        if found and self.flip():
            return found[-1]
        return self.choice(found) if found else None

    def fresh(self, element: Type, shape: tuple[int, ...]) -> str:
        """A constant."""
        type = TensorType(element, shape)
        return self.build.constant(random_elements(self.random, type))

    def like(self, element: Type, shape: tuple[int, ...]) -> str:
        """A tensor of this type: one that is there, or a constant."""
        wanted = TensorType(element, shape)
        found = [name for name in self.known if self.build.type(name) == wanted]
        return self.choice(found) if found and self.flip() else self.fresh(element, shape)

    def beside(self, element: Type, shape: tuple[int, ...]) -> str:
        """A tensor that is broadcast to a shape, or nearly always."""
        cut = shape[self.random.integers(len(shape) + 1) :] if self.flip() else shape
        return self.like(element, tuple(n if self.random.integers(4) else 1 for n in cut))

    def scale(self) -> None:
        """Behind a product, now and then, factors and shifts of its channels."""
        while self.flip() and "mul" in self.operators:
            type = self.build.type(self.known[-1])
            channels = TensorType(type.element, self.choice(((), type.shape[-1:])))
            number = self.build.constant(random_elements(self.random, channels))
            pair = self.known[-1], number
            match self.choice(("mul", "add", "sub", "div")):
                case "div" if type.element.is_float:
                    values = self.random.choice([-3.0, 0.3, 2.0], channels.shape)
                    number = self.build.constant(as_elements(values, type.element))
                    self.emit("div", self.known[-1], number)
                case "div":
                    pass
                case operator:
                    self.emit(operator, *(pair if self.random.integers(4) else pair[::-1]))

    def emit(self, operator: str, *operands: str, **attributes: object) -> None:
        self.known += self.build.add(operator, operands, attributes, layer=self.layer)


def _unary(name: str) -> Callable[[Maker], None]:
    def make(maker: Maker) -> None:
        if (x := maker.tensor(f"tensor.{name}")) is not None:
            maker.emit(name, x)

    return make


def _binary(name: str) -> Callable[[Maker], None]:
    def make(maker: Maker) -> None:
        if (x := maker.tensor(f"tensor.{name}")) is not None:
            type = maker.build.type(x)
            pair = x, maker.beside(type.element, type.shape)
            maker.emit(name, *(pair if maker.flip() else reversed(pair)))

    return make


def _select(maker: Maker) -> None:
    if (x := maker.tensor("tensor.select")) is not None:
        type = maker.build.type(x)
        others = [maker.beside(type.element, type.shape) for _ in range(2)]
        maker.emit("select", *maker.random.permutation([x, *others]).tolist())


def _clip(maker: Maker) -> None:
    if (x := maker.tensor("tensor.clip")) is not None:
        bounds = {"low": 0 if maker.flip() else 1, "high": 2}
        maker.emit("clip", x, **{name: value for name, value in bounds.items() if maker.flip()})


def _convert(maker: Maker) -> None:
    x = maker.tensor()
    to = maker.choice((*maker.elements, *STORED))
    source = maker.build.type(x).element
    if source is to or not {source, to} <= {*maker.elements, *STORED}:
        return
    modes = ["plain"]
    if source.is_float and not to.is_float:
        modes.append("round")
    if not (source.is_float or to.is_float) or (source.is_float and to in (E4M3, E5M2)):
        modes.append("saturate")
    maker.emit("convert", x, to=to, mode=maker.choice(modes))


def _reduction(name: str) -> Callable[[Maker], None]:
    def make(maker: Maker) -> None:
        x = maker.tensor(f"tensor.{name}", lambda type: len(type.shape) > 0)
        if x is not None:
            rank = len(maker.build.type(x).shape)
            axes = [axis for axis in range(rank) if maker.flip()] or [rank - 1]
            maker.emit(name, x, axes=tuple(axes))

    return make


def _along_axis(name: str, *flags: str) -> Callable[[Maker], None]:
    def make(maker: Maker) -> None:
        x = maker.tensor("tensor.reduce_sum", lambda type: len(type.shape) > 0)
        if x is not None:
            axis = int(maker.random.integers(len(maker.build.type(x).shape)))
            maker.emit(name, x, axis=axis, **{flag: maker.flip() for flag in flags})

    return make


def _matmul(maker: Maker) -> None:
    x = maker.tensor("tensor.matmul", lambda type: len(type.shape) > 1)
    if x is None:
        return
    element, (*batches, _, k) = maker.build.type(x).element, maker.build.type(x).shape
    n, transposed = maker.extent(), maker.flip()
    batches = [b if maker.flip() else 1 for b in batches] if maker.flip() else []
    other = maker.like(element, (*batches, *((n, k) if transposed else (k, n))))
    targets = [element] + [I32] * (element in (I8, I16)) + [F32] * (element in (F16, BF16))
    maker.emit("matmul", x, other, transposed=transposed, to=maker.choice(targets))
    maker.scale()


def _window(maker: Maker, height: int, width: int) -> dict | None:
    kernel = tuple(int(maker.random.integers(1, 4)) for _ in range(2))
    pads = tuple(int(maker.random.integers(0, 2)) for _ in range(4)) if maker.flip() else (0,) * 4
    dilations = (1, 1) if maker.random.integers(3) else (2, 1)
    strides = (1, 1) if maker.flip() else (2, 3)
    for k, extent in enumerate((height, width)):
        if dilations[k] * (kernel[k] - 1) + 1 > extent + pads[k] + pads[k + 2]:
            return None
    return {"kernel": kernel, "pads": pads, "dilations": dilations, "strides": strides}


def _image(maker: Maker, row: str) -> str:
    found = maker.tensor(row, lambda type: len(type.shape) == 4)
    if found is None:
        element = maker.choice([t for t in maker.elements if t in types_of_row(row)])
        found = maker.fresh(element, maker.shape((4,)))
    return found


def _conv(maker: Maker) -> None:
    x = _image(maker, "tensor.conv")
    type = maker.build.type(x)
    _, height, width, channels = type.shape
    window = _window(maker, height, width)
    if window is not None:
        kernel = window.pop("kernel")
        groups = int(maker.choice([g for g in range(1, channels + 1) if channels % g == 0]))
        w = maker.fresh(type.element, (groups * maker.extent(), *kernel, channels // groups))
        maker.emit("conv", x, w, groups=groups, **window)
        maker.scale()


def _pool(name: str, *flags: str) -> Callable[[Maker], None]:
    def make(maker: Maker) -> None:
        x = _image(maker, f"tensor.{name}")
        window = _window(maker, *maker.build.type(x).shape[1:3])
        if window is not None:
            maker.emit(name, x, **window, **{flag: maker.flip() for flag in flags})

    return make


def _transpose(maker: Maker) -> None:
    x = maker.tensor()
    order = maker.random.permutation(len(maker.build.type(x).shape))
    maker.emit("transpose", x, order=tuple(order.tolist()))


def _reshape(maker: Maker) -> None:
    x = maker.tensor()
    shape, left = [], maker.build.type(x).count
    while left > 1:
        divisors = [d for d in range(2, left + 1) if left % d == 0]
        shape.append(int(maker.choice(divisors)))
        left //= shape[-1]
    maker.emit("reshape", x, shape=tuple(shape) or (1,))


def _broadcast(maker: Maker) -> None:
    x = maker.tensor(fits=lambda type: len(type.shape) < 4)
    if x is not None:
        shape = tuple(maker.extent() if n == 1 else n for n in maker.build.type(x).shape)
        maker.emit("broadcast", x, shape=(maker.extent(), *shape) if maker.flip() else shape)


def _slice(maker: Maker) -> None:
    x = maker.tensor(fits=lambda type: len(type.shape) > 0)
    if x is None:
        return
    starts, sizes, steps = [], [], []
    for extent in maker.build.type(x).shape:
        start, step = int(maker.random.integers(extent)), int(maker.choice((1, 1, 2, -1, -2)))
        most = (extent - 1 - start) // step + 1 if step > 0 else start // -step + 1
        starts.append(start)
        steps.append(step)
        sizes.append(int(maker.random.integers(1, most + 1)))
    maker.emit("slice", x, starts=tuple(starts), sizes=tuple(sizes), steps=tuple(steps))


def _pad(maker: Maker) -> None:
    x = maker.tensor(fits=lambda type: len(type.shape) > 0)
    if x is None:
        return
    shape = maker.build.type(x).shape
    mode = maker.choice(("constant", "edge", "reflect", "wrap"))
    most = [{"reflect": n - 1, "wrap": n}.get(mode, 2) for n in shape]
    sides = [tuple(int(maker.random.integers(min(m, 2) + 1)) for m in most) for _ in range(2)]
    maker.emit("pad", x, before=sides[0], after=sides[1], value=int(maker.flip()), mode=mode)


def _concat(maker: Maker) -> None:
    x = maker.tensor(fits=lambda type: len(type.shape) > 0)
    if x is None:
        return
    type, others = maker.build.type(x), []
    axis = int(maker.random.integers(len(type.shape)))
    for _ in range(maker.random.integers(3)):
        shape = (*type.shape[:axis], maker.extent(), *type.shape[axis + 1 :])
        others.append(maker.like(type.element, shape))
    maker.emit("concat", *maker.random.permutation([x, *others]).tolist(), axis=axis)


def _places(maker: Maker, rows: int, count: tuple[int, ...]) -> str:
    """Some that count from the end, and now and then one beyond."""
    values = maker.random.integers(-rows - 1, rows + 1, count)
    return maker.build.constant(values.astype(np.int32).reshape(count))


def _gather(maker: Maker) -> None:
    x = maker.tensor("tensor.gather.i32", lambda type: len(type.shape) > 0)
    if x is not None:
        shape = maker.build.type(x).shape
        axis = int(maker.random.integers(len(shape)))
        maker.emit("gather", x, _places(maker, shape[axis], maker.shape((0, 1, 2))), axis=axis)


def _scatter(name: str) -> Callable[[Maker], None]:
    def make(maker: Maker) -> None:
        x = maker.tensor("tensor.scatter.i32", lambda type: len(type.shape) > 0)
        if x is not None:
            type, count = maker.build.type(x), maker.extent()
            updates = maker.like(type.element, (count, *type.shape[1:]))
            maker.emit(name, x, _places(maker, type.shape[0], (count,)), updates)

    return make


def _topk(maker: Maker) -> None:
    x = maker.tensor("tensor.reduce_max", lambda type: len(type.shape) > 0)
    if x is not None:
        maker.emit("topk", x, k=int(maker.random.integers(maker.build.type(x).shape[-1])) + 1)


def _normalizing(name: str, rows: int) -> Callable[[Maker], None]:
    def make(maker: Maker) -> None:
        row = "tensor.rsqrt" if rows else "tensor.exp"
        x = maker.tensor(row, lambda type: len(type.shape) > 0)
        if x is not None:
            type = maker.build.type(x)
            operands = [maker.like(type.element, type.shape[-1:]) for _ in range(rows)]
            maker.emit(name, x, *operands)

    return make


MAKERS: Mapping[str, Callable[[Maker], None]] = {
    **{name: _unary(name) for name in UNARY},
    **{name: _binary(name) for name in BINARY},
    **{f"reduce_{name}": _reduction(f"reduce_{name}") for name in REDUCTIONS},
    "select": _select, "clip": _clip, "convert": _convert,
    "argmax": _along_axis("argmax"), "argmin": _along_axis("argmin"),
    "cumulative_sum": _along_axis("cumulative_sum", "exclusive", "reverse"),
    "matmul": _matmul, "conv": _conv,
    "pool_max": _pool("pool_max"), "pool_average": _pool("pool_average", "borders"),
    "transpose": _transpose, "reshape": _reshape, "broadcast": _broadcast, "slice": _slice,
    "pad": _pad, "concat": _concat, "gather": _gather,
    "scatter": _scatter("scatter"), "scatter_add": _scatter("scatter_add"), "topk": _topk,
    "softmax": _normalizing("softmax", 0), "log_softmax": _normalizing("log_softmax", 0),
    "layer_norm": _normalizing("layer_norm", 2), "rms_norm": _normalizing("rms_norm", 1),
}  # fmt: skip
"""By operator what puts one into a network, where something fits."""


def random_network(
    seed: int,
    nodes: int = 12,
    elements: Sequence[Type] = ELEMENTS,
    operators: Collection[str] = OPERATORS.keys(),
    extents: Sequence[int] = EXTENTS,
) -> Network:
    """About so many nodes of these operators, on these element types; with one extent alone many
    shapes are the same, whatever the order of axes."""
    return Maker(np.random.default_rng(seed), elements, operators, extents).network(nodes)


def random_inputs(network: Network, seed: int) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    return {name: random_elements(random, network.types[name]) for name in network.inputs}
