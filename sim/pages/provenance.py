"""What a result is a result of: versions, hashes, the command."""

from __future__ import annotations

import json
from typing import Any

from sim.pages.content import Cell, Data, Part, Table, pointer


def provenance(data: Data) -> Part:
    """Of a run."""
    said = data.at("/result/provenance")
    rows = [
        [
            name,
            Cell(_text(said[name]), data.base + pointer("result", "provenance", name), code=True),
        ]
        for name in said
        if name != "described"
    ]
    if command := data.content.get("command"):
        rows.insert(0, ["command", Cell(command, data.base + "/command", code=True)])
    outputs = data.at("/result/outputs")
    rows += [
        [f"output {name}", Cell(f"{one['dtype']}{one['shape']} sha256 {one['sha256']}", code=True)]
        for name, one in outputs.items()
    ]
    sentence = "Of the same inputs and versions every run gives the same result, byte for byte."
    table = Table("what the result depends on", ["", "value"], rows)
    return Part("provenance", "Provenance", sentence, [table])


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
