"""The inputs of a workload: from a form in YAML to a number or an array.

    n: 1000                                                     a number
    x: [1, 2, 3]                                                a list; the program gives the type
    x: {dtype: f32, shape: [8, 8], value: 0}                    one value everywhere
    x: {dtype: f32, shape: [1000], random: {seed: 1, low: -1, high: 1}}
    x: {dtype: i32, shape: [1000], range: {start: 0, step: 2}}
    x: {dtype: i64, shape: [1000], permutation: {seed: 1}}      0 … n-1 in random order
    x: {dtype: i64, shape: [1024], cycle: {seed: 1, stride: 16}}    see `Cycle`
    x: {dtype: u8, text: "kitten"}                              the text's UTF-8 bytes
    x: {dtype: u8, file: text.txt}                              see `array_files.py`

Arrays are C-ordered and little-endian.  Files are looked up beside the workload.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from machines.description.strict_yaml import Node
from machines.description.validation import check
from machines.diagnostics import Diagnostic, InputError
from machines.elements import (
    DTYPE_NAMES,
    DTYPES,
    as_elements,
    as_numbers,
    known_array,
    rounded,
    type_of,
)
from machines.host_memory import free_bytes
from machines.later import Later
from machines.layout import MOST_BYTES
from machines.types import ELEMENTS
from sim.forms import Form, Wanted
from sim.workload.array_files import CARRY_SHAPE, Format, file_format, read_file
from sim.workload.element_types import MOST_AXES, misfit, numbers, shown
from sim.workload.expressions import evaluate, parse

np = Later("numpy")


def _number(value: object) -> object:
    if not isinstance(value, bool | int | float):
        raise ValueError(f"should be a number, not {shown(value)}")
    return value


def _some_axes(shape: tuple[int, ...]) -> tuple[int, ...]:
    if not 1 <= len(shape) <= MOST_AXES:
        raise ValueError(f"an array has 1 to {MOST_AXES} axes, not {len(shape)}")
    return shape


DtypeName = Literal[*ELEMENTS]
COPIES = 3
"""Of an array that are there at once: as it is made, as it is kept, in the machine's memory."""
SMALL = 1 << 24
"""Bytes of an array of which nobody asks whether the host can hold it."""
Extent = Annotated[int, Field(ge=0, le=MOST_BYTES)]
Shape = Annotated[tuple[Extent, ...], AfterValidator(_some_axes)]
Number = Annotated[Any, AfterValidator(_number)]
"""A number or a boolean; whether it fits is known only together with its element type."""


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
    stride: int = Field(
        1, ge=1, le=MOST_BYTES, description="Elements from one visited element to the next."
    )


ARRAY = "array"
"""Key of a numpy array in the node of an argument that a caller gives, beside dtype and shape."""
CONTENTS = ("value", "values", "random", "range", "permutation", "cycle", "text", "file")


class ArrayForm(Form):
    """An array in long form: its type, its shape, and exactly one source of its content."""

    dtype: DtypeName = Field(description="Element type.")
    shape: Shape | None = Field(None, description="Extents, outermost first.")
    value: Number | None = Field(None, description="The value of every element.")
    values: list[Any] | None = Field(
        None, description="The elements, row by row, or in nested lists of the array's shape."
    )
    random: Random | None = Field(None, description="Random elements.")
    range: Range | None = Field(None, description="Evenly spaced elements.")
    permutation: Permutation | None = Field(None, description="0 … n-1 in random order.")
    cycle: Cycle | None = Field(None, description="A random cycle of indices.")
    text: str | None = Field(None, description="The UTF-8 bytes of a text.")
    file: str | None = Field(None, min_length=1, description="A file beside the workload.")
    format: Format | None = Field(None, description="What the file holds, else by its suffix.")
    member: str | None = Field(None, description="The array of an .npz file.")
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
        for key in ("format", "member", "offset"):
            if self.file is None and getattr(self, key) is not None:
                raise ValueError(f"'{key}' belongs to 'file'")
        if self.offset is not None and self.shape is None:
            raise ValueError("'offset' needs a 'shape': how many elements to take")
        return self


def check_form(node: Node) -> list[Diagnostic]:
    """Findings that need neither the program nor files."""
    if _is_given(node):
        return []
    if isinstance(node.value, dict):
        findings = [_with_type(finding, node) for finding in check(ArrayForm, node)[1]]
        return findings or check_values(node)
    return check_literal(node, "an array in long form is {dtype: f32, shape: [8], value: 0}")


