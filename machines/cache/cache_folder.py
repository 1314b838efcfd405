"""Where compiled cores and kept results lie: in a folder of the user's, and in shared ones.

    SIMRUN_CACHE=/home/me/cache:/opt/simrun/cache

The first is the user's own.  What it lacks is looked for in the others, in their order; nothing is
written there.  What lies in any of them is code that runs: a shared folder that its group or others
may write into is left alone.
"""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

from machines.diagnostics import input_error


def cache_folder() -> Path:
    """The first folder of $SIMRUN_CACHE, else the user's cache folder; it is made if need be.

    Raises InputError if it cannot be made.
    """
    named = _named()[0]
    try:
        folder = Path(named) if named else _users_caches() / "simrun"
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError, KeyError) as error:  # the latter two: the user has no home
        problem = "SIMRUN_CACHE is no folder that can be made" if named else "no cache folder"
        hint = "set SIMRUN_CACHE to a folder that can be written"
        raise input_error(f"{problem}: {error}", hint=hint) from None
    return folder


def shared_folders() -> list[Path]:
    """The further folders of $SIMRUN_CACHE that are there, and safe: they are only read."""
    return [folder for folder in shared_folders_named() if is_safe(folder)]


def shared_folders_named() -> list[Path]:
    """The further folders of $SIMRUN_CACHE, as they are named."""
    return [Path(name) for name in _named()[1:] if name]


def is_safe(folder: Path, own: bool = False) -> bool:
    """Whether a folder is there, and only its owner writes into it; `own`: who is the user."""
    try:
        status = folder.stat()
    except OSError:
        return False
    if not hasattr(os, "getuid"):
        return True  # Windows: it goes by other rules
    is_alone = not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return is_alone and (not own or status.st_uid == os.geteuid())


def _named() -> list[str]:
    """What $SIMRUN_CACHE names; the first is empty if that is to be the user's cache folder."""
    return os.environ.get("SIMRUN_CACHE", "").split(os.pathsep)


def _users_caches() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home())
    if sys.platform == "darwin":
        return _home() / "Library" / "Caches"
    named = Path(os.environ.get("XDG_CACHE_HOME") or "")
    return named if named.is_absolute() else _home() / ".cache"


def _home() -> Path:
    """The user's home, also where a shell has set HOME to nothing."""
    if os.environ.get("HOME") == "":
        import pwd

        return Path(pwd.getpwuid(os.getuid()).pw_dir)
    return Path.home()
