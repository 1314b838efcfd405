"""The cache of compiled cores: whatever becomes of its files, the next run is right."""

from __future__ import annotations

import io
import json
import os
import pwd
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from machines.cache import compile_times, compiled_cache
from machines.cache.cache_folder import cache_folder
from machines.cache.compile_times import FILE, Compiling, expected_seconds
from machines.cache.compiled_cache import Written, run_announced
from machines.cache.files import write_atomically
from machines.diagnostics import InputError
from tests.campaign.seeds import spread

SOURCE = """from numba import njit


@njit(cache=True)
def advance(x):
    return x + {number}
"""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder of its own."""
    monkeypatch.setenv("SIMRUN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return tmp_path / "cache"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """What the written function gives of 1, in a process that knows nothing of it yet."""

    def run_once() -> int:
        monkeypatch.setattr(compiled_cache, "_ready", set())
        module = Written("core_test", SOURCE.format(number=41), ()).load()
        found = []
        run_announced(module.advance, "test", lambda: found.append(module.advance(1)))
        return found[-1]

    return run_once


def _files(cache: Path, suffix: str) -> list[Path]:
    return sorted(path for path in cache.rglob(f"core_test*{suffix}"))


DAMAGE = {
    "cut off": lambda data: data[: len(data) // 2],
    "empty": lambda data: b"",
    "overwritten": lambda data: b"\0" * len(data),
    "something else": lambda data: b"def advance(x): return 7\n",
    "one bit": lambda data: (
        data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 1]) + data[len(data) // 2 + 1 :]
    ),
}


SUFFIXES = (".py", ".pyc", ".nbi", ".nbc", ".seal")
DAMAGED = [(s, how, True) for s in SUFFIXES for how in DAMAGE] + [
    (suffix, "cut off", False) for suffix in SUFFIXES
]


@pytest.mark.parametrize("damaged", spread(DAMAGED, 2), ids=str)
def test_a_damaged_file(damaged: tuple[str, str, bool], cache: Path, run, capfd):
    suffix, how, sealed = damaged
    assert run() == 42
    [path] = _files(cache, suffix)
    if not sealed:
        _files(cache, ".seal")[0].unlink()
    if path.exists():
        path.write_bytes(DAMAGE[how](path.read_bytes()))
    assert run() == 42
    capfd.readouterr()
    assert run() == 42
    assert capfd.readouterr().err == ""  # nothing is compiled again


def test_code_is_not_compiled_twice(cache: Path, run, monkeypatch, capfd):
    monkeypatch.setattr(compile_times, "SHORT", 0.0)
    assert run() == 42
    assert "compiling the test core (once per version, about " in capfd.readouterr().err
    before = {path: path.stat().st_mtime_ns for path in cache.rglob("core_test*")}
    assert run() == 42
    assert capfd.readouterr().err == ""
    assert {path: path.stat().st_mtime_ns for path in cache.rglob("core_test*")} == before


def test_a_shared_folder_is_read_and_not_written(cache: Path, run, monkeypatch, tmp_path):
    assert run() == 42
    shared, own = tmp_path / "shared", tmp_path / "own"
    cache.rename(shared)
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns)
              for path in shared.rglob("*") if path.is_file()}  # fmt: skip
    monkeypatch.setenv("SIMRUN_CACHE", os.pathsep.join([str(own), str(shared)]))
    assert run() == 42
    assert not (own / FILE).exists()  # nothing was compiled
    assert all(before[shared / path.name][0] == path.read_bytes() for path in own.glob("core_*"))
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in before} == before


@pytest.mark.parametrize("how", DAMAGE)
def test_damaged_code_of_a_shared_folder_is_not_taken(how, cache, run, monkeypatch, tmp_path):
    assert run() == 42
    cache.rename(tmp_path / "shared")
    (path,) = (tmp_path / "shared").rglob("core_test*.nbc")
    path.write_bytes(DAMAGE[how](path.read_bytes()))
    folders = [str(tmp_path / "own"), str(tmp_path / "gone"), str(tmp_path / "shared")]
    monkeypatch.setenv("SIMRUN_CACHE", os.pathsep.join(folders))
    assert run() == 42
    assert (tmp_path / "own" / FILE).exists()  # it was compiled


def test_where_nothing_can_be_written_a_run_has_its_own_folder(
    cache: Path, run, monkeypatch: pytest.MonkeyPatch, capfd
):
    def full(path: Path, text: str) -> None:
        if cache in path.parents:
            raise InputError(
                [compiled_cache.input_error("cannot write: No space left").diagnostics[0]]
            )
        write_atomically(path, text)

    monkeypatch.setattr(compiled_cache, "write_atomically", full)
    assert run() == 42
    err = capfd.readouterr().err
    assert f"cannot write: No space left: nothing compiled is kept in {cache}" in err
    assert not _files(cache, "")


def test_where_nothing_can_be_written_at_all(run, monkeypatch: pytest.MonkeyPatch):
    def full(path: Path, text: str) -> None:
        raise compiled_cache.input_error("cannot write: No space left")

    compiled_cache._own_folder.cache_clear()
    monkeypatch.setattr(compiled_cache, "write_atomically", full)
    with pytest.raises(InputError, match="compiled cores need a folder: cannot write: No space"):
        run()


def test_code_that_cannot_be_kept_runs(cache: Path, run, monkeypatch, capfd):
    from numba.core.caching import IndexDataCacheFile

    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(IndexDataCacheFile, "save", full)
    assert run() == 42
    assert "cannot be kept" in capfd.readouterr().err


def test_our_own_mistakes_are_not_hidden(run):
    def fail() -> None:
        raise ZeroDivisionError("on purpose")

    assert run() == 42
    compiled_cache._ready.clear()
    module = Written("core_test", SOURCE.format(number=41), ()).load()
    with pytest.raises(ZeroDivisionError):
        run_announced(module.advance, "test", fail)


@pytest.mark.parametrize("home", ["", None])
def test_a_home_that_is_not_set(home: str | None, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("SIMRUN_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    if home is None:
        monkeypatch.delenv("HOME")
    else:
        monkeypatch.setenv("HOME", home)
    made = []
    monkeypatch.setattr(Path, "mkdir", lambda path, **_: made.append(path))
    own = Path(pwd.getpwuid(os.getuid()).pw_dir)
    assert cache_folder() == own / ".cache" / "simrun"
    assert made == [own / ".cache" / "simrun"]


@pytest.mark.parametrize("named", ["", "relative/folder"])
def test_a_cache_folder_that_is_no_absolute_path_is_not_taken(named: str, monkeypatch, tmp_path):
    monkeypatch.delenv("SIMRUN_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", named)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "simrun"


def measured_elsewhere(monkeypatch, seconds: dict[str, float], slower: float) -> None:
    """A computer that is so much slower than where these were measured."""
    path = cache_folder().parent / "elsewhere.json"
    took = {"yardstick": 0.5, **seconds}
    path.write_text(json.dumps({kind: [one] for kind, one in took.items()}))
    monkeypatch.setattr(compile_times, "ELSEWHERE", path)
    monkeypatch.setattr(compile_times, "_yardstick", lambda: 0.5 * slower)


def test_estimates_come_from_what_was_compiled_here(cache: Path, monkeypatch, capfd):
    measured_elsewhere(monkeypatch, {"test": 0.05}, 2.0)
    seconds = (30.0, 30.0, 600.0, 20.0)  # the third beside much other work
    clock = iter([begin + took for begin, took in enumerate(seconds) for took in (0.0, took)])
    monkeypatch.setattr(compile_times.time, "perf_counter", lambda: next(clock))
    for size in (1000, 1000, 1000, 500):
        with Compiling("test", "it") as compiling:
            compiling.begin(size)
    err = capfd.readouterr().err
    assert err.splitlines() == [
        "simrun: compiling it (once per version, about 100 s) …",
        "simrun: compiled in 30 s",
        "simrun: compiling it (once per version, about 30 s) …",
        "simrun: compiled in 30 s",
        "simrun: compiling it (once per version, about 30 s) …",
        "simrun: compiled in 600 s",
        "simrun: compiling it (once per version, about 15 s) …",
        "simrun: compiled in 20 s",
    ]
    assert json.loads((cache / FILE).read_text())["test"] == pytest.approx([0.03, 0.03, 0.6, 0.04])


def test_kinds_never_compiled_here_are_as_much_slower_as_the_others(cache: Path, monkeypatch):
    measured_elsewhere(monkeypatch, {"a": 0.01, "b": 0.02, "c": 0.03}, 5.0)
    assert expected_seconds("b", 100) == pytest.approx(10)
    assert expected_seconds("theirs", 100) == pytest.approx(10)  # as usual texts
    (cache_folder() / FILE).write_text('{"a": [0.03]}')
    assert expected_seconds("a", 100) == pytest.approx(3)
    assert expected_seconds("b", 100) == pytest.approx(6)


def test_what_takes_long_against_expectation_is_told_after_all(cache: Path, monkeypatch, capfd):
    monkeypatch.setattr(compile_times, "SHORT", 0.05)
    with Compiling("epic", "it") as compiling:
        compiling.begin(1)
        compiling._watch.join()
    assert capfd.readouterr().err.splitlines() == [
        "simrun: compiling it (once per version, longer than the 0.0 s expected) …",
        "simrun: compiled in 0 s",
    ]


def test_on_a_terminal_there_is_a_bar(cache: Path, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    monkeypatch.setattr(compile_times, "EVERY", 0.001)
    monkeypatch.setattr(compile_times, "expected_seconds", lambda kind, size: 40.0)
    clock = iter([0.0, 10.0, 20.0, *[30.0] * 10_000])
    monkeypatch.setattr(compile_times.time, "monotonic", lambda: next(clock))
    with Compiling("epic", "it") as compiling:
        compiling.begin(1)
        while terminal.getvalue().count("of about 40 s") < 3:
            compiling._over.wait(0.001)
    shown = terminal.getvalue().split("\r\x1b[K")
    assert shown[1:3] == ["██████░░░░░░░░░░░░░░░░░░ 10 of about 40 s",
                          "████████████░░░░░░░░░░░░ 20 of about 40 s"]  # fmt: skip
    assert shown[-1] == "simrun: compiled in 0 s\n"


@pytest.mark.parametrize("text", ["", "[]", "{", '{"test": "x"}', '{"test": -1}', '{"test": null}'])
def test_damaged_estimates_are_none(text: str, cache: Path, monkeypatch):
    measured_elsewhere(monkeypatch, {"test": 0.05}, 1.0)
    (cache_folder() / FILE).write_text(text)
    assert expected_seconds("test", 1000) == pytest.approx(50)
