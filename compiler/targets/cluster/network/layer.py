"""The layers of a network, as they are lowered: one after the other, each as one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from compiler.levels.network.network import Network, Node, TensorType
from machines.diagnostics import Location

ALIASES = ("reshape",)
"""Operators whose result is the elements of their operand where they are."""


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
    """The layers that compute something, in their order."""
    found = []
    for name, nodes in network.layers().items():
        computing = tuple(node for node in nodes if node.operator.name not in ALIASES)
        if computing:
            found.append(Layer(len(found), name, computing, network))
    return found


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
