"""Random rows over a few registers: the translated thread does what the meanings say, one by one.

The translation keeps values in several forms and halves of pairs apart; here a register is its bits
and nothing else.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from compiler.targets.simt.interpret import interpret, memory_for
from machines.description.load import load_machine
from machines.instructions import operations
from machines.operations.row import Lane
from machines.threads.grid import Grid
from machines.types import PTR
from machines.vocabulary.lanes import lane_bits, read_lane
from tests.machines.instructions.test_ptx_cases import in_python
from tests.warp_programs import kernel, line

WORDS, PREDICATES = 8, 3
ROWS = [
    row
    for row in operations().family("ptx").values()
    if row.meaning
    and not (row.access or row.control or row.implicit_reads or row.faults_if or row.combines)
    and all(isinstance(operand.kind, Lane) for operand in row.operands)
]
"""Those whose results are what one lane reads and nothing else; rows that combine lanes are not."""
COMMON = [row for row in ROWS if row.name.split(".")[0] in ("mov", "add", "selp", "cvt", "setp")]
MASK = (1 << 32) - 1


class Bits:
    """Registers as bits: the definition."""

    def __init__(self):
        self.words, self.predicates = [0] * WORDS, [0] * PREDICATES

    def read(self, text: str, kind: str):
        if text[0] not in "rdp":
            value = float(text) if kind in ("f32", "f64") else int(text, 0)
            return read_lane(lane_bits(value, kind), kind)
        n = int(text[1:])
        if text[0] == "p":
            return self.predicates[n]
        bits = self.words[n] | (self.words[n + 1] << 32 if text[0] == "d" else 0)
        return read_lane(bits, kind)

    def write(self, text: str, kind: str, value) -> None:
        n, bits = int(text[1:]), lane_bits(value, kind)
        if text[0] == "p":
            self.predicates[n] = bits
            return
        self.words[n] = bits & MASK
        if text[0] == "d":
            self.words[n + 1] = bits >> 32 & MASK


def _operand(stream: random.Random, lane: Lane, written: bool) -> str:
    if lane.file == "pred":
        return f"p{stream.randrange(PREDICATES)}"
    if not written and stream.random() < 0.2:
        if lane.type in ("f32", "f64"):
            return stream.choice(["1.5", "-0.25", "3e9", "inf", "nan"])
        return str(stream.choice([0, 1, -1, 31, 0x7FFFFFFF]))
    if lane.file == "b64":
        return f"d{2 * stream.randrange(WORDS // 2)}"
    return f"r{stream.randrange(WORDS)}"


def _program(stream: random.Random, bits: Bits) -> str:
    """Random rows, run on `bits` as they are made."""
    lines = []
    for _ in range(stream.randrange(20, 60)):
        row = stream.choice(COMMON if stream.random() < 0.4 else ROWS)
        guard = stream.choice(["", "", "", "@p0 ", "@!p1 "])
        texts = [_operand(stream, o.kind, o.is_written) for o in row.operands]
        written = [text for text, o in zip(texts, row.operands, strict=True) if o.is_written]
        if len({text[1:] for text in written}) < len(written):
            continue  # both results in one register
        lines.append(f"{guard}{line(row, texts)}")
        if guard and (bits.predicates[int(guard[-2])] == 1) == ("!" in guard):
            continue
        named = list(zip(texts, row.operands, strict=True))
        values = [bits.read(text, o.kind.type) for text, o in named if o.is_read]
        results = in_python(row)(*values)
        for text, operand, value in zip(written, row.writes, results, strict=True):
            bits.write(text, operand.kind.type, value)
        if stream.random() < 0.1:
            lines.append(f"bra.uni b{len(lines)}\nb{len(lines)}:")
    return "\n".join(lines)


def check(seed: int) -> None:
    stream, bits = random.Random(seed), Bits()
    body = _program(stream, bits)
    stores = "\n".join(f"st.global.b32 d{WORDS}, {4 * n}, r{n}" for n in range(WORDS))
    for n in range(PREDICATES):
        stores += f"\nr0 = selp.b32 1, 0, p{n}\nst.global.b32 d{WORDS}, {4 * (WORDS + n)}, r0"
    program = kernel(f"{body}\nd{WORDS} = ld.param.b64 0\n{stores}\nexit", [("out", PTR)])
    memory = memory_for(program, {"out": np.zeros(WORDS + PREDICATES, np.uint32)})
    machine = load_machine("teaching_gpu").description
    one = Grid((1, 1, 1), (1, 1, 1))
    outcome = interpret(program, machine, memory, None, one, ["out"])
    assert outcome.status == "done", outcome
    assert memory.view("out", "u4").tolist() == bits.words + bits.predicates, body


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_random_rows(first):
    for seed in range(first, first + 20):
        check(seed)
