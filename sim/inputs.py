"""The inputs of a workload: from a form in YAML to a number or an array.

    n: 1000                                                     a number
    x: [1, 2, 3]                                                a list; the program gives the type
    x: {dtype: f32, shape: [8, 8], value: 0}                    one value everywhere
    x: {dtype: f32, shape: [1000], random: {seed: 1, low: -1, high: 1}}
    x: {dtype: i32, shape: [1000], range: {start: 0, step: 2}}
    x: {dtype: i64, shape: [1000], permutation: {seed: 1}}      0 … n-1 in random order
    x: {dtype: i64, shape: [1024], cycle: {seed: 1, stride: 16}}    see `Cycle`
    x: {dtype: u8, text: "kitten"}                              the text's UTF-8 bytes
    x: {dtype: u8, file: text.txt}                              raw bytes; .npy; format: numbers

Arrays are C-ordered and little-endian.  Files are looked up beside the workload.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, model_validator

from machines.diagnostics import Diagnostic, InputError
from machines.strict_yaml import Node
from machines.validation import check
from sim.expressions import evaluate, parse

DTYPES: dict[str, np.dtype] = {
    name: np.dtype(code)
    for name, code in {
        "i8": "<i1", "i16": "<i2", "i32": "<i4", "i64": "<i8",
        "u8": "<u1", "u16": "<u2", "u32": "<u4", "u64": "<u8",
        "f32": "<f4", "f64": "<f8",
    }.items()
}  # fmt: skip
"""numpy's type of each element type of workloads and kernels."""

DTYPE_NAMES = {dtype: name for name, dtype in DTYPES.items()}

MOST_BYTES = 1 << 28  # of one input array

DtypeName = Literal["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64"]
Extent = Annotated[int, Field(ge=0, le=MOST_BYTES)]
Number = int | float


class Form(BaseModel):
    """Base of the forms: frozen, unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Random(Form):
    """Uniform numbers from numpy's PCG64; integers include `high`, floats do not."""

    seed: int = Field(ge=0, description="Seed of the generator.")
    low: Number = Field(description="Lowest value.")
    high: Number = Field(description="Highest value.")

    @model_validator(mode="after")
    def _in_order(self) -> Random:
        if not self.low <= self.high:
            raise ValueError(f"low ({self.low}) must not exceed high ({self.high})")
        return self


class Range(Form):
    """start, start + step, start + 2·step, …"""

    start: Number = Field(0, description="First value.")
    step: Number = Field(1, description="Difference between neighbours.")


class Permutation(Form):
    """0 … n-1 in random order."""

    seed: int = Field(ge=0, description="Seed of the generator.")


class Cycle(Form):
    """Indices to chase: x[0], x[x[0]], … visits every `stride`-th element once, then repeats.

    The order is random (Sattolo's algorithm: one cycle, no shorter ones), so that no prefetcher and
    no regular set conflict can help; elements in between are 0 and are never visited.
    """

    seed: int = Field(ge=0, description="Seed of the generator.")
    stride: int = Field(1, ge=1, description="Elements from one visited element to the next.")


CONTENTS = ("value", "values", "random", "range", "permutation", "cycle", "text", "file")


class ArrayForm(Form):
    """An array in long form: its type, its shape, and exactly one source of its content."""

    dtype: DtypeName = Field(description="Element type.")
    shape: tuple[Extent, ...] | None = Field(None, description="Extents, outermost first.")
    value: Number | None = Field(None, description="The value of every element.")
    values: list[Number] | None = Field(None, description="The elements, row by row.")
    random: Random | None = Field(None, description="Random elements.")
    range: Range | None = Field(None, description="Evenly spaced elements.")
    permutation: Permutation | None = Field(None, description="0 … n-1 in random order.")
    cycle: Cycle | None = Field(None, description="A random cycle of indices.")
    text: str | None = Field(None, description="The UTF-8 bytes of a text.")
    file: str | None = Field(None, description="A file beside the workload.")
    format: Literal["npy", "raw", "numbers"] | None = Field(
        None, description="What the file holds; by default .npy is npy and all others are raw."
    )
    offset: int | None = Field(
        None, ge=0, description="Skip elements of the file, then take shape."
    )

    @model_validator(mode="after")
    def _one_content(self) -> ArrayForm:
        given = [name for name in CONTENTS if getattr(self, name) is not None]
        if len(given) != 1:
            found = " and ".join(f"'{name}'" for name in given) or "none"
            raise ValueError(f"an array needs exactly one of {', '.join(CONTENTS)}; found {found}")
        sized = given[0] in ("values", "text", "file")
        if self.shape is None and not sized:
            raise ValueError(f"'{given[0]}' needs a 'shape'")
        if self.file is None and (self.format or self.offset is not None):
            raise ValueError("'format' and 'offset' belong to 'file'")
        if self.offset is not None and self.shape is None:
            raise ValueError("'offset' needs a 'shape': how many elements to take")
        return self


