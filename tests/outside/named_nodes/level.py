"""The level: what a list holds, its text, what is wrong with one, and what one means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, ClassVar

import numpy as np

from compiler.ir.module import Function, Module
from machines.diagnostics import Location, input_error
from machines.levels import NO_OPTIONS

OPERATIONS = {"add": np.add, "sub": np.subtract, "mul": np.multiply}


@dataclass(frozen=True)
class Node:
    """`name = operation operand operand`."""

    name: str
    operation: str
    operands: tuple[str, ...]
    location: Location

    def __str__(self) -> str:
        return f"{self.name} = {self.operation} {' '.join(self.operands)}"


@dataclass(frozen=True)
class Nodes:
    """A list: the body of a function."""

    inputs: tuple[str, ...]
    nodes: tuple[Node, ...]
    output: str
    callees: ClassVar[tuple[str, ...]] = ()


def read(
    text: str,
    file: str,
    machine: object = None,
    entries: Sequence[str] = (),
    options: Mapping[str, Any] = NO_OPTIONS,
) -> Module:
    """The module of a file, for the front end."""
    return parse(text, file, options)


def parse(text: str, file: str, options: Mapping[str, Any] = NO_OPTIONS) -> Module:
    """The module of a list: one function, called as the file; raises InputError."""
    inputs, nodes, output = [], [], None
    for number, line in enumerate(text.splitlines(), start=1):
        location = Location(file, number, 1)
        match line.partition("#")[0].split():
            case []:
                continue
            case ["input", name]:
                inputs.append(name)
            case ["output", name]:
                output = name
            case [name, "=", operation, *operands]:
                nodes.append(Node(name, operation, tuple(operands), location))
            case _:
                hint = "write 'input x', 'y = add x x' or 'output y'"
                raise input_error("this is no node", location, source=text, hint=hint)
    if output is None:
        raise input_error("the list has no output", Location(file, 1), hint="write 'output y'")
    name = PurePath(file).stem
    function = Function(name, location=Location(file, 1, 1))
    function.body = Nodes(tuple(inputs), tuple(nodes), output)
    return Module({name: function}, source=text, form="nodes", entry=name)


def text_of(function: Function) -> str:
    """The list as text."""
    body = function.body
    inputs = [f"input {name}" for name in body.inputs]
    return "\n".join([*inputs, *map(str, body.nodes), f"output {body.output}"]) + "\n"


def findings(function: Function) -> list[str]:
    """Names that are not there or twice, operations that nobody knows."""
    known, found = set(function.body.inputs), []
    for node in function.body.nodes:
        if node.operation not in OPERATIONS:
            found.append(f"line {node.location.line}: there is no operation '{node.operation}'")
        elif len(node.operands) != 2:
            found.append(f"line {node.location.line}: '{node.operation}' takes two operands")
        missing = [name for name in node.operands if name not in known]
        found += [f"line {node.location.line}: there is no '{name}' yet" for name in missing]
        if node.name in known:
            found.append(f"line {node.location.line}: '{node.name}' is there already")
        known.add(node.name)
    if function.body.output not in known:
        found.append(f"there is no '{function.body.output}' to put out")
    return found


def interpret(function: Function, arguments: Sequence[Any]) -> list[float]:
    """What the list gives for arrays."""
    values = dict(zip(function.body.inputs, (np.float32(a) for a in arguments), strict=True))
    for node in function.body.nodes:
        values[node.name] = OPERATIONS[node.operation](*(values[name] for name in node.operands))
    return values[function.body.output].tolist()
