"""What files were asked while something was made, and what they said.

    with noted() as answers: …          # (CONTENT, path, digest), (THERE, path, 'True'), …
    all(holds(answer) for answer in answers)

`machines.reading` notes what it reads.  What a confined process may not open is not there for it.
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

Answer = tuple[str, str, str]
"""CONTENT, OWN, MODULE or THERE; the absolute path; the digest of the content, or whether there is
a file."""
CONTENT, OWN, MODULE, THERE = "content", "own", "module", "there"
"""Of what a user named and was read; of what simrun or a package named; of code that was in memory
meanwhile; whether something is there."""
NONE = "none"
"""The digest of what cannot be read."""

_NOTES: ContextVar[set[Answer] | None] = ContextVar("_NOTES", default=None)


@contextmanager
def noted() -> Iterator[set[Answer]]:
    """Gives a set that fills with what files are asked meanwhile, and what they say."""
    notes: set[Answer] = set()
    token = _NOTES.set(notes)
    try:
        yield notes
    finally:
        _NOTES.reset(token)
        note_all(notes)  # who noted around it has asked them, too


def note_all(answers: Iterable[Answer]) -> None:
    """Note what was asked before, for what is used again now."""
    notes = _NOTES.get()
    if notes is not None:
        notes |= set(answers)


def note_content(path: str | Path, content: bytes | None, kind: str = CONTENT) -> None:
    """Note what a file's content is; None of one that cannot be read."""
    if _NOTES.get() is not None:
        digest = NONE if content is None else hashlib.sha256(content).hexdigest()
        note_all([_said(str(path), digest, kind)])


def is_there(path: Path) -> bool:
    """Whether there is a file of that name."""
    answer = _is_there(str(path))
    note_all([answer])
    return answer[2] == str(True)


def content_of(path: str, kind: str = CONTENT) -> Answer:
    """What a file's content is now; what is no regular file, and may never end, has none."""
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


def holds(answer: Answer) -> bool:
    """Whether a file still says what it said."""
    kind, path, _ = answer
    return answer == (_is_there(path) if kind == THERE else content_of(path, kind))


def _said(path: str, digest: str, kind: str) -> Answer:
    return kind, os.path.abspath(path), digest


def _is_there(path: str) -> Answer:
    try:
        found = not leads_out(path) and Path(path).is_file()
    except (OSError, ValueError):  # a name that no file can have
        found = False
    return THERE, os.path.abspath(path), str(found)
