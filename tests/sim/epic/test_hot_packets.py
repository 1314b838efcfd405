"""When packets get code of their own: once it pays, in a thread, and at once if it was kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import sim
from machines.cache.entries import Entries
from sim.cores.epic import drive, hot_packets
from sim.cores.epic.hot_packets import CODE, EARNED, HotPackets
from sim.results.result import Result

LOOP = """
        mov r8 = 0
        mov r9 = {limit} ;;
top:    add r8 = {step}, r8 ;;
        cmp.lt p6, p7 = r8, r9
  (p6)  br.cond.dptk top ;;
        br.ret.sptk b0
"""
ROUNDS = 20_000


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder of its own, and looks that come early."""
    monkeypatch.setenv("SIMRUN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(hot_packets, "LOOK_AFTER", 100)
    monkeypatch.setattr(hot_packets, "LOOK_EVERY", 500)
    return tmp_path


@pytest.fixture
def cores(monkeypatch: pytest.MonkeyPatch) -> list[HotPackets]:
    """What each core has, in the order of runs; code is waited for when it is asked for."""
    made: list[HotPackets] = []

    class Waiting(HotPackets):
        def __init__(self, *words):
            super().__init__(*words)
            self.bindings = 0
            made.append(self)

        def look(self) -> None:
            if self._making is not None:
                self._making.join()
            super().look()

        def bind(self, packets):
            self.bindings += 1
            return super().bind(packets)

    monkeypatch.setattr(drive, "HotPackets", Waiting)
    return made


def cheap(monkeypatch: pytest.MonkeyPatch, executions: int) -> None:
    """Code pays after so many executions."""
    monkeypatch.setattr(hot_packets, "WHOLE", executions)
    monkeypatch.setattr(hot_packets, "EACH", 0)


def run(folder: Path, step: int = 1, rounds: int = ROUNDS, **more) -> Result:
    path = folder / f"loop{step}.s"
    path.write_text(LOOP.format(limit=step * rounds, step=step), encoding="utf-8")
    workload = {"workload": "loop", "program": str(path), "machine": "itanium2"}
    return sim.run(workload, quantum=1000, **more)


def figures(result: Result) -> dict:
    return {name: part for name, part in result.to_dict().items() if name != "host"}


def with_code(core: HotPackets) -> int:
    """How many packets have code."""
    return int(np.count_nonzero(core.state.bound))


def test_a_short_run_makes_no_code(folder, cores, monkeypatch):
    cheap(monkeypatch, 10**9)
    run(folder)
    assert [(core.bindings, with_code(core)) for core in cores] == [(0, 0)]


def test_code_that_pays_is_made_once_and_found_by_the_next_run(folder, cores, monkeypatch):
    cheap(monkeypatch, 1000)
    first, second = run(folder), run(folder)
    assert [core.bindings for core in cores] == [1, 0]
    assert with_code(cores[0]) == with_code(cores[1]) > 0
    assert figures(first) == figures(second)


def test_another_constant_is_another_code(folder, cores, monkeypatch):
    """Both programs are laid out alike: what differs is an immediate."""
    cheap(monkeypatch, 1000)
    assert run(folder, step=1).cycles == run(folder, step=3).cycles
    assert [core.bindings for core in cores] == [1, 1]
    assert cores[0].key != cores[1].key


def test_another_machine_is_another_code(folder, cores, monkeypatch):
    cheap(monkeypatch, 1000)
    run(folder)
    run(folder, overrides=["branches.mispredict=9 cycles"])
    assert [core.bindings for core in cores] == [1, 1]


def test_runs_that_are_too_short_pay_together(folder, cores, monkeypatch):
    cheap(monkeypatch, 10**9)
    results = [run(folder)]
    _, paid, _ = cores[0].hot()
    cheap(monkeypatch, int(2.5 * paid))
    results += [run(folder) for _ in range(3)]
    assert [core.bindings for core in cores] == [0, 0, 1, 0]
    assert with_code(cores[-1]) > 0
    assert all(figures(result) == figures(results[0]) for result in results)


def test_what_was_kept_and_is_damaged_is_made_again(folder, cores, monkeypatch):
    cheap(monkeypatch, 1000)
    expected = run(folder)
    (kept,) = (folder / "cache").rglob(f"{CODE}-*")
    kept.write_bytes(kept.read_bytes()[:-100])
    assert figures(run(folder)) == figures(expected)
    assert [core.bindings for core in cores] == [1, 1]


def test_without_a_place_to_keep_it_code_is_made_all_the_same(folder, cores, monkeypatch):
    cheap(monkeypatch, 1000)
    monkeypatch.setattr(Entries, "put", lambda *words: None)
    run(folder)
    run(folder)
    assert [core.bindings for core in cores] == [1, 1]
    assert not any((folder / "cache").rglob(f"{EARNED}-*"))


def test_what_goes_wrong_in_the_thread_ends_the_run(folder, cores, monkeypatch):
    cheap(monkeypatch, 1000)

    def fails(text: str, library: bytes) -> bytes:
        raise AssertionError("no code today")

    monkeypatch.setattr(hot_packets, "bound", fails)
    with pytest.raises(AssertionError, match="no code today"):
        run(folder)


@pytest.fixture
def two_phases(folder: Path) -> Iterator[Path]:
    """A program that is hot in one place, and then in another."""
    text = LOOP.replace("        br.ret.sptk b0\n", "") + LOOP.replace("top", "then")
    path = folder / "phases.s"
    path.write_text(text.format(limit=ROUNDS, step=1), encoding="utf-8")
    return path


def test_what_becomes_hot_later_gets_code_later(two_phases, cores, monkeypatch):
    cheap(monkeypatch, 20_000)
    workload = {"workload": "loop", "program": str(two_phases), "machine": "itanium2"}
    first = sim.run(workload, quantum=1000)
    second = sim.run(workload, quantum=1000)
    assert [core.bindings for core in cores] == [2, 0]
    assert [len(core.parts) for core in cores] == [2, 2]
    assert figures(first) == figures(second)
