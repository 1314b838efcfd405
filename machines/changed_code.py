"""Whether somebody has changed code of simrun, or of a plugin, in the memory of this process.

    watch("machines")     # said by a package as it is imported
    is_changed()          # whether any of it is, or was, not what its own files made it

Python sets a module as an attribute of its package once it has imported it.  So a package whose
class looks at what is set in it learns of every module below, and gives it that class, too.  What
others set in one from outside (`module.NAME = …`, `monkeypatch.setattr`, `mock.patch`) is noticed;
what a module's own code sets is its own affair.  The attributes of its classes are noted when it
has been imported, and looked at when somebody asks.

What was changed stays changed when it is changed back: something that was made meanwhile may still
be in memory.  Not noticed: an entry that is put into a table in place (`module.TABLE["x"] = 1`), a
`__code__` that is set, and what is done to packages that are neither simrun's nor a plugin's.
"""

from __future__ import annotations

import sys
from types import FunctionType, ModuleType
from typing import NamedTuple

_changed: list[str] = []
"""What was: modules and classes with the attribute."""


class _Class(NamedTuple):
    """One of a module that is watched: the attributes that it began with, and how many those are
    with the ones that others set."""

    owner: type
    began: dict[str, object]
    count: int

    def differs(self) -> bool:
        """Whether an attribute is another or gone, or a new one hides what was inherited."""
        now, began = vars(self.owner), self.began
        for name, value in began.items():
            if now.get(name, began) is not value:
                return True
        new = _own(self.owner).keys() - began if len(now) != self.count else ()
        return any(name in vars(base) for name in new for base in self.owner.__mro__[1:])


_classes: list[_Class] = []


class _Watched(ModuleType):
    def __setattr__(self, name: str, value: object) -> None:
        if isinstance(value, ModuleType) and value.__name__ == f"{self.__name__}.{name}":
            _watch_all(value)
        else:
            _note(self, name)
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        _note(self, name)
        super().__delattr__(name)


_Watched.__name__ = ModuleType.__name__  # in messages a module is one


def watch(package: str) -> None:
    """Notice from now on what is set in a package, and in each of its modules as it is imported;
    one that is not there has nothing that could be changed."""
    if package in sys.modules:
        _watch_all(sys.modules[package])


def is_changed() -> bool:
    """Whether code is, or has been since it was imported, another than its files say."""
    if not _changed:
        owners = [one.owner for one in _classes if one.differs()]
        _changed.extend(f"{owner.__module__}.{owner.__qualname__}" for owner in owners)
    return bool(_changed)


def _watch_all(package: ModuleType) -> None:
    """A module, with those below it that its own import has imported."""
    _watch(package)
    if hasattr(package, "__path__"):
        below = f"{package.__name__}."
        for name, module in list(sys.modules.items()):
            if name.startswith(below):
                _watch(module)


def _watch(module: ModuleType) -> None:
    if type(module) is not ModuleType:  # it is watched, or has a class of its own for its own ends
        return
    module.__class__ = _Watched
    for value in vars(module).values():
        if isinstance(value, type) and value.__module__ == module.__name__:
            _classes.append(_Class(value, _own(value), len(vars(value))))


def _own(owner: type) -> dict[str, object]:
    """Its attributes, without those that Python and libraries set when they need them."""
    return {
        name: value
        for name, value in vars(owner).items()
        if isinstance(value, FunctionType) or not name.startswith("__")
    }


def _note(module: ModuleType, name: str) -> None:
    """Something is set from outside; what importing sets has names of its own."""
    if not (name.startswith("__") and name.endswith("__")):
        _changed.append(f"{module.__name__}.{name}")
