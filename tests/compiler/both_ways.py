"""Runs a program on the IR interpreter and, compiled, on the machine interpreter, and compares."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from compiler.interpret.functions import interpret as interpret_ir
from compiler.interpret.functions import memory_for
from compiler.ir.module import Function, Module
from compiler.pass_lists import PassList, make_steps
from compiler.pipelines import run_on_all
from compiler.targets.epic.emit import emit_program
from compiler.targets.epic.interpret import interpret as interpret_machine
from compiler.text_form import parse
from machines.description.load import Machine
from machines.kinds.epic.program import BundleProgram
from machines.layout import Memory

IR_STEPS, SYLLABLES = 2_000_000, 50_000_000
MEMORY_FAULTS = {"out of bounds", "misaligned"}
LOOP_BRANCHES = {"br.ctop", "br.wtop"}


@dataclass
class Ran:
    """How a run ended, and what it left in memory; `overlaps` says that iterations overlapped."""

    status: str
    value: int | float | None
    fault: str | None
    memory: Memory
    overlaps: bool = False


def build(function: Function, module: Module, machine: Machine, passes: PassList = "default"):
    """The program of a copy of `function`."""
    functions, _ = run_on_all(make_steps(machine.kind, passes), function, module, machine)
    return emit_program(functions, module, machine.description)


def build_text(text: str, machine: Machine, passes: PassList = "default") -> BundleProgram:
    """The program of the only function of an IR text."""
    module = parse(text, "test.sir")
    (function,) = module.functions.values()
    return build(function, module, machine, passes)


def run_ir(function: Function, module: Module, arguments: dict) -> Ran:
    memory = memory_for(module, arguments)
    outcome = interpret_ir(function, arguments, memory, limit=IR_STEPS)
    return Ran(outcome.status, outcome.value, outcome.fault and outcome.fault.kind, memory)


def run_program(program: BundleProgram, arguments: dict, machine: Machine | None = None) -> Ran:
    """Arrays are placed first, in their order, then the program's buffers."""
    arrays = {name: value for name, value in arguments.items() if isinstance(value, np.ndarray)}
    blocks = [(name, array.nbytes) for name, array in arrays.items()]
    memory = Memory([*blocks, *(buffer.extent for buffer in program.buffers)])
    for name, array in arrays.items():
        memory.view(name)[:] = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    for buffer in program.buffers:
        if buffer.data is not None:
            memory.view(buffer.name)[:] = np.frombuffer(buffer.data, np.uint8)
    values = {name: _value(name, value, memory) for name, value in arguments.items()}
    outcome = interpret_machine(program, memory, values, SYLLABLES, machine)
    overlaps = any(name in LOOP_BRANCHES for name in program.operations)
    fault = outcome.fault and outcome.fault.kind
    return Ran(outcome.status, outcome.value, fault, memory, overlaps)


def _value(name: str, value: object, memory: Memory) -> object:
    if isinstance(value, np.ndarray):
        return memory.address(name)
    return memory.address(value) if isinstance(value, str) else value


def differences(expected: Ran, got: Ran) -> list[str]:
    """What is different; empty if the two agree.

    Which of several faulting loads faults first is the scheduler's choice.  Where iterations
    overlap, those before the one that faults may not be over, and those after it begun.
    """
    if expected.status != got.status:
        return [f"{expected.status} {expected.fault}, but {got.status} {got.fault}"]
    found = []
    if expected.fault != got.fault and not {expected.fault, got.fault} <= MEMORY_FAULTS:
        found.append(f"fault {expected.fault}, but {got.fault}")
    if not same_value(expected.value, got.value):
        found.append(f"value {expected.value!r}, but {got.value!r}")
    if got.overlaps and got.status == "fault":
        return found
    return [*found, *_differences_in_memory(expected.memory, got.memory)]


def _differences_in_memory(expected: Memory, got: Memory) -> Iterator[str]:
    """Of what both have; a program has a buffer for spilled registers beside it."""
    for name, placement in expected.placements.items():
        if got.placements[name] != placement:
            yield f"{name} stands at {got.placements[name]}, not at {placement}"
        places = np.nonzero(expected.view(name) != got.view(name))[0]
        if len(places):
            yield f"{name} differs at offsets {places[:8].tolist()}"


def same_value(a: int | float | None, b: int | float | None) -> bool:
    """Equal, with the sign of zero, and NaN equal to NaN."""
    if isinstance(a, float) and isinstance(b, float):
        if math.isnan(a) or math.isnan(b):
            return math.isnan(a) and math.isnan(b)
        return a == b and math.copysign(1, a) == math.copysign(1, b)
    return a == b


def compare_text(text: str, arguments: dict, machine: Machine, passes: PassList = "default") -> Ran:
    """Run the only function of an IR text both ways; fails if they differ."""
    module = parse(text, "test.sir")
    (function,) = module.functions.values()
    expected = run_ir(function, module, arguments)
    got = run_program(build(function, module, machine, passes), arguments)
    assert differences(expected, got) == []
    return got