def _with_type(finding: Diagnostic, node: Node) -> Diagnostic:
    """The same; where the element type is missing, with what to write."""
    if "dtype" in node.value or finding.message != "'dtype' is missing":
        return finding
    known = ", ".join(ELEMENTS)
    hint = "a text has bytes: dtype: u8" if "text" in node.value else f"dtype: one of {known}"
    return replace(finding, hint=hint)


def check_literal(node: Node, hint: str) -> list[Diagnostic]:
    """Findings at what is neither a number nor nested lists of numbers."""
    if is_expected_array(node.value):
        return []
    return [
        leaf.finding(f"expected a number or an array, found {shown(leaf.value)}", hint)
        for leaf in _leaves(node)
        if not isinstance(leaf.value, bool | int | float)
    ]


def check_values(node: Node) -> list[Diagnostic]:
    """Findings in the numbers under `values`, which may be nested lists."""
    values = node.value.get("values")
    if values is None or not isinstance(values.value, list):
        return []
    found = [
        leaf.finding(f"should be a number, not {shown(leaf.value)}")
        for leaf in _leaves(values)
        if not isinstance(leaf.value, bool | int | float)
    ]
    try:
        _shape_of(values)
    except InputError as error:
        found += error.diagnostics
    return found


def _is_given(node: Node) -> bool:
    """Whether a caller gave a numpy array."""
    array = node.value.get(ARRAY) if isinstance(node.value, dict) else None
    return array is not None and isinstance(array.value, np.ndarray)


def given_array(array: np.ndarray, like: Node) -> Node:
    """An array as a caller gives it, at the place of another node."""

    def here(value: Any) -> Node:
        return Node(value, like.location, like.text)

    shape = here([here(extent) for extent in array.shape])
    content = {"dtype": here(DTYPE_NAMES[array.dtype]), "shape": shape, ARRAY: here(array)}
    return replace(like, value=content, keys=dict.fromkeys(content, like.location))


def make_input(node: Node, wanted: Wanted, folder: Path) -> np.ndarray:
    """The argument as an array; a scalar is an array without axes.

    Raises InputError with every finding.
    """
    if wanted.is_array != isinstance(node.value, list | dict):
        given = "an array" if isinstance(node.value, list | dict) else "a number"
        raise InputError(node.finding(f"'{wanted.name}' is {wanted}, not {given}"))
    if isinstance(node.value, dict):
        array = _long_form(node, folder)
    elif wanted.dtype is None:
        hint = "write {dtype: i32, values: […]}"
        raise InputError(node.finding("the program does not say the element type", hint))
    else:
        array = literal(node, DTYPES[wanted.dtype], f"'{wanted.name}'")
    if wanted.is_array:
        _check_type(node, wanted, array)
    return array


def literal(node: Node, dtype: np.dtype, what: str) -> np.ndarray:
    """A number, or nested lists of numbers, as an array of `dtype`.

    Raises InputError where a number is not one of `dtype` (`what` says whose it is).
    """
    if isinstance(node.value, np.ndarray):
        if _holds_all(dtype, node.value):
            return as_elements(as_numbers(node.value), type_of(dtype))
        node = as_lists(node)  # what is wrong is said of its elements
    shape = _shape_of(node)
    if len(shape) > MOST_AXES:
        raise InputError(node.finding(f"an array has at most {MOST_AXES} axes, not {len(shape)}"))
    return numbers(_leaves(node), dtype, what).reshape(shape)


def as_lists(node: Node) -> Node:
    """What stands elsewhere, with each numpy array in it as nested lists of numbers."""
    if isinstance(node.value, dict):
        return replace(node, value={key: as_lists(one) for key, one in node.value.items()})
    if isinstance(node.value, np.ndarray):
        rows = as_numbers(node.value) if node.value.dtype.names else node.value
        return as_lists(replace(node, value=[replace(node, value=row) for row in rows]))
    if isinstance(node.value, list):
        return replace(node, value=[as_lists(one) for one in node.value])
    return replace(node, value=node.value.item()) if isinstance(node.value, np.generic) else node


def is_expected_array(value: object) -> bool:
    """Whether a value is an array as a caller expects it, of elements that programs have."""
    return is_array(value) and known_array(value) is not None


def is_array(value: object) -> bool:
    """Whether a value is an array of numpy, which is not imported to find that it is none."""
    return "numpy" in sys.modules and isinstance(value, np.ndarray)


