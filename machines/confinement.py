"""The store out of which a process that works for others opens nothing.

    confine(Path("/srv/store"))                      # for as long as this process lives
    leads_out("a/../../b")                           # whether a path leads elsewhere
    handle = open_to_read("saxpy.py", "saxpy.py")     # raises InputError where it does

What counts is where a path really leads, '..' and links followed, and that it stays in the store on
its way there: links within the store are as good as files.  Who makes a path of what was written in
a file or in a request asks here before looking whether there is such a file; `machines.reading`
asks again when it opens one.  Files that simrun or an installed package names lie anywhere, and are
no concern of this.

A process that is not confined, as those of the command line, may open everything.
"""

from __future__ import annotations

import os
from pathlib import Path

from machines.diagnostics import input_error

OPENED = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)
"""How files are opened: without waiting for the other end of a pipe, to see that it is one."""

_store: Path | None = None
"""Where it really is.  Of the process, not of a context: what starts a thread leaves none open."""


def confine(store: Path) -> None:
    """Let this process open nothing outside of a folder; raises InputError if there is no such
    folder, or no way here to keep to it."""
    global _store
    if os.open not in os.supports_dir_fd or not hasattr(os, "O_NOFOLLOW"):
        raise input_error("this system cannot open files below a folder alone")
    real = Path(os.path.realpath(store))
    if not real.is_dir():
        raise input_error(f"there is no folder {store}")
    _store = real


def store() -> str | None:
    """Where the store is, None if this process is not confined."""
    return None if _store is None else str(_store)


def leads_out(path: str | Path, folder: Path | None = None) -> bool:
    """Whether a path leads out of the store; with a folder one that was written in a file of it,
    which may not begin at the root: that would ask what the store is called."""
    if _store is None:
        return False
    try:
        if folder is None:
            return _below_store(Path(path)) is None
        return Path(path).is_absolute() or _below_store(folder / path) is None
    except ValueError:  # what can be no path leads nowhere; who opens it is told
        return False


def is_in_store(path: str | Path) -> bool:
    """Whether a file is really one of the store's, by whatever path; of those that nobody wrote."""
    return _store is not None and Path(os.path.realpath(path)).is_relative_to(_store)


def outside(shown: str) -> str:
    """What is said of a path that leads out, as it was written."""
    return f"'{shown}' leads out of the store, of which nothing else is opened"


def open_to_read(path: str | Path, shown: str) -> int:
    """The descriptor of a file, opened as `OPENED` says.

    Raises InputError if it leads out, OSError if it cannot be opened, ValueError if it is no name.
    """
    if _store is None:
        return os.open(path, OPENED)
    found = _below_store(Path(path))
    if found is None:
        raise input_error(outside(shown))
    # From folder to folder, through no link: one that was put there since leads nowhere.
    handle = os.open(_store, OPENED)
    for part in found.parts:
        try:
            following = os.open(part, OPENED | os.O_NOFOLLOW, dir_fd=handle)
        finally:
            os.close(handle)
        handle = following
    return handle


def _below_store(path: Path) -> Path | None:
    """The way from the store to where a path really leads; None if it leaves the store anywhere.

    A path is gone through name by name, as the system does: one that leaves the store and comes
    back would be there or not by what lies outside, which nobody here may ask.
    """
    if path.is_absolute():
        if not path.is_relative_to(_store):
            return None
        place, parts = _store, path.relative_to(_store).parts
    else:
        place, parts = Path(os.path.realpath(".")), path.parts
    for part in parts:
        place = place.parent if part == ".." else Path(os.path.realpath(place / part))
        if not place.is_relative_to(_store):
            return None
    return place.relative_to(_store) if place.is_relative_to(_store) else None
