"""Short ways around: which become guarded rows."""

from __future__ import annotations

import pytest

from compiler.analyses.liveness import liveness
from compiler.ir.printer import print_instruction
from compiler.targets.simt.passes.guard_branches import guard_short_ways
from machines.description.load import load_machine
from tests.compiler.code_of_lines import code, findings
from tests.compiler.targets.simt.grids import check_grid
from tests.programs.random_kernels import generate

HEAD = ["%a = ld.shared.b32 0, 0", "%p = setp.lt.s32 %a, 4"]


def guarded(limit: int = 4, **blocks: list[str]) -> dict[str, list[str]]:
    made = code("ptx", **blocks)
    guard_short_ways(made, limit, load_machine("h200").description)
    assert findings(made, "h200") == []
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
        on=["st.shared.b32 0, 4, 2", "exit"],
    )
    assert found["head"][2:4] == ["%b = add.s32 %a, 1", "@!%p st.shared.b32 0, 0, %b"]


def test_a_way_behind_which_threads_end_is_not_guarded():
    """The others end at once, by a guarded exit."""
    blocks = {
        "head": [*HEAD, "bra %p, swap, on"],
        "swap": ["st.shared.b32 0, 0, 1", "bra.uni on"],
        "on": ["exit"],
    }
    assert guarded(**blocks) == blocks


def test_a_value_that_is_needed_behind_is_guarded():
    found = guarded(
        head=[*HEAD, "bra %p, more, on"],
        more=["%a = add.s32 %a, 1", "bra.uni on"],
        on=["st.shared.b32 0, 0, %a", "exit"],
    )
    assert found["head"][2] == "@%p %a = add.s32 %a, 1"


def test_a_load_for_the_way_alone_is_fresh():
    """What %b held before is read by none, so it is not alive before, nor around the loop."""
    found = guarded(
        head=[*HEAD, "bra.uni loop"],
        loop=["%p = setp.lt.s32 %a, 4", "bra %p, way, on"],
        way=["%b = ld.shared.b32 0, 4", "%a = add.s32 %b, 1", "bra.uni on"],
        on=["%q = setp.lt.s32 %a, 9", "bra %q, loop, out"],
        out=["exit"],
    )
    assert found["loop"][1:3] == [
        "@%p %b = ld.shared.b32 0, 4 {fresh: true}",
        "@%p %a = add.s32 %b, 1",
    ]
    made = code("ptx", **found)
    assert liveness(made).live_in["loop"] == ("%a",)


def test_both_ways_are_guarded():
    found = guarded(
        head=[*HEAD, "bra %p, less, more"],
        less=["%b = add.s32 %a, 1", "%a = sub.s32 %b, 3", "bra.uni on"],
        more=["%a = add.s32 %a, %b", "bra.uni on"],
        on=["st.shared.b32 0, 0, %a", "exit"],
    )
    assert found["head"][2:5] == [
        "@%p %b = add.s32 %a, 1",  # the other way reads %b
        "@%p %a = sub.s32 %b, 3",
        "@!%p %a = add.s32 %a, %b",
    ]


def test_what_stands_for_several_instructions_counts_as_them():
    """A product of 64 bits is four instructions."""
    body = ["%d = mul.lo.s64 %e, %e", "st.shared.b64 0, 0, %d", "bra.uni on"]
    head = ["%e = ld.shared.b64 0, 8", *HEAD, "bra %p, way, on"]
    blocks = {"head": head, "way": body, "on": ["st.shared.b32 0, 4, 2", "exit"]}
    assert guarded(4, **blocks) == blocks
    assert list(guarded(5, **blocks)) == ["head"]


def test_the_entry_is_not_taken_in():
    found = guarded(
        entry=["%a = ld.shared.b32 0, 0", "%q = setp.lt.s32 %a, 9", "bra %q, head, out"],
        head=["%p = setp.lt.s32 %a, 4", "bra %p, way, entry"],
        way=["st.shared.b32 0, 0, 1", "bra.uni entry"],
        out=["exit"],
    )
    assert list(found) == ["entry", "head", "out"]


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
