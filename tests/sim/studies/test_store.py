"""A store holds what was put there, to one writer at a time, or says why it cannot."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from multiprocessing import get_context
from pathlib import Path
from tempfile import mkdtemp
from threading import Timer

import pytest

from machines.diagnostics import InputError
from sim.studies import store_file
from sim.studies.plan import Plan
from sim.studies.point import Outcome
from sim.studies.store import Store
from sim.studies.store_file import is_shared
from sim.studies.study_file import read_study


def test_one_process_writes(studied: Callable):
    study = studied()
    study.run()
    with Store.open(study.store) as store:
        with pytest.raises(InputError, match="another process writes"), Store.open(study.store):
            pass
        with Store.open(study.store, writes=False) as reader:
            assert len(reader.rows("mine")) == len(store.rows("mine")) == 4


@pytest.mark.parametrize(
    "content, message",
    [(b"no database" * 200, "cannot use store"), (None, "is no store of studies")],
)
def test_what_is_no_store_is_left_alone(tmp_path: Path, content: bytes | None, message: str):
    path = tmp_path / "other.sqlite"
    if content is None:
        with sqlite3.connect(path) as db:
            db.execute("CREATE TABLE theirs (a)")
        db.close()
        content = path.read_bytes()
    else:
        path.write_bytes(content)
    for writes in (True, False):
        with pytest.raises(InputError, match=message), Store.open(path, writes):
            pass
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    "code, hint",
    [
        (sqlite3.SQLITE_FULL, "what is stored stays"),
        (sqlite3.SQLITE_IOERR | 3 << 8, "what is stored stays"),
        (sqlite3.SQLITE_BUSY, "what is stored stays: when no other program"),
        (sqlite3.SQLITE_READONLY | 1 << 8, "what is stored stays: make it writable"),
        (sqlite3.SQLITE_CORRUPT, "remove it"),
        (sqlite3.SQLITE_NOTADB, "name another"),
    ],
)
def test_a_good_store_is_not_to_be_removed(tmp_path: Path, code: int, hint: str):
    error = sqlite3.DatabaseError("no")
    error.sqlite_errorcode = code
    with pytest.raises(InputError, match=hint), Store.open(tmp_path / "s.sqlite"):
        raise error


def test_an_empty_store_is_told(tmp_path: Path):
    sqlite3.connect(tmp_path / "s.sqlite").close()
    (tmp_path / "s.sqlite").touch()
    with (
        pytest.raises(InputError, match="is empty"),
        Store.open(tmp_path / "s.sqlite", writes=False),
    ):
        pass


def test_there_is_nothing_to_read(tmp_path: Path):
    with (
        pytest.raises(InputError, match="there is no store"),
        Store.open(tmp_path / "none.sqlite", writes=False),
    ):
        pass
    assert not list(tmp_path.iterdir())


def test_folders_that_machines_share(tmp_path: Path):
    """There SQLite's write-ahead log cannot be used."""
    mounts = tmp_path / "mounts"
    mounts.write_text(
        f"disk / ext4 rw 0 0\nserver:/a {tmp_path} nfs4 rw 0 0\nx {tmp_path}/own tmpfs rw 0 0\n"
    )
    assert is_shared(tmp_path / "s.sqlite", str(mounts))
    assert is_shared(tmp_path / "deeper" / "s.sqlite", str(mounts))
    (tmp_path / "own").mkdir()
    assert not is_shared(tmp_path / "own" / "s.sqlite", str(mounts))
    assert not is_shared(Path("/elsewhere/s.sqlite"), str(mounts))
    assert not is_shared(tmp_path / "s.sqlite", str(tmp_path / "none"))


@pytest.mark.parametrize("shared, mode", [(True, "delete"), (False, "wal")])
def test_the_journal_is_one_that_works_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shared: bool, mode: str
):
    monkeypatch.setattr("sim.studies.store_file.is_shared", lambda path: shared)
    with Store.open(tmp_path / "s.sqlite"), sqlite3.connect(tmp_path / "s.sqlite") as db:
        assert db.execute("PRAGMA journal_mode").fetchone() == (mode,)


def test_results_that_no_study_has_go(studied: Callable):
    studied().run()
    study = studied("\n  a: {argument: a, values: [2.5]}")
    study.run()
    with Store.open(study.store) as store:
        assert store.studies() == {"mine": {"done": 1}}
        assert store.collect([]) == 3
        assert store.collect(["mine"]) == 1
        assert (store.studies(), store.has_results()) == ({}, False)


