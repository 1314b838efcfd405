"""CITATION.cff and CHANGELOG.md say which versions there are."""

from __future__ import annotations

import re
import tomllib
from datetime import date
from pathlib import Path

import jsonschema
import pytest
import yaml

from sim.cores import cores

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (\w+) \| (\d+) \| (\d{4}-\d\d-\d\d) \| (.+) \|$", re.MULTILINE)
CITATION = {
    "type": "object",
    "required": ["cff-version", "message", "title", "authors"],
    "additionalProperties": False,
    "properties": {
        "cff-version": {"const": "1.2.0"},
        "type": {"enum": ["software", "dataset"]},
        "authors": {
            "type": "array",
            "minItems": 1,
            "items": {"type": "object", "required": ["name"], "properties": {"name": {}}},
        },
        "keywords": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
        **{
            name: {"type": "string", "minLength": 1}
            for name in ("message", "title", "abstract", "version", "license")
        },
    },
}
"""What version 1.2.0 of the format says of the keys that we have."""


def test_how_to_cite_it():
    told = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    jsonschema.validate(told, CITATION)
    assert (told["title"], told["version"], told["license"]) == (
        PROJECT["name"], PROJECT["version"], PROJECT["license"],
    )  # fmt: skip


@pytest.mark.parametrize("kind", sorted(cores()))
def test_every_version_of_a_model_has_its_row(kind: str):
    """A change that raises `model` says in CHANGELOG.md what moved the cycles."""
    rows = [row for row in ROW.findall(CHANGELOG) if row[0] == kind]
    assert [int(model) for _, model, _, _ in rows] == [*range(1, cores()[kind].model + 1)]
    days = [date.fromisoformat(day) for _, _, day, _ in rows]
    assert days == sorted(days)


def test_the_version_of_the_package_has_its_part():
    assert re.search(rf"^## {re.escape(PROJECT['version'])}\b", CHANGELOG, re.MULTILINE)
