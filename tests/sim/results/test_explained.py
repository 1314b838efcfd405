"""Counters at length: where they are counted is a file, formulas hold in runs, names are real."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

import sim
from machines.kinds import kinds
from sim.commands.list import list_command
from sim.results.result import Result
from sim.results.vocabulary import Counter, vocabulary_of

ROOT = Path(__file__).parents[3]
METRIC = re.compile(r"[a-z0-9]+__[a-z0-9_]+\.(sum|max|ratio)")
RUNS = {
    "epic": ("workloads/hand_tuned/strlen", "itanium2"),
    "simt": ("workloads/gpu/strided", "teaching_gpu"),
}


@cache
def run(kind: str) -> Result:
    path, machine = RUNS[kind]
    return sim.run(ROOT / path, machine=machine)


def counters(kind: str) -> dict[str, Counter]:
    return {one.name: one for one in vocabulary_of(kind).counters}


@pytest.mark.parametrize("kind", kinds())
def test_every_counter_has_its_place_in_the_model(kind: str):
    for one in counters(kind).values():
        assert (ROOT / one.place).is_file(), one.name
        assert f"/{kind}/" in one.place


def test_names_are_those_of_the_tools():
    for one in counters("simt").values():
        if one.real:
            tool, _, said = one.real.partition(": ")
            assert tool == "Nsight Compute"
            assert all(METRIC.fullmatch(part) for part in re.split(r" [x-] ", said)), one.name
    for one in counters("epic").values():
        assert not one.real or one.real.startswith("Itanium 2 PMU: ")
        if "BUBBLE" in one.name and "-" not in one.name:
            assert one.real == f"Itanium 2 PMU: {one.name}"
    assert sum(bool(one.real) for one in counters("simt").values()) > 30
    assert not any(one.real for one in counters("cluster").values())


@pytest.mark.parametrize(
    "kind, name, value",
    [
        ("simt", "IDLE_LANES", lambda c: 32 * c["WARP_INSTRUCTIONS"] - c["THREAD_INSTRUCTIONS"]),
        ("simt", "WARPS_SELECTED", lambda c: c["ISSUE_SLOTS"]),
        ("simt", "DRAM_BYTES_READ", lambda c: 32 * (c["L2_COMPLETED"] + sum(
            value for name, value in c.items() if name.endswith("_DRAM_SECTORS")))),
        ("epic", "BE_EXE_BUBBLE.GRALL",
         lambda c: c["BE_EXE_BUBBLE.GRALL-GRGR"] + c["BE_EXE_BUBBLE.GRGR"]),
        ("epic", "BACK_END_BUBBLE.ALL", lambda c: c["CPU_CYCLES"] - c["ISSUE_CYCLES"]),
        ("epic", "SPLIT_ISSUES", lambda c: sum(
            value for name, value in c.items() if name.startswith("SPLIT_ISSUES."))),
    ],
)  # fmt: skip
def test_formulas_hold(kind: str, name: str, value):
    found = run(kind).counters
    assert counters(kind)[name].formula and found[name] == value(found)


def shown(*words: str) -> str:
    return CliRunner().invoke(list_command, words, catch_exceptions=False).output


def test_a_counter_is_explained():
    text = shown("counters", "LOAD_L2_MISSES", "L2_MISSES")
    assert "lts__t_sectors_srcunit_tex_op_read_lookup_miss.sum" in text
    assert "sim/cores/simt/memory/device_memory.py" in text
    assert "Itanium 2 PMU: L2_MISSES" in text and text.count("means") == 2
    assert "no counter of the real machine is known" in shown("counters", "IODMA_BYTES")
    assert "BARRIERS" in shown("counters")


@pytest.mark.parametrize(
    "words, said",
    [
        (("counters", "L2_MISES"), "there is no counter 'L2_MISES'"),
        (("machines", "h200"), "list machines takes no name"),
    ],
)
def test_what_is_not_explained(words: tuple[str, ...], said: str):
    from machines.diagnostics import InputError

    with pytest.raises(InputError, match=said):
        shown(*words)
