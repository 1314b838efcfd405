"""Arrays in files: what a file holds, by its suffix or as the workload says.

    .npy                    a numpy array, which carries its shape
    .npz                    several; `member:` says which
    .bin .raw, any of u8    the elements' bytes, row by row; of i4 and u4 two in a byte
    .csv, format: numbers   a text of numbers, row by row; '#' begins a comment

Files are little-endian.  A .npy file of i4, u4, e4m3, e5m2 or bf16 is one of ml_dtypes, one of a
run's outputs, or one of encodings as unsigned integers.  A file without a suffix that says what it
holds needs a `format:`, since any bytes are numbers of some type.
"""

from __future__ import annotations

import io
import math
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from machines.confinement import leads_out, outside
from machines.description.strict_yaml import Node
from machines.diagnostics import InputError, nearest
from machines.elements import DTYPE_NAMES, encoded, from_memory, type_of
from machines.later import Later
from machines.layout import WRITTEN_BYTES
from machines.reading import read_bytes
from sim.workload.element_types import MOST_AXES, array_of, misfit, shown

np = Later("numpy")

Format = Literal["npy", "npz", "raw", "numbers"]
CARRY_SHAPE = ("npy", "npz")
_HEADER = 128
"""Bytes of a .npy file in which its header says the type."""
_BY_SUFFIX: dict[str, Format] = {
    ".npy": "npy", ".npz": "npz", ".bin": "raw", ".raw": "raw", ".csv": "numbers"
}  # fmt: skip


def file_format(node: Node, dtype: np.dtype, given: Format | None = None) -> Format:
    """What the file that `node` names holds; raises InputError if nothing says it."""
    suffix = Path(str(node.value)).suffix
    is_bytes = dtype.names is None and dtype.itemsize == 1
    found = given or _BY_SUFFIX.get(suffix) or ("raw" if is_bytes else None)
    if found is None:
        message = f"what {node.value} holds is not said: '{suffix}' is no suffix of arrays"
        hint = "format: raw (the elements' bytes) or format: numbers (a text)"
        raise InputError(node.finding(message, hint))
    return found


def read_file(
    node: Node,
    folder: Path,
    dtype: np.dtype,
    given: Format | None = None,
    member: str | None = None,
) -> np.ndarray:
    """The array in the file that `node` names; without axes to tell, its elements in one axis.

    Raises InputError at the node.
    """
    data = read_beside(node, folder)
    kind = file_format(node, dtype, given)
    if kind == "npz":
        data = _member(node, data, member)
    elif member is not None:
        raise InputError(node.finding(f"{node.value} has no members", "leave out 'member'"))
    return _READERS[kind](node, data, dtype)


def read_beside(node: Node, folder: Path) -> bytes:
    """The bytes of a file beside the workload; raises InputError where it is named."""
    name = str(node.value)
    if leads_out(folder / name):
        raise InputError(node.finding(outside(name)))
    try:
        return read_bytes(folder / name, WRITTEN_BYTES, name)
    except InputError as error:
        hint = None if (folder / name).exists() else "files are looked up beside the workload"
        raise InputError(node.finding(error.diagnostics[0].message, hint)) from None


