"""Rows of DRAM: what a copy asks of controllers and banks against a plain walk over its bytes, and
that rows cost what they should where bytes are far apart and hardly anything where they are not."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from machines.description.load import load_machine
from machines.kinds.cluster.memories import Banks, Dram
from sim.cores.cluster.transfers import dram
from sim.cores.cluster.transfers.dram_paths import Part
from tests.campaign.seeds import campaign, check_all
from tests.sim.cluster.chip_runs import run


def walked(begins: list[int], length: int, memory: Dram, rewrites: bool) -> dram.Demand:
    """Byte by byte in the order of segments, with one row open in each bank."""
    moved, opened, in_banks, open_rows, first = Counter(), Counter(), Counter(), {}, {}
    for begin in begins:
        covered = Counter(byte // memory.line for byte in range(begin, begin + length))
        for line, count in covered.items():
            address = line * memory.line
            controller, row = 0, address // memory.banks.row
            if memory.controllers > 1:
                controller = address // memory.interleave % memory.controllers
                round_ = address // memory.interleave // memory.controllers
                row = round_ * memory.interleave // memory.banks.row
            bank = controller, (row + row // memory.banks.count) % memory.banks.count
            opened[bank] += open_rows.get(bank) != row
            open_rows[bank] = row
            first.setdefault(bank, row)
            size = memory.line * (2 if rewrites and count < memory.line else 1)
            moved[controller] += size
            in_banks[bank] += size
    return dram.Demand(
        tuple(moved[k] for k in range(memory.controllers)),
        {b: (opened[b], first[b], open_rows[b], in_banks[b]) for b in in_banks},
    )


def check_demand(seed: int) -> None:
    rng = random.Random(seed)
    line = rng.choice([1, 16, 64])
    controllers = rng.choice([1, 2, 3, 6])
    interleave = line * rng.choice([1, 2, 3, 4])
    row = interleave * rng.choice([1, 2, 5])
    memory = Dram.model_construct(
        controllers=controllers,
        interleave=interleave if controllers > 1 else 7,
        line=line,
        banks=Banks.model_construct(count=rng.choice([1, 2, 3, 16]), row=row),
    )
    length = rng.choice([1, line, 3 * row, rng.randrange(1, 500)])
    reach = rng.choice([200, 4000])
    begins = [rng.randrange(reach) for _ in range(rng.randrange(1, 12))]
    rewrites = rng.random() < 0.5
    found = dram.demand(np.array(begins), length, memory, rewrites)
    assert found == walked(begins, length, memory, rewrites), (memory, begins, length, rewrites)
    kept = dram.Demands(memory)
    for offset in (0, *(rng.randrange(10**5) for _ in range(2)), rng.randrange(200) * row * line):
        there = Part("dram", rewrites, np.array(begins) + offset, length)
        kept.of(there, not rewrites)  # which is something else
        found, asked = kept.of(there, rewrites), dram.demand(there.begins, length, memory, rewrites)
        assert found == asked, (memory, begins, length, rewrites, offset)
        assert [*found.banks] == [*asked.banks]  # in this order links are filled


def test_copies_alike_are_worked_out_once():
    """Near ones wherever they are in a row, others in every turn of the banks."""
    memory = load_machine("mlu370").description.dram
    kept, all_banks = dram.Demands(memory), 6 * (8 << 10) * memory.banks.count
    for by in range(0, 5 * all_banks, 6 * (8 << 10)):
        kept.of(Part("dram", False, np.array([64 + by, 5000 + by]), 900), False)
    assert len(kept._found) == 1
    for by in range(0, 5 * all_banks, all_banks):
        kept.of(Part("dram", False, np.array([64 + by]), 2 * all_banks), False)
    assert len(kept._found) == 2


@pytest.mark.parametrize("seed", range(200))
def test_controllers_and_banks_do_what_a_walk_over_the_bytes_does(seed):
    check_demand(seed)


@campaign(part=500, first=0, end=2000)
def test_many_demands(seeds):
    check_all(check_demand, seeds)


ALONE = ("clusters=1", "cores=1")
MACHINES = ("mlu270", "mlu370", "mlu_single")
IN_ONE_BANK, IN_ALL_BANKS = (16, 8 << 20), (128, 640 << 10)
"""Segments of 512 bytes, and how far apart they are: on the `mlu270` 256 and 20 rows of two
controllers."""


def cycles_of(text: str, machine: str, *overrides: str) -> int:
    return run(text, machine, (*ALONE, *overrides), values=False).cycles


def copy(target: str, source: str, size: int) -> str:
    return f"""
x: i8[{128 << 20}] in dram
a: i8[{size}] in nram

func @main() {{
entry:
    tensor.copy.i8 {target}, {source}
    return
}}
"""


def far_apart(segments: tuple[int, int], stores: bool) -> str:
    count, stride = segments
    size = count * 512
    ends = (f"x[0:512, {count} by {stride}]", f"a[0:{size}]")
    return copy(*(ends if stores else ends[::-1]), size)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("stores", [False, True])
def test_bytes_that_follow_one_another_come_as_if_there_were_no_rows(machine, stores):
    """Banks open their rows while others move bytes."""
    size = 1 << 18
    ends = (f"x[0:{size}]", f"a[0:{size}]")
    text = copy(*(ends if stores else ends[::-1]), size)
    with_rows = cycles_of(text, machine)
    without = cycles_of(text, machine, "dram.banks=null")
    assert without <= with_rows <= Fraction(101, 100) * without


@pytest.mark.parametrize(("stores", "opening"), [(False, 28), (True, 55)])
def test_rows_of_one_bank_are_opened_one_after_the_other(stores, opening):
    """256 bytes of each row move in 10 cycles."""
    text = far_apart(IN_ONE_BANK, stores)
    without = cycles_of(text, "mlu270", "dram.banks=null")
    assert cycles_of(text, "mlu270") == without + IN_ONE_BANK[0] * opening


@pytest.mark.parametrize("stores", [False, True])
def test_rows_of_different_banks_are_opened_while_others_move(stores):
    text = far_apart(IN_ALL_BANKS, stores)
    assert cycles_of(text, "mlu270") == cycles_of(text, "mlu270", "dram.banks=null")


def test_rows_are_counted_where_there_are_any():
    text = far_apart(IN_ALL_BANKS, stores=True)
    for banks, wanted in ((), 2 * IN_ALL_BANKS[0]), (("dram.banks=null",), None):
        outcome = run(text, "mlu270", (*ALONE, *banks), values=False).outcome
        assert outcome.statistics.rows == wanted
