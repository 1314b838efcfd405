"""Making networks: every node is checked when it is added."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from compiler.levels.network.checking import applied
from compiler.levels.network.network import (
    Attribute,
    Attributes,
    Constant,
    Network,
    Node,
    TensorType,
    Unfit,
)
from compiler.levels.network.operators import OPERATORS
from machines.diagnostics import Location, input_error, nearest
from machines.elements import type_of

_ODD = re.compile(r"[^A-Za-z0-9_.]+")


class NetworkBuilder:
    """Adds inputs, constants and nodes one after another, and gives their tensors by name.

    >>> from machines.types import F32
    >>> build = NetworkBuilder()
    >>> x = build.input("x", TensorType(F32, (2, 3)))
    >>> y = build.emit("add", x, build.constant(np.ones(3, "f4"), "one"), layer="first")
    >>> build.output("y", y)
    >>> str(build.type(y))
    'f32[2, 3]'
    """

    def __init__(self) -> None:
        self._network = Network()
        self._counts: dict[str, int] = {}

    def input(self, name: str, type: TensorType, location: Location | None = None) -> str:
        """A tensor that the caller gives."""
        self._network.inputs.append(self._named(name, type, location))
        return self._network.inputs[-1]

    def constant(
        self, value: np.ndarray | Constant, name: str = "", location: Location | None = None
    ) -> str:
        """A tensor that is known: elements as `machines.elements` has them, or a `Constant`."""
        if isinstance(value, np.ndarray):
            value = Constant(TensorType(type_of(value.dtype), value.shape), value)
        found = self._named(name or self._new("c"), value.type, location)
        self._network.constants[found] = value
        return found

    def emit(
        self,
        operator: str,
        *operands: str,
        name: str = "",
        layer: str = "",
        location: Location | None = None,
        **attributes: Attribute,
    ) -> str:
        """A node of one result; gives its name."""
        return self.emit_all(
            operator, *operands, name=name, layer=layer, location=location, **attributes
        )[0]

    def emit_all(
        self,
        operator: str,
        *operands: str,
        name: str = "",
        layer: str = "",
        location: Location | None = None,
        **attributes: Attribute,
    ) -> tuple[str, ...]:
        """A node; gives the names of its results: `name`, or one made of the operator's, then
        `name.1`."""
        names = (name,) if name else ()
        return self.add(operator, operands, attributes, names, layer, location)

    def add(
        self,
        operator: str,
        operands: Sequence[str],
        attributes: Attributes,
        names: Sequence[str] = (),
        layer: str = "",
        location: Location | None = None,
    ) -> tuple[str, ...]:
        """A node whose results have names, or some of them; gives all.

        Raises InputError at the location where operands or attributes do not fit.
        """
        row = OPERATORS.get(operator)
        if row is None:
            hint = nearest(operator, OPERATORS)
            raise input_error(f"there is no operator nn.{operator}", location, hint=hint)
        for operand in operands:
            if operand not in self._network.types:
                hint = nearest(operand, self._network.types)
                raise input_error(f"there is no tensor '{operand}' yet", location, hint=hint)
        types = [self._network.types[operand] for operand in operands]
        try:
            complete, results = applied(row, types, attributes)
        except Unfit as unfit:
            raise input_error(f"nn.{operator}: {unfit}", location, hint=of_types(types)) from None
        if len(names) > len(results):
            message = f"nn.{operator} gives {len(results)}, not {len(names)}"
            raise input_error(message, location, hint="name as many")
        first = names[0] if names else self._new(operator)
        found = (*names, *(f"{first}.{k}" if k else first for k in range(len(names), len(results))))
        for name, type in zip(found, results, strict=True):
            self._named(name, type, location)
        self._network.nodes.append(Node(row, found, tuple(operands), complete, layer, location))
        return found

    def output(self, name: str, tensor: str, location: Location | None = None) -> None:
        """A result, by the name under which the caller has it."""
        if tensor not in self._network.types:
            hint = nearest(tensor, self._network.types)
            raise input_error(f"there is no tensor '{tensor}' to put out", location, hint=hint)
        if name in self._network.outputs:
            raise input_error(f"there is an output '{name}' already", location, hint="rename one")
        self._network.outputs[name] = tensor

    def type(self, tensor: str) -> TensorType:
        """Of a tensor that is there."""
        return self._network.types[tensor]

    def network(self) -> Network:
        """What was built; nothing else may be added."""
        return self._network

    def _named(self, name: str, type: TensorType, location: Location | None) -> str:
        if name in self._network.types:
            raise input_error(f"there is a tensor '{name}' already", location, hint="rename one")
        self._network.types[name] = type
        return name

    def _new(self, stem: str) -> str:
        """A name that no tensor has."""
        while True:
            self._counts[stem] = self._counts.get(stem, 0) + 1
            if (name := f"{stem}{self._counts[stem]}") not in self._network.types:
                return name


def of_types(types: list[TensorType]) -> str:
    """A hint that tells what an operator was applied to."""
    return f"its operands are {', '.join(map(str, types))}" if types else "it has no operands"


def as_name(text: str) -> str:
    """A name that the text form has, made of any: what it has not becomes '_'."""
    found = _ODD.sub("_", text) or "_"
    return found if found[0].isalpha() or found[0] == "_" else f"_{found}"
