"""A model as a module of one function, which is a network.

model = read_model("bert.onnx", dimensions={"batch": 1, "sequence": 128})
model.module.functions[model.module.entry].body     # the Network
model.tensors["/layer.0/attention/MatMul_output_0"] # what the network calls it
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import numpy as np
import onnx
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import DecodeError, Message
from onnx import GraphProto, ModelProto, ValueInfoProto

from compiler.frontends.onnx.emitting.network import Building
from compiler.frontends.onnx.emitting.refusal import Refusal
from compiler.frontends.onnx.emitting.values import Tensor, Value, dtype_of, known
from compiler.frontends.onnx.reading.bindings import Bindings, dims, element_of_input
from compiler.frontends.onnx.reading.names import Names
from compiler.frontends.onnx.reading.tensors import Origin
from compiler.frontends.onnx.reading.wire import Malformed, skimmed
from compiler.frontends.onnx.translation.bodies import domain_of, versions_of
from compiler.frontends.onnx.translation.graph import NodeRefused, Translation
from compiler.ir.module import Function, Module
from machines.cache.file_dependencies import record_file
from machines.confinement import open_to_read
from machines.diagnostics import diagnostic, input_error, nearest
from machines.types import Type

OLDEST = 7
"""The oldest set of operators that is read."""
NONE: Mapping = MappingProxyType({})


@dataclass(frozen=True)
class Model:
    """A model that was read.

    module    one function, its entry, whose body is a `Network`; its form is 'network'
    tensors   what the network calls a tensor, by what the model calls it
    elements  element types of the model's inputs and outputs, by its names for them: the network
              has a boolean as u8
    inputs    the inputs that the network has, in their order, by the model's names; `outputs`
              the same of outputs
    """

    module: Module
    tensors: Mapping[str, str]
    elements: Mapping[str, Type]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


def read_model(
    path: str | Path,
    dimensions: Mapping[str, int] = NONE,
    values: Mapping[str, np.ndarray] = NONE,
    source: bytes | None = None,
    tensors: Sequence[str] = (),
) -> Model:
    """The model of a file, or of the bytes `source` that would stand there.

    dimensions  extents by the names that the model has for them; of an axis without a name by
                'INPUT[AXIS]'
    values      inputs that are known while the network is made, a shape say: it has no such input
    tensors     that are outputs of the network, too, by the model's names; they come last

    Raises InputError, at a node as FILE:NUMBER, nodes counted from 1.
    """
    file = Path(path)
    proto = _parsed(file, source)
    try:
        return _Reader(file, proto, Origin(file, source), dimensions, values, tensors).model()
    except Refusal as refusal:
        raise _refused(file, refusal) from None


def _refused(file: Path, refusal: Refusal) -> NodeRefused:
    found = diagnostic(f"{file}: {refusal.kind}: {refusal.text}", hint=refusal.hint)
    return NodeRefused(found, refusal.kind, getattr(refusal, "input", None))


def _parsed(file: Path, source: bytes | None) -> ModelProto:
    """The model without its large tensors."""
    if source is None:
        record_file(file)
    proto = ModelProto()
    try:
        proto.ParseFromString(skimmed(source) if source is not None else _skimmed_file(file))
    except Malformed as wrong:
        raise input_error(f"{file} is no ONNX model: {wrong}") from None
    except DecodeError:
        raise input_error(f"{file} is no ONNX model: protobuf cannot read it") from None
    if not all(isinstance(text, str) for text in _texts(proto)):
        raise input_error(f"{file} is no ONNX model: a name in it is no UTF-8")
    if not proto.HasField("graph") or not proto.opset_import:
        raise input_error(f"{file} is no ONNX model: it has no graph, or imports no operators")
    return proto


def _texts(message: Message) -> Iterator[str | bytes]:
    """All texts of a message; protobuf leaves what is no UTF-8 as bytes, and says nothing."""
    for field, value in message.ListFields():
        values = [value] if isinstance(value, str | bytes | Message) else value
        if field.type == FieldDescriptor.TYPE_STRING:
            yield from values
        elif field.type == FieldDescriptor.TYPE_MESSAGE:
            for one in values:
                yield from _texts(one)


def _skimmed_file(file: Path) -> bytes:
    try:
        handle = open_to_read(file, str(file))
        with open(handle, "rb") as opened:
            if opened.seek(0, 2) == 0:
                return b""
            with mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as view:
                return skimmed(view)
    except OSError as error:
        raise input_error(f"cannot read {file}: {error.strerror}") from None
    except ValueError as error:
        raise input_error(f"cannot read {file}: {error}") from None


@dataclass
class _Reader:
    file: Path
    proto: ModelProto
    origin: Origin
    dimensions: Mapping[str, int]
    values: Mapping[str, np.ndarray]
    tensors: Sequence[str]

    def model(self) -> Model:
        graph, versions = self.proto.graph, self._versions()
        if self.proto.training_info:
            raise Refusal("training", "the model has training_info; networks are not trained here")
        bindings = Bindings(graph, self.dimensions, self.values)
        known_inputs = {tensor.name for tensor in graph.initializer}
        scope: dict[str, Value] = {}
        inputs: dict[str, Value] = {}
        for info in graph.input:
            if info.name in bindings.known:
                scope[info.name] = bindings.known[info.name]
            elif info.name not in known_inputs:
                scope[info.name] = value = _input(info, bindings)
                if not value.is_known:
                    inputs[info.name] = value
        translation = Translation(
            self.origin, self._functions(), {value.what: name for name, value in inputs.items()}
        )
        kept = _without(graph, bindings.known)
        translation.graph(kept, versions, scope)
        outputs = {info.name: _output(info.name, scope) for info in graph.output}
        if outputs:
            outputs |= {name: self._between(name, scope) for name in self.tensors}
        else:
            raise Refusal("malformed", "the model has no outputs")
        building = Building()
        network = building.network(inputs, outputs, translation.code)
        tensors = {
            name: building.tensors[value.what]
            for name, value in scope.items()
            if isinstance(value.what, Tensor) and value.what in building.tensors
        }
        entry = Names().new(graph.name or self.file.stem)
        module = Module(entry=entry, form="network")
        function = Function(entry, body=network, buffers=module.buffers)
        function.functions = module.functions
        module.functions[entry] = function
        elements = {name: value.element for name, value in (*inputs.items(), *outputs.items())}
        return Model(
            module,
            tensors,
            elements,
            tuple(inputs),
            tuple(outputs),
        )

    def _between(self, name: str, scope: Mapping[str, Value]) -> Value:
        """A tensor that is an output only because somebody asks for it."""
        if name not in scope:
            text = f"there is no tensor '{name}' that could be an output"
            raise Refusal("binding", text, nearest(name, scope))
        return _output(name, scope)

    def _versions(self) -> dict[str, int]:
        versions, newest = versions_of(self.proto.opset_import), onnx.defs.onnx_opset_version()
        version = versions.get("")
        if version is not None and not OLDEST <= version <= newest:
            text = f"operators of set {version}; {OLDEST} to {newest} are read"
            hint = "onnx.version_converter brings old ones up to date" if version < OLDEST else None
            raise Refusal("version", text, hint)
        return versions

    def _functions(self):
        return {(domain_of(f.domain), f.name, f.overload): f for f in self.proto.functions}


def _input(info: ValueInfoProto, bindings: Bindings) -> Value:
    element = element_of_input(info)
    if not info.type.tensor_type.HasField("shape"):
        text = f"input '{info.name}' has no shape"
        raise Refusal("open dimension", text, f"bind it: values: {{{info.name}: …}}")
    shape = [bindings.extent(info, axis) for axis in range(len(dims(info)))]
    if 0 in shape:  # there is nothing to be given
        return known(np.zeros(shape, dtype_of(element)), element)
    value = Value(element, tuple(shape), Tensor(None, info.name))
    value.what.type = value.type
    return value


def _output(name: str, scope: Mapping[str, Value]) -> Value:
    if name not in scope:
        raise Refusal("malformed", f"nothing makes the output '{name}'")
    value = scope[name]
    if not value.count:
        raise Refusal("no elements", f"output '{name}' has the shape {list(value.shape)}")
    return value


def _without(graph: GraphProto, bound: Mapping[str, Value]) -> GraphProto:
    """A graph without the initializers that bound values replace."""
    if not any(tensor.name in bound for tensor in graph.initializer):
        return graph
    found = GraphProto()
    found.CopyFrom(graph)
    del found.initializer[:]
    found.initializer.extend(t for t in graph.initializer if t.name not in bound)
    return found