# ---- The log beside a store ----------------------------------------------------------------------


@pytest.fixture
def put(tmp_path: Path, studied: Callable) -> Iterator[Callable[[], Path]]:
    """Runs a study in a folder that others may look into, and that only its owner writes."""
    folder = Path(mkdtemp())

    @contextmanager
    def keep() -> Iterator[Path]:
        """The store of a study, while it is still open and all lies in the log."""
        study = studied()
        study.run()
        path = folder / "s.sqlite"
        with Store.open(study.store, writes=False) as finished:
            rows = finished.rows("mine")
        plan = Plan(read_study(study.path))
        with Store.open(path) as store:
            store.begin("mine", "", plan.points, plan.bases)
            for row, point in zip(rows, plan.points, strict=True):
                document = json.dumps(row.document)
                store.put("mine", point, Outcome(row.status, row.identity, document))
            folder.chmod(0o555)
            yield path
        folder.chmod(0o755)

    yield keep
    shutil.rmtree(folder)


NOBODY = 65534


def read_by_another(path: Path) -> list[str] | str:
    """What a user who may write nothing beside a store finds in it, or what is said."""

    def read() -> None:
        if os.geteuid() == 0:
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        try:
            with Store.open(path, writes=False) as store:
                answer.send([row.status for row in store.rows("mine")])
        except InputError as error:
            answer.send(str(error))

    processes = get_context("fork")
    asked, answer = processes.Pipe()
    process = processes.Process(target=read)
    process.start()
    try:
        assert asked.poll(30)
        return asked.recv()
    finally:
        process.join(30)


def test_a_log_is_read_where_nothing_can_be_written(put: Callable):
    """By a user who has no right to write there, while the study runs, and when it was killed."""
    with put() as path:
        assert Path(f"{path}-wal").stat().st_size > path.stat().st_size
        assert read_by_another(path) == ["done"] * 4
        killed = path.parent.parent / f"{path.parent.name}.killed"
        shutil.copytree(path.parent, killed, ignore=shutil.ignore_patterns("*-shm", "*.lock"))
        killed.chmod(0o555)
        try:
            assert read_by_another(killed / path.name) == ["done"] * 4
            assert {one.name for one in killed.iterdir()} == {"s.sqlite", "s.sqlite-wal"}
        finally:
            shutil.rmtree(killed)
    assert read_by_another(path) == ["done"] * 4


@pytest.mark.parametrize("reader", ["none", "idle", "reading"])
def test_an_ended_study_lies_in_its_file_alone(put: Callable, tmp_path: Path, reader: str):
    """Also if somebody has it open; who is in the midst of reading gets time to end."""
    with closing(sqlite3.connect(tmp_path / "none")) as other, ExitStack() as stack:
        with put() as path:
            if reader != "none":
                other = stack.enter_context(closing(sqlite3.connect(path, check_same_thread=False)))
                other.execute("SELECT count(*) FROM points").fetchall()
            if reader == "reading":
                other.execute("BEGIN")
                other.execute("SELECT count(*) FROM points").fetchall()
                timer = Timer(0.3, other.rollback)
                timer.start()
                stack.callback(timer.join)
        copy = tmp_path / "copy.sqlite"
        shutil.copyfile(path, copy)
        with Store.open(copy, writes=False) as store:
            assert [row.status for row in store.rows("mine")] == ["done"] * 4
    assert reader != "none" or {one.name for one in path.parent.iterdir()} == {
        "s.sqlite", "s.sqlite.lock"
    }  # fmt: skip


def test_a_copy_is_of_one_time(put: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """One that was written meanwhile is copied again, and not for ever."""
    copied, copyfile = [], shutil.copyfile

    def disturbed(source: str, to: str) -> None:
        copyfile(source, to)
        copied.append(source)
        if len(copied) < at_rest_after:
            os.utime(path, ns=(len(copied), len(copied)))

    monkeypatch.setattr(store_file.shutil, "copyfile", disturbed)
    with put() as path:
        at_rest_after = 5
        store_file._copied(path, tmp_path)
        assert len(copied) == 6
        at_rest_after = 1 << 60
        with pytest.raises(InputError, match="is written all the while"):
            store_file._copied(path, tmp_path)
