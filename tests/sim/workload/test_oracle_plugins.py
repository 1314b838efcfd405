"""Oracles of installed packages: used like simrun's own, and checked before they are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from machines import plugins
from machines.description.strict_yaml import read_yaml
from machines.diagnostics import InputError
from sim.commands.list import list_oracles, list_plugins
from sim.oracles.registry import Numbers, oracles
from sim.workload.comparison import compare
from sim.workload.expectations import check_expectation, expect

pytestmark = pytest.mark.quick

INPUTS = {"x": np.array([3, 1, 2], np.int32), "y": np.zeros(3, np.int32)}


def turned(values: Numbers) -> np.ndarray:
    """The values, the last one first."""
    return values[::-1]


def unannotated(values, factor):
    return values * factor


def of_any_number(*values):
    return values


class Point:
    """An entry point that loads to an object, or raises it."""

    def __init__(self, name: str, loaded: object):
        self.name, self.loaded, self.value, self.dist = name, loaded, f"package:{name}", None

    def load(self) -> object:
        if isinstance(self.loaded, Exception):
            raise self.loaded
        return self.loaded


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Iterator:
    def install(**points: object) -> None:
        found = [Point(name, loaded) for name, loaded in points.items()]
        monkeypatch.setattr(
            plugins, "points_of", lambda group: found if group == "simrun.oracles" else []
        )

    monkeypatch.setattr(plugins, "FAILED", plugins.FAILED)
    before = dict(plugins.FAILED)
    oracles.cache_clear()
    yield install
    oracles.cache_clear()
    plugins.FAILED.clear()
    plugins.FAILED.update(before)


def judged(text: str, got: list[int]) -> bool:
    node = read_yaml(text, "w.yaml")
    findings = check_expectation(node, INPUTS)
    if findings:
        raise InputError(findings)
    return compare(expect("y", node, INPUTS, "i32", Path()), np.array(got, np.int32)).ok


def test_an_oracle_of_a_package(install):
    install(turned=turned, unannotated=unannotated)
    assert judged("{oracle: turned, of: [x]}", [2, 1, 3])
    assert not judged("{oracle: turned, of: [x]}", [3, 1, 2])
    assert judged('{oracle: unannotated, of: [x, "2 + 1"]}', [9, 3, 6])
    with pytest.raises(InputError, match="'turned' takes numbers \\[n\\] as 'values'"):
        judged("{oracle: turned, of: ['3']}", [0, 0, 0])
    with pytest.raises(InputError, match="'unannotated' takes 2 values, not 1"):
        judged("{oracle: unannotated, of: [x]}", [0, 0, 0])
    assert ("turned", "The values, the last one first.") in list_oracles()
    assert ("oracle", "turned", "The values, the last one first.") in list_plugins()


def test_what_is_no_oracle_is_reported_and_the_others_work(install):
    install(number=3, loose=of_any_number, broken=ImportError("no such module"), turned=turned)
    assert judged("{oracle: turned, of: [x]}", [2, 1, 3])
    with pytest.raises(InputError, match="there is no oracle 'loose'"):
        judged("{oracle: loose, of: [x]}", [2, 1, 3])
    failed = {owner: reason for kind, owner, reason in list_plugins() if kind == "failed"}
    assert {owner.split(" ")[0] for owner in failed} >= {
        "package:number", "package:loose", "package:broken"
    }  # fmt: skip
    assert any("expected a function, found a int" in reason for reason in failed.values())


def test_a_name_that_is_taken(install):
    install(crc32=turned)
    with pytest.raises(InputError, match="oracle 'crc32' is provided by both simrun and package"):
        oracles()
