"""What is kept between processes is found only as long as nothing that it came from changes."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from machines import plugins
from machines.cache import entries, installed, results, software
from machines.cache.entries import Entries
from machines.cache.file_dependencies import is_there
from machines.cache.results import cached, kept_results
from machines.cache.software import Software
from machines.description.load import Machine
from machines.description.results_for_machines import cached_for
from machines.description.schema import Description
from machines.description.strict_yaml import Node
from machines.diagnostics import Location
from machines.reading import read_text
from machines.types import TYPES


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder; the software is one package, its files as old as need be."""
    folder = tmp_path / "code"
    package = folder / "tool"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("A = 1\n")
    (package / "table.txt").write_text("1 2\n")
    monkeypatch.setenv("SIMRUN_CACHE", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setattr(software, "PACKAGES", ("tool",))
    monkeypatch.setattr(software, "STARTED", 4e9)  # long after any file changed
    monkeypatch.setattr(results, "_modules", lambda known: [])
    monkeypatch.setattr(plugins, "FAILED", failed := {})
    monkeypatch.setattr(results, "FAILED", failed)
    (roots := software._roots).cache_clear()
    yield tmp_path / "cache"
    roots.cache_clear()


class Figures(Description):
    first: bool
    left: int
    right: int


def machine_with(**figures: object) -> Machine:
    """A machine of some figures."""
    return Machine(Figures(**figures), Node(None, Location("none", 1), ""), "none.yaml")


class Counted:
    """Something to make; `times` says how often it was made."""

    def __init__(self, made: Callable[[], object]):
        self.times, self.made = 0, made

    def __call__(self) -> object:
        self.times += 1
        return self.made()


def asked(make: Callable[[], object], key: object = "key") -> object:
    """What a process of its own would get."""
    with kept_results():
        return cached("test", key, make)


def test_it_is_made_once():
    make = Counted(lambda: {"a": [1, 2]})
    assert asked(make) == asked(make) == {"a": [1, 2]}
    assert make.times == 1
    assert cached("test", "key", make) == {"a": [1, 2]}  # outside of `kept_results` always
    assert make.times == 2


def test_every_part_of_the_key_counts():
    make = Counted(lambda: 1)
    for key in (["a", 1], ["a", 2], ["a", "1"], ["a", True], ["a", 1.0], ["a"], [["a"], 1]):
        asked(make, key)
    assert make.times == 7


@pytest.mark.parametrize("name", ["__init__.py", "table.txt", "new.py", "deep/new.yaml"])
def test_every_file_of_the_software_counts(name: str, tmp_path: Path):
    make = Counted(lambda: 1)
    asked(make)
    path = tmp_path / "code" / "tool" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("A = 2\n")
    asked(make)
    assert make.times == 2
    asked(make)
    assert make.times == 2


def test_text_of_the_same_size_and_time_of_writing_counts(tmp_path: Path):
    make = Counted(lambda: 1)
    path = tmp_path / "code" / "tool" / "__init__.py"
    before = path.stat()
    asked(make)
    path.write_text("A = 2\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    asked(make)
    assert make.times == 2


def test_the_same_text_elsewhere_is_the_same_software(tmp_path: Path, monkeypatch):
    here = Software(Entries()).digest_of()
    (tmp_path / "code" / "tool").rename(tmp_path / "moved")
    monkeypatch.setattr(software, "_roots", lambda: (str(tmp_path / "moved"),))
    assert Software(Entries()).digest_of() != here  # it has another name
    (tmp_path / "moved").rename(tmp_path / "tool")
    monkeypatch.setattr(software, "_roots", lambda: (str(tmp_path / "tool"),))
    assert Software(Entries()).digest_of() == here


def test_what_is_installed_counts_where_it_is_imported(tmp_path: Path):
    """Another numpy does; other packages may come and go."""
    make = Counted(lambda: 1)
    asked(make)
    for name, times in (("pandas-1.0", 1), ("numpy-1.0", 2), ("yapf-1", 2), ("PyYAML-9", 3)):
        (tmp_path / "code" / f"{name}.dist-info").mkdir()
        installed._versions.cache_clear()
        asked(make)
        assert make.times == times, name
    shutil.rmtree(tmp_path / "code" / "numpy-1.0.dist-info")
    (tmp_path / "code" / "numpy-2.0.dist-info").mkdir()
    installed._versions.cache_clear()
    asked(make)
    installed._versions.cache_clear()
    assert make.times == 4


def test_software_that_changed_lately_keeps_nothing(monkeypatch: pytest.MonkeyPatch):
    """A process may run what was there before, and a file may change again within a clock tick."""
    newest = max(stamp[4] for stamp in software._stamps()) / 1e9
    make = Counted(lambda: 1)
    for started, times in ((newest - 1, 2), (newest + 1.9, 4), (newest + 2.1, 5)):
        monkeypatch.setattr(software, "STARTED", started)
        asked(make)
        asked(make)
        assert make.times == times


def test_software_that_changes_meanwhile_keeps_nothing(tmp_path: Path):
    def edit() -> int:
        (tmp_path / "code" / "tool" / "__init__.py").write_text("A = 3\n")
        return 1

    asked(Counted(edit), "edited")
    assert not list((tmp_path / "cache").rglob("test-*"))


def test_files_that_cannot_be_looked_at_are_no_error(tmp_path: Path):
    (tmp_path / "code" / "tool" / "gone.py").symlink_to(tmp_path / "nowhere")
    (tmp_path / "code" / "tool" / "round").symlink_to(tmp_path / "code" / "tool" / "round")
    make = Counted(lambda: 1)
    asked(make)
    asked(make)
    assert make.times == 1


def test_a_package_of_a_plugin_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for kind in ("theirs/__init__.py", "alone.py"):
        (tmp_path / "code" / kind).parent.mkdir(exist_ok=True)
        (tmp_path / "code" / kind).write_text("B = 1\n")

    class Point:
        def __init__(self, value: str):
            self.value = value

    points = [Point("theirs.passes:PLUGIN"), Point("alone:PLUGIN"), Point("gone:PLUGIN")]
    monkeypatch.setattr(software, "points_of", lambda: points)
    make = Counted(lambda: 1)
    asked(make)
    (tmp_path / "code" / "theirs" / "data.json").write_text("{}")
    asked(make)
    (tmp_path / "code" / "alone.py").write_text("B = 2\n")
    asked(make)
    asked(make)
    assert make.times == 3


def test_files_that_are_read_count(tmp_path: Path):
    path, beside = tmp_path / "machine.yaml", tmp_path / "beside.cu"
    path.write_text("a: 1\n")
    make = Counted(lambda: (read_text(path, 100), is_there(beside)))
    assert asked(make) == asked(make) == ("a: 1\n", False)
    assert make.times == 1
    path.write_text("a: 2\n")
    assert asked(make) == asked(make) == ("a: 2\n", False)
    assert make.times == 2
    beside.write_text("")
    assert asked(make) == asked(make) == ("a: 2\n", True)
    assert make.times == 3


def test_files_that_a_part_was_made_of_count(tmp_path: Path):
    """Also where the part itself was kept before."""
    path = tmp_path / "machine.yaml"
    path.write_text("a: 1\n")

    def whole() -> str:
        return cached("test", "part", lambda: read_text(path, 100))

    part = asked(lambda: read_text(path, 100), "part")
    assert part == asked(whole, "whole") == "a: 1\n"
    path.write_text("a: 2\n")
    assert asked(whole, "whole") == "a: 2\n"


def test_modules_that_belong_to_nothing_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.undo()
    monkeypatch.setenv("SIMRUN_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "helper.py"
    path.write_text("C = 1\n")
    monkeypatch.setitem(sys.modules, "helper", type(sys)("helper"))
    sys.modules["helper"].__file__ = str(path)
    known = Software(Entries())
    found = set(results._modules(known))
    assert str(path) in found
    ours = {path for path in found if "/site-packages/" in path or path == json.__file__}
    assert not ours
    assert results.__file__ not in found


def for_a_machine(make: Counted, **figures: object) -> object:
    """What a process of its own would get for a machine with these figures; what is made asks
    whether there is a branch, and then one of two figures."""

    def asking(machine: Machine) -> object:
        make()
        description = machine.description
        return description.left if description.first else description.right

    with kept_results():
        return cached_for(machine_with(**figures), "test", "key", asking)[0]


def test_one_program_serves_all_machines_that_answer_alike():
    make = Counted(lambda: 1)
    assert for_a_machine(make, first=True, left=1, right=2) == 1
    assert for_a_machine(make, first=True, left=1, right=3) == 1  # nobody asked
    assert make.times == 1
    assert for_a_machine(make, first=False, left=1, right=3) == 3
    assert for_a_machine(make, first=True, left=4, right=3) == 4
    assert make.times == 3
    assert for_a_machine(make, first=False, left=7, right=3) == 3
    assert for_a_machine(make, first=True, left=4, right=9) == 4
    assert for_a_machine(make, first=True, left=1, right=9) == 1
    assert make.times == 3


def test_files_count_for_these_too(tmp_path: Path):
    path = tmp_path / "source"
    make = Counted(lambda: read_text(path, 100))
    for text in ("a", "b"):
        path.write_text(text)
        for _ in range(2):
            for_a_machine(make, first=True, left=1, right=2)
    assert make.times == 2


def test_what_cannot_be_data_is_not_kept():
    make = Counted(lambda: lambda: 1)
    assert asked(make)() == asked(make)() == 1
    assert make.times == 2


def test_nothing_is_kept_while_a_plugin_is_left_out(monkeypatch: pytest.MonkeyPatch):
    make = Counted(lambda: 1)
    results.FAILED["theirs"] = "it is broken"
    asked(make)
    asked(make)
    assert make.times == 2


DAMAGE = {
    "cut off": lambda data: data[:-1],
    "a bit": lambda data: data[:40] + bytes([data[40] ^ 1]) + data[41:],
    "its seal": lambda data: bytes([data[0] ^ 1]) + data[1:],
    "empty": lambda data: b"",
    "overwritten": lambda data: b"\0" * len(data),
    "longer": lambda data: data + b"\0",
}


@pytest.mark.parametrize("how", DAMAGE)
def test_what_is_damaged_is_made_anew(how: str, cache: Path, monkeypatch: pytest.MonkeyPatch):
    make = Counted(lambda: [1, 2])
    asked(make)
    (path,) = cache.rglob("test-*")
    path.write_bytes(DAMAGE[how](path.read_bytes()))
    unpickled, loads = [], pickle.loads
    monkeypatch.setattr(pickle, "loads", lambda data: unpickled.append(data) or loads(data))
    assert asked(make) == asked(make) == [1, 2]
    assert make.times == 2
    assert set(unpickled) == {pickle.dumps([1, 2])}


def test_an_entry_under_another_name_is_damaged(cache: Path):
    asked(lambda: 1, "one")
    (one,) = cache.rglob("test-*")
    content = one.read_bytes()
    asked(lambda: 2, "two")
    (two,) = set(cache.rglob("test-*")) - {one}
    two.write_bytes(content)
    assert asked(lambda: 2, "two") == 2


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="a system without users")
def test_a_folder_that_others_write_into_is_not_read(cache: Path):
    make = Counted(lambda: 1)
    asked(make)
    (cache / "results").chmod(0o722)
    asked(make)
    assert make.times == 2


def test_shared_folders_are_only_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    make = Counted(lambda: 1)
    asked(make)
    shared, own = tmp_path / "shared", tmp_path / "own"
    (tmp_path / "cache").rename(shared)
    before = {path: path.stat() for path in shared.rglob("*")}
    monkeypatch.setenv("SIMRUN_CACHE", os.pathsep.join([str(own), str(shared)]))
    assert asked(make) == 1
    assert make.times == 1
    asked(make, "more")
    assert {path: path.stat() for path in shared.rglob("*")}.keys() == before.keys()
    assert list(own.rglob("test-*"))


def test_the_folder_stays_below_its_bound(cache: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(entries, "MOST_BYTES", 10_000)
    store = Entries()
    for number in range(20):
        store.put("test", str(number), bytes(1000))
        for path in cache.rglob("test-*"):  # as if a second had passed
            status = path.stat()
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns - 10**9))
        assert store.get("test", "0") is not None  # asked for all the time
        assert sum(path.stat().st_size for path in cache.rglob("test-*")) <= 10_000
    assert store.get("test", "1") is None
    assert store.get("test", "19") is not None


def test_a_full_disk_keeps_nothing_and_hurts_nobody(monkeypatch: pytest.MonkeyPatch):
    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    make = Counted(lambda: 1)
    with monkeypatch.context() as patched:
        patched.setattr("machines.cache.files.os.replace", full)
        assert asked(make) == asked(make) == 1
    assert make.times == 2
    asked(make)
    asked(make)
    assert make.times == 3


def test_a_type_that_is_read_back_is_the_one_of_its_name():
    assert all(pickle.loads(pickle.dumps(one)) is one for one in TYPES.values())
