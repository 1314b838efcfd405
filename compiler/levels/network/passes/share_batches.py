"""Batches of a product that have one right operand become more rows of one batch, as the heads of
queries that share a head of keys:

k5 = nn.reshape(k) {shape: (1, 2, 1, 34, 8)}
kb = nn.broadcast(k5) {shape: (1, 2, 3, 34, 8)}        q6 = nn.reshape(q) {shape: (1, 2, 3, 8)}
kr = nn.reshape(kb) {shape: (1, 6, 34, 8)}        ->   s6 = nn.matmul(q6, k) {transposed: true}
s = nn.matmul(q, kr) {transposed: true}                s = nn.reshape(s6) {shape: (1, 6, 1, 34)}

Every sum is the one that it was; what is repeated is written nowhere.
"""

from __future__ import annotations

from compiler.ir.module import Function
from compiler.levels.network.editing import edit, new_name, note
from compiler.levels.network.layouts import Shape
from compiler.levels.network.network import Network, Node
from compiler.levels.network.operators import OPERATORS
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine


def run(function: Function, machine: Machine | None, options: NoOptions) -> Changes:
    return edit(function, share)


def share(network: Network, changes: Changes) -> None:
    """Rewrite every product whose right operand is repeated along the last of its batches."""
    producer, nodes = network.producer(), []
    for node in network.nodes:
        source = _repeated(network, producer, node)
        if source is None:
            nodes.append(node)
        else:
            nodes += _shared(network, node, source)
            note(changes, "batches that share an operand", node)
    network.nodes = nodes


def _repeated(network: Network, producer: dict[str, Node], node: Node) -> str | None:
    """What the right operand of a product has several times one behind another along its last
    batch, as many times in each batch of the left one; None if it has nothing so."""
    if node.operator.name != "matmul":
        return None
    left, right = (network.types[name].shape for name in node.operands)
    if len(left) != len(right) or left[:-2] != right[:-2]:
        return None
    made = producer.get(node.operands[1])
    if made is None or made.operator.name != "reshape":
        return None
    broadcast = producer.get(made.operands[0])
    if broadcast is None or broadcast.operator.name != "broadcast":
        return None
    before, after = (
        network.types[name].shape for name in (*broadcast.operands, *broadcast.results)
    )
    *_, times, rows, columns = after
    once = len(before) == len(after) > 3 and before == (*after[:-3], 1, rows, columns)
    joined = (*after[:-4], after[-4] * times, rows, columns)
    return broadcast.operands[0] if once and joined == right else None


def _shared(network: Network, node: Node, source: str) -> list[Node]:
    """The nodes in the place of a product, of which the last has its result."""
    (result,) = node.results
    left = node.operands[0]
    *outer, batches, _, rows, columns = network.types[source].shape
    *_, heads, m, k = network.types[left].shape
    made: list[Node] = []

    def put(operator: str, operands: tuple[str, ...], attributes: dict, name: str) -> str:
        row = OPERATORS[operator]
        (network.types[name],) = row.types([network.types[one] for one in operands], attributes)
        made.append(Node(row, (name,), operands, attributes, node.layer, node.location))
        return name

    def reshaped(tensor: str, shape: Shape) -> str:
        return put("reshape", (tensor,), {"shape": shape}, new_name(network, f"{tensor}.shared"))

    more = reshaped(left, (*outer, batches, heads // batches * m, k))
    once = reshaped(source, (*outer, batches, rows, columns))
    found = put("matmul", (more, once), node.attributes, new_name(network, f"{result}.shared"))
    put("reshape", (found,), {"shape": network.types[result].shape}, result)
    return made


PLUGIN = Pass(
    "share_batches",
    "Make batches of a product that have one right operand rows of one batch.",
    run,
    forms={"network": "network"},
)
