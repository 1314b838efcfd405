"""Nodes that nobody reads and constants likewise go; so do nodes that give what they are given:

y = nn.reshape(x) {shape: (2, 3)}      x is f32[2, 3] already: who reads y reads x
z = nn.relu(x)                         (dead: nothing reads z)
"""

from __future__ import annotations

from compiler.ir.module import Function
from compiler.levels.network.editing import edit, note, remove, substitute
from compiler.levels.network.network import Network, Node
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine


def run(function: Function, machine: Machine | None, options: NoOptions) -> Changes:
    return edit(function, clean)


def clean(network: Network, changes: Changes) -> None:
    """Take away what does nothing, and then what nobody needs."""
    idle = [node for node in network.nodes if does_nothing(network, node)]
    for node in idle:
        note(changes, "does nothing", node)
    substitute(network, {node.results[0]: node.operands[0] for node in idle})
    remove(network, idle)
    needed, dead = set(network.outputs.values()), []
    for node in reversed(network.nodes):
        if needed.isdisjoint(node.results):
            dead.append(node)
            note(changes, "nobody reads it", node)
        else:
            needed.update(node.operands)
    remove(network, dead)
    for name in [name for name in network.constants if name not in needed]:
        del network.constants[name], network.types[name]
        changes.count("constants that nobody reads")


def does_nothing(network: Network, node: Node) -> bool:
    """Whether a node moves no element."""
    attributes = node.attributes
    match node.operator.name:
        case "reshape" | "broadcast":
            return attributes["shape"] == network.types[node.operands[0]].shape
        case "transpose":
            return attributes["order"] == tuple(range(len(attributes["order"])))
        case "slice":
            whole = network.types[node.operands[0]].shape
            return attributes["sizes"] == whole and min(attributes["steps"], default=1) > 0
        case "pad":
            return not any(attributes["before"] + attributes["after"])
        case "concat":
            return len(node.operands) == 1
    return False


PLUGIN = Pass(
    "remove_dead_nodes",
    "Remove nodes and constants that nobody reads, and nodes that change nothing.",
    run,
    forms={"network": "network"},
)
