"""Machine code of cores: kept under what it was made from, loaded without numba, healed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from machines.array_fields import I64
from machines.cache import entries
from machines.cache.results import kept_results
from sim.cores import machine_code
from sim.cores.addresses import table_of
from sim.cores.machine_code import COMPILER, Text, load_code, load_codes

SOURCE = """
from sim.cores.jit import entry_point
from sim.cores.tables import view_of
from tests.sim.test_machine_code import State

view = view_of(State)


@entry_point
def add(table, number):
    return view(table).words[0] + number + {constant}
"""


class State(NamedTuple):
    words: I64


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder of its own."""
    monkeypatch.setenv("SIMRUN_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The digests of texts that were compiled."""
    digests, made = [], machine_code.made

    def noting(text: Text) -> bytes:
        digests.append(text.digest)
        return made(text)

    monkeypatch.setattr(machine_code, "made", noting)
    return digests


def add(constant: int, modules: tuple[str, ...] = ()) -> int:
    """40 + 1 + constant, in a process that has loaded nothing yet."""
    machine_code._LOADED.clear()
    text = SOURCE.format(constant=constant)
    code = load_code("test", "a test", f"test{constant}", lambda: Text(text, modules))
    return code["add"](table_of(State(np.array([40]))), 1)


def test_what_was_compiled_is_found_again(made: list[str]):
    assert [add(1), add(1), add(2), add(1)] == [42, 42, 43, 42]
    assert len(made) == 2


def test_another_text_of_a_file_that_it_calls_is_another_code(made: list[str], monkeypatch):
    assert add(1, COMPILER) == 42
    text_of = machine_code.text_of
    monkeypatch.setattr(machine_code, "text_of", lambda module: text_of(module) + "\n")
    assert add(1, COMPILER) == 42
    assert len(set(made)) == 2


def test_a_file_that_was_edited_under_the_process_leaves_nothing_kept(made, monkeypatch):
    monkeypatch.setattr(machine_code, "_read", lambda module: "edited")
    assert add(1, COMPILER) == 42 == add(1, COMPILER)
    assert len(made) == 2


def test_another_cpu_is_another_code(made: list[str], monkeypatch):
    assert add(1) == 42
    monkeypatch.setattr(machine_code, "_compiled_by", lambda: ("another",))
    assert add(1) == 42
    assert len(set(made)) == 2


@pytest.mark.parametrize("keep", [0, 1, 40, -1, None])
def test_a_damaged_file_is_made_anew(folder: Path, made: list[str], keep: int | None):
    assert add(1) == 42
    (path,) = (folder / entries.FOLDER).glob("code-*")
    content = path.read_bytes()
    middle = len(content) // 2
    damaged = content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
    path.write_bytes(damaged if keep is None else content[:keep])
    assert add(1) == 42 == add(1)
    assert len(made) == 2


def test_where_nothing_can_be_kept_the_code_runs_and_the_user_is_told(
    tmp_path: Path, monkeypatch, capfd
):
    (tmp_path / "file").touch()
    monkeypatch.setenv("SIMRUN_CACHE", str(tmp_path / "file" / "below"))
    assert add(1) == 42
    assert "cannot be kept" in capfd.readouterr().err


def test_shared_folders_are_looked_in(folder: Path, tmp_path: Path, made, monkeypatch):
    assert add(1) == 42
    monkeypatch.setenv("SIMRUN_CACHE", f"{tmp_path / 'mine'}{os.pathsep}{folder}")
    assert add(1) == 42
    assert len(made) == 1


def test_several_texts_are_told_of_at_once(made: list[str]):
    told = []
    texts = {
        f"several{k}": lambda k=k: Text(SOURCE.format(constant=k), ()) for k in range(100, 103)
    }
    codes = load_codes("test", lambda count: told.append(count) or "tests", texts)
    table = table_of(State(np.array([0])))
    assert [codes[name]["add"](table, 0) for name in texts] == [100, 101, 102]
    assert told == [3] and len(made) == 3


def test_a_name_whose_digest_is_known_is_not_written(made: list[str]):
    with kept_results():
        add(7)
        written: list[int] = []

        def write() -> Text:
            written.append(1)
            return Text(SOURCE.format(constant=7), ())

        machine_code._LOADED.clear()
        code = load_code("test", "a test", "test7", write)
        assert code["add"](table_of(State(np.array([0]))), 0) == 7
    assert len(made) == 1
    # Nothing is kept while files are younger than the process: then it is written to be looked up.
    assert len(written) <= 1


def test_what_may_raise_is_refused():
    source = """
from sim.cores.jit import entry_point


@entry_point
def count(first, last, step):
    total = 0
    for k in range(first, last, step):
        total += k
    return total
"""
    with pytest.raises(AssertionError, match="raise an exception"):
        load_code("test", "a test", "raises", lambda: Text(source, ()))


WITHOUT_NUMBA = """
import sys
from sim.cli import command_line
sys.argv = ["simrun", "workloads/crc32/workload.yaml"]
try:
    command_line()
except SystemExit as ended:
    assert not ended.code, ended.code
assert "numba" not in sys.modules, "numba was imported"
"""


def test_a_core_that_was_kept_is_loaded_without_numba(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.undo()
    root = Path(__file__).parents[2]
    for _ in range(2):  # the first may find nothing kept
        run = subprocess.run(
            [sys.executable, "-c", WITHOUT_NUMBA], cwd=root, capture_output=True, text=True
        )
        if run.returncode == 0:
            break
    assert run.returncode == 0, run.stderr
