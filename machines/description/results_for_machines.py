"""Results kept that were made for a machine, which serve every machine that would give the same.

    program = cached_for(machine, "program", [source, passes], lambda asked: compile(asked))

Whoever makes something asks a machine for some of its figures (`machines.description.watched`).
Of another machine that gives the same answers it would be the same: a program that was compiled
for one size of the L3 cache serves all sizes, if the compiler did not ask how large it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from typing import TypeVar

from machines.cache.file_dependencies import recorded
from machines.cache.results import store_of_results
from machines.description.load import Machine
from machines.description.watched import Path, answers, watch

T = TypeVar("T")

MOST_LISTS = 16
"""Of paths asked, for one key: what is asked depends on what was answered before."""


def cached_for(
    machine: Machine,
    kind: str,
    key: object,
    make: Callable[[Machine], T],
    packages: Collection[str] | None = None,
) -> tuple[T, list[Path]]:
    """What `make(machine)` gives, made now or kept from before (see `machines.cache.results`), and
    what of the machine was asked for it."""
    store = store_of_results()
    name = store.name(key, packages) if store else ""
    (lists,) = (store and store.find(f"{kind}_asks", name)) or ([],)
    for paths in lists:
        found = store.find(kind, _name_for(machine, name, paths))
        if found:
            return found[0], paths
    watched, asked_of_it = watch(machine)
    with recorded() as asked_of_files:
        made = make(watched)
    paths = sorted(asked_of_it, key=repr)
    if store is not None:
        store.keep(kind, _name_for(machine, name, paths), made, asked_of_files)
    if store is not None and paths not in lists:
        store.keep(f"{kind}_asks", name, [paths, *lists][:MOST_LISTS], ())
    return made, paths


def _name_for(machine: Machine, name: str, paths: Sequence[Path]) -> str:
    """The name of what is made for machines that answer as this one does."""
    return json.dumps([name, paths, answers(machine, paths)])
