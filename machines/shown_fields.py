"""A description as a flat list of fields, each with its sentence, source and place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic.fields import FieldInfo

from machines.diagnostics import Diagnostic, Location
from machines.schema import Description, Quantity
from machines.strict_yaml import Node
from machines.validation import fields_of


@dataclass(frozen=True)
class ShownField:
    """One field of a machine.

    path      keys joined with dots, as `--set` takes them
    value     in base units
    unit      base unit, or None
    sentence  what the field means
    evidence  how the figure is known; None for a name or a default
    location  where the value was written; None for a default
    """

    path: str
    value: object
    unit: str | None
    sentence: str
    evidence: str | None
    location: Location | None


def shown_fields(description: Description, tree: Node, path: str = "") -> Iterator[ShownField]:
    """Every leaf field below a description, in declared order."""
    for name, declared in type(description).model_fields.items():
        node = tree.value.get(name) if tree is not None else None
        yield from _shown(getattr(description, name), node, f"{path}{name}", declared)


def _shown(
    value: object, node: Node | None, path: str, declared: FieldInfo
) -> Iterator[ShownField]:
    if isinstance(value, Description):
        yield from shown_fields(value, node, f"{path}.")
        return
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            child = node.value.get(str(key)) if node is not None else None
            yield from _shown(inner, child, f"{path}.{key}", declared)
        return
    place, evidence = (node.location, node.evidence) if node is not None else (None, None)
    is_figure = is_figure_field(declared)
    yield ShownField(
        path, value, unit_of(declared), declared.description or "",
        evidence if is_figure else None, place,
    )  # fmt: skip


def without_source(model: type[Description], node: Node) -> Iterator[Diagnostic]:
    """Findings for figures that say not where they come from."""
    if not isinstance(node.value, dict):
        return
    for name, declared in model.model_fields.items():
        child = node.value.get(name)
        if child is None:
            continue
        if is_figure_field(declared):
            if any(leaf.evidence is None for leaf in _leaves(child)):
                hint = "add a key 'source: \"manual: …\"' to a mapping around it"
                yield child.finding(f"'{name}' says not where the figure comes from", hint)
            continue
        inner = fields_of(model, (name,))
        if inner:
            yield from without_source(inner[0], child)
        elif isinstance(child.value, dict):
            for key, part in child.value.items():
                for found in fields_of(model, (name, key)):
                    yield from without_source(found, part)


def is_figure_field(declared: FieldInfo) -> bool:
    """True if the value is a fact about hardware."""
    extra = declared.json_schema_extra
    return isinstance(extra, dict) and bool(extra.get("figure"))


def unit_of(declared: FieldInfo) -> str | None:
    """Base unit of a field that holds a quantity, also inside a mapping."""
    found = [m for m in declared.metadata if isinstance(m, Quantity)]
    arguments = getattr(declared.annotation, "__args__", ())
    found += [
        m for a in arguments for m in getattr(a, "__metadata__", ()) if isinstance(m, Quantity)
    ]
    return found[0].base if found else None


def _leaves(node: Node) -> Iterator[Node]:
    if isinstance(node.value, dict) and node.value:
        for child in node.value.values():
            yield from _leaves(child)
    else:
        yield node
