"""Tensor statements of random programs: right, of every sort, and with many overlaps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np
import pytest

from compiler.analyses.loops import loops
from compiler.interpret.functions import interpret, memory_for
from compiler.interpret.tensors import candidates
from compiler.ir.module import AnyOf, Descriptor, Function, Instruction
from compiler.text_form import parse, print_module
from compiler.verify.ir import verify
from machines.layout import Memory
from machines.tensors.segments import span
from tests.programs.random_programs import Options, RandomProgram, generate, options_from

STEPS = 1_000_000
EVERYTHING = Options(tensors=True, inexact=True, indirect=True)
FAULTING = Options(tensors=True, inexact=True, indirect=True, faults=True, opaque=True)


def run(program: RandomProgram, seed: int, memory: Memory | None = None, **options):
    memory = memory or memory_for(program.module, program.arguments)
    return interpret(
        program.function, program.arguments, memory, limit=STEPS, opaque_seed=seed, **options
    )


def tensor_instructions(function: Function) -> Iterator[Instruction]:
    return (i for _, i in function.instructions() if i.operation.walk)


def descriptors(function: Function) -> list[Descriptor]:
    return [
        descriptor
        for instruction in tensor_instructions(function)
        for _, interval in instruction.intervals
        for descriptor in candidates(interval)
    ]


def test_programs_are_valid_and_end_well():
    for seed in range(12):
        program = generate(seed, EVERYTHING)
        verify(program.module)
        assert run(program, seed).status == "done"


@pytest.mark.campaign
def test_faults_of_all_kinds_appear_when_wanted():
    found = Counter()
    for seed in range(150):
        outcome = run(generate(seed, FAULTING), seed)
        found[outcome.fault and outcome.fault.kind] += 1
    assert {None, "out of bounds", "size mismatch", "misaligned"} <= set(found)
    assert found[None] > 75


def test_programs_round_trip():
    for seed in range(6):
        text = print_module(generate(seed, EVERYTHING).module)
        assert print_module(parse(text)) == text


@pytest.mark.parametrize(("inexact", "indirect"), [(False, False), (True, False), (False, True)])
def test_options_say_what_appears(inexact, indirect):
    found = Counter()
    for seed in range(40):
        options = Options(tensors=True, inexact=inexact, indirect=indirect)
        function = generate(seed, options).function
        found["inexact"] += any(not d.is_exact for d in descriptors(function))
        found["strided"] += any(d.steps for d in descriptors(function))
        found["indirect"] += any(
            isinstance(interval, AnyOf)
            for instruction in tensor_instructions(function)
            for _, interval in instruction.intervals
        )
    assert (found["inexact"] > 10) == inexact and (found["inexact"] == 0) != inexact
    assert found["strided"] > 10
    assert (found["indirect"] > 10) == indirect and (found["indirect"] == 0) != indirect


def test_without_the_option_there_is_none():
    for seed in range(20):
        module = generate(seed).module
        assert not list(tensor_instructions(module.functions["main"]))
        assert not any(name.startswith("tensor") for name in module.buffers)


def test_types_and_exclusions_are_kept():
    options = options_from(
        ["i16", "f32"],
        tensors=True,
        inexact=True,
        exclude=frozenset({"tensor.add", "tensor.sum.f32"}),
    )
    for seed in range(20):
        names = {i.operation.name for i in tensor_instructions(generate(seed, options).function)}
        assert not names & {"tensor.add.i16", "tensor.add.f32", "tensor.sum.f32"}
        known = (".i16", ".f32", ".f16", ".bf16", ".e4m3", ".e5m2")
        assert all(name.endswith(known) for name in names)
    with pytest.raises(ValueError, match="type of elements"):
        generate(1, options_from(["ptr"], tensors=True))


def test_guards_loops_and_scalars_meet_tensors():
    found = Counter()
    for seed in range(30):
        function = generate(seed, EVERYTHING).function
        depth = loops(function).depth
        for block, instruction in function.instructions():
            if instruction.operation.walk:
                found["guarded"] += instruction.guard is not None
                found["in a loop"] += depth.get(block.name, 0) > 0
            elif instruction.operation.name == "address.ptr":
                found["scalar access"] += str(instruction.operands[0]).startswith("tensor")
    assert min(found["guarded"], found["in a loop"], found["scalar access"]) > 20


def test_intervals_overlap():
    """Of two exact intervals of a program one in ten or more have elements in common."""
    pairs = overlaps = 0
    for seed in range(30):
        exact = [d for d in descriptors(generate(seed, EVERYTHING).function) if d.is_exact]
        for a, b in combinations(exact, 2):
            pairs += 1
            (low, high), (begin, end) = (span(d.low, d.high, d.steps) for d in (a, b))
            overlaps += a.buffer == b.buffer and low < end and begin < high
    assert overlaps > pairs / 10


def replayed_by(memory: Memory, seen: Counter) -> tuple[Memory, Callable]:
    """A copy of a memory, and an observer that brings every observed store to it."""
    copy = memory.copy()

    def observe(block, index, position, kind, address, size):
        seen[kind] += 1
        if kind == "store":
            offset = memory.check(address, size, alignment=1)
            copy.bytes[offset : offset + size] = memory.bytes[offset : offset + size]

    return copy, observe


def test_observation_tells_of_everything_that_changes_memory():
    """Replaying the observed stores on the memory at the start gives the memory at the end."""
    seen = Counter()
    for seed in range(10):
        program = generate(seed, FAULTING)
        memory = memory_for(program.module, program.arguments)
        replayed, observe = replayed_by(memory, seen)
        outcome = run(program, seed, memory, observe=observe)
        assert np.array_equal(replayed.bytes, memory.bytes)
        unobserved = memory_for(program.module, program.arguments)
        assert repr(run(program, seed, unobserved)) == repr(outcome)
        assert np.array_equal(unobserved.bytes, memory.bytes)
    assert min(seen["load"], seen["store"]) > 70
