"""What must come out of a run, and the comparison with what came out.

    y: {equals: "a * x + y"}            an expression over the initial inputs (sim/expressions.py)
    y: {file: expected.npy}             a file beside the workload
    y: {oracle: sorted, of: x}          a named oracle (sim/oracles.py) of expressions
    y: [[1, 2], [3, 4]]                 a list, or nested lists, stands for itself
    return: 42                          a number too; of an array it is every element

An expectation has the output's shape, and its integers are of the output's type: what no output
could ever be is refused before the run.  `values:` and raw files have no shape of their own; their
elements are taken row by row.

Integers must be equal.  Floats must satisfy |got - expected| <= atol + rtol * |expected|, unless
given with rtol 1e-6 (f32) or 1e-12 (f64) and atol 4 * eps * (sum of the magnitudes of the
expression's terms).  NaN equals NaN, an infinity only itself.  `compare: prefix` looks at as many
rows (elements, if there is one axis) as are expected and leaves the rest of the array alone.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from machines.diagnostics import Diagnostic, InputError, Location, nearest
from machines.strict_yaml import Node
from machines.validation import check
from sim.expressions import Expression, evaluate, parse
from sim.inputs import (
    DTYPE_NAMES,
    DTYPES,
    Form,
    Number,
    check_literal,
    file_format,
    limits,
    literal,
    numbers,
    read_file,
)
from sim.oracles import ORACLES, Takes, parameters
from sim.quantities import Quantity, quantity

RELATIVE = {"f32": 1e-6, "f64": 1e-12}
"""Default relative tolerance by type."""

SOURCES = ("equals", "values", "file", "oracle")

Tolerance = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Expectation(Form):
    """An expectation in long form: exactly one source of the expected values."""

    equals: str | None = Field(None, description="An expression over the initial inputs.")
    values: list[Number] | None = Field(None, description="The expected elements.")
    file: str | None = Field(None, description="A file beside the workload, .npy or raw.")
    oracle: str | None = Field(None, description="The name of an oracle.")
    of: str | list[str] | None = Field(None, description="What the oracle is given: expressions.")
    rtol: Tolerance | None = Field(None, description="Relative tolerance.")
    atol: Tolerance | None = Field(None, description="Absolute tolerance.")
    compare: Literal["all", "prefix"] = Field("all", description="Which elements are compared.")

    @model_validator(mode="after")
    def _one_source(self) -> Expectation:
        given = [name for name in SOURCES if getattr(self, name) is not None]
        if len(given) != 1:
            found = " and ".join(f"'{name}'" for name in given) or "none"
            raise ValueError(f"exactly one of {', '.join(SOURCES)} is needed; found {found}")
        if (self.oracle is None) != (self.of is None):
            raise ValueError("'oracle' and 'of' belong together")
        return self


@dataclass(frozen=True)
class Check:
    """The outcome for one output.

    compared   elements looked at; `differing` of them were wrong
    first      index of the first wrong element (None if all are right), with `expected` and `got`
    """

    name: str
    source: str
    compared: int
    differing: int = 0
    first: tuple[int, ...] | None = None
    expected: int | float | None = None
    got: int | float | None = None

    @property
    def ok(self) -> bool:
        return self.differing == 0

    def __str__(self) -> str:
        if self.ok:
            return f"{self.name}: {self.compared} of {self.compared} as {self.source}"
        return (
            f"{self.name}{_index(self.first)} is {self.got!r}, expected {self.expected!r} "
            f"by {self.source}; {self.differing} of {self.compared} differ"
        )


def check_expectation(node: Node, names: Iterable[str]) -> list[Diagnostic]:
    """Findings that need neither the program nor files; expressions are over `names`."""
    if not isinstance(node.value, dict):
        return check_literal(node, 'an expression is written {equals: "…"}')
    form, findings = check(Expectation, node)
    if form is None:
        return findings
    if form.oracle is not None:
        place = node.value["oracle"]
        if form.oracle not in ORACLES:
            hint = nearest(form.oracle, ORACLES)
            return [place.finding(f"there is no oracle '{form.oracle}'", hint)]
        wanted, given = len(parameters(form.oracle)), len(_elements(node.value["of"]))
        if wanted != given:
            message = f"oracle '{form.oracle}' takes {wanted} values, not {given}"
            findings.append(node.value["of"].finding(message, _first_line(form.oracle)))
    for text in _expressions(node):
        try:
            _parse(text, names)
        except InputError as error:
            findings += error.diagnostics
    return findings


@dataclass(frozen=True)
class Expected:
    """What one output must be.

    value   the expected elements, in the output's shape (or in its first rows) and type, f64 for
            any float; and the scale of their rounding errors
    dtype   element type of the output
    source  where the expectation comes from, for messages
    """

    name: str
    value: Quantity
    dtype: str
    source: str
    relative: float
    absolute: float | None
    prefix: bool


@dataclass(frozen=True)
class _Output:
    """What is compared: an array argument or 'return', all of it or its first rows."""

    name: str
    dtype: np.dtype
    shape: tuple[int, ...]
    prefix: bool

    @property
    def holds(self) -> str:
        return DTYPE_NAMES[self.dtype]


def expect(
    name: str, node: Node, inputs: Mapping[str, np.ndarray], dtype: str, folder: Path
) -> Expected:
    """Compute the expectation `node` of an output; raises InputError at its place."""
    options = node.plain() if isinstance(node.value, dict) else {}
    shape = () if name == "return" else inputs[name].shape
    output = _Output(name, DTYPES[dtype], shape, options.get("compare") == "prefix")
    for key in ("rtol", "atol"):
        if options.get(key) is not None and dtype not in RELATIVE:
            message = f"'{name}' holds {dtype}, which is compared exactly: there is no '{key}'"
            raise InputError(node.value[key].finding(message))
    value = _in_shape(output, node, _expected_value(output, node, inputs, folder))
    relative = options.get("rtol")
    return Expected(
        name,
        _in_type(output, node, value),
        dtype,
        _source(node),
        RELATIVE.get(dtype, 0.0) if relative is None else relative,
        options.get("atol"),
        output.prefix,
    )


def _expected_value(
    output: _Output, node: Node, inputs: Mapping[str, np.ndarray], folder: Path
) -> Quantity:
    """What the source says, in the shape it has there."""
    source, place = _source_of(node)
    if source == "equals":
        return evaluate(_parse(place, inputs), inputs)
    if source == "oracle":
        return _ask_oracle(place, _elements(node.value["of"]), inputs)
    if place is node:
        return quantity(literal(node, output.dtype, f"'{output.name}'"))
    if source == "values":
        return quantity(_in_rows(output, numbers(place.value, output.dtype, "values")))
    array = read_file(place, folder, output.dtype)
    return quantity(array if file_format(place) == "npy" else _in_rows(output, array))


def _in_rows(output: _Output, flat: np.ndarray) -> np.ndarray:
    """Elements without a shape in that of the output, or of its first rows, if they fill it."""
    shape = output.shape
    row = math.prod(shape[1:])
    if output.prefix and shape and row and flat.size % row == 0:
        shape = (flat.size // row, *shape[1:])
    return flat.reshape(shape) if flat.size == math.prod(shape) else flat


def _in_shape(output: _Output, node: Node, value: Quantity) -> Quantity:
    """The expectation in the output's shape; raises InputError if it has another one."""
    shape, given = output.shape, value.value.shape
    if output.prefix and not shape:
        message = f"'{output.name}' is a single number, of which there is no prefix"
        raise InputError(node.value["compare"].finding(message))
    if not given:
        return Quantity(*(np.broadcast_to(part, shape) for part in value))
    place = _source_of(node)[1]
    is_shorter = bool(shape) and given[1:] == shape[1:] and given[0] < shape[0]
    if given != shape and not (output.prefix and is_shorter):
        message = f"'{output.name}' is {_shape_words(shape)}, the expectation {_shape_words(given)}"
        hint = "compare: prefix looks at the first ones only" if is_shorter else None
        raise InputError(place.finding(message, hint))
    if not math.prod(given) and math.prod(shape):
        raise InputError(place.finding(f"nothing is expected of '{output.name}'"))
    return value


