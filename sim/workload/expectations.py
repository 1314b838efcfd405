"""What must come out of a run, and the comparison with what came out.

    y: {equals: "a * x + y"}            an expression over the initial inputs
    (sim/workload/expressions.py)
    y: {file: expected.npy}             a file beside the workload
    y: {oracle: sorted, of: x}          an oracle (sim/workload/oracle_calls.py) of expressions
    y: [[1, 2], [3, 4]]                 a list, or nested lists, stands for itself
    return: 42                          a number too; of an array it is every element

An expectation has the output's shape (an array that a program gives may be of any length: another
one than is expected is a failed check), and its integers are of the output's type: what no output
could ever be is refused before the run.  `values:` and raw files have no shape of their own; their
elements are taken row by row.

Integers must be equal, and so must floats in which nothing was rounded.  The others of f32 and f64
must satisfy |got - expected| <= atol + rtol * |expected|; unless given, rtol is 1e-6 (f32) or 1e-12
(f64), and atol the bound on the error of each element that `quantities.py` works out (of lists,
files and oracles: one rounding).  What is expected of f16, bf16, e4m3 and e5m2 is rounded to the
type, and may be off by `ulps` numbers of it: 1 unless given, as of what was computed in more digits
and rounded once; `ulps: 0` asks for equality.  `ulps`, or `rtol` and `atol`, may be given for every
type.  NaN equals NaN, an infinity only itself.  A tolerance that would accept zeros, the inputs, or
the values moved by one element, is refused: it judges nothing.

`compare: prefix` looks at as many rows (elements, if there is one axis) as are expected and leaves
the rest of the array alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import EllipsisType
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from machines.description.strict_yaml import Node
from machines.description.validation import check
from machines.diagnostics import Diagnostic, InputError
from machines.elements import DTYPES, as_elements, as_numbers, rounded, type_of
from machines.later import Later
from machines.types import ELEMENTS, F64, Type
from sim.forms import Form
from sim.workload.array_files import CARRY_SHAPE, Format, file_format, read_file
from sim.workload.comparison import (
    RELATIVE,
    ULPS,
    Expected,
    accepted_otherwise,
    index_text,
    tolerance_text,
)
from sim.workload.expressions import evaluate, parse_node
from sim.workload.inputs import check_literal, check_values, literal
from sim.workload.integers import written
from sim.workload.nested import VALUES
from sim.workload.oracle_calls import ask, check_call
from sim.workload.quantities import Quantity, Rounding, unsure

np = Later("numpy")

SOURCES = ("equals", "values", "file", "oracle")

Tolerance = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Expectation(Form):
    """An expectation in long form: exactly one source of the expected values."""

    equals: str | None = Field(None, description="An expression over the initial inputs.")
    values: list[Any] | None = Field(None, description="The expected elements.")
    file: str | None = Field(None, min_length=1, description="A file beside the workload.")
    format: Format | None = Field(None, description="What the file holds, else by its suffix.")
    member: str | None = Field(None, description="The array of an .npz file.")
    oracle: str | None = Field(
        None,
        description="An oracle's name, or FILE.py:FUNCTION of a file beside the workload.",
    )
    of: str | list[str] | None = Field(None, description="What the oracle is given: expressions.")
    rtol: Tolerance | None = Field(None, description="Relative tolerance.")
    atol: Tolerance | None = Field(None, description="Absolute tolerance.")
    ulps: int | None = Field(
        None, ge=0, le=1 << 53, description="Numbers of the output's type that it may be off."
    )
    compare: Literal["all", "prefix"] = Field("all", description="Which elements are compared.")

    @model_validator(mode="after")
    def _one_source(self) -> Expectation:
        given = [name for name in SOURCES if getattr(self, name) is not None]
        if len(given) != 1:
            found = " and ".join(f"'{name}'" for name in given) or "none"
            raise ValueError(f"exactly one of {', '.join(SOURCES)} is needed; found {found}")
        if self.oracle is None and self.of is not None:
            raise ValueError("'oracle' and 'of' belong together")
        for key in ("format", "member"):
            if self.file is None and getattr(self, key) is not None:
                raise ValueError(f"'{key}' belongs to 'file'")
        if self.ulps is not None and (self.rtol is not None or self.atol is not None):
            raise ValueError("'ulps' is given in place of 'rtol' and 'atol'")
        return self


def check_expectation(node: Node, names: Iterable[str]) -> list[Diagnostic]:
    """Findings that need neither the program nor files; expressions are over `names`."""
    if not isinstance(node.value, dict):
        return check_literal(node, 'an expression is written {equals: "…"}')
    form, findings = check(Expectation, node)
    if form is None:
        return findings
    findings += check_values(node)
    if form.oracle is not None:
        findings += check_call(node.value["oracle"], node.value.get("of"))
    for text in _expressions(node):
        try:
            parse_node(text, names)
        except InputError as error:
            findings += error.diagnostics
    return findings


@dataclass(frozen=True)
class _Output:
    """What is compared: an array argument or 'return', all of it or its first rows.  One without a
    shape is an array of one axis, whose length the run tells.

    ulps  how many numbers of its type floats may be off, unless tolerances say how far
    """

    name: str
    dtype: np.dtype
    shape: tuple[int, ...] | None
    prefix: bool
    ulps: int | None = None

    @property
    def type(self) -> Type:
        return type_of(self.dtype)

    @property
    def holds(self) -> str:
        return self.type.name

    @property
    def rounding(self) -> Rounding:
        """How a program that writes it rounds; one that writes integers has floats of f64, and so
        has one whose result is rounded once."""
        return Rounding(self.type if self.type.is_float and self.ulps is None else F64)


def expect(
    name: str,
    node: Node,
    inputs: Mapping[str, np.ndarray],
    dtype: str,
    folder: Path,
    trusted: bool = False,
    shape: tuple[int, ...] | EllipsisType | None = ...,
) -> Expected:
    """Compute the expectation `node` of an output; raises InputError at its location.

    Only if the workload is `trusted`, an oracle of its own is asked.  An output whose shape is not
    said has that of the argument of its name, or is a number; one with None is an array of one
    axis, whose length the run tells.
    """
    options = node.plain() if isinstance(node.value, dict) else {}
    if shape is ...:
        shape = inputs[name].shape if name in inputs else ()
    ulps = _ulps(options, ELEMENTS[dtype])
    output = _Output(name, DTYPES[dtype], shape, options.get("compare") == "prefix", ulps)
    for key in ("rtol", "atol", "ulps"):
        if options.get(key) is not None and not output.type.is_float:
            message = f"'{name}' holds {dtype}, which is compared exactly: there is no '{key}'"
            raise InputError(node.value[key].finding(message))
    value = _in_shape(output, node, _expected_value(output, node, inputs, folder, trusted))
    value = _in_type(output, node, value)
    relative, absolute = (0.0, 0.0) if ulps is not None else _tolerances(output, node, value)
    with np.errstate(invalid="ignore"):  # infinities are compared without it
        tolerance = absolute + relative * np.abs(value.value)
    if ulps is not None:
        tolerance = np.where(np.isinf(value.error), np.inf, 0.0)
        if options.get("ulps") is None and _is_exact(value, output.type):
            ulps = 0
    expected = Expected(
        name,
        value.value,
        tolerance,
        dtype,
        _source(node),
        float(np.max(relative, initial=0.0)),
        float(np.max(absolute, initial=0.0)),
        output.prefix,
        ulps,
    )
    if output.type.is_float:
        _check_tolerance(node, expected, inputs)
    return expected


def _ulps(options: Mapping[str, Any], type: Type) -> int | None:
    """How many numbers of its type an element may be off; None if tolerances say how far."""
    if options.get("ulps") is not None:
        return options["ulps"]
    has_tolerance = any(options.get(key) is not None for key in ("rtol", "atol"))
    return ULPS if type.is_float and type.name not in RELATIVE and not has_tolerance else None


def _is_exact(value: Quantity, type: Type) -> bool:
    """Whether nothing was rounded, and nothing is when it becomes the type's."""
    is_own = (rounded(value.value, type) == value.value) | np.isnan(value.value)
    return value.is_exact and bool(np.all(is_own))


