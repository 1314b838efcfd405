"""Loads and stores that are not aligned, on machines that serve them: at any offset, of any size.

Random assembly of all rows that access memory: the core leaves the registers and the memory that
the machine interpreter leaves, and takes the cycles that the plain model of its timing takes.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from compiler import compile
from compiler.targets.epic.interpret import interpret
from machines.description.load import load_machine
from machines.layout import Memory
from tests.sim.epic.epic_runs import EpicRun, simulate
from tests.sim.epic.reference_core import differences, simulate_plainly

ROWS = (
    "ld1 r{n} = [r3]", "ld2 r{n} = [r3]", "ld4 r{n} = [r3]", "ld8 r{n} = [r3]",
    "ld8.fill r{n} = [r3]",
    "st1 [r3] = r{n}", "st2 [r3] = r{n}", "st4 [r3] = r{n}", "st8 [r3] = r{n}, {step}",
    "st8.spill [r3] = r{n}", "ld4 r{n} = [r3], {step}",
    "ldfs f{n} = [r3]", "ldfd f{n} = [r3], {step}", "ldf8 f{n} = [r3]", "ldfe f{n} = [r3]",
    "ldf.fill f{n} = [r3]", "ldfps f{even}, f{odd} = [r3]", "ldfpd f{even}, f{odd} = [r3]",
    "stfs [r3] = f{n}", "stfd [r3] = f{n}", "stf8 [r3] = f{n}", "stfe [r3] = f{n}",
    "stf.spill [r3] = f{n}, {step}",
)  # fmt: skip
AHEAD = 64
"""Bytes of the buffer on either side of where accesses begin."""


def program(seed: int) -> str:
    """Sixty accesses at random offsets; every few stand in one group, through two pointers."""
    draw = random.Random(seed)
    values = ", ".join(f"0x{draw.getrandbits(64):016x}" for _ in range(4 * AHEAD // 8))
    lines = [".data", f"bytes: data8 {values}", ".text", ".global main", "main:"]
    for _ in range(60):
        lines.append(f"movl r3 = bytes + {AHEAD + draw.randrange(2 * AHEAD)} ;;")
        n = draw.randrange(14, 20)
        row = draw.choice(ROWS).format(
            n=n, even=n & ~1, odd=n | 1, step=draw.choice((-8, -3, 1, 7, 8))
        )
        lines.append(f"{row}{draw.choice(('', ' ;;'))}")
        if draw.randrange(3) == 0:
            lines.append(f"movl r2 = bytes + {draw.randrange(4 * AHEAD - 8)} ;;")
            lines.append(f"ld2 r21 = [r2]\nld8 r{draw.randrange(22, 25)} = [r2]")
        lines.append(";;")
    return "\n".join([*lines, "br.ret.sptk.many b0 ;;\n"])


def both_ways(text: str, *overrides: str) -> EpicRun:
    """The core's outcome, if all agree."""
    machine = load_machine("itanium2", overrides)
    found = compile("accesses.s", machine=machine, source=text).program
    memories = [Memory(b.extent for b in found.buffers) for _ in range(3)]
    for memory in memories:
        for buffer in found.buffers:
            if buffer.data is not None:
                memory.view(buffer.name)[:] = np.frombuffer(buffer.data, np.uint8)
    expected = interpret(found, memories[0], machine=machine)
    plain = simulate_plainly(found, machine.description, memories[1], {})
    outcome = simulate(found, machine, memories[2], {})
    assert outcome.status == expected.status
    if expected.fault:
        assert (outcome.fault.kind, outcome.fault.address) == (
            expected.fault.kind, expected.fault.address
        )  # fmt: skip
    assert np.array_equal(memories[0].bytes, memories[2].bytes)
    for file in ("gr", "fr", "pr", "br"):
        assert repr(getattr(outcome.registers, file)) == repr(getattr(expected, file))
    assert differences(plain, outcome) == {}
    return outcome


@pytest.mark.parametrize("seed", range(12))
def test_random_accesses(seed: int):
    cost = (0, 1, 40)[seed % 3]
    outcome = both_ways(program(seed), f"memory.misaligned={cost} cycles")
    counters = outcome.counters
    served = counters["MISALIGNED_LOADS_RETIRED"] + counters["MISALIGNED_STORES_RETIRED"]
    assert outcome.status == "done" and served > 10
    assert (outcome.lost["misaligned"] > 0) == (cost > 0)


PIECES = """
.data
bytes: data8 0x8877665544332211, 0xffeeddccbbaa9988
.text
main: movl r3 = bytes + 3 ;;
      {row} ;;
      br.ret.sptk.many b0 ;;
"""


def test_values_and_cycles():
    """One load of a program costs what the machine says, and reads the bytes that stand there."""
    outcome = both_ways(PIECES.format(row="ld8 r8 = [r3]"), "memory.misaligned=40 cycles")
    assert outcome.registers.gr[8] & 0xFFFF_FFFF_FFFF_FFFF == 0xAA99888877665544
    assert outcome.lost["misaligned"] == outcome.counters["BE_FLUSH_BUBBLE.XPN"] == 40
    free = both_ways(PIECES.format(row="ld8 r8 = [r3]"), "memory.misaligned=0 cycles")
    assert free.cycles < outcome.cycles


@pytest.mark.parametrize(
    ("row", "overrides"),
    [("ld8 r8 = [r3]", ()),
     ("xchg8 r8 = [r3], r9", ("memory.misaligned=40 cycles",)),
     ("cmpxchg4.acq r8 = [r3], r9, ar.ccv", ("memory.misaligned=40 cycles",)),
     ("fetchadd8.rel r8 = [r3], 1", ("memory.misaligned=40 cycles",))],
)  # fmt: skip
def test_what_faults(row: str, overrides: tuple[str, ...]):
    """A machine that serves none, and semaphores on one that does."""
    outcome = both_ways(PIECES.format(row=row), *overrides)
    assert outcome.fault.kind == "misaligned"
    assert ("MISALIGNED_LOADS_RETIRED" in outcome.counters) == bool(overrides)


def test_served_accesses_stay_inside_their_buffer():
    text = PIECES.replace("bytes + 3", "bytes + 12").format(row="ld8 r8 = [r3]")
    assert both_ways(text, "memory.misaligned=40 cycles").fault.kind == "out of bounds"
