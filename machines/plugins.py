"""The one door through which everything that differs comes in.

A plugin is a module of a built-in folder, or an entry point of group `simrun.<kind>` in an
installed package.  Built-in ones come through the same call.  A name taken twice is an error that
names both owners.  What cannot be imported, or is not what its kind wants, is left out: `FAILED`
has it with its package, the command line warns of it, and the rest works.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType
from typing import Any, NamedTuple

from machines.changed_code import watch
from machines.diagnostics import InputError, input_error

FAILED: dict[str, str] = {}
"""Plugins that were left out: owner -> reason."""


class Known(NamedTuple):
    """A plugin that is in use: its group and its name, or what a part of one is called."""

    group: str
    name: str
    plugin: Any


KNOWN: list[Known] = []
"""Those of installed packages, and what they name by a reference (see `machines.blame`)."""

Wrong = Callable[[object], str | None]
"""What is wrong with a plugin, None if nothing is."""


@cache
def discover(
    kind: str,
    folders: ModuleType | tuple[ModuleType, ...],
    wanted: type | Wrong,
    attribute: str = "PLUGIN",
) -> dict[str, object]:
    """Every plugin of a kind by name.

    A module of `folders` is a plugin if it has `attribute`; so is what an entry point of group
    `simrun.<kind>` loads (the object itself, or a module with `attribute`).  The plugin's name is
    its `key` or `name` field, else the module's or the entry point's name.  `wanted` is the class
    of the
    plugins (a dataclass or a protocol), or says what is wrong with one.

    Raises InputError if two plugins have one name.
    """
    found: dict[str, object] = {}
    owners: dict[str, str] = {}
    for name, plugin, owner in with_owners(kind, folders, wanted, attribute):
        name = getattr(plugin, "key", getattr(plugin, "name", name))
        if name in found:
            raise input_error(
                f"{kind} plugin '{name}' is provided by both {owners[name]} and {owner}",
                hint="uninstall or rename one of them",
            )
        found[name], owners[name] = plugin, owner
    return found


def with_owners(
    kind: str, folders: ModuleType | tuple[ModuleType, ...], wanted: type | Wrong, attribute: str
) -> Iterator[tuple[str, Any, str]]:
    """Every plugin as `discover` finds it: the name of its module or entry point, the object, and
    its owner for messages; looked for anew."""
    wrong = not_a(wanted) if isinstance(wanted, type) else wanted
    for module in _modules(folders if isinstance(folders, tuple) else (folders,)):
        if hasattr(module, attribute):
            plugin = getattr(module, attribute)
            assert wrong(plugin) is None, f"{module.__name__}: {wrong(plugin)}"
            yield module.__name__.rpartition(".")[2], plugin, module.__name__
    yield from installed(kind, wrong, attribute)


def _modules(folders: Iterable[ModuleType]) -> Iterator[ModuleType]:
    for folder in folders:
        for info in pkgutil.iter_modules(folder.__path__):
            yield importlib.import_module(f"{folder.__name__}.{info.name}")


def installed(kind: str, wrong: Wrong, attribute: str = "PLUGIN") -> Iterator[tuple[str, Any, str]]:
    """What installed packages provide by entry points of group `simrun.<kind>`: name, object, and
    owner for messages.  What cannot be imported or is wrong is in `FAILED`."""
    for point in points_of(f"simrun.{kind}"):
        owner = f"{point.value} ({point.dist.name if point.dist else 'unknown package'})"
        try:
            plugin = point.load()
            watch(top_of(point))
            plugin = getattr(plugin, attribute, plugin)
            problem = wrong(plugin)
        except (Exception, SystemExit) as error:  # whatever a package may do as it is imported
            problem = f"{type(error).__name__}: {error}"
        if problem is not None:
            FAILED[owner] = problem
        else:
            for one in plugin if isinstance(plugin, tuple | list) else (plugin,):
                named = getattr(one, "key", getattr(one, "name", point.name))
                KNOWN.append(Known(kind, named if isinstance(named, str) else point.name, one))
            yield point.name, plugin, owner


def points_of(group: str | None = None) -> list[EntryPoint]:
    """The entry points of a group, or of all groups `simrun.*`."""
    found = _entry_points()
    return [point for point in found if group is None or point.group == group]


def top_of(point: EntryPoint) -> str:
    """The package, or the module alone, that an entry point is in."""
    return point.value.partition(":")[0].partition(".")[0]


@cache
def _entry_points() -> tuple[EntryPoint, ...]:
    """Those of all groups, for which every package is looked at: once is enough."""
    found = entry_points()
    groups = sorted(group for group in found.groups if group.startswith("simrun."))
    return tuple(point for group in groups for point in found.select(group=group))


def load_part(owner: str, name: str, reference: str, wanted: type | Wrong) -> Any:
    """A part that a plugin names by a reference 'module:attribute', imported now; `wanted` is the
    class that it is to be an object of, or says what is wrong with it.

    Raises InputError, which names owner and part, if it cannot be imported or is something else.
    """
    module, _, attribute = reference.partition(":")
    wrong = not_a(wanted) if isinstance(wanted, type) else wanted
    try:
        part = getattr(importlib.import_module(module), attribute)
        problem = wrong(part)
    except (Exception, SystemExit) as error:  # as above
        part, problem = None, f"{type(error).__name__}: {error}"
    if problem is not None:
        message = f"{owner} has no usable {name}: {reference}: {problem}"
        raise input_error(message, hint="install another version of the package it comes from")
    KNOWN.append(Known("", f"{name} of {owner}", part))
    return part


def usable_parts(owners: Iterable[Any], name: str, wanted: type | Wrong) -> dict[str, Any]:
    """A part of all that have one, by the owner's name: of kinds of machine, of levels of code.

    One that cannot be used is left out, and `FAILED` has it: it is its owner's fault, and says
    nothing of the others.
    """
    found = {}
    for owner in owners:
        if reference := getattr(owner, name):
            try:
                found[owner.name] = owner.part(name, wanted)
            except InputError as error:
                FAILED[reference] = error.diagnostics[0].message
    return found


def not_a(model: type) -> Wrong:
    """Says what keeps an object from being an instance of a class or a protocol; the fields of a
    dataclass are looked at, too."""

    def wrong(plugin: object) -> str | None:
        if isinstance(plugin, type):
            return f"{plugin.__name__} is a class, not an object of one"
        is_protocol = getattr(model, "_is_protocol", False)
        if not is_protocol and not isinstance(plugin, model):
            return f"it is {_kind(plugin)}, not a {model.__name__}"
        if not is_protocol and not is_dataclass(model):
            return None
        if not is_protocol:
            declared = {field.name: str(field.type) for field in fields(model)}
        else:
            methods = [name for name in vars(model) if not name.startswith("_")]
            declared = {**model.__annotations__, **dict.fromkeys(methods, "Callable")}
        return next(_of_fields(plugin, model, declared), None)

    return wrong


def _of_fields(plugin: object, model: type, declared: dict[str, str]) -> Iterator[str]:
    for name, kind in declared.items():
        if not hasattr(plugin, name):
            yield f"{_kind(plugin)} is no {model.__name__}: it has no '{name}'"
        elif getattr(plugin, name) is None and kind.endswith("| None"):
            continue
        elif kind.startswith("Callable") and not callable(getattr(plugin, name)):
            yield f"its '{name}' is {_kind(getattr(plugin, name))}, which nobody can call"
        elif kind == "str" and not isinstance(getattr(plugin, name), str):
            yield f"its '{name}' is {_kind(getattr(plugin, name))}, not a text"


def _kind(value: object) -> str:
    if isinstance(value, ModuleType):
        return f"the module {value.__name__}"
    return f"of type {type(value).__name__}"