@dataclass(frozen=True)
class Wanted:
    """What the program declares of one parameter.

    dtype    'f32', 'u8', 'boolean', …; None if the program does not say
    extents  None for a scalar; else one entry an axis: a number, an expression over the scalar
             arguments, or None where any extent is right; an empty tuple for any shape
    """

    name: str
    dtype: str | None = None
    extents: tuple[int | str | None, ...] | None = None

    @property
    def is_array(self) -> bool:
        return self.extents is not None

    def __str__(self) -> str:
        if self.extents is None:
            return f"a scalar of type {self.dtype}"
        axes = ", ".join(":" if extent is None else str(extent) for extent in self.extents)
        return f"an array {self.dtype or ''}[{axes or ':'}]"


def check_form(node: Node) -> list[Diagnostic]:
    """Findings that need neither the program nor files."""
    if isinstance(node.value, dict):
        return check(ArrayForm, node)[1]
    if isinstance(node.value, list):
        return [f for item in _leaves(node) for f in _not_a_number(item)]
    return _not_a_number(node)


def make_input(node: Node, wanted: Wanted, folder: Path) -> np.ndarray:
    """The argument as an array; a scalar is an array without axes.

    Raises InputError with every finding.
    """
    if wanted.is_array != isinstance(node.value, list | dict):
        given = "an array" if isinstance(node.value, list | dict) else "a number"
        raise InputError(node.finding(f"'{wanted.name}' is {wanted}, not {given}"))
    if not wanted.is_array:
        return _scalar(node, wanted)
    array = _array(node, wanted, folder)
    _check_type(node, wanted, array)
    return array


def _scalar(node: Node, wanted: Wanted) -> np.ndarray:
    if wanted.dtype == "boolean":
        if node.value not in (True, False):
            raise InputError(node.finding(f"'{wanted.name}' is a boolean: true or false"))
        return np.asarray(int(node.value), dtype=np.int8)
    if isinstance(node.value, bool):
        raise InputError(node.finding(f"'{wanted.name}' is {wanted}, not a boolean"))
    return _convert([node], DTYPES[wanted.dtype or "i64"], f"'{wanted.name}'")[0]


def _array(node: Node, wanted: Wanted, folder: Path) -> np.ndarray:
    if isinstance(node.value, list):
        if wanted.dtype is None:
            hint = "write {dtype: i32, values: […]}"
            raise InputError(node.finding("the program does not say the element type", hint))
        flat = _convert(list(_leaves(node)), DTYPES[wanted.dtype], f"'{wanted.name}'")
        return flat.reshape(_shape_of(node))
    form, findings = check(ArrayForm, node)
    if form is None:
        raise InputError(findings)
    dtype = DTYPES[form.dtype]
    count = int(np.prod(form.shape, dtype=object)) if form.shape is not None else None
    if count is not None and count * dtype.itemsize > MOST_BYTES:
        place = node.value["shape"]
        raise InputError(place.finding(f"an array may have at most {MOST_BYTES >> 20} MiB"))
    name = next(name for name in CONTENTS if getattr(form, name) is not None)
    content = _MAKERS[name](node.value[name], form, dtype, count, folder)
    if form.shape is None:
        return content
    if content.size != count:
        message = f"shape {list(form.shape)} has {count} elements, '{name}' gives {content.size}"
        hint = "offset: 0 takes the first elements of a longer file" if name == "file" else None
        raise InputError(node.value["shape"].finding(message, hint))
    return content.reshape(form.shape)


def extent_findings(
    nodes: Mapping[str, Node], wanted: Mapping[str, Wanted], inputs: Mapping[str, np.ndarray]
) -> list[Diagnostic]:
    """Arrays whose extents contradict what the program computes from its scalar arguments."""
    scalars = {name: value for name, value in inputs.items() if not value.ndim}
    findings = []
    for name, parameter in wanted.items():
        for axis, extent in enumerate(parameter.extents or ()):
            if not isinstance(extent, str):
                continue
            needed = int(evaluate(parse(extent, scalars), scalars).value)
            given = inputs[name].shape[axis]
            if needed != given:
                node = nodes[name]
                if isinstance(node.value, dict) and "shape" in node.value:
                    node = node.value["shape"]
                message = f"axis {axis} of '{name}' has {given} elements, {extent} is {needed}"
                findings.append(node.finding(message, f"'{name}' is {parameter}"))
    return findings


