"""A file that is larger than what is read, and takes no place on the disk."""

from __future__ import annotations

from pathlib import Path

BYTES = 3 << 30


def sparse_file(path: Path) -> Path:
    """A file of 3 GiB of zeros."""
    with path.open("wb") as file:
        file.truncate(BYTES)
    return path
