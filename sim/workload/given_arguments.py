"""Arguments that the command line or a caller gives in place of a workload's own.

    --arg n=1000 --arg "x={dtype: f32, shape: [1000], random: {seed: 1, low: 0, high: 1}}"
    sim.run("w.yaml", arguments={"n": 1000, "x": numpy.arange(1000, dtype="f4")})

What is given is written as in the file, or is a numpy array.  Files that it names are looked up in
the current folder.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from machines.confinement import leads_out, outside
from machines.description.python_values import node_of
from machines.description.strict_yaml import Node, read_yaml
from machines.diagnostics import InputError, Location, input_error
from machines.elements import DTYPES, known_array
from machines.later import Later
from sim.workload.inputs import as_lists, given_array, is_array
from sim.workload.nested import check_argument
from sim.workload.values import is_value

np = Later("numpy")

_COMMAND_LINE = "--arg"  # where an argument stands, in messages
_CALL = "arguments"


def read_arguments(texts: Sequence[str]) -> dict[str, Node]:
    """Those of the command line, 'name=value' each; raises InputError with every finding."""
    given: dict[str, Node] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        name = name.strip()
        location = Location(_COMMAND_LINE, 1, 1, max(1, len(name)))
        if not equals or not name:
            hint = 'write it like n=1000 or "x={dtype: f32, shape: [8], value: 0}"'
            raise input_error(f"'{text}' is no argument", location, source=text, hint=hint)
        if not value.strip():
            hint = "write null for a null pointer"
            raise input_error(f"'{name}' is given no value", location, source=text, hint=hint)
        if name in given:
            raise input_error(f"'{name}' is given twice", location, source=text)
        given[name] = _beside_us(read_yaml(text, _COMMAND_LINE, skip=text.index("=") + 1))
    return _checked(given)


def as_arguments(values: Mapping[str, Any]) -> dict[str, Node]:
    """Those of a caller: numbers, lists, mappings as in a workload, and numpy arrays.

    Raises InputError with every finding.
    """
    if not isinstance(values, Mapping):
        kind = type(values).__name__
        raise input_error(f"arguments: expected a mapping from names to values, found a {kind}")
    given = node_of(values, _CALL, arrays=True).value
    return _checked({name: _beside_us(with_arrays(node)) for name, node in given.items()})


def with_arrays(node: Node) -> Node:
    """An argument with each numpy array in it as an array in long form; raises InputError at one of
    elements that no program has."""
    if isinstance(node.value, dict):
        return replace(node, value={key: with_arrays(one) for key, one in node.value.items()})
    if isinstance(node.value, list):
        return replace(node, value=[with_arrays(one) for one in node.value])
    if not isinstance(node.value, np.ndarray):
        return node
    own = known_array(node.value)
    if own is None:
        message = f"no argument is an array of {node.value.dtype}"
        raise InputError(node.finding(message, f"arrays of {', '.join(DTYPES)}"))
    return given_array(own, node)


def with_expected_arrays(node: Node) -> Node:
    """What is expected: an array of elements that programs have stays one, others become lists."""
    if not isinstance(node.value, dict):
        return as_lists(node)
    kept = {}
    for key, one in node.value.items():
        own = known_array(one.value) if is_array(one.value) else None
        kept[key] = as_lists(one) if own is None else replace(one, value=own)
    return replace(node, value=kept)


def seeded(node: Node, seeds: Iterator[int]) -> Node:
    """An argument with another seed, the next one, wherever it has one."""
    if isinstance(node.value, list):
        return replace(node, value=[seeded(one, seeds) for one in node.value])
    if not isinstance(node.value, dict):
        return node
    if "seed" in node.value:
        new = replace(node.value["seed"], value=next(seeds))
        return replace(node, value={**node.value, "seed": new})
    return replace(node, value={key: seeded(one, seeds) for key, one in node.value.items()})


def recorded(given: Mapping[str, Node]) -> dict[str, Any]:
    """The arguments for the result: as they were given, an array by type, shape and content."""
    return {name: _plain(node) for name, node in given.items()}


def _checked(given: dict[str, Node]) -> dict[str, Node]:
    findings = [
        finding for node in given.values() if not is_value(node) for finding in check_argument(node)
    ]
    if findings:
        raise InputError(findings)
    return given


def _beside_us(node: Node) -> Node:
    """A file that is named on a command line is one of the current folder."""
    inner = node.value.values() if isinstance(node.value, dict) else node.value
    for one in inner if isinstance(node.value, dict | list) else ():
        _beside_us(one)
    file = node.value.get("file") if isinstance(node.value, dict) else None
    if file is not None and isinstance(file.value, str) and file.value:
        if leads_out(file.value, Path()):
            raise InputError(file.finding(outside(file.value)))
        file.value = str(Path.cwd() / file.value)
    return node


def _plain(node: Node) -> Any:
    if isinstance(node.value, dict):
        return {key: _plain(inner) for key, inner in node.value.items()}
    if isinstance(node.value, list):
        return [_plain(inner) for inner in node.value]
    if isinstance(node.value, np.ndarray):
        return hashlib.sha256(node.value.tobytes()).hexdigest()
    is_number = isinstance(node.value, float) and not np.isfinite(node.value)
    return str(node.value) if is_number else node.value
