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

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from compiler.ir.copy import copy_function
from compiler.ir.module import Function, Module
from compiler.levels.network.network import Network
from compiler.targets.cluster.network.layer import Layer, layers_of
from compiler.targets.cluster.network.least_traffic import least_bytes
from compiler.targets.cluster.network.long_rows import with_rows_in_parts
from compiler.targets.cluster.network.means import ALL, Means
from compiler.targets.cluster.network.memory import Place, Plan, plan
from compiler.targets.cluster.network.templates import template_of
from compiler.targets.cluster.network.tile_text import TileFunction
from compiler.targets.cluster.scratchpads import SCRATCHPADS
from compiler.text_form import parse
from machines.kinds.cluster.code import ADDRESSES, LAYER, LAYERS, LEAST_BYTES, SCRATCH
from machines.kinds.cluster.fields import Cluster
from machines.levels.network.function import NetworkFunction, Placed

BARRIER = "sync_all_ipu 0"
BARRIER_WITH_MEM = "sync_all 0"


def tile_text(
    network: Network, name: str, chip: Cluster, prefix: str = "", means: Means = ALL
) -> tuple[str, dict[int, Layer], Plan]:
    """The text of the module, the layer of each of its lines, and where tensors stand.

    prefix  with which all names begin but that of the function
    """
    names = name, _new_name(f"{name}_mem", ())
    written, placed = written_layers(network, chip, prefix, means, names)
    text, of_line = _text(network, names, chip, written, placed)
    return text, of_line, placed


def written_layers(
    network: Network,
    chip: Cluster,
    prefix: str = "",
    means: Means = ALL,
    taken: Collection[str] = (),
) -> tuple[list[TileFunction], Plan]:
    """The functions of the layers, and where tensors stand; `taken`: names of other functions."""
    layers = layers_of(network)
    memo: dict[object, Any] = {}
    written = [TileFunction(layer, chip, prefix, memo, means) for layer in layers]
    for function in written:
        function.name = _new_name(function.name, taken)
        template_of(function.layer)(function)
    return written, plan(network, layers, prefix)


def _new_name(wanted: str, taken: Collection[str]) -> str:
    """A name that none of these functions has; nor has what MEM cores do beside it."""
    while not {wanted, f"{wanted}_mem"}.isdisjoint(taken):
        wanted += "_"
    return wanted


def _text(
    network: Network,
    names: tuple[str, str],
    chip: Cluster,
    written: Sequence[TileFunction],
    placed: Plan,
) -> tuple[str, dict[int, Layer]]:
    """`names`: of what the cores do, and of what their MEM cores do beside it."""
    name, of_mem = names
    lines = [f"{n}: {element}[{count}] in dram" for n, (element, count) in placed.buffers.items()]
    of_line: dict[int, Layer] = {}
    for function in written:
        layer = function.layer
        lines += ["", *(f"# {line}" for line in remarks_on(function, chip))]
        first = len(lines) + 1
        lines += function.shared
        for own in (function, function.beside):
            lines += own.lines if own else []
        of_line |= dict.fromkeys(range(first, len(lines) + 1), layer)
    order = _Order(placed, network)
    before = [order.barrier(function) for function in written]
    served = any(function.beside for function in written)
    lines += ["", f"func @{name}() {{"]
    if served:
        lines += [f'    beside = {{mem: "{of_mem}"}}', "entry:"]
    for function, barrier in zip(written, before, strict=True):
        lines += [f"    {barrier}"] if barrier and chip.core_count > 1 else []
        lines.append(_call(function, placed))
        of_line[len(lines)] = function.layer
    lines += ["    return", "}"]
    if served:
        lines += ["", f"func @{of_mem}() {{", "entry:"]
        for function, barrier in zip(written, before, strict=True):
            lines += [f"    {barrier}"] if barrier == BARRIER_WITH_MEM else []
            if function.beside:
                lines.append(_call(function.beside, placed))
                of_line[len(lines)] = function.layer
        lines += ["    return", "}"]
    return "\n".join(lines) + "\n", of_line


def remarks_on(function: TileFunction, chip: Cluster) -> Iterator[str]:
    """What stands above the function of a layer: its operators, how it is done and why so, and what
    its buffers take of what a core (or a cluster) has."""
    layer = function.layer
    yield f"{layer.name}: {' '.join(node.operator.name for node in layer.nodes)}"
    yield from function.why.lines if function.why else ()
    held = (f"{space} {size} of {chip.usable(space)}" for space, size in function.held.items())
    if function.held:
        yield f"bytes of buffers: {', '.join(held)}"


