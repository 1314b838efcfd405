"""The bytes of DRAM that layers cannot do without: what each reads of others, weights included, and
what it makes that others read or the caller has, every element once.

Of an operand of which a node needs a part, it is that part: what a slice takes, the points over
which windows come, all but the last of each row whose sums leave that out; of a gather's table and
of a scatter's updates nothing, as places may name one row, or none; of the table of a scatter what
its updates cannot replace.  What a layer moves beyond this it moves again, as it has no room to
keep it, or beside, as lines of DRAM are moved whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from compiler.levels.network.network import Network, Node
from compiler.levels.network.operators.window_geometry import windows
from compiler.targets.cluster.network.layer import Layer, roots_of


def least_bytes(network: Network, layers: Sequence[Layer]) -> dict[str, int]:
    """Of all layers, by name; one that is lowered as several is one.  Constants of one number may
    be in the code, and cost nothing."""
    roots, outputs = roots_of(network), network.outputs.values()
    numbers = {name for name in network.constants if network.types[name].count == 1}
    wanted = {roots[tensor] for tensor in outputs}
    parts: dict[str, list[Layer]] = {}
    readers: dict[str, set[str]] = {}
    for layer in layers:
        parts.setdefault(layer.name, []).append(layer)
        for tensor in layer.reads:
            readers.setdefault(roots[tensor], set()).add(layer.name)
    found = {}
    for name, own in parts.items():
        made = {roots[tensor] for layer in own for tensor in layer.results}
        bytes_of: dict[str, int] = {}
        for layer in own:
            for node in layer.nodes:
                for position, tensor in enumerate(node.operands):
                    root = roots[tensor]
                    if root not in made | numbers and tensor in layer.reads:
                        element = network.types[tensor].element
                        size = element.size(_needed(network, node, position))
                        bytes_of[root] = max(bytes_of.get(root, 0), size)
        for root in made:
            if root in wanted or readers.get(root, set()) - {name}:
                bytes_of[root] = network.types[root].size
        found[name] = sum(bytes_of.values())
    return found


def _needed(network: Network, node: Node, position: int) -> int:
    """Elements of an operand that a node needs."""
    type, result = network.types[node.operands[position]], network.types[node.results[0]]
    family, name = node.operator.family, node.operator.name
    if (name, position) in (("gather", 0), ("scatter", 2), ("scatter_add", 2)):
        return 0
    if position == 0 and name == "scatter":
        return max(type.count - network.types[node.operands[2]].count, 0)
    if name == "cumulative_sum" and node.attributes["exclusive"]:
        return type.count - type.count // type.shape[int(node.attributes["axis"])]
    if position == 0 and name == "slice":
        return min(type.count, result.count)
    if position == 0 and (family == "window" or name == "conv"):
        n, height, width, channels = type.shape
        kernel = node.attributes.get("kernel") or network.types[node.operands[1]].shape[1:3]
        all = windows(height, width, kernel, node.attributes)
        counts = zip((all.high, all.wide), (all.rows, all.columns), (height, width), strict=True)
        points = [
            len(
                {
                    one * all.strides[axis] + point * all.dilations[axis] - all.pads[axis]
                    for one in range(count)
                    for point in range(length)
                }
                & set(range(extent))
            )
            for axis, (count, length, extent) in enumerate(counts)
        ]
        return n * channels * prod(points)
    return type.count
