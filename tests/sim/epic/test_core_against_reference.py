"""The jitted core against an independent model of the same machine in plain Python.

Cycles, the cycles lost to each cause and every counter must be equal, for programs worked out by
hand, random IR programs, random assembly loops that press on the timing, and small workloads; on
the machines as they are and on variants whose caches and predictors are so small that a short
program fills them.

    pytest -m campaign -n 2 tests/sim/epic/test_core_against_reference.py   hundreds of programs
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from compiler import compile
from compiler.ir.printer import print_module
from compiler.targets.epic.interpret import interpret
from machines.description.load import Machine, load_machine
from machines.kinds.epic.program import BundleProgram
from machines.layout import Memory
from tests.campaign.seeds import short_form
from tests.programs.random_programs import Options, generate
from tests.sim.epic.epic_runs import simulate
from tests.sim.epic.random_assembly import Generator
from tests.sim.epic.random_frames import FrameGenerator
from tests.sim.epic.reference_core import differences, simulate_plainly

HERE = Path(__file__).parent
HAND_WORKED = sorted((HERE / "hand_worked").glob("*.s"))
WORKLOADS = HERE.parents[2] / "workloads"
CYCLES = 5_000_000

SMALL_CACHES = (
    "memory.l1i.size=1KiB",
    "memory.l1d.size=1KiB",
    "memory.l2.size=8KiB",
    "memory.l2.queue=4",
    "memory.l2.misses=3",
    "memory.l3.size=48KiB",
    "memory.l3.misses=2",
)
SMALL_PREDICTOR = (
    "branches.predictor.entries=32",
    "branches.predictor.history_bits=2",
    "branches.predictor.counters=64",
    "branches.predictor.return_stack=2",
    "branches.predictor.perfect_counted_loops=false",
)
SLOW_RESULTS = (
    "latencies.alu.result=3 cycles",
    "latencies.compare.result=4 cycles",
    "latencies.compare.bypasses.branch=3 cycles",
    "latencies.test_bit.result=3 cycles",
    "latencies.fp_compare.result=9 cycles",
    "latencies.post_increment.result=4 cycles",
    "latencies.long_immediate.result=2 cycles",
    "latencies.move_to_predicates.result=6 cycles",
    "latencies.move_to_branch.result=5 cycles",
    "latencies.move_to_branch.bypasses.branch=4 cycles",
    "latencies.move_to_ar_i.result=4 cycles",
    "latencies.loop_branch.result=3 cycles",
    "latencies.call.result=6 cycles",
)
VARIANTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "itanium2": ("itanium2", ()),
    "itanium": ("itanium", ()),
    "epic3": ("epic3", ()),
    "small caches": ("itanium2", SMALL_CACHES),
    "small predictor": (
        "itanium2",
        (*SMALL_PREDICTOR, "branches.mispredict=3 cycles", "branches.taken_bubble=2 cycles"),
    ),
    "small and wide": ("epic3", (*SMALL_CACHES, *SMALL_PREDICTOR)),
    "small and LRU": (
        "itanium2",
        (*SMALL_CACHES, "memory.l2.replacement=lru", "memory.l3.replacement=lru"),
    ),
    "other stores": (
        "itanium2",
        (
            *SMALL_CACHES,
            "memory.l1d.write=back",
            "memory.l1d.allocate_on_write=true",
        ),
    ),
    "allocating stores": (
        "itanium",
        (
            *SMALL_CACHES[:2],
            "memory.l1d.allocate_on_write=true",
            "memory.l2.allocate_on_write=false",
        ),
    ),
    "floats in L1D": (
        "itanium2",
        (
            "memory.l1d.size=1KiB",
            "memory.l1d.holds_fp=true",
            "memory.l1d.fp_extra=5 cycles",
            "memory.l1d.write=none",
            "memory.l3=null",
        ),
    ),
    "static and slow bus": (
        "itanium2",
        (
            *SMALL_CACHES,
            "branches.predictor.kind=static",
            "memory.main.bandwidth=0.7GB/s",
            "memory.l2.queue=2",
        ),
    ),
    "narrow caches": (
        "itanium2",
        (
            "memory.l1d.accesses=1",
            "memory.l1d.retry=2 cycles",
            "memory.l1d.queue=3",
            "memory.l1d.misses=1",
            "memory.l2.banks=1",
            "memory.l2.retry=0 cycles",
        ),
    ),
    "banks in L1D": (
        "epic3",
        (
            "memory.l1d.banks=4",
            "memory.l1d.bank_bytes=16B",
            "memory.l1d.retry=2 cycles",
            "memory.l3.banks=2",
            "memory.l3.accesses=2",
        ),
    ),
    "stores that only read": (
        "itanium2",
        (
            *SMALL_CACHES,
            "memory.l1d.write=back",
            "memory.l1d.allocate_on_write=true",
            "memory.l2.allocate_on_write=false",
            "memory.l2.write=through",
        ),
    ),
    "slow results": ("itanium2", SLOW_RESULTS),
    "single bundles, no history": (
        "epic3",
        (
            "branches.fetch_bytes=16B",
            "branches.taken_bubble=3 cycles",
            "branches.predictor.return_stack=0",
            "branches.predictor.history_bits=0",
            "clock=733MHz",
        ),
    ),
}
"""Machines by name of the test: base and what is set differently."""


@cache
def machine_of(variant: str) -> Machine:
    name, overrides = VARIANTS[variant]
    return load_machine(name, overrides)


def memory_of(program: BundleProgram, arguments: Mapping[str, object]) -> Memory:
    """Array arguments, then the program's own buffers, as the runner lays them out."""
    arrays = {name: a for name, a in arguments.items() if isinstance(a, np.ndarray) and a.ndim}
    sizes = [(name, array.nbytes) for name, array in arrays.items()]
    memory = Memory([*sizes, *(buffer.extent for buffer in program.buffers)])
    for name, array in arrays.items():
        memory.view(name)[:] = array.reshape(-1).view(np.uint8)
    for buffer in program.buffers:
        if buffer.data is not None:
            data = np.frombuffer(buffer.data, np.uint8)
            memory.view(buffer.name)[: len(data)] = data
    program.write_addresses(memory)
    return memory


