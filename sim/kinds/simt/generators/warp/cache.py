"""The kernels of a folder that Warp left.

The first parameter says over what the kernel is launched (`launch_bounds_t<N>`: N extents, their
product, and how many threads share a coordinate), so a workload says `dim` in place of a grid, or
`tiles`, of which a block does each.  An array is 56 bytes by value: data, gradient (null), four
extents, four strides in bytes, how many of them count, flags.  C++ has the names of parameters, the
metadata the bytes of shared memory.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from machines.diagnostics import input_error
from machines.reading import read_text
from sim.kinds.simt.generators.entries import MOST_BYTES, entries, ptx_of
from sim.kinds.simt.generators.kernel import Axes, GeneratedKernel, Parameter, array, named, scalar

KNOWN = "Warp 1.19 is known"
FORWARD = "_cuda_kernel_forward"
MOST_AXES = 4
BLOCK = 256
_HASH = re.compile(r"_[0-9a-f]{8}$")
_SIGNATURE = re.compile(
    r"__global__ void[\w\s()]*?\b(\w+_cuda_kernel_forward)\(\s*(.*?)\)\s*\{", re.S
)
_BOUNDS = re.compile(r"wp::launch_bounds_t<(\d)> dim")
_BLOCK = re.compile(r"#define WP_TILE_BLOCK_DIM (\d+)")
_ARRAY = re.compile(r"wp::array_t<(.*)>$")
_INNER = re.compile(r"wp::(vec|mat|quat|transform|spatial_\w+)_t<(.*)>$")

NUMBERS = {
    "wp::int8": "i8", "wp::uint8": "u8", "wp::int16": "i16", "wp::uint16": "u16",
    "wp::int32": "i32", "wp::uint32": "u32", "wp::int64": "i64", "wp::uint64": "u64",
    "wp::float16": "f16", "wp::half": "f16", "wp::float32": "f32", "wp::float64": "f64",
    "bool": "boolean", "wp::bool": "boolean",
}  # fmt: skip


def kernels(path: Path) -> list[GeneratedKernel]:
    """Those of a folder, forward only; raises InputError."""
    files = {suffix: sorted(path.glob(f"*.{suffix}")) for suffix in ("ptx", "cu", "meta")}
    for suffix, found in files.items():
        if len(found) > 1:
            names = ", ".join(one.name for one in found)
            message = f"{path} has {len(found)} files *.{suffix}: {names}"
            raise input_error(message, hint="keep the files of one module and one target")
    ptx, source, meta = (files[suffix][0] for suffix in ("ptx", "cu", "meta"))
    text = read_text(source, MOST_BYTES)
    declared = entries(ptx_of(ptx))
    shared = _shared(meta)
    block = int(found[1]) if (found := _BLOCK.search(text)) else BLOCK
    written = dict(_SIGNATURE.findall(text))
    return [
        _kernel(ptx, source, name, written.get(name), shared, block)
        for name in declared
        if name.endswith(FORWARD)
    ]


def _shared(meta: Path) -> Mapping[str, int]:
    """Bytes of shared memory by kernel and direction."""
    try:
        found = json.loads(read_text(meta, MOST_BYTES))
    except json.JSONDecodeError as error:
        raise input_error(f"{meta}:{error.lineno}:{error.colno}: {error.msg}") from None
    if not isinstance(found, dict):
        raise input_error(f"{meta} is no metadata of a module", hint=KNOWN)
    return found


def _kernel(
    ptx: Path, source: Path, entry: str, written: str | None, shared: Mapping[str, int], block: int
) -> GeneratedKernel:
    if written is None:
        raise input_error(
            f"{source.name} has no kernel '{entry}', which {ptx.name} has", hint=KNOWN
        )
    first, *rest = [one.strip() for one in _parts(written)]
    bounds = _BOUNDS.fullmatch(first)
    if bounds is None:
        message = f"{source}: the first parameter of '{entry}' is '{first}'"
        raise input_error(message, hint=f"wp::launch_bounds_t<N> dim is expected; {KNOWN}")
    size = shared.get(f"{entry}_smem_bytes")
    if type(size) is not int:
        message = f"{source.with_suffix('.meta').name} has no '{entry}_smem_bytes'"
        raise input_error(message, hint=KNOWN)
    name = _HASH.sub("", entry.removesuffix(FORWARD))
    axes = int(bounds[1])

    def extents(launch: Mapping[str, Any]) -> tuple[dict[str, Any], list[Any]]:
        return _extents(name, axes, block, launch)

    parameters = tuple(_parameter(one) for one in rest)
    return GeneratedKernel(
        name, ptx, entry, parameters, 1 + len(rest), shared=size, extents=extents
    )


def _parts(text: str) -> list[str]:
    parts, depth, begin = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter in "<(") - (letter in ">)")
        if letter == "," and not depth:
            parts.append(text[begin:at])
            begin = at + 1
    return [*parts, text[begin:]]


def _extents(
    name: str, axes: int, block: int, launch: Mapping[str, Any]
) -> tuple[dict[str, Any], list[Any]]:
    """Grid and block of a launch over `dim` or `tiles`, and its first parameter."""
    given = [key for key in ("dim", "tiles") if key in launch]
    if len(given) != 1 or "grid" in launch:
        raise ValueError(f"'{name}' is launched over 'dim: [300]' or 'tiles: [6]', not over a grid")
    written = launch[given[0]]
    dim = written if isinstance(written, list) else [written]
    if len(dim) != axes:
        raise ValueError(f"'{name}' asks for {axes} coordinates of a thread, {len(dim)} are given")
    if not all(isinstance(one, str) or (type(one) is int and one > 0) for one in dim):
        raise ValueError(f"'{given[0]}' is one to four positive integers or expressions")
    own = launch.get("block", block)
    threads = own[0] if isinstance(own, list) and own else own
    if type(threads) is not int or (isinstance(own, list) and len(own) > 1):
        raise ValueError("a block of Warp has one extent, a number")
    product = " * ".join(f"({one})" if isinstance(one, str) else str(one) for one in dim)
    shared_by = threads if given[0] == "tiles" else 1
    size = f"{product} * {shared_by}" if shared_by > 1 else product
    bounds = {"struct": [{"u32": list(dim)}, {"u64": size}, {"u64": shared_by}]}
    blocks = product if shared_by > 1 else f"({product} + {threads - 1}) // {threads}"
    return {"grid": [blocks], "block": [threads]}, [bounds]


def _parameter(written: str) -> Parameter:
    """One as C++ declares it: `wp::array_t<wp::vec_t<3,wp::float32>> var_x`."""
    type, _, name = written.rpartition(" ")
    type, name = type.strip(), name.strip().removeprefix("var_")
    found = _ARRAY.match(type)
    if found is None:
        return _value(type, name)
    inner = _INNER.match(found[1])
    elements, own_axes = _elements(inner[2] if inner else found[1])
    own_axes = own_axes if inner is None else (2 if inner[1] == "mat" else 1)
    if elements is None:
        own_axes = 1  # a structure: the last axis of what is given holds the bytes of one

    def written_as(value: Any, axes: Axes) -> list[Any]:
        return [array_of(value, axes, elements, own_axes)]

    return Parameter(name, f"an array of {found[1].replace('wp::', '')}", written_as)


def _elements(text: str) -> tuple[str | None, int]:
    """The type of the numbers in an element, None of a structure's."""
    return NUMBERS.get(text.split(",")[-1].strip()), 0


