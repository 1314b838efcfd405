"""Machines that differ from another in some figures, as a file of their own would say it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from machines import load
from machines.load import Machine
from machines.schema import MachineKind
from machines.strict_yaml import Node


def variant(name: str, changes: Sequence[str]) -> Machine:
    """The machine with `changes`, written as for `--set`.  Raises InputError for what a file may
    not say either."""
    tree, kind = _read(name)
    own = replace(tree)
    for change in changes:
        load._apply_override(own, kind.model, change)
    return load._described(own, kind, load._find(name))


@cache
def _read(name: str) -> tuple[Node, MachineKind]:
    tree = load._read_with_bases(load._find(name), ())
    return tree, load._kind_of(tree)