def _holds_all(dtype: np.dtype, array: np.ndarray) -> bool:
    """Whether each element of an array is a number of `dtype`, as `misfit` asks of one."""
    array, type = as_numbers(array), type_of(dtype)
    if "boolean" in (type.kind, type_of(array.dtype.newbyteorder("<")).kind):
        return dtype.kind == array.dtype.kind
    if not type.is_float:
        is_integer = array.dtype.kind != "f"
        return is_integer and (
            not array.size or (type.lowest <= int(array.min()) and int(array.max()) <= type.highest)
        )
    lost = np.isfinite(array) | (np.isinf(array) & (not type.format.has_infinities))
    return not np.any(lost & ~np.isfinite(rounded(array, type)))


def _long_form(node: Node, folder: Path) -> np.ndarray:
    if _is_given(node):
        return node.value[ARRAY].value
    form, findings = check(ArrayForm, node)
    findings = findings or check_values(node)
    if findings:
        raise InputError(findings)
    dtype = DTYPES[form.dtype]
    count = math.prod(form.shape) if form.shape is not None else None
    name = next(name for name in CONTENTS if getattr(form, name) is not None)
    if count is not None:
        _check_size(node, count * dtype.itemsize, name)
    content = _MAKERS[name](node.value[name], form, dtype, count, folder)
    if form.shape is None:
        return content
    if content.size != count:
        message = f"shape {list(form.shape)} has {count} elements, '{name}' gives {content.size}"
        hint = "offset: 0 takes the first elements of a longer file" if name == "file" else None
        raise InputError(node.value["shape"].finding(message, hint))
    if content.ndim > 1 and content.shape != form.shape:
        message = f"shape {list(form.shape)} is not that of '{name}', {list(content.shape)}"
        raise InputError(node.value["shape"].finding(message, "leave out 'shape'"))
    return content.reshape(form.shape)


def _check_size(node: Node, size: int, content: str) -> None:
    """Refuse what no machine holds, or the host does not: an array with elements of its own takes
    their bytes, once more in the machine's memory, and as much while it is made."""
    shape = node.value["shape"]
    if size > MOST_BYTES:
        message = f"an array may have at most {MOST_BYTES >> 30} GiB"
        raise InputError(shape.finding(message))
    free = free_bytes()
    is_zero = content == "value" and node.value["value"].value == 0
    copies = 1 if is_zero else COPIES
    if size > SMALL and copies * size > free:
        message = f"the array needs {copies * size >> 20} MiB while it is made and used"
        raise InputError(shape.finding(message, f"this computer has {free >> 20} MiB to give"))


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
                if isinstance(node.value, dict) and node.gives("shape"):
                    node = node.value["shape"]
                message = f"axis {axis} of '{name}' has {given} elements, {extent} is {needed}"
                findings.append(node.finding(message, f"'{name}' is {parameter}"))
    return findings


# ---- One maker for each content: (node, form, dtype, count, folder) -> elements ------------------


def _from_value(node: Node, form: ArrayForm, dtype: np.dtype, count: int, _: Path) -> np.ndarray:
    one = numbers([node], dtype, "value")
    if not one.view(np.uint8).any():
        return np.zeros(count, dtype)  # which takes no memory before it is written
    return np.repeat(one, count)


def _from_values(node: Node, form: ArrayForm, dtype: np.dtype, *_: object) -> np.ndarray:
    return literal(node, dtype, "values")


def _from_random(node: Node, form: ArrayForm, dtype: np.dtype, count: int, _: Path) -> np.ndarray:
    generator = np.random.Generator(np.random.PCG64(form.random.seed))
    ends = [node.value["low"], node.value["high"]]
    held = as_numbers(numbers(ends, dtype, "random", finite=True))
    type, (low, high) = type_of(dtype), held.tolist()
    if not type.is_float:
        found = generator.integers(low, high, size=count, dtype=held.dtype, endpoint=True)
        return as_elements(found, type)
    if not math.isfinite(high - low):
        raise InputError(node.finding("random: high - low does not fit into f64"))
    values = rounded(low + (high - low) * generator.random(count), type)
    # Subnormal inputs would make both hardware and host behave unlike any real data.
    values[np.abs(values) < type.format.least] = 0
    return as_elements(values, type)


