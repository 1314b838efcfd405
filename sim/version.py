"""Which simrun this is."""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, version


@cache  # to find it in the package's files would take a seventh of a small run
def release() -> str:
    """The installed release, or 'source' when it runs from a source folder."""
    try:
        return version("simrun")
    except PackageNotFoundError:
        return "source"
