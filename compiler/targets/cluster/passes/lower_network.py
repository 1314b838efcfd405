"""Networks become tile form: see `compiler/targets/cluster/network`."""

from __future__ import annotations

from compiler.ir.module import Function
from compiler.targets.cluster.network.lowering import lower
from compiler.transformation import Changes, NoOptions, Pass, Remark
from machines.description.load import Machine


def run(function: Function, machine: Machine, options: NoOptions) -> Changes:
    layers, placed = lower(function, machine.description)
    changes = Changes()
    changes.count("layers", len(layers))
    for written in layers:
        if written.remark:
            layer = written.layer
            operator = f"{layer.name}: nn.{layer.head.operator.name}"
            changes.remarks.append(Remark(operator, "mapped", layer.location, written.remark))
    changes.count("bytes of DRAM", sum(t.size(count) for t, count in placed.buffers.values()))
    return changes


PLUGIN = Pass(
    "lower_network",
    "Write the tile form of a network: a function a layer, tiles of what it reads and makes.",
    run,
    forms={"network": "ir"},
    kinds=("cluster",),
)