def _member(node: Node, data: bytes, name: str | None) -> bytes:
    """The .npy file of one array of an .npz file."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            found = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}
            if name not in found:
                message = f"{node.value} has no array '{name}'"
                if name is None:
                    message = f"which array of {node.value} is wanted is not said by 'member'"
                raise InputError(node.finding(message, nearest(name or "member", found)))
            if found[name].file_size > WRITTEN_BYTES:
                message = f"'{name}' of {node.value} is larger than {WRITTEN_BYTES >> 20} MiB"
                raise InputError(node.finding(message))
            return archive.read(found[name])
    except InputError:
        raise
    except Exception:  # zipfile and zlib raise errors of many kinds at a damaged file
        raise InputError(node.finding(f"{node.value} is no .npz file")) from None


def _read_npy(node: Node, data: bytes, dtype: np.dtype) -> np.ndarray:
    if dtype.names is not None:  # ml_dtypes calls e5m2 a float of one byte, which numpy has not
        data = data[:_HEADER].replace(b"'<f1'", b"'|u1'") + data[_HEADER:]
    file = io.BytesIO(data)
    try:
        shape, fortran, found = _npy_header(file)
    except Exception:  # numpy's parsers raise errors of many kinds at a damaged header
        hint = "format: raw or format: numbers reads other files"
        raise InputError(node.finding(f"{node.value} is no .npy file", hint)) from None
    if not _is_of(found, dtype):
        raise InputError(node.finding(f"{node.value} holds {found}, not {DTYPE_NAMES[dtype]}"))
    size, needed = len(data) - file.tell(), math.prod(shape) * found.itemsize
    if size != needed:
        message = f"{node.value} has {size} bytes of elements, its shape {list(shape)} {needed}"
        raise InputError(node.finding(message))
    _check_booleans(node, data[file.tell() :], dtype)
    if dtype.names is None:
        array = np.frombuffer(data, found, offset=file.tell())
    else:
        array = encoded(np.frombuffer(data, dtype[0], offset=file.tell()), type_of(dtype))
    return array.reshape(shape, order="F" if fortran else "C").astype(dtype, order="C")


def _is_of(found: np.dtype, dtype: np.dtype) -> bool:
    """Whether elements of a file are of a type, or its encodings."""
    if dtype.names is None:
        return found.newbyteorder("<") == dtype
    is_raw = found.kind in "Vu" and found.names is None
    return found == dtype or (is_raw and found.itemsize == dtype.itemsize)


def _npy_header(file: io.BytesIO) -> tuple[tuple[int, ...], bool, np.dtype]:
    """Shape, Fortran order and element type; raises ValueError and others if there is no header."""
    versions = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }
    shape, fortran, found = versions[np.lib.format.read_magic(file)](file)
    if len(shape) > MOST_AXES or any(extent < 0 for extent in shape):
        raise ValueError("no shape")
    return shape, fortran, found


def _read_raw(node: Node, data: bytes, dtype: np.dtype) -> np.ndarray:
    if len(data) % dtype.itemsize:
        message = f"{node.value} has {len(data)} bytes, no whole number of {DTYPE_NAMES[dtype]}"
        raise InputError(node.finding(message))
    _check_booleans(node, data, dtype)
    space = np.frombuffer(data, np.uint8)
    count = len(data) * type_of(dtype).in_byte // dtype.itemsize
    return from_memory(space, dtype, (count,))


def _check_booleans(node: Node, data: bytes, dtype: np.dtype) -> None:
    if dtype.kind == "b" and data and max(data) > 1:
        message = f"{node.value} holds the byte {max(data)}"
        raise InputError(node.finding(message, "a boolean is the byte 0 or 1"))


def _read_numbers(node: Node, data: bytes, dtype: np.dtype) -> np.ndarray:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise InputError(node.finding(f"{node.value} is not UTF-8 text")) from None
    type = type_of(dtype)
    convert = float if type.is_float else int
    values = []
    for line, content in enumerate(text.splitlines(), start=1):
        for word in content.split("#")[0].replace(",", " ").split():
            try:
                value = convert(word)
            except ValueError:
                message = f"{node.value}, line {line}: {shown(word)} is not such a number"
                raise InputError(node.finding(message)) from None
            problem = misfit(value, dtype)
            if word[-1].isdigit() and not math.isfinite(value):  # and not the word 'inf'
                problem = f"{shown(word)} does not fit into {type}", None
            if problem is not None:
                message = f"{node.value}, line {line}: {problem[0]}"
                raise InputError(node.finding(message, problem[1]))
            values.append(value)
    return array_of(values, dtype)


_READERS: dict[Format, Callable[[Node, bytes, np.dtype], np.ndarray]] = {
    "npy": _read_npy,
    "npz": _read_npy,
    "raw": _read_raw,
    "numbers": _read_numbers,
}
