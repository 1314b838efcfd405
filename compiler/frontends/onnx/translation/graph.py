"""A graph, from its inputs on: every node becomes code, or is known, or is refused."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from onnx import FunctionProto, GraphProto, NodeProto

from compiler.frontends.onnx.emitting.call import Call, Row
from compiler.frontends.onnx.emitting.code import Code
from compiler.frontends.onnx.emitting.refusal import Refusal, Unbound
from compiler.frontends.onnx.emitting.values import Tensor, Value
from compiler.frontends.onnx.operators import ROWS
from compiler.frontends.onnx.reading.names import Layers
from compiler.frontends.onnx.reading.tensors import Origin
from compiler.frontends.onnx.translation.attributes import attributes_of
from compiler.frontends.onnx.translation.bodies import (
    Body,
    body_of,
    body_of_schema,
    domain_of,
    schema_of,
)
from compiler.frontends.onnx.translation.folding import MOST, SMALL, folded
from compiler.frontends.onnx.translation.loops import loop, scan
from compiler.frontends.onnx.translation.refused import REASONS, reason_of
from machines.diagnostics import InputError, Location, diagnostic

Scope = MutableMapping[str, Value]
Results = Sequence[Value | None]
DEEPEST = 40
"""How many functions and branches stand within one another."""
_LOOPS = {"Scan": scan, "Loop": loop}
_LEFT_TO_ROWS = {"Constant", "ConstantOfShape", "DequantizeLinear", "Identity", "Shape", "Size"}
"""What a row says of known operands as quickly."""


class NodeRefused(InputError):
    """An error at a node; `kind` is its reason in a few words."""

    def __init__(self, found, kind: str, unbound: str | None = None):
        super().__init__(found)
        self.kind = kind
        self.unbound = unbound


@dataclass
class Translation:
    """`inputs` are the tensors that the caller gives, with their names in the model."""

    origin: Origin
    functions: Mapping[tuple[str, str, str], FunctionProto]
    inputs: Mapping[Tensor, str]
    code: Code = field(default_factory=Code)
    _layers: Layers = field(default_factory=Layers)
    _depth: int = 0
    _within_layer: int = 0  # how many functions and loops, all of whose nodes are one layer

    def graph(
        self,
        graph: GraphProto,
        versions: Mapping[str, int],
        scope: Scope,
        number: int | None = None,
    ) -> None:
        """Put all that a graph names into the scope; nodes of a subgraph are at their node."""
        for tensor in graph.initializer:
            scope[tensor.name] = named(self.origin.value(tensor), tensor.name)
        if graph.sparse_initializer:
            raise Refusal("sparse tensors", "there are no sparse tensors")
        made = set(scope.maps[0] if isinstance(scope, ChainMap) else scope)
        for k, node in enumerate(graph.node, 1):
            if not self._within_layer:
                self.code.layer = self._layers.new(node.name or f"{node.op_type}_{k}")
                self.code.location = Location(str(self.origin.file), number or k)
            self._node(node, versions, scope, number or k)
            for name in filter(None, node.output):
                if name in made:
                    self._refuse(node, Refusal("malformed", f"'{name}' is made a second time"))
                made.add(name)

    def _node(
        self, node: NodeProto, versions: Mapping[str, int], scope: Scope, number: int
    ) -> None:
        try:
            results = self._results(node, versions, scope, number)
            wanted = [k for k, name in enumerate(node.output) if name]
            if wanted and (wanted[-1] >= len(results) or any(results[k] is None for k in wanted)):
                missing = next(k for k in wanted if k >= len(results) or results[k] is None)
                raise Refusal("output", f"its output {missing + 1} is not given here")
        except Refusal as refusal:
            self._refuse(node, refusal)
        for name, value in zip(node.output, results, strict=False):
            if name:
                scope[name] = named(value, name)

    def _refuse(self, node: NodeProto, refusal: Refusal) -> None:
        location, layer = self.code.location, self.code.layer
        message = f"node '{layer}' ({node.op_type}): {refusal.kind}: {refusal.text}"
        found = diagnostic(message, location, hint=refusal.hint)
        unbound = refusal.input if isinstance(refusal, Unbound) else None
        raise NodeRefused(found, refusal.kind, unbound) from None

    def _results(
        self, node: NodeProto, versions: Mapping[str, int], scope: Scope, number: int
    ) -> Results:
        operands = [_read(scope, name) if name else None for name in node.input]
        domain = domain_of(node.domain)
        function = self.functions.get((domain, node.op_type, node.overload))
        if function is not None:
            return self._inlined(body_of(node, function), operands, number)
        if domain not in versions:
            raise Refusal("no row", f"the model imports no operators of domain '{domain}'")
        if node.op_type == "If" and not domain:
            return self._branch(node, versions, scope, operands, number)
        if node.op_type in _LOOPS and not domain:
            return self._loop(node, versions, scope, operands, number)
        row, refusal = ROWS.get((domain, node.op_type)), None
        is_known = all(value is None or value.is_known for value in operands)
        largest = max((value.count for value in operands if value), default=0)
        if is_known and largest <= SMALL and node.op_type not in _LEFT_TO_ROWS:
            found = folded(node, operands, versions)
            if found is not None:
                return found
        if row is not None:
            try:
                return self._lowered(row, node, versions, operands)
            except Refusal as found:
                refusal = found
        if is_known and SMALL < largest <= MOST:
            found = folded(node, operands, versions)
            if found is not None:
                return found
        if refusal is not None:
            raise refusal
        schema = schema_of(node, versions)
        if schema is not None and node.op_type not in REASONS:
            body = body_of_schema(node, schema, versions[domain], operands)
        else:
            body = None
        if body:
            return self._inlined(body, operands, number)
        raise Refusal(*reason_of(node.op_type))

    def _lowered(
        self, row: Row, node: NodeProto, versions: Mapping[str, int], operands: Results
    ) -> Results:
        schema = schema_of(node, versions)
        if schema is not None and schema.since_version > row.newest:
            text = f"version {schema.since_version} of the operator; the last known is {row.newest}"
            raise Refusal("version", text)
        if operands and operands[0] is not None and operands[0].element not in row.types:
            types = ", ".join(map(str, row.types))
            raise Refusal("element type", f"of {operands[0].element}; it is taken of {types}")
        call = self._call(node, versions, operands)
        found = row.lower(call)
        unread = call.unread()
        if unread is not None:
            raise Refusal("form", unread)
        return [found] if isinstance(found, Value) else found

    def _call(self, node: NodeProto, versions: Mapping[str, int], operands: Results) -> Call:
        attributes, version = attributes_of(node, self.origin), versions[domain_of(node.domain)]
        results = len(node.output)
        return Call(node.op_type, operands, attributes, version, results, self.code, self._unknown)

    def _inlined(self, body: Body, operands: Results, number: int) -> Results:
        scope = {name: value for name, value in zip(body.inputs, operands, strict=False) if value}
        with self._one_layer():
            for node in body.nodes:
                self._node(node, body.versions, scope, number)
        return [scope.get(name) for name in body.outputs]

    def _branch(
        self,
        node: NodeProto,
        versions: Mapping[str, int],
        scope: Scope,
        operands: Results,
        number: int,
    ) -> Results:
        """The branch of an If whose condition is known."""
        (condition,) = operands
        if condition is None or not condition.is_known:
            raise Refusal("control flow", "its condition is data")
        wanted = "then_branch" if condition.array.reshape(()) else "else_branch"
        graph = attributes_of(node, self.origin).get(wanted)
        if graph is None:
            raise Refusal("malformed", f"its {wanted} is missing")
        inner: Scope = ChainMap({}, scope)
        with self._deeper():
            self.graph(graph, versions, inner, number)
        return [_read(inner, output.name) for output in graph.output]

    def _loop(
        self,
        node: NodeProto,
        versions: Mapping[str, int],
        scope: Scope,
        operands: Results,
        number: int,
    ) -> Results:
        def turn(graph: GraphProto, inner: Scope) -> None:
            self.graph(graph, versions, inner, number)

        with self._one_layer():
            return _LOOPS[node.op_type](self._call(node, versions, operands), scope, turn)

    @contextmanager
    def _deeper(self) -> Iterator[None]:
        self._depth += 1
        if self._depth > DEEPEST:
            raise Refusal("malformed", f"more than {DEEPEST} functions stand within one another")
        yield
        self._depth -= 1

    @contextmanager
    def _one_layer(self) -> Iterator[None]:
        """Nodes that are of the layer of the node that they are in."""
        self._within_layer += 1
        with self._deeper():
            yield
        self._within_layer -= 1

    def _unknown(self, value: Value, text: str) -> Refusal:
        """What is told where something has to be known, and depends on inputs."""
        producers = {t: node for node in self.code.nodes for t in node.results}
        seen: set[Tensor] = set()
        waiting, inputs = [value.what], []
        while waiting:
            tensor = waiting.pop()
            if not isinstance(tensor, Tensor) or tensor in seen:
                continue
            seen.add(tensor)
            if tensor in producers:
                waiting += [operand.what for operand in producers[tensor].operands]
            else:
                inputs.append(tensor)
        inputs.sort(key=lambda t: (t.type.element.is_float, t.type.count))
        return Unbound(text, self.inputs[inputs[0]])


def named(value: Value, name: str) -> Value:
    """A value with the name that the model gives it, unless it has one."""
    if isinstance(value.what, Tensor):
        value.what.name = value.what.name or name
        return value
    if value.name:
        return value
    return replace(value, name=name)


def _read(scope: Scope, name: str) -> Value:
    if name not in scope:
        text = f"it reads '{name}', which nothing before it makes"
        hint = "nodes stand in the order in which they can be done; a circle cannot be"
        raise Refusal("malformed", text, hint)
    return scope[name]
