"""Orders of random blocks: what must follow follows, and no more registers are alive than said."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from compiler.ir.module import Instruction
from compiler.targets.simt.block_rows import BANKS, GENERAL, PREDICATES, BlockRows
from compiler.targets.simt.fewest_registers import fewest_registers
from compiler.targets.simt.live_profile import LiveProfile
from compiler.targets.simt.registers.operands import SIZES, files_of, reads, writes
from compiler.targets.simt.scheduling import MOST_PREDICATES, Scheduler
from machines.description.load import load_machine
from tests.campaign.seeds import short_form
from tests.compiler.code_of_lines import code

NAMES = {"b32": "abcdefgh", "b64": "pqrs", "pred": "xyz"}


def random_block(random: Random) -> list[Instruction]:
    """Rows over few names, each written often: words, pairs, predicates, loads, stores, guards."""

    def name(file: str) -> str:
        return f"%{random.choice(NAMES[file])}"

    def row() -> str:
        word, pair, predicate = name("b32"), name("b64"), name("pred")
        return random.choice(
            (
                f"{word} = add.s32 {name('b32')}, {name('b32')}",
                f"{word} = mov.b32 {random.randrange(9)}",
                f"{word} = ld.global.b32 {pair}, {4 * random.randrange(4)}",
                f"{pair} = mad.wide.s32 {word}, 4, {name('b64')}",
                f"{pair} = mov.b64 {random.randrange(9)}",
                f"st.global.b32 {pair}, {4 * random.randrange(4)}, {word}",
                f"{predicate} = setp.lt.s32 {word}, {name('b32')}",
                f"@{predicate} {word} = add.s32 {name('b32')}, 1",
                f"{word} = selp.b32 {name('b32')}, 1, {predicate}",
            )
        )

    made = code("ptx", entry=[*(row() for _ in range(random.randrange(1, 40))), "exit"])
    return made.entry.instructions


def alive_around(rows: list[Instruction], leaving: set[str]) -> list[set[str]]:
    """What is alive before the first row and after each, by the text-book."""
    alive, found = set(leaving), [set(leaving)]
    for row in reversed(rows):
        if row.guard is None:
            alive -= {name for name, _ in writes(row)}
        else:
            alive |= {name for name, _ in writes(row)}
        alive |= {name for name, _ in reads(row)}
        found.append(set(alive))
    return found[::-1]


def counted(names: set[str], files: dict[str, str]) -> tuple[int, int]:
    pairs = [(files[name] == "pred", SIZES[files[name]]) for name in names]
    return sum(size for is_pred, size in pairs if not is_pred), sum(p for p, _ in pairs)


def most_alive(rows: list[Instruction], leaving: set[str], files: dict[str, str]) -> list[int]:
    """Registers and predicates at once, with what a row writes and none reads."""
    around = alive_around(rows, leaving)
    found = [counted(around[0], files)]
    for row, alive in zip(rows, around[1:], strict=True):
        found.append(counted(alive | {name for name, _ in writes(row)}, files))
    return [max(column) for column in zip(*found, strict=True)]


@pytest.fixture(scope="module")
def description():
    return load_machine("teaching_gpu").description


@pytest.mark.parametrize("seeds", short_form([range(k, k + 50) for k in range(0, 2000, 50)], 1))
def test_random_blocks(seeds: range, description):
    for seed in seeds:
        random = Random(seed)
        block = random_block(random)
        files = dict(pair for row in block for pair in files_of(row))
        leaving = {name for name in files if random.random() < 0.3}
        alive = counted(alive_around(block, leaving)[0], files)
        rows = BlockRows(block, leaving, alive, description)
        written = list(range(len(block)))
        assert list(LiveProfile(rows, written).most) == most_alive(block, leaving, files), seed
        scheduler = Scheduler(rows)
        limits = random.randrange(1, 16), MOST_PREDICATES
        allowed = [max(pair) for pair in zip(limits, scheduler.least, strict=True)]
        for order in (fewest_registers(rows), scheduler.run(limits[GENERAL])):
            assert sorted(order) == written
            place = {number: position for position, number in enumerate(order)}
            for number, before in enumerate(rows.before):
                assert all(place[other] < place[number] for other in before), seed
        code_now = [block[number] for number in order]
        most = most_alive(code_now, leaving, files)
        assert all(most[bank] <= allowed[bank] for bank in BANKS), seed
        assert list(LiveProfile(rows, order).most) == most, seed


def test_rows_that_go_forward_change_what_is_alive_until_where_they_stood(description):
    block = code(
        "ptx",
        entry=[
            "%a = mov.b32 1",
            "%b = add.s32 %a, 1",
            "%c = mov.b32 2",
            "%d = add.s32 %b, %c",
            "st.global.b32 0, 0, %d",
            "exit",
        ],
    ).entry.instructions
    rows = BlockRows(block, (), (0, 0), description)
    profile = LiveProfile(rows, range(6))
    assert profile.most == (2, 0)
    assert not profile.issue(2, (1, 0))  # %c and %a would be alive together
    assert profile.issue(2, (2, 0)) and profile.now == [1, 0]
    assert profile.head == 0
    for number in (0, 1, 3, 4, 5):
        assert profile.issue(number, (0, 0))  # the head always is
    assert profile.now == [0, 0]


def test_sums_of_loads_take_one_more_register_than_the_sum(description):
    loads = [f"%x{k} = ld.shared.b32 0, {4 * k}" for k in range(8)]
    sums = [f"%s{k + 1} = add.s32 %s{k}, %x{k}" for k in range(8)]
    block = code("ptx", entry=[*loads, *sums, "st.shared.b32 0, 0, %s8", "exit"])
    rows = BlockRows(block.entry.instructions, (), (1, 0), description)
    order = fewest_registers(rows)
    assert list(pairwise(order[:16:2])) == [(k, k + 1) for k in range(7)]
    assert LiveProfile(rows, order).most[GENERAL] == 2
    assert LiveProfile(rows, range(18)).most == (9, 0)
    assert rows.alive[PREDICATES] == 0


def test_no_more_predicates_are_alive_than_there_are(description):
    compared = [f"%p{k} = setp.lt.s32 %a, {k}" for k in range(12)]
    chosen = [f"%s{k + 1} = selp.b32 %s{k}, {k}, %p{k}" for k in range(12)]
    entry = code("ptx", entry=[*compared, *chosen, "st.shared.b32 0, 0, %s12", "exit"]).entry
    rows = BlockRows(entry.instructions, (), (2, 0), description)
    assert LiveProfile(rows, range(26)).most[PREDICATES] == 12
    order = Scheduler(rows).run(64)
    assert LiveProfile(rows, order).most[PREDICATES] <= MOST_PREDICATES
