"""Every number of a machine has a largest value, and with it a program still runs: it takes no long
time and little memory, and overflows nowhere."""

from __future__ import annotations

import resource
from functools import cache

import pytest

from machines.description.load import Machine, load_machine
from machines.description.schema import Description
from machines.diagnostics import InputError
from machines.kinds.cluster.fields import Cluster
from machines.kinds.epic.fields import Epic
from machines.kinds.simt.fields import Simt
from tests.campaign.seeds import short_form
from tests.machines.model_fields import ANY, Leaf, leaves
from tests.sim.fields.programs import programs
from tests.sim.fields.variants import variant

MODELS = {"epic": Epic, "simt": Simt, "cluster": Cluster}
MACHINES = {
    "epic": ("itanium2",),
    "simt": ("teaching_gpu", "h200"),
    "cluster": ("teaching_chip", "systolic_32"),
}
"""By kind; the first that has a figure is taken."""
MOST_KIB = 1 << 20
"""Of memory that a run may take beside what the process had."""
RUNS = {
    "epic": ("l2_bank_conflict", "register_stack_overflow", "loop_exit_learned", "load_from_l3"),
    "simt": ("dram_then_l1", "shared_conflict_2", "barrier_of_two_warps", "two_way_divergence"),
    "cluster": ("through_the_sram", "gdma_and_iodma_joined", "cdma", "broadcast", "tile_units"),
}
BESIDE_RUNS = ("energy",)
"""What is computed of a run once it has ended: no run depends on it."""
CLUSTERED = ("clusters",)
"""Runs for the figures of clusters of blocks: the others have no clusters."""


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_every_number_has_a_least_and_a_largest_value(model: type[Description]):
    numbers = [leaf for leaf in leaves(model) if leaf.is_number]
    assert len(numbers) > 60
    assert [leaf.name for leaf in numbers if leaf.most is None or leaf.least is None] == []


@cache
def _numbers(kind: str) -> dict[str, tuple[Leaf, int | float, str]]:
    """The number of each field of a kind, its value, and the machine, at the first place where it
    stands.  Elements of lists are registers and slots: they are no sizes."""
    found = {}
    fields = [
        (field.path.split("."), field.value, name)
        for name in MACHINES[kind]
        for field in load_machine(name).fields()
    ]
    for leaf in (leaf for leaf in leaves(MODELS[kind]) if leaf.is_number):
        for path, value, name in fields:
            pairs = zip(leaf.path, path, strict=True) if len(path) == len(leaf.path) else ()
            if pairs and all(a in (b, ANY) for a, b in pairs):
                found[".".join(path)] = leaf, leaf.least if value is None else value, name
                break
    return found


def _largest(kind: str, path: str) -> Machine:
    """The machine with the largest value of a figure that the rules across figures leave: the
    largest of the field, or of its own doubled again and again."""
    leaf, value, name = _numbers(kind)[path]
    unit = {"bytes": "B"}.get(leaf.quantity.base, leaf.quantity.base) if leaf.quantity else ""
    doubled = [value << k for k in range(64) if isinstance(value, int) and value << k <= leaf.most]
    for larger in (leaf.most, *reversed(doubled)):
        try:
            return variant(name, [f"{path}={larger} {unit}"])
        except InputError:
            assert larger != value, path
    raise AssertionError(path)


CASES = [(kind, path) for kind in MACHINES for path in _numbers(kind)]


@pytest.mark.parametrize("every", short_form([False, True], 1), ids={False: "one", True: "all"}.get)
@pytest.mark.parametrize(("kind", "path"), CASES, ids=lambda value: value)
def test_a_machine_runs_with_the_largest_value(kind: str, path: str, every: bool):
    """In every run one of the programs, by turns."""
    names = CLUSTERED if (kind, path.split(".")[0]) == ("simt", "clusters") else RUNS[kind]
    names = names if every else [names[CASES.index((kind, path)) % len(names)]]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    machine = _largest(kind, path)
    for name in names:
        programs(kind)[name].run(machine)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MOST_KIB


@pytest.mark.parametrize("kind", MODELS)
def test_every_number_has_a_place_but_those_of_lists(kind: str):
    tested = {leaf.name for leaf, *_ in _numbers(kind).values()}
    numbers = {leaf.name: leaf for leaf in leaves(MODELS[kind]) if leaf.is_number}
    missing = [n for n in numbers if n not in tested and numbers[n].path[-1] != ANY]
    assert [n for n in missing if numbers[n].path[0] not in BESIDE_RUNS] == []
