"""Weights of products stand by what they give: a row for each column of the result.  A part of the
columns is one piece of memory then, and not a piece of each row.

w: f32[k, n]                             w.10: f32[n, k]
y = nn.matmul(x, w)               ->     y = nn.matmul(x, w.10) {transposed: true}

No element moves, as constants know the order in which they are stored.
"""

from __future__ import annotations

from compiler.ir.module import Function
from compiler.levels.network.constants import transposed
from compiler.levels.network.editing import edit, new_name, note
from compiler.levels.network.network import Network
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine


def run(function: Function, machine: Machine | None, options: NoOptions) -> Changes:
    return edit(function, transpose_weights)


def transpose_weights(network: Network, changes: Changes) -> None:
    """Turn the constants on the right of products that are not turned yet."""
    turned: dict[str, str] = {}
    for node in network.nodes:
        if node.operator.name != "matmul" or node.attributes["transposed"]:
            continue
        left, right = node.operands
        if right not in network.constants:
            continue
        if right not in turned:
            turned[right] = _turned(network, right)
        node.operands = (left, turned[right])
        node.attributes = {**node.attributes, "transposed": True}
        note(changes, "weights turned", node)


def _turned(network: Network, name: str) -> str:
    *batch, k, n = range(len(network.types[name].shape))
    order = (*batch, n, k)
    other = new_name(network, f"{name}.{''.join(map(str, order))}")
    network.constants[other] = transposed(network.constants[name], order)
    network.types[other] = network.constants[other].type
    return other


PLUGIN = Pass(
    "transpose_weights",
    "Let constants on the right of products have a row for each column of the result.",
    run,
    forms={"network": "network"},
)
