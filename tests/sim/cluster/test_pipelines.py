"""Software pipelines take what the closed forms say, where nothing is in anything else's way.

    sequential                  n (l + c + s)
    three stages                l + max(l, c) + (n - 2) max(l + s, c) + max(s, c) + s + (n + 2) y
    four stages                 a slot: max(l, m, c, s) + y
    five, three of them in one  a slot: max(l + s, m + c + m2) + y
    five, each in a slot        a slot: max(l + s, m + m2, c) + y

The machine is teaching_chip with DRAM, network and SRAM so wide that a DMA alone decides.  Each DMA
has one copy in flight: else the setup and the latency of a copy pass while another one moves, and a
queue that does two stages takes less than their sum.  To hand on a command costs nothing here.

What is in a stage is measured by a program that does it alone: setup, latency and hops are in l, m
and s, issue and depth of the vector unit in c.  A barrier of the cluster is y.
"""

from __future__ import annotations

from itertools import pairwise

import pytest

from machines.description.load import load_machine
from tests.campaign.seeds import short_form
from tests.sim.cluster.chip_runs import run
from tests.sim.cluster.pipelines import CORES, Pipeline

MACHINE = (
    "clusters=1",
    "dram.bandwidth=1 TB/s",
    "noc.width=2 KiB",
    "sram.width=2 KiB",
    "sram.size=62 KiB",
    "scalar.issue=0 cycles",
    "scalar.queue=64",
    *(f"{dma}.outstanding=1" for dma in ("iodma", "mvdma", "gdma")),
)
BARRIER = 10
PIPELINES = {
    "four": [{"gdma_in": 0}, {"move_in": 1}, {"compute": 2}, {"io_out": 3}],
    "five": [{"gdma_in": 0, "gdma_out": 2}, {"move_in": 1, "compute": 1, "move_out": 1}],
    "five_in_slots": [{"gdma_in": 0, "gdma_out": 4}, {"move_in": 1, "move_out": 3}, {"compute": 2}],
}
"""Of each what is done beside one another in a slot, and behind one another; and how many slots
behind the first one a tile is there."""
SPEEDS = {
    "as it is": (),
    "slow iodma": ("iodma.width=2 B",),
    "slow mvdma": ("mvdma.width=2 B",),
    "slow gdma": ("gdma.width=4 B",),
    "slow vector unit": ("vector.width=4 B",),
    "slow vector unit and gdma": ("vector.width=4 B", "gdma.width=4 B"),
    "nearly alike": ("iodma.width=4 B", "mvdma.width=3 B", "gdma.width=11 B", "vector.width=4 B"),
}
TILES = [Pipeline(7, 64, 1), Pipeline(8, 32, 5), Pipeline(2, 128, 2)]
everywhere = pytest.mark.parametrize("speeds", SPEEDS.values(), ids=SPEEDS)
tiles_of_all_sorts = pytest.mark.parametrize(
    "tiles", short_form(TILES, 1), ids=lambda t: f"{t.count} of {t.size}, {t.steps} steps"
)


def alone(tiles: Pipeline, overrides: tuple[str, ...], ipu: list[str], mem: list[str]) -> int:
    """Cycles of a stage that nothing else goes beside; cores that have bounds to compute meet
    first."""
    text = tiles.text(ipu, mem)
    before = run(tiles.text([], ["sync_io 0"]), overrides=overrides).cycles if mem else 0
    return run(text, overrides=overrides).cycles - before


def stages(tiles: Pipeline, overrides: tuple[str, ...]) -> dict[str, int]:
    """Cycles of each."""
    idle = ["sync_io 0"]
    return {
        "io_in": alone(tiles, (*overrides, "cores=1"), tiles.io_in(0), []),
        "io_out": alone(tiles, (*overrides, "cores=1"), tiles.io_out(0), []),
        "compute": alone(tiles, (*overrides, "cores=1"), tiles.compute(0), []),
        "move_in": alone(tiles, overrides, tiles.move_in(0), idle),
        "move_out": alone(tiles, overrides, tiles.move_out(0), idle),
        "gdma_in": alone(tiles, overrides, [], tiles.gdma_in(0)),
        "gdma_out": alone(tiles, overrides, [], tiles.gdma_out(0)),
    }


def worked_out(tiles: Pipeline, overrides: tuple[str, ...]) -> dict[str, int]:
    """The same from the machine's figures."""
    chip = load_machine("teaching_chip", overrides).description
    size = tiles.size * 4
    there = 2 * chip.noc.hop + chip.dram_latency

    def bytes_of(dma, count: int) -> int:
        return dma.setup - (-count // dma.width)

    unit = chip.vector
    return {
        "io_in": bytes_of(chip.iodma, size) + there,
        "io_out": bytes_of(chip.iodma, size) + chip.noc.hop,
        "compute": tiles.steps * (unit.issue + unit.depth - (-size // unit.width)),
        "move_in": bytes_of(chip.mvdma, size),
        "move_out": bytes_of(chip.mvdma, size),
        "gdma_in": bytes_of(chip.gdma, CORES * size) + there,
        "gdma_out": bytes_of(chip.gdma, CORES * size) + chip.noc.hop,
    }


@everywhere
@tiles_of_all_sorts
def test_stages_by_themselves(tiles, speeds):
    overrides = (*MACHINE, f"cores={CORES}", *speeds)
    assert stages(tiles, overrides) == worked_out(tiles, overrides)


@everywhere
@tiles_of_all_sorts
def test_sequential_and_three_stages(tiles, speeds):
    overrides = (*MACHINE, "cores=1", *speeds)
    n, of = tiles.count, worked_out(tiles, overrides)
    load, compute, store = of["io_in"], of["compute"], of["io_out"]
    assert run(tiles.sequential(), overrides=overrides).cycles == n * (load + compute + store)
    total = load + max(load, compute) + (n - 2) * max(load + store, compute)
    total += max(store, compute) + store + (n + 2) * BARRIER
    assert run(tiles.three(), overrides=overrides).cycles == total


@everywhere
@tiles_of_all_sorts
@pytest.mark.parametrize("name", PIPELINES)
def test_pipelines_with_the_mem_core(name, tiles, speeds):
    """Every slot is as long as the longest of its queues, at the ends as far as they have tiles."""
    overrides = (*MACHINE, f"cores={CORES}", *speeds)
    of, queues, n = worked_out(tiles, overrides), PIPELINES[name], tiles.count
    last = max(late for queue in queues for late in queue.values())
    lengths = [
        max(
            sum(of[stage] for stage, late in queue.items() if 0 <= slot - late < n)
            for queue in queues
        )
        for slot in range(n + last)
    ]
    done = run(getattr(tiles, name)(), overrides=overrides)
    begin = run(tiles.text([], ["sync_io 0"]), overrides=overrides).cycles
    assert done.cycles - begin == sum(lengths) + len(lengths) * BARRIER
    steady = [length + BARRIER for length in lengths[last : n - 1]]
    assert steady == [max(lengths) + BARRIER] * max(n - 1 - last, 0)
    starts = sorted(c.begin for c in done.commands if (c.core, c.queue) == (0, "compute"))
    (computed,) = (late for queue in queues for stage, late in queue.items() if stage == "compute")
    between = [later - earlier for earlier, later in pairwise(starts[:: tiles.steps])]
    assert between[last - computed : n - 1 - computed] == steady
