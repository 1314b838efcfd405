"""The JSON Schema of a kind of machine, for editors that check and complete YAML."""

from __future__ import annotations

from typing import Any

from machines.description.evidence import WAYS
from machines.description.load import model_of
from machines.kinds import kind_named

Schema = dict[str, Any]

_SOURCE: Schema = {
    "type": "string",
    "pattern": f"^({'|'.join(WAYS)}): .",
    "description": "How the figures in and below this mapping are known, and by which source.",
}


def json_schema(kind: str) -> Schema:
    """The schema of a machine file: what the kind's model says, plus what every file may write
    (`source`, `{value:, source:}`, `extends`, `null` to remove an inherited key).

    Raises InputError if there is no such kind.
    """
    root = model_of(kind_named(kind)).model_json_schema()
    required = root.pop("required", [])
    for definition in (root, *root.get("$defs", {}).values()):
        _loosen(definition)
    name = {"type": "string", "description": "A machine or a file beside this one to begin from."}
    root["properties"]["extends"] = {"anyOf": [name, _wrapped(name)]}
    # A variant need not repeat what it inherits.
    root["anyOf"] = [{"required": ["extends"]}, {"required": required}]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **root}


def _loosen(definition: Schema) -> None:
    """Allow sources in a mapping and below it; nothing of it is required of a variant."""
    definition.pop("required", None)
    properties = definition.get("properties", {})
    for name, schema in properties.items():
        properties[name] = _field(schema)
    properties["source"] = _SOURCE


def _field(schema: Schema) -> Schema:
    is_figure = schema.pop("figure", False)
    _loosen_mapping(schema, is_figure)
    if schema.pop("discriminator", None):
        # What a variant says of a member of a union may be true of another one, too.
        schema["anyOf"] = schema.pop("oneOf")
    if not is_figure:
        return {"anyOf": [schema, {"type": "null"}]}
    return {"anyOf": [schema, _wrapped(schema), {"type": "null"}]}


def _loosen_mapping(schema: Schema, is_figure: bool) -> None:
    """Allow sources in a mapping with free names, in those inside it, and of each value."""
    inner = schema.get("additionalProperties")
    if not isinstance(inner, dict):
        return
    _loosen_mapping(inner, is_figure)
    entry = {"anyOf": [inner, *([_wrapped(inner)] if is_figure else []), {"type": "null"}]}
    schema["additionalProperties"] = entry
    schema["properties"] = {"source": _SOURCE}
    if "enum" in schema.get("propertyNames", {}):
        schema["propertyNames"]["enum"] = [*schema["propertyNames"]["enum"], "source"]


def _wrapped(schema: Schema) -> Schema:
    return {
        "type": "object",
        "properties": {"value": schema, "source": _SOURCE},
        "required": ["value", "source"],
        "additionalProperties": False,
    }
