"""A description as a flat list of fields, each with its sentence, source and location."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pydantic.fields import FieldInfo

from machines.description.schema import About, Description, FieldContext, Quantity, about
from machines.description.strict_yaml import Node
from machines.description.validation import fields_of
from machines.diagnostics import Diagnostic, Location


@dataclass(frozen=True)
class ShownField:
    """One field of a machine.

    keys      that lead to it, from the top
    value     in base units
    unit      base unit, or None
    sentence  what the field means
    evidence  how the figure is known; None for a name or a default
    location  where the value was written; None for a default
    unread    why nothing that this machine does depends on it; None if something does
    """

    keys: tuple[str, ...]
    value: object
    unit: str | None
    sentence: str
    evidence: str | None
    location: Location | None
    unread: str | None

    @property
    def path(self) -> str:
        """The keys joined with dots, as `--set` takes them."""
        return ".".join(self.keys)


DESCRIPTIVE = "it describes only"
ESTIMATE = "estimates of energy and area are made of it"


def shown_fields(description: Description, tree: Node) -> Iterator[ShownField]:
    """Every leaf field of a machine, in declared order."""
    yield from _fields_below(description, tree, FieldContext(description, description, ()))


def _fields_below(
    owner: Description, tree: Node | None, context: FieldContext
) -> Iterator[ShownField]:
    for name, declared in type(owner).model_fields.items():
        node = tree.value.get(name) if tree is not None else None
        inner = FieldContext(context.machine, owner, (*context.path, name))
        yield from _shown(getattr(owner, name), node, inner, declared)


def _shown(
    value: object, node: Node | None, context: FieldContext, declared: FieldInfo
) -> Iterator[ShownField]:
    if isinstance(value, Description):
        yield from _fields_below(value, node, context)
        return
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            child = node.value.get(str(key)) if node is not None else None
            below = replace(context, path=(*context.path, str(key)))
            yield from _shown(inner, child, below, declared)
        return
    location, evidence = (node.location, node.evidence) if node is not None else (None, None)
    is_figure = about(declared).figure
    yield ShownField(
        context.path, value, unit_of(declared), declared.description or "",
        evidence if is_figure else None, location, _unread(about(declared), context),
    )  # fmt: skip


def _unread(declared: About, context: FieldContext) -> str | None:
    if declared.descriptive:
        return DESCRIPTIVE
    if declared.estimate:
        return ESTIMATE
    wanted = declared.read_when
    return None if wanted is None or wanted.holds(context) else f"it is read when {wanted.words}"


def without_source(models: Sequence[type[Description]], node: Node) -> Iterator[Diagnostic]:
    """Findings for figures that say not where they come from; `models` are what the node may be
    of: one, or the members of a union."""
    if not isinstance(node.value, dict):
        return
    known = {name: field for model in models for name, field in model.model_fields.items()}
    for name, declared in known.items():
        child = node.value.get(name)
        if child is None:
            continue
        if about(declared).figure:
            if any(leaf.evidence is None for leaf in _leaves(child)):
                hint = "add a key 'source: \"manual: …\"' to a mapping around it"
                yield child.finding(f"'{name}' says not where the figure comes from", hint)
            continue
        inner = fields_of(declared.annotation, ())
        if inner:
            yield from without_source(inner, child)
        elif isinstance(child.value, dict):
            for key, part in child.value.items():
                yield from without_source(fields_of(declared.annotation, (key,)), part)


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
