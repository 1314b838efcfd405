"""Arguments that are no single array: arrays of arrays, tuples, arrays of tuples.

    {values: ARRAY, lengths: ARRAY}     an array of arrays: the rows one behind another
    {parts: [VALUE, …]}                 a tuple; of arrays of one length, an array of tuples

Both may stand in each other.  Rows of one length are also an array of more axes, or nested lists.
Expressions and oracles have their arrays by names: `rows_lengths`, `rows_values_0`.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from machines.description.strict_yaml import Node
from machines.diagnostics import Diagnostic
from sim.workload.inputs import check_form
from sim.workload.values import TABLE, is_table

VALUES, LENGTHS, PARTS = "values", "lengths", "parts"


def is_rows(node: Node) -> bool:
    """Whether an argument is an array of arrays; of numbers alone `values` are a list."""
    if not isinstance(node.value, dict):
        return False
    return LENGTHS in node.value or (
        VALUES in node.value and isinstance(node.value[VALUES].value, dict)
    )


def is_tuple(node: Node) -> bool:
    """Whether an argument is a tuple, or an array of tuples."""
    return isinstance(node.value, dict) and PARTS in node.value


def check_argument(node: Node) -> list[Diagnostic]:
    """Findings that need neither the program nor files."""
    if is_table(node):
        return _table_findings(node)
    if not (is_rows(node) or is_tuple(node)):
        return _misspelt(node) or check_form(node)
    keys = (VALUES, LENGTHS) if is_rows(node) else (PARTS,)
    findings = [
        node.finding(f"unknown key '{key}'", f"here stand {' and '.join(keys)}", key=key)
        for key in node.value
        if key not in keys
    ]
    findings += [node.finding(f"'{key}' is missing") for key in keys if key not in node.value]
    if findings:
        return findings
    inner = [node.value[key] for key in keys]
    if is_tuple(node):
        if not isinstance(inner[0].value, list) or not inner[0].value:
            message = "the parts of a tuple are a list, which is not empty"
            return [inner[0].finding(message, "{parts: [v0, v1]}")]
        inner = inner[0].value
    return [finding for part in inner for finding in check_argument(part)]


def _table_findings(node: Node) -> list[Diagnostic]:
    """What is wrong around the elements of a table; what they are is read with the launches."""
    wrong = [key for key in node.value if key != TABLE]
    elements = node.value[TABLE]
    if wrong:
        hint = f"{{{TABLE}: [x, y, null]}} has no other key"
        return [node.finding(f"a table has no '{key}'", hint, key=key) for key in wrong]
    if not isinstance(elements.value, list) or not elements.value:
        message = "a table is a list of pointers or structures, which is not empty"
        return [elements.finding(message, f"{{{TABLE}: [x, y, null]}}")]
    return []


def _misspelt(node: Node) -> list[Diagnostic]:
    """A finding if an argument has nothing but a key that is nearly `parts`."""
    keys = list(node.value) if isinstance(node.value, dict) else []
    if len(keys) != 1 or not get_close_matches(keys[0], [PARTS]):
        return []
    return [node.finding(f"unknown key '{keys[0]}'", f"did you mean '{PARTS}'?", key=keys[0])]


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
