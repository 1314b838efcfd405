"""Timelines of programs that were worked out by hand, span by span: what each part does when, as
the working says, which stands in the program's file, too.  Of EPIC machines `test_epic.py` holds
every file of theirs to its table and to what it says is lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.sim.cluster import test_worked_by_hand as chip
from tests.sim.cluster.chip_runs import run
from tests.sim.timeline.test_simt import named, spans

Spans = dict[str, list[tuple[int, int, str]]]
SIMT: dict[str, Spans] = {
    "compare_to_select": {
        # As data the predicate is there after 4: 0, 4; exit 5.
        "SM 0/warp 0": [
            (0, 1, "setp.lt.s32"), (1, 4, "wait"), (4, 5, "selp.b32"), (5, 6, "exit"),
        ],
        "SM 0/sub-core 0/alu": [
            (0, 1, "setp.lt.s32"), (4, 5, "selp.b32"),
        ],
        "SM 0/sub-core 0/control": [
            (5, 6, "exit"),
        ],
    },
    "sine": {
        # sin 0, its result is there in 10: move 10, exit 11.
        "SM 0/warp 0": [
            (0, 1, "sin.approx.f32"), (1, 10, "short_scoreboard"), (10, 11, "mov.b32"),
            (11, 12, "exit"),
        ],
        "SM 0/sub-core 0/alu": [
            (10, 11, "mov.b32"),
        ],
        "SM 0/sub-core 0/control": [
            (11, 12, "exit"),
        ],
        "SM 0/sub-core 0/sfu": [
            (0, 4, "sin.approx.f32"),
        ],
    },
    "dependent_chain": {
        # An add waits 4 cycles for the one before: 0, 4, 8, 12.  The exit waits for nothing: 13.
        "SM 0/warp 0": [
            (0, 1, "mov.b32"), (1, 4, "wait"), (4, 5, "add.s32"), (5, 8, "wait"),
            (8, 9, "add.s32"), (9, 12, "wait"), (12, 13, "add.s32"), (13, 14, "exit"),
        ],
        "SM 0/sub-core 0/alu": [
            (0, 1, "mov.b32"), (4, 5, "add.s32"), (8, 9, "add.s32"), (12, 13, "add.s32"),
        ],
        "SM 0/sub-core 0/control": [
            (13, 14, "exit"),
        ],
    },
    "independent_moves": {
        # One issues a cycle: 0, 1, 2, 3; exit 4.
        "SM 0/warp 0": [
            (0, 1, "mov.b32"), (1, 2, "mov.b32"), (2, 3, "mov.b32"), (3, 4, "mov.b32"),
            (4, 5, "exit"),
        ],
        "SM 0/sub-core 0/alu": [
            (0, 1, "mov.b32"), (1, 2, "mov.b32"), (2, 3, "mov.b32"), (3, 4, "mov.b32"),
        ],
        "SM 0/sub-core 0/control": [
            (4, 5, "exit"),
        ],
    },
    "compare_to_guard": {
        # 0, 8; exit 9.
        "SM 0/warp 0": [
            (0, 1, "setp.lt.s32"), (1, 8, "wait"), (8, 9, "mov.b32"), (9, 10, "exit"),
        ],
        "SM 0/sub-core 0/alu": [
            (0, 1, "setp.lt.s32"), (8, 9, "mov.b32"),
        ],
        "SM 0/sub-core 0/control": [
            (9, 10, "exit"),
        ],
    },
    "branch_not_taken": {
        # The compare's result guards from cycle 4 + 4 on: branch 8, which no thread takes; what
        # stands behind it issues in 9, where a taken branch would let its target issue in 10.
        # Move 9, exit 10.
        "SM 0/warp 0": [
            (0, 1, "setp.lt.s32"), (1, 8, "wait"), (8, 9, "bra"), (9, 10, "mov.b32"),
            (10, 11, "exit"),
        ],
        "SM 0/sub-core 0/alu": [
            (0, 1, "setp.lt.s32"), (9, 10, "mov.b32"),
        ],
        "SM 0/sub-core 0/control": [
            (8, 9, "bra"), (10, 11, "exit"),
        ],
    },
    "shared_conflict_2": {
        # Lane i reads byte 8 i: 2 words of a bank.  mov 0, multiply 4, load 8: 21 cycles (20, one
        # for the second word, one for each further one); add 29, exit 30.
        "SM 0/warp 0": [
            (0, 1, "mov.laneid"), (1, 4, "wait"), (4, 5, "mul.lo.s32"), (5, 8, "wait"),
            (8, 9, "ld.shared.b32"), (9, 29, "short_scoreboard"), (29, 30, "add.s32"),
            (30, 31, "exit"),
        ],
        "SM 0/memory": [
            (8, 29, "access"),
        ],
        "SM 0/sub-core 0/alu": [
            (0, 1, "mov.laneid"), (29, 30, "add.s32"),
        ],
        "SM 0/sub-core 0/control": [
            (30, 31, "exit"),
        ],
        "SM 0/sub-core 0/fma": [
            (4, 5, "mul.lo.s32"),
        ],
        "SM 0/sub-core 0/mio": [
            (8, 9, "ld.shared.b32"),
        ],
    },
    "sleep": {
        # 1 GHz: 20 ns are 20 cycles behind the sleep's own: exit 21.
        "SM 0/warp 0": [
            (0, 1, "nanosleep"), (1, 21, "sleeping"), (21, 22, "exit"),
        ],
        "SM 0/sub-core 0/control": [
            (0, 1, "nanosleep"), (21, 22, "exit"),
        ],
    },
    "two_way_divergence": {
        # laneid 0, compare 4, branch 12: its sides part, the lower one goes on. Below 16 … at 14,
        # jump 15; the others at 17, then the meeting row: the marker before it. Upper side (fall)
        # lies first: move 14, jump 15, target 17: marker, the other group is lower: it runs move
        # 17, falls into the marked row: exit of all 18.
        "SM 0/warp 0": [
            (0, 1, "mov.laneid"), (1, 4, "wait"), (4, 5, "setp.lt.s32"), (5, 12, "wait"),
            (12, 13, "bra"), (13, 14, "branch_resolving"), (14, 15, "mov.b32"),
            (15, 16, "bra.uni"), (16, 17, "branch_resolving"), (17, 18, "mov.b32"),
            (18, 19, "exit"),
        ],
        "SM 0/sub-core 0/alu": [
            (0, 1, "mov.laneid"), (4, 5, "setp.lt.s32"), (14, 15, "mov.b32"),
            (17, 18, "mov.b32"),
        ],
        "SM 0/sub-core 0/control": [
            (12, 13, "bra"), (15, 16, "bra.uni"), (18, 19, "exit"),
        ],
    },
    "shuffle": {
        # laneid 0, shuffle 4, add 14, exit 15.
        "SM 0/warp 0": [
            (0, 1, "mov.laneid"), (1, 4, "wait"), (4, 5, "shfl.sync.bfly.b32"),
            (5, 14, "short_scoreboard"), (14, 15, "add.s32"), (15, 16, "exit"),
        ],
        "SM 0/sub-core 0/alu": [
            (0, 1, "mov.laneid"), (14, 15, "add.s32"),
        ],
        "SM 0/sub-core 0/control": [
            (15, 16, "exit"),
        ],
        "SM 0/sub-core 0/mio": [
            (4, 5, "shfl.sync.bfly.b32"),
        ],
    },
    "write_after_a_pending_write": {
        # The move may not be overtaken by the result of the special function: 0, 10; exit 11.
        "SM 0/warp 0": [
            (0, 1, "ex2.approx.f32"), (1, 10, "short_scoreboard"), (10, 11, "mov.b32"),
            (11, 12, "exit"),
        ],
        "SM 0/sub-core 0/alu": [
            (10, 11, "mov.b32"),
        ],
        "SM 0/sub-core 0/control": [
            (11, 12, "exit"),
        ],
        "SM 0/sub-core 0/sfu": [
            (0, 4, "ex2.approx.f32"),
        ],
    },
    "special_function_pipe": {
        # 8 lanes: 4 cycles.  0, 4; exit 5.
        "SM 0/warp 0": [
            (0, 1, "ex2.approx.f32"), (1, 4, "math_pipe_throttle"), (4, 5, "ex2.approx.f32"),
            (5, 6, "exit"),
        ],
        "SM 0/sub-core 0/control": [
            (5, 6, "exit"),
        ],
        "SM 0/sub-core 0/sfu": [
            (0, 4, "ex2.approx.f32"), (4, 8, "ex2.approx.f32"),
        ],
    },
}  # fmt: skip

CHIP: dict[str, Spans] = {
    "io_in": {
        # Issue 1, setup 5, there and back 3 + 3 with 20 of DRAM, 256 bytes at 16: 1 + 5 + 26 +
        # 16.
        "cluster 0/core 0": [
            (0, 1, "ipu.scalar"), (1, 48, "ipu.wait_io"),
        ],
        "cluster 0/core 0/io": [
            (32, 48, "tensor.copy.f32"),
        ],
        "cluster 0/iodma of core 0": [
            (1, 32, "iodma.setup"), (32, 48, "iodma.transfer"),
        ],
    },
    "io_out": {
        # Whole lines, one way of 3: 1 + 5 + 3 + 256 / 16.
        "cluster 0/core 0": [
            (0, 1, "ipu.scalar"), (1, 25, "ipu.wait_io"),
        ],
        "cluster 0/core 0/io": [
            (9, 25, "tensor.copy.f32"),
        ],
        "cluster 0/iodma of core 0": [
            (1, 9, "iodma.setup"), (9, 25, "iodma.transfer"),
        ],
    },
    "move": {
        # SRAM to NRAM: 1 + 4 + 256 / 32.
        "cluster 0/core 0": [
            (0, 1, "ipu.scalar"), (1, 13, "ipu.wait_move"),
        ],
        "cluster 0/core 0/move": [
            (5, 13, "tensor.copy.f32"),
        ],
        "cluster 0/mvdma of core 0": [
            (1, 5, "mvdma.setup"), (5, 13, "mvdma.transfer"),
        ],
    },
    "issue": {
        # Three commands and a wait are issued in 4 * 3 cycles; the first sum begins at 3, each
        # takes 6.
        "cluster 0/compute of core 0": [
            (3, 21, "compute.vector"),
        ],
        "cluster 0/core 0": [
            (0, 12, "ipu.scalar"), (12, 21, "ipu.wait_compute"),
        ],
        "cluster 0/core 0/compute": [
            (3, 9, "tensor.add.f32"), (9, 15, "tensor.add.f32"), (15, 21, "tensor.add.f32"),
        ],
    },
    "waits": {
        # The read ends at 48, the core waits from 2 on; the sum is issued at 49 and ends at 62.
        "cluster 0/compute of core 0": [
            (49, 62, "compute.vector"),
        ],
        "cluster 0/core 0": [
            (0, 2, "ipu.scalar"), (2, 48, "ipu.wait_io"), (48, 49, "ipu.scalar"),
            (49, 62, "ipu.wait_compute"),
        ],
        "cluster 0/core 0/compute": [
            (49, 62, "tensor.add.f32"),
        ],
        "cluster 0/core 0/io": [
            (32, 48, "tensor.copy.f32"),
        ],
        "cluster 0/iodma of core 0": [
            (1, 32, "iodma.setup"), (32, 48, "iodma.transfer"),
        ],
    },
    "queue_full": {
        # Six commands of 1 + 4 + 1 cycles, and the queue holds 4.  Given at 1, 2, 3, 4; the
        # fifth, issued at 5, when the first has ended at 7; the sixth, issued at 8, at 13.  The
        # last ends at 1 + 6 * 6.
        "cluster 0/compute of core 0": [
            (1, 37, "compute.vector"),
        ],
        "cluster 0/core 0": [
            (0, 5, "ipu.scalar"), (5, 7, "ipu.queue"), (7, 8, "ipu.scalar"),
            (8, 13, "ipu.queue"), (13, 37, "ipu.wait_compute"),
        ],
        "cluster 0/core 0/compute": [
            (1, 7, "tensor.add.f32"), (7, 13, "tensor.add.f32"), (13, 19, "tensor.add.f32"),
            (19, 25, "tensor.add.f32"), (25, 31, "tensor.add.f32"), (31, 37, "tensor.add.f32"),
        ],
    },
    "result": {
        # The sum of 64 numbers of 4 bytes: 1 + 4, 8 steps, 3 levels of a tree of 8.  The core
        # waits for it from 1 to 17, then adds for 3.
        "cluster 0/compute of core 0": [
            (1, 17, "compute.vector"),
        ],
        "cluster 0/core 0": [
            (0, 1, "ipu.scalar"), (1, 17, "ipu.result"), (17, 20, "ipu.scalar"),
        ],
        "cluster 0/core 0/compute": [
            (1, 17, "tensor.sum.f32"),
        ],
    },
    "vector_then_matrix": {
        # One queue: 64 sums take 1 + 4 + 8 cycles, 2 × 6 × 4 products 1 + 5 + 12.
        "cluster 0/compute of core 0": [
            (1, 14, "compute.vector"), (14, 32, "compute.matrix"),
        ],
        "cluster 0/core 0": [
            (0, 2, "ipu.scalar"), (2, 32, "ipu.wait_compute"),
        ],
        "cluster 0/core 0/compute": [
            (1, 14, "tensor.add.f32"), (14, 32, "tensor.matmul.f32"),
        ],
    },
    "write_then_read": {
        # The write moves from 9 to 25.  The read is set up until 11 and ready at 37: 37 + 16.
        "cluster 0/core 0": [
            (0, 2, "ipu.scalar"), (2, 53, "ipu.wait_io"),
        ],
        "cluster 0/core 0/io": [
            (9, 25, "tensor.copy.f32"), (37, 53, "tensor.copy.f32"),
        ],
        "cluster 0/iodma of core 0": [
            (1, 9, "iodma.setup"), (9, 25, "iodma.transfer"), (25, 37, "iodma.setup"),
            (37, 53, "iodma.transfer"),
        ],
    },
    "outstanding_2": {
        # Issued at 1, 2, 3.  1: set up until 6, ready at 32, moves to 48.  2: set up until 11,
        # ready at 37, moves to 64.  3 is taken at 48: set up until 53, ready at 79, moves to 95.
        "cluster 0/core 0": [
            (0, 3, "ipu.scalar"), (3, 95, "ipu.wait_io"),
        ],
        "cluster 0/core 0/io": [
            (32, 48, "tensor.copy.f32"), (48, 64, "tensor.copy.f32"),
            (79, 95, "tensor.copy.f32"),
        ],
        "cluster 0/iodma of core 0": [
            (1, 32, "iodma.setup"), (32, 64, "iodma.transfer"), (64, 79, "iodma.setup"),
            (79, 95, "iodma.transfer"),
        ],
    },
    "load_from_dram": {
        # 1 to issue, 5 of setup, 3 there, 20 of the controller, 3 back, and the line of 64 bytes
        # in which the element stands takes the controller 4: the core has it after 36.  The
        # second load begins then.
        "cluster 0/core 0": [
            (0, 1, "ipu.scalar"), (1, 36, "ipu.result"), (36, 37, "ipu.scalar"),
            (37, 72, "ipu.result"),
        ],
        "cluster 0/core 0/io": [
            (32, 36, "tensor.load.f32"), (68, 72, "tensor.load.f32"),
        ],
        "cluster 0/iodma of core 0": [
            (1, 32, "iodma.setup"), (32, 36, "iodma.transfer"), (37, 68, "iodma.setup"),
            (68, 72, "iodma.transfer"),
        ],
    },
    "counted_wait": {
        # Two reads end at 48 and 64.  The core, there at 3, goes on at 48: one may be left.  The
        # sum is issued at 49 and ends at 62; at the end the core waits for io, from 49 to 64.
        "cluster 0/compute of core 0": [
            (49, 62, "compute.vector"),
        ],
        "cluster 0/core 0": [
            (0, 3, "ipu.scalar"), (3, 48, "ipu.wait_io"), (48, 49, "ipu.scalar"),
            (49, 64, "ipu.wait_io"),
        ],
        "cluster 0/core 0/compute": [
            (49, 62, "tensor.add.f32"),
        ],
        "cluster 0/core 0/io": [
            (32, 48, "tensor.copy.f32"), (48, 64, "tensor.copy.f32"),
        ],
        "cluster 0/iodma of core 0": [
            (1, 32, "iodma.setup"), (32, 64, "iodma.transfer"),
        ],
    },
}  # fmt: skip


@pytest.mark.parametrize("stem", SIMT)
def test_of_simt_machines(stem: str):
    happened = named(stem)
    found = {str(o.track) for o in happened if o.track.family in ("warp", "pipe", "memory")}
    assert found == {*SIMT[stem]}
    assert {track: spans(happened, track) for track in found} == SIMT[stem]


@pytest.mark.parametrize("stem", CHIP)
def test_of_chips(stem: str):
    (path,) = (path for path in chip.FILES if path.stem == stem)
    text = path.read_text()
    done = run(text, overrides=re.findall(r"^// machine: (.*)$", text, re.MULTILINE))
    found: Spans = {}
    for one in done.happened:
        if one.track.family in ("core", "engine", "queue"):
            field = "operation" if one.name == "command" else "reason"
            told = one.begin, one.end, one.arguments[field]
            found.setdefault(str(one.track), []).append(told)
    assert found == CHIP[stem]


def test_there_are_programs_enough():
    assert len(SIMT) >= 10 and len(CHIP) >= 10
    assert len([*Path(__file__).parents[1].glob("epic/hand_worked/*.s")]) >= 10
