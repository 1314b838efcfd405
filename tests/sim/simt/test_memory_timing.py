"""The memory system of SIMT machines, worked out by hand on `teaching_gpu`, and the published
figures of real ones.

teaching_gpu: L1 20 cycles, 4 tags a cycle; L2 40, a slice moves a sector a cycle; DRAM 100, of two
channels each moves a sector in 2 cycles (16 bytes a cycle at 1 GHz); shared memory 20.
"""

from __future__ import annotations

import random

import pytest

from sim.cores.simt.memory import parameters as at
from sim.cores.simt.memory.parameters import ATOMIC, LOAD, REDUCTION, STORE, build
from tests.sim.simt.play_memory import (
    CONSTANT,
    FENCE,
    LOCAL,
    SHARED,
    Access,
    chase,
    machine,
    play,
    stream,
)

BASE = 1 << 16
L1, L2, DRAM, SHARED_LATENCY, CONSTANT_LATENCY = 20, 40, 100, 20, 10
WARM, LATER = 0, 10_000
"""Cycles: the first access of a test, and one when nothing is on its way any more."""


def strided(bytes_apart: int, first: int = BASE, lanes: int = 32) -> list[int]:
    return [first + lane * bytes_apart for lane in range(lanes)]


def answers(*accesses: Access, **changes) -> list[tuple[int, int]]:
    return play(machine("teaching_gpu", *changes.get("overrides", ())), accesses)[0]


def counts(column: int, *accesses: Access, kind: int = LOAD) -> int:
    return int(play(machine(), accesses)[1].counts[column + kind])


@pytest.mark.parametrize(
    ("addresses", "size", "lines", "sectors"),
    [
        (strided(4), 4, 1, 4),
        (strided(8), 4, 2, 8),
        (strided(16), 4, 4, 16),
        (strided(32), 4, 8, 32),
        (strided(128), 4, 32, 32),
        (strided(4, BASE + 4), 4, 2, 5),
        (strided(0), 4, 1, 1),
        (strided(8), 8, 2, 8),
        (strided(16), 16, 4, 16),
        (strided(1), 1, 1, 1),
        (strided(-4, BASE + 124), 4, 1, 4),
        ([BASE, BASE + 128, BASE, BASE + 128], 4, 2, 2),
    ],
)
def test_lines_and_sectors_of_a_load(addresses, size, lines, sectors):
    access = Access(WARM, addresses, size=size)
    assert counts(at.L1_REQUESTS, access) == lines
    assert counts(at.SECTORS_WANTED, access) == sectors


def test_a_load_of_one_sector_takes_the_latency_of_its_level():
    one = [BASE]
    first, again = answers(Access(WARM, one), Access(LATER, one))
    assert first == (DRAM, WARM)
    assert again == (LATER + L1, LATER)


def test_what_another_sm_has_read_is_in_the_l2():
    two_sms = ("sms=2",)
    _, other = answers(Access(WARM, [BASE]), Access(LATER, [BASE], sm=1), overrides=two_sms)
    assert other[0] == LATER + L2


@pytest.mark.parametrize(
    ("apart", "lines", "sectors"), [(4, 1, 4), (8, 2, 8), (32, 8, 32), (128, 32, 32)]
)
def test_hits_take_a_cycle_for_every_four_lines(apart, lines, sectors):
    """Four tags a pass, a pass a cycle; the path has taken the access with its last pass."""
    warm = [Access(1000 * k, strided(apart)) for k in range(2)]
    warm += [Access(LATER, strided(apart)), Access(LATER, strided(apart))]
    *_, first, second = answers(*warm)
    extra = (lines - 1) // 4
    assert first == (LATER + L1 + extra, LATER + extra)
    assert second == (LATER + L1 + 1 + 2 * extra, LATER + 1 + 2 * extra)


def test_words_of_a_bank_are_further_apart_for_one_access_than_for_two():
    """32 words of a bank: the path is busy for 32 cycles, the access takes 2 for each after one,
    and the pipe waits for all but two."""
    banks = ("memory.l1.banks=32", "memory.l1.bank_width=4B", "memory.l1.conflict_interval=2cycles")
    warm = [Access(1000 * k, strided(128)) for k in range(2)]
    column = [Access(LATER, strided(128)), Access(LATER, strided(128))]
    *_, first, second = answers(*warm, *column, overrides=banks)
    assert first == (LATER + L1 + 62, LATER + 60)
    assert second == (LATER + 32 + L1 + 62, LATER + 32 + 60)


