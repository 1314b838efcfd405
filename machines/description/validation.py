"""From strict YAML to a typed pydantic model, with every finding at its location in the text.

    validate(Workload, read_yaml(text, file))  ->  Workload, or InputError with all findings

Values are checked strictly, as in JSON: "5" is no number and 5 is no text.
"""

from __future__ import annotations

import difflib
import json
import types
import typing
from collections.abc import Iterable
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from machines.description.strict_yaml import Node
from machines.diagnostics import Diagnostic, InputError, diagnostic, nearest

Model = TypeVar("Model", bound=BaseModel)

_KEY = "[key]"
"""What pydantic appends to the path of a key (and not its value) that is wrong."""


def validate(model: type[Model], node: Node) -> Model:
    """The model that `node` describes; raises InputError with all findings in source order."""
    instance, findings = check(model, node)
    if instance is None:
        raise InputError(findings)
    return instance


def check(model: type[Model], node: Node) -> tuple[Model | None, list[Diagnostic]]:
    """The model, or None and every finding; for callers that add findings of their own."""
    if not isinstance(node.value, dict):
        return None, [node.finding("expected a mapping ('key: value' lines)")]
    try:
        return model.model_validate_json(json.dumps(node.plain(), default=_named), strict=True), []
    except ValidationError as error:
        details = _of_alternatives(node, error.errors(include_url=False))
        misspelt = {name for detail in details if (name := _meant(model, detail))}
        found = [
            _finding(model, node, detail)
            for detail in details
            if not (detail["type"] == "missing" and detail["loc"] in misspelt)
        ]
        return None, list(dict.fromkeys(found))


def _named(value: object) -> str:
    """What no file holds, as an array of a Python caller: where it may stand, the node has it."""
    return f"a {type(value).__name__}"


def finding_at(
    root: Node, path: tuple[str | int, ...], message: str, hint: str | None = None
) -> Diagnostic:
    """A finding at the value that a path of keys leads to, or at the nearest one around it."""
    node, location = _descend(root, path)
    return diagnostic(message, location, source=node.text, hint=hint)


def fields_of(annotation: object, path: Iterable[str | int]) -> list[type[BaseModel]]:
    """The models found by following keys and indices down from a type."""
    candidates = _members(annotation)
    for part in path:
        # A part that leads nowhere is the tag pydantic adds for a member of a union.
        inner = [m for c in candidates for m in _step(c, part)]
        candidates = inner or [c for c in candidates if _has_tag(c, part)] or candidates
    return [c for c in candidates if _is_model(c)]


def _finding(model: type[BaseModel], root: Node, detail: dict[str, Any]) -> Diagnostic:
    detail = _of_the_tag(detail)
    path = detail["loc"]
    node, location = _descend(root, path)
    name = str(path[-1]) if path else ""
    kind, context = detail["type"], detail.get("ctx", {})
    hint = context.get("hint")
    if kind == "missing" and isinstance(path[-1], int):
        message = f"element {path[-1] + 1} is missing"
    elif kind == "missing":
        message = f"'{name}' is missing"
        hint = _sentence(model, path)
    elif kind == "extra_forbidden":
        message = f"unknown key '{name}'"
        hint = nearest(name, _keys(model, path[:-1]))
        parent = _descend(root, path[:-1])[0]
        return parent.finding(message, hint, key=name)
    elif kind == "literal_error":
        message = f"{_shown(detail['input'])} is not one of {context['expected']}"
        choices = context["expected"].replace(" or ", ", ").replace("'", "").split(", ")
        hint = nearest(detail["input"], choices) if isinstance(detail["input"], str) else None
    elif kind in ("value_error", "quantity") or hint:
        message = f"{_where(path)}{detail['msg'].removeprefix('Value error, ')}"
    else:
        rule = detail["msg"].replace("Input should", "should")
        message = f"{_where(path)}{rule}, not {_shown(detail['input'])}"
    return diagnostic(message, location, source=node.text, hint=hint)