def _check_tolerance(node: Node, expected: Expected, inputs: Mapping[str, np.ndarray]) -> None:
    """Raise InputError, where the tolerance stands, if it would accept other outputs as well."""
    accepted = accepted_otherwise(expected, inputs)
    if accepted is None:
        return
    is_form = isinstance(node.value, dict)
    stated = [key for key in ("atol", "rtol", "ulps") if is_form and node.gives(key)]
    blamed = node.value[stated[0]] if stated else _source_of(node)[1]
    tolerance = tolerance_text(expected).removeprefix(" within ")
    hint = (
        "give a tolerance smaller than the values and than what sets them apart"
        if stated
        else "rounding errors may be as large as the values: compute in integers, choose other "
        "inputs, or give atol and rtol"
    )
    message = f"the tolerance of '{expected.name}' ({tolerance}) would accept {accepted}"
    raise InputError(blamed.finding(message, hint))


def _tolerances(
    output: _Output, node: Node, value: Quantity
) -> tuple[np.ndarray | float, np.ndarray]:
    """The relative and the absolute tolerance of each element."""
    options = node.plain() if isinstance(node.value, dict) else {}
    relative, absolute = options.get("rtol"), options.get("atol")
    if relative is None:
        relative = np.where(value.error > 0, RELATIVE.get(output.holds, 0.0), 0.0)
    if absolute is None:
        return relative, value.error
    return relative, np.full(value.value.shape, float(absolute))


