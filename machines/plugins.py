"""The one door through which everything that differs comes in.

A plugin is a module of a built-in folder, or an entry point of group `simrun.<kind>` in an
installed package.  Built-in ones come through the same call.  A name taken twice is an error that
names both owners; a plugin that fails to import is reported and the rest works.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any

from machines.diagnostics import input_error

FAILED: dict[str, str] = {}
"""Plugins that could not be imported: owner -> reason (shown by `simrun doctor`)."""


@cache
def discover(kind: str, folder: ModuleType, attribute: str = "PLUGIN") -> dict[str, object]:
    """Every plugin of a kind by name.

    A module of `folder` is a plugin if it has `attribute`; so is what an entry point of group
    `simrun.<kind>` loads (the object itself, or a module with `attribute`).  The plugin's name is
    its `name` field, else the module's or the entry point's name.

    Raises InputError if two plugins have one name.
    """
    found: dict[str, object] = {}
    owners: dict[str, str] = {}

    def register(name: str, plugin: object, owner: str) -> None:
        name = getattr(plugin, "name", name)
        if name in found:
            raise input_error(
                f"{kind} plugin '{name}' is provided by both {owners[name]} and {owner}",
                hint="uninstall or rename one of them",
            )
        found[name], owners[name] = plugin, owner

    for info in pkgutil.iter_modules(folder.__path__):
        module = importlib.import_module(f"{folder.__name__}.{info.name}")
        if hasattr(module, attribute):
            register(info.name, getattr(module, attribute), module.__name__)
    for name, plugin, owner in installed(kind):
        register(name, getattr(plugin, attribute, plugin), owner)
    return found


def installed(kind: str) -> Iterator[tuple[str, Any, str]]:
    """What installed packages provide by entry points of group `simrun.<kind>`: name, object, and
    owner for messages.  What cannot be imported is in `FAILED`."""
    for point in entry_points(group=f"simrun.{kind}"):
        owner = f"{point.value} ({point.dist.name if point.dist else 'unknown package'})"
        try:
            plugin = point.load()
        except Exception as error:
            FAILED[owner] = f"{type(error).__name__}: {error}"
            continue
        yield point.name, plugin, owner
