"""Tensors as they stand in models, in full or in files beside them, and their element types."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from onnx import TensorProto, numpy_helper

from compiler.frontends.onnx.emitting.refusal import Refusal
from compiler.frontends.onnx.emitting.values import Value, as_onnx, dtype_of, known
from machines.cache.file_dependencies import record_file
from machines.confinement import leads_out
from machines.elements import DTYPES, from_memory
from machines.levels.network.tensors import Stored
from machines.types import (
    BF16,
    BOOLEAN,
    E4M3,
    E5M2,
    F16,
    F32,
    F64,
    I4,
    I8,
    I16,
    I32,
    I64,
    U4,
    U8,
    U16,
    U32,
    U64,
    Type,
)

ELEMENT_TYPES: dict[int, Type] = {
    TensorProto.FLOAT: F32, TensorProto.UINT8: U8, TensorProto.INT8: I8, TensorProto.UINT16: U16,
    TensorProto.INT16: I16, TensorProto.INT32: I32, TensorProto.INT64: I64,
    TensorProto.BOOL: BOOLEAN, TensorProto.FLOAT16: F16, TensorProto.DOUBLE: F64,
    TensorProto.UINT32: U32, TensorProto.UINT64: U64, TensorProto.BFLOAT16: BF16,
    TensorProto.FLOAT8E4M3FN: E4M3, TensorProto.FLOAT8E5M2: E5M2, TensorProto.UINT4: U4,
    TensorProto.INT4: I4,
}  # fmt: skip
ONNX_TYPES = {element: number for number, element in ELEMENT_TYPES.items()}
MOST_ELEMENTS = 1 << 40


def element_of(number: int) -> Type:
    """The element type of a number of ONNX; raises Refusal."""
    if number in ELEMENT_TYPES:
        return ELEMENT_TYPES[number]
    try:
        name = TensorProto.DataType.Name(number).lower()
    except ValueError:
        raise Refusal("malformed", f"there is no element type {number}") from None
    kind = "strings" if number == TensorProto.STRING else "element type"
    raise Refusal(kind, f"elements of {name} are not taken")


@dataclass(frozen=True)
class Origin:
    """Where a model stands: its file, and its bytes where they are not read from it.

    recorded  further files that it was found to depend on
    """

    file: Path
    source: bytes | None = None
    recorded: set[str] = field(default_factory=set)

    def value(self, tensor: TensorProto) -> Value:
        """The elements of a tensor of the model; raises Refusal."""
        element, shape = element_of(tensor.data_type), tuple(tensor.dims)
        if any(n < 0 for n in shape) or math.prod(shape) > MOST_ELEMENTS:
            raise Refusal("malformed", f"tensor '{tensor.name}' has the shape {list(shape)}")
        if tensor.HasField("segment"):
            raise Refusal("malformed", f"tensor '{tensor.name}' is one of several segments")
        if tensor.data_location == TensorProto.EXTERNAL:
            return self._external(tensor, element, shape)
        count = math.prod(shape)
        _check_count(tensor, element, count)
        try:
            array = numpy_helper.to_array(tensor)
        except (ValueError, TypeError) as error:
            text = f"tensor '{tensor.name}' cannot be read: {error}"
            raise Refusal("malformed", text) from None
        return known(array, element)

    def _external(self, tensor: TensorProto, element: Type, shape: tuple[int, ...]) -> Value:
        """Elements that stand in a file, if only further on in that of the model."""
        said = {entry.key: entry.value for entry in tensor.external_data}
        name = f"tensor '{tensor.name}'"
        wanted = element.size(math.prod(shape))
        try:
            offset, length = int(said.get("offset", 0)), int(said.get("length", wanted))
        except ValueError:
            raise Refusal("external data", f"{name}: offset or length is no number") from None
        if length != wanted or offset < 0:
            text = f"{name} has {wanted} bytes, and {length} bytes at {offset} are named"
            raise Refusal("external data", text)
        location = said.get("location", "")
        if location == "" and self.source is not None:
            space = np.frombuffer(self.source, np.uint8, length, offset)
            found = from_memory(space, DTYPES[element.name], shape)
            return known(as_onnx(found, element), element)
        file = self._file(name, location)
        if offset + length > file.stat().st_size:
            text = f"{name} ends {offset + length} bytes from the beginning of {file.name}"
            raise Refusal("external data", f"{text}, which has {file.stat().st_size}")
        if location and str(file) not in self.recorded:
            self.recorded.add(str(file))
            record_file(file)
        if not length:
            return known(np.zeros(shape, dtype_of(element)), element)
        return Value(element, shape, Stored(str(file.resolve()), offset))

    def _file(self, name: str, location: str) -> Path:
        """The file that a location names: below the model's folder, links followed."""
        if location == "":
            return self.file
        folder = self.file.parent
        file = folder / location
        try:
            inside = file.resolve().is_relative_to(folder.resolve())
            inside = inside and not leads_out(location, folder)
            there = inside and file.is_file()
        except (OSError, ValueError):
            inside = there = False
        if not inside:
            text = f"{name} stands in {location!r}, outside the folder of the model"
            raise Refusal("external data", text)
        if not there:
            raise Refusal(
                "external data", f"{name} stands in {location!r}, and there is no such file"
            )
        return file


def _check_count(tensor: TensorProto, element: Type, count: int) -> None:
    """Elements that stand in the tensor have to be as many as its shape says."""
    fields = ("float_data", "int32_data", "int64_data", "double_data", "uint64_data")
    if tensor.raw_data or not any(len(getattr(tensor, name)) for name in fields):
        found, wanted, what = len(tensor.raw_data), element.size(count), "bytes"
    else:
        found = sum(len(getattr(tensor, name)) for name in fields)
        wanted, what = -(-count // element.in_byte), "numbers"
    if found != wanted:
        text = (
            f"tensor '{tensor.name}' of shape {list(tensor.dims)} has {found} {what}, not {wanted}"
        )
        raise Refusal("malformed", text)
