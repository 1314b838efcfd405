"""Random rows under guards that differ by lane: the core leaves what the interpreter leaves.

Registers begin with random bits, half of them those of special floats and edges of integers.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from compiler.targets.simt.interpret import interpret, memory_for
from machines.description.load import load_machine
from machines.operations.row import Lane
from machines.types import PTR
from tests.machines.instructions.test_ptx_cases import ROWS
from tests.sim.simt.rows_on_core import GRID, THREADS
from tests.sim.simt.test_ptx_semantics_on_core import run
from tests.warp_programs import kernel, line

WORDS, PREDICATES = 8, 4
NAMES = (
    "add.s32 sub.s32 mad.lo.s32 mul.wide.s32 shl.b32 shr.s32 shr.u32 and.b32 xor.b32 setp.lt.s32 "
    "setp.ltu.f32 setp.ge.u64 selp.b32 selp.b64 add.rn.f32 mul.rn.f32 fma.rn.f32 min.f32 max.f32 "
    "cvt.rzi.s32.f32 cvt.rn.f32.s32 add.s64 fma.rn.f64 cvt.rn.f32.f64 addc.cc.u32 mov.unpack.b64 "
    "mov.pack.b64 prmt.b32 bfe.s32 not.pred"
)
EDGES = (0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x3F800000, 0x7F800000, 0x7FC00000, 0x00400000)


def _operand(stream: random.Random, lane: Lane, written: bool) -> str:
    if lane.file == "pred":
        return f"p{stream.randrange(PREDICATES)}"
    if not written and lane.type[0] != "f" and stream.random() < 0.15:
        return str(stream.choice([0, 1, -1, 31, 0x7FFFFFFF]))
    if lane.file == "b64":
        return f"d{2 * stream.randrange(WORDS // 2)}"
    return f"r{stream.randrange(WORDS)}"


def _rows(stream: random.Random) -> list[str]:
    rows, names = [], NAMES.split()
    while len(rows) < 60:
        row = ROWS[stream.choice(names)]
        guard = stream.choice(["", "", "@p0 ", "@!p1 ", "@p2 "])
        texts = [_operand(stream, o.kind, o.is_written) for o in row.operands]
        written = [text for text, o in zip(texts, row.operands, strict=True) if o.is_written]
        if len({text[1:] for text in written}) == len(written):
            rows.append(f"{guard}{line(row, texts)}")
    return rows


def check(seed: int) -> None:
    stream = random.Random(seed)
    stride = 4 * (WORDS + PREDICATES)
    head = f"r8 = mov.tid.x\nd10 = ld.param.b64 0\nd10 = mad.wide.u32 r8, {stride}, d10\n"
    head += "\n".join(f"r{n} = ld.global.b32 d10, {4 * n}" for n in range(WORDS)) + "\n"
    head += "\n".join(
        f"r9 = and.b32 r8, {1 << n}\np{n} = setp.ne.s32 r9, 0" for n in range(PREDICATES)
    )
    tail = "\n".join(f"st.global.b32 d10, {4 * n}, r{n}" for n in range(WORDS))
    for n in range(PREDICATES):
        tail += f"\nr9 = selp.b32 1, 0, p{n}\nst.global.b32 d10, {4 * (WORDS + n)}, r9"
    body = "\n".join(_rows(stream))
    program = kernel(f"{head}\n{body}\n{tail}\nexit", [("words", PTR)])
    start = np.zeros((THREADS, WORDS + PREDICATES), np.uint32)
    for lane in range(THREADS):
        for n in range(WORDS):
            start[lane, n] = stream.choice([stream.choice(EDGES), stream.getrandbits(32)])
    machine = load_machine("teaching_gpu")
    memory = memory_for(program, {"words": start})
    judged = memory.copy()
    outcome = interpret(program, machine.description, judged, None, GRID, ["words"])
    assert outcome.status == "done", outcome
    run(program, machine, memory, "k", GRID, [memory.address("words")])
    got, wanted = (m.view("words", "u4").reshape(start.shape) for m in (memory, judged))
    different = np.argwhere(got != wanted)
    assert len(different) == 0, f"lane and register {different[0]}\n{body}"


@pytest.mark.parametrize("first", range(0, 12, 4))
def test_random_rows(first):
    for seed in range(first, first + 4):
        check(seed)
