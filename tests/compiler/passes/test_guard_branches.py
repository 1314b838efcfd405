"""Short ways around: which become guarded rows."""

from __future__ import annotations

import pytest

from compiler.ir.printer import print_instruction
from compiler.targets.simt.passes.guard_branches import guard_short_ways
from machines.description.load import load_machine
from tests.compiler.code_of_lines import code, findings
from tests.compiler.targets.simt.grids import check_grid
from tests.programs.random_kernels import generate

HEAD = ["%a = ld.shared.b32 0, 0", "%p = setp.lt.s32 %a, 4"]


def guarded(limit: int = 4, **blocks: list[str]) -> dict[str, list[str]]:
    made = code("ptx", **blocks)
    guard_short_ways(made, limit)
    assert findings(made, "teaching_gpu") == []
    return {n: [print_instruction(i) for i in b.instructions] for n, b in made.blocks.items()}


def test_a_store_that_is_led_around_is_guarded():
    found = guarded(
        head=[*HEAD, "bra %p, swap, on"],
        swap=["st.shared.b32 0, 0, 1", "bra.uni on"],
        on=["st.shared.b32 0, 4, 2", "exit"],
    )
    assert found == {
        "head": [*HEAD, "@%p st.shared.b32 0, 0, 1", "st.shared.b32 0, 4, 2", "exit"],
    }


def test_the_other_way_has_the_opposite_guard_and_temporaries_none():
    found = guarded(
        head=[*HEAD, "bra %p, on, swap"],
        swap=["%b = add.s32 %a, 1", "st.shared.b32 0, 0, %b", "bra.uni on"],
        on=["exit"],
    )
    assert found["head"][2:] == ["%b = add.s32 %a, 1", "@!%p st.shared.b32 0, 0, %b", "exit"]


def test_a_value_that_is_needed_behind_is_guarded():
    found = guarded(
        head=[*HEAD, "bra %p, more, on"],
        more=["%a = add.s32 %a, 1", "bra.uni on"],
        on=["st.shared.b32 0, 0, %a", "exit"],
    )
    assert found["head"][2] == "@%p %a = add.s32 %a, 1"


@pytest.mark.parametrize(
    ("limit", "body"),
    [
        (0, ["st.shared.b32 0, 0, 1"]),
        (1, ["st.shared.b32 0, 0, 1", "st.shared.b32 0, 4, 1"]),
        (4, ["bar.sync 0, 0"]),
        (4, ["%b = vote.sync.ballot.b32 %p, -1"]),
        (4, ["@%p st.shared.b32 0, 0, 1"]),
        (4, ["%p = setp.lt.s32 %a, 5"]),
    ],
)
def test_what_stays_a_branch(limit, body):
    blocks = {
        "head": [*HEAD, "bra %p, swap, on"],
        "swap": [*body, "bra.uni on"],
        "on": ["exit"],
    }
    assert guarded(limit, **blocks) == blocks


def test_a_way_that_others_take_too_stays():
    blocks = {
        "head": [*HEAD, "bra %p, swap, on"],
        "swap": ["st.shared.b32 0, 0, 1", "bra.uni on"],
        "on": ["%q = setp.lt.s32 %a, 2", "bra %q, swap, out"],
        "out": ["exit"],
    }
    assert guarded(4, **blocks) == blocks


def test_random_kernels_do_the_same():
    machine = load_machine("teaching_gpu")
    for seed in range(4):
        k = generate(seed)
        passes = ["default", {"guard_branches": {"limit": 8}}]
        check_grid(k.function, k.module, k.arguments, k.grid, machine, passes)
