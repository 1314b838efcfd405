"""What passes do to networks: tensors put in the place of others, nodes and constants that come
and go."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from compiler.ir.module import Function
from compiler.levels.network.network import Network, Node
from compiler.transformation import Changes, Remark
from machines.elements import type_of
from machines.levels.network.tensors import Constant, TensorType


def edit(function: Function, change: Callable[[Network, Changes], Network | None]) -> Changes:
    """Put a changed copy in the place of a function's network, if there is a change.

    change(copy, changes) changes the copy, or gives another network
    """
    changes, network = Changes(), function.body.copied()
    network = change(network, changes) or network
    if changes:
        function.body = network
        function.version += 1
    return changes


def note(changes: Changes, what: str, node: Node, why: str = "") -> None:
    """One more of `what`, with a remark at the node's place."""
    changes.count(what)
    changes.remarks.append(Remark(f"nn.{node.operator.name}", what, node.location, why))


def new_name(network: Network, stem: str) -> str:
    """A name that no tensor has: the stem, or the stem and a number."""
    name, number = stem, 1
    while name in network.types:
        name, number = f"{stem}_{number}", number + 1
    return name


def add_constant(network: Network, stem: str, elements: np.ndarray) -> str:
    """Its name."""
    name = new_name(network, stem)
    type = TensorType(type_of(elements.dtype), elements.shape)
    elements = np.asarray(elements, order="C")
    network.constants[name], network.types[name] = Constant(type, elements), type
    return name


def substitute(network: Network, instead: dict[str, str]) -> None:
    """Let all that read some tensors read others, and let those be put out; of what is to be
    replaced itself, the last one counts."""

    def last(name: str) -> str:
        while name in instead:
            name = instead[name]
        return name

    for node in network.nodes:
        if any(name in instead for name in node.operands):
            node.operands = tuple(map(last, node.operands))
    for output, tensor in network.outputs.items():
        network.outputs[output] = last(tensor)


def remove(network: Network, nodes: Iterable[Node]) -> None:
    """Take away nodes, with the types of their results."""
    gone = set(nodes)
    network.nodes = [node for node in network.nodes if node not in gone]
    for node in gone:
        for name in node.results:
            network.types.pop(name, None)


def read_once(network: Network) -> set[str]:
    """Tensors that one operand of one node reads, and that are not put out."""
    counts: dict[str, int] = dict.fromkeys(network.types, 0)
    for node in network.nodes:
        for name in node.operands:
            counts[name] += 1
    for tensor in network.outputs.values():
        counts[tensor] += 2
    return {name for name, count in counts.items() if count == 1}
