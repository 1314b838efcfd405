"""Code that somebody changes in memory is noticed; what its own code does, or libraries, is not."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from unittest import mock

import pytest

from machines import changed_code

FILES = {
    "__init__.py": """
from watched_tool.first import first
from machines.changed_code import watch
watch(__name__)
""",
    "first.py": "def first(): return 1\n",
    "deep/__init__.py": "from watched_tool.deep.shadowed import shadowed\n",
    "deep/shadowed.py": "def shadowed(): return 2\n",
    "deep/classes.py": """
from functools import cached_property
LIMIT, TABLE = 3, {}
def count():
    global LIMIT
    LIMIT += 1
class Base:
    bound = 4
    def run(self): return self.bound
    def again(self): return self.run()
class Class(Base):
    own = 5
    _inner = 6
    def run(self): return self.own
    @property
    def size(self): return 7
    @cached_property
    def kept(self): return 8
""",
}


@pytest.fixture
def classes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """A module of a package that is watched, imported after that."""
    for name, text in FILES.items():
        path = tmp_path / "watched_tool" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(changed_code, "_classes", [])
    monkeypatch.setattr(changed_code, "_changed", [])
    yield importlib.import_module("watched_tool.deep.classes")
    for name in [name for name in sys.modules if name.partition(".")[0] == "watched_tool"]:
        del sys.modules[name]


def _with_mock(module: ModuleType) -> None:
    with mock.patch(f"{module.__name__}.LIMIT", 9):
        pass


def _with_monkeypatch(module: ModuleType) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "count", lambda: None)


CHANGES: dict[str, Callable[[ModuleType], object]] = {
    "a constant": lambda module: setattr(module, "LIMIT", 3),
    "a new name": lambda module: setattr(module, "print", id),
    "a name is gone": lambda module: delattr(module, "LIMIT"),
    "mock.patch, also when it is over": _with_mock,
    "monkeypatch, also when it is over": _with_monkeypatch,
    "a function of what was there before": lambda _: setattr(
        sys.modules["watched_tool.first"], "first", id
    ),
    "in a module whose name is a function's": lambda _: setattr(
        sys.modules["watched_tool.deep.shadowed"], "shadowed", id
    ),
    "a method": lambda module: setattr(module.Class, "run", id),
    "a property": lambda module: setattr(module.Class, "size", property(id)),
    "a constant of a class": lambda module: setattr(module.Class, "own", 9),
    "one of its own": lambda module: setattr(module.Class, "_inner", 9),
    "a method that is called by Python": lambda module: setattr(
        module.Class, "__repr__", lambda _: ""
    ),
    "what is inherited, hidden": lambda module: setattr(module.Class, "again", id),
    "a constant that is inherited, hidden": lambda module: setattr(module.Class, "bound", 9),
    "a method is gone": lambda module: delattr(module.Class, "run"),
}
NO_CHANGES: dict[str, Callable[[ModuleType], object]] = {
    "nothing": lambda module: None,
    "what its own code sets": lambda module: module.count(),
    "an object of a class": lambda module: setattr(module.Class(), "own", 9),
    "what an object keeps": lambda module: module.Class().kept,
    "a note of a library": lambda module: setattr(module.Class, "_library_has_seen_it", True),
    "a table of a library": lambda module: setattr(module.Class, "__library_table__", {}),
    "what importing sets": lambda module: importlib.reload(module),
    "another import": lambda module: importlib.import_module("watched_tool.deep.shadowed"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_noticed_and_stays(change: str, classes: ModuleType):
    CHANGES[change](classes)
    assert changed_code.is_changed() and changed_code.is_changed()


@pytest.mark.parametrize("change", NO_CHANGES)
def test_nothing_else_is(change: str, classes: ModuleType):
    NO_CHANGES[change](classes)
    assert not changed_code.is_changed()


def test_a_module_with_a_class_of_its_own_is_left_alone(classes: ModuleType):
    class Own(ModuleType):
        """As libraries have for modules whose attributes come when they are asked for."""

    package = sys.modules["watched_tool"]
    package.own = Own("watched_tool.own")
    assert type(package.own) is Own and not changed_code.is_changed()
