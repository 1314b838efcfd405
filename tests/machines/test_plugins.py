"""Plugins are looked at where they come in: what is wrong is left out and named, the rest works."""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from compiler.frontends import Frontend
from compiler.pass_lists import passes
from compiler.targets import Target
from compiler.targets.epic.passes.bundlers import Bundler
from compiler.targets.epic.scheduling.problem import Scheduler
from compiler.transformation import Pass
from machines import plugins
from machines.instructions import _NoRows, operations
from machines.kinds import Kind
from machines.plugins import not_a
from sim.reports.output import Report, reports

pytestmark = pytest.mark.quick

KINDS = (Pass, Kind, Report, Frontend, Target, Scheduler, Bundler)
WRONG = {"nothing": None, "a number": 7, "a list": [], "a text": "pass", "a function": len,
         "a class": dict, "a module": types}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_other_things_are_no_plugins(kind: type, what: str):
    assert not_a(kind)(WRONG[what])


def test_fields_are_looked_at():
    good = passes("epic")["select"]
    wrong = not_a(Pass)
    assert wrong(good) is None
    assert wrong(replace(good, run=None)) == "its 'run' is of type NoneType, which nobody can call"
    assert wrong(replace(good, sentence=3)) == "its 'sentence' is of type int, not a text"
    assert wrong(replace(good, name=["x"])) == "its 'name' is of type list, not a text"
    assert wrong(Pass) == "Pass is a class, not an object of one"


def test_a_protocol_wants_its_fields_and_methods():
    good, wrong = reports()["text"], not_a(Report)
    assert wrong(good) is None
    bare = types.SimpleNamespace(name="theirs", sentence="…")
    assert wrong(bare) == "of type SimpleNamespace is no Report: it has no 'write'"
    bare.write = "x"
    assert wrong(bare) == "its 'write' is of type str, which nobody can call"


def test_rows_of_operations():
    row = operations().family("ir")["add.i64"]
    assert _NoRows()([row]) is None
    assert _NoRows()([row, row]) == "operation ir:add.i64 is there already"
    wrong = _NoRows()
    assert wrong([row]) is None and wrong([row]) == "operation ir:add.i64 is there already"
    assert _NoRows()([row, 7]) == "it is of type list, not a list of operations"


@dataclass
class _Point:
    """An entry point of an installed package."""

    name: str
    load: Callable[[], object]

    @property
    def value(self) -> str:
        return f"theirs:{self.name}"

    dist = types.SimpleNamespace(name="theirs")


def _fails() -> object:
    raise ImportError("no module named 'that'")


def _exits() -> object:
    raise SystemExit(3)


def test_what_is_wrong_is_left_out_and_named(monkeypatch: pytest.MonkeyPatch):
    good = replace(passes("epic")["select"], name="good")
    module = types.SimpleNamespace(PLUGIN=replace(good, name="in_a_module"))
    points = [
        _Point("good", lambda: good), _Point("module", lambda: module), _Point("seven", lambda: 7),
        _Point("fails", _fails), _Point("exits", _exits),
    ]  # fmt: skip
    failed: dict[str, str] = {}
    monkeypatch.setattr(plugins, "FAILED", failed)
    monkeypatch.setattr(plugins, "points_of", lambda group: points)
    found = plugins.installed("passes", not_a(Pass))
    assert [name for name, _, _ in found] == ["good", "module"]
    assert failed == {
        "theirs:seven (theirs)": "it is of type int, not a Pass",
        "theirs:fails (theirs)": "ImportError: no module named 'that'",
        "theirs:exits (theirs)": "SystemExit: 3",
    }
