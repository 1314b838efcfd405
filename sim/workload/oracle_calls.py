"""Asking an oracle: simrun's or a package's by name, or a workload's own (`sim.oracles`).

It is given what the expressions in `of` say of the initial inputs: an argument's name stands for
the argument in its own type, numbers are Python's.  One of the workload's own may leave `of` out;
then its parameters have the arguments' names.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from machines.blame import blamed
from machines.description.strict_yaml import Node
from machines.diagnostics import Diagnostic, InputError, nearest
from machines.elements import DTYPE_NAMES, as_numbers
from machines.later import Later
from sim.oracles.own import own_oracle
from sim.oracles.registry import Takes, built_in, oracles, parameters, typed
from sim.workload.expressions import evaluate, parse_node

np = Later("numpy")

_FAILURES = (ValueError, IndexError, TypeError, ArithmeticError)
"""What simrun's oracles raise where they have no answer; anything else is a mistake in one."""


def check_call(node: Node, of: Node | None) -> list[Diagnostic]:
    """Findings that need neither the inputs nor files."""
    try:
        if own_oracle(node) is not None:
            return []
    except InputError as error:
        return error.diagnostics
    known = oracles()
    if node.value not in known:
        hint = nearest(str(node.value), known)
        return [node.finding(f"there is no oracle '{node.value}'", hint)]
    if of is None:
        return [node.finding("'oracle' and 'of' belong together", _summary(known[node.value]))]
    return _miscounted(node, of, known[node.value])


def ask(
    node: Node, of: Node | None, inputs: Mapping[str, np.ndarray], folder: Path, trusted: bool
) -> np.ndarray:
    """What the oracle says; raises InputError where it says nothing."""
    own = own_oracle(node)
    function = own.load(folder, trusted) if own else oracles()[node.value]
    values = _values(node, of, function, inputs)
    try:
        with np.errstate(all="ignore"):
            found = function(*values)
    except Exception as error:
        if function in built_in().values() and not isinstance(error, _FAILURES):
            raise
        message = own.failure(error) if own else f"the oracle has no answer: {error}"
        if blame := blamed(error):
            message = f"{blame} fails, {blame.place}: {type(error).__name__}: {error}"
        raise InputError(node.finding(message)) from None
    return _numbers(node, found)


def _numbers(node: Node, found: Any) -> np.ndarray:
    """An oracle's result, which must be numbers."""
    try:
        array = np.asarray(found)
        whole = array.dtype != object or all(isinstance(one, int) for one in array.flat)
    except ValueError:  # rows of different lengths
        array, whole = np.zeros(0), False
    if not whole or array.dtype.kind not in "fiubO":
        message = f"oracle {node.value} gives no array of numbers, but a {type(found).__name__}"
        raise InputError(node.finding(message))
    return array


def _values(
    node: Node, of: Node | None, function: Callable, inputs: Mapping[str, np.ndarray]
) -> list[Any]:
    try:
        wanted = parameters(function)
    except (TypeError, ValueError, NameError) as error:
        raise InputError(node.finding(f"{node.value} is no oracle: {error}")) from None
    if of is None:
        missing = next((name for name in wanted if name not in inputs), None)
        if missing is not None:
            message = f"the workload has no argument '{missing}', which {node.value} takes"
            raise InputError(node.finding(message, "say what it is given: of: [x, n]"))
        return [
            _given(node, node, name, takes, as_numbers(inputs[name]).copy(), function)
            for name, takes in wanted.items()
        ]
    findings = _miscounted(node, of, function)
    if findings:
        raise InputError(findings)
    return [
        _given(node, text, name, takes, _value(text, name, takes, inputs), function)
        for text, (name, takes) in zip(_elements(of), wanted.items(), strict=True)
    ]


def _value(
    text: Node, name: str, takes: Takes | None, inputs: Mapping[str, np.ndarray]
) -> np.ndarray:
    """An argument as it is, or an expression's value."""
    if str(text.value) in inputs:
        return as_numbers(inputs[str(text.value)]).copy()  # which the oracle may change
    found = evaluate(parse_node(text, inputs), inputs)
    if found.is_integer and not found.is_exact:
        message = f"what '{name}' is given depends on how a float is rounded"
        raise InputError(text.finding(message, "choose inputs that are not at the edge"))
    return takes.typed(found.value) if takes else typed(found.value)


def _given(
    node: Node, text: Node, name: str, takes: Takes | None, value: np.ndarray, function: Callable
) -> Any:
    """A value that the oracle takes; a single number as Python's."""
    if takes is not None and not takes.accepts(value):
        shape = list(value.shape) if value.ndim else ""
        message = f"oracle '{node.value}' takes {takes.words} as '{name}'"
        given = DTYPE_NAMES.get(value.dtype, "integers of more than 64 bits")
        raise InputError(text.finding(f"{message}, this is {given}{shape}", _summary(function)))
    return value.item() if value.ndim == 0 else value


def _miscounted(node: Node, of: Node, function: Callable) -> list[Diagnostic]:
    wanted, given = len(parameters(function)), len(_elements(of))
    if wanted == given:
        return []
    message = f"oracle '{node.value}' takes {wanted} values, not {given}"
    return [of.finding(message, _summary(function))]


def _summary(function: Callable) -> str | None:
    return (inspect.getdoc(function) or "").partition("\n")[0] or None


def _elements(node: Node) -> list[Node]:
    return node.value if isinstance(node.value, list) else [node]
