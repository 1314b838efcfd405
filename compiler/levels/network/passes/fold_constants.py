"""What is computed of constants alone is computed now:

c = [1.0, 2.0]
s = nn.exp(c)          ->    s = [2.7182817, 7.389056]

What is stored in a file stays there where a node only says in which order or shape it is read.  A
constant becomes no larger than what it was made of unless it is small.
"""

from __future__ import annotations

import numpy as np

from compiler.ir.module import Function
from compiler.levels.network.bound import Bound
from compiler.levels.network.constants import elements_of, reshaped, transposed
from compiler.levels.network.editing import edit, note, remove
from compiler.levels.network.network import Network, Node
from compiler.transformation import Changes, Pass
from machines.description.load import Machine
from machines.levels.network.tensors import Constant, Stored

SMALL = 1 << 16
"""Bytes of a result that may be larger than its operands."""


def run(function: Function, machine: Machine | None, options: Bound) -> Changes:
    return edit(function, fold)


def fold(network: Network, changes: Changes) -> None:
    """Put constants in the place of nodes."""
    folded = []
    for node in network.nodes:
        if all(name in network.constants for name in node.operands) and _is_small(network, node):
            for name, constant in zip(node.results, _computed(network, node), strict=True):
                network.constants[name] = constant
            note(changes, "computed", node)
            folded.append(node)
    types = dict(network.types)
    remove(network, folded)
    network.types |= {name: types[name] for node in folded for name in node.results}


def _is_small(network: Network, node: Node) -> bool:
    size = sum(network.types[name].size for name in node.results)
    return size <= max(SMALL, sum(type.size for type in network.operand_types(node)))


def _computed(network: Network, node: Node) -> list[Constant]:
    types = [network.types[name] for name in node.results]
    first = network.constants[node.operands[0]]
    if isinstance(first.elements, Stored):
        if node.operator.name == "transpose":
            return [transposed(first, node.attributes["order"])]
        if node.operator.name == "reshape" and not first.order:
            return [reshaped(first, types[0].shape)]
    operands = [elements_of(network.constants[name]) for name in node.operands]
    results = node.operator.evaluate(operands, node.attributes, types)
    return [
        Constant(type, np.asarray(found, order="C"))
        for type, found in zip(types, results, strict=True)
    ]


PLUGIN = Pass(
    "fold_constants",
    "Compute what depends on constants alone.",
    run,
    forms={"network": "network"},
    options=Bound,
)
