"""The tile form of a whole network: its layers one after the other.  A barrier of all cores stands
before each that touches what others of them wrote, or writes what they read, since the last one.

func @layer0_conv1(t_h: f32[1, 56, 56, 64], t_x: f32[1, 56, 56, 3], t_w: …) {
    …
}

func @main() {
    call @layer0_conv1(arena_f32[0 +: 200704], t_x[0 +: 9408], …)
    sync_all_ipu 0
    …
}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from compiler.ir.module import Function, Module
from compiler.levels.network.network import Network
from compiler.targets.cluster.network.layer import Layer, layers_of
from compiler.targets.cluster.network.memory import Place, Plan, plan
from compiler.targets.cluster.network.templates import template_of
from compiler.targets.cluster.network.tile_text import TileFunction
from compiler.targets.cluster.scratchpads import SCRATCHPADS
from compiler.text_form import parse
from machines.kinds.cluster.code import LAYER, LAYERS, SCRATCH
from machines.kinds.cluster.fields import Cluster
from machines.levels.network.function import NetworkFunction, Placed

BARRIER = "sync_all_ipu 0"


def tile_text(
    network: Network, name: str, chip: Cluster, prefix: str = ""
) -> tuple[str, dict[int, Layer], Plan]:
    """The text of the module, the layer of each of its lines, and where tensors stand.

    prefix  with which all names begin but that of the function
    """
    layers = layers_of(network)
    placed = plan(network, layers, prefix)
    lines = [f"{n}: {element}[{count}] in dram" for n, (element, count) in placed.buffers.items()]
    of_line: dict[int, Layer] = {}
    calls = []
    for layer in layers:
        function = TileFunction(layer, chip)
        template_of(layer)(function)
        lines += ["", f"# {layer.name}: {' '.join(n.operator.name for n in layer.nodes)}"]
        first = len(lines) + 1
        lines += function.lines(prefix)
        of_line |= dict.fromkeys(range(first, len(lines) + 1), layer)
        calls.append((layer, function.names))
    lines += ["", f"func @{name}() {{"]
    order = _Order(placed)
    for layer, names in calls:
        if order.asks(layer) and chip.core_count > 1:
            lines.append(f"    {BARRIER}")
        lines.append(f"    call @{prefix}{layer.function}({_given(names, placed)})")
        of_line[len(lines)] = layer
    lines += ["    return", "}"]
    return "\n".join(lines) + "\n", of_line, placed


class _Order:
    """What layers touched since the last barrier."""

    def __init__(self, placed: Plan):
        self._placed = placed
        self._read: list[Place] = []
        self._written: list[Place] = []

    def asks(self, layer: Layer) -> bool:
        """Whether a barrier has to stand before the layer, which is next."""
        reads = [self._placed.places[tensor] for tensor in layer.reads]
        writes = [self._placed.places[tensor] for tensor in layer.results]
        meet = any(one.meets(before) for one in reads for before in self._written) or any(
            one.meets(before) for one in writes for before in (*self._written, *self._read)
        )
        if meet:
            self._read, self._written = [], []
        self._read += reads
        self._written += writes
        return meet


def _given(tensors: Sequence[str] | Mapping[str, str], placed: Plan) -> str:
    return ", ".join(str(placed.places[tensor]) for tensor in tensors)


def lower(function: Function, chip: Cluster) -> tuple[list[Layer], Plan]:
    """Replace the network of a function by its tile form; the layers, and where tensors stand.

    Raises InputError for a layer that cannot be lowered.
    """
    network = function.body
    several = len(function.functions) > 1
    prefix = f"{function.name}." if several else ""
    text, of_line, placed = tile_text(network, function.name, chip, prefix)
    module = parse(text, f"{function.name}.tiles.sir")
    _take(function, module, of_line)
    function.body = _called(network, placed)
    return list(dict.fromkeys(of_line.values())), placed


def _take(function: Function, module: Module, of_line: Mapping[int, Layer]) -> None:
    made = module.functions[function.name]
    names = list(dict.fromkeys(layer.name for layer in of_line.values()))
    for _, instruction in made.instructions():
        at = instruction.location
        layer = of_line.get(at.line) if at else None
        instruction.location = layer.location if layer else None
        if layer:
            instruction.attributes[LAYER] = names.index(layer.name)
    function.blocks, function.types, function.notes = made.blocks, made.types, made.notes
    function.buffers.update(module.buffers)
    function.version += 1
    LAYERS.say(function, tuple(names))
    on_chip = [buffer.name for buffer in module.buffers.values() if buffer.space in SCRATCHPADS]
    SCRATCH.say(function, tuple(on_chip))


def _called(network: Network, placed: Plan) -> NetworkFunction:
    """What a caller has to know."""

    def at(name: str, tensor: str) -> Placed:
        place = placed.places[tensor]
        return Placed(name, place.type, place.buffer, place.type.element.size(place.first))

    return NetworkFunction(
        tuple(at(name, name) for name in network.inputs),
        tuple(at(name, tensor) for name, tensor in network.outputs.items()),
        tuple((at("", name), constant) for name, constant in network.constants.items()),
    )
