"""Files of the cache folder that hold results, each sealed: a digest of its name and content.

    store = Entries()
    store.put("machine", key, content)       # …/simrun/results/machine-0123….kept
    store.get("machine", key)                # the content; None if there is none, or a damaged one

A file is written whole under another name and then renamed, so that writers and readers need not
know of each other; what was cut off, overwritten, or put under another name is not what its seal
says, and goes.  The folder stays below `MOST_BYTES`: who writes removes what was not asked for
longest.  Nothing here raises for what disks do: then nothing is kept, or nothing is found.

Contents are pickled, and to load a pickle may do anything.  So own results lie in a folder that
belongs to the user, and no folder is read that its group or others may write into.  Shared folders
are those that the user names in SIMRUN_CACHE.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from machines.cache.cache_folder import cache_folder, is_safe, shared_folders
from machines.cache.files import open_atomically
from machines.diagnostics import InputError

FOLDER = "results"
SUFFIX = ".kept"
MOST_BYTES = 128 << 20
"""Of all own results together."""
KEPT_SHARE = 0.75
"""Of `MOST_BYTES`: what is left when old ones are removed."""
_SEAL = hashlib.sha256().digest_size


class Entries:
    """The results in the user's cache folder, and behind it those in shared ones."""

    def __init__(self) -> None:
        """Raises InputError if there is no cache folder."""
        self.own = cache_folder() / FOLDER
        self.shared = [folder / FOLDER for folder in shared_folders()]

    def get(self, kind: str, key: str) -> bytes | None:
        """What was kept under a key: own, else shared."""
        name = _name(kind, key)
        if is_safe(self.own, own=True):
            content = _unsealed(self.own / name)
            if content is not None:
                with suppress(OSError):
                    os.utime(self.own / name)  # it was asked for
                return content
            with suppress(OSError):
                (self.own / name).unlink()
        contents = (_unsealed(folder / name) for folder in self.shared if is_safe(folder))
        return next((content for content in contents if content is not None), None)

    def put(self, kind: str, key: str, content: bytes) -> None:
        """Keep a content, if that can be done."""
        path = self.own / _name(kind, key)
        with suppress(OSError, InputError):
            self.own.mkdir(mode=0o700, exist_ok=True)
            if is_safe(self.own, own=True):
                self._make_room(len(content))
                with open_atomically(path, binary=True) as file:
                    file.write(_seal(path.name, content) + content)

    def _make_room(self, size: int) -> None:
        """Remove what was not asked for longest, should `size` more bytes be too many."""
        files = list(_files(self.own))
        total = size + sum(length for _, length, _ in files)
        if total <= MOST_BYTES:
            return
        for _, length, path in sorted(files):
            if total <= KEPT_SHARE * MOST_BYTES:
                return
            with suppress(OSError):
                os.unlink(path)
            total -= length


def _name(kind: str, key: str) -> str:
    return f"{kind}-{hashlib.sha256(key.encode()).hexdigest()}{SUFFIX}"


def _seal(name: str, content: bytes) -> bytes:
    digest = hashlib.sha256(name.encode())
    digest.update(content)
    return digest.digest()


def _unsealed(path: Path) -> bytes | None:
    """The content of a file, None if there is none that is as it was sealed."""
    try:
        with path.open("rb") as file:
            seal, content = file.read(_SEAL), file.read()
    except OSError:
        return None
    return content if seal == _seal(path.name, content) else None


def _files(folder: Path) -> Iterator[tuple[int, int, str]]:
    """When it was asked for last, bytes and path of each file, those left half written too."""
    with os.scandir(folder) as found:
        for one in found:
            with suppress(OSError):  # another process may have removed it
                status = one.stat()
                yield status.st_mtime_ns, status.st_size, one.path
