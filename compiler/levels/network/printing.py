"""Networks as text, which `parsing` reads."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator

import numpy as np

from compiler.levels.network.network import Attribute, Network, Node
from compiler.levels.network.tokens import NAME
from machines.elements import as_numbers, in_memory
from machines.levels.network.tensors import Constant, Stored
from machines.types import Type

FEW = 16
"""Elements of a constant that a text to be looked at lists."""


def print_network(name: str, network: Network, all_elements: bool = True) -> str:
    """The text of a network; without `all_elements` those of large constants are left out, and
    what is left is to be looked at."""
    inputs = _typed(network, network.inputs)
    outputs = ", ".join(f"{_name(n)}: {network.types[t]}" for n, t in network.outputs.items())
    lines = [f"network @{name}({inputs}) -> ({outputs}) {{"]
    for tensor, constant in network.constants.items():
        lines.append(f"    {_typed(network, [tensor])} = {_constant(constant, all_elements)}")
    lines += [f"    {line}" for line in _nodes(network)]
    returned = ", ".join(f"{_name(n)} = {_name(t)}" for n, t in network.outputs.items())
    return "\n".join([*lines, f"    return {returned}".rstrip(), "}", ""])


def _nodes(network: Network) -> Iterator[str]:
    for node in network.nodes:
        attributes = given_attributes(network, node)
        inside = ", ".join(f"{name}: {_value(value)}" for name, value in attributes.items())
        braces = f" {{{inside}}}" if inside else ""
        layer = f" in {json.dumps(node.layer)}" if node.layer else ""
        operands = ", ".join(map(_name, node.operands))
        head = _typed(network, node.results)
        yield f"{head} = nn.{node.operator.name}({operands}){braces}{layer}"


def given_attributes(network: Network, node: Node) -> dict[str, Attribute]:
    """Those of a node that are not what they are if they are left out."""
    types, found = network.operand_types(node), {}
    for name, kind in node.operator.attributes.items():
        default = kind.default(types, node.attributes) if callable(kind.default) else kind.default
        value = node.attributes[name]
        if default is None or value != default or str(value) != str(default):
            found[name] = value
    return found


def _name(name: str) -> str:
    return name if NAME.fullmatch(name) and name not in ("return",) else json.dumps(name)


def _typed(network: Network, names: Iterable[str]) -> str:
    return ", ".join(f"{_name(name)}: {network.types[name]}" for name in names)


def _value(value: Attribute) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"({', '.join(map(str, value))})"
    if isinstance(value, Type):
        return str(value)
    if isinstance(value, str):
        return value if NAME.fullmatch(value) else json.dumps(value)
    return _number(value)


def _number(value: int | float) -> str:
    if isinstance(value, float) and math.isnan(value):
        return "nan"
    return repr(value)


def _constant(constant: Constant, all_elements: bool) -> str:
    stored = constant.elements
    if isinstance(stored, Stored):
        order = f", {_value(constant.order)}" if constant.order else ""
        return f"stored({json.dumps(stored.file)}, {stored.offset}{order})"
    if constant.words and not constant.order:
        return constant.words
    elements = np.transpose(stored, constant.order) if constant.order else stored
    values = as_numbers(elements)
    if _is_zeros(elements):
        return "zeros"
    if values.dtype == np.float16:
        values = values.astype(np.float64)
    flat = values.reshape(-1)
    shown = flat if all_elements else flat[:FEW]
    numbers = ", ".join(map(_number, shown.tolist()))
    return f"[{numbers}{', …' if len(shown) < len(flat) else ''}]"


def _is_zeros(elements: np.ndarray) -> bool:
    """Whether all are +0; one number is told as it is."""
    return elements.size > 1 and not in_memory(elements).any()
