"""Random programs and kernels, compiled for a SIMT machine, against the interpreters of the IR."""

from __future__ import annotations

from machines.description.load import load_machine
from tests.campaign.seeds import campaign, check_all
from tests.compiler.targets.simt.compiled import check
from tests.compiler.targets.simt.grids import check_grid
from tests.compiler.targets.simt.test_random import OPTIONS
from tests.programs.random_kernels import generate as random_kernel
from tests.programs.random_programs import generate


@campaign(part=250)
def test_one_thread(seeds):
    machine = load_machine("teaching_gpu")

    def check_seed(seed: int) -> None:
        names = list(OPTIONS)
        program = generate(seed, OPTIONS[names[seed % len(names)]])
        check(program, machine, registers=(0, 8, 16)[seed // 3 % 3])

    check_all(check_seed, seeds)


@campaign(part=100, end=2000)
def test_grids(seeds):
    machine = load_machine("teaching_gpu")

    def check_seed(seed: int) -> None:
        k = random_kernel(seed)
        passes = ["default", {"allocate_registers": {"registers": (12, 255)[seed % 2]}}]
        check_grid(k.function, k.module, k.arguments, k.grid, machine, passes)

    check_all(check_seed, seeds)
