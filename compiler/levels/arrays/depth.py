"""Definitions far behind each other, or deep in calls: what goes through them recurses."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from machines.diagnostics import Location, input_error

_DEPTH = 100_000
"""Python calls that nested definitions may take; definitions stand thousands behind each other."""


@contextmanager
def deep(location: Location | None, what: str) -> Iterator[None]:
    """Definitions may be nested deeply inside; raises InputError if they are so too deeply.

    what  happens to them: "lowered"
    """
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _DEPTH))
    try:
        yield
    except RecursionError:
        message = f"its definitions are nested too deeply to be {what}"
        raise input_error(message, location, hint="make several functions of it") from None
    finally:
        sys.setrecursionlimit(before)
