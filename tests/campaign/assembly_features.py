"""Random assembly judged: the core against the machine interpreter, and what a program executed.

python -m tests.campaign.assembly_features 0:20000     which pairs of features met, as a table
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from functools import cache

import numpy as np

from compiler import compile
from compiler.targets.epic.interpret import MachineOutcome, interpret
from machines.description.load import Machine, load_machine
from machines.kinds.epic.program import BundleProgram
from machines.layout import Memory
from tests.campaign.feature_pairs import FeaturePairs, Pair
from tests.campaign.random_mixtures import LOOPS, Mixture
from tests.sim.epic.epic_runs import EpicRun, simulate

STEPS, CYCLES = 3_000_000, 300_000_000
SMALL_STACK = ("register_stack.registers=40", "register_stack.backing_store=1KiB")
SHORT_RINGS = (
    "registers.floating.rotating=[32, 63]",
    "registers.predicate.rotating=[16, 31]",
    "register_stack.registers=100",
)
MACHINES = (
    ("itanium2", ()), ("itanium", ()), ("itanium2", SMALL_STACK), ("epic3", SHORT_RINGS),
    ("epic3", ("register_stack.registers=192",)), ("itanium2", ()),
)  # fmt: skip
"""Machines by seed: rings of 40 to 192 registers, of which deep calls spill some or all."""
QUANTA = {1: 1, 2: 7}
"""Cycles per call of the core, by seed modulo SPARSE; most runs let it choose."""
SPARSE = 31


@cache
def _machine(number: int) -> Machine:
    return load_machine(*MACHINES[number])


def _memory(program: BundleProgram) -> Memory:
    return Memory(buffer.extent for buffer in program.buffers)


class Run:
    """A program by both; `differences` is empty if they agree in all that a program can see."""

    def __init__(self, seed: int):
        self.machine = machine = _machine(seed % len(MACHINES))
        self.mixture = Mixture(seed, machine.description.largest_frame)
        self.program = compile("random.s", machine=machine, source=self.mixture.text).program
        expected_memory, memory = _memory(self.program), _memory(self.program)
        self.expected = interpret(self.program, expected_memory, limit=STEPS, machine=machine)
        self.outcome = simulate(
            self.program, machine, memory, {}, cycle_limit=CYCLES, quantum=QUANTA.get(seed % SPARSE)
        )
        self.differences = dict(_differences(self.expected, self.outcome))
        if not np.array_equal(expected_memory.bytes, memory.bytes):
            place = int(np.flatnonzero(expected_memory.bytes != memory.bytes)[0])
            self.differences["memory"] = (place, "first byte that differs")

    @property
    def features(self) -> set[str]:
        """What the program executed, as the core counted it."""
        found: set[str] = set()
        executed = self.outcome.executed - self.outcome.squashed
        places = (self.program.locations[k] for k in np.flatnonzero(executed))
        lines = {place.line for place in places if place}
        for line in lines & self.mixture.marks.keys():
            found |= self.mixture.marks[line]
        if self.outcome.squashed.any():
            found.add("false guard")
        counters = self.outcome.counters
        if counters["RSE_REFERENCES_RETIRED.STORE"]:
            found.add("spills")
        if counters["RSE_REFERENCES_RETIRED.LOAD"]:
            found.add("fills")
        floats = self.outcome.registers.fr
        if any(math.isnan(value) or math.isinf(value) for value, _, _ in floats):
            found.add("NaN or infinity")
        if any(tag for _, _, tag in floats):
            found.add("extended value")
        if self.outcome.fault:
            found.add(f"fault: {_kind(self.outcome.fault.kind)}")
        return found & set(FEATURES)


def _kind(fault: str) -> str:
    return "break" if fault.startswith(("break", "division")) else fault


def _differences(expected: MachineOutcome, outcome: EpicRun) -> Iterator[tuple[str, tuple]]:
    """(what, (interpreter, core)) for each thing in which they differ."""
    found = outcome.registers
    pairs = {
        "status": (expected.status, outcome.status),
        "fault": tuple(
            fault and (fault.kind, fault.syllable, fault.address)
            for fault in (expected.fault, outcome.fault)
        ),
        "application": (expected.ar, found.ar),
        "executed": (expected.executed, outcome.executed.tolist()),
    }
    for name, (here, there) in pairs.items():
        if here != there:
            yield name, (here, there)
    if expected.status == "limit":
        yield "status", ("the program does not end", outcome.status)
    for file in ("gr", "fr", "pr", "br"):
        both = zip(getattr(expected, file), getattr(found, file), strict=True)
        wrong = {
            f"{file}{number}": (here, there)
            for number, (here, there) in enumerate(both)
            if repr(here) != repr(there)
        }
        yield from list(wrong.items())[:4]


FAULTS = (
    "out of bounds", "misaligned", "break", "bad branch target", "register outside the frame",
    "illegal frame", "register stack full", "register stack empty",
    "rotating region changed while rotated", "unmodelled ar.fpsr",
)  # fmt: skip
FEATURES = (
    "call", "recursion", "indirect call", "indirect branch", "long branch", "frame changed",
    "region in a callee", "region named wholly", "region named in part", "region named not at all",
    "more turns than registers", "reads unwritten", "address in a stacked register",
    "spills", "fills",
    *(f"br.{loop}" for loop in LOOPS),
    "false guard", "parallel compare", "moves all predicates",
    "post-increment", "pair load", "ldfe", "stfe", "ldf.fill", "stf.spill",
    "cmpxchg", "xchg", "fetchadd",
    "setf.sig", "setf.s", "setf.d", "setf.exp", "xma", "seed", "NaN or infinity", "extended value",
    *(f"fault: {fault}" for fault in FAULTS),
)  # fmt: skip


def impossible_pairs() -> dict[Pair, str]:
    """Pairs that no program can execute, with the reason."""
    return {
        (f"fault: {one}", f"fault: {other}"): "a fault ends the program"
        for k, one in enumerate(FAULTS)
        for other in FAULTS[k + 1 :]
    }


def count_pairs(seeds: range) -> FeaturePairs:
    """The pairs that the programs of these seeds execute; raises for one that is judged wrong."""
    pairs = FeaturePairs(FEATURES, impossible_pairs())
    for seed in seeds:
        run = Run(seed)
        assert not run.differences, (seed, run.differences)
        pairs.record(run.features)
    return pairs


def main() -> None:
    """Print the table for the seeds FIRST:END that the command line says."""
    first, end = sys.argv[1].split(":")
    print(count_pairs(range(int(first), int(end))).table())


if __name__ == "__main__":
    main()
