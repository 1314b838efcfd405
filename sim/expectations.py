"""What must come out of a run, and the comparison with what came out.

    y: {equals: "a * x + y"}            an expression over the initial inputs (sim/expressions.py)
    y: {file: expected.npy}             a file beside the workload
    y: {oracle: sorted, of: x}          a named oracle (sim/oracles.py) of expressions
    return: 42                          a number or a list stands for itself

Integers must be equal.  Floats must satisfy |got - expected| <= atol + rtol * |expected|, unless
given with rtol 1e-6 (f32) or 1e-12 (f64) and atol 4 * eps * (sum of the magnitudes of the
expression's terms).  NaN equals NaN, an infinity only itself.  `compare: prefix` looks
at as many elements as are expected and leaves the rest of a larger array alone.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from pydantic import Field, model_validator

from machines.diagnostics import Diagnostic, InputError, Location, nearest
from machines.strict_yaml import Node
from machines.validation import check
from sim.expressions import Expression, evaluate, parse
from sim.inputs import DTYPES, Form, Number, read_file
from sim.oracles import ORACLES
from sim.quantities import Quantity, quantity

RELATIVE = {"f32": 1e-6, "f64": 1e-12}
"""Default relative tolerance by type."""

SOURCES = ("equals", "values", "file", "oracle")


class Expectation(Form):
    """An expectation in long form: exactly one source of the expected values."""

    equals: str | None = Field(None, description="An expression over the initial inputs.")
    values: list[Number] | None = Field(None, description="The expected elements.")
    file: str | None = Field(None, description="A file beside the workload, .npy or raw.")
    oracle: str | None = Field(None, description="The name of an oracle.")
    of: str | list[str] | None = Field(None, description="What the oracle is given: expressions.")
    rtol: float | None = Field(None, ge=0, description="Relative tolerance.")
    atol: float | None = Field(None, ge=0, description="Absolute tolerance.")
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
    problem: str | None = None

    @property
    def ok(self) -> bool:
        return self.differing == 0 and self.problem is None

    def __str__(self) -> str:
        if self.ok:
            return f"{self.name}: {self.compared} of {self.compared} as {self.source}"
        if self.problem:
            return f"{self.name}: {self.problem}"
        place = f"[{', '.join(map(str, self.first))}]" if self.first else ""
        return (
            f"{self.name}{place} is {self.got!r}, expected {self.expected!r} by {self.source}; "
            f"{self.differing} of {self.compared} differ"
        )


def check_expectation(node: Node, names: Iterable[str]) -> list[Diagnostic]:
    """Findings that need neither the program nor files; expressions are over `names`."""
    if not isinstance(node.value, dict):
        if all(isinstance(leaf.value, int | float) for leaf in _elements(node)):
            return []
        hint = 'an expression is written {equals: "…"}'
        return [node.finding("expected a number, a list of numbers or a mapping", hint)]
    form, findings = check(Expectation, node)
    if form is None:
        return findings
    if form.oracle is not None:
        place = node.value["oracle"]
        if form.oracle not in ORACLES:
            hint = nearest(form.oracle, ORACLES)
            return [place.finding(f"there is no oracle '{form.oracle}'", hint)]
        wanted, given = _takes(form.oracle), len(_elements(node.value["of"]))
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

    value   the expected elements and the scale of their rounding errors
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


def expect(
    name: str, node: Node, inputs: Mapping[str, np.ndarray], dtype: str, folder: Path
) -> Expected:
    """Compute the expectation `node` of an output; raises InputError at its place."""
    value = _expected_value(node, inputs, dtype, folder)
    if value.value.dtype.kind == "f" and dtype not in RELATIVE:
        message = f"'{name}' holds {dtype}, the expectation is a float"
        raise InputError(node.finding(message, "int(x) truncates"))
    options = node.plain() if isinstance(node.value, dict) else {}
    relative = options.get("rtol")
    return Expected(
        name,
        value,
        dtype,
        _source(node),
        RELATIVE.get(dtype, 0.0) if relative is None else relative,
        options.get("atol"),
        options.get("compare") == "prefix",
    )


def _expected_value(
    node: Node, inputs: Mapping[str, np.ndarray], dtype: str, folder: Path
) -> Quantity:
    if not isinstance(node.value, dict):
        values = np.asarray(node.plain())
        return quantity(values if values.dtype != object else values.astype(np.uint64))
    source = next(name for name in SOURCES if name in node.value)
    place = node.value[source]
    if source == "values":
        return quantity(np.asarray(place.plain()))
    if source == "file":
        return quantity(read_file(place, folder, DTYPES[dtype], dtype))
    if source == "equals":
        return evaluate(_parse(place, inputs), inputs)
    return _ask_oracle(place, [_oracle_input(text, inputs) for text in _elements(node.value["of"])])


def _ask_oracle(name: Node, arguments: list[np.ndarray | int | float]) -> Quantity:
    try:
        found = quantity(ORACLES[str(name.value)](*arguments))
    except (ValueError, IndexError, TypeError) as error:
        raise InputError(name.finding(f"the oracle has no answer: {error}")) from None
    # The terms of an oracle's results are unknown: each counts as one term.
    return Quantity(found.value, np.abs(found.value))


def _oracle_input(text: Node, inputs: Mapping[str, np.ndarray]) -> np.ndarray | int | float:
    """An argument as it is, or an expression's value; a single number as a Python number."""
    value = inputs.get(str(text.value))
    if value is None:
        value = evaluate(_parse(text, inputs), inputs).value
    return value.item() if value.ndim == 0 else value


def _takes(oracle: str) -> int:
    return len(inspect.signature(ORACLES[oracle]).parameters)


def _first_line(oracle: str) -> str | None:
    return (inspect.getdoc(ORACLES[oracle]) or "").partition("\n")[0] or None


def compare(expected: Expected, got: np.ndarray) -> Check:
    """Compare an output (a single number is an array without axes) with what was expected."""
    name, source = expected.name, expected.source
    want, terms = expected.value
    if want.ndim == 0 and got.ndim:
        want, terms = np.broadcast_to(want, got.shape), np.broadcast_to(terms, got.shape)
    shape = got.shape
    got, want, terms = got.reshape(-1), want.reshape(-1), terms.reshape(-1)
    if expected.prefix and want.size <= got.size:
        got, shape = got[: want.size], (want.size,)
    if want.size != got.size:
        problem = f"has {got.size} elements, {want.size} are expected"
        return Check(name, source, got.size, problem=problem)
    want = want.astype(np.float64 if got.dtype.kind == "f" else got.dtype)
    wrong = ~_close(expected, got, want, terms) if got.dtype.kind == "f" else got != want
    places = np.flatnonzero(wrong)
    if not places.size:
        return Check(name, source, got.size)
    first = int(places[0])
    index = tuple(int(i) for i in np.unravel_index(first, shape)) if shape else ()
    return Check(
        name, source, got.size, int(places.size), index, want[first].item(), got[first].item()
    )


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


def _source(node: Node) -> str:
    if not isinstance(node.value, dict):
        return "given"
    source = next(name for name in SOURCES if name in node.value)
    return {
        "equals": f"'{node.value[source].value}'",
        "values": "given",
        "file": f"file {node.value[source].value}",
        "oracle": f"oracle {node.value[source].value}",
    }[source]


def _expressions(node: Node) -> list[Node]:
    return [
        text for key in ("equals", "of") if key in node.value for text in _elements(node.value[key])
    ]


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
