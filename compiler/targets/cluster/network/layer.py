"""The layers of a network, as they are lowered: one after the other, each as one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from compiler.levels.network.network import Network, Node, TensorType
from machines.diagnostics import Location

ALIASES = ("reshape",)
"""Operators whose result is the elements of their operand where they are."""
FOLLOWED = ("elementwise", "normalizing", "product", "window", "reduction")
"""Families of operators that elementwise ones may follow in one layer, on what is there of the
result; rows follow those that hold whole rows."""
REDUCING = ("reduce_sum", "reduce_max", "reduce_min", "reduce_prod")
IN_ROWS = ("elementwise", "normalizing")


@dataclass(frozen=True, eq=False)
class Layer:
    """Nodes that are lowered together.

    number   in the order of the network
    nodes    those that compute something, in their order
    """

    number: int
    name: str
    nodes: tuple[Node, ...]
    network: Network

    @property
    def head(self) -> Node:
        """The node that says how the layer is computed; elementwise ones may follow it."""
        return self.nodes[0]

    @property
    def title(self) -> str:
        """What a message calls it."""
        return f"layer '{self.name}' (nn.{self.head.operator.name})"

    @property
    def location(self) -> Location | None:
        return self.head.location

    @cached_property
    def reads(self) -> tuple[str, ...]:
        """The tensors that others make, constants among them, each once."""
        own = {name for node in self.nodes for name in node.results}
        found = (name for node in self.nodes for name in node.operands if name not in own)
        return tuple(dict.fromkeys(found))

    @cached_property
    def results(self) -> tuple[str, ...]:
        """The tensors that it makes and others read, or the caller has."""
        readers, wanted = self.network.readers(), set(self.network.outputs.values())
        own = set(self.nodes)
        return tuple(
            name
            for node in self.nodes
            for name in node.results
            if name in wanted or any(reader not in own for reader in readers[name])
        )

    def type(self, tensor: str) -> TensorType:
        return self.network.types[tensor]

    @cached_property
    def function(self) -> str:
        """What its function in the tile text is called: a name that no other layer has."""
        return f"layer{self.number}_{legal(self.name)}"


def layers_of(network: Network) -> list[Layer]:
    """The layers that compute something that is read, in their order.

    What cannot be lowered as one (see `_follows`) is several, one after the other, of one name.
    """
    found: list[Layer] = []
    roots = roots_of(network)
    for name, nodes in network.layers().items():
        group: list[Node] = []
        for node in nodes:
            if node.operator.name in ALIASES:
                continue
            if group and not _follows(network, roots, group, node):
                _add(found, name, group, network)
                group = []
            group.append(node)
        _add(found, name, group, network)
    return found


def _add(layers: list[Layer], name: str, nodes: Sequence[Node], network: Network) -> None:
    layer = Layer(len(layers), name, tuple(nodes), network)
    if nodes and layer.results:
        layers.append(layer)


def _follows(network: Network, roots: Mapping[str, str], group: Sequence[Node], node: Node) -> bool:
    """Whether a node can be done with what the nodes before it leave, tile by tile: it does
    something with each element of a result of their shape."""
    families = [one.operator.family for one in group]
    if families[0] not in FOLLOWED or node.operator.family not in IN_ROWS:
        return False
    if node.operator.family != "elementwise" and not all(one in IN_ROWS for one in families):
        return False
    if families[0] == "reduction" and not _follows_reduction(network, group[0], node):
        return False
    shapes = {network.types[one.results[0]].shape for one in (group[0], node)}
    own = {name for one in group for name in one.results}
    others = (name for name in node.operands if name not in own)
    return len(shapes) == 1 and not any(roots[name] in own for name in others)


def _follows_reduction(network: Network, head: Node, node: Node) -> bool:
    """What is left of axes is one dimension, which other operands have as well or have not."""
    if head.operator.name not in REDUCING:
        return False
    whole = network.types[head.results[0]].count
    return all(network.types[name].count in (1, whole) for name in node.operands)


def roots_of(network: Network) -> dict[str, str]:
    """The tensor whose elements each one is: itself, unless it is another's by a new shape."""
    roots = {name: name for name in network.types}
    for node in network.nodes:
        if node.operator.name in ALIASES:
            roots[node.results[0]] = roots[node.operands[0]]
    return roots


def legal(name: str) -> str:
    """A name with what the text form does not take replaced."""
    return re.sub(r"[^A-Za-z0-9_]", "_", name)


def names_of(tensors: Iterable[str]) -> dict[str, str]:
    """Names for tensors that the text form takes, and no two the same."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for tensor in tensors:
        name = base = f"t_{legal(tensor)}"
        number = 1
        while name in taken:
            number += 1
            name = f"{base}_{number}"
        taken.add(name)
        found[tensor] = name
    return found
