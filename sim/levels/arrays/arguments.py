"""The arguments of a function of arrays, as what carries them: `machines.levels.arrays.types`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from machines.description.strict_yaml import Node
from machines.diagnostics import Diagnostic, InputError, nearest
from machines.elements import DTYPES
from machines.later import Later
from machines.levels.arrays.function import ArrayFunction
from machines.levels.arrays.types import Array, Tuple
from sim.forms import Wanted
from sim.workload.inputs import make_input
from sim.workload.nested import LENGTHS, PARTS, VALUES, is_rows, is_tuple

np = Later("numpy")


@dataclass
class Arguments:
    """Arguments that were read.

    carried  by carrier: scalars are arrays without axes
    named    by the name that expressions have for it, in its own shape
    """

    folder: Path
    carried: dict[str, np.ndarray] = field(default_factory=dict)
    named: dict[str, np.ndarray] = field(default_factory=dict)

    def read(self, node: Node, type: Any, name: str) -> None:
        """Read one; raises InputError."""
        if isinstance(type, Tuple):
            for k, (part, own) in enumerate(_parts(node, type, type, name)):
                self.read(part, own, f"{name}.{k}")
        elif isinstance(type, Array):
            self.carried[f"{name}.length"] = np.asarray(self._elements(node, type.element, name))
        else:
            _refuse_nested(node, type, name)
            self.carried[name] = make_input(node, Wanted(name, type), self.folder)
            self._name(node, name, self.carried[name])

    def _elements(self, node: Node, type: Any, name: str) -> int:
        """Read the columns of an array's elements; gives how many there are."""
        if isinstance(type, Tuple):
            pairs = _parts(node, type, Array(type), name)
            counts = [self._elements(p, own, f"{name}.{k}") for k, (p, own) in enumerate(pairs)]
            if len(set(counts)) > 1:
                message = f"the parts of '{name}' have {' and '.join(map(str, counts))} elements"
                hint = "an array of tuples is a tuple of arrays of one length"
                raise InputError(node.finding(message, hint))
            return counts[0]
        if isinstance(type, Array) and is_rows(node):
            return self._rows(node, type.element, name)
        return self._regular(node, type, name)

    def _rows(self, node: Node, element: Any, name: str) -> int:
        written = node.value[LENGTHS]
        wanted = Wanted(f"{name}.lengths", "i64", (None,))
        lengths = make_input(written, wanted, self.folder)
        count = self._elements(node.value[VALUES], element, f"{name}.values")
        total = sum(lengths.tolist())
        if np.any(lengths < 0):
            message = f"a row of '{name}' has {lengths[lengths < 0][0]} elements"
            raise InputError(written.finding(message))
        if total != count:
            message = f"the lengths of '{name}' add up to {total}, and it has {count} values"
            raise InputError(written.finding(message))
        self._put_lengths(name, lengths)
        self._name(written, f"{name}.lengths", lengths)
        return len(lengths)

    def _regular(self, node: Node, type: Any, name: str) -> int:
        """An array of scalars, or rows of one length as an array of several axes."""
        axes, leaf = 1, type
        while isinstance(leaf, Array):
            axes, leaf = axes + 1, leaf.element
        _refuse_nested(node, Array(type), name)
        if isinstance(leaf, Tuple):
            hint = "{values: {parts: [v0, v1]}, lengths: [2, 0]} has the rows one behind another"
            raise InputError(node.finding(f"'{name}' is {Array(type)}, not an array", hint))
        if node.value == []:
            array = np.zeros((0,) * axes, DTYPES[leaf])
        else:
            array = make_input(node, Wanted(name, leaf, (None,) * axes), self.folder)
        column = name
        for axis in range(1, axes):
            rows = math.prod(array.shape[:axis])
            self._put_lengths(column, np.full(rows, array.shape[axis], np.int64))
            column += ".values"
        self.carried[column] = array.reshape(-1)
        self._name(node, name, array)
        return array.shape[0]

    def _put_lengths(self, name: str, lengths: np.ndarray) -> None:
        self.carried[f"{name}.lengths"] = lengths
        self.carried[f"{name}.starts"] = np.cumsum(lengths) - lengths

    def _name(self, node: Node, name: str, array: np.ndarray) -> None:
        """Give an array the name that expressions have for it, which no other may have."""
        spelt = name.replace(".", "_")
        if spelt in self.named:
            message = f"'{spelt}' is a parameter, and what expressions call a part of another one"
            raise InputError(node.finding(message, "rename the parameter"))
        self.named[spelt] = array


def read_arguments(
    function: ArrayFunction, nodes: Mapping[str, Node], tree: Node, folder: Path
) -> Arguments:
    """The arguments of a function; raises InputError with every finding."""
    types = dict(function.parameters)
    findings = [
        tree.finding(f"argument '{name}' is missing: the function wants {type}", key="arguments")
        for name, type in types.items()
        if name not in nodes
    ]
    found = Arguments(folder)
    for name, node in nodes.items():
        if name not in types:
            message = f"the function has no parameter '{name}'"
            findings.append(node.finding(message, nearest(name, types)))
            continue
        try:
            found.read(node, types[name], name)
        except InputError as error:
            findings += error.diagnostics
        except MemoryError:
            findings.append(node.finding(f"'{name}' needs more memory than there is"))
    if findings:
        raise InputError(findings)
    return found


def lane_findings(
    over: Sequence[str], found: Arguments, nodes: Mapping[str, Node]
) -> list[Diagnostic]:
    """Arguments with another number of lanes than the first of those that vary."""
    lanes = {name: int(found.carried[f"{name}.length"]) for name in over}
    first = next(iter(lanes), None)
    return [
        nodes[name].finding(
            f"'{first}' has {lanes[first]} elements and '{name}' {count}",
            "the function is vectorized over both: an element of each is a lane",
        )
        for name, count in lanes.items()
        if count != lanes[first]
    ]


def _parts(node: Node, type: Tuple, whole: Any, name: str) -> list[tuple[Node, Any]]:
    """The parts of what should be a tuple, or an array of tuples, with their types."""
    example = f"{{parts: [{', '.join(f'v{k}' for k in range(len(type.parts)))}]}}"
    if not is_tuple(node):
        given = "a mapping" if isinstance(node.value, dict) else "a list"
        given = given if isinstance(node.value, dict | list) else "a number"
        raise InputError(node.finding(f"'{name}' is {whole}, not {given}", f"write {example}"))
    parts = node.value[PARTS].value
    if len(parts) != len(type.parts):
        message = f"'{name}' is {whole}: {len(type.parts)} parts, not {len(parts)}"
        raise InputError(node.finding(message, f"write {example}", key=PARTS))
    return list(zip(parts, type.parts, strict=True))


def _refuse_nested(node: Node, type: Any, name: str) -> None:
    """Rows or a tuple where neither is wanted."""
    for is_one, key, what in (
        (is_rows, LENGTHS, "an array of arrays"),
        (is_tuple, PARTS, "a tuple"),
    ):
        if is_one(node):
            raise InputError(node.finding(f"'{name}' is {type}, not {what}", key=key))
