"""Random tile programs: what they mean, their streams of commands and what the chip does agree."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from compiler.ir.facts import is_flat
from machines.description.load import Machine
from machines.diagnostics import InputError
from machines.kinds.cluster.code import ADDRESSES
from sim.cores.cluster.values import Values
from tests.campaign.seeds import campaign, check_all, spread
from tests.programs.random_tiles import Options, generate
from tests.programs.tile_runs import (
    check_that_all_agree,
    compiled,
    machine_named,
    program_of,
    run_streams,
    run_tiles,
    runs_that_agree,
    simulate,
)

MACHINES = ("teaching_chip", "mlu270", "mlu370", "mlu_single", "seed_chip")
OPTIONS = (
    Options(),
    Options(stages=True),
    Options(mem=False),
    Options(straight=True),
    Options(exact=True),
)


def check(seed: int, machine: Machine) -> None:
    """All ways to run a program, with the cores in any order, leave the same."""
    program = generate(seed, machine, OPTIONS[seed % len(OPTIONS)])
    code, on_chip = runs_that_agree(program, machine)
    turned = run_tiles(program, machine, backward=True)
    assert turned.bytes == on_chip.bytes and not turned.outcome.races
    turned = run_streams(code, program, machine, backward=True)
    assert turned.bytes == on_chip.bytes and not turned.outcome.races
    shuffled = simulate(code, program, machine, order=seed)
    assert shuffled.bytes == on_chip.bytes
    assert shuffled.outcome.cycles == on_chip.outcome.cycles


@pytest.mark.parametrize("name", MACHINES)
def test_all_agree(name):
    few = {"teaching_chip": 5, "mlu_single": 3}.get(name, 1)
    for seed in range(few):
        check(seed, machine_named(name))


@campaign(50, 0, 1000)
@pytest.mark.parametrize("name", MACHINES)
def test_campaign(name, seeds):
    check_all(lambda seed: check(seed, machine_named(name)), seeds)


# Waits that count


def test_all_agree_where_waits_count():
    for seed in range(20, 23):
        check(seed, machine_named("teaching_chip", "waits=counted"))


@campaign(50, 0, 1000)
def test_counted_campaign(seeds):
    check_all(lambda seed: check(seed, machine_named("teaching_chip", "waits=counted")), seeds)


# Copies between DRAM and cores that go through SRAM

THROUGH_SRAM = (
    ("teaching_chip", "dram_path=gdma_mvdma"),
    ("teaching_chip", "dram_path=auto"),
    ("teaching_chip", "dram_path=auto", "dma_engines=iodma+mvdma", "sram.staging.piece=64 B"),
    ("teaching_chip", "dram_path=gdma_mvdma", "dma_engines=gdma+iodma", "scalar.issue=0 cycles"),
    ("seed_chip", "dram_path=gdma_mvdma"),
    ("seed_chip", "dram_path=auto"),
)


@pytest.mark.parametrize("chip", spread(THROUGH_SRAM, 2), ids=" ".join)
def test_all_agree_through_sram(chip):
    for seed in range(40, 41):
        check(seed, machine_named(*chip))


@campaign(50, 0, 1000)
@pytest.mark.parametrize("chip", THROUGH_SRAM, ids=" ".join)
def test_campaign_through_sram(chip, seeds):
    check_all(lambda seed: check(seed, machine_named(*chip)), seeds)


# Scratchpads where room is short


SIZES = (2048, 1536, 1024, 768, 512)


def smallest(seed: int):
    """A program and the chip with the smallest NRAM that it fits in."""
    program = generate(seed, machine_named("teaching_chip"), Options(stages=True))
    found = None
    for size in SIZES:
        machine = machine_named("teaching_chip", f"nram.size={size} B", f"wram.size={size} B")
        try:
            found = machine, compiled(program, machine)
        except InputError:
            break
    return program, *found


def shares(code) -> bool:
    """Whether buffers of the cores that compute overlap."""
    function = code.functions[0]
    placed = [(b.space, ADDRESSES.of(function)[b.name], b.size) for b in function.buffers.values()
              if b.name in ADDRESSES.of(function) and not is_flat(b.space)]  # fmt: skip
    return any(
        a is not b and a[0] == b[0] and a[1] < b[1] + b[2] and b[1] < a[1] + a[2]
        for a in placed
        for b in placed
    )


class Written:
    """Of every byte of the scratchpads the buffer by whose name it was written last."""

    def __init__(self):
        self.by: dict[tuple, str] = {}
        self.perform = Values.perform

    def __call__(self, values: Values, command) -> None:
        for stores in (False, True):
            for memory, one in command.touches():
                if one.stores == stores and one.space != "dram":
                    self._touch(memory, one)
        self.perform(values, command)

    def _touch(self, memory, one) -> None:
        for begin in one.begins:
            for byte in range(begin, begin + one.length):
                if one.stores:
                    self.by[memory, byte] = one.buffer
                else:
                    assert self.by.get((memory, byte), one.buffer) == one.buffer, one


def check_short(seed: int) -> bool:
    """The bytes are the same, and no buffer that is alive is overwritten by another one."""
    program, machine, code = smallest(seed)
    written = Written()
    with patch.object(Values, "perform", lambda values, command: written(values, command)):
        check_that_all_agree(program, machine)
    return shares(code)


@pytest.mark.parametrize("seeds", [range(4)])
def test_buffers_share_addresses_where_room_is_short(seeds):
    assert sum(map(check_short, seeds)) >= len(seeds) // 3


@campaign(50, 100, 600)
def test_short_campaign(seeds):
    check_all(check_short, seeds)


def test_what_does_not_fit_is_refused_in_one_sentence():
    text = """
x: f32[2048] in dram
y: f32[512] in dram
a: f32[512] in nram
b: f32[768] in nram

func @main() {
entry:
    tensor.copy.f32 a[0:512], x[0:512]
    tensor.copy.f32 b[0:768], x[0:768]
    tensor.add.f32 a[0:512], a[0:512], b[0:512]
    tensor.copy.f32 y[0:512], a[0:512]
    return
}
"""
    with pytest.raises(InputError) as refused:
        compiled(program_of(text), machine_named("teaching_chip"))
    (finding,) = refused.value.diagnostics
    assert finding.location.line == 5
    assert finding.message == (
        "5120 bytes of buffers that are alive together do not fit in 4096 of nram"
    )
