"""Random programs through the whole chain: IR interpreter = machine interpreter = core.

The IR interpreter judges the code generator (returned value, memory, whether it faults), the
machine interpreter judges the core (registers too), and the core must not depend on how its time is
cut into calls.  A few programs run in every test run; the campaign runs thousands:

    python -m pytest tests/campaign -m campaign
    CAMPAIGN=100000:102000 python -m pytest tests/campaign -m campaign     other seeds
"""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np
import pytest

from compiler import compile
from compiler.ir.interpret import interpret as interpret_ir
from compiler.ir.interpret import memory_for
from compiler.ir.module import Instruction, Module
from compiler.ir.random_programs import Options, generate
from compiler.ir.text import parse, print_module
from compiler.targets.epic.interpret import interpret as interpret_program
from machines.floating import fr_value
from machines.layout import Memory
from machines.load import load_machine
from machines.program import Program
from sim.cores import state as at
from sim.cores.drive import Core
from sim.cores.write_core import fault_kind

MACHINES = ("itanium2", "itanium", "epic3")
QUANTA = (10**6, 7, 1)
FAULT_KINDS = {"out of bounds", "misaligned", "division by zero"}
SHORT = range(24)
STEPS, CYCLES = 2_000_000, 20_000_000


def campaign_seeds() -> range:
    first, _, end = os.environ.get("CAMPAIGN", "1000:3000").partition(":")
    return range(int(first), int(end))


def options(seed: int) -> Options:
    """Every third program may fault, every fifth reads unassigned variables."""
    return Options(size=8 + seed % 48, faults=seed % 3 == 0, unassigned=seed % 5 == 0)


@dataclass
class Ran:
    """How one of the three ended: a value or a fault, and the memory it left."""

    value: int | float | None
    fault: tuple | None
    memory: Memory


def program_memory(program: Program, arguments: dict[str, object]) -> Memory:
    """Laid out as the runner does it: array arguments, then the program's buffers."""
    arrays = {name: a for name, a in arguments.items() if isinstance(a, np.ndarray)}
    sizes = [(name, a.nbytes) for name, a in arrays.items()]
    memory = Memory(sizes + [(buffer.name, buffer.size) for buffer in program.buffers])
    for name, array in arrays.items():
        memory.view(name)[:] = array.view(np.uint8)
    for buffer in program.buffers:
        if buffer.data is not None:
            memory.view(buffer.name)[:] = np.frombuffer(buffer.data, np.uint8)
    return memory


def differing_buffers(expected: Memory, found: Memory) -> list[str]:
    """Buffers whose bytes or addresses differ; spill space is not among the IR's."""
    return [
        name
        for name, place in expected.placements.items()
        if found.placements[name] != place or (expected.view(name) != found.view(name)).any()
    ]


def same_value(a: int | float | None, b: int | float | None) -> bool:
    return repr(a) == repr(b)


def instruction_at(module: Module, line: int) -> Instruction:
    function = module.functions["main"]
    return next(i for _, i in function.instructions() if i.location.line == line)


def check(seed: int, machine_name: str) -> None:
    machine = load_machine(machine_name)
    source = generate(seed, options(seed))
    text = print_module(source.module)
    module = parse(text, "random.sir")
    arguments = source.arguments

    ir_memory = memory_for(module, arguments)
    ir = interpret_ir(module.functions["main"], arguments, ir_memory, limit=STEPS)
    program = compile("random.sir", machine=machine, source=text).program

    memory = program_memory(program, arguments)
    registers = {
        n: memory.address(n) if n in memory.placements else v for n, v in arguments.items()
    }
    judge = interpret_program(program, memory, registers)
    assert ir.status == judge.status, f"{ir.fault} and {judge.fault}"
    if ir.fault:
        place = judge.fault.location
        assert judge.fault.kind in FAULT_KINDS
        assert instruction_at(module, place.line).operation.may_fault
    else:
        assert same_value(ir.value, judge.value)
        assert not differing_buffers(ir_memory, memory)

    first: Core | None = None
    for quantum in QUANTA:
        core_memory = program_memory(program, arguments)
        core = Core(program, machine.description, core_memory, arguments)
        status = at.QUANTUM
        while status == at.QUANTUM and core.cycle < CYCLES:
            status = core.advance(core.cycle + quantum)
        compare_with_judge(core, status, judge, memory, core_memory)
        if first is None:
            first = core
        else:
            assert differing_arrays(first, core) == []


def compare_with_judge(core: Core, status: int, judge, memory: Memory, core_memory: Memory) -> None:
    state = core.state
    if judge.fault:
        assert status == at.FAULTED
        number, detail, syllable = state.scalars[[at.FAULT, at.FAULT_ADDRESS, at.FAULT_SYLLABLE]]
        kind = fault_kind(core.machine.instructions, number, detail)
        assert (kind, syllable) == (judge.fault.kind, judge.fault.syllable)
    else:
        assert status == at.DONE
        assert same_value(core.value(), judge.value)
    assert (memory.bytes == core_memory.bytes).all()
    assert state.general.tolist() == judge.gr
    assert state.predicates.tolist() == judge.pr
    assert state.branch_registers.tolist() == judge.br
    for number, register in enumerate(judge.fr):
        held = core.floating_register(number)
        assert same_value(fr_value(held), fr_value(register))
        assert held[1:] == register[1:]


def differing_arrays(a: Core, b: Core) -> list[str]:
    """Names of the state arrays that differ: registers, counters, caches, everything.

    Of `pending` only what is still to come means something, and `blamed` is where the core notes
    whom to charge while it counts lost cycles; whom it charged stands in `stalls`.
    """
    comparable = [
        core.state._replace(
            pending=np.maximum(core.state.pending, core.cycle),
            blamed=np.zeros_like(core.state.blamed),
        )
        for core in (a, b)
    ]
    return _differing(*comparable, "")


def _differing(a, b, prefix: str) -> list[str]:
    found = []
    for name in a._fields:
        x, y = getattr(a, name), getattr(b, name)
        if hasattr(x, "_fields"):
            found += _differing(x, y, f"{name}.")
        elif not np.array_equal(x, y, equal_nan=np.asarray(x).dtype.kind == "f"):
            found.append(prefix + name)
    return found


@pytest.mark.parametrize("seed", SHORT)
def test_a_few_programs(seed):
    check(seed, MACHINES[seed % len(MACHINES)])


@pytest.mark.campaign
def test_campaign():
    """Reports every differing seed, not just the first."""
    failed = {}
    for seed in campaign_seeds():
        try:
            check(seed, MACHINES[seed % len(MACHINES)])
        except Exception as error:
            failed[seed] = f"{type(error).__name__}: {str(error)[:200]}"
    assert not failed
