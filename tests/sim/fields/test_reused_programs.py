"""A program serves another machine exactly if that answers what its compilation asked.

Over every figure of one machine a kind: where the answers are equal, compiling anew gives the same
program; and figures that decide what the compiler does are among what it asks.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from compiler import compile
from machines.description.load import Machine
from machines.description.shown_fields import ShownField
from machines.description.watched import answers, watch
from machines.diagnostics import InputError
from tests.campaign.seeds import short_form
from tests.sim.fields.changes import values, written
from tests.sim.fields.configurations import CONFIGURATIONS
from tests.sim.fields.variants import variant

ROOT = Path(__file__).parents[3]
PROGRAMS = {
    "epic": ("workloads/crc32/crc32.py", "workloads/saxpy/saxpy.py"),
    "simt": ("workloads/gpu/two_breaks/two_breaks.ptx",),
    "cluster": ("tests/sim/fields/tile_units.sir", "tests/sim/fields/tile_ways.sir"),
}
PARTS = 64
MOST_VALUES = 2
"""Of each figure that are tried."""


@cache
def asked_by(kind: str, path: str) -> tuple[set, str]:
    """What compiling asks of the first machine of a kind, and the program."""
    watched, asked = watch(first_machine(kind))
    return asked, compile(ROOT / path, machine=watched).program.content_hash


@cache
def first_machine(kind: str) -> Machine:
    return variant(*next(iter(CONFIGURATIONS[kind].values())))


def changed(kind: str, field: ShownField) -> Iterator[Machine]:
    """Machines that differ in a figure."""
    machine, found = first_machine(kind), 0
    for value in values(machine, field):
        try:
            other = variant(machine.name, written(kind, field.keys, value))
        except InputError:
            continue
        yield other
        found += 1
        if found == MOST_VALUES:
            return


@pytest.mark.parametrize("part", short_form(range(PARTS), 1))
@pytest.mark.parametrize("kind", CONFIGURATIONS)
def test_equal_answers_give_equal_programs(kind: str, part: int):
    reused = 0
    for field in first_machine(kind).fields()[part::PARTS]:
        for other in changed(kind, field):
            for path in PROGRAMS[kind]:
                asked, program = asked_by(kind, path)
                if answers(other, asked) == answers(first_machine(kind), asked):
                    again = compile(ROOT / path, machine=other).program.content_hash
                    assert again == program, (field.path, path)
                    reused += 1
    assert reused


@pytest.mark.parametrize(
    "kind, change",
    [
        ("epic", "latencies.fp_arithmetic.result=9 cycles"),
        ("epic", "registers.general={count: 100, rotating: [32, 95]}"),
        ("simt", "limits.registers_per_thread=64"),
        ("simt", "reconvergence.policy=ipdom"),
        ("cluster", "nram.reserved=512 B"),
    ],
)
def test_what_decides_is_asked(kind: str, change: str):
    """Otherwise an old program would be taken for the new one."""
    other = variant(first_machine(kind).name, [change])
    for path in PROGRAMS[kind][-1:]:
        asked, _ = asked_by(kind, path)
        assert answers(other, asked) != answers(first_machine(kind), asked)