@pytest.mark.parametrize(("apart", "lines"), [(4, 1), (16, 4), (32, 8), (128, 32)])
def test_lines_of_a_store_beyond_a_pass_of_tags_go_out_in_turn(apart, lines):
    further = 3 * max(0, lines - 4)
    store = Access(LATER, strided(apart), kind=STORE)
    warm, load = Access(WARM, [BASE]), Access(LATER, [BASE])
    _, stored, loaded = answers(warm, store, load, overrides=("memory.l1.store_interval=3cycles",))
    assert (stored[1], loaded[1]) == (LATER + further, LATER + 1 + further)


def test_a_line_takes_three_services_of_its_slice_and_channel_more():
    """Four sectors: the slice passes one a cycle, the channel one in two."""
    full, again = answers(Access(WARM, strided(4)), Access(LATER, strided(4)))
    assert full[0] == DRAM + 3 * 1 + 3 * 2
    assert again[0] == LATER + L1


def test_a_sector_on_its_way_is_waited_for():
    accesses = [Access(WARM, [BASE]), Access(5, [BASE + 4])]
    assert answers(*accesses)[1] == (DRAM, 5)
    assert counts(at.L1_MERGED, *accesses) == 1


def test_no_more_than_the_merges_wait_for_a_sector():
    """The fifth access would be the fifth to wait for the sector: those behind it go on when the
    sector has come (80 cycles before it would be there for a load that hits)."""
    accesses = [Access(k, [BASE]) for k in range(6)]
    *_, fifth, sixth = answers(*accesses)
    assert fifth == (DRAM, 4)
    assert sixth == (DRAM, DRAM - L1)


def test_any_number_waits_for_a_sector_where_there_is_no_limit():
    """More than a count of eight bits has room for: those that come while it is on its way, a cycle
    apart, are done with it."""
    slow = ("memory.dram.latency=400cycles",)
    accesses = [Access(0, [BASE]) for _ in range(300)]
    merging = answers(*accesses, overrides=("memory.l1.merges=0", *slow))
    assert merging == [(400, k) for k in range(300)]
    limited = answers(*accesses, overrides=("memory.l1.merges=255", *slow))
    assert limited[:256] == merging[:256] and limited[256] == (400, 400 - L1)


def test_what_lanes_share_is_written_to_the_registers_of_each():
    """Eight bytes of one address are 256 bytes of registers, 128 a cycle; of 16 lanes 128."""
    warm = Access(WARM, [BASE] * 32, size=8)
    half = {"mask": (1 << 16) - 1}
    for more, further in (({}, 1), (half, 0), ({"kind": STORE}, 0), ({"kind": REDUCTION}, 0)):
        wide = Access(LATER, [BASE] * 32, size=8, **more)
        assert answers(warm, wide, Access(LATER, [BASE]))[2][1] == LATER + 1 + further


def test_misses_beyond_the_entries_wait_for_one():
    """Two entries: the third miss goes out when the first has come, at 100, instead of at 22."""
    third, fourth = answers(
        *(Access(k, [BASE + 4096 * k]) for k in range(4)),
        overrides=("memory.l1.mshrs=2", "memory.l2.slices=1", "memory.l2.size=64KiB",
                   "memory.dram.channels=1", "memory.dram.bandwidth=32GB/s"),
    )[2:]  # fmt: skip
    assert third[0] == 100 + DRAM - L1
    assert fourth == (101 + DRAM - L1, 100 - L1)


def test_entries_of_a_slice_of_the_l2_are_waited_for():
    """One entry: the second miss leaves its slice when the first sector is there, at 90."""
    overrides = ("memory.l2.mshrs=1", "memory.l2.slices=1", "memory.l2.size=64KiB")
    accesses = [Access(k, [BASE + 4096 * k]) for k in range(2)]
    assert answers(*accesses, overrides=overrides)[1][0] == 90 + (DRAM - L2) + (L2 - L1) // 2


