"""What debug information says of a function's parameters and result: names, signs, elements.

    uint32_t crc32(const uint8_t *data, int64_t n)   ->   data: u8[], n: i64, result u32

LLVM's own types have no signs and its pointers no elements; with `clang -g` the file has both.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from machines.signature import Argument

Fields = Mapping[str, int | str]

_FIELD = re.compile(r'(\w+): (?:!(\d+)|(\d+)|"([^"]*)"|(\w+))')
_METADATA = re.compile(r"!(\d+) = (?:distinct )?(.*)")
_QUALIFIERS = frozenset(
    f"DW_TAG_{word}_type" for word in ("const", "volatile", "restrict", "atomic")
) | {"DW_TAG_typedef"}
_LETTERS = {"DW_ATE_signed": "i", "DW_ATE_unsigned": "u", "DW_ATE_float": "f",
            "DW_ATE_signed_char": "i", "DW_ATE_unsigned_char": "u"}  # fmt: skip
_SIZES = {"i": (8, 16, 32, 64), "u": (8, 16, 32, 64), "f": (32, 64)}


@dataclass(frozen=True, slots=True)
class Node:
    """`!7 = !DILocation(line: 5, scope: !10)`: kind 'DILocation', fields line 5 and scope 10; of a
    list, `!7 = !{!5, null}`, the elements."""

    kind: str
    fields: Fields
    elements: tuple[int | None, ...] = ()


NOTHING = Node("", {})


def nodes_of(text: str) -> dict[int, Node]:
    """The metadata of a printed module by number."""
    return {int(m[1]): _node(m[2]) for line in text.splitlines() if (m := _METADATA.match(line))}


def _node(text: str) -> Node:
    if text.startswith("!{"):
        parts = [part.strip() for part in text[2:-1].split(",")]
        numbers = (int(p[1:]) if re.fullmatch(r"!\d+", p) else None for p in parts)
        return Node("list", {}, tuple(numbers))
    fields = {
        m[1]: int(m[2] or m[3]) if m[2] or m[3] else m[4] if m[4] is not None else m[5]
        for m in _FIELD.finditer(text)
    }
    return Node(text[1:].split("(")[0], fields)


def argument_names(nodes: Mapping[int, Node], function: int | None) -> dict[int, str]:
    """What the source calls the parameters of a function, by their number from 1."""
    return {
        int(node.fields["arg"]): str(node.fields["name"])
        for node in nodes.values()
        if node.kind == "DILocalVariable"
        and function is not None
        and node.fields.get("scope") == function
        and node.fields.get("arg")
        and node.fields.get("name")
    }


def argument_types(nodes: Mapping[int, Node], function: int | None) -> list[Argument | None]:
    """The result and the parameters of a function; None for what is no number and no pointer to
    numbers, and for pointers to characters, whose sign means nothing."""
    described = _follow(nodes, _at(nodes, function).fields.get("type"))
    listed = _at(nodes, described.fields.get("types"))
    return [_argument(nodes, element) for element in listed.elements]


def _argument(nodes: Mapping[int, Node], number: int | None) -> Argument | None:
    node = _follow(nodes, number)
    if node.fields.get("tag") == "DW_TAG_pointer_type":
        dtype = _dtype(_follow(nodes, node.fields.get("baseType")), of_array=True)
        return dtype and Argument(dtype, ())
    dtype = _dtype(node, of_array=False)
    return dtype and Argument(dtype)


def _dtype(node: Node, of_array: bool) -> str | None:
    encoding, size = node.fields.get("encoding"), node.fields.get("size")
    if encoding == "DW_ATE_boolean":
        return "boolean"
    letter = _LETTERS.get(str(encoding))
    if letter is None or size not in _SIZES[letter] or (of_array and node.fields["name"] == "char"):
        return None
    return f"{letter}{size}"


def _follow(nodes: Mapping[int, Node], number: object) -> Node:
    """A type without its names and qualifiers."""
    node = _at(nodes, number)
    while node.fields.get("tag") in _QUALIFIERS:
        node = _at(nodes, node.fields.get("baseType"))
    return node


def _at(nodes: Mapping[int, Node], number: object) -> Node:
    return nodes.get(number, NOTHING) if isinstance(number, int) else NOTHING
