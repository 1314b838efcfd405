"""Copies between DRAM and a core by either way: random ones in one queue, on an idle chip."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest

from sim.status import DONE
from tests.campaign.seeds import campaign, check_all
from tests.programs.tile_runs import compiled, machine_named, program_of, simulate
from tests.sim.cluster.chip_runs import ChipRun, run

ONE_CORE = ("clusters=1", "cores=1")
WAYS = ("iodma", "gdma_mvdma", "auto")
HEAD = """\
x: f32[4096] in dram
a: f32[1024] in nram
w: f32[1024] in wram

func @main() {
entry:
"""
WIDE = "sram.width=128 B"
"""So that the two steps of a copy never wait for one another at the port of the SRAM."""


def of_copies(copies: Sequence[tuple[str, str]]) -> str:
    """A program of one core: what each copy writes and reads."""
    lines = [f"    tensor.copy.f32 {target}, {source}" for target, source in copies]
    return HEAD + "\n".join([*lines, "    return", "}"])


def random_copy(rng: random.Random) -> tuple[str, str]:
    """Of some elements in segments on one side or on both, one way or the other."""
    count, length = rng.choice([(1, rng.randint(1, 900)), (rng.randint(2, 12), rng.randint(1, 70))])
    both = [
        _interval(rng, "x", 4096, count, length),
        _interval(rng, rng.choice("aw"), 1024, count, length),
    ]
    rng.shuffle(both)
    return both[0], both[1]


def _interval(rng: random.Random, buffer: str, size: int, count: int, length: int) -> str:
    """So many segments, or all of them as one."""
    if count > 1 and rng.random() < 0.3:
        count, length = 1, count * length
    stride = rng.randint(length, max(length, (size - length) // max(count - 1, 1)))
    low = rng.randint(0, size - length - stride * (count - 1))
    return f"{buffer}[{low}:{low + length}" + (f", {count} by {stride}]" if count > 1 else "]")


def on_every_way(text: str, *overrides: str) -> dict[str, ChipRun]:
    """A chip on which nothing goes through SRAM does not take figures of staging."""
    found = {}
    for way in WAYS:
        some = [one for one in overrides if way != "iodma" or "staging" not in one]
        found[way] = run(text, overrides=[f"dram_path={way}", *ONE_CORE, *some])
    return found


def moved(done: ChipRun, name: str) -> int:
    """Bytes that an engine moved."""
    return done.outcome.statistics.bytes.get(name, 0)


# One copy


def check_one(seed: int) -> bool:
    """`auto` takes the way that ends first, and controllers move as much on either."""
    rng = random.Random(seed)
    choices = {
        "iodma.width": ("2 B", "8 B", "16 B"),
        "iodma.setup": ("5 cycles", "60 cycles"),
        "gdma.outstanding": (1, 2),
        "mvdma.outstanding": (1, 2),
        "sram.staging.piece": ("64 B", "128 B", "512 B"),
        "sram.staging.pieces": (1, 2, 3),
        "dma_engines": ("separate", "iodma+mvdma", "gdma+iodma"),
    }
    figures = [f"{name}={rng.choice(some)}" for name, some in choices.items()]
    done = on_every_way(of_copies([random_copy(rng)]), WIDE, *figures)
    direct, staged, auto = (done[way] for way in WAYS)
    assert auto.cycles == min(direct.cycles, staged.cycles)
    through_sram = auto.outcome.statistics.links["srams"] > 0
    assert through_sram == (staged.cycles < direct.cycles)
    assert len({one.outcome.statistics.links["dram"] for one in done.values()}) == 1
    return through_sram


def test_auto_takes_the_way_that_ends_first():
    assert 5 <= sum(check_one(seed) for seed in range(40)) <= 35


@campaign(100, 100, 600)
def test_auto_campaign(seeds):
    check_all(check_one, seeds)


# Several in one queue


def check_queue(seed: int) -> None:
    """They end in their order and do not overlap if one goes through SRAM; memory is the same on
    every way, and all bytes are counted."""
    rng = random.Random(seed)
    copies = [random_copy(rng) for _ in range(6)]
    done = on_every_way(of_copies(copies), f"iodma.width={rng.choice([2, 8, 16])} B")
    bytes_moved = {way: moved(one, "iodma") + moved(one, "gdma") for way, one in done.items()}
    assert len(set(bytes_moved.values())) == 1
    for one in done.values():
        assert moved(one, "gdma") == moved(one, "mvdma")
        assert [command.line for command in one.commands] == list(range(7, 13))
        for before, after in zip(one.commands, one.commands[1:], strict=False):
            assert after.begin >= before.cycle


def test_a_queue_keeps_its_order():
    for seed in range(10):
        check_queue(seed)


@campaign(50, 100, 300)
def test_queue_campaign(seeds):
    check_all(check_queue, seeds)


@pytest.mark.parametrize("way", WAYS)
def test_what_was_stored_is_loaded(way: str):
    there_and_back = [
        ("a[0:256]", "x[0:256]"),
        ("x[512:768]", "a[0:256]"),
        ("w[0:256]", "x[512:768]"),
        ("x[1024:1280]", "w[0:256]"),
    ]
    program = program_of(of_copies(there_and_back))
    machine = machine_named("teaching_chip", f"dram_path={way}", *ONE_CORE)
    done = simulate(compiled(program, machine), program, machine)
    x = done.memory.view("x").view(np.float32)
    assert done.outcome.status == DONE
    assert np.array_equal(x[:256], x[512:768]) and np.array_equal(x[:256], x[1024:1280]) and x.any()


# What a wait and a race are about


def test_a_wait_is_for_the_whole_copy():
    text = (
        HEAD
        + """\
    tensor.copy.f32 a[0:256], x[0:256]
    sync_io 0
    tensor.add.f32 a[0:256], a[0:256], a[0:256]
    return
}"""
    )
    load, add = run(text, overrides=["dram_path=gdma_mvdma", *ONE_CORE]).commands
    assert add.begin > load.cycle


LOAD, STORE = "tensor.copy.f32 a[0:64], x[0:64]", "tensor.copy.f32 x[0:64], a[0:64]"


def filled_beside(copy: str, quotients: int) -> str:
    """A program that fills the NRAM of the copy 1 + 8 * quotients + 1 cycles behind it, for 6."""
    wait = ["k = core_id", *["k = div_s.i64 k, 2"] * quotients]
    return HEAD + "\n".join([f"    {copy}", *wait, "tensor.fill.f32 a[0:8], 0.0", "return", "}"])


@pytest.mark.parametrize(("copy", "begin", "end"), [(LOAD, 33, 61), (STORE, 5, 38)])
def test_a_copy_is_under_way_from_its_first_byte_to_its_last(copy: str, begin: int, end: int):
    """Worked out by hand in staged_in and staged_out: from its first step's to its last step's."""
    text = HEAD + f"    {copy}\n    return\n}}"
    (one,) = run(text, overrides=["dram_path=gdma_mvdma", *ONE_CORE]).commands
    assert (one.begin, one.cycle) == (begin, end)


@pytest.mark.parametrize("quotients", [0, 2, 4, 8])
@pytest.mark.parametrize("copy", [LOAD, STORE])
def test_without_a_wait_it_races_whenever_the_other_comes(copy: str, quotients: int):
    """While it waits, while it moves, and when it has ended."""
    with pytest.raises(AssertionError, match="a race for bytes"):
        run(filled_beside(copy, quotients), overrides=["dram_path=gdma_mvdma", *ONE_CORE])
