"""Networks become tile form: see `compiler/targets/cluster/network`."""

from __future__ import annotations

from compiler.ir.module import Function
from compiler.targets.cluster.network.lowering import lower
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine


def run(function: Function, machine: Machine, options: NoOptions) -> Changes:
    layers, placed = lower(function, machine.description)
    changes = Changes()
    changes.count("layers", len(layers))
    changes.count("bytes of DRAM", sum(t.size(count) for t, count in placed.buffers.values()))
    return changes


PLUGIN = Pass(
    "lower_network",
    "Write the tile form of a network: a function a layer, tiles of what it reads and makes.",
    run,
    forms={"network": "ir"},
    kinds=("cluster",),
)
