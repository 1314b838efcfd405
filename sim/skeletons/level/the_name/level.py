"""What a polynomial holds, its text, what is wrong with one, and what one means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, ClassVar

import numpy as np

from compiler.ir.module import Function, Module
from machines.description.load import Machine
from machines.diagnostics import Location, input_error
from machines.levels import NO_OPTIONS


@dataclass(frozen=True)
class Polynomial:
    """The body of a function; it calls no others."""

    variable: str
    coefficients: tuple[float, ...]
    callees: ClassVar[tuple[str, ...]] = ()


def read(
    text: str,
    file: str,
    machine: Machine | None = None,
    entries: Sequence[str] = (),
    options: Mapping[str, Any] = NO_OPTIONS,
) -> Module:
    """The module of a file, for the front end."""
    return parse(text, file, options)


def parse(text: str, file: str, options: Mapping[str, Any] = NO_OPTIONS) -> Module:
    """The module of a text: one function, called as the file; raises InputError."""
    lines = [line.split() for line in text.splitlines() if line.strip()]
    match lines:
        case [["of", variable], [*words]]:
            pass
        case _:
            hint = "write 'of x', and the coefficients in a line of their own"
            location = Location(file, 1)
            raise input_error("this is no polynomial", location, source=text, hint=hint)
    try:
        coefficients = tuple(map(float, words))
    except ValueError as error:
        location = Location(file, 2)
        raise input_error(f"no coefficient: {error}", location, source=text) from None
    name = PurePath(file).stem
    function = Function(name, location=Location(file, 1))
    function.body = Polynomial(variable, coefficients)
    return Module({name: function}, source=text, form="the_name", entry=name)


def text_of(function: Function) -> str:
    """The polynomial as text."""
    coefficients = " ".join(map(repr, function.body.coefficients))
    return f"of {function.body.variable}\n{coefficients}\n"


def findings(function: Function) -> list[str]:
    """What is wrong with it."""
    finite = np.isfinite(function.body.coefficients).all()
    return [] if finite else ["a coefficient is no finite number"]


def interpret(function: Function, arguments: Sequence[Any]) -> list[float]:
    """What it gives: Horner's rule in f32."""
    (x,) = (np.asarray(argument, np.float32) for argument in arguments)
    total = np.zeros_like(x)
    for coefficient in function.body.coefficients:
        total = total * x + np.float32(coefficient)
    return total.tolist()
