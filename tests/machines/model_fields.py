"""The fields that the models of machines declare, down to single values.

for leaf in leaves(Epic):   # ('memory', 'l1d', 'size'), ('latencies', '*', 'bypasses', '*'), …
"""

from __future__ import annotations

import types
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from annotated_types import Ge, Gt, Le
from pydantic.fields import FieldInfo

from machines.description.schema import Description, Quantity

ANY = "*"
"""Stands in a path for the keys of a mapping, or the elements of a list."""


@dataclass(frozen=True)
class Leaf:
    """A single value: where it stands, the type and the constraints on it, the field it is of."""

    path: tuple[str, ...]
    type: Any
    metadata: tuple[Any, ...]
    declared: FieldInfo

    @property
    def name(self) -> str:
        return ".".join(self.path)

    @property
    def is_number(self) -> bool:
        return self.type in (int, float)

    @property
    def quantity(self) -> Quantity | None:
        return next((m for m in self.metadata if isinstance(m, Quantity)), None)

    @property
    def most(self) -> int | None:
        """The largest value that the field takes; None if there is none."""
        bounds = [m.le for m in self.metadata if isinstance(m, Le)]
        bounds += [self.quantity.most] if self.quantity else []
        return min(bounds, default=None)

    @property
    def least(self) -> int | None:
        bounds = [m.ge for m in self.metadata if isinstance(m, Ge)]
        bounds += [m.gt + 1 for m in self.metadata if isinstance(m, Gt)]
        bounds += [self.quantity.least] if self.quantity else []
        return max(bounds, default=None)


def leaves(model: type[Description], path: tuple[str, ...] = ()) -> Iterator[Leaf]:
    """Every leaf of a model, in declared order."""
    for name, declared in model.model_fields.items():
        yield from _leaves(declared.annotation, tuple(declared.metadata), (*path, name), declared)


def _leaves(
    annotation: Any, metadata: tuple[Any, ...], path: tuple[str, ...], declared: FieldInfo
) -> Iterator[Leaf]:
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        inner = [c for m in arguments[1:] for c in (m.metadata if _is_field(m) else [m])]
        yield from _leaves(arguments[0], (*inner, *metadata), path, declared)
    elif origin in (typing.Union, types.UnionType):
        for member in arguments:
            if member is not types.NoneType:
                yield from _leaves(member, metadata, path, declared)
    elif origin is dict:
        yield from _leaves(arguments[1], (), (*path, ANY), declared)
    elif origin is tuple:
        for member in dict.fromkeys(a for a in arguments if a is not Ellipsis):
            yield from _leaves(member, (), (*path, ANY), declared)
    elif isinstance(annotation, type) and issubclass(annotation, Description):
        yield from leaves(annotation, path)
    else:
        yield Leaf(path, annotation, metadata, declared)


def _is_field(metadata: Any) -> bool:
    return isinstance(metadata, FieldInfo)
