"""Reshapes move towards the end, behind what works element by element or along the last axis, so
that it stands with what makes the elements; two that meet become one:

m = nn.matmul(x, w)                              m = nn.matmul(x, w)
r = nn.reshape(m) {shape: (2, 8, 16)}      ->    y.16x16 = nn.add(m, b)
y = nn.add(r, b)                                 z = nn.matmul(y.16x16, v)
f = nn.reshape(y) {shape: (16, 16)}
z = nn.matmul(f, v)

Other operands are reshaped, which moves no element: they must be whole, or of one element, along
all axes that a reshape takes apart or brings together.

A tensor that has come to be in another shape is called as it was, and after its shape behind a dot.
"""

from __future__ import annotations

from compiler.ir.module import Function
from compiler.levels.network.constants import reshaped
from compiler.levels.network.editing import edit, new_name
from compiler.levels.network.layouts import Shape, axis_blocks
from compiler.levels.network.network import Network, Node
from compiler.levels.network.operators import OPERATORS
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine
from machines.levels.network.tensors import TensorType

ROWS = ("softmax", "log_softmax", "layer_norm", "rms_norm")
"""Operators along the last axis."""


def run(function: Function, machine: Machine | None, options: NoOptions) -> Changes:
    return edit(function, sink)


def sink(network: Network, changes: Changes) -> Network:
    """The network written again, if reshapes go behind something or meet."""
    sinker = _Sinker(network, changes)
    return sinker.sunk()


class _Sinker:
    """Writes a network again, in its order.

    late  tensors that are not there yet, by what they are the reshaped ones of
    """

    def __init__(self, network: Network, changes: Changes):
        self.old, self.changes = network, changes
        self.new = Network(list(network.inputs), dict(network.constants), [], dict(network.outputs))
        self.new.types = {n: network.types[n] for n in (*network.inputs, *network.constants)}
        self.reserved = set(network.types)
        self.late: dict[str, str] = {}
        self.reshaped: dict[tuple[str, Shape], str] = {}

    def sunk(self) -> Network:
        for node in self.old.nodes:
            if node.operator.name == "reshape":
                (x,) = node.operands
                if x in self.late:
                    self.changes.count("reshapes that meet")
                self.late[node.results[0]] = self.late.get(x, x)
            elif not (self._behind(node) if self._is_passed(node) else False):
                operands = tuple(self._there(name, node) for name in node.operands)
                self._put(node, node.operator.name, node.results, operands, node.attributes)
        for output, tensor in self.new.outputs.items():
            if tensor in self.late:
                self.new.outputs[output] = self._there(tensor, self.old.nodes[-1])
        return self.new

    def _put(
        self, like: Node, operator: str, results: tuple[str, ...], operands: tuple, attributes: dict
    ) -> None:
        row = OPERATORS[operator]
        types = row.types([self.new.types[name] for name in operands], attributes)
        self.new.types |= dict(zip(results, types, strict=True))
        self.new.nodes.append(Node(row, results, operands, attributes, like.layer, like.location))

    def _there(self, name: str, reader: Node) -> str:
        """The name of a tensor that is there; one that is late is reshaped now."""
        if name not in self.late or name in self.new.types:
            return name
        return self._in_shape(self.late[name], self.old.types[name].shape, reader, name)

    def _in_shape(self, source: str, shape: Shape, reader: Node, name: str = "") -> str:
        if self.new.types[source].shape == shape:
            return source
        if (source, shape) not in self.reshaped:
            found = name or self._name(source, shape)
            self.reshaped[source, shape] = found
            if source in self.new.constants:
                constant = reshaped(self.new.constants[source], shape)
                self.new.constants[found], self.new.types[found] = constant, constant.type
            else:
                self._put(reader, "reshape", (found,), (source,), {"shape": shape})
        return self.reshaped[source, shape]

    def _name(self, stem: str, shape: Shape) -> str:
        name = f"{stem}.{'x'.join(map(str, shape)) or 'number'}"
        while name in self.reserved:
            name = new_name(self.new, f"{name}_")
        self.reserved.add(name)
        return name

    def _is_passed(self, node: Node) -> bool:
        is_each = node.operator.family == "elementwise"
        return (is_each or node.operator.name in ROWS) and any(
            n in self.late for n in node.operands
        )

    def _behind(self, node: Node) -> bool:
        """Put a node where its operands are not reshaped yet, if it can be."""
        (result,) = node.results
        shape = self.old.types[result].shape
        for name in node.operands:
            if name in self.late and self.old.types[name].shape == shape:
                source = self.new.types[self.late[name]]
                operands = self._operands(node, shape, source)
                if source.shape != shape and operands is not None:
                    made = self._name(result, source.shape)
                    self._put(node, node.operator.name, (made,), operands, node.attributes)
                    self.late[result] = made
                    self.changes.count("nodes before a reshape")
                    return True
        return False

    def _operands(self, node: Node, shape: Shape, source: TensorType) -> tuple[str, ...] | None:
        """The operands for a result of the source's shape; None if there is no way."""
        names = node.operands
        if node.operator.name in ROWS:
            if not shape or source.shape[-1:] != shape[-1:]:
                return None
            names = node.operands[:1]
        wanted = [_shape_of_part(self.old.types[name].shape, shape, source.shape) for name in names]
        if None in wanted:
            return None
        found = [
            self._in_shape(self.late.get(name, name), extents, node)
            for name, extents in zip(names, wanted, strict=True)
        ]
        others = [self._there(name, node) for name in node.operands[len(names) :]]
        return (*found, *others)


def _shape_of_part(part: Shape, whole: Shape, source: Shape) -> Shape | None:
    """The shape in which what is broadcast to a whole is broadcast to what that was reshaped of."""
    full = (1,) * (len(whole) - len(part)) + part
    found = [1] * len(source)
    for inner, outer in axis_blocks(source, whole):
        extents = {(full[k], whole[k]) for k in outer if whole[k] != 1}
        if all(mine == all for mine, all in extents):
            for k in inner:
                found[k] = source[k]
        elif any(mine != 1 for mine, _ in extents):
            return None
    while found and found[0] == 1 and len(found) > len(part):
        found.pop(0)  # axes in front that nobody needs
    return tuple(found)


PLUGIN = Pass(
    "sink_reshapes",
    "Move reshapes behind what works element by element, and join those that meet.",
    run,
    forms={"network": "network"},
)
