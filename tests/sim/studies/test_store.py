"""A store holds what was put there, to one writer at a time, or says why it cannot."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from machines.diagnostics import InputError
from sim.studies.store import Store, is_shared


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
    monkeypatch.setattr("sim.studies.store.is_shared", lambda path: shared)
    with Store.open(tmp_path / "s.sqlite"):
        pass
    with sqlite3.connect(tmp_path / "s.sqlite") as db:
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
