"""Transpositions move towards the end, through what does not care, until two cancel:

t = nn.transpose(x) {order: (0, 3, 1, 2)}
y = nn.relu(t)                                   ->    y.0312 = nn.relu(x)
z = nn.transpose(y) {order: (0, 2, 3, 1)}              w = nn.conv(y.0312, k)
w = nn.conv(z, k)

They go through elementwise operators, whose other operands are transposed the same, constants (they
are transposed at once), or moved without moving an element; through reductions, concatenations,
slices, pads, broadcasts, gathers, normalizations of a last axis that stays the last one, and
reshapes that only take apart, or bring together, axes that stand together.  What only moves axes of
1 becomes a reshape.

A tensor that has come to be in another order is called as it was, and after the order behind a dot.
There are four ways: with reshapes that bring axes together which first have to be put beside each
other, or not; with transpositions that go on to each of several readers, or are made before those.
What moves the fewest elements is taken, if that is fewer than before.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from compiler.ir.module import Function
from compiler.levels.network.constants import reshaped, transposed
from compiler.levels.network.editing import edit, new_name
from compiler.levels.network.layouts import (
    Order,
    composed,
    gathered,
    inverse,
    is_plain,
    moves_nothing,
    replaced,
    through_reshape,
    transposed_shape,
    without,
)
from compiler.levels.network.network import Network, Node
from compiler.levels.network.operators import OPERATORS
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine

ROWS = ("softmax", "log_softmax", "layer_norm", "rms_norm", "topk")
"""Operators along the last axis."""
ALONG = ("argmax", "argmin", "cumulative_sum")
"""Operators with an attribute `axis`."""


@dataclass(frozen=True)
class Late:
    """A tensor that is the transposed one of another, which is there."""

    source: str
    order: Order


def run(function: Function, machine: Machine | None, options: NoOptions) -> Changes:
    return edit(function, cancel)


def cancel(network: Network, changes: Changes) -> Network:
    """A network with fewer elements moved, or the same."""
    made = [_Mover(network, *way).moved() for way in product((True, False), repeat=2)]
    best = min((network, *made), key=moved_elements)
    if best is not network:
        for when, one in (("before", network), ("after", best)):
            count = sum(node.operator.name == "transpose" for node in one.nodes)
            changes.count(f"transpositions {when}", count)
    return best


def moved_elements(network: Network) -> int:
    """By transpositions."""
    return sum(
        network.types[node.results[0]].count
        for node in network.nodes
        if node.operator.name == "transpose"
    )


class _Mover:
    """Writes a network again, in its order.

    gathers  whether axes are put beside each other for a reshape, and no others moved
    shares   whether what several read may be late
    late     the tensors that are not there yet
    """

    def __init__(self, network: Network, gathers: bool, shares: bool):
        self.old, self.gathers, self.shares = network, gathers, shares
        self.readers = network.readers()
        self.new = Network(list(network.inputs), dict(network.constants), [], dict(network.outputs))
        self.new.types = {n: network.types[n] for n in (*network.inputs, *network.constants)}
        self.reserved = set(network.types)
        self.late: dict[str, Late] = {}
        self.aligned: dict[tuple[str, tuple[int, ...]], str] = {}

    def moved(self) -> Network:
        for node in self.old.nodes:
            if node.operator.name == "transpose":
                (x,), order = node.operands, node.attributes["order"]
                before = self.late.get(x, Late(x, tuple(range(len(order)))))
                self.late[node.results[0]] = Late(before.source, composed(before.order, order))
            elif not self.passed(node):
                operands = tuple(self.there(name, node) for name in node.operands)
                self.put(node, node.results, operands, node.attributes)
            if not self.shares:
                self._make_shared(node)
        last = self.old.nodes[-1] if self.old.nodes else None
        for output, tensor in self.new.outputs.items():
            if tensor in self.late:
                self.new.outputs[output] = self.there(tensor, last)
        return self.new

    def _make_shared(self, node: Node) -> None:
        for name in node.results:
            late = self.late.get(name)
            if late and len(self.readers[name]) > 1 and not is_plain(late.order):
                self.there(name, node)
                del self.late[name]

    # Tensors

    def put(
        self,
        like: Node,
        results: tuple[str, ...],
        operands: tuple[str, ...],
        attributes: dict,
        operator: str = "",
    ) -> None:
        """A node in the place of one of the old network."""
        row = OPERATORS[operator] if operator else like.operator
        types = row.types([self.new.types[name] for name in operands], attributes)
        self.new.types |= dict(zip(results, types, strict=True))
        self.new.nodes.append(Node(row, results, operands, attributes, like.layer, like.location))

    def there(self, name: str, reader: Node) -> str:
        """The name of a tensor that is there; one that is late is transposed now."""
        late = self.late.get(name)
        if late is None:
            return name
        if is_plain(late.order):
            return late.source
        if name not in self.new.types:
            shape = self.new.types[late.source].shape
            if moves_nothing(shape, late.order):
                attributes = {"shape": transposed_shape(shape, late.order)}
                self.put(reader, (name,), (late.source,), attributes, "reshape")
            else:
                self.put(reader, (name,), (late.source,), {"order": late.order}, "transpose")
        return name

    def name(self, stem: str, order: Order) -> str:
        """One that no tensor has, for a tensor in another order."""
        name = stem if is_plain(order) else f"{stem}.{''.join(map(str, order))}"
        while name in self.reserved and name != stem:
            name = new_name(self.new, f"{name}_")
        self.reserved.add(name)
        return name

    # Operators

    def passed(self, node: Node) -> bool:
        """Whether an operator was put where its operands are not transposed yet; its results are
        late then."""
        if not any(name in self.late for name in node.operands):
            return False
        kind, operator = node.operator.family, node.operator.name
        if kind == "elementwise":
            return self._elementwise(node)
        if operator == "concat":
            return self._concat(node)
        if operator == "matmul":
            return self._matmul(node)
        first = self.late.get(node.operands[0])
        if first is None or is_plain(first.order):
            return False
        if operator in ROWS:
            return self._rows(node, first)
        rule = {"gather": self._gather, "reshape": self._reshape, "slice": self._slice,
                "pad": self._pad, "broadcast": self._broadcast}.get(operator)  # fmt: skip
        if rule is None and operator in ALONG:
            rule = self._along
        if rule is None and kind == "reduction":
            rule = self._reduction
        return rule is not None and rule(node, first)

    def _result(self, node: Node, source: tuple[str, ...], attributes: dict, order: Order) -> bool:
        """Put the node, with results that are late in an order."""
        names = tuple(self.name(result, order) for result in node.results)
        self.put(node, names, source, attributes)
        for result, name in zip(node.results, names, strict=True):
            if result != name:
                self.late[result] = Late(name, order)
        return True

    def _elementwise(self, node: Node) -> bool:
        rank = len(self.old.types[node.results[0]].shape)
        orders = [
            self.late[name].order
            for name in node.operands
            if name in self.late
            and len(self.late[name].order) == rank
            and not is_plain(self.late[name].order)
        ]
        for order in dict.fromkeys(orders):
            operands = [self._aligned(name, order, node) for name in node.operands]
            if None not in operands:
                return self._result(node, tuple(operands), node.attributes, order)
        return False

    def _aligned(self, name: str, order: Order, node: Node) -> str | None:
        """A tensor that, transposed by an order, is broadcast as this one; None if elements would
        have to move."""
        late = self.late.get(name)
        if late is not None and late.order == order:
            return late.source
        shape, rank = self.old.types[name].shape, len(order)
        if self.old.types[name].count == 1:
            return self.there(name, node)
        full = (1,) * (rank - len(shape)) + shape
        back = inverse(order)
        if name in self.new.constants:
            return self._constant(name, full, back)
        if moves_nothing(full, back):
            source, wanted = self.there(name, node), transposed_shape(full, back)
            if wanted == shape:
                return source
            if (source, wanted) not in self.aligned:
                self.aligned[source, wanted] = self.name(name, back)
                made = (self.aligned[source, wanted],)
                self.put(node, made, (source,), {"shape": wanted}, "reshape")
            return self.aligned[source, wanted]
        return None

    def _constant(self, name: str, full: tuple[int, ...], order: Order) -> str:
        """A constant in full rank, transposed."""
        constant = self.new.constants[name]
        short = len(full) - len(constant.type.shape)
        if short:
            # Axes of 1 in front are of no use to who broadcasts.
            if all(axis >= short for axis in order[short:]) and is_plain(order[:short]):
                order = tuple(axis - short for axis in order[short:])
            else:
                constant = reshaped(constant, full)
        if is_plain(order):
            return name
        made = transposed(constant, order)
        if (name, order) not in self.aligned:
            found = self.aligned[name, order] = self.name(name, order)
            self.new.constants[found], self.new.types[found] = made, made.type
        return self.aligned[name, order]

    def _concat(self, node: Node) -> bool:
        orders = [self.late[name].order for name in node.operands if name in self.late]
        order = orders[0]
        if is_plain(order):
            return False
        operands = [self._aligned(name, order, node) for name in node.operands]
        ranks_fit = [
            name is not None and len(self.new.types[name].shape) == len(order) for name in operands
        ]
        if not all(ranks_fit):
            return False
        return self._result(node, tuple(operands), {"axis": order[node.attributes["axis"]]}, order)

    def _matmul(self, node: Node) -> bool:
        """A transposed right operand is one that the product reads as it is."""
        a, b = node.operands
        late = self.late.get(b)
        rank = len(self.old.types[b].shape)
        if late is None or late.order != (*range(rank - 2), rank - 1, rank - 2):
            return False
        attributes = dict(node.attributes)
        attributes["transposed"] = not attributes["transposed"]
        self.put(node, node.results, (self.there(a, node), late.source), attributes)
        return True

    def _rows(self, node: Node, late: Late) -> bool:
        if late.order[-1] != len(late.order) - 1:
            return False
        others = tuple(self.there(name, node) for name in node.operands[1:])
        return self._result(node, (late.source, *others), node.attributes, late.order)

    def _along(self, node: Node, late: Late) -> bool:
        axis = node.attributes["axis"]
        is_kept = node.operator.name == "cumulative_sum"
        order = late.order if is_kept else without(late.order, (axis,))
        attributes = {**node.attributes, "axis": late.order[axis]}
        return self._result(node, (late.source,), attributes, order)

    def _reduction(self, node: Node, late: Late) -> bool:
        axes = node.attributes["axes"]
        attributes = {"axes": tuple(sorted(late.order[axis] for axis in axes))}
        return self._result(node, (late.source,), attributes, without(late.order, axes))

    def _slice(self, node: Node, late: Late) -> bool:
        return self._result(node, (late.source,), _by_axis(node, late.order), late.order)

    def _pad(self, node: Node, late: Late) -> bool:
        return self._result(node, (late.source,), _by_axis(node, late.order), late.order)

    def _broadcast(self, node: Node, late: Late) -> bool:
        shape, rank = node.attributes["shape"], len(late.order)
        more = len(shape) - rank
        order = (*range(more), *(axis + more for axis in late.order))
        attributes = {"shape": transposed_shape(shape, inverse(order))}
        return self._result(node, (late.source,), attributes, order)

    def _gather(self, node: Node, late: Late) -> bool:
        _, places = node.operands
        axis, count = node.attributes["axis"], len(self.old.types[places].shape)
        order = replaced(late.order, axis, count)
        operands = late.source, self.there(places, node)
        return self._result(node, operands, {"axis": late.order[axis]}, order)

    def _reshape(self, node: Node, late: Late) -> bool:
        shape, source = node.attributes["shape"], late.source
        found = through_reshape(self.new.types[source].shape, late.order, shape)
        if found is None and self.gathers:
            order = gathered(self.new.types[source].shape, late.order, shape)
            source = self.name(node.operands[0], composed(inverse(order), late.order))
            self.put(node, (source,), (late.source,), {"order": order}, "transpose")
            rest = composed(inverse(order), late.order)
            found = through_reshape(self.new.types[source].shape, rest, shape)
        if found is None:
            return False
        shape, order = found
        return self._result(node, (source,), {"shape": shape}, order)


def _by_axis(node: Node, order: Order) -> dict:
    """Attributes that have a number for each axis, as those of the source."""
    back = inverse(order)
    return {
        name: transposed_shape(value, back) if isinstance(value, tuple) else value
        for name, value in node.attributes.items()
    }


PLUGIN = Pass(
    "cancel_transposes",
    "Move transpositions towards the end, and cancel those that meet.",
    run,
    forms={"network": "network"},
)
