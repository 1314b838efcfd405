"""The kinds of machine: what differs between them comes in by one door, a package a kind.

A kind is a `Kind`, the attribute PLUGIN of a folder here or what an entry point of group
`simrun.kinds` loads.  It names its parts and imports none: a part is loaded when somebody asks for
it, so that who reads a machine loads no compiler, and who compiles for it no simulator.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

from machines.diagnostics import input_error, nearest
from machines.plugins import Wrong, discover, load_part, usable_parts


@dataclass(frozen=True)
class Kind:
    """A kind of machine; every part is where it is: 'module:attribute'.

    fields      the model of its description: a class under
                `machines.description.schema.Description`
    rules       rules across fields: a tuple of functions of the description that yield
                `machines.description.schema.Problem`s
    target      how code becomes its programs: a `compiler.targets.Target`
    core        how they run: a `sim.cores.Core`
    binding     how a workload becomes a request to the core: a `sim.kinds.Binding`
    vocabulary  what its results say: a `sim.results.vocabulary.Vocabulary`
    code        the memories of its own that buffers may stand in, and what is noted of functions
                and blocks: a `machines.code_facts.CodeFacts`
    views       views of `simrun explain` for this kind alone: a tuple of `sim.views.View`s
    state_views what a session shows of it: a tuple of `sim.state_views.StateView`s
    page        what pages show of its runs beside what all show: a tuple of
                `sim.pages.gathered.KindPart`s
    snippets    how it runs a few instructions without a workload: a `sim.snippets.Snippets`
    """

    name: str
    fields: str
    rules: str
    target: str
    core: str
    binding: str
    vocabulary: str
    code: str = ""
    views: str = ""
    state_views: str = ""
    page: str = ""
    snippets: str = ""

    def part(self, name: str, wanted: type | Wrong) -> Any:
        """A part; `wanted` is the class that it is to be an object of, or says what is wrong.

        Raises InputError that names the part if it cannot be loaded, or is something else.
        """
        return load_part(f"machine kind '{self.name}'", name, getattr(self, name), wanted)


def kinds() -> dict[str, Kind]:
    """All kinds by name (entry-point group `simrun.kinds`)."""
    return discover("kinds", sys.modules[__name__], Kind)


def kind_named(name: str) -> Kind:
    """One kind; raises InputError if there is none of that name."""
    known = kinds()
    if name not in known:
        raise input_error(f"there is no machine kind '{name}'", hint=nearest(name, known))
    return known[name]


def parts(name: str, wanted: type | Wrong) -> dict[str, Any]:
    """A part of every kind that has one, by its name (see `machines.plugins.usable_parts`)."""
    return usable_parts(kinds().values(), name, wanted)