# ---- One maker for each content: (node, form, dtype, count, folder) -> elements ------------------


def _from_value(node: Node, form: ArrayForm, dtype: np.dtype, count: int, _: Path) -> np.ndarray:
    return np.repeat(_convert([node], dtype, "value"), count)


def _from_values(node: Node, form: ArrayForm, dtype: np.dtype, *_: object) -> np.ndarray:
    return _convert(node.value, dtype, "values")


def _from_random(node: Node, form: ArrayForm, dtype: np.dtype, count: int, _: Path) -> np.ndarray:
    generator = np.random.Generator(np.random.PCG64(form.random.seed))
    low, high = _convert([node.value["low"], node.value["high"]], dtype, "random").tolist()
    if dtype.kind in "iu":
        return generator.integers(low, high, size=count, dtype=dtype, endpoint=True)
    values = (low + (high - low) * generator.random(count)).astype(dtype)
    # Subnormal inputs would make both hardware and host behave unlike any real data.
    values[np.abs(values) < np.finfo(dtype).tiny] = 0
    return values


def _from_range(node: Node, form: ArrayForm, dtype: np.dtype, count: int, _: Path) -> np.ndarray:
    start, step = form.range.start, form.range.step
    if dtype.kind == "f":
        return (start + step * np.arange(count, dtype=np.float64)).astype(dtype)
    limits = np.iinfo(dtype)
    ends = (start, start + step * max(0, count - 1))
    if not all(isinstance(end, int) and limits.min <= end <= limits.max for end in ends):
        raise InputError(node.finding(f"{ends[0]} … {ends[1]} does not fit into {form.dtype}"))
    return np.asarray(start + step * np.arange(count, dtype=object), dtype=dtype)


def _from_permutation(
    node: Node, form: ArrayForm, dtype: np.dtype, count: int, _: Path
) -> np.ndarray:
    _check_index_type(node, form, dtype, count)
    generator = np.random.Generator(np.random.PCG64(form.permutation.seed))
    return generator.permutation(count).astype(dtype)


def _from_cycle(node: Node, form: ArrayForm, dtype: np.dtype, count: int, _: Path) -> np.ndarray:
    _check_index_type(node, form, dtype, count)
    stride = form.cycle.stride
    places = np.arange(0, count, stride)
    generator = np.random.Generator(np.random.PCG64(form.cycle.seed))
    # A random order of all places but the first, closed to a ring, is a uniformly random cycle.
    order = np.concatenate([places[:1], generator.permutation(places[1:])])
    following = np.zeros(count, dtype=dtype)
    following[order] = np.roll(order, -1)
    return following


def _from_text(node: Node, form: ArrayForm, dtype: np.dtype, *_: object) -> np.ndarray:
    if dtype.itemsize != 1:
        raise InputError(node.finding(f"a text has bytes, not {form.dtype}", "dtype: u8"))
    return np.frombuffer(form.text.encode(), dtype=dtype)


def _from_file(
    node: Node, form: ArrayForm, dtype: np.dtype, count: int | None, folder: Path
) -> np.ndarray:
    elements = read_file(node, folder, dtype, form.dtype, form.format).reshape(-1)
    if form.offset is None:
        return elements
    if form.offset + count > elements.size:
        message = f"{form.file} has {elements.size} elements, {form.offset + count} are asked for"
        raise InputError(node.finding(message))
    return elements[form.offset : form.offset + count]


_MAKERS: dict[str, Callable[..., np.ndarray]] = {
    "value": _from_value,
    "values": _from_values,
    "random": _from_random,
    "range": _from_range,
    "permutation": _from_permutation,
    "cycle": _from_cycle,
    "text": _from_text,
    "file": _from_file,
}


def read_file(
    node: Node, folder: Path, dtype: np.dtype, dtype_name: str, form: str | None = None
) -> np.ndarray:
    """The elements of the file that `node` names; raises InputError at the node."""
    path = folder / str(node.value)
    form = form or ("npy" if path.suffix == ".npy" else "raw")
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(node.finding(f"{node.value} is larger than {MOST_BYTES >> 20} MiB"))
        if form == "npy":
            return _read_npy(node, path, dtype, dtype_name)
        if form == "numbers":
            return _read_numbers(node, path.read_text(encoding="utf-8"), dtype)
        data = path.read_bytes()
    except OSError as error:
        reason = f"cannot read {node.value}: {error.strerror}"
        raise InputError(node.finding(reason, "files are looked up beside the workload")) from None
    except UnicodeDecodeError:
        raise InputError(node.finding(f"{node.value} is not UTF-8 text")) from None
    if len(data) % dtype.itemsize:
        message = f"{node.value} has {len(data)} bytes, no whole number of {dtype_name}"
        raise InputError(node.finding(message))
    return np.frombuffer(data, dtype=dtype)


