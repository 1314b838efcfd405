"""k equal paths cost k times one: a ladder of compares sends lane i to path i mod k."""

from __future__ import annotations

import pytest

from machines.description.load import load_machine
from machines.layout import Memory
from machines.threads.grid import Grid
from sim.cores.returned import DONE
from sim.cores.simt.drive import SimtCore
from tests.sim.simt.test_hand_worked import checked_statistics
from tests.warp_programs import kernel

WORK = 10
"""Dependent additions of a path, 4 cycles each."""


def ladder(k: int) -> str:
    """Lane i adds `WORK` times i mod k in a path of its own."""
    lines = ['path: {reconverge: "end"}', "r0 = mov.laneid", f"r0 = and.b32 r0, {k - 1}"]
    for path in range(k - 1):
        lines += [f"p0 = setp.ne.s32 r0, {path}", f"bra p0, next{path}, path{path}"]
        lines += [f"path{path}:", *[f"r1 = add.s32 r1, {path}"] * WORK, "bra.uni end"]
        lines.append(f'next{path}: {{marker: true, reconverge: "end"}}')
    lines += [*[f"r1 = add.s32 r1, {k - 1}"] * WORK, "bra.uni end"]
    return "\n".join([*lines, "end: {marker: true}", "exit"])


@pytest.mark.parametrize("policy", ("markers", "min_pc", "ipdom"))
@pytest.mark.parametrize("k", (1, 2, 4, 8, 16, 32))
def test_issues_and_cycles_grow_with_the_paths(k, policy):
    machine = load_machine("teaching_gpu", [f"reconvergence.policy={policy}"]).description
    core = SimtCore(kernel(ladder(k)), machine, Memory([("x", 8)]))
    core.start(0, "k", Grid((1, 1, 1), (32, 1, 1)), b"")
    assert core.advance(10**6) == DONE
    found = checked_statistics(core)
    # laneid, and; a rung is a compare and a branch, its path the work and a jump; exit together.
    assert int(found.executed.sum()) == 2 + (k - 1) * (2 + WORK + 1) + WORK + 1
    assert int(found.diverged.sum()) == k - 1
    share = 32 // k
    rungs = sum(2 * (32 - share * path) for path in range(k - 1))
    assert int(found.active.sum()) == 2 * 32 + rungs + 32 * WORK + share * (k - 1) + 32
