"""Machines that differ from another in some figures, as a file of their own would say it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from machines.description import load
from machines.description.load import Machine
from machines.description.strict_yaml import Node
from machines.description.validation import check
from machines.diagnostics import InputError
from machines.kinds import Kind


def variant(name: str, changes: Sequence[str]) -> Machine:
    """The machine with `changes`, written as for `--set`.  Raises InputError for what a file may
    not say either."""
    return load._described(_changed(name, changes), _read(name)[1], load._find(name))


def is_well_typed(name: str, changes: Sequence[str]) -> bool:
    """Whether each value alone is one that its field takes, whatever the rules across them say."""
    try:
        return check(load.model_of(_read(name)[1]), _changed(name, changes))[0] is not None
    except InputError:
        return False


def _changed(name: str, changes: Sequence[str]) -> Node:
    tree, kind = _read(name)
    own = replace(tree)
    for change in changes:
        load._apply_override(own, load.model_of(kind), change)
    return own


@cache
def _read(name: str) -> tuple[Node, Kind]:
    tree = load._read_with_bases(load._find(name), ())
    return tree, load._kind_of(tree)
