"""Arguments of a workload that are neither numbers nor arrays: structures, and null.

Only some kinds of machine make something of them; they stand in the file as their kind reads them.
"""

from __future__ import annotations

from machines.description.strict_yaml import Node

STRUCTURE = "struct"


def is_structure(node: Node) -> bool:
    """Whether an argument is a structure."""
    return isinstance(node.value, dict) and STRUCTURE in node.value


def is_value(node: Node) -> bool:
    """Whether an argument is a structure or null."""
    return node.value is None or is_structure(node)


def is_array(node: Node) -> bool:
    """Whether an argument is an array."""
    return isinstance(node.value, list | dict) and not is_structure(node)