def test_lines_leave_in_the_order_of_their_use():
    """Four ways of 32 sets: the fifth line of a set displaces the one used least recently."""
    same_set = [BASE + 4096 * k for k in range(5)]
    order = [0, 1, 2, 3, 0, 4, 0, 1]
    times = answers(*(Access(LATER * (k + 1), [same_set[n]]) for k, n in enumerate(order)))
    latencies = [done - LATER * (k + 1) for k, (done, _) in enumerate(times)]
    assert latencies == [DRAM] * 4 + [L1, DRAM, L1, L2]


def test_the_carve_out_leaves_the_rest_to_the_l1():
    lines = [BASE + 128 * k for k in range(96)]  # 12 KiB
    accesses = [Access(LATER * (k + 1), [a]) for k, a in enumerate(lines * 2)]
    for carve_out, misses in ((0, 96), (8 << 10, 192)):
        memory = play(machine(), accesses, carve_out=carve_out)[1]
        assert memory.counts[at.L1_MISSES + LOAD] == misses


def test_a_store_is_done_when_the_l2_has_it():
    assert answers(Access(WARM, [BASE], kind=STORE))[0] == (L2, WARM)
    assert answers(Access(WARM, strided(4), kind=STORE))[0] == (L2 + 3, WARM)


def test_a_whole_sector_stored_is_read_from_the_l2_and_a_part_fetched():
    whole = [Access(WARM, strided(4, lanes=8), kind=STORE), Access(LATER, [BASE])]
    part = [Access(WARM, strided(4, lanes=7), kind=STORE), Access(LATER, [BASE])]
    assert answers(*whole)[1][0] == LATER + L2
    assert answers(*part)[1][0] == LATER + DRAM


def test_dirty_lines_are_written_back_when_they_leave():
    """The L2 holds 1024 lines; of 3072 lines stored about two thirds have left it."""
    accesses = [Access(100 * k, strided(4, BASE + 128 * k), kind=STORE) for k in range(3 * 1024)]
    memory = play(machine(), accesses)[1]
    assert memory.counts[at.L2_DIRTIED] == 4 * len(accesses)
    assert memory.counts[at.DRAM_WRITTEN] == 4 * 2 * 1024
    assert not memory.counts[at.DRAM_READ : at.DRAM_READ + len(at.KINDS)].any()


def one_channel(*changes: str) -> tuple[str, ...]:
    """A sector a cycle by one channel, and what is said of it; 1 ns is a cycle.

    A load that issues in a cycle asks the DRAM 60 later: 20 of the L1, 10 to the L2, 30 from there.
    """
    return ("memory.dram.channels=1", *changes)


def test_a_bank_opens_a_row_for_who_wants_another_one():
    """The first load opens a row at 60 and keeps the channel until 70, for 10 cycles; the second
    finds its row open, and moves at 70 what it would have at 61.  The third wants another row of
    the only bank, which has opened one at 60 and may do so again at 110."""
    rows = one_channel(
        "memory.dram.rows={interleave: 256 B, banks: 1, interval: 10 ns, cycle: 50 ns}"
    )
    loads = [Access(k, [BASE + place]) for k, place in enumerate((0, 128, 256))]
    assert [done for done, _ in answers(*loads, overrides=one_channel())] == [100, 101, 102]
    results, memory = play(machine("teaching_gpu", *rows), loads)
    assert [done for done, _ in results] == [DRAM, 1 + DRAM + 70 - 61, 2 + DRAM + 110 - 62]
    assert memory.counts[at.DRAM_ROWS] == 2
    assert memory.counts[at.DRAM_BANK_WAIT] == 110 - 62 << at.TICK_BITS


