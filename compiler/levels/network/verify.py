"""What every network must satisfy; all findings at once."""

from __future__ import annotations

from collections.abc import Iterator

from compiler.levels.network.checking import applied
from compiler.levels.network.network import Network, Node, Unfit
from compiler.levels.network.parsing import ELEMENTS
from machines.elements import DTYPES
from machines.levels.network.tensors import Constant, Stored, TensorType


def verify_network(network: Network) -> list[str]:
    """What is wrong with a network, in its order; nothing is, if the list is empty."""
    return [*_findings(network)]


def _findings(network: Network) -> Iterator[str]:
    known: set[str] = set()
    for name in [*network.inputs, *network.constants]:
        yield from _new_tensor(network, name, known, f"'{name}'")
    for name, constant in network.constants.items():
        yield from _of_constant(network, name, constant)
    for node in network.nodes:
        yield from _of_node(network, node, known)
    for output, tensor in network.outputs.items():
        if tensor not in known:
            yield f"output '{output}': there is no tensor '{tensor}'"
    for name in network.types:
        if name not in known:
            yield f"'{name}' has a type, but nothing makes it"
    yield from _scattered_layers(network)


def _at(node: Node) -> str:
    place = f" ({node.location})" if node.location else ""
    return f"{', '.join(node.results)} = nn.{node.operator.name}{place}"


def _new_tensor(network: Network, name: str, known: set[str], where: str) -> Iterator[str]:
    if name in known:
        yield f"{where}: there is a tensor '{name}' already"
    known.add(name)
    type = network.types.get(name)
    if type is None:
        yield f"{where}: '{name}' has no type"
    elif type.element not in ELEMENTS.values() or any(extent < 1 for extent in type.shape):
        yield f"{where}: no tensor is {type}"


def _of_constant(network: Network, name: str, constant: Constant) -> Iterator[str]:
    type, elements = constant.type, constant.elements
    if network.types.get(name) != type:
        yield f"'{name}' is {network.types.get(name)}, its constant {type}"
    if constant.order and sorted(constant.order) != list(range(len(type.shape))):
        yield f"'{name}': its order {constant.order} has not each axis once"
    elif not isinstance(elements, Stored):
        axes = constant.order or range(elements.ndim)
        shape = tuple(elements.shape[axis] for axis in axes)
        if shape != type.shape or elements.dtype != DTYPES[type.element.name]:
            yield f"'{name}' is {type}, its elements are {elements.dtype}{list(shape)}"


def _of_node(network: Network, node: Node, known: set[str]) -> Iterator[str]:
    where = _at(node)
    missing = [name for name in node.operands if name not in known]
    yield from (f"{where}: there is no tensor '{name}' yet" for name in missing)
    for name in node.results:
        yield from _new_tensor(network, name, known, where)
    if missing:
        return
    given: list[TensorType] = [network.types[name] for name in node.operands]
    try:
        attributes, results = applied(node.operator, given, node.attributes)
    except Unfit as unfit:
        yield f"{where}: {unfit}"
        return
    if attributes.keys() != node.attributes.keys():
        yield f"{where}: attributes are left out: {', '.join(attributes - node.attributes.keys())}"
    stated = tuple(network.types.get(name) for name in node.results)
    if stated != results:
        shown = [", ".join(map(str, types)) for types in (results, stated)]
        yield f"{where}: it gives {shown[0]}, not {shown[1]}"


def _scattered_layers(network: Network) -> Iterator[str]:
    """The nodes of a layer stand together."""
    done: set[str] = set()
    last = ""
    for node in network.nodes:
        if node.layer != last and node.layer in done:
            yield f"{_at(node)}: others stand between it and the rest of layer '{node.layer}'"
        if node.layer:
            done.add(node.layer)
        last = node.layer