def _in_type(output: _Output, node: Node, value: Quantity) -> Quantity:
    """The expectation in the output's type; raises InputError at integers it cannot hold."""
    want, terms = value
    if output.dtype.kind == "f":
        return Quantity(want.astype(np.float64), terms)
    source, place = _source_of(node)
    if want.dtype.kind == "f":
        message = f"'{output.name}' holds {output.holds}, the expectation is a float"
        raise InputError(place.finding(message, "int(x) truncates" if source == "equals" else None))
    # All 64-bit types hold all 64-bit values: an expression knows them as bit patterns.
    low, high = limits(output.dtype)
    outside = np.argwhere((want < low) | (want > high)) if output.dtype.itemsize < 8 else ()
    if len(outside):
        first = tuple(int(i) for i in outside[0])
        wanted = f"{output.name}{_index(first)} is to be {want[first]}"
        wraps = source == "equals" and output.dtype.kind != "b"
        hint = f"{output.holds}(x) wraps as the machine does" if wraps else f"from {low} to {high}"
        raise InputError(place.finding(f"{wanted}, which {output.holds} cannot hold", hint))
    return Quantity(want.astype(output.dtype), terms)


def _shape_words(shape: tuple[int, ...]) -> str:
    return f"an array of shape {list(shape)}" if shape else "a single number"


