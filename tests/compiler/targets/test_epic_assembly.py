"""Printed assembly: GNU as takes it, and the front end reads it back equal."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from compiler import compile
from compiler.frontends.ia64 import PLUGIN
from compiler.ir.copy import copy_function
from compiler.pass_lists import make_steps
from compiler.pipelines import run_steps
from compiler.targets.epic.assembly import print_assembly
from compiler.targets.epic.bundling.groups import violations
from compiler.targets.epic.emit import emit_program
from machines.description.load import load_machine
from machines.kinds.epic.program import BundleProgram
from machines.program import ProgramBuffer
from machines.types import I8, I32
from tests.campaign.seeds import short_form
from tests.compiler.gnu_as import complaints, needs_gnu_as
from tests.machines.ia64_cases import cases, prepare
from tests.programs.random_programs import Options, generate

MACHINE = load_machine("itanium2")
SEEDS = range(4)


def comparable(program: BundleProgram) -> dict:
    """What must survive printing and reading: everything but types and positions."""
    rows = [
        (program.operations[code[0]] if code[0] >= 0 else None, *code[1:])
        for code in program.code.tolist()
    ]
    content = [
        (b.name, b.size, b.data.ljust(b.size, b"\0") if b.data and any(b.data) else None)
        for b in program.buffers
    ]
    return {
        "code": rows,
        "templates": program.templates.tolist(),
        "symbols": program.symbols,
        "buffers": content,
        "entry": program.entry,
        "labels": program.labels,
    }


def compiled(seed: int) -> BundleProgram:
    """A random program through the default passes."""
    made = generate(seed, Options(faults=True))
    function = copy_function(made.function)
    run_steps(make_steps("epic"), function, made.module, MACHINE)
    return emit_program([function], made.module, MACHINE.description)


def read_back(program: BundleProgram) -> BundleProgram:
    return PLUGIN.read(print_assembly(program, MACHINE.description), "printed.s", MACHINE)


@pytest.mark.parametrize("seed", SEEDS)
def test_round_trip_of_random_programs(seed):
    program = compiled(seed)
    assert comparable(read_back(program)) == comparable(program)
    assert list(violations(program, MACHINE.description)) == []


@pytest.mark.parametrize("part", short_form(range(4), 1))
def test_round_trip_of_every_row(part):
    first = {case.row: case for case in reversed(cases())}
    for case in [*first.values()][part::4]:
        program, _ = prepare(case, MACHINE)
        assert comparable(read_back(program)) == comparable(program), case


@needs_gnu_as
def test_gnu_as_takes_random_programs(tmp_path):
    for seed in SEEDS:
        text = print_assembly(compiled(seed), MACHINE.description)
        assert not complaints(text, tmp_path), seed


@needs_gnu_as
def test_names_that_read_as_registers(tmp_path):
    program = dataclasses.replace(
        prepare(cases()[0], MACHINE)[0],
        labels={0: "r5", 2: "sp"},
        buffers=[ProgramBuffer("f6", I32, 3, bytes(range(12))), ProgramBuffer("ar1", I8, 5)],
    )
    text = print_assembly(program, MACHINE.description)
    assert "r5$:" in text
    assert not complaints(text, tmp_path)
    again = PLUGIN.read(text, "printed.s", MACHINE)
    assert [b.name for b in again.buffers] == ["f6$", "ar1$"]
    assert np.array_equal(again.code, program.code)


def test_the_listing_of_a_compilation(tmp_path):
    source = tmp_path / "one.sir"
    source.write_text("func @one(n: i64) -> i64 {\nBB1:\n    x = add.i64 n, 1\n    return x\n}\n")
    listing = compile(source, machine=MACHINE).listing
    assert "\t.proc" in listing
    assert "br.ret.sptk     b0" in listing
