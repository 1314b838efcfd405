"""What a pass is: a named transformation of one function, with typed options.

A function goes through forms on its way to a machine; the target says which is the last.  A pass
says which form it takes and which it leaves, so that a pass list that cannot work is refused before
anything runs.  The first two are everybody's; the others are what the built-in targets have, the
last two as EPIC machines mean them (for SIMT ones, `scheduled` code has its control bits):

    ir         IR operations over variables (or in SSA form, as the source may be)
    ssa        IR operations in SSA form
    virtual    machine operations over virtual registers ('%x')
    allocated  machine operations over the machine's registers ('r14')
    scheduled  allocated, and every instruction knows its issue row (attribute 'cycle')
    bundled    whole bundles with nops; the first instruction of each knows its template
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, get_type_hints

from compiler.ir.module import Function, Instruction
from machines.description.load import Machine
from machines.diagnostics import Location, input_error, nearest


@dataclass(frozen=True, slots=True)
class NoOptions:
    """Of a pass that has nothing to choose."""


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing a pass did, or did not do, and why; `operation` is what it was done to.

    >>> str(Remark("load.f64", "moved out of the loop", None, "it runs each time"))
    'load.f64: moved out of the loop, it runs each time'
    """

    operation: str
    what: str
    location: Location | None
    why: str = ""

    def __str__(self) -> str:
        prefix = f"{self.location}: " if self.location else ""
        return f"{prefix}{self.operation}: {self.what}{', ' if self.why else ''}{self.why}"


@dataclass
class Changes:
    """What a pass did: a count for each thing it did or gave up on, by name, and remarks.

    `counts` and `remarks` go together: `note` adds to both, `count` where no line is meant.
    `shown` is what a view shows of the pass, if there is a view that knows it.
    """

    counts: dict[str, int] = field(default_factory=dict)
    remarks: list[Remark] = field(default_factory=list)
    shown: Any = None

    def note(self, what: str, about: Instruction, why: str = "") -> None:
        """One more of `what`, with a remark at the instruction's line."""
        self.count(what)
        self.remarks.append(Remark(str(about.operation), what, about.location, why))

    def count(self, what: str, times: int = 1) -> None:
        self.counts[what] = self.counts.get(what, 0) + times

    def __bool__(self) -> bool:
        return any(self.counts.values())

    def __str__(self) -> str:
        return ", ".join(f"{what}: {n}" for what, n in self.counts.items() if n) or "nothing"


@dataclass(frozen=True)
class Pass:
    """One pass.

    run       run(function, machine, options) -> Changes; changes the function in place through
              the builder, which bumps its `version`: analyses are functions of a `Function` whose
              results are kept until then, so that a pass just calls them
    forms     each form it accepts -> the form it leaves
    options   a frozen dataclass; a field's metadata holds its 'sentence'
    kinds     of the machines that it is for; none: any.  Passes for different kinds may have one
              name
    """

    name: str
    sentence: str
    run: Callable[[Function, Machine, Any], Changes]
    forms: Mapping[str, str] = field(default_factory=lambda: {"ir": "ir"})
    options: type = NoOptions
    kinds: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Name and kinds: no two passes have one key."""
        return f"{self.name} ({', '.join(self.kinds)})" if self.kinds else self.name


def option(default: Any, sentence: str) -> Any:
    """A field of an options class."""
    return field(default=default, metadata={"sentence": sentence})


def make_options(plugin: Pass, given: Mapping[str, Any], location: Location | None = None) -> Any:
    """The options of a pass from what the user wrote.

    Raises InputError for an unknown name, a value of another type and a negative number: all
    numbers are counts.
    """
    types = get_type_hints(plugin.options)
    names = [f.name for f in fields(plugin.options)]
    for name, value in given.items():
        if name not in names:
            hint = nearest(name, names) if names else f"'{plugin.name}' has no options"
            raise input_error(f"pass '{plugin.name}' has no option '{name}'", location, hint=hint)
        if type(value) is not types[name]:
            words = ",".join(map(str, value if isinstance(value, list) else [value]))
            example = f'"{words}"' if types[name] is str else _example(plugin.options, name)
            raise input_error(
                f"option '{name}' of pass '{plugin.name}' is {types[name].__name__}, not {value!r}",
                location,
                hint=f"write for example {name}: {example}",
            )
        if type(value) is int and value < 0:
            raise input_error(
                f"option '{name}' of pass '{plugin.name}' is a count, not {value}",
                location,
                hint=f"write for example {name}: {_example(plugin.options, name)}",
            )
    return plugin.options(**given)


def _example(options: type, name: str) -> str:
    default = next(f.default for f in fields(options) if f.name == name)
    shown = "" if default is MISSING else default
    return str(shown).lower() if isinstance(shown, bool) else str(shown)