def _index(place: tuple[int, ...] | None) -> str:
    """An element's indices as they are written: '[1, 2]', of a single number nothing."""
    return f"[{', '.join(map(str, place))}]" if place else ""


def _ask_oracle(name: Node, of: list[Node], inputs: Mapping[str, np.ndarray]) -> Quantity:
    oracle = str(name.value)
    arguments = [
        _oracle_input(oracle, text, parameter, takes, inputs)
        for text, (parameter, takes) in zip(of, parameters(oracle).items(), strict=True)
    ]
    try:
        with np.errstate(all="ignore"):
            found = quantity(ORACLES[oracle](*arguments))
    except (ValueError, IndexError, TypeError, ArithmeticError) as error:
        raise InputError(name.finding(f"the oracle has no answer: {error}")) from None
    # The terms of an oracle's results are unknown: each counts as one term.
    return Quantity(found.value, np.abs(found.value))


def _oracle_input(
    oracle: str, text: Node, parameter: str, takes: Takes, inputs: Mapping[str, np.ndarray]
) -> np.ndarray | int | float:
    """An argument as it is, or an expression's value; a single number as a Python number."""
    value = inputs.get(str(text.value))
    if value is None:
        value = takes.typed(evaluate(_parse(text, inputs), inputs).value)
    if not takes.accepts(value):
        shape = list(value.shape) if value.ndim else ""
        message = f"oracle '{oracle}' takes {takes.words} as '{parameter}'"
        raise InputError(text.finding(f"{message}, this is {DTYPE_NAMES[value.dtype]}{shape}"))
    return value.item() if value.ndim == 0 else value


def _first_line(oracle: str) -> str | None:
    return (inspect.getdoc(ORACLES[oracle]) or "").partition("\n")[0] or None


def compare(expected: Expected, got: np.ndarray) -> Check:
    """Compare an output (a single number is an array without axes) with what was expected."""
    name, source = expected.name, expected.source
    want, terms = expected.value
    if expected.prefix:
        got = got[: len(want)]
    wrong = got != want if got.dtype.kind != "f" else ~_close(expected, got, want, terms)
    places = np.argwhere(wrong)
    if not len(places):
        return Check(name, source, got.size)
    first = tuple(int(i) for i in places[0])
    return Check(name, source, got.size, len(places), first, want[first].item(), got[first].item())


def _close(expected: Expected, got: np.ndarray, want: np.ndarray, terms: np.ndarray) -> np.ndarray:
    """For each element whether it is near enough; NaN equals NaN, an infinity itself."""
    absolute = expected.absolute
    if absolute is None:
        absolute = 4 * np.finfo(got.dtype).eps * terms
    got = got.astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        near = np.abs(got - want) <= absolute + expected.relative * np.abs(want)
    same = (got == want) | (np.isnan(got) & np.isnan(want))
    return same | (near & np.isfinite(want) & np.isfinite(got))


def _source_of(node: Node) -> tuple[str, Node]:
    """Which source the expectation has, and what it says; a number or a list is its own."""
    if not isinstance(node.value, dict):
        return "values", node
    return next((name, node.value[name]) for name in SOURCES if _given(node, name))


def _source(node: Node) -> str:
    source, place = _source_of(node)
    return {
        "equals": f"'{' '.join(str(place.value).split())}'",
        "values": "given",
        "file": f"file {place.value}",
        "oracle": f"oracle {place.value}",
    }[source]


def _expressions(node: Node) -> list[Node]:
    return [
        text for key in ("equals", "of") if _given(node, key) for text in _elements(node.value[key])
    ]


def _given(node: Node, key: str) -> bool:
    return key in node.value and node.value[key].value is not None


def _elements(node: Node) -> list[Node]:
    return node.value if isinstance(node.value, list) else [node]


def _parse(node: Node, names: Iterable[str]) -> Expression:
    """The expression in a node; positions are exact if it stands on one line."""
    place = node.location
    lines = node.text.splitlines()
    line = lines[place.line - 1] if place.line <= len(lines) else ""
    if line[place.column - 1 : place.column] in ("'", '"'):
        place = Location(place.file, place.line, place.column + 1, place.length)
    return parse(str(node.value), names, place, node.text)
