"""Arrays whose elements are pointers or structures: `float **`, an array of structures.

    rows:  {table: [x, y + 16, null]}                                   8 bytes each
    cells: {table: [{struct: [{ptr: x}, {i32: 3}]}, {struct: [{ptr: y}, {i32: 4}]}]}

What an element names is written as in a launch.  A table is filled when memory is laid out, before
time starts; pointers to its elements count whole ones, and it may be pointed at by tables, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from machines.description.strict_yaml import Node
from machines.diagnostics import InputError
from machines.later import Later
from sim.kinds.simt.launch_values import (
    POINTER,
    Names,
    Pointer,
    State,
    Structure,
    packed,
    read_value,
    size_of,
)
from sim.workload.values import TABLE, is_table

np = Later("numpy")


@dataclass(frozen=True)
class Table:
    """Its elements, all of one size."""

    name: str
    elements: tuple[Pointer | Structure, ...]

    @property
    def size(self) -> int:
        """Bytes of an element."""
        first = self.elements[0]
        return first.size if isinstance(first, Structure) else size_of(POINTER)

    @property
    def names(self) -> frozenset[str]:
        """What its elements name."""
        return frozenset(name for element in self.elements for name in element.names)

    def empty(self) -> np.ndarray:
        """The array before addresses are known: of u64, or a row of bytes for each structure."""
        if isinstance(self.elements[0], Pointer):
            return np.zeros(len(self.elements), "<u8")
        return np.zeros((len(self.elements), self.size), "u1")

    def bytes(self, state: State) -> bytes:
        return b"".join(
            one.of(state)
            if isinstance(one, Structure)
            else packed(one, POINTER, state, f"an element of '{self.name}'")
            for one in self.elements
        )


def read_tables(names: Names) -> dict[str, Table]:
    """The tables among the arguments; raises InputError with what is wrong in their elements."""
    found, findings = {}, []
    for name, node in names.arguments.items():
        if is_table(node):
            try:
                found[name] = Table(name, tuple(_elements(name, node, names)))
            except InputError as error:
                findings += error.diagnostics
    if findings:
        raise InputError(findings)
    return found


def _elements(name: str, node: Node, names: Names) -> list[Pointer | Structure]:
    found: list[Pointer | Structure] = []
    for one in node.value[TABLE].value:
        value = read_value(one, names)
        if not isinstance(value, Pointer | Structure):
            message = "a table has pointers or structures as elements, and this is a number"
            raise InputError(one.finding(message, "numbers: {dtype: i32, values: […]}"))
        if found and _shape(value) != _shape(found[0]):
            message = f"the elements of '{name}' are of one kind: the first is {_shape(found[0])}"
            raise InputError(one.finding(f"{message}, this {_shape(value)}"))
        found.append(value)
    return found


def _shape(value: Pointer | Structure) -> str:
    if isinstance(value, Structure):
        return f"a structure of {value.size} bytes"
    return "a pointer"


def reached(tables: Mapping[str, Table], read: frozenset[str]) -> frozenset[str]:
    """What is read, with what the tables among it name, and those that these name."""
    while True:
        named = [tables[name].names for name in read if name in tables]
        more = read.union(*named)
        if more == read:
            return read
        read = more
