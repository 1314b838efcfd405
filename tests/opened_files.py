"""Whether files are opened, by whomever, as Linux tells it (inotify).

with Watched(folder) as watched:
    …
    watched.opened()        # names of files of the folder, and '' for the folder itself
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from pathlib import Path

import pytest

_OPENED, _NONBLOCK = 0x20, os.O_NONBLOCK
_EVENT = struct.Struct("iIII")

only_linux = pytest.mark.skipif(sys.platform != "linux", reason="Linux tells what is opened")


class Watched:
    """Folders, and which of their files have been opened since."""

    def __init__(self, *folders: Path):
        libc = ctypes.CDLL(None, use_errno=True)
        self._handle = libc.inotify_init1(_NONBLOCK)
        assert self._handle >= 0, os.strerror(ctypes.get_errno())
        for folder in folders:
            watch = libc.inotify_add_watch(self._handle, os.fsencode(folder), _OPENED)
            assert watch >= 0, os.strerror(ctypes.get_errno())

    def __enter__(self) -> Watched:
        return self

    def __exit__(self, *error: object) -> None:
        os.close(self._handle)

    def opened(self) -> set[str]:
        """What has been opened since the last time."""
        names: set[str] = set()
        while True:
            try:
                data = os.read(self._handle, 1 << 16)
            except BlockingIOError:
                return names
            at = 0
            while at < len(data):
                *_, length = _EVENT.unpack_from(data, at)
                at += _EVENT.size + length
                names.add(os.fsdecode(data[at - length : at].rstrip(b"\0")))