def test_a_channel_collects_writes_and_turns_around_for_all_of_them():
    """An L2 of eight lines, all dirty: the next store displaces one, the one after it a second,
    and with two sectors the channel turns: that store reaches the L2 at 31 and the channel at 61,
    which writes for 2 cycles, and before it turns for 20 if it has read since it last wrote.  A
    load that asks at 62 waits for that."""
    writes = one_channel(
        "memory.l2.size=1 KiB", "memory.l2.ways=8", "memory.l2.slices=1",
        "memory.dram.writes={batch: 64 B, turnaround: 20 ns}",
    )  # fmt: skip
    stores = [
        Access(LATER * (1 + k // 8) + k % 8, strided(4, BASE + 128 * k, 8), kind=STORE)
        for k in range(10)
    ]
    load = Access(2 * LATER + 2, [BASE + 4096])
    results, memory = play(machine("teaching_gpu", *writes), [*stores, load])
    assert results[-1][0] == 2 * LATER + 2 + DRAM + (63 - 62)
    assert memory.counts[at.DRAM_TURNS] == 0
    before = Access(WARM, [BASE + 8192])
    results, memory = play(machine("teaching_gpu", *writes), [before, *stores, load])
    assert results[-1][0] == 2 * LATER + 2 + DRAM + (83 - 62)
    assert memory.counts[at.DRAM_TURNS] == 1


@pytest.mark.parametrize(
    ("cycle", "begin"),
    [(0, 200), (139, 200), (140, 200), (200, 260), (939, 999), (940, 1200), (1141, 1201)],
)
def test_a_channel_that_is_refreshed_lets_loads_wait(cycle, begin):
    """The first 200 of each 1000 cycles; a load asks the DRAM 60 after its issue."""
    refreshed = one_channel("memory.dram.refresh={interval: 1000 ns, time: 200 ns}")
    results, memory = play(machine("teaching_gpu", *refreshed), [Access(cycle, [BASE])])
    assert results[0][0] == cycle + DRAM + begin - (cycle + 60)
    assert memory.counts[at.DRAM_REFRESH_WAIT] == begin - (cycle + 60) << at.TICK_BITS


def test_work_goes_on_behind_a_refresh():
    """A line of four sectors takes 3 cycles more in the slice and 3 in the channel.  The first asks
    at 998 and has the channel for 2 of its 4 cycles before the refresh, the others from 1200 on;
    the second, asked at 999, begins at 1202, and the third at 1206."""
    refreshed = one_channel("memory.dram.refresh={interval: 1000 ns, time: 200 ns}")
    loads = [Access(935 + k, strided(4, BASE + 128 * k)) for k in range(3)]
    waits = [0, 1202 - 999, 1206 - 1000]
    expected = [935 + k + DRAM + 3 + 3 + wait for k, wait in enumerate(waits)]
    assert [done for done, _ in answers(*loads, overrides=refreshed)] == expected


def test_what_stores_wrote_in_part_is_completed_when_it_leaves():
    """A burst is read for each line before it is written back; one that became whole is not."""
    parts = [Access(100 * k, strided(4, BASE + 128 * k, lanes=7), kind=STORE) for k in range(3072)]
    rest = [
        Access(access.cycle + 1, [a + 28 for a in access.addresses[:1]], kind=STORE)
        for access in parts
    ]
    memory = play(machine(), parts)[1]
    assert memory.counts[at.L2_COMPLETED] == memory.counts[at.DRAM_WRITTEN] == 2 * 1024
    pairs = [access for pair in zip(parts, rest, strict=True) for access in pair]
    assert play(machine(), pairs)[1].counts[at.L2_COMPLETED] == 0


@pytest.mark.parametrize(("lanes", "size", "then"), [(32, 1, L2), (31, 1, DRAM), (16, 2, L2)])
def test_bytes_fill_a_sector_if_they_fill_its_words(lanes, size, then):
    stored = Access(WARM, strided(size, lanes=lanes), kind=STORE, size=size)
    assert answers(stored, Access(LATER, [BASE]))[1][0] == LATER + then


def test_halves_of_words_of_local_memory_fill_nothing():
    """Of a warp of 64 lanes, which a store of one line to global memory came before: every lane has
    a word of its own, of which it writes the lower half."""
    wide, all_ = ("warp_width=64",), (1 << 64) - 1
    accesses = [
        Access(WARM, [BASE] * 64, kind=STORE, mask=all_),
        Access(LATER, [0] * 64, LOCAL, STORE, size=2, frame=64, mask=all_),
        Access(2 * LATER, [0] * 64, LOCAL, frame=64, mask=all_),
    ]
    counted = play(machine("teaching_gpu", *wide), accesses)[1].counts
    assert counted[at.DRAM_READ + at.LOCAL_LOAD] == 8


def test_atomics_occupy_their_slice():
    """Four cycles for a sector, its way through the slice included: all words at once, lanes that
    want the same one in turn."""
    same, words, load, lines = answers(
        Access(WARM, [BASE] * 32, kind=ATOMIC),
        Access(LATER, strided(4, lanes=8), kind=ATOMIC),
        Access(LATER + 1, [BASE + 32]),
        Access(2 * LATER, [BASE, BASE + 128], kind=ATOMIC),
    )
    assert same[0] == DRAM + 32 * 4 - 1
    assert words[0] == LATER + L2 + 4
    assert load[0] == LATER + DRAM + 4
    assert lines[0] == 2 * LATER + DRAM + 1 + 2 * 3  # the other line is of the same slice


def test_sums_of_floats_occupy_their_slice_for_longer():
    """Four cycles for the sector, then 6.5 for each further lane; other words cost nothing."""
    slower = ("memory.l2.float_interval=6.5 cycles",)
    same, words = answers(
        Access(WARM, [BASE] * 5, kind=ATOMIC, how=at.FLOAT_SUM),
        Access(LATER, strided(4, lanes=8), kind=ATOMIC, how=at.FLOAT_SUM),
        overrides=slower,
    )
    assert same[0] == DRAM + 4 + 4 * 6.5 - 1
    assert words[0] == LATER + L2 + 4


def test_lines_that_lie_together_are_of_one_slice():
    """Lines 514 and 515 are hashed to different slices, their pair to one: the atomics on the
    second line wait for the four cycles of those on the first."""
    lines = [514 * 128, 515 * 128]
    pair = [Access(WARM, lines), Access(LATER, lines, kind=REDUCTION)]
    [_, (apart, _)] = answers(*pair)
    [_, (together, _)] = answers(*pair, overrides=("memory.l2.interleave=256 B",))
    assert (apart, together) == (LATER + L2 + 4, LATER + L2 + 4 + 4)


def test_a_fence_of_the_device_empties_the_l1():
    load = [BASE]
    first, again, fence, anew, elsewhere = answers(
        Access(WARM, load),
        Access(LATER, load),
        Access(2 * LATER, load, FENCE),
        Access(3 * LATER, load),
        Access(4 * LATER, load),
    )
    assert [done % LATER for done, _ in (first, again, fence, anew, elsewhere)] == [
        DRAM, L1, 0, L2, L1
    ]  # fmt: skip


@pytest.mark.parametrize(("size", "addresses", "partial"), [
    (4, strided(4, lanes=8), 0),
    (4, strided(4, lanes=7), 5),
    (4, strided(16, lanes=8), 2),
    (1, strided(1), 0),
    (1, strided(1, lanes=30), 5),
])  # fmt: skip
def test_a_store_of_parts_of_sectors_occupies_its_slice_longer(size, addresses, partial):
    """Six cycles in all, where a sector takes one: another store waits for as many more."""
    stores = [Access(WARM, addresses, kind=STORE, size=size)] * 2
    one_slice = ("memory.l2.slices=1", "memory.l2.size=64KiB")
    quick, slow = (
        answers(*stores, overrides=(*one_slice, f"memory.l2.partial_store={cycles} cycles"))[1][0]
        for cycles in (1, 6)
    )
    assert slow - quick == partial


def test_a_request_for_one_sector_occupies_its_slice_as_one_for_more():
    """Three cycles: the second request, a cycle behind, waits for two; one of four takes four."""
    one_slice = ("memory.l2.slices=1", "memory.l2.size=64KiB")
    slow = (*one_slice, "memory.l2.request_interval=3cycles")
    sectors = [Access(WARM + k, [BASE + 128 * n]) for k, n in ((0, 0), (9, 1))]
    lines = [Access(WARM + k, strided(4, BASE + 128 * n)) for k, n in ((0, 0), (9, 1))]
    for warm, waits in ((sectors, 2), (lines, 3)):
        others = [Access(LATER + k, access.addresses, sm=1) for k, access in enumerate(warm)]
        *_, first, second = answers(*warm, *others, overrides=("sms=2", *slow))
        further = 3 if waits == 3 else 0
        assert first[0] == LATER + L2 + further
        assert second[0] == LATER + 1 + waits + L2 + further


TWO_PARTITIONS = ("memory.l2.partitions=2", "memory.l2.far_latency=60cycles", "sms=2")
FAR = 60


def homes(partition: int) -> int:
    """The first line from `BASE` on whose home is a partition: a load of the SM near to it takes as
    long as all do, one of the other SM longer."""
    for line in range(BASE, BASE + (1 << 16), 128):
        loads = [Access(WARM, [line], sm=partition), Access(LATER, [line], sm=1 - partition)]
        if answers(*loads, overrides=TWO_PARTITIONS)[1][0] == LATER + FAR:
            return line
    raise AssertionError(f"no line has its home in partition {partition}")


@pytest.mark.parametrize(("lanes", "then"), [(8, L2), (7, FAR)])
def test_a_store_leaves_whole_sectors_in_the_partition_that_it_passes(lanes, then):
    """Its own SM finds them near; what it writes in part, and what the other SM writes, it must get
    from the home of the line."""
    line = homes(0)
    store = Access(WARM, strided(4, line, lanes), kind=STORE, sm=1)
    read, again = Access(LATER, [line], sm=0), Access(2 * LATER, [line], sm=1)
    other = Access(3 * LATER, strided(4, line, 8), kind=STORE, sm=0)
    last = Access(4 * LATER, [line], sm=1)
    times = answers(store, read, again, overrides=TWO_PARTITIONS)
    assert times[0][0] == FAR
    assert times[2][0] == 2 * LATER + then
    one_way = ("memory.l1.size=1KiB", "memory.l1.ways=1", "limits.carve_outs=[0 KiB]",
               "limits.shared_per_cta=0KiB")  # fmt: skip
    displaced = Access(3 * LATER + 1000, [line + 1024], sm=1)
    times = answers(
        store, read, again, other, displaced, last, overrides=(*TWO_PARTITIONS, *one_way)
    )
    assert times[-1][0] == 4 * LATER + FAR


def test_a_store_and_an_atomic_pass_a_slice_of_each_partition():
    line = homes(0)
    for kind in (STORE, REDUCTION):
        accesses = [Access(WARM, [line], kind=kind, sm=sm) for sm in (0, 1)]
        memory = play(machine("teaching_gpu", *TWO_PARTITIONS), accesses)[1]
        assert memory.counts[at.L2_REQUESTS + kind] == 3


@pytest.mark.parametrize(
    ("fetch", "found"), [(32, [0]), (64, [0, 1, 3]), (128, [0, 1, 2, 3])]
)  # fmt: skip
def test_what_a_load_misses_comes_with_its_neighbours(fetch, found):
    """The second SM asks for all sectors in turn: its L1 has none, but the L2 those that came."""
    loads = [Access(WARM, [BASE])]
    loads += [Access(LATER * (1 + k), [BASE + 32 * k], sm=1) for k in range(4)]
    overrides = ("sms=2", f"memory.l2.fetch={fetch} B")
    times = [done for done, _ in answers(*loads, overrides=overrides)]
    assert times[0] == DRAM + 2 * (fetch // 32 - 1)
    assert [k for k in range(4) if times[1 + k] == loads[1 + k].cycle + L2] == found


def test_an_atomic_drops_its_sector_from_the_l1():
    times = answers(
        Access(WARM, [BASE]), Access(LATER, [BASE], kind=REDUCTION), Access(2 * LATER, [BASE])
    )
    assert [done for done, _ in times] == [DRAM, LATER + L2 + 4, 2 * LATER + L2]


@pytest.mark.parametrize(
    ("addresses", "size", "passes"),
    [
        (strided(4, 0), 4, 1),
        (strided(8, 0), 4, 2),
        (strided(128, 0), 4, 32),
        (strided(132, 0), 4, 1),
        (strided(0, 0), 4, 1),
        ([0, 128] * 16, 4, 2),
        (strided(1, 0), 1, 1),
    ],
)
def test_bank_conflicts(addresses, size, passes):
    """n words of a bank take n passes: n - 1 cycles more, and the path is busy for n."""
    twice = [Access(WARM, addresses, SHARED, size=size)] * 2
    first, second = answers(*twice)
    assert first == (SHARED_LATENCY + passes - 1, 0)
    assert second == (passes + SHARED_LATENCY + passes - 1, passes)


@pytest.mark.parametrize(("size", "parts"), [(8, 2), (16, 4)])
def test_wide_accesses_to_shared_memory_go_by_parts_of_a_warp(size, parts):
    first, second = answers(*[Access(WARM, strided(size, 0), SHARED, size=size)] * 2)
    assert first == (SHARED_LATENCY, 0)
    assert second == (parts + SHARED_LATENCY, parts)


def test_atomics_on_one_word_of_shared_memory_take_turns():
    same = Access(WARM, [0] * 32, SHARED, ATOMIC)
    assert answers(same)[0] == (SHARED_LATENCY + 31, 0)


def test_exchanges_and_comparisons_in_shared_memory_have_times_of_their_own():
    slower = "memory.shared.exchange_interval=3 cycles", "memory.shared.compare_delay=5 cycles"
    exchanged, compared, added = answers(
        Access(WARM, [0] * 4, SHARED, ATOMIC, at.EXCHANGE),
        Access(LATER, [0] * 4, SHARED, ATOMIC, at.COMPARE),
        Access(2 * LATER, [0] * 4, SHARED, ATOMIC),
        overrides=slower,
    )
    assert exchanged[0] == SHARED_LATENCY + 3 * 3
    assert compared[0] == LATER + SHARED_LATENCY + 3 + 5
    assert added[0] == 2 * LATER + SHARED_LATENCY + 3


def test_different_constants_are_read_in_turn():
    same, different = answers(
        Access(WARM, [BASE] * 32, CONSTANT), Access(LATER, strided(4, lanes=4), CONSTANT)
    )
    assert (same[0], different[0]) == (CONSTANT_LATENCY, LATER + CONSTANT_LATENCY + 3)


@pytest.mark.parametrize(("size", "lines"), [(4, 1), (8, 2), (16, 4), (1, 1)])
def test_equal_offsets_of_local_memory_are_one_line_a_word(size, lines):
    access = Access(WARM, [16] * 32, LOCAL, size=size, frame=64)
    assert counts(at.L1_REQUESTS, access, kind=at.LOCAL_LOAD) == lines


def test_warps_do_not_share_local_memory():
    accesses = [
        Access(LATER * k, [0] * 32, LOCAL, slot=slot, frame=64) for k, slot in enumerate((0, 1, 0))
    ]
    assert [done % LATER for done, _ in answers(*accesses)] == [DRAM + 9, DRAM + 9, L1]
    assert counts(at.L1_HITS, *accesses, kind=at.LOCAL_LOAD) == 4


# Figures of real GPUs.


@pytest.mark.parametrize(("stride", "cycles"), [(1, 23), (2, 25), (32, 85), (33, 23), (0, 23)])
def test_shared_memory_of_an_h200(stride, cycles):
    access = Access(WARM, strided(4 * stride, 0), SHARED)
    assert play(machine("h200"), [access])[0][0][0] == cycles


STRIDES = {
    1: 1.02, 2: 2.02, 3: 1.14, 4: 4.02, 5: 2.02, 6: 2.02, 7: 2.27, 8: 8.02, 9: 3.02, 10: 3.14,
}  # fmt: skip
"""Cycles of a warp's load that hits the L1 of an H200, by its stride in words: `l1_stride_…` of
`workloads/validation`."""


@pytest.mark.parametrize(("words", "cycles"), STRIDES.items())
def test_l1_throughput_by_stride(words, cycles):
    addresses = strided(4 * words)
    accesses = [Access(WARM, addresses), *[Access(LATER, addresses)] * 101]
    results = play(machine("h200"), accesses)[0]
    assert (results[-1][1] - results[1][1]) / 100 == pytest.approx(cycles, rel=0.13)


def chased(name: str, footprint: int, stride: int = 128, loads: int = 2000) -> float:
    """Cycles a load of a chain through a footprint that has been read before."""
    described = machine(name)
    memory = build(described)
    cycle = chase(memory, 0, BASE, stride, footprint, footprint // stride)
    return chase(memory, cycle, BASE, stride, footprint, loads) / loads


@pytest.mark.parametrize(
    ("name", "footprint", "cycles"),
    [
        ("h200", 64 << 10, 32),
        ("h200", 16 << 20, 281),
        ("a100", 64 << 10, 33),
        ("a100", 8 << 20, 205),
        ("v100", 64 << 10, 28),
        ("v100", 2 << 20, 212),
        ("rtx4090", 64 << 10, 34),
        ("rtx4090", 4 << 20, 296),
        ("l40s", 4 << 20, 276),
        ("rtx_pro_6000", 4 << 20, 352),
    ],
)
def test_latency_by_footprint(name, footprint, cycles):
    assert chased(name, footprint) == cycles


def test_far_and_dram_latency_of_an_h200():
    """An SM of the other partition reads what is in the L2: half of it near, half of it far."""
    described = machine("h200")
    lines = [BASE + 128 * k for k in range(256)]
    accesses = [
        Access(LATER * (256 * sm + k), [line], sm=sm)
        for sm in range(2)
        for k, line in enumerate(lines)
    ]
    latencies = [done % LATER for done, _ in play(described, accesses)[0]]
    assert min(latencies[:256]) == 639  # 636, and the sector that comes beside it
    assert sum(latencies[:256]) / 256 == pytest.approx(662, abs=4)  # with refreshes
    assert sorted(set(latencies[256:])) == [281, 400]


def streamed(name: str, kind: int, megabytes: int, passes: int = 1) -> float:
    """Bytes a cycle of the last of some passes of all SMs through as much memory."""
    described = machine(name)
    memory = build(described)
    size, end = megabytes << 20, 0
    for number in range(passes):
        begin, first = end, BASE + 128 * 7 * number
        end = stream(memory, kind, begin, first, size, 4, described.sms, 1)
    return size / (end - begin)


def test_loads_reach_the_bandwidth_of_dram():
    """4.9 TB/s at 1.98 GHz but for refreshes, and for the first 640 of 20 000 cycles."""
    peak = machine("h200").dram_bytes_per_cycle * (1 - 305 / 3900)
    assert streamed("h200", LOAD, 48) / peak == pytest.approx(0.95, abs=0.04)


def test_stores_reach_the_bandwidth_of_dram():
    """Of 60 MiB stored 6 stay in the L2 of a V100."""
    peak = machine("v100").dram_bytes_per_cycle
    assert 0.9 * streamed("v100", STORE, 60) / peak == pytest.approx(0.97, abs=0.03)


def test_streams_reach_the_bandwidth_of_the_l2():
    """96 slices of 54 bytes a cycle; the third pass finds copies of far lines near."""
    assert streamed("h200", LOAD, 12, passes=3) == pytest.approx(96 * 54, rel=0.25)


def test_a_chain_through_more_than_a_partition_of_an_h100():
    """40 MiB thrash the 25 MiB that are near; the other partition has what is at home there: half
    683, half 400 cycles.  Measured: 532 (`chase_l2_40MiB` of `workloads/validation`)."""
    assert chased("h100", 40 << 20) == pytest.approx(532, rel=0.06)


@pytest.mark.parametrize(("how", "cycles"), [(at.ANYHOW, 1.45), (at.FLOAT_SUM, 3.46)])
def test_reductions_to_one_address_of_an_h200(how, cycles):
    """Measured: `count_global_of_1` 1.45, `atomic_same`, which adds floats, 3.46."""
    accesses = [Access(k, [BASE] * 32, kind=REDUCTION, how=how, sm=k % 132) for k in range(200)]
    done = [end for end, _ in play(machine("h200"), accesses)[0]]
    assert (max(done) - done[0]) / (199 * 32) == pytest.approx(cycles, rel=0.02)


def test_reductions_to_256_words_of_an_h200():
    """Eight lines are two in each of four slices, and 2.6 sectors of each are wanted by a warp:
    7.9 cycles, as `count_global_of_256` takes."""
    draw = random.Random(7)
    accesses = [
        Access(
            4 * k, [BASE + 4 * draw.randrange(256) for _ in range(32)], kind=REDUCTION, sm=k % 132
        )
        for k in range(400)
    ]
    done = [end for end, _ in play(machine("h200"), accesses)[0]]
    assert (max(done) - done[0]) / 399 == pytest.approx(7.9, rel=0.05)


@pytest.mark.parametrize(
    ("how", "lane", "warp"), [(at.EXCHANGE, 23.66, 84.69), (at.COMPARE, 29.58, 151.64)]
)
def test_atomics_in_shared_memory_of_an_h200(how, lane, warp):
    """Measured by `exchanged`, and by `compared_and_set` less the five cycles of a move."""
    one = Access(WARM, [0], SHARED, ATOMIC, how)
    all_lanes = Access(LATER, [0] * 32, SHARED, ATOMIC, how)
    (alone, _), (together, _) = play(machine("h200"), [one, all_lanes])[0]
    assert (alone, together - LATER) == (pytest.approx(lane, abs=1), pytest.approx(warp, abs=2.5))
