"""Files appear whole or not at all: an error leaves what was there before."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from machines.diagnostics import input_error


def make_folder(folder: Path) -> None:
    """Make a folder if need be; raises InputError if no file can be written into it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise input_error(f"cannot write into folder {folder}: {error.strerror}") from None


def check_writable(path: Path) -> None:
    """Raise InputError now if a file could not be written later."""
    if path.is_dir():
        raise input_error(f"cannot write {path}: it is a folder")
    path = path.resolve()
    if path.is_file() or not path.exists():  # else a device or a pipe: nothing is made beside it
        make_folder(path.parent)


def write_atomically(path: Path, text: str) -> None:
    """Write a text file, which is there whole or not at all; see `open_atomically`."""
    with open_atomically(path) as file:
        file.write(text)


@contextmanager
def open_atomically(path: Path, binary: bool = False) -> Iterator[IO[Any]]:
    """A file to write text or bytes into, which comes to its name when it is finished; its folder
    is made if need be.

    A link is followed; a device or a pipe, which nothing can replace, is written to as it is.
    Raises InputError if the file cannot be written; an error leaves what was there before.
    """
    try:
        path = path.resolve()
        if path.exists() and not path.is_file():
            with path.open(**_mode(binary)) as file:
                yield file
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, **_mode(binary)) as file:
                yield file
            os.chmod(name, 0o666 & ~_umask())
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise input_error(f"cannot write {path}: {error.strerror}") from None


def _mode(binary: bool) -> dict[str, str]:
    return {"mode": "wb"} if binary else {"mode": "w", "encoding": "utf-8", "newline": "\n"}


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
