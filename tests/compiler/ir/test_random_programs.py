"""The generator of random programs: valid, terminating, deterministic, and of every feature."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import compiler
from compiler.analyses.control_flow import control_flow
from compiler.interpret.functions import interpret, memory_for
from compiler.text_form import print_module
from compiler.verify.ir import verify
from machines.instructions import operations
from tests.programs.random_programs import Options, generate, options_from

STEPS = 1_000_000


def outcomes(seeds, options):
    for seed in seeds:
        program = generate(seed, options)
        verify(program.module)
        memory = memory_for(program.module, program.arguments)
        outcome = interpret(
            program.function, program.arguments, memory, limit=STEPS, opaque_seed=seed
        )
        yield program, outcome, memory


def test_programs_are_valid_and_end_well():
    for _, outcome, _ in outcomes(range(15), Options()):
        assert outcome.status == "done"
        assert outcome.unassigned == ()


def test_faults_appear_when_wanted():
    found = Counter()
    for _, outcome, _ in outcomes(range(40), Options(faults=True)):
        assert outcome.status in ("done", "fault")
        found[outcome.fault and outcome.fault.kind] += 1
    assert set(found) == {None, "out of bounds", "misaligned", "division by zero"}
    assert found[None] > 20


def test_unassigned_reads_appear_when_wanted():
    assert any(
        outcome.unassigned for _, outcome, _ in outcomes(range(20), Options(unassigned=True))
    )


def test_results_reach_memory():
    """A program's variables are stored at its end."""
    programs = outcomes(range(10), Options(early_returns=False))
    assert all(memory.view("out").any() for _, _, memory in programs)


@pytest.mark.campaign
def test_every_row_appears():
    """Those of tensors, which are many, whatever their types."""

    def named(name: str) -> str:
        return ".".join(name.split(".")[:2]) if name.startswith("tensor.") else name

    rows = {
        named(name)
        for name, row in operations().family("ir").items()
        if not ("phi" in row.flags or row.is_of_many or row.calls)
    } - {"tensor.lookup"}
    seen = set()
    for seed in range(400):
        function = generate(
            seed, Options(size=60, opaque=True, tensors=True, volatile=True)
        ).function
        seen.update(named(i.operation.name) for _, i in function.instructions())
    assert seen == rows


def test_options_exclude():
    options = options_from(
        ["i32", "i64", "ptr"], exclude=frozenset({"div_s", "mul.i32"}), guards=False, loops=False,
        unstructured=False,
    )  # fmt: skip
    for seed in range(30):
        function = generate(seed, options).function
        names = {i.operation.name for _, i in function.instructions()}
        assert not names & {"div_s.i32", "div_s.i64", "mul.i32"}
        assert not any(name.endswith(("f32", "f64", ".i8", ".i16")) for name in names)
        assert all(i.guard is None for _, i in function.instructions())
        order = {name: place for place, name in enumerate(control_flow(function).reverse_postorder)}
        for source, targets in control_flow(function).successors.items():
            assert all(order[source] < order[target] for target in targets if source in order)


def test_loops_guards_and_layouts_appear():
    guarded = backward = shuffled = 0
    for seed in range(20):
        function = generate(seed, Options()).function
        flow = control_flow(function)
        guarded += any(i.guard for _, i in function.instructions())
        order = {name: place for place, name in enumerate(flow.reverse_postorder)}
        backward += any(
            order.get(target, 0) <= order[source]
            for source in order
            for target in flow.successors[source]
        )
        shuffled += list(function.blocks) != list(flow.reverse_postorder)
    assert min(guarded, backward, shuffled) >= 5


def digest() -> str:
    options = Options(opaque=True, tensors=True, inexact=True, indirect=True)
    text = "".join(print_module(generate(seed, options).module) for seed in range(5))
    return hashlib.sha256(text.encode()).hexdigest()


def test_programs_do_not_depend_on_the_hash_seed():
    code = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
    code += f"from {Path(__file__).stem} import digest\nprint(digest())"
    for seed in ("2",):
        root = str(Path(compiler.__file__).parents[1])
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": root}
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == digest()
