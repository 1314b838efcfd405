"""What is imported, or made, when it is first asked for: most commands never ask.

np = Later("numpy")                          # in place of `import numpy as np`
TYPES = LaterTable(lambda: {"f32": np.dtype("f4")})
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import cached_property
from typing import Any, Generic, TypeVar

K, V = TypeVar("K", bound=Hashable), TypeVar("V")


class Later:
    """A module by name: the first attribute that is read of it imports it."""

    def __init__(self, name: str):
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        value = getattr(importlib.import_module(self._name), attribute)
        setattr(self, attribute, value)  # the next time it is found without asking here
        return value


class LaterTable(Mapping[K, V], Generic[K, V]):
    """A table: the first look into it makes its rows."""

    def __init__(self, make: Callable[[], dict[K, V]]):
        self._make = make

    @cached_property
    def _rows(self) -> dict[K, V]:
        return self._make()

    def __getitem__(self, key: K) -> V:
        return self._rows[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)
