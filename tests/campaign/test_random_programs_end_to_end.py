"""Random programs through the whole chain: IR interpreter = machine interpreter = core.

The IR interpreter judges the code generator (returned value, memory, whether it faults), the
machine interpreter judges the core (registers too), and the core must not depend on how its time is
cut into calls.  A few programs run in every test run; the campaign runs thousands:

    pytest -m campaign -n 2
    CAMPAIGN=100000:102000 pytest -m campaign -n 2     other seeds
"""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from compiler import compile
from compiler.interpret.functions import interpret as interpret_ir
from compiler.interpret.functions import memory_for
from compiler.ir.module import Instruction, Module
from compiler.targets.epic.interpret import MachineOutcome
from compiler.targets.epic.interpret import interpret as interpret_program
from compiler.text_form import parse, print_module
from machines.description.load import load_machine
from machines.kinds.epic.program import BundleProgram
from machines.layout import Memory
from tests.campaign.seeds import campaign, check_all
from tests.programs.random_programs import Options, generate
from tests.sim.epic.epic_runs import EpicRun, simulate

MACHINES = ("itanium2", "itanium", "epic3")
QUANTA = (10**6, 7, 1)
FAULT_KINDS = {"out of bounds", "misaligned", "division by zero"}
SHORT = range(3)
STEPS, CYCLES = 2_000_000, 20_000_000


def options(seed: int) -> Options:
    """Every third program may fault, some read unassigned variables, some need many registers."""
    return Options(
        size=8 + seed % 48,
        variables=40 if seed % 11 == 5 else 3,
        faults=seed % 3 == 0,
        unassigned=seed % 5 == 0,
        volatile=seed % 4 == 1,
        calls=seed % 7 < 3,
        aliases=seed % 5 < 2,
    )


def program_memory(program: BundleProgram, arguments: dict[str, object]) -> Memory:
    """Laid out as the runner does it: array arguments, then the program's buffers."""
    arrays = {name: a for name, a in arguments.items() if isinstance(a, np.ndarray)}
    sizes = [(name, a.nbytes) for name, a in arrays.items()]
    memory = Memory([*sizes, *(buffer.extent for buffer in program.buffers)])
    for name, array in arrays.items():
        memory.view(name)[:] = array.view(np.uint8)
    for buffer in program.buffers:
        if buffer.data is not None:
            memory.view(buffer.name)[:] = np.frombuffer(buffer.data, np.uint8)
    return memory


def in_register(name: str, value: object, memory: Memory) -> int | float:
    """An array, or the name of a buffer, is its address."""
    if isinstance(value, np.ndarray):
        return memory.address(name)
    return memory.address(value) if isinstance(value, str) else value


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
    every = (i for function in module.functions.values() for _, i in function.instructions())
    return next(i for i in every if i.location.line == line)


def check(seed: int, machine_name: str) -> None:
    machine = load_machine(machine_name)
    source = generate(seed, options(seed))
    text = print_module(source.module)
    module = parse(text, "random.sir")
    arguments = source.arguments

    ir_memory = memory_for(module, arguments)
    ir = interpret_ir(module.functions["main"], arguments, ir_memory, limit=STEPS)
    program = compile("random.sir", machine=machine, source=text, entry="main").program

    memory = program_memory(program, arguments)
    registers = {name: in_register(name, value, memory) for name, value in arguments.items()}
    judge = interpret_program(program, memory, registers)
    assert ir.status == judge.status, f"{ir.fault} and {judge.fault}"
    if ir.fault:
        place = judge.fault.location
        assert judge.fault.kind in FAULT_KINDS
        assert instruction_at(module, place.line).operation.may_fault
    else:
        assert same_value(ir.value, judge.value)
    assert not differing_buffers(ir_memory, memory)

    outcomes = []
    for quantum in QUANTA:
        core_memory = program_memory(program, arguments)
        core = simulate(
            program, machine, core_memory, registers, cycle_limit=CYCLES, quantum=quantum
        )
        assert differences(judge, core) == []
        assert (memory.bytes == core_memory.bytes).all()
        outcomes.append(core)
    assert [repr(plain(core)) for core in outcomes] == [repr(plain(outcomes[0]))] * len(QUANTA)


def differences(judge: MachineOutcome, core: EpicRun) -> list[str]:
    """In what a run of the core differs from the machine interpreter's."""
    pairs = {
        "status": (judge.status, core.status),
        "value": (judge.value, core.value),
        "fault": (essence(judge.fault), essence(core.fault)),
        "gr": (judge.gr, core.registers.gr),
        "fr": (judge.fr, core.registers.fr),
        "pr": (judge.pr, core.registers.pr),
        "br": (judge.br, core.registers.br),
        "executed": (judge.executed, core.executed.tolist()),
    }
    return [name for name, (a, b) in pairs.items() if repr(a) != repr(b)]


def essence(fault) -> tuple | None:
    return fault and (fault.kind, fault.location, fault.address, fault.syllable)


def plain(outcome: EpicRun) -> dict[str, object]:
    """Everything an outcome holds, comparable as text (NaN equals NaN)."""
    found = {field.name: getattr(outcome, field.name) for field in fields(outcome)}
    return {
        name: value.tolist() if isinstance(value, np.ndarray) else value
        for name, value in found.items()
    }


@pytest.mark.parametrize("seed", SHORT)
def test_a_few_programs(seed):
    check(seed, MACHINES[seed % len(MACHINES)])


@campaign(50, end=3000)
def test_campaign(seeds: range):
    check_all(lambda seed: check(seed, MACHINES[seed % len(MACHINES)]), seeds)
