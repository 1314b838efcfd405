"""Random networks of operators, with odd shapes.

Numbers of some tensors are exact: copies, and what is rounded once of what is exact.  Operators
whose results jump (rounding, comparisons, places of maxima) are applied to those alone.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import prod

import numpy as np

from compiler.levels.network.builder import NetworkBuilder
from compiler.levels.network.network import TensorType
from machines.types import TYPES, Type
from tests.programs.network_runs import some

SIZES = (1, 1, 2, 3, 4, 5, 7, 8, 11, 13, 16, 17, 31, 32, 37, 64)
FLOATS = ("f32", "f32", "f32", "f16", "bf16")
INTEGERS = ("i8", "u8", "i16", "i32", "i64")
Fits = Callable[[TensorType], bool]
EXACT = ("add", "sub", "mul", "max", "min")
JUMPING = ("eq", "ne", "lt", "le", "gt", "ge")


@dataclass
class Random:
    """A network in the making.

    elements  how many a tensor has at most
    few       whether elements are of two types, f32 and i32, alone: each row of the table of
              operations is compiled for each of its types when it is first run
    exact     tensors whose bits are known
    """

    seed: int
    floats: bool = True
    elements: int = 6000
    few: bool = False
    build: NetworkBuilder = field(default_factory=NetworkBuilder)
    exact: set[str] = field(default_factory=set)
    tensors: list[str] = field(default_factory=list)
    layer: int = 0

    def __post_init__(self):
        self.draw = random.Random(f"network {self.seed}")
        self.numbers = np.random.default_rng(self.seed)
        self.inputs: dict[str, np.ndarray] = {}

    # Tensors -----------------------------------------------------------------------------------

    def shape(self, rank: int | None = None) -> tuple[int, ...]:
        rank = self.draw.choice((0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 6)) if rank is None else rank
        found: list[int] = []
        for _ in range(rank):
            room = self.elements // prod(found)
            found.append(self.draw.choice([size for size in SIZES if size <= room]))
        self.draw.shuffle(found)
        return tuple(found)

    def element(self) -> Type:
        is_float = self.floats and self.draw.random() < 0.75
        if self.few:
            return TYPES["f32" if is_float else "i32"]
        return TYPES[self.draw.choice(FLOATS if is_float else INTEGERS)]

    def input(self, type: TensorType) -> str:
        name = self.build.input(f"x{len(self.inputs)}", type)
        self.inputs[name] = some(self.numbers, type)
        return self._new(name, True)

    def constant(self, type: TensorType) -> str:
        return self._new(self.build.constant(some(self.numbers, type)), True)

    def fresh(self, type: TensorType) -> str:
        return self.draw.choice((self.input, self.constant))(type)

    def type(self, name: str) -> TensorType:
        return self.build.type(name)

    def emit(
        self,
        operator: str,
        *operands: str,
        exact: bool,
        known: Sequence[str] = (),
        **attributes,
    ) -> str:
        """A node; `known` are operands that are exact beside those in `exact`."""
        if self.draw.random() < 0.4:
            self.layer += 1
        names = self.build.emit_all(operator, *operands, layer=f"l{self.layer}", **attributes)
        for name in names:
            self._new(
                name, exact and all(one in self.exact for one in operands if one not in known)
            )
        return names[0]

    def any(self, fits: Fits = lambda type: True, exact: bool = False) -> str:
        """A tensor that is there, or a new one."""
        found = self.recent(fits, exact)
        if found and self.draw.random() < 0.85:
            return self.draw.choice(found)
        while True:
            type = TensorType(self.element(), self.shape())
            if fits(type):
                return self.input(type)

    def recent(self, fits: Fits, exact: bool = False) -> list[str]:
        """Of the tensors that came last those that fit."""
        return [
            name
            for name in self.tensors[-6:]
            if fits(self.type(name)) and (name in self.exact or not exact)
        ]

    def _new(self, name: str, exact: bool) -> str:
        self.tensors.append(name)
        if exact or not self.type(name).element.is_float:
            self.exact.add(name)
        return name

    def narrower(self, shape: Sequence[int]) -> tuple[int, ...]:
        """A shape that is broadcast to one."""
        found = [size if self.draw.random() < 0.6 else 1 for size in shape]
        while found and found[0] == 1 and self.draw.random() < 0.7:
            del found[0]
        return tuple(found)


def is_float(type: TensorType) -> bool:
    return type.element.is_float and type.element.name != "f64"


def elementwise(of: Random) -> None:
    """A node, with operands broadcast in any pattern."""
    kind = of.draw.random()
    if kind < 0.35:
        _unary(of)
    elif kind < 0.45:
        _converted(of)
    else:
        _several(of)


def _unary(of: Random) -> None:
    x = of.any()
    element = of.type(x).element
    if not element.is_float:
        of.emit(of.draw.choice(("abs", "neg", "relu", "square", "not")), x, exact=True)
        return
    names = ["abs", "neg", "relu", "square", "tanh", "sigmoid", "erf", "gelu", "silu", "sin", "cos"]
    if x in of.exact:
        names += ["floor", "ceil", "round", "clip"]
    name = of.draw.choice(names)
    if name == "clip":
        low, high = sorted(of.draw.uniform(-1, 1) for _ in range(2))
        of.emit("clip", x, exact=True, low=low, high=high)
        return
    of.emit(name, x, exact=name in ("abs", "neg", "relu", "floor", "ceil", "round"))


def _converted(of: Random) -> None:
    x = of.any(exact=True)
    source = of.type(x).element
    target = of.element()
    if target is source:
        return
    modes = ["plain"]
    if source.is_float and not target.is_float:
        modes.append("round")
    if not source.is_float and not target.is_float:
        modes.append("saturate")
    of.emit("convert", x, exact=True, to=target, mode=of.draw.choice(modes))


def _several(of: Random) -> None:
    jumps = of.draw.random() < 0.3
    x = of.any(exact=jumps)
    type = of.type(x)
    others = [_beside(of, type, jumps) for _ in range(2)]
    if not _together(of, x, *others):
        return
    if jumps and of.draw.random() < 0.4:
        operands = [x, *others]
        of.draw.shuffle(operands)
        of.emit("select", *operands, exact=True)
        return
    if type.element.is_float and not jumps and of.draw.random() < 0.2:
        _divided(of, x, others[0])
        return
    names = JUMPING if jumps else EXACT
    if not jumps and not type.element.is_float:
        names += ("and", "or", "xor", "shl", "shr_u") + ("shr_s",) * type.element.signed
    operands = [x, others[0]]
    of.draw.shuffle(operands)
    of.emit(of.draw.choice(names), *operands, exact=True)


def _together(of: Random, *tensors: str) -> bool:
    """Whether tensors are broadcast to one shape, not too large."""
    try:
        return prod(np.broadcast_shapes(*(of.type(one).shape for one in tensors))) <= of.elements
    except ValueError:
        return False


def _beside(of: Random, type: TensorType, exact: bool) -> str:
    """A tensor that is broadcast with one of this type."""
    shape = of.narrower(type.shape)
    if type.shape and of.draw.random() < 0.2:
        shape = tuple(size if size > 1 else of.draw.choice((1, 2, 3)) for size in type.shape)
    if of.draw.random() < 0.25:
        shape = ()
    wanted = TensorType(type.element, shape)
    same = of.recent(lambda other: other == wanted, exact)
    if same and of.draw.random() < 0.7:
        return of.draw.choice(same)
    return of.constant(wanted) if shape == () else of.fresh(wanted)


def _divided(of: Random, x: str, y: str) -> None:
    """By something that is not near 0."""
    least = of.constant(TensorType(of.type(x).element, ()))
    large = (of.emit("abs", one, exact=True) for one in (y, least))
    of.emit("div", x, of.emit("max", *large, exact=True), exact=False)


def normalizing(of: Random) -> None:
    """Rows that are scaled."""
    x = of.any(lambda type: is_float(type) and bool(type.shape))
    type = of.type(x)
    name = of.draw.choice(("softmax", "log_softmax", "layer_norm", "rms_norm"))
    row = TensorType(type.element, type.shape[-1:])
    count = {"layer_norm": of.draw.choice((1, 2)), "rms_norm": 1}.get(name, 0)
    rows = [of.constant(row) for _ in range(count)]
    of.emit(name, x, *rows, exact=False, **({"epsilon": 1e-3} if rows else {}))


def movement(of: Random) -> None:
    of.draw.choice((_transposed, _sliced, _padded, _concatenated, _repeated, _reshaped))(of)


def _transposed(of: Random) -> None:
    x = of.any()
    order = list(range(len(of.type(x).shape)))
    of.draw.shuffle(order)
    of.emit("transpose", x, exact=True, order=tuple(order))


def _sliced(of: Random) -> None:
    x = of.any()
    starts, sizes, steps = [], [], []
    for extent in of.type(x).shape:
        if of.draw.random() < 0.5:
            start, size, step = 0, extent, 1
        else:
            step = of.draw.choice((1, 1, 2, 3, -1, -2))
            start = of.draw.randrange(extent)
            room = (extent - start - 1 if step > 0 else start) // abs(step) + 1
            size = of.draw.randint(1, room)
        starts.append(start), sizes.append(size), steps.append(step)
    of.emit("slice", x, exact=True, starts=tuple(starts), sizes=tuple(sizes), steps=tuple(steps))


def _padded(of: Random) -> None:
    x = of.any()
    type, mode = of.type(x), of.draw.choice(("constant", "constant", "edge", "reflect", "wrap"))
    before, after = [], []
    for extent in type.shape:
        most = min({"reflect": extent - 1, "wrap": extent}.get(mode, 3), 3)
        for side in (before, after):
            side.append(of.draw.randint(0, most) if of.draw.random() < 0.5 else 0)
    value = of.draw.choice((0, 1, 3)) if mode == "constant" else 0
    padded = (b + n + a for b, n, a in zip(before, type.shape, after, strict=True))
    if prod(padded) <= 2 * of.elements:
        around = {"before": tuple(before), "after": tuple(after)}
        of.emit("pad", x, exact=True, mode=mode, value=value, **around)


def _concatenated(of: Random) -> None:
    x = of.any(lambda type: bool(type.shape))
    type = of.type(x)
    axis = of.draw.randrange(len(type.shape))
    others = []
    for _ in range(of.draw.randint(0, 3)):
        same = of.recent(lambda other: _fits_beside(other, type, axis))
        if same and of.draw.random() < 0.7:
            others.append(of.draw.choice(same))
            continue
        shape = [*type.shape]
        shape[axis] = of.draw.choice((1, 2, 3, 5))
        others.append(of.fresh(TensorType(type.element, tuple(shape))))
    operands = [x, *others]
    of.draw.shuffle(operands)
    if sum(of.type(one).count for one in operands) <= 2 * of.elements:
        of.emit("concat", *operands, exact=True, axis=axis)


def _fits_beside(other: TensorType, type: TensorType, axis: int) -> bool:
    rest = [(*one.shape[:axis], *one.shape[axis + 1 :]) for one in (other, type)]
    ranks = len(other.shape) == len(type.shape)
    return other.element is type.element and ranks and rest[0] == rest[1]


def _repeated(of: Random) -> None:
    x = of.any()
    shape = of.type(x).shape
    wide = [size if size > 1 else of.draw.choice((1, 2, 5)) for size in shape]
    while len(wide) < 5 and of.draw.random() < 0.3:
        wide.insert(0, of.draw.choice((1, 2, 3)))
    if prod(wide) <= 2 * of.elements:
        of.emit("broadcast", x, exact=True, shape=tuple(wide))


def _reshaped(of: Random) -> None:
    x = of.any()
    count = of.type(x).count
    shape = []
    for prime in (2, 3, 5, 7, 11, 13):
        if count % prime == 0 and of.draw.random() < 0.5:
            shape.append(prime)
            count //= prime
    shape.append(count)
    of.draw.shuffle(shape)
    of.emit("reshape", x, exact=True, shape=tuple(shape))


def windows(of: Random) -> None:
    """Pools, of images with borders."""
    average = of.draw.random() < 0.4 and of.floats  # the mean of integers is none
    x = of.any(lambda type: len(type.shape) == 4 and (not average or type.element.is_float))
    kernel, strides, dilations, pads = [], [], [], []
    for extent in of.type(x).shape[1:3]:
        reach = of.draw.randint(1, min(extent, 7))
        dilation = of.draw.choice((1, 1, 2))
        size = (reach - 1) // dilation + 1
        kernel.append(extent if of.draw.random() < 0.15 else size)
        dilations.append(dilation if kernel[-1] == size else 1)
        strides.append(of.draw.choice((1, 1, 2, 3)))
        most = dilations[-1] * (kernel[-1] - 1)
        pads.append([of.draw.randint(0, most) if of.draw.random() < 0.5 else 0 for _ in range(2)])
    (top, bottom), (left, right) = pads
    said = {
        "kernel": tuple(kernel), "strides": tuple(strides), "dilations": tuple(dilations),
        "pads": (top, left, bottom, right),
    }  # fmt: skip
    if average:
        of.emit("pool_average", x, exact=False, borders=of.draw.random() < 0.5, **said)
    else:
        of.emit("pool_max", x, exact=True, **said)


def reductions(of: Random) -> None:
    """Axes that go, places of extremes, sums up to each element."""
    kind = of.draw.random()
    if kind < 0.25:
        x = of.any(lambda type: bool(type.shape), exact=True)
        axis = of.draw.randrange(len(of.type(x).shape))
        of.emit(of.draw.choice(("argmax", "argmin")), x, exact=True, axis=axis)
        return
    x = of.any(lambda type: bool(type.shape))
    shape = of.type(x).shape
    if kind < 0.45:
        said = {name: of.draw.random() < 0.5 for name in ("exclusive", "reverse")}
        of.emit("cumulative_sum", x, exact=False, axis=of.draw.randrange(len(shape)), **said)
        return
    axes = tuple(axis for axis in range(len(shape)) if of.draw.random() < 0.5) or (0,)
    names = ("sum", "max", "min") if of.type(x).element.is_float else ("sum", "max", "min", "prod")
    name = of.draw.choice(names)
    of.emit(f"reduce_{name}", x, exact=name in ("max", "min"), axes=axes)


def indexed(of: Random) -> None:
    """Rows that are taken and put, and the largest few."""
    kind = of.draw.random()
    if kind < 0.3:
        x = of.any(lambda type: bool(type.shape), exact=True)
        of.emit("topk", x, exact=True, k=of.draw.randint(1, min(of.type(x).shape[-1], 6)))
        return
    x = of.any(lambda type: bool(type.shape))
    type = of.type(x)
    axis = of.draw.randrange(len(type.shape)) if kind < 0.7 else 0
    shape = of.shape(of.draw.choice((0, 1, 2))) if kind < 0.7 else (of.draw.randint(1, 9),)
    extent = type.shape[axis]
    if kind < 0.7 and prod(shape) * (type.count // extent) > 2 * of.elements:
        return
    places = of.build.constant(of.numbers.integers(-extent - 1, extent + 1, shape, dtype=np.int32))
    if kind < 0.7:
        of.emit("gather", x, places, exact=True, axis=axis, known=(places,))
        return
    updates = of.fresh(TensorType(type.element, (*shape, *type.shape[1:])))
    name = of.draw.choice(("scatter", "scatter_add"))
    of.emit(name, x, places, updates, exact=name == "scatter", known=(places,))


FAMILIES: dict[str, Callable[[Random], None]] = {
    "elementwise": elementwise,
    "normalizing": normalizing,
    "movement": movement,
    "window": windows,
    "indexed": indexed,
    "reduction": reductions,
}


def generate(
    seed: int,
    floats: bool = True,
    elements: int = 6000,
    families: Sequence[str] = (),
    few: bool = False,
):
    """A network, its inputs, and the tensors whose bits are known."""
    of = Random(seed, floats, elements, few)
    names = list(families or (*FAMILIES, *("elementwise",) * 6))
    if not floats:
        names = [name for name in names if name != "normalizing"]
    of.input(TensorType(of.element(), of.shape()))
    wanted = of.draw.choice((1, 2, 4, 8, 12, 16))
    while len(of.build.network().nodes) < wanted:
        FAMILIES[of.draw.choice(names)](of)
    network = of.build.network()
    made = [name for node in network.nodes for name in node.results]
    read = {name for node in network.nodes for name in node.operands}
    for name in made:
        if name not in read or of.draw.random() < 0.2:
            of.build.output(f"y{len(network.outputs)}", name)
    if of.draw.random() < 0.1:
        of.build.output("again", of.draw.choice(of.tensors))
    return network, of.inputs, of.exact
