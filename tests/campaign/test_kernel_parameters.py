"""Kernels get their arguments byte for byte, whatever their parameters are."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from machines.diagnostics import Diagnostic, InputError
from sim.prepared_case import prepare
from sim.runner import Compiled, compile_workload, execute
from sim.workload.schema import read_workload
from tests.campaign.seeds import campaign, check_all
from tests.sim.simt.random_signatures import random_signature


def check_bytes(seed: int) -> None:
    """Every parameter of a random signature arrives as it was given, in each of its launches."""
    made = random_signature(seed)
    with tempfile.TemporaryDirectory() as folder:
        workload = read_workload(made.write(Path(folder)))
        prepared = prepare(compile_workload(workload), workload.case())
    addresses = {name: place.address for name, place in prepared.memory.placements.items()}
    result = execute(prepared)
    assert result.status == "done", result.fault
    for name, expected in made.expected.items():
        got, wanted = result.outputs[name].tobytes(), expected(addresses)
        assert got == wanted, (seed, name, got.hex(), wanted.hex())


def check_refusals(seed: int) -> None:
    """Arguments that cannot be what their parameters are, are refused at their place before the
    run, with one message."""
    made = random_signature(seed)
    with tempfile.TemporaryDirectory() as folder:
        compiled = compile_workload(read_workload(made.write(Path(folder))))
        for workload in made.wrong:
            findings = _findings(compiled, made.write(Path(folder), workload))
            assert len(findings) == 1 and findings[0].location is not None, (findings, workload)
            assert "no launch reads" not in findings[0].message, workload  # it is the value's


def _findings(compiled: Compiled, path: Path) -> list[Diagnostic]:
    try:
        workload = read_workload(path)
        prepare(replace(compiled, workload=workload), workload.case())
    except InputError as error:
        return error.diagnostics
    return []


def test_bytes():
    check_all(check_bytes, range(12))


def test_refusals():
    check_all(check_refusals, range(3))


@campaign(part=250, first=1000, end=3000)
def test_bytes_of_many(seeds):
    check_all(check_bytes, seeds)


@campaign(part=250, first=1000, end=3000)
def test_refusals_of_many(seeds):
    check_all(check_refusals, seeds)
