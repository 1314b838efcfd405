"""A value from Python is what a file would have been: same nodes, same places, same limits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from machines.description.load import load_machine
from machines.description.python_values import node_of
from machines.description.strict_yaml import Node, read_yaml
from machines.diagnostics import InputError

TEXTS = (
    "a: b", "no", "0x12", "007", "1e5", "", " x", "a # b", "two\nlines", "\u2028\x7f", "é ü", "~",
    "- a", ".5", ".inf", "=", "[1]", "true", "8 cycles", "a, b", "'", '"', "x ", "a  b", "!t", "&a",
    "😀", "null", "../a.yaml", "%a", "a:", "? a", "|", "\t",
)  # fmt: skip
VALUES = {
    "texts": dict(zip(map("t{}".format, range(99)), TEXTS, strict=False)),
    **{text or "empty": k for k, text in enumerate(TEXTS)},
    "numbers": [0, -1, 10**30, 1e-7, -1e300, float("inf"), float("nan"), True, None],
    "lists": [[], [[1], {"x": {"y": [2]}}], {}],
    "deep": {"er": {"est": {"of": 1}, "all": {}}},
}


def same(a: Node, b: Node) -> None:
    assert (a.location, a.keys, repr(a.plain())) == (b.location, b.keys, repr(b.plain()))
    for inner, other in zip(children(a), children(b), strict=True):
        same(inner, other)


def children(node: Node) -> list[Node]:
    held = node.value.values() if isinstance(node.value, dict) else node.value
    return list(held) if isinstance(node.value, dict | list) else []


def test_its_text_is_read_as_it_is():
    node = node_of(VALUES, "given")
    same(node, read_yaml(node.text, "given"))


def test_numbers_of_numpy_are_numbers_and_arrays_lists():
    given = {"a": np.int8(3), "b": np.array(2.5), "c": np.arange(3), "d": (Path("x"), np.bool_(0))}
    assert node_of(given, "g").plain() == {"a": 3, "b": 2.5, "c": [0, 1, 2], "d": ["x", False]}
    [node] = node_of({"x": given["c"]}, "g", arrays=True).value.values()
    assert node.value is given["c"] and str(node.location) == "g:1:4"


def endless() -> list[Any]:
    found: list[Any] = []
    found.append(found)
    return found


@pytest.mark.parametrize(
    "value, message",
    [
        ({"a": {"b": [1, {2}]}}, "given: 'a.b.1' is of type set"),
        ({"a": {3: 4}}, "given: 'a' has the key 3, which is no text"),
        ({"a": endless()}, "given: 'a' is nested more than 64 levels deep"),
        ({"a": 10**400}, "given: 'a' is a number that is too large"),
        ({"a": "\ud800"}, "given: 'a' has half of a surrogate pair"),
        ({"a": 1j}, "given: 'a' is of type complex"),
        ({"a": np.array([1j])}, "given: 'a.0' is of type complex"),
    ],
)
def test_what_no_file_could_hold(value: Any, message: str):
    with pytest.raises(InputError, match=message):
        node_of(value, "given")


FAST = {"extends": "itanium2", "name": "fast", "source": "assumed: test", "clock": "2 GHz"}


def test_a_machine_is_what_its_file_would_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("fast.yaml").write_text(node_of(FAST, "fast").text)
    machine, file = load_machine(FAST), load_machine("fast.yaml")
    assert machine.content_hash == file.content_hash and machine.file is None
    assert machine.description.clock == 2e9
    changes = ["memory.l2.latency=8 cycles", "clock=3 GHz"]
    changed = load_machine(load_machine(machine, changes[:1]), changes[1:])
    assert changed.content_hash == load_machine("fast.yaml", changes).content_hash
    assert changed.overrides == tuple(changes) and machine.description.clock == 2e9
    assert load_machine(machine, changes[1:]).description.memory.l2.latency == 5
    assert load_machine({**FAST, "extends": "fast.yaml", "name": "again"}).file is None


@pytest.mark.parametrize(
    "change, message",
    [
        ({"name": None}, "machine:1:1: error: this machine has no name of its own"),
        ({"name": "epic3"}, "machine:2:7: error: 'epic3' is the name of another machine"),
        ({"clock": 3}, "machine:4:8: error: 'clock'.* unit"),
        ({"source": None}, "machine:3:8: error: 'clock' says not where the figure comes from"),
        ({"memory": {"l2": {"latencie": 3}}}, "machine:7:5: error: unknown key 'latencie'"),
        ({"extends": "itanium3"}, "machine:1:10: error: there is no machine 'itanium3'"),
        ({"extends": "no.yaml"}, "machine:1:10: error: there is no machine file no.yaml"),
    ],
)
def test_it_is_checked_as_a_file_is(change: dict[str, Any], message: str):
    given = {key: value for key, value in {**FAST, **change}.items() if value is not None}
    with pytest.raises(InputError, match=message):
        load_machine(given)
