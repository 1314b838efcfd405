"""What commands import, once for all processes that are forked from one that has it."""

from __future__ import annotations

import pkgutil
from dataclasses import fields
from importlib import import_module

from machines import plugins
from machines.kinds import Kind, cluster, epic, simt

FOLDERS = (
    "compiler.frontends", "compiler.passes", "machines.instructions", "sim.commands", "sim.oracles",
)  # fmt: skip
"""Not the views, which look for passes as they are imported."""

for folder in FOLDERS:
    for info in pkgutil.iter_modules(import_module(folder).__path__):
        import_module(f"{folder}.{info.name}")
for kind in (cluster, epic, simt):
    for field in fields(Kind):
        if field.name != "name" and getattr(kind.PLUGIN, field.name):
            import_module(getattr(kind.PLUGIN, field.name).partition(":")[0])
import_module("sim.cli")
import_module("sim.runner")

# What is installed, each forked process finds for itself.
for remembered in (plugins.discover, plugins._entry_points):
    assert not remembered.cache_info().currsize, remembered.__name__
