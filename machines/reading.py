"""Files that the user names, looked at before they are read: their type, then their size.

    read_bytes("saxpy.bc", most=MOST_SOURCE)        read_text("saxpy.py", most=MOST_SOURCE)

A pipe or a device may never end, and a file may be larger than memory: both are refused at once.
So is what a confined process may not open (`machines.confinement`), unless it is a file of simrun's
own or of an installed package (`own`), which no user named.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from machines.cache.file_dependencies import CONTENT, OWN, record_content
from machines.confinement import OPENED, open_to_read
from machines.diagnostics import InputError, input_error

MOST_SOURCE = 1 << 24
"""Bytes of a program."""
MOST_RECORDED = 1 << 24
"""Bytes of a file that simrun or its measurements wrote."""


def read_bytes(
    path: str | Path, most: int, shown: str | None = None, own: bool = False, begins: bytes = b""
) -> bytes:
    """The content of a regular file of at most `most` bytes; messages call it `shown`.

    Of a file that does not begin with `begins` so many bytes are all that is read, and given.

    Raises InputError if there is no such file, if it is larger or of another type, or if it may not
    be opened here.
    """
    kind = OWN if own else CONTENT
    try:
        data = _read(path, most, str(path) if shown is None else shown, own, begins)
    except InputError:
        record_content(path, None, kind)
        raise
    record_content(path, data, kind)
    return data


def _read(path: str | Path, most: int, shown: str, own: bool, begins: bytes) -> bytes:
    try:
        handle = os.open(path, OPENED) if own else open_to_read(path, shown)
        try:
            _check(os.fstat(handle), most, shown)
            with open(handle, "rb", closefd=False) as file:
                data = file.read(len(begins))
                if data == begins:
                    data += file.read(most + 1)  # there are files that say nothing of their size
        finally:
            os.close(handle)
    except OSError as error:
        raise input_error(f"cannot read {shown}: {error.strerror}") from None
    except ValueError:
        raise input_error(f"{shown!r} cannot be the name of a file") from None
    if len(data) > most:
        raise _too_large(shown, most)
    return data


def _check(status: os.stat_result, most: int, shown: str) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise input_error(f"cannot read {shown}: it is a folder")
    if not stat.S_ISREG(status.st_mode):
        raise input_error(f"cannot read {shown}: it is not a regular file")
    if status.st_size > most:
        raise _too_large(shown, most)


def read_text(path: str | Path, most: int, shown: str | None = None, own: bool = False) -> str:
    """The same as text, without the mark that some editors put before UTF-8, and with `\\n` at the
    ends of lines, as Python reads texts."""
    data = read_bytes(path, most, shown, own)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise input_error(f"{shown or path} is not UTF-8 text (byte {error.start})") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _too_large(shown: str, most: int) -> InputError:
    size = f"{most >> 20} MiB" if most >> 20 else f"{most} bytes"
    return input_error(f"cannot read {shown}: it is larger than {size}, the most that is read")
