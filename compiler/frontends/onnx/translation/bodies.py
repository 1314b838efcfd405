"""Functions as the nodes that they are made of: those of a model, and those that ONNX itself gives
for operators which have no row here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import onnx
from onnx import AttributeProto, FunctionProto, NodeProto, TypeProto

from compiler.frontends.onnx.emitting.refusal import Refusal
from compiler.frontends.onnx.emitting.values import Value
from compiler.frontends.onnx.reading.tensors import ONNX_TYPES


@dataclass(frozen=True)
class Body:
    """A function with the attributes of a call put in; `versions` of operators by domain."""

    inputs: Sequence[str]
    outputs: Sequence[str]
    nodes: Sequence[NodeProto]
    versions: Mapping[str, int]


def versions_of(imports: Sequence[onnx.OperatorSetIdProto]) -> dict[str, int]:
    return {domain_of(one.domain): one.version for one in imports}


def domain_of(domain: str) -> str:
    return "" if domain == "ai.onnx" else domain


def schema_of(node: NodeProto, versions: Mapping[str, int]) -> onnx.defs.OpSchema | None:
    """What ONNX says of an operator, in the version that a model has; None if nothing."""
    version = versions.get(domain_of(node.domain))
    if version is None or not onnx.defs.has(node.op_type, domain=domain_of(node.domain)):
        return None
    try:
        return onnx.defs.get_schema(node.op_type, version, domain_of(node.domain))
    except onnx.defs.SchemaError:
        return None


def body_of_schema(
    node: NodeProto, schema: onnx.defs.OpSchema, version: int, operands: Sequence[Value | None]
) -> Body | None:
    """The body that ONNX gives an operator, for these operands; None if it gives none."""
    fixed = [v for v in schema.function_opset_versions if v <= version]
    varying = [v for v in schema.context_dependent_function_opset_versions if v <= version]
    if fixed:
        text = schema.get_function_with_opset_version(max(fixed))
    elif varying:
        types = [_type(value).SerializeToString() for value in operands]
        text = schema.get_context_dependent_function_with_opset_version(
            max(varying), node.SerializeToString(), types
        )
    else:
        return None
    if not text:
        return None
    function = FunctionProto()
    function.ParseFromString(text)
    defaults = [a.default_value for a in schema.attributes.values() if a.default_value.name]
    return body_of(node, function, defaults)


def _type(value: Value | None) -> TypeProto:
    if value is None:
        return TypeProto()
    return onnx.helper.make_tensor_type_proto(ONNX_TYPES[value.element], value.shape)


def body_of(
    node: NodeProto, function: FunctionProto, defaults: Sequence[AttributeProto] = ()
) -> Body:
    """A function as one call of it has it."""
    given = {a.name: a for a in (*defaults, *function.attribute_proto, *node.attribute)}
    if len(node.input) > len(function.input) or len(node.output) > len(function.output):
        raise Refusal("malformed", f"function '{function.name}' has fewer inputs or outputs")
    nodes = [_with_attributes(inner, given) for inner in function.node]
    versions = {"": onnx.defs.onnx_opset_version(), **versions_of(function.opset_import)}
    return Body(function.input, function.output, nodes, versions)


def _with_attributes(node: NodeProto, given: Mapping[str, AttributeProto]) -> NodeProto:
    """A node whose attributes that refer to those of its function are those; one that refers to
    what the call does not give is left out."""
    if not any(a.ref_attr_name or a.HasField("g") or a.graphs for a in node.attribute):
        return node
    found = NodeProto()
    found.CopyFrom(node)
    del found.attribute[:]
    for attribute in node.attribute:
        if attribute.ref_attr_name:
            if attribute.ref_attr_name in given:
                copy = found.attribute.add()
                copy.CopyFrom(given[attribute.ref_attr_name])
                copy.name = attribute.name
            continue
        copy = found.attribute.add()
        copy.CopyFrom(attribute)
        for graph in (*([copy.g] if copy.HasField("g") else []), *copy.graphs):
            inner = [_with_attributes(one, given) for one in graph.node]
            del graph.node[:]
            graph.node.extend(inner)
    return found