def _value(type: str, name: str) -> Parameter:
    """A number, or a vector or matrix by value."""
    inner = _INNER.match(type)
    if inner is None:
        return Parameter(name, type.replace("wp::", ""), scalar)
    elements = NUMBERS.get(inner[2].split(",")[-1].strip())

    def written_as(value: Any, axes: Axes) -> list[Any]:
        if not isinstance(value, list) or elements is None:
            return [value]
        return [{"struct": [{elements: value}]}]

    return Parameter(name, type.replace("wp::", ""), written_as)


def array_of(value: Any, axes: Axes, elements: str | None, inner: int = 0) -> Any:
    """An array's structure; its elements have `inner` axes of their own, which come last."""
    if value is None:
        zeros = [0] * MOST_AXES
        return {"struct": [{"ptr": None}, {"u64": 0}, {"i32": zeros}, {"i32": zeros},
                           {"u16": 0}, {"u16": 0}]}  # fmt: skip
    own = named(value, "Warp")
    if axes is None:
        raise ValueError(f"how many axes '{own}' has must be known: say its 'shape'")
    outer = axes - inner
    if not 1 <= outer <= MOST_AXES:
        raise ValueError(f"'{own}' has {axes} axes, its elements {inner}: 1 to 4 beside are wanted")
    rest = [0] * (MOST_AXES - outer)
    extents = [{"extent": [own, axis]} for axis in range(outer)]
    strides = [{"stride": [own, axis]} for axis in range(outer)]
    pointer = array(own, elements, axes)
    return {"struct": [{"ptr": pointer}, {"u64": 0}, {"i32": extents + rest},
                       {"i32": strides + rest}, {"u16": outer}, {"u16": 0}]}  # fmt: skip
