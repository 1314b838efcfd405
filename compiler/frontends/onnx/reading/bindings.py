"""What is said of a model beyond its file: extents of dimensions that it leaves open, and inputs
that are known.

A dimension is called as the model calls it, and one without a name 'INPUT[AXIS]'.  A known input
says how long its open axes are, for all that are called so.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from onnx import GraphProto, ValueInfoProto

from compiler.frontends.onnx.emitting.refusal import Refusal
from compiler.frontends.onnx.emitting.values import Value, dtype_of, known
from compiler.frontends.onnx.reading.tensors import element_of
from machines.diagnostics import nearest
from machines.types import Type


class Bindings:
    """Raises Refusal for names that the model does not have, and for what cannot be true at once.

    known  the inputs that are known, by name
    """

    def __init__(
        self,
        graph: GraphProto,
        dimensions: Mapping[str, int],
        values: Mapping[str, np.ndarray],
    ):
        self._dimensions = dimensions
        inputs = {info.name: info for info in graph.input}
        constants = {tensor.name for tensor in graph.initializer} - set(values)
        wanted = [info for name, info in inputs.items() if name not in constants]
        open_names = {
            name_of_axis(info, axis)
            for info in wanted
            for axis, dim in enumerate(dims(info))
            if not dim.HasField("dim_value")
        }
        _check_names("input", values, inputs)
        _check_names("open dimension", dimensions, open_names)
        self._said_by = dict.fromkeys(dimensions, "")
        self._extents = dict(dimensions)
        self.known = {name: self._known(inputs[name], one) for name, one in values.items()}

    def extent(self, info: ValueInfoProto, axis: int) -> int:
        """Of an axis of an input that is data."""
        dim = dims(info)[axis]
        if dim.HasField("dim_value"):
            if dim.dim_value < 0:
                raise Refusal("malformed", f"axis {axis} of input '{info.name}' is {dim.dim_value}")
            return dim.dim_value
        name = name_of_axis(info, axis)
        if name not in self._extents:
            text = f"axis {axis} of input '{info.name}' is open: '{name}'"
            hint = f"bind it: --dimension '{name}=…', or in a workload dimensions: {{{name}: …}}"
            raise Refusal("open dimension", text, hint)
        return int(self._extents[name])

    def _known(self, info: ValueInfoProto, value: np.ndarray) -> Value:
        element = element_of_input(info)
        given = np.asarray(value)
        array = given.astype(dtype_of(element))
        if array.dtype.kind in "iub" and not np.array_equal(array, given):
            text = f"input '{info.name}' is bound to what is no {element}: {given.tolist()}"
            raise Refusal("binding", text)
        has_shape = info.type.tensor_type.HasField("shape")
        if has_shape and len(dims(info)) != array.ndim:
            raise self._wrong_shape(info, array)
        for axis, dim in enumerate(dims(info)):
            extent, name = array.shape[axis], name_of_axis(info, axis)
            if dim.HasField("dim_value"):
                if dim.dim_value != extent:
                    raise self._wrong_shape(info, array)
            elif self._extents.setdefault(name, extent) != extent:
                by = self._said_by[name]
                other = f"input '{by}'" if by else "what is said of it"
                text = f"dimension '{name}' is {self._extents[name]} by {other}, and {extent}"
                raise Refusal("binding", f"{text} by the value of input '{info.name}'")
            else:
                self._said_by.setdefault(name, info.name)
        return known(array, element, info.name)

    @staticmethod
    def _wrong_shape(info: ValueInfoProto, array: np.ndarray) -> Refusal:
        shape = [d.dim_value if d.HasField("dim_value") else d.dim_param or "?" for d in dims(info)]
        text = f"input '{info.name}' is bound to a value of shape {list(array.shape)}"
        return Refusal("binding", text, f"its shape is [{', '.join(map(str, shape))}]")


def _check_names(what: str, said: Mapping[str, object], known_names) -> None:
    for name in said:
        if name not in known_names:
            hint = nearest(name, known_names) if known_names else "leave it out"
            raise Refusal("binding", f"the model has no {what} '{name}' to be bound", hint)


def dims(info: ValueInfoProto):
    """The dimensions of an input, none if it says no shape."""
    return info.type.tensor_type.shape.dim


def name_of_axis(info: ValueInfoProto, axis: int) -> str:
    """What an open axis is called."""
    return dims(info)[axis].dim_param or f"{info.name}[{axis}]"


def element_of_input(info: ValueInfoProto) -> Type:
    """Raises Refusal of what is no tensor."""
    kind = info.type.WhichOneof("value")
    if kind != "tensor_type":
        what = (kind or "nothing").removesuffix("_type").replace("_", " ")
        reason = "sparse tensors" if kind == "sparse_tensor_type" else "sequences and optionals"
        raise Refusal(reason, f"'{info.name}' is a {what}; tensors alone are taken")
    return element_of(info.type.tensor_type.elem_type)
