"""What of a result is the software's doing: a digest of the text of all code that takes part.

    software = Software(entries)
    software.digest_of(COMPILING)  # those packages, plugins, Python, libraries
    software.installed             # of these two the versions, by name
    software.is_what_runs()        # whether this process runs what the files say

Every file of a package counts, by its path in the package and its content: not only modules, since
tables and libraries lie beside them.  Plugins are packages that have an entry point of a group
`simrun.*`; as nobody knows what of simrun they import, all of it counts where there are any.  Of
other packages that these import the version counts (`machines.cache.installed`).  To read all files
takes longer than a run may; so the digests are kept under a signature (path, size, times and inode
of each file), which any change of a file changes.

A file that changed within `SETTLED` seconds could change again without a trace in its times; and a
process may have imported a module before the file was edited.  So what has changed after this
process began, or so shortly before, is not taken for what runs: nothing is kept of such a run.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import sys
import time
from collections.abc import Collection, Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from machines.cache.entries import Entries
from machines.cache.installed import Versions, imports_of, installed
from machines.plugins import points_of, top_of

STARTED = time.time()
"""When this process began to import simrun."""
SETTLED = 2.0
"""Seconds; no file system's clock is coarser."""
PACKAGES = ("machines", "compiler", "sim")
DESCRIBING, COMPILING, SIMULATING = ("machines",), ("machines", "compiler"), ("machines", "sim")
"""The packages that take part in making a machine, a program, a result of a program."""
_BYTE_CODE = "__pycache__"

Stamp = tuple[str, str, int, int, int, int]
"""Of a file: its root, its path there, size, times of change of content and of anything, inode."""


class Software:
    """The software as its files were when this object was made."""

    def __init__(self, entries: Entries | None = None) -> None:
        """With entries digests are kept there."""
        self._entries = entries
        self._stamps = _stamps()

    def digest_of(self, packages: Collection[str] | None = None) -> str:
        """SHA-256 of what takes part with these of simrun's packages, all if none are named, and of
        what is installed; the same wherever they lie."""
        content = [self.installed, self.text_of(packages)]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()

    def text_of(self, packages: Collection[str] | None = None) -> str:
        """The same of the files alone, whatever is installed."""
        digests = self._digests
        is_whole = packages is None or not digests.keys() <= {*PACKAGES}
        counts = digests.keys() if is_whole else digests.keys() & {*packages}
        content = {name: digests[name] for name in sorted(counts)}
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()

    @cached_property
    def installed(self) -> Versions:
        """Versions of Python and of the libraries that take part, by name."""
        return installed(self._read["imports"])

    @property
    def _digests(self) -> dict[str, str]:
        """Of the files of each package by its name."""
        return self._read["digests"]

    @cached_property
    def _read(self) -> dict[str, Any]:
        """What is found in the files: `digests` by package, and what plugins have as `imports`."""
        key = json.dumps(self._stamps)
        kept = self._entries.get("software", key) if self._entries else None
        if kept is not None:
            return json.loads(kept)
        digests: dict[str, Any] = {}
        imports: set[str] = set()
        for root, path, *_ in self._stamps:
            content, name = _content(Path(root, path)), Path(root).stem
            digest = digests.setdefault(name, hashlib.sha256())
            digest.update(f"{path} {len(content)}\n".encode() + content)
            if name not in PACKAGES and (path or root).endswith(".py"):
                imports |= imports_of(content)
        imports -= digests.keys() | set(PACKAGES)
        read = {
            "digests": {name: digest.hexdigest() for name, digest in digests.items()},
            "imports": sorted(imports),
        }
        if self._entries and self.is_what_runs():
            self._entries.put("software", key, json.dumps(read).encode())
        return read

    def is_what_runs(self) -> bool:
        """Whether the files are as they were, and were so before this process began."""
        newest = max(max(written, changed) for _, _, _, written, changed, _ in self._stamps)
        return newest < (STARTED - SETTLED) * 1e9 and _stamps() == self._stamps

    def has(self, path: str) -> bool:
        """Whether a module's file is part of it: its content or its package's version counts."""
        return is_software(path) or path.startswith(_libraries())


def is_software(path: str) -> bool:
    """Whether a file is one of simrun's packages, or of those of its plugins."""
    return path.startswith(tuple(os.path.join(root, "") for root in _roots()))


def _stamps() -> list[Stamp]:
    return sorted(stamp for root in _roots() for stamp in _below(root, ""))


def _below(root: str, folder: str) -> Iterator[Stamp]:
    """The stamps of all files in a folder of a root, and below; a root may be a file."""
    if not folder and os.path.isfile(root):
        yield _stamp(root, "", root)
        return
    try:
        with os.scandir(os.path.join(root, folder)) as found:
            entries = list(found)
    except OSError:
        yield _stamp(root, folder, os.path.join(root, folder))
        return
    for one in entries:
        path = f"{folder}{one.name}"
        is_folder = os.path.isdir(one) if one.is_symlink() else one.is_dir()
        if not is_folder:
            yield _stamp(root, path, one)
        elif one.name != _BYTE_CODE:
            yield from _below(root, f"{path}/")


def _stamp(root: str, path: str, file: str | os.DirEntry) -> Stamp:
    """The stamp of a file; of one that cannot be looked at, as it may just go, one of its own."""
    try:
        status = os.stat(file) if isinstance(file, str) else file.stat()
    except OSError:
        return root, path, -1, -1, -1, -1
    times = status.st_mtime_ns, status.st_ctime_ns
    return root, path, status.st_size, *times, status.st_ino


def _content(path: Path) -> bytes:
    """A file's content; one that goes meanwhile has none, and `is_what_runs` sees that."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


@cache
def _roots() -> tuple[str, ...]:
    """Where simrun's packages and those of its plugins lie: folders, and modules alone."""
    tops = set(map(top_of, points_of()))
    found: list[str] = []
    for name in (*PACKAGES, *sorted(tops - set(PACKAGES))):
        try:
            spec = importlib.util.find_spec(name)
        except (ImportError, ValueError):  # the plugin will be left out
            continue
        if spec is not None and spec.submodule_search_locations is not None:
            found += spec.submodule_search_locations
        elif spec is not None and spec.origin is not None:
            found.append(spec.origin)
    return tuple(found)


@cache
def _libraries() -> tuple[str, ...]:
    """Folders of modules whose versions count, not their files."""
    beside = {os.path.join(path, "") for path in sys.path if "-packages" in os.path.basename(path)}
    return tuple(sorted({os.path.join(os.path.dirname(os.__file__), ""), *beside}))
