"""Views of `simrun explain`: a file each, which says what a view needs, and makes it.

Every file has VIEWS, a tuple of `View`s; so has what a kind of machine names as its views
(`machines.kinds.Kind.views`) or a level of code (`machines.levels.Level.views`), and what an entry
point of group `simrun.views` loads.  Several views may share a name where they need something else
or are for other kinds of machine.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

from machines.description.load import Machine
from machines.diagnostics import input_error, nearest
from machines.kinds import parts
from machines.levels import parts as parts_of_levels
from machines.plugins import not_a, with_owners

TEXT, JSON, DOT = "text", "json", "dot"
RESERVED = ("machine", "set", "entry", "passes", "dimension", "show", "format", "help")
"""Options of every view."""
KEYWORDS = ("path", "overrides", "dimensions", "form")
"""What the command calls some of them, and the file."""
_OPTION = re.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*")
"""An option's name, of which no other can be the same keyword."""

SOURCE = "source"
"""Needs a function's IR, as it is written or after neutral passes: a
`compiler.ir.module.Function`.  Of several that a program has it is made of each."""
COMPILED = "compiled"
"""Needs a program compiled for a machine: a `compiler.Compilation`, whose report has the code after
every pass."""

RUNNABLE = "runnable"
"""Needs a workload whose program is compiled for a machine: a `sim.runner.Compiled`.  The view runs
a case of it."""

BODY = "body"
"""Needs a function of the view's level that is not lowered: a `compiler.ir.module.Function` with
its body.  It is for no machine and takes no passes."""


@dataclass(frozen=True)
class Document:
    """Needs a YAML file that is no workload, as one of its keys tells: a `Described`.

    key      that such a file has
    what     it is, as messages say it: 'a scheduling problem'
    machine  for which it is, if none is named
    """

    key: str
    what: str
    machine: str


@dataclass(frozen=True)
class Described:
    """A document and the machine for which it is."""

    path: Path
    machine: Machine


@dataclass(frozen=True)
class Shown:
    """What `--format text`, `json` and `dot` print; not every view has a graph."""

    text: str
    content: dict[str, Any] | list[Any]
    dot: str = ""


def several(shown: Mapping[str, Shown]) -> Shown:
    """What a view shows of several functions, by their names: one behind the other; as JSON by
    name under 'functions'.  Of one it is just that."""
    if len(shown) == 1:
        [only] = shown.values()
        return only
    return Shown(
        "\n".join(f"@{name}\n{one.text}" for name, one in shown.items()),
        {"functions": {name: one.content for name, one in shown.items()}},
        "\n".join(one.dot for one in shown.values() if one.dot),
    )


@dataclass(frozen=True)
class Option:
    """An option of a view.

    name      '--name' on the command line; views that share it all take a value, or none does
    sentence  what it does
    metavar   what stands in the help for its value; '' for one that is there or not
    choices   what it may be, asked for when it is needed; nothing: any text
    formats   in which it changes something; nothing: all
    """

    name: str
    sentence: str
    metavar: str = ""
    choices: Callable[[], Collection[str]] = tuple
    formats: tuple[str, ...] = ()

    @property
    def keyword(self) -> str:
        """Its name where Python wants one."""
        return self.name.replace("-", "_")


@dataclass(frozen=True)
class View:
    """One way to look at a program.

    name      what `--show` calls it
    sentence  what it shows
    needs     SOURCE, COMPILED, RUNNABLE, BODY or a Document
    make      make(what it needs, **options) -> Shown; an option that is not given is left out.  It
              raises InputError for what has no such view, and for values that cannot be
    formats   that it has
    options   that it takes
    kinds     of machine for which it is, none: all; those of the views that a kind names are it
    level     whose functions it shows, if it needs a BODY; the views that a level names are of it
    """

    name: str
    sentence: str
    needs: str | Document
    make: Callable[..., Shown]
    formats: tuple[str, ...] = (TEXT, JSON)
    options: tuple[Option, ...] = ()
    kinds: tuple[str, ...] = ()
    level: str = ""

    def check(self, form: str, given: dict[str, Any]) -> None:
        """Raises InputError if it has no such format, or does not take one of these options."""
        if form not in self.formats:
            hint = f"it has {', '.join(self.formats)}"
            raise input_error(f"the view '{self.name}' has no {form}", hint=hint)
        taken = {o.keyword: o for o in self.options if not o.formats or form in o.formats}
        for keyword, value in given.items():
            if keyword not in taken:
                known = ", ".join(f"--{option.name}" for option in taken.values())
                raise input_error(
                    f"--show {self.name} --format {form} takes no --{keyword.replace('_', '-')}",
                    hint=f"it takes {known}" if known else "leave it out",
                )
            choices = taken[keyword].choices()
            if choices and value not in choices:
                message = f"--{taken[keyword].name} cannot be '{value}'"
                raise input_error(message, hint=nearest(value, choices))

    def clashes(self, other: View) -> bool:
        """Whether nobody could say which of the two is meant."""
        for_one_kind = not self.kinds or not other.kinds or set(self.kinds) & set(other.kinds)
        return (self.name, self.needs) == (other.name, other.needs) and bool(for_one_kind)


@cache
def views() -> tuple[View, ...]:
    """All views: those that are for every kind of machine, those of kinds and levels, those of
    packages.

    Raises InputError if nobody could say which of two is meant.
    """
    every: list[tuple[View, str]] = []
    for _, some, owner in with_owners("views", sys.modules[__name__], not_views, "VIEWS"):
        every += [(view, owner) for view in some]
    for kind, own in parts("views", not_views).items():
        every += [(replace(view, kinds=(kind,)), f"machine kind '{kind}'") for view in own]
    for level, own in parts_of_levels("views", not_views).items():
        every += [(replace(view, level=level), f"level '{level}'") for view in own]
    for (view, owner), (other, its_owner) in combinations(every, 2):
        if view.clashes(other):
            message = f"view '{view.name}' is provided by both {owner} and {its_owner}"
            raise input_error(message, hint="uninstall or rename one of them")
    return tuple(sorted((view for view, _ in every), key=lambda view: view.name))


def not_views(found: object) -> str | None:
    """What is wrong with what should be views."""
    if not isinstance(found, tuple | list) or not all(isinstance(one, View) for one in found):
        return f"it is of type {type(found).__name__}, not a tuple of views"
    return next((problem for view in found if (problem := _not_a_view(view))), None)


def _not_a_view(view: View) -> str | None:
    if problem := not_a(View)(view):
        return problem
    needs = (SOURCE, COMPILED, RUNNABLE, BODY)
    if view.needs not in needs and not isinstance(view.needs, Document):
        known = "SOURCE, COMPILED, RUNNABLE, BODY or a Document"
        return f"the view '{view.name}' needs {view.needs!r}, not {known}"
    for name in (option.name for option in view.options):
        if name in RESERVED:
            return f"every view has an option --{name} already"
        if name in KEYWORDS or not _OPTION.fullmatch(name):
            return f"no option of a view can be called '{name}'"
    return None