def _from_range(node: Node, form: ArrayForm, dtype: np.dtype, count: int, _: Path) -> np.ndarray:
    type = type_of(dtype)
    widest = DTYPES["f64" if type.is_float else "i64"]
    for key, kind in (("start", dtype), ("step", widest)):
        if node.gives(key):
            numbers([node.value[key]], kind, f"range: {key}", finite=True)
    start, step = form.range.start, form.range.step
    if type.is_float:
        start, step = float(start), float(step)
    problem = misfit(start + step * max(0, count - 1), dtype, finite=True)
    if problem is not None:
        raise InputError(node.finding(f"range: the last element: {problem[0]}", problem[1]))
    if type.is_float:
        return as_elements(start + step * np.arange(count, dtype=np.float64), type)
    # Both ends fit, so arithmetic modulo 2**64 gives every element.
    low, stride = (np.uint64(number % (1 << 64)) for number in (start, step))
    return as_elements(low + stride * np.arange(count, dtype=np.uint64), type)


def _from_permutation(
    node: Node, form: ArrayForm, dtype: np.dtype, count: int, _: Path
) -> np.ndarray:
    _check_index_type(node, form, dtype, count)
    generator = np.random.Generator(np.random.PCG64(form.permutation.seed))
    return as_elements(generator.permutation(count), type_of(dtype))


def _from_cycle(node: Node, form: ArrayForm, dtype: np.dtype, count: int, _: Path) -> np.ndarray:
    _check_index_type(node, form, dtype, count)
    stride = form.cycle.stride
    positions = np.arange(0, count, stride)
    generator = np.random.Generator(np.random.PCG64(form.cycle.seed))
    # A random order of all positions but the first, closed to a ring, is a uniformly random cycle.
    order = np.concatenate([positions[:1], generator.permutation(positions[1:])])
    following = np.zeros(count, np.int64)
    following[order] = np.roll(order, -1)
    return as_elements(following, type_of(dtype))


def _from_text(node: Node, form: ArrayForm, dtype: np.dtype, *_: object) -> np.ndarray:
    if form.dtype not in ("u8", "i8"):
        raise InputError(node.finding(f"a text has bytes, not {form.dtype}", "dtype: u8"))
    return np.frombuffer(form.text.encode(), dtype=dtype)


def _from_file(
    node: Node, form: ArrayForm, dtype: np.dtype, count: int | None, folder: Path
) -> np.ndarray:
    array = read_file(node, folder, dtype, form.format, form.member)
    if form.offset is not None:
        asked = form.offset + count
        if asked > array.size:
            message = f"{form.file} has {array.size} elements, {asked} are asked for"
            raise InputError(node.finding(message))
        return array.reshape(-1)[form.offset : asked]
    carries_shape = file_format(node, dtype, form.format) in CARRY_SHAPE
    if carries_shape and form.shape is not None and form.shape != array.shape:
        message = f"{form.file} has shape {list(array.shape)}, not {list(form.shape)}"
        raise InputError(node.finding(message, "such a file carries its shape: leave out 'shape'"))
    return array


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
        hint = "a function of arrays takes {values: […], lengths: […]}"
        raise InputError(node.finding("the rows of this array differ in length", hint))
    return (len(node.value), *(rows.pop() if rows else ()))


def _check_index_type(node: Node, form: ArrayForm, dtype: np.dtype, count: int) -> None:
    type = type_of(dtype)
    if not type.is_integer:
        message = f"the elements are indices: they need an integer type, not {form.dtype}"
        raise InputError(node.finding(message, "dtype: i64"))
    if count - 1 > type.highest:
        raise InputError(node.finding(f"indices up to {count - 1} do not fit into {form.dtype}"))


def _check_type(node: Node, wanted: Wanted, array: np.ndarray) -> None:
    """The array must be what the program's parameter declares."""
    given = DTYPE_NAMES[array.dtype]
    if wanted.dtype is not None and given != wanted.dtype:
        blamed = node.value["dtype"] if isinstance(node.value, dict) else node
        message = f"'{wanted.name}' is {wanted}, the workload gives {given}"
        raise InputError(blamed.finding(message, f"dtype: {wanted.dtype}"))
    blamed = node
    if isinstance(node.value, dict) and node.gives("shape"):
        blamed = node.value["shape"]
    extents = wanted.extents or (None,) * max(1, array.ndim)
    fits = len(extents) == array.ndim and all(
        isinstance(extent, str) or extent in (None, given)
        for extent, given in zip(extents, array.shape, strict=True)
    )
    if not fits:
        message = f"'{wanted.name}' is {wanted}, the workload gives shape {list(array.shape)}"
        raise InputError(blamed.finding(message))


def as_register(value: np.ndarray) -> int | float:
    """A scalar as a register holds it: an integer as its sign-extended bit pattern."""
    value = as_numbers(value)
    if value.dtype.kind == "u":
        value = value.view(value.dtype.str.replace("u", "i"))
    return value.item()
