"""Views of a program of several functions: all of them, or the one that is named."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SCAN = "workloads/gpu/scan"
KERNELS = ["scan_blocks", "add_offsets"]
OF_THE_SOURCE = ("ir", "chains", "dependences", "ssa", "markers")
OF_THE_PROGRAM = ("asm", "allocated", "markers")


@pytest.mark.parametrize("view", OF_THE_SOURCE)
def test_views_of_the_source_show_all_functions(view: str, simrun, monkeypatch):
    monkeypatch.chdir(ROOT)
    every = simrun("explain", SCAN, "--show", view).out
    assert re.findall(r"^@(\w+)$", every, re.M) == KERNELS
    alone = [simrun("explain", SCAN, "--show", view, "--entry", name).out for name in KERNELS]
    assert every == "\n".join(f"@{n}\n{text}" for n, text in zip(KERNELS, alone, strict=True))


def test_the_data_are_by_function(simrun, monkeypatch):
    monkeypatch.chdir(ROOT)
    asked = ("explain", SCAN, "--show", "markers", "--format")
    found = json.loads(simrun(*asked, "json").out)["functions"]
    assert list(found) == KERNELS
    for name, content in found.items():
        assert content == json.loads(simrun(*asked, "json", "--entry", name).out)
    assert re.findall(r'digraph "(\w+)"', simrun(*asked, "dot").out) == KERNELS


@pytest.mark.parametrize("view", OF_THE_PROGRAM)
def test_views_of_the_program_show_what_is_named(view: str, simrun, monkeypatch):
    monkeypatch.chdir(ROOT)
    asked = ("explain", SCAN, "--show", view, "--machine", "h200")

    def shown(*words: str) -> set[str]:
        return set(re.findall(r"\b(scan_blocks|add_offsets)\b", simrun(*asked, *words).out))

    assert shown() == set(KERNELS)
    for name in KERNELS:
        assert shown("--entry", name) == {name}


def test_passes_are_those_of_what_is_named(simrun, monkeypatch):
    monkeypatch.chdir(ROOT)
    asked = ("explain", SCAN, "--show", "passes", "--format", "json")
    for words in ((), ("--entry", "add_offsets")):
        found = json.loads(simrun(*asked, *words).out)["passes"]
        assert {one["function"] for one in found} == set(KERNELS if not words else KERNELS[1:])
