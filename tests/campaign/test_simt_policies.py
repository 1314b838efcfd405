"""Random kernels without races give the memory that the IR says: as rows of the machine, and on
the core under all four reconvergence policies."""

from __future__ import annotations

from tests.campaign.seeds import campaign, check_all
from tests.programs.random_kernels import Options
from tests.sim.simt.random_kernel_runs import check

WIDE = Options(size=40, depth=6)
"""Longer ones, more deeply nested."""
PIPES = ("alu", "fma", "fp64", "half", "sfu", "control", "lg", "mio")
NARROW = (
    "warp_width=8", "limits.threads_per_cta=128", *(f"pipes.{name}.lanes=8" for name in PIPES),
)  # fmt: skip
"""The teaching GPU with warps of eight lanes, and pipes that divide them."""


@campaign(50, 0, 3000)
def test_all_policies_give_the_same_memory(seeds):
    check_all(check, seeds)


@campaign(50, 0, 300)
def test_long_kernels(seeds):
    check_all(lambda seed: check(seed, WIDE), seeds)


@campaign(50, 0, 300)
def test_narrow_warps(seeds):
    options = Options(warp_width=8)
    check_all(lambda seed: check(seed, options, NARROW), seeds)


@campaign(50, 0, 300)
def test_other_rules_of_reconvergence(seeds):
    """The rules of the original, and the largest group first."""
    overrides = ("reconvergence.rules=seed", "reconvergence.selection=largest_group")
    check_all(lambda seed: check(seed, None, overrides), seeds)
