"""Arguments of a workload that are no numbers and no arrays of numbers: structures, null, tables,
room in shared memory.

Only some kinds of machine make something of them; they stand in the file as their kind reads them.
"""

from __future__ import annotations

from machines.description.strict_yaml import Node

STRUCTURE = "struct"
TENSOR_MAP = "tensor_map"
TABLE = "table"
ROOM = "shared"


def is_structure(node: Node) -> bool:
    """Whether an argument is a structure, or a tensor map, which is one to a launch."""
    return isinstance(node.value, dict) and (STRUCTURE in node.value or TENSOR_MAP in node.value)


def is_room(node: Node) -> bool:
    """Whether an argument is room that a launch makes in shared memory."""
    return isinstance(node.value, dict) and list(node.value) == [ROOM]


def is_value(node: Node) -> bool:
    """Whether an argument is a structure, null or room."""
    return node.value is None or is_structure(node) or is_room(node)


def is_table(node: Node) -> bool:
    """Whether an argument is an array of pointers or structures."""
    return isinstance(node.value, dict) and TABLE in node.value


def is_array(node: Node) -> bool:
    """Whether an argument is an array, of whatever it is."""
    return isinstance(node.value, list | dict) and not is_value(node)