def compare(program: BundleProgram, machine: Machine, arguments: Mapping[str, object]) -> dict:
    """Run both models; what differs."""
    memory = memory_of(program, arguments)
    registers = {
        name: memory.address(name) if name in memory.placements else value
        for name, value in arguments.items()
    }
    plain = simulate_plainly(program, machine.description, memory, registers, CYCLES)
    memory = memory_of(program, arguments)
    outcome = simulate(program, machine, memory, arguments, cycle_limit=CYCLES)
    return differences(plain, outcome)


# ------------------------------------------------------------------- programs of other tests


@pytest.mark.parametrize("path", HAND_WORKED, ids=lambda path: path.stem)
def test_programs_worked_out_by_hand(path: Path):
    text = path.read_text()
    names = [name for name in ("itanium", "epic3") if f"// machine: {name}\n" in text]
    machine = machine_of(names[0] if names else "itanium2")
    assert compare(compile(path, machine=machine).program, machine, {}) == {}


@pytest.mark.parametrize(
    ("name", "variant", "arguments"),
    [
        ("saxpy", "itanium2", {"n": 37, "a": 2.5, "x": "f4:37", "y": "f4:37"}),
        ("dot_product", "epic3", {"n": 37, "x": "f8:37", "y": "f8:37"}),
        ("quicksort", "itanium", {"n": 60, "values": "i4:60"}),
        ("sieve", "small caches", {"n": 400, "flags": "u1:400"}),
    ],
)
def test_workloads(name: str, variant: str, arguments: dict):
    machine = machine_of(variant)
    program = compile(WORKLOADS / name / f"{name}.py", machine=machine).program
    values = {key: array_of(value) for key, value in arguments.items()}
    assert compare(program, machine, values) == {}


def array_of(description: object) -> object:
    """'f4:37' is an array of 37 singles; numbers stand for themselves."""
    if not isinstance(description, str):
        return description
    kind, _, count = description.partition(":")
    values = np.random.Generator(np.random.PCG64(1)).integers(0, 100, int(count))
    return values.astype(kind)


# --------------------------------------------------------------------------- random IR programs


