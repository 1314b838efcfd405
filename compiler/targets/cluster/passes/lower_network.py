"""Networks become tile form: see `compiler/targets/cluster/network`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from compiler.ir.module import Function
from compiler.targets.cluster.network.given_mappings import read_mappings
from compiler.targets.cluster.network.lowering import lower
from compiler.targets.cluster.network.means import Means
from compiler.targets.cluster.network.tile_text import TileFunction
from compiler.transformation import Changes, Pass, Remark, option
from machines.description.load import Machine
from machines.diagnostics import input_error
from machines.kinds.cluster.tasks import UNIONS


@dataclass(frozen=True, slots=True)
class Options:
    """On how much of the chip a network runs, and with which of its means."""

    clusters: int = option(0, "Clusters of the job that it is lowered for; 0: all of the chip.")
    buffers: int = option(
        2, "Of what products load and store by steps; 1: loads, computing, stores in turn."
    )
    serve: bool = option(True, "Whether MEM cores load operands of products and broadcast them.")
    mapping: str = option(
        "model", "How products are laid on cores: as a model of their cycles says, or as a FILE."
    )


@dataclass(frozen=True)
class Tiles:
    """What the pass wrote, for views: the text of the network, and of each layer its operators, the
    bytes of its buffers by spaces, and how it is mapped."""

    text: str
    layers: tuple[dict[str, Any], ...]


def run(function: Function, machine: Machine, options: Options) -> Changes:
    chip, count = machine.description, options.clusters
    type = next((name for name, clusters in UNIONS.items() if clusters == count), None)
    if count and (count > chip.clusters or type is None):
        known = ", ".join(str(n) for n in UNIONS.values() if n <= chip.clusters)
        message = f"no job of {machine.name} has {count} clusters"
        raise input_error(message, hint=f"clusters: one of {known}")
    if count:
        chip = chip.model_copy(update={"clusters": count})
    if options.buffers not in (1, 2):
        message = f"products have 1 or 2 buffers of each operand, not {options.buffers}"
        raise input_error(message, hint="write for example buffers: 2")
    given = read_mappings(options.mapping) if options.mapping != "model" else None
    lowered = lower(function, chip, Means(options.buffers, options.serve, given))
    if given is not None:
        given.check(written.layer.name for written in lowered.layers if written.why)
    if count:
        function.body = replace(function.body, launch=(type, chip.core_count))
    changes = Changes()
    changes.count("layers", len(lowered.layers))
    for written in lowered.layers:
        if written.why:
            layer = written.layer
            operator = f"{layer.name}: nn.{layer.head.operator.name}"
            why = written.why.sentence
            changes.remarks.append(Remark(operator, "mapped", layer.location, why))
    buffers = lowered.plan.buffers.values()
    changes.count("bytes of DRAM", sum(element.size(count) for element, count in buffers))
    changes.shown = Tiles(lowered.text, tuple(_facts(written) for written in lowered.layers))
    return changes


def _facts(written: TileFunction) -> dict[str, Any]:
    layer = written.layer
    return {
        "layer": layer.name,
        "function": written.name,
        "operators": [node.operator.name for node in layer.nodes],
        "buffers": written.held,
        "mapping": written.why.content if written.why else None,
    }


PLUGIN = Pass(
    "lower_network",
    "Write the tile form of a network: a function a layer, tiles of what it reads and makes.",
    run,
    forms={"network": "ir"},
    options=Options,
    kinds=("cluster",),
)
