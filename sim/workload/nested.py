"""Arguments that are no single array: arrays of arrays, tuples, arrays of tuples.

    {values: ARRAY, lengths: ARRAY}     an array of arrays: the rows one behind another
    {parts: [VALUE, …]}                 a tuple; of arrays of one length, an array of tuples

Both may stand in each other.  Rows of one length are also an array of more axes, or nested lists.
Expressions and oracles have their arrays by names: `rows_lengths`, `rows_values_0`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import Field

from machines.description.strict_yaml import Node
from machines.description.validation import check
from machines.diagnostics import Diagnostic
from sim.workload.inputs import Form, check_form

VALUES, LENGTHS, PARTS = "values", "lengths", "parts"


class _Rows(Form):
    values: Any = Field(description="The elements of all rows, one row behind another.")
    lengths: Any = Field(description="How many elements each row has.")


class _Parts(Form):
    parts: list[Any] = Field(description="The tuple's parts, or of an array of tuples the arrays.")


def is_rows(node: Node) -> bool:
    """Whether an argument is an array of arrays."""
    return isinstance(node.value, dict) and LENGTHS in node.value


def is_tuple(node: Node) -> bool:
    """Whether an argument is a tuple, or an array of tuples."""
    return isinstance(node.value, dict) and PARTS in node.value


def check_argument(node: Node) -> list[Diagnostic]:
    """Findings that need neither the program nor files."""
    if not (is_rows(node) or is_tuple(node)):
        return check_form(node)
    findings = check(_Rows if is_rows(node) else _Parts, node)[1]
    if findings:
        return findings
    inner = [node.value[VALUES], node.value[LENGTHS]] if is_rows(node) else node.value[PARTS].value
    return [finding for part in inner for finding in check_argument(part)]


def names_in(name: str, node: Node) -> Iterator[str]:
    """What expressions call the arrays and scalars of an argument."""
    if is_rows(node):
        yield f"{name}_{LENGTHS}"
        if VALUES in node.value:
            yield from names_in(f"{name}_{VALUES}", node.value[VALUES])
    elif is_tuple(node) and isinstance(node.value[PARTS].value, list):
        for k, part in enumerate(node.value[PARTS].value):
            yield from names_in(f"{name}_{k}", part)
    else:
        yield name
