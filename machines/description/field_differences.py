"""Which fields of two machines differ.

Machines of one kind have fields of one meaning, which are compared by their paths.  Of machines of
two kinds only what all kinds declare is (`machines.description.schema.MachineDescription`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from machines.description.load import Machine
from machines.description.schema import MachineDescription
from machines.description.shown_fields import DESCRIPTIVE, ShownField


@dataclass(frozen=True)
class FieldDifference:
    """A field whose values differ; None is a machine that has no such field."""

    a: ShownField | None
    b: ShownField | None

    @property
    def one(self) -> ShownField:
        """The field, of a machine that has it."""
        return self.a or self.b

    @property
    def is_for_people(self) -> bool:
        """Whether nothing is computed from it."""
        return self.one.unread == DESCRIPTIVE

    @property
    def without_effect(self) -> bool:
        """Whether no machine that has it reads it."""
        return all(field.unread for field in (self.a, self.b) if field is not None)

    def to_dict(self) -> dict[str, Any]:
        """As plain data; who has no such field has no key."""
        sides = {"a": self.a, "b": self.b}
        values = {side: field.value for side, field in sides.items() if field is not None}
        return {"path": self.one.path, "unit": self.one.unit, **values}


@dataclass(frozen=True)
class MachineDifferences:
    """Two machines, and the fields that differ: those for people come last."""

    a: Machine
    b: Machine
    fields: list[FieldDifference]

    @property
    def same_kind(self) -> bool:
        return self.a.kind == self.b.kind

    @property
    def only_order(self) -> bool:
        """Whether they say the same, in another order."""
        equal = self.a.content_hash == self.b.content_hash
        return self.same_kind and not self.fields and not equal

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "a": _named(self.a),
            "b": _named(self.b),
            "same_kind": self.same_kind,
            "only_order": self.only_order,
            "fields": [field.to_dict() for field in self.fields],
        }


def machine_differences(a: Machine, b: Machine) -> MachineDifferences:
    """Compare two machines."""
    of_a, of_b = a.fields(), b.fields()
    if a.kind != b.kind:
        of_a, of_b = _of_all_kinds(of_a), _of_all_kinds(of_b)
    found = field_differences(of_a, of_b)
    return MachineDifferences(a, b, sorted(found, key=lambda field: field.is_for_people))


def field_differences(a: Sequence[ShownField], b: Sequence[ShownField]) -> list[FieldDifference]:
    """The fields that differ, in the order of `a`, then those that only `b` has."""
    of_a, of_b = ({field.path: field for field in fields} for fields in (a, b))
    pairs = [FieldDifference(of_a.get(path), of_b.get(path)) for path in {**of_a, **of_b}]
    return [pair for pair in pairs if _value(pair.a) != _value(pair.b)]


def _value(field: ShownField | None) -> tuple[type, object] | None:
    return None if field is None else (type(field.value), field.value)


def _of_all_kinds(fields: Sequence[ShownField]) -> list[ShownField]:
    return [field for field in fields if field.keys[0] in MachineDescription.model_fields]


def _named(machine: Machine) -> dict[str, Any]:
    return {"name": machine.name, "kind": machine.kind, "content": machine.content_hash}
