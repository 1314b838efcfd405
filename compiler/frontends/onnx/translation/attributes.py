"""Attributes of nodes as values of Python."""

from __future__ import annotations

from typing import Any

from onnx import AttributeProto, NodeProto

from compiler.frontends.onnx.emitting.refusal import Refusal
from compiler.frontends.onnx.reading.tensors import Origin, element_of

TYPES = {"to", "dtype", "output_dtype"}
"""Attributes that are an element type."""
_TAKEN = {
    AttributeProto.FLOAT: lambda a: a.f,
    AttributeProto.INT: lambda a: a.i,
    AttributeProto.STRING: lambda a: a.s.decode("utf-8", "replace"),
    AttributeProto.FLOATS: lambda a: list(a.floats),
    AttributeProto.INTS: lambda a: list(a.ints),
    AttributeProto.STRINGS: lambda a: [s.decode("utf-8", "replace") for s in a.strings],
    AttributeProto.GRAPH: lambda a: a.g,
}


def attributes_of(node: NodeProto, origin: Origin) -> dict[str, Any]:
    """Numbers, texts, lists of them, types, graphs, and tensors as values; raises Refusal."""
    found: dict[str, Any] = {}
    for attribute in node.attribute:
        if attribute.name in found:
            raise Refusal("malformed", f"attribute '{attribute.name}' stands twice")
        if attribute.type == AttributeProto.TENSOR:
            found[attribute.name] = origin.value(attribute.t)
        elif attribute.type in _TAKEN:
            found[attribute.name] = _TAKEN[attribute.type](attribute)
        else:
            kind = AttributeProto.AttributeType.Name(attribute.type).lower()
            raise Refusal("malformed", f"attribute '{attribute.name}' is of kind {kind}")
        if attribute.name in TYPES and attribute.type == AttributeProto.INT:
            found[attribute.name] = element_of(attribute.i) if attribute.i else None
    return found
