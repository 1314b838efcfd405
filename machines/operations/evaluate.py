"""The meanings of rows as Python functions: evaluated alone, or executed with their access."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from textwrap import indent

from machines.operations.row import Operation
from machines.vocabulary import lanes, numbers, tensor_cores, tensors

NAMESPACE: dict[str, object] = {
    **numbers.VOCABULARY,
    **lanes.VOCABULARY,
    **tensors.VOCABULARY,
    **tensor_cores.VOCABULARY,
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


def python_literal(value: int | float | str) -> str:
    """A number as a Python expression that can stand anywhere in a meaning."""
    return f"({value!r})"


@cache
def evaluator(operation: Operation) -> Callable[..., object]:
    """The meaning of a row without control or memory access, as a function of what it reads.

    It gives the value of the row's (first) result.  Calling it where `faults` holds is an error.
    """
    parameters = ", ".join(operand.name for operand in operation.reads)
    meaning = indent(operation.meaning, "    ")
    return _define(f"({parameters}):\n{meaning}\n    return {_result(operation)}")


@cache
def faults(operation: Operation) -> Callable[..., bool]:
    """Whether a row that `may_fault` (accesses aside) faults, as a function of what it reads."""
    parameters = ", ".join(operand.name for operand in operation.reads)
    return _define(f"({parameters}):\n    return {operation.faults_if or 'False'}")


@cache
def executor(operation: Operation) -> Callable[..., tuple[object, ...]]:
    """A row of numbers as a function of memory and what it reads: execute(memory, *reads) gives the
    values that it writes, in order; of a branch, whether it is taken.

    It checks for a fault, loads, does what the meaning says, and stores.  `memory` is a
    `machines.layout.Memory`.  It raises OperationFault, and MemoryFault for an access that is
    impossible.
    """
    access = operation.access
    body = []
    if operation.faults_if:
        body += [f"if {operation.faults_if}:", f"    raise OperationFault({operation.fault!r})"]
    if access is not None and access.kind.startswith("load"):
        body.append(f"loaded = sign_extend(memory.load({access.address}, {access.bytes}), 64)")
    body += operation.meaning.split("\n")
    if access is not None and access.kind.endswith("store"):
        body.append(f"memory.store({access.address}, {access.bytes}, stored)")
    given = [operand.name for operand in operation.writes]
    if operation.control == "branch":
        given.append("taken")
    lines = "\n    ".join(body)
    names = ", ".join(["memory", *(operand.name for operand in operation.reads)])
    return _define(f"({names}):\n    {lines}\n    return ({''.join(f'{n}, ' for n in given)})")


def _result(operation: Operation) -> str:
    return operation.writes[0].name if operation.writes else "taken"


def _define(text: str) -> Callable[..., object]:
    space = {**NAMESPACE, "OperationFault": OperationFault}
    exec(f"def meaning{text}\n", space)
    return space["meaning"]