def random_ir_difference(seed: int, variant: str) -> dict:
    machine = machine_of(variant)
    source = generate(seed, Options(size=8 + seed % 40, faults=seed % 3 == 0))
    text = print_module(source.module)
    program = compile("random.sir", machine=machine, source=text).program
    return compare(program, machine, source.arguments)


@pytest.mark.parametrize("seed", short_form(range(2 * len(VARIANTS)), len(VARIANTS)))
def test_random_ir_programs(seed: int):
    assert random_ir_difference(seed, list(VARIANTS)[seed % len(VARIANTS)]) == {}


LOOP = """
        mov ar.lc = 120
        mov ar.ec = 3
        mov pr.rot = 0x10000 ;;
top:
{use}
        br.ctop.sptk top ;;
        br.ret.sptk b0
"""


@pytest.mark.parametrize("cycles", [1, 3, 6])
@pytest.mark.parametrize("use", ["", "(p16) adds r8 = 1, r8 ;;" + 6 * " adds r9 = 1, r9 ;;"])
def test_a_loop_branch_has_three_results(use: str, cycles: int):
    """Of its counts, the branch itself waits for one, the return for the other; what it writes to
    p63, which the program does not name, is p16 then."""
    machine = load_machine("itanium2", (f"latencies.loop_branch.result={cycles} cycles",))
    program = compile(
        "loop.s", machine=machine, source=LOOP.format(use=use.replace(";; ", ";;\n"))
    ).program
    assert compare(program, machine, {}) == {}


# -------------------------------------------------------------------------- random assembly loops


def random_assembly_difference(seed: int, variant: str) -> dict:
    machine = machine_of(variant)
    source = Generator(seed).program()
    program = compile("random.s", machine=machine, source=source).program
    return compare(program, machine, {})


@pytest.mark.parametrize("seed", short_form(range(4 * len(VARIANTS)), len(VARIANTS) // 2))
def test_random_assembly_loops(seed: int):
    assert random_assembly_difference(seed, list(VARIANTS)[seed % len(VARIANTS)]) == {}


# ------------------------------------------------------------- random frames and rotating loops


def random_frames_difference(seed: int, variant: str) -> dict:
    """Timing against the plain model, and every register and byte against the interpreter."""
    machine = machine_of(variant)
    source = FrameGenerator(seed).program()
    program = compile("random.s", machine=machine, source=source).program
    return compare(program, machine, {}) | value_differences(program, machine)


def value_differences(program: BundleProgram, machine: Machine) -> dict:
    """What the interpreter and the core disagree in: name -> (interpreter, core)."""
    expected_memory, memory = memory_of(program, {}), memory_of(program, {})
    expected = interpret(program, expected_memory, machine=machine)
    outcome = simulate(program, machine, memory, {}, cycle_limit=CYCLES)
    found = outcome.registers
    pairs = {
        "status": (expected.status, outcome.status),
        "general": (expected.gr, found.gr),
        "floating": (repr(expected.fr), repr(found.fr)),
        "predicates": (expected.pr, found.pr),
        "branch registers": (expected.br, found.br),
        "application": (expected.ar, found.ar),
        "memory": (expected_memory.bytes.tobytes(), memory.bytes.tobytes()),
        "executed": (expected.executed, outcome.executed.tolist()),
    }
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


@pytest.mark.parametrize("seed", short_form(range(len(VARIANTS)), len(VARIANTS) // 2))
def test_random_frames_and_rotating_loops(seed: int):
    assert random_frames_difference(seed, list(VARIANTS)[seed % len(VARIANTS)]) == {}


# ------------------------------------------------------------------------------------ campaign

PART = 25
PARTS = [range(first, first + PART) for first in range(1000, 1400, PART)]


@pytest.mark.campaign
@pytest.mark.parametrize("seeds", PARTS, ids=lambda seeds: f"{seeds[0]}-{seeds[-1]}")
@pytest.mark.parametrize(
    "difference", [random_ir_difference, random_assembly_difference, random_frames_difference]
)
def test_campaign(seeds: range, difference):
    """Hundreds of programs, each on one of the machines; reports every differing seed."""
    variants = list(VARIANTS)
    found = {seed: difference(seed, variants[seed % len(variants)]) for seed in seeds}
    assert {seed: what for seed, what in found.items() if what} == {}
