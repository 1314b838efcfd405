"""View `dispersal`: which syllables would issue together if nothing ever waited.

bundle.slot  syllable:port …  why the group ends
    0.0  alloc:M2  cmp.lt.imm:I0  br.cond:B2  [stop]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from compiler import Compilation
from machines.kinds.epic.dispersal import BundleView, NeverIssues, bundle_views, disperse
from machines.kinds.epic.fields import Epic
from machines.kinds.epic.program import CONTINUATION, OPERATION, BundleProgram
from sim.views import COMPILED, Shown, View


@dataclass(frozen=True)
class Group:
    """Syllables that issue together: the first one's bundle and slot, each with its port, and why
    the group ends."""

    bundle: int
    slot: int
    syllables: list[tuple[str, str]]
    end: str


def show_dispersal(compilation: Compilation) -> Shown:
    """Which syllables would issue together if nothing ever waited."""
    program, machine = compilation.program, compilation.machine
    groups = list(_groups(program, machine.description))
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
    return Shown("\n".join(lines) + "\n", {"machine": machine.name, "groups": content})


def _groups(program: BundleProgram, description: Epic) -> Iterator[Group]:
    """The groups of a program from its first bundle on; each label begins a new one."""
    views = bundle_views(program, description)
    width = description.dispersal.bundles_per_cycle
    bundle = slot = 0
    while bundle < program.bundles:
        window = _window(program, views, bundle, width)
        first = 3 * bundle + slot
        try:
            issued = disperse(description, window, slot)
        except NeverIssues as error:
            raise error.at(program.locations[first] if program.locations else None) from None
        syllables = [
            (_name(program, first + offset), port or "")
            for offset, port in enumerate(issued.ports)
            if program.code[first + offset, OPERATION] != CONTINUATION
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


VIEWS = (
    View(
        "dispersal",
        "Which syllables would issue together if nothing ever waited.",
        COMPILED,
        show_dispersal,
    ),
)
