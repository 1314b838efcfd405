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
from machines.diagnostics import InputError
from machines.kinds.cluster.classes import MATRIX_CLASSES, VECTOR_CLASSES
from machines.kinds.simt.classes import CLASSES
from tests.campaign.seeds import short_form
from tests.sim.fields import commands_of_classes, results_of_classes, rows_of_classes
from tests.sim.fields.changes import leaf_of, values, written
from tests.sim.fields.variants import variant

FAR = 997
"""By how much a number is larger, where its field takes that: more than programs can hide."""
ROOMS = {"simt": rows_of_classes, "epic": results_of_classes, "cluster": commands_of_classes}
"""By kind: programs of its operations."""
BY_CONTROL_BITS = ("dependences.kind=control_bits", "reconvergence.policy=barriers")
MARKERS_ISSUE = ("reconvergence.marker_position=first_in_block",)
MACHINES = {
    "teaching_gpu": ("teaching_gpu", ()),
    "teaching_gpu by control bits": ("teaching_gpu", BY_CONTROL_BITS),
    "itanium2": ("itanium2", ()),
    "teaching_chip": ("teaching_chip", ("clusters=1", "cores=1")),
    "teaching_gpu with instructions for markers": ("teaching_gpu", MARKERS_ISSUE),
    "h200": ("h200", ("sms=1",)),
    "a100 by control bits": ("a100", ("sms=1", *BY_CONTROL_BITS)),
    "v100": ("v100", ("sms=1",)),
    "itanium": ("itanium", ()),
    "epic3": ("epic3", ()),
    "mlu270": ("mlu270", ()),
    "mlu370": ("mlu370", ()),
    "seed_chip": ("seed_chip", ()),
    "systolic_32": ("systolic_32", ()),
}
PARTS = 12
"""Of the results of a machine, each a test of its own."""
FIRST = ("exit", "barrier", "shuffle", "integer_multiply", "atomic_global", "branch",
         "allocate", "call", "loop_branch", "semaphore", "conv", "simple")  # fmt: skip
"""Of the classes, those of every run; the others are for the campaign."""


@cache
def classes(name: str) -> tuple[str, ...]:
    """Those of which a machine has operations."""
    machine = variant(*MACHINES[name])
    ways = ROOMS[machine.kind].ways()
    return tuple(dict.fromkeys(way.known for way in ways if way.suits(machine)))


def cases() -> list:
    """(machine, class): for every run the first classes on machines to work out by hand."""
    found = [(name, known) for name in MACHINES for known in classes(name)]
    often = [(name, known) for name, known in found
             if name in list(MACHINES)[:4] and known in FIRST]  # fmt: skip
    return short_form([*often, *(case for case in found if case not in often)], len(often))


@cache
def changed(name: str, keys: tuple[str, ...], first: tuple[str, ...] = ()) -> list[Machine]:
    """Machines with another value of a figure; `first`: what they say before."""
    machine = variant(*MACHINES[name])
    found = []
    for value in _others(machine, keys):
        try:
            more = written(machine.kind, keys, value)
            found.append(variant(MACHINES[name][0], (*MACHINES[name][1], *first, *more)))
        except InputError:
            continue
    return found


def _others(machine: Machine, keys: tuple[str, ...]) -> Iterator[str]:
    """Other values of a figure, of a number one that is far away; one that has none has such a one
    in a mapping of cycles."""
    fields = [field for field in machine.fields() if field.keys == keys]
    if not fields:
        yield f"{FAR} cycles"
        return
    [field] = fields
    leaf = leaf_of(machine, field)
    if leaf.is_number and leaf.quantity:
        yield f"{min(leaf.most, (field.value or 0) + FAR)} {leaf.quantity.base}"
    elif leaf.is_number and keys[0] == "classes":
        yield str(min(leaf.most, field.value + FAR))
    else:
        yield from values(machine, field)


def silent(known: str, name: str) -> Iterator[str]:
    """The figures of a class that should change what a program of it does, and do not."""
    machine = variant(*MACHINES[name])
    room = ROOMS[machine.kind]
    for way in room.ways():
        if way.known != known or not way.suits(machine):
            continue
        before = room.told(way, machine)
        for keys in way.figures(machine):
            others = changed(name, keys)
            if others and all(room.told(way, other) == before for other in others):
                yield f"{'.'.join(keys)}, of {way}"


@pytest.mark.parametrize("case", cases(), ids=": ".join)
def test_a_program_with_an_operation_shows_every_figure_of_its_class(case: tuple[str, str]):
    name, known = case
    assert list(silent(known, name)) == []


def test_every_class_has_a_program():
    ours = set(classes("teaching_gpu")) | {"convergence", "convergence_wait"}
    assert ours == set(CLASSES)
    assert set(classes("itanium2")) == set(variant("itanium2", ()).description.latencies)
    assert set(classes("teaching_chip")) == {*VECTOR_CLASSES, *MATRIX_CLASSES}


@pytest.mark.parametrize("part", short_form(range(PARTS), 1))
@pytest.mark.parametrize("name", ["itanium2", "epic3"])
def test_who_waits_says_why(name: str, part: int):
    """The cause of a wait is that of the class, whatever is waited for."""
    machine = variant(name, ())
    for way in results_of_classes.ways()[part::PARTS]:
        keys = next(way.figures(machine))
        late = f"{'.'.join(keys)}={FAR} cycles"
        before = results_of_classes.told(way, variant(name, (late,)))
        for other in changed(name, ("latencies", way.known, "wait"), (late,))[:1]:
            assert results_of_classes.told(way, other) != before, way


@pytest.mark.parametrize(
    "machine, change",
    [
        *(("teaching_gpu", f"classes.{known}.latency={FAR} cycles")
          for known in ("store_global", "branch", "sleep", "atomic_global")),
        *(("itanium2", f"latencies.{known}.bypasses.{use}={FAR} cycles")
          for known, use in (("allocate", "branch"), ("allocate", "application"))),
    ],
)  # fmt: skip
def test_what_nothing_waits_for_is_refused(machine: str, change: str):
    with pytest.raises(InputError):
        variant(machine, [change])
