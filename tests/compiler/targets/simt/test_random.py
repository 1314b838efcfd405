"""Random programs give the same memory as IR and as rows, with and without registers to spare."""

from __future__ import annotations

import pytest

from machines.description.load import load_machine
from machines.types import F32, F64, I8, I16, I32, I64, PTR
from tests.compiler.targets.simt.compiled import CLEAN_UP, check
from tests.compiler.targets.simt.grids import check_grid
from tests.programs.random_kernels import generate as random_kernel
from tests.programs.random_programs import Options, generate

OPTIONS = {
    "integers": Options(types=(I8, I16, I32, I64, PTR)),
    "floats": Options(types=(I8, I16, I32, I64, F32, F64), memory=False),
    "faults": Options(types=(I8, I16, I32, I64, PTR), faults=True, unassigned=True),
    "calls": Options(
        types=(I8, I16, I32, I64, PTR), calls=True, recursion=False, aliases=True, unassigned=True
    ),
}
"""Memory is not read as a float here: what the bits of a NaN are differs."""


@pytest.fixture(scope="module")
def machine():
    return load_machine("teaching_gpu")


@pytest.mark.parametrize("name", OPTIONS)
def test_one_thread(name, machine):
    for seed in range(2):
        check(generate(seed, OPTIONS[name]), machine)


@pytest.mark.parametrize("name", OPTIONS)
def test_one_thread_in_the_order_of_the_source(name, machine):
    for seed in range(40, 41):
        check(generate(seed, OPTIONS[name]), machine, CLEAN_UP)


def test_one_thread_as_it_was_selected(machine):
    for seed in range(12, 14):
        check(generate(seed, OPTIONS["integers"]), machine, names=())


def test_one_thread_that_spills(machine):
    for seed in range(20, 22):
        check(generate(seed, OPTIONS["floats"]), machine, registers=8)


def test_grids(machine):
    for seed in range(1):
        kernel = random_kernel(seed)
        check_grid(kernel.function, kernel.module, kernel.arguments, kernel.grid, machine)


def test_grids_that_spill(machine):
    for seed in range(6, 7):
        kernel = random_kernel(seed)
        passes = ["default", {"allocate_registers": {"registers": 12}}]
        check_grid(kernel.function, kernel.module, kernel.arguments, kernel.grid, machine, passes)
