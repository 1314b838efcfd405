"""Kernels get their arguments byte for byte, whatever their parameters are."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from machines.diagnostics import InputError
from sim.runner import compile_workload, execute, launch
from sim.workload import read_workload
from tests.campaign.seeds import campaign, check_all
from tests.sim.simt.random_signatures import random_signature


def check_bytes(seed: int) -> None:
    """Every parameter of a random signature arrives as it was given, in each of its launches."""
    made = random_signature(seed)
    with tempfile.TemporaryDirectory() as folder:
        workload = read_workload(made.write(Path(folder)))
        prepared = launch(compile_workload(workload), workload.case())
    addresses = {name: place.address for name, place in prepared.memory.placements.items()}
    result = execute(prepared)
    assert result.status == "done", result.fault
    for name, expected in made.expected.items():
        got, wanted = result.outputs[name].tobytes(), expected(addresses)
        assert got == wanted, (seed, name, got.hex(), wanted.hex())


def check_refusal(seed: int) -> None:
    """An argument that cannot be what its parameter is, is refused at its place before the run."""
    made = random_signature(seed, is_wrong=True)
    with tempfile.TemporaryDirectory() as folder:
        path = made.write(Path(folder))
        with pytest.raises(InputError) as caught:
            workload = read_workload(path)
            launch(compile_workload(workload), workload.case())
    assert all(found.location is not None for found in caught.value.diagnostics), seed


def test_bytes():
    check_all(check_bytes, range(25))


def test_refusals():
    check_all(check_refusal, range(25))


@campaign(part=250, first=1000, end=3000)
def test_bytes_of_many(seeds):
    check_all(check_bytes, seeds)


@campaign(part=250, first=1000, end=3000)
def test_refusals_of_many(seeds):
    check_all(check_refusal, seeds)
