"""The kernels of PTX that CuTe wrote.

A tensor is a structure by value: its address, of a layout that is not all known the extents (32
bits each), and the strides that are not 1 (64 bits each).  The kernel's name has the elements of
its tensors, and PTX the block (`.reqntid`); shared memory that the launch asks for is said nowhere.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sim.kinds.simt.generators.cute import BEGIN, files
from sim.kinds.simt.generators.entries import Declared, entries, ptx_of
from sim.kinds.simt.generators.kernel import Axes, GeneratedKernel, Parameter, array, named, scalar

POINTER = 8
_TENSORS = re.compile(r"tensorptr([a-z]+\d+\w*?)(?:gmem|smem|generic)")
_ELEMENTS = {
    "f64": "f64", "f32": "f32", "f16": "f16", "bf16": "bf16", "i8": "i8", "i16": "i16",
    "i32": "i32", "i64": "i64", "f8E4M3FN": "e4m3", "f8E5M2": "e5m2",
}  # fmt: skip
_BLOCK = re.compile(r"\.reqntid\s+(\d+)(?:\s*,\s*(\d+))?(?:\s*,\s*(\d+))?")


def kernels(path: Path) -> list[GeneratedKernel]:
    """Those of a file or a folder; raises InputError."""
    return [one for file in files(path) for one in _kernels(file)]


def _kernels(file: Path) -> list[GeneratedKernel]:
    text = ptx_of(file)
    found = []
    for entry, declared in entries(text).items():
        if not entry.startswith(BEGIN):
            continue
        block = _BLOCK.search(text, text.index(f".entry {entry}"))
        extents = tuple(int(one) for one in block.groups() if one) if block else None
        found.append(
            GeneratedKernel(
                _name(entry), file, entry, parameters(entry, declared), len(declared), block=extents
            )
        )
    return found


def _name(entry: str) -> str:
    """A kernel's name in the source: what stands before its tensors."""
    return entry.removeprefix(BEGIN).partition("_tensor")[0]


def parameters(entry: str, declared: tuple[Declared, ...]) -> tuple[Parameter, ...]:
    """What each parameter is given; elements are known where each structure is a tensor."""
    tensors = [_ELEMENTS.get(one) for one in _TENSORS.findall(entry)]
    structures = [one for one in declared if one.type == "b8"]
    types = iter(tensors if len(tensors) == len(structures) else [None] * len(structures))
    return tuple(
        _tensor(next(types), one.bytes) if one.type == "b8" else Parameter(None, one.type, scalar)
        for one in declared
    )


def _tensor(elements: str | None, size: int) -> Parameter:
    def written(value: Any, axes: Axes) -> list[Any]:
        return [value] if isinstance(value, dict) else [tensor_of(value, axes, elements, size)]

    return Parameter(None, f"a tensor of {elements or 'some elements'}", written)


def tensor_of(value: Any, axes: Axes, elements: str | None, size: int) -> Any:
    """A tensor's structure of so many bytes, its rows one after the other."""
    own = named(value, "CuTe")
    pointer = {"ptr": array(own, elements)}
    if size == POINTER:
        return {"struct": [pointer]}
    if axes is None:
        raise ValueError(f"how many axes '{own}' has must be known: say its 'shape'")
    wanted = POINTER + -(-4 * axes // 8) * 8 + 8 * (axes - 1)
    if size != wanted:
        raise ValueError(
            f"the tensor is a structure of {size} bytes, one of {axes} axes whose extents and"
            f" strides are open would have {wanted}: write its fields, {{struct: […]}}"
        )
    extents = [{"extent": [own, axis]} for axis in range(axes)]
    strides = [{"i64": {"stride_in_elements": [own, axis]}} for axis in range(axes - 1)]
    return {"struct": [pointer, {"i32": extents}, *strides]}