def _read_npy(node: Node, path: Path, dtype: np.dtype, dtype_name: str) -> np.ndarray:
    try:
        array = np.load(path, allow_pickle=False)
    except (ValueError, EOFError):
        hint = "format: raw or format: numbers reads other files"
        raise InputError(node.finding(f"{node.value} is no .npy file", hint)) from None
    if not isinstance(array, np.ndarray) or array.dtype.newbyteorder("<") != dtype:
        found = getattr(array, "dtype", "several arrays")
        raise InputError(node.finding(f"{node.value} holds {found}, not {dtype_name}"))
    return np.ascontiguousarray(array.astype(dtype))


def _read_numbers(node: Node, text: str, dtype: np.dtype) -> np.ndarray:
    convert = float if dtype.kind == "f" else int
    values = []
    for line, content in enumerate(text.splitlines(), start=1):
        for word in content.split("#")[0].replace(",", " ").split():
            try:
                values.append(dtype.type(convert(word)))
            except (ValueError, OverflowError):
                message = f"{node.value}, line {line}: '{word}' is not such a number"
                raise InputError(node.finding(message)) from None
    return np.asarray(values, dtype=dtype)


# ---- Numbers and shapes -------------------------------------------------------------------------


def _leaves(node: Node) -> list[Node]:
    """The scalars of nested lists, row by row."""
    if not isinstance(node.value, list):
        return [node]
    return [leaf for child in node.value for leaf in _leaves(child)]


def _shape_of(node: Node) -> tuple[int, ...]:
    """The shape of nested lists; raises InputError if rows differ in length."""
    if not isinstance(node.value, list):
        return ()
    rows = {_shape_of(child) for child in node.value}
    if len(rows) > 1:
        raise InputError(node.finding("the rows of this array differ in length"))
    return (len(node.value), *(rows.pop() if rows else ()))


def _not_a_number(node: Node) -> list[Diagnostic]:
    if isinstance(node.value, bool | int | float):
        return []
    shown = "nothing" if node.value is None else f"{node.value!r}"
    hint = "an array in long form is a mapping: {dtype: f32, shape: [8], value: 0}"
    return [node.finding(f"expected a number or an array, found {shown}", hint)]


def _convert(nodes: list[Node], dtype: np.dtype, what: str) -> np.ndarray:
    """Numbers as an array of `dtype`; what does not fit is an error at its place."""
    findings = []
    for node in nodes:
        value = node.value
        if isinstance(value, bool) or not isinstance(value, int | float):
            findings.append(node.finding(f"{what}: expected a number, found {value!r}"))
        elif dtype.kind in "iu":
            limits = np.iinfo(dtype)
            if not isinstance(value, int):
                hint = f"write {value:.0f}" if value.is_integer() else None
                findings.append(node.finding(f"{what}: {value} is not an integer", hint))
            elif not limits.min <= value <= limits.max:
                hint = f"from {limits.min} to {limits.max}"
                findings.append(node.finding(f"{what}: {value} does not fit", hint))
    if findings:
        raise InputError(findings[:20])
    with np.errstate(over="ignore"):
        return np.asarray([node.value for node in nodes], dtype=dtype)


def _check_index_type(node: Node, form: ArrayForm, dtype: np.dtype, count: int) -> None:
    if dtype.kind == "f" or count > np.iinfo(dtype).max:
        raise InputError(node.finding(f"indices up to {count - 1} do not fit into {form.dtype}"))


def _check_type(node: Node, wanted: Wanted, array: np.ndarray) -> None:
    """The array must be what the program's parameter declares."""
    given = DTYPE_NAMES[array.dtype]
    if wanted.dtype is not None and given != wanted.dtype:
        place = node.value["dtype"] if isinstance(node.value, dict) else node
        message = f"'{wanted.name}' is {wanted}, the workload gives {given}"
        raise InputError(place.finding(message, f"dtype: {wanted.dtype}"))
    if not wanted.extents:
        return
    place = node
    if isinstance(node.value, dict) and "shape" in node.value:
        place = node.value["shape"]
    fits = len(wanted.extents) == array.ndim and all(
        isinstance(extent, str) or extent in (None, given)
        for extent, given in zip(wanted.extents, array.shape, strict=True)
    )
    if not fits:
        message = f"'{wanted.name}' is {wanted}, the workload gives shape {list(array.shape)}"
        raise InputError(place.finding(message))
