"""Which simrun this is."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def release() -> str:
    """The installed release, or 'source' when it runs from a source folder."""
    try:
        return version("simrun")
    except PackageNotFoundError:
        return "source"
