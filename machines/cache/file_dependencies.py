"""The files that a cached result depends on: recorded while it is made, compared before its use.

    with recorded() as dependencies: …          # (CONTENT, path, digest), (THERE, path, 'True'), …
    all(holds(dependency) for dependency in dependencies)

`machines.reading` records what it reads.  A file that a confined process may not open is not there
for it.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from machines.confinement import OPENED, leads_out, open_to_read
from machines.diagnostics import InputError

Dependency = tuple[str, str, str]
"""CONTENT, OWN, MODULE or THERE; the absolute path; the digest of the content, or whether there is
a file."""
CONTENT, OWN, MODULE, THERE = "content", "own", "module", "there"
"""Of what a user named and was read; of what simrun or a package named; of code that was in memory
meanwhile; whether something is there."""
NONE = "none"
"""The digest of what cannot be read."""

_RECORD: ContextVar[set[Dependency] | None] = ContextVar("_RECORD", default=None)


@contextmanager
def recorded() -> Iterator[set[Dependency]]:
    """Gives a set that fills with the dependencies recorded meanwhile."""
    record: set[Dependency] = set()
    token = _RECORD.set(record)
    try:
        yield record
    finally:
        _RECORD.reset(token)
        record_all(record)  # a record around this one depends on them, too


def record_all(dependencies: Iterable[Dependency]) -> None:
    """Record dependencies of a result that is used again now."""
    record = _RECORD.get()
    if record is not None:
        record |= set(dependencies)


def record_content(path: str | Path, content: bytes | None, kind: str = CONTENT) -> None:
    """Record a file's content; None if it cannot be read."""
    if _RECORD.get() is not None:
        digest = NONE if content is None else hashlib.sha256(content).hexdigest()
        record_all([_said(str(path), digest, kind)])


def record_file(path: str | Path) -> None:
    """Record the content of a file that is too large to be held."""
    if _RECORD.get() is not None:
        record_all([content_of(str(path))])


def is_there(path: Path) -> bool:
    """Whether there is a file of that name."""
    dependency = _is_there(str(path))
    record_all([dependency])
    return dependency[2] == str(True)


def content_of(path: str, kind: str = CONTENT) -> Dependency:
    """A file's content now; what is not a regular file, and may never end, has none."""
    try:
        handle = open_to_read(path, path) if kind == CONTENT else os.open(path, OPENED)
        try:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                return _said(path, NONE, kind)
            with open(handle, "rb", closefd=False) as file:
                return _said(path, hashlib.file_digest(file, "sha256").hexdigest(), kind)
        finally:
            os.close(handle)
    except (OSError, ValueError, InputError):
        return _said(path, NONE, kind)


def holds(dependency: Dependency) -> bool:
    """True if the file is as it was recorded."""
    kind, path, _ = dependency
    return dependency == (_is_there(path) if kind == THERE else content_of(path, kind))


def _said(path: str, digest: str, kind: str) -> Dependency:
    return kind, os.path.abspath(path), digest


def _is_there(path: str) -> Dependency:
    try:
        found = not leads_out(path) and Path(path).is_file()
    except (OSError, ValueError):  # a name that no file can have
        found = False
    return THERE, os.path.abspath(path), str(found)
