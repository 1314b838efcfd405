"""Front ends: what reads sources."""

from __future__ import annotations

from typing import Any, Protocol


class Frontend(Protocol):
    """A front end plugin (entry-point group `simrun.frontends`).

    suffixes  of the files that it reads; `binary_suffixes`, if it has them, are read as bytes
    takes_entries  if it has this and it is true, `read` is also given `entries`, names of
              functions: what they do not reach may be left out
    """

    name: str
    suffixes: tuple[str, ...]

    def read(self, source: Any, file: str, machine: Any) -> Any:
        """The Module of a text (or bytes), or a Program; raises InputError with every finding."""
