"""Nodes that are lowered together get the name of one layer, and stand together:

h = nn.conv(x, w) in "conv1"           h = nn.conv(x, w) in "conv1"
a = nn.add(h, b) in "conv1"            a = nn.add(h, b) in "conv1"
y = nn.relu(a) in "relu1"        ->    y = nn.relu(a) in "conv1"
z = nn.exp(y) in "exp1"                z = nn.exp(y) in "exp1"
v = nn.add(y, z) in "add1"             v = nn.add(y, z) in "add1"

A layer is a head (a product, a pool, a reduction, a normalization, or an elementwise node) and
elementwise nodes of the shape of its result, each of which reads the one before it once, and
besides constants and results of other layers.  Only what its last node gives is read outside.
Whatever else there is makes a layer alone.
"""

from __future__ import annotations

from compiler.ir.module import Function
from compiler.levels.network.editing import edit, read_once
from compiler.levels.network.network import Network, Node
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine

HEADS = ("product", "window", "reduction", "normalizing", "elementwise")
"""Families of which an operator may have elementwise ones behind it."""
ALONE = ("argmax", "argmin", "cumulative_sum")
"""Of these families those that have none."""


def run(function: Function, machine: Machine | None, options: NoOptions) -> Changes:
    return edit(function, fuse)


def fuse(network: Network, changes: Changes) -> None:
    """Order the nodes by layers, and name those."""
    groups = _groups(network)
    place = {node: k for k, node in enumerate(network.nodes)}
    groups.sort(key=lambda nodes: place[nodes[-1]])
    before = [(node, node.layer) for node in network.nodes]
    for name, nodes in zip(_names(groups), groups, strict=True):
        for node in nodes:
            node.layer = name
    network.nodes = [node for nodes in groups for node in nodes]
    if before != [(node, node.layer) for node in network.nodes]:
        changes.count("layers", len(groups))
        changes.count("nodes behind a head", sum(len(nodes) - 1 for nodes in groups))


def _groups(network: Network) -> list[list[Node]]:
    """The layers.  Products come first, so that a sum of two branches is part of one of theirs."""
    once, readers = read_once(network), network.readers()
    taken: set[Node] = set()
    groups = []
    for family in (*HEADS, ""):
        for node in network.nodes:
            if node in taken or (family and node.operator.family != family):
                continue
            group = [node]
            if node.operator.family in HEADS and node.operator.name not in ALONE:
                _extend(network, group, once, readers, taken)
            taken.update(group)
            groups.append(group)
    return groups


def _extend(
    network: Network,
    group: list[Node],
    once: set[str],
    readers: dict[str, list[Node]],
    taken: set[Node],
) -> None:
    shape = network.types[group[0].results[0]].shape
    while (tensor := group[-1].results[0]) in once:
        (node,) = readers[tensor]
        is_fit = node.operator.family == "elementwise" and node not in taken
        if not is_fit or network.types[node.results[0]].shape != shape:
            break
        group.append(node)


def _names(groups: list[list[Node]]) -> list[str]:
    """A name for each layer: that of its head's layer so far, or else its operator; where several
    would have one, the first that is more than elements that move keeps it."""

    def is_minor(k: int) -> bool:
        return groups[k][0].operator.family not in HEADS

    found: dict[int, str] = {}
    taken: set[str] = set()
    for k in sorted(range(len(groups)), key=lambda k: (is_minor(k), k)):
        head = groups[k][0]
        base = name = head.layer or head.operator.name
        if name in taken and head.layer:
            base = name = f"{head.layer}.{head.operator.name}"
        number = 1
        while name in taken:
            number += 1
            name = f"{base}.{number}"
        taken.add(name)
        found[k] = name
    return [found[k] for k in range(len(groups))]


PLUGIN = Pass(
    "fuse_layers",
    "Give nodes that are lowered together the name of one layer.",
    run,
    forms={"network": "network"},
)
