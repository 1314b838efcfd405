"""Where written cores are kept."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from machines.diagnostics import input_error


def cache_folder() -> Path:
    """$SIMRUN_CACHE, else the user's cache folder; it is made if need be.

    Raises InputError if it cannot be made.
    """
    named = os.environ.get("SIMRUN_CACHE")
    try:
        folder = Path(named) if named else _users_caches() / "simrun"
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError, KeyError) as error:  # the latter two: the user has no home
        problem = "SIMRUN_CACHE is no folder that can be made" if named else "no cache folder"
        hint = "set SIMRUN_CACHE to a folder that can be written"
        raise input_error(f"{problem}: {error}", hint=hint) from None
    return folder


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
