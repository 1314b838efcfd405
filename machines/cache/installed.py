"""What is installed that results depend on: Python, and what simrun and its plugins import.

    installed()                        # {"Python": "3.11.2 (main, …)", "numpy": "2.4.6", …}
    moved(before, installed())         # "numba from 0.67.0 to 0.68.1"

Of simrun's own these are `LIBRARIES`; those that print, draw, serve or search say nothing of a
result.  Of plugins it is what their packages require and what their modules import, with all that
these require in turn.  Whatever else is installed, or comes and goes, moves nothing.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions

from machines.plugins import points_of

LIBRARIES = ("llvmlite", "numba", "numpy", "pydantic", "pydantic-core", "pyyaml", "simpy")
"""That reading, compiling or simulating runs through."""
_IMPORT = re.compile(rb"^[ \t]*(?:import|from)[ \t]+(\w+)", re.MULTILINE)
_REQUIRED = re.compile(r"\s*([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)")
_EXTRA = re.compile(r";.*\bextra\s*==")

Versions = dict[str, str]
"""By the name of a package."""


def installed(imported: Iterable[str] = ()) -> Versions:
    """The versions of all that counts; `imported` are the top modules that plugins import."""
    versions = _versions()
    names = {*LIBRARIES, *_of_plugins(tuple(sorted(imported)))}
    found = {name: versions[name] for name in sorted(names) if name in versions}
    return {"Python": " ".join(sys.version.split()), "platform": sys.platform, **found}


def moved(before: Mapping[str, str], now: Mapping[str, str]) -> str:
    """What moved from which version to which, for people."""
    told = []
    for name in sorted({*before, *now}, key=str.lower):
        old, new = before.get(name), now.get(name)
        if old is None:
            told.append(f"{name} {new} is new")
        elif new is None:
            told.append(f"{name} {old} is gone")
        elif old != new:
            told.append(f"{name} from {old} to {new}")
    return ", ".join(told)


def imports_of(content: bytes) -> set[str]:
    """The top modules that a module's text imports, anywhere in it."""
    return {name.decode() for name in _IMPORT.findall(content)}


def _normal(name: str) -> str:
    """A package's name as all its spellings have it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


@cache
def _versions() -> Versions:
    """Of all installed packages, by the names of their folders; the first on the path is the one
    that is imported."""
    found: Versions = {}
    for folder in sys.path:
        if os.path.isdir(folder or "."):
            with os.scandir(folder or ".") as entries:
                names = sorted(one.name for one in entries)
            for entry in names:
                stem, ending = os.path.splitext(entry)
                name, _, version = stem.partition("-")
                if ending in (".dist-info", ".egg-info") and version:
                    found.setdefault(_normal(name), version)
    return found


@cache
def _of_plugins(imported: tuple[str, ...]) -> frozenset[str]:
    """The packages that plugins are made of and depend on."""
    owners = {point.dist.name for point in points_of() if point.dist is not None}
    found = _closed(owners)
    known = {name.replace("-", "_") for name in found} | sys.stdlib_module_names
    if set(imported) - known:
        by_module = packages_distributions()
        found |= _closed(one for name in imported for one in by_module.get(name, ()))
    return frozenset(found - {"simrun"})


def _closed(names: Iterable[str]) -> set[str]:
    """Packages, and all that they require without extras."""
    found: set[str] = set()
    waiting = [_normal(name) for name in names]
    while waiting:
        name = waiting.pop()
        if name not in found and name != "simrun":
            found.add(name)
            waiting += map(_normal, _requirements(name))
    return found


def _requirements(name: str) -> Iterator[str]:
    try:
        required = distribution(name).requires or ()
    except PackageNotFoundError:
        return
    for line in required:
        match = _REQUIRED.match(line)
        if match and not _EXTRA.search(line):
            yield match[1]
