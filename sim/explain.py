"""Views of a program, for `simrun explain`.

A view of a compiled program is a function of a compilation and a machine that gives the text for
people and the same facts as plain data.  Views of a function's IR, which need no machine, have
modules of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

from machines.description.load import Machine
from machines.diagnostics import input_error, nearest
from machines.kinds.epic.dispersal import BundleView, NeverIssues, bundle_views, disperse
from machines.kinds.epic.program import CONTINUATION, OPERATION, BundleProgram


@dataclass(frozen=True)
class View:
    """What `--format text`, `json` and `dot` print; not every view has a graph."""

    text: str
    content: dict[str, Any] | list[Any]
    dot: str | None = None


@dataclass(frozen=True)
class Group:
    """Syllables that issue together: the first one's bundle and slot, each with its port, and why
    the group ends."""

    bundle: int
    slot: int
    syllables: list[tuple[str, str]]
    end: str


def view_assembly(compilation: Any, machine: Machine) -> View:
    """The program as an assembly listing."""
    return View(compilation.listing, {"assembly": compilation.listing})


def view_dispersal(compilation: Any, machine: Machine) -> View:
    """Which syllables would issue together if nothing ever waited."""
    program = compilation.program
    groups = list(groups_of(program, machine))
    lines = [
        f"{program.name} on {machine.name}: issue groups when every bundle is there in time",
        "bundle.slot  syllable:port …  why the group ends",
    ]
    for group in groups:
        if group.slot == 0 and group.bundle in program.labels:
            lines.append(f"{program.labels[group.bundle]}:")
        issued = "  ".join(f"{name}:{port}" for name, port in group.syllables)
        lines.append(f"{group.bundle:5}.{group.slot}  {issued}  [{group.end}]")
    content = [
        {
            "bundle": group.bundle,
            "slot": group.slot,
            "syllables": [{"operation": name, "port": port} for name, port in group.syllables],
            "end": group.end,
        }
        for group in groups
    ]
    return View("\n".join(lines) + "\n", {"machine": machine.name, "groups": content})


def view_passes(compilation: Any, machine: Machine) -> View:
    """What each pass did: how often, in the order of the passes."""
    return _view_passes(compilation, machine, remarks=False)


def view_remarks(compilation: Any, machine: Machine) -> View:
    """The same with what it says of single instructions, in the order it said it."""
    return _view_passes(compilation, machine, remarks=True)


def _view_passes(compilation: Any, machine: Machine, remarks: bool) -> View:
    steps = compilation.report.steps
    if not steps:
        message = "an assembly program runs as it is written: there are no passes"
        raise input_error(message, hint="--show asm prints it")
    lines, content = [], []
    several = any(step.function != steps[0].function for step in steps)
    for before, step in zip([None, *steps], steps, strict=False):
        if several and (before is None or before.function != step.function):
            lines.append(f"@{step.function}")
        lines.append(f"{step.name}: {step.changes}")
        counts = step.changes.counts
        content.append({"function": step.function, "name": step.name, "counts": counts})
        if remarks:
            lines += [f"    {remark}" for remark in step.changes.remarks]
            content[-1]["remarks"] = [_remark(remark) for remark in step.changes.remarks]
    return View("\n".join(lines) + "\n", {"machine": machine.name, "passes": content})


def _remark(remark: Any) -> dict[str, Any]:
    place = remark.location
    return {
        "line": place.line if place else None,
        "column": place.column if place else None,
        "operation": remark.operation,
        "what": remark.what,
        "why": remark.why,
    }


VIEWS: dict[str, Callable[[Any, Machine], View]] = {
    "asm": view_assembly,
    "dispersal": view_dispersal,
    "passes": view_passes,
}
"""Views of a compiled program."""
WITH_REMARKS = {"passes": view_remarks}
"""Those that say more with `--explain`."""

_RULES = ("rules", "variant", "order", "indirect")

SOURCE_VIEWS: dict[str, dict[str, tuple[str, ...]]] = {
    "ir": {"text": (), "json": ()},
    "ssa": {"text": ("with-sets",), "json": (), "dot": ()},
    "chains": {
        "text": ("with-phis", "with-sets", "explain"),
        "json": ("with-phis", "explain"),
        "dot": ("with-phis",),
    },
    "markers": {
        "text": ("rules", "marker-position", "paths"),
        "json": ("rules", "paths"),
        "dot": ("rules",),
    },
    "dependences": {
        "text": (*_RULES, "with-records"),
        "json": (*_RULES, "with-records"),
        "dot": _RULES,
    },
}
"""Views of a function's IR, whatever can run it: their formats, and the options each takes."""

_SOLVING = ("bundler", "scheduler", "reservation", "rules")

SCHEDULE_VIEWS: dict[str, dict[str, tuple[str, ...]]] = {
    "schedule": {"text": _SOLVING, "json": _SOLVING},
    "bundles": {"text": _SOLVING, "json": _SOLVING},
}
"""Views of a scheduling problem, and of the pipelined loops of a program."""


def check_choice(show: str, form: str, options: Collection[str]) -> None:
    """Raises InputError for a view that is not there, or that does not have this format or one of
    these options."""
    known = [*VIEWS, *SOURCE_VIEWS, *SCHEDULE_VIEWS]
    if show not in known:
        raise input_error(f"there is no view '{show}'", hint=nearest(show, known))
    more = ("explain",) if show in WITH_REMARKS else ()
    forms = {**SOURCE_VIEWS, **SCHEDULE_VIEWS}.get(show, {"text": more, "json": more})
    if form not in forms:
        raise input_error(f"the view '{show}' has no {form}", hint=f"it has {', '.join(forms)}")
    for option in options:
        if option not in forms[form]:
            taken = ", ".join(f"--{name}" for name in forms[form])
            raise input_error(
                f"--show {show} --format {form} takes no --{option}",
                hint=f"it takes {taken}" if taken else "leave it out",
            )


def groups_of(program: BundleProgram, machine: Machine) -> Iterator[Group]:
    """The groups of a program from its first bundle on; each label begins a new one."""
    views = bundle_views(program, machine.description)
    width = machine.description.dispersal.bundles_per_cycle
    bundle = slot = 0
    while bundle < program.bundles:
        window = _window(program, views, bundle, width)
        first = 3 * bundle + slot
        try:
            issued = disperse(machine.description, window, slot)
        except NeverIssues as error:
            raise error.at(program.locations[first] if program.locations else None) from None
        syllables = [
            (_name(program, first + place), port or "")
            for place, port in enumerate(issued.ports)
            if program.code[first + place, OPERATION] != CONTINUATION
        ]
        yield Group(bundle, slot, syllables, issued.end)
        bundle, slot = divmod(first + issued.count, 3)


def _window(
    program: BundleProgram, views: list[BundleView], bundle: int, width: int
) -> list[BundleView]:
    """The bundles from `bundle` on that control surely reaches together."""
    end = bundle + 1
    while end < min(bundle + width, program.bundles) and end not in program.labels:
        end += 1
    return views[bundle:end]


def _name(program: BundleProgram, syllable: int) -> str:
    return program.operations[program.code[syllable, OPERATION]]
