"""Each roof of each machine is reached by a program that does nothing else, to 95 % at least; what
is not says why.  No program goes beyond."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from machines.description.load import load_machine, machines
from sim.kinds.cluster.roofline import ROOFLINE as OF_CHIPS
from sim.kinds.epic.roofline import ROOFLINE as OF_EPIC
from sim.kinds.simt.roofline import ROOFLINE as OF_GPUS
from sim.results.roofline import OPERATIONS, Roof
from tests.sim.peaks import of_chips, of_epic, of_gpus
from tests.sim.peaks.reached import Done, part_of

ENOUGH = 0.95
TIMES = {"L2": (4, 12), "L3": (3, 9), "DRAM": (2, 6)}
"""How long programs are that need not be long, or must not."""
LESS = {
    ("simt", "DRAM", "teaching_gpu"): "its one SM can have 64 sectors on their way for 90 cycles",
    ("simt", "L2", ""): "SMs can have so many sectors on their way, and slices wait for them",
    ("simt", "shared memory", "rtx_pro_6000"): "sub-cores that come first leave one behind, which "
    "at the end has the path to itself and asks a quarter of it",
    ("simt", "DRAM", ""): "lines are spread over channels by a hash, some of which have more",
    (
        "epic",
        "L3",
        "",
    ): "a miss that finds its port taken keeps its slot four cycles more",
    ("cluster", "ports", ""): "what goes through them is in DRAM, which gives less",
    ("cluster", "iodma", ""): "it moves to and from DRAM, which gives less",
    ("cluster", "iodma+mvdma", ""): "it moves to and from DRAM, which gives less",
    ("cluster", "dma", ""): "it moves to and from DRAM, which gives less",
    ("cluster", "DRAM", "gemmini"): "copies wait for its only DMA to be set up",
    ("cluster", "vector", "teaching_chip"): "issue and depth are 5 cycles of every 37",
    ("cluster", "matrix", ""): "wider elements leave room for small matrices only",
}
"""Roofs that are not reached: kind, roof or what it begins with, machine ('': any), and why."""
IN_EVERY_RUN = {
    "simt": (("teaching_gpu", "f32"), ("h200", "integer"), ("a100", "tensor tf32"), ("l40s", "L1"),
             ("teaching_gpu", "shared memory"), ("teaching_gpu", "L2")),
    "epic": (("itanium2", "floating"), ("itanium", "integer"), ("itanium2", "L2"),
             ("itanium2", "main memory")),
    "cluster": (("teaching_chip", "matrix i8"), ("mlu370", "vector f32"), ("teaching_chip", "DRAM"),
                ("mlu370", "mvdma")),
}  # fmt: skip


def done(kind: str, name: str, machine: str, times: int) -> Done | None:
    """What a program for a roof does, of so many times its length; None: there is none."""
    if kind == "epic":
        return of_epic.run(name, machine, times)
    if kind == "cluster":
        return of_chips.run(name, machine, times)
    if name == "SM to SM":
        return None
    if name in ("DRAM", "L2"):
        described = load_machine(machine).description
        if name == "L2" and described.memory.copies is None:
            return None
        return of_gpus.of_all_sms(name, described, times)
    return of_gpus.on_one_sm(of_gpus.kernel(name, machine), of_gpus.one_sm(machine), times)


@cache
def peaks(kind: str, machine: str, of_one_sm: bool = False) -> dict[str, Roof]:
    """The roofs that programs are held to."""
    roofs = {"epic": OF_EPIC, "cluster": OF_CHIPS, "simt": OF_GPUS}[kind]
    described = of_gpus.one_sm(machine) if of_one_sm else load_machine(machine).description
    return {roof.name: roof for roof in roofs.peaks(described)}


def reason(kind: str, name: str, machine: str) -> str | None:
    """Why a roof need not be reached."""
    for (its_kind, begins, its_machine), why in LESS.items():
        if kind == its_kind and name.startswith(begins) and its_machine in ("", machine):
            return why
    return None


def check(kind: str, name: str, machine: str) -> float | None:
    """Raises AssertionError if a program goes beyond a roof, or less far than it should."""
    roofs = peaks(kind, machine, kind == "simt" and name not in ("DRAM", "L2"))
    peak = roofs[name].peak
    short, long = TIMES.get(name, (4, 12) if kind != "epic" else (40, 120))
    if done(kind, name, machine, short) is None:
        return None
    runs = {n: done(kind, name, machine, n) for n in (short, long)}
    for cycles, work in runs.values():
        for other, roof in roofs.items():
            assert roof.peak is None or work.get(other, 0) <= roof.peak * cycles, other
    part = part_of(name, peak, runs.__getitem__, short, long)
    least = 0.0 if reason(kind, name, machine) else ENOUGH
    assert part >= least, f"{part:.3f} of {name} on {machine}"
    return part


@pytest.mark.parametrize(
    "kind, machine, name", [(k, *one) for k, some in IN_EVERY_RUN.items() for one in some]
)
def test_roofs_are_reached(kind: str, machine: str, name: str):
    assert check(kind, name, machine)


def all_roofs() -> Iterator[tuple[str, str, str]]:
    for machine, loaded in machines().items():
        kind = loaded.kind
        if kind in IN_EVERY_RUN:
            yield from ((kind, machine, name) for name in peaks(kind, machine))


@pytest.mark.campaign
def test_all_roofs_are_reached():
    found, untried = {}, []
    for kind, machine, name in all_roofs():
        part = check(kind, name, machine)
        if part is None:
            untried.append(f"{name} of {machine}")
        else:
            found[kind, machine, name] = part
            print(f"{kind:8} {machine:14} {name:16} {part:.4f}")
    assert len(found) > 150 and not any("f32" in one for one in untried)
    less = {one for one, part in found.items() if part < ENOUGH}
    assert {(kind, name, machine) for kind, machine, name in less if not
            reason(kind, name, machine)} == set()  # fmt: skip


def test_what_is_not_reached_is_a_roof():
    """Reasons are of roofs that there are; none is left that nobody needs."""
    names = {(k, m, n) for k, m, n in all_roofs()}
    for kind, begins, machine in LESS:
        assert any(k == kind and n.startswith(begins) and machine in ("", m) for k, m, n in names)


def test_roofs_are_figures_of_the_description():
    """Twice the SMs have twice the operations; half the clock has twice the bytes a cycle."""
    one, two = (
        {r.name: r for r in OF_GPUS.peaks(load_machine("teaching_gpu", [f"sms={n}"]).description)}
        for n in (1, 2)
    )
    assert all(two[n].peak == 2 * r.peak for n, r in one.items() if r.of == OPERATIONS)
    slow = load_machine("itanium2", ["clock=500 MHz"]).description
    fast = load_machine("itanium2").description
    main = [{r.name: r.peak for r in OF_EPIC.peaks(one)}["main memory"] for one in (slow, fast)]
    assert main[0] == 2 * main[1]
