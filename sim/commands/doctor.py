"""`simrun doctor`: what simrun runs on, and what of it is missing."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version

import click

from machines.cache.cache_folder import cache_folder, is_safe, shared_folders_named
from machines.diagnostics import InputError
from machines.plugins import FAILED
from sim.commands.parameters import print_rows
from sim.version import release

WRONG = 2
"""The exit code where something is missing."""


@click.command()
def doctor() -> int:
    """Say what simrun runs on: versions, cache folder, tools, plugins that failed."""
    rows = list(_findings())
    print_rows([(row.name, row.value) for row in rows])
    return 0 if all(row.ok for row in rows) else WRONG


@dataclass(frozen=True)
class Finding:
    """One line; `ok` is False for what keeps simrun from working."""

    name: str
    value: str
    ok: bool = True


def _findings() -> Iterator[Finding]:
    """Everything worth knowing before a bug report."""
    yield Finding("python", f"{platform.python_version()} on {platform.platform()}")
    yield Finding("processors", str(os.cpu_count()))
    yield Finding("simrun", release())
    for name in _dependencies():
        try:
            yield Finding(name, version(name))
        except PackageNotFoundError:
            yield Finding(name, "not installed", ok=False)
    yield _cache()
    for folder in shared_folders_named():
        unsafe = "" if is_safe(folder) else " (left alone: not there, or others write into it)"
        yield Finding("shared cache folder", f"{folder}{unsafe}", not unsafe)
    for tool in ("ia64-linux-gnu-as", "ia64-linux-gnu-objdump"):
        yield Finding(tool, shutil.which(tool) or "absent (only some tests use it)")
    yield from _plugins()


def _dependencies() -> list[str]:
    try:
        wanted = requires("simrun") or []
    except PackageNotFoundError:
        return []  # it runs from a source folder: nothing says what it needs
    plain = [line for line in wanted if "extra ==" not in line]
    return [line.split(">")[0].split("=")[0].split(";")[0].strip() for line in plain]


def _cache() -> Finding:
    try:
        folder = cache_folder()
    except InputError as error:
        return Finding("cache folder", error.diagnostics[0].message, ok=False)
    writable = os.access(folder, os.W_OK)
    return Finding("cache folder", f"{folder}{'' if writable else ' (not writable)'}", writable)


def _plugins() -> Iterator[Finding]:
    from machines.description.load import machines
    from sim.commands.parts_of_kinds import usable_parts
    from sim.reports.output import reports
    from sim.timeline.writing import trace_writers

    yield Finding("machines", ", ".join(machines()))
    usable: dict[str, list[str]] = {}
    for kind, part in usable_parts():
        usable.setdefault(kind.name, []).append(part)
    for name, having in usable.items():
        yield Finding(f"kind {name}", ", ".join(having))
    yield Finding("reports", ", ".join(reports()))
    yield Finding("traces", ", ".join(trace_writers()))
    for owner, reason in FAILED.items():
        yield Finding(f"plugin {owner}", f"failed: {reason}", ok=False)


PLUGIN = doctor