def _expected_value(
    output: _Output, node: Node, inputs: Mapping[str, np.ndarray], folder: Path, trusted: bool
) -> Quantity:
    """What the source says, in the shape it has there."""
    source, content = _source_of(node)
    rounding = output.rounding
    if source == "equals":
        return evaluate(parse_node(content, inputs), inputs, rounding.type)
    if source == "oracle":
        return rounding.rounded(ask(content, node.value.get("of"), inputs, folder, trusted))
    if content is node:
        return rounding.rounded(literal(node, output.dtype, f"'{output.name}'"))
    if source == "values":
        array = literal(content, output.dtype, "values")
        return rounding.rounded(_in_rows(output, array) if array.ndim == 1 else array)
    options = node.plain()
    array = read_file(content, folder, output.dtype, options.get("format"), options.get("member"))
    carries_shape = file_format(content, output.dtype, options.get("format")) in CARRY_SHAPE
    return rounding.rounded(array if carries_shape else _in_rows(output, array))


def _in_rows(output: _Output, flat: np.ndarray) -> np.ndarray:
    """Elements without a shape in that of the output, or of its first rows, if they fill it."""
    shape = output.shape
    if shape is None:
        return flat
    row = math.prod(shape[1:])
    if output.prefix and shape and row and flat.size % row == 0:
        shape = (flat.size // row, *shape[1:])
    return flat.reshape(shape) if flat.size == math.prod(shape) else flat


def _in_shape(output: _Output, node: Node, value: Quantity) -> Quantity:
    """The expectation in the output's shape; raises InputError if it has another one."""
    shape, given = output.shape, value.value.shape
    if shape is None:
        return _of_any_length(output, node, value)
    if output.prefix and not shape:
        message = f"'{output.name}' is a single number, of which there is no prefix"
        raise InputError(node.value["compare"].finding(message))
    if not given:
        return Quantity(*(np.broadcast_to(part, shape) for part in value[:2]))
    content = _source_of(node)[1]
    is_shorter = bool(shape) and given[1:] == shape[1:] and given[0] < shape[0]
    if given != shape and not (output.prefix and is_shorter):
        message = f"'{output.name}' is {_shape_words(shape)}, the expectation {_shape_words(given)}"
        hint = "compare: prefix looks at the first ones only" if is_shorter else None
        raise InputError(content.finding(message, hint))
    if not math.prod(given) and math.prod(shape):
        raise InputError(content.finding(f"nothing is expected of '{output.name}'"))
    return value


def _of_any_length(output: _Output, node: Node, value: Quantity) -> Quantity:
    """The expectation of an array whose length the run tells; a single number is every element.
    Elements of rows that lie one behind another may be expected as an array of several axes."""
    axes = value.value.ndim
    if axes > 1 and VALUES in output.name.split("."):
        return Quantity(*(np.broadcast_to(p, value.value.shape).reshape(-1) for p in value[:2]))
    if axes > 1:
        message = f"'{output.name}' is an array of one axis, the expectation has {axes}"
        raise InputError(_source_of(node)[1].finding(message))
    if output.prefix and not axes:
        message = "one number does not say how many elements are compared"
        raise InputError(node.value["compare"].finding(message))
    if output.prefix and not value.value.size:
        content = _source_of(node)[1]
        raise InputError(content.finding(f"nothing is expected of '{output.name}'"))
    return value


def _in_type(output: _Output, node: Node, q: Quantity) -> Quantity:
    """The expectation in the output's type; raises InputError at integers it cannot hold."""
    source, content = _source_of(node)
    if output.type.is_float:
        return _in_floats(output, node, q)
    if not q.is_integer:
        message = f"'{output.name}' holds {output.holds}, the expectation is a float"
        raise InputError(
            content.finding(message, "int(x) truncates" if source == "equals" else None)
        )
    if not q.is_exact:
        message = f"'{output.name}' holds {output.holds}, and {unsure(q)} of what is expected"
        hint = "choose inputs that are not at the edge, or write it in integers: x // y"
        raise InputError(content.finding(f"{message} depends on how a float is rounded", hint))
    low, high = output.type.lowest, output.type.highest
    outside = np.argwhere((q.value < low) | (q.value > high))
    if len(outside):
        first = tuple(int(i) for i in outside[0])
        wanted = f"{output.name}{index_text(first)} is to be {written(q.value[first])}"
        wraps = source == "equals" and output.type.is_integer
        hint = f"{output.holds}(x) wraps as the machine does" if wraps else f"from {low} to {high}"
        raise InputError(content.finding(f"{wanted}, which {output.holds} cannot hold", hint))
    return Quantity(as_numbers(as_elements(q.value, output.type)), q.error)


def _in_floats(output: _Output, node: Node, q: Quantity) -> Quantity:
    """In f64; raises InputError at numbers that are too large for the output's type."""
    source, content = _source_of(node)
    try:
        with np.errstate(over="ignore"):
            found = output.rounding.as_float(q)
            is_lost = _is_lost(found.value, output.type)
    except ValueError as error:
        raise InputError(content.finding(f"'{output.name}' cannot be that: {error}")) from None
    if np.any(is_lost):
        first = tuple(int(i) for i in np.argwhere(is_lost)[0])
        wanted = f"{output.name}{index_text(first)} is to be {found.value[first]:.6g}"
        hint = (
            f"{output.holds}(x) makes it {_too_large(output.type)}" if source == "equals" else None
        )
        raise InputError(content.finding(f"{wanted}, which {output.holds} cannot hold", hint))
    return found


def _is_lost(values: np.ndarray, type: Type) -> np.ndarray:
    """Where a type of floats has no such number, not even rounded, and no such infinity."""
    is_there = np.isinf(values) & type.format.has_infinities
    return ~np.isnan(values) & ~is_there & ~np.isfinite(rounded(values, type))


def _too_large(type: Type) -> str:
    if type.format.has_infinities:
        return "infinite"
    return f"NaN, {type}_saturated(x) {type.format.largest:g}"


def _shape_words(shape: tuple[int, ...]) -> str:
    return f"an array of shape {list(shape)}" if shape else "a single number"


def _source_of(node: Node) -> tuple[str, Node]:
    """Which source the expectation has, and what it says; a number or a list is its own."""
    if not isinstance(node.value, dict):
        return "values", node
    return next((name, node.value[name]) for name in SOURCES if node.gives(name))


def _source(node: Node) -> str:
    source, content = _source_of(node)
    if source == "values":  # perhaps a million: they are not printed
        return "given"
    return (
        f"'{' '.join(content.value.split())}'"
        if source == "equals"
        else f"{source} {content.value}"
    )


def _expressions(node: Node) -> list[Node]:
    return [
        text for key in ("equals", "of") if node.gives(key) for text in _elements(node.value[key])
    ]


def _elements(node: Node) -> list[Node]:
    return node.value if isinstance(node.value, list) else [node]
