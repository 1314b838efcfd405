"""Bundlers: ways to pack a row of operations into bundles.

A bundler is a plugin: a `BUNDLER` in a module of this folder, or what an entry point of group
`simrun.bundlers` loads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import compiler.targets.epic.passes as _folder
from compiler.analyses.dependence_graph import Arc
from compiler.targets.epic.bundling.automaton import Automaton
from compiler.targets.epic.bundling.bundles import PackedBundle, Syllable
from machines.diagnostics import input_error, nearest
from machines.plugins import discover


class DoesNotFit(Exception):
    """No bundle takes an operation, whose number in its row is `node`."""

    def __init__(self, node: int):
        super().__init__(f"operation {node} fits no bundle")
        self.node = node


@dataclass(frozen=True)
class Bundler:
    """A way to pack rows: pack(syllables, arcs, stages, automaton) -> bundles.

    `arcs` are those of the dependence graph between operations of the row, by their numbers in it;
    `stages` is 0 for all in straight code.  An empty row gives one bundle of nops.  A stop ends the
    last bundle.  Raises DoesNotFit.  `shares`: rows may share bundles afterwards.
    """

    name: str
    sentence: str
    pack: Callable[
        [Sequence[Syllable], Iterable[Arc], Sequence[int], Automaton], list[PackedBundle]
    ]
    shares: bool = False


def bundlers() -> dict[str, Bundler]:
    """All bundlers by name, built in and from plugins."""
    return discover("bundlers", _folder, Bundler, attribute="BUNDLER")


def find_bundler(name: str) -> Bundler:
    """A bundler by name; raises InputError if there is none."""
    known = bundlers()
    if name not in known:
        raise input_error(f"there is no bundler '{name}'", hint=nearest(name, known))
    return known[name]
