"""Every figure of a class of operations changes what a program does that has such an operation: for
every way in which operations of the class act, on every machine, or there is no such machine.

`test_every_field_matters` asks for one program a figure, on any machine; what one operation of a
class reads another may not, and what one machine reads neither.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from machines.description.load import Machine
from machines.description.shown_fields import ShownField
from machines.diagnostics import InputError
from machines.kinds.simt.classes import CLASSES
from tests.campaign.seeds import short_form
from tests.sim.fields.changes import leaf_of, values, written
from tests.sim.fields.rows_of_classes import Way, told, ways
from tests.sim.fields.variants import variant

FAR = 997
"""By how much a number is larger, where its field takes that: more than programs can hide."""
BY_CONTROL_BITS = ("dependences.kind=control_bits", "reconvergence.policy=barriers")
MARKERS_ISSUE = ("reconvergence.marker_position=first_in_block",)
MACHINES = {
    "teaching_gpu": ("teaching_gpu", ()),
    "teaching_gpu by control bits": ("teaching_gpu", BY_CONTROL_BITS),
    "teaching_gpu with instructions for markers": ("teaching_gpu", MARKERS_ISSUE),
    "h200": ("h200", ("sms=1",)),
    "a100 by control bits": ("a100", ("sms=1", *BY_CONTROL_BITS)),
    "v100": ("v100", ("sms=1",)),
}
FIRST = ("exit", "barrier", "shuffle", "integer_multiply", "atomic_global", "branch")
"""Of the classes, those of every run; the others are for the campaign."""
CASES = sorted(
    ((name, known) for name in MACHINES for known in CLASSES),
    key=lambda case: (case[0] not in list(MACHINES)[:2], case[1] not in FIRST),
)


@cache
def changed(name: str, keys: tuple[str, ...]) -> list[Machine]:
    """Machines with another value of a figure, the most telling first."""
    machine = variant(*MACHINES[name])
    [field] = [field for field in machine.fields() if field.keys == keys]
    found = []
    for value in _others(machine, field):
        try:
            more = written(machine.kind, keys, value)
            found.append(variant(MACHINES[name][0], (*MACHINES[name][1], *more)))
        except InputError:
            continue
    return found


def _others(machine: Machine, field: ShownField) -> Iterator[str]:
    leaf = leaf_of(machine, field)
    if not leaf.is_number:
        yield from values(machine, field)
        return
    number = min(leaf.most, (field.value or 0) + FAR)
    yield f"{number} {leaf.quantity.base}" if leaf.quantity else str(number)


def figures(machine: Machine, name: str) -> list[ShownField]:
    """Of a class, those that the machine says it reads."""
    every = (field for field in machine.fields() if field.keys[:2] == ("classes", name))
    return [field for field in every if not field.unread]


def silent(way: Way, name: str, machine: Machine) -> Iterator[str]:
    """The figures of a way's class that should change what its program does, and do not."""
    before = told(way, machine)
    for field in figures(machine, way.row.scheduling_class):
        others = changed(name, field.keys) if way.shows(field.keys[2], machine) else []
        if others and all(told(way, other) == before for other in others):
            yield f"{field.path}, of {way}"


@pytest.mark.parametrize("case", short_form(CASES, 2 * len(FIRST)), ids=": ".join)
def test_a_program_with_an_operation_shows_every_figure_of_its_class(case: tuple[str, str]):
    name, known = case
    machine = variant(*MACHINES[name])
    own = [way for way in ways("ptx") if way.row.scheduling_class == known and way.suits(machine)]
    assert [line for way in own for line in silent(way, name, machine)] == []


def test_every_class_has_a_program():
    assert {way.row.scheduling_class for way in ways("ptx")} == set(CLASSES)


def test_classes_without_results_are_refused_a_latency_that_nothing_waits_for():
    """Those whose latency does change something are in the programs above."""
    for known in ("store_global", "branch", "sleep", "atomic_global"):
        with pytest.raises(InputError):
            variant("teaching_gpu", [f"classes.{known}.latency={FAR} cycles"])