def _call(function: TileFunction, placed: Plan) -> str:
    given = ", ".join(str(placed.places[tensor]) for tensor in function.names)
    return f"    call @{function.name}({given})"


class _Order:
    """What layers touched since the last barrier."""

    def __init__(self, placed: Plan, network: Network):
        self._placed = placed
        self._given = {*network.inputs, *network.constants}
        self._read: list[Place] = []
        self._written: list[Place] = []

    def barrier(self, function: TileFunction) -> str:
        """What has to stand before a layer, which is next.  A MEM core reads what IPU cores have
        written only behind a barrier in which it takes part."""
        asks = self._asks(function.layer)
        if function.beside and not self._given.issuperset(function.layer.reads):
            return BARRIER_WITH_MEM
        return BARRIER if asks else ""

    def _asks(self, layer: Layer) -> bool:
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


@dataclass(frozen=True)
class Lowered:
    """The tile form of a network as text, the functions of its layers, and where tensors stand."""

    text: str
    layers: list[TileFunction]
    plan: Plan


def lower(function: Function, chip: Cluster, means: Means = ALL) -> Lowered:
    """Replace the network of a function by its tile form.

    Raises InputError for a layer that cannot be lowered.
    """
    network = with_rows_in_parts(function.body, chip)
    several = len(function.functions) > 1
    prefix = f"{function.name}." if several else ""
    names = function.name, _new_name(f"{function.name}_mem", function.functions)
    written, placed = written_layers(network, chip, prefix, means, names)
    text, of_line = _text(network, names, chip, written, placed)
    module = parse(text, f"{function.name}.tiles.sir")
    least = least_bytes(network, [one.layer for one in written])
    _take(function, module, of_line, _addresses(module, prefix, chip), least)
    function.body = _called(network, placed)
    return Lowered(text, written, placed)


def _take(
    function: Function,
    module: Module,
    of_line: Mapping[int, Layer],
    addresses: Mapping[str, int],
    least: Mapping[str, int],
) -> None:
    """Make a function what the text says of it, and add the one beside it."""
    names = list(dict.fromkeys(layer.name for layer in of_line.values()))
    for made in module.functions.values():
        for _, instruction in made.instructions():
            at = instruction.location
            layer = of_line.get(at.line) if at else None
            instruction.location = layer.location if layer else None
            if layer:
                instruction.attributes[LAYER] = names.index(layer.name)
    made = module.functions[function.name]
    function.blocks, function.types, function.notes = made.blocks, made.types, made.notes
    function.buffers.update(module.buffers)
    function.version += 1
    LAYERS.say(function, tuple(names))
    LEAST_BYTES.say(function, tuple(least[name] for name in names))
    on_chip = [buffer.name for buffer in module.buffers.values() if buffer.space in SCRATCHPADS]
    beside = {name: made for name, made in module.functions.items() if name != function.name}
    for one in (function, *beside.values()):
        SCRATCH.say(one, tuple(on_chip))
        ADDRESSES.say(one, dict(addresses))
    for made in beside.values():
        made.buffers = function.buffers
    # What runs is seen as it is now, without its body: passes ask for the source of those beside.
    function.functions = {**function.functions, **beside}
    function.functions[function.name] = copy_function(function)
    for made in beside.values():
        made.functions = function.functions


def _addresses(module: Module, prefix: str, chip: Cluster) -> dict[str, int]:
    """Where buffers on the chip stand: those of a layer one behind the other, each layer's from the
    beginning.  A layer begins to fill its buffers when what another one needed of the same bytes
    has been given to the queue that fills them, or has ended."""
    ends: dict[tuple[str, str], int] = {}
    found = {}
    for name, buffer in module.buffers.items():
        if buffer.space not in SCRATCHPADS:
            continue
        layer = re.match(r"layer\d+", name.removeprefix(prefix))
        key = layer[0] if layer else name, buffer.space
        unit = chip.alignment(buffer.space)
        found[name] = -(-ends.get(key, 0) // unit) * unit
        ends[key] = found[name] + buffer.size
    return found


def _called(network: Network, placed: Plan) -> NetworkFunction:
    """What a caller has to know."""

    def at(name: str, tensor: str) -> Placed:
        place = placed.places[tensor]
        return Placed(name, place.type, place.buffer, place.type.element.size(place.first))

    return NetworkFunction(
        tuple(at(name, name) for name in network.inputs),
        tuple(at(name, tensor) for name, tensor in network.outputs.items()),
        tuple(
            (at("", name), constant)
            for name, constant in network.constants.items()
            if name in placed.places
        ),
    )
