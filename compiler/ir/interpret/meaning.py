"""The meanings of IR rows as Python code: one evaluated alone, or pasted into generated code."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from functools import cache

from compiler.ir.module import Value
from machines.operations.row import Operation
from machines.vocabulary import lanes, numbers

_NAME = re.compile(r"[A-Za-z_]\w*")

NAMESPACE: dict[str, object] = {
    **numbers.VOCABULARY,
    **lanes.VOCABULARY,
    "inf": math.inf,
    "nan": math.nan,
}
"""What generated code may name."""


class OperationFault(Exception):
    """An operation that is not possible: where a row's `faults_if` holds, or intervals misfit."""

    def __init__(self, kind: str):
        super().__init__(kind)
        self.kind = kind
        self.address = None


def substitute(text: str, names: Mapping[str, str]) -> str:
    """`text` with whole names replaced; the replacements must be names or parenthesised."""
    return _NAME.sub(lambda match: names.get(match.group(), match.group()), text)


def python_literal(value: Value) -> str:
    """A number as a Python expression that can stand anywhere in a meaning."""
    return f"({value!r})"


@cache
def evaluator(operation: Operation) -> Callable[..., object]:
    """The meaning of a row without control or memory access, as a function of what it reads.

    It gives the value of the row's (first) result.  Calling it where `faults` holds is an error.
    """
    parameters = ", ".join(operand.name for operand in operation.reads)
    meaning = operation.meaning.replace("\n", "\n    ")
    return _define(f"({parameters}):\n    {meaning}\n    return {_result(operation)}")


@cache
def faults(operation: Operation) -> Callable[..., bool]:
    """Whether a row that `may_fault` (accesses aside) faults, as a function of what it reads."""
    parameters = ", ".join(operand.name for operand in operation.reads)
    return _define(f"({parameters}):\n    return {operation.faults_if or 'False'}")


def _result(operation: Operation) -> str:
    return operation.writes[0].name if operation.writes else "taken"


def _define(text: str) -> Callable[..., object]:
    space = dict(NAMESPACE)
    exec(f"def meaning{text}\n", space)
    return space["meaning"]