def _of_alternatives(root: Node, details: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Findings with paths of what is written.

    Where several types may stand, pydantic has a finding for each, below a name that it gives the
    type.  Of those that the value is not, one finding says them all; none, if one of them fits but
    for what it holds.
    """
    found: list[dict[str, Any]] = []
    alternatives: dict[tuple, dict[str, Any]] = {}
    paths = [_written(root, detail["loc"]) for detail in details]
    for detail, path in zip(details, paths, strict=True):
        is_tag = detail["loc"][len(path) :] != () and detail["loc"][-1] not in (*path[-1:], _KEY)
        if not is_tag or not detail["type"].endswith("_type"):
            found.append(detail)
        elif path in alternatives:
            first = alternatives[path]
            first["msg"] += detail["msg"].replace("Input should be", " or")
        elif not any(len(other) > len(path) and other[: len(path)] == path for other in paths):
            alternatives[path] = {**detail, "loc": path}
            found.append(alternatives[path])
    return found


def _written(root: Node, path: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """A path without the names that pydantic gives to types."""
    node, parts = root, []
    for part in path:
        child = _child(node, part)
        if child is not None:
            node = child
            parts.append(part)
    return tuple(parts)


def _of_the_tag(detail: dict[str, Any]) -> dict[str, Any]:
    """What is wrong with the key that says which member of a union a mapping is, as a finding of
    that key."""
    context = detail.get("ctx", {})
    where = (*detail["loc"], context.get("discriminator", "").strip("'"))
    if detail["type"] == "union_tag_not_found":
        return {**detail, "type": "missing", "loc": where}
    if detail["type"] == "union_tag_invalid":
        expected = {"expected": context["expected_tags"]}
        return {"type": "literal_error", "loc": where, "input": context["tag"], "ctx": expected}
    return detail


def _keys(model: type[BaseModel], path: tuple[str | int, ...]) -> list[str]:
    """The keys that may stand where a path leads."""
    return [
        field.alias or name
        for found in fields_of(model, path)
        for name, field in found.model_fields.items()
    ]


def _meant(model: type[BaseModel], detail: dict[str, Any]) -> tuple[str | int, ...] | None:
    """The path of the key that an unknown one is a misspelling of, if any."""
    *parent, name = detail["loc"] or ("",)
    if detail["type"] != "extra_forbidden":
        return None
    close = difflib.get_close_matches(str(name), _keys(model, tuple(parent)), n=1)
    return (*parent, close[0]) if close else None


def _descend(root: Node, path: tuple[str | int, ...]) -> tuple[Node, Any]:
    """The node a path leads to, as far as it exists, and where to point."""
    node, location, key_location = root, root.location, root.location
    for part in path:
        if part == _KEY:
            return node, key_location
        child = _child(node, part)
        if child is None:
            continue
        is_scalar = not isinstance(child.value, dict | list)
        key_location = node.keys.get(str(part), child.location)
        node, location = child, child.location if is_scalar else key_location
    return node, location


def _child(node: Node, part: str | int) -> Node | None:
    if isinstance(node.value, dict):
        return node.value.get(str(part))
    if isinstance(node.value, list) and isinstance(part, int) and part < len(node.value):
        return node.value[part]
    return None


def _members(annotation: object) -> list[object]:
    """The alternatives of a union, with `Annotated` taken off."""
    origin = typing.get_origin(annotation)
    if origin is typing.Annotated:
        return _members(typing.get_args(annotation)[0])
    if origin in (typing.Union, types.UnionType):
        return [m for a in typing.get_args(annotation) for m in _members(a)]
    return [annotation]


def _step(annotation: object, part: str | int) -> list[object]:
    if _is_model(annotation):
        declared = annotation.model_fields.get(str(part))
        return _members(declared.annotation) if declared else []
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is dict:
        return _members(arguments[1])
    if origin in (list, tuple) and isinstance(part, int):
        inner = [a for a in arguments if a is not Ellipsis]
        return _members(inner[min(part, len(inner) - 1)])
    return []


def _has_tag(annotation: object, tag: str | int) -> bool:
    """Whether a member of a union is the one that a tag stands for."""
    declared = annotation.model_fields.values() if _is_model(annotation) else ()
    return any(
        typing.get_origin(d.annotation) is typing.Literal and tag in typing.get_args(d.annotation)
        for d in declared
    )


def _is_model(annotation: object) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def _sentence(model: type[BaseModel], path: tuple[str | int, ...]) -> str | None:
    for found in fields_of(model, path[:-1]):
        declared = found.model_fields.get(str(path[-1]))
        if declared and declared.description:
            return declared.description
    return None


def _where(path: tuple[str | int, ...]) -> str:
    if path and path[-1] == _KEY:
        return "key "
    return f"'{path[-1]}': " if path and isinstance(path[-1], str) else ""


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
