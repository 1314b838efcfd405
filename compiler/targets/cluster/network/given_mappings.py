"""Mappings of layers as a file gives them, instead of those that the model would choose.

    conv1:                                   # the name of a layer that multiplies
      tile: {rows: [8, 56], columns: 64}     # parts: 1, problems: 1, packed: false
      stays: weights                         # inputs, nothing
      served: inputs                         # weights; null: each core loads its own
      split: {rows: 4}                       # problems: 1, rows: 1, columns: 1

Sizes of tiles are those that the model looks at, too.  Layers that are not named are as ever.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from compiler.targets.cluster.network.layer import Layer
from machines.description.strict_yaml import Node, read_yaml_file
from machines.description.validation import check
from machines.diagnostics import Diagnostic, InputError, nearest

Stays = Literal["weights", "inputs", "nothing"]


class _Given(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class GivenTile(_Given):
    rows: tuple[int, ...]
    columns: int
    parts: int = 1
    problems: int = 1
    packed: bool = False

    def __str__(self) -> str:
        parts = f" in {self.parts} parts" if self.parts > 1 else ""
        more = f" of {self.problems} problems" if self.problems > 1 else ""
        packed = ", packed" if self.packed else ""
        return (
            f"{' × '.join(map(str, self.rows))} rows{packed}, {self.columns} columns{parts}{more}"
        )


class GivenSplit(_Given):
    problems: int = Field(1, ge=1)
    rows: int = Field(1, ge=1)
    columns: int = Field(1, ge=1)

    @property
    def qtg(self) -> tuple[int, int, int]:
        return self.problems, self.rows, self.columns


class GivenMapping(_Given):
    """Of one layer."""

    tile: GivenTile
    stays: Stays
    served: Literal["weights", "inputs"] | None = None
    split: GivenSplit = GivenSplit()


@dataclass(frozen=True)
class GivenMappings:
    """By the names of layers; `node`: where they stand."""

    of_layers: Mapping[str, GivenMapping]
    node: Node

    def check(self, layers: Iterable[str]) -> None:
        """Raises InputError for names that no layer of these has that multiplies."""
        known = [*layers]
        found = [
            self.node.finding(f"no layer '{name}' multiplies", nearest(name, known), key=name)
            for name in self.of_layers
            if name not in known
        ]
        if found:
            raise InputError(found)

    def refusal(self, layer: Layer, message: str, hint: str) -> InputError:
        """Of the mapping of a layer that cannot be."""
        return InputError([self.node.finding(f"{layer.title}: {message}", hint, key=layer.name)])


def read_mappings(path: str) -> GivenMappings:
    """What a file gives; raises InputError with all findings."""
    node = read_yaml_file(path)
    if not isinstance(node.value, dict):
        raise InputError([node.finding("expected a mapping ('layer: …')")])
    found: dict[str, GivenMapping] = {}
    findings: list[Diagnostic] = []
    for name, own in node.value.items():
        given, wrong = check(GivenMapping, own)
        findings += wrong
        if given is not None:
            found[name] = given
    if findings:
        raise InputError(findings)
    return GivenMappings(found, node)
