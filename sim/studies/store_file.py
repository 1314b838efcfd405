"""The file of a store: how it is opened, locked, read where nothing can be written, and left.

    with opened(path, writes=True) as connection: …

Who writes has the file for itself, by a lock that the system lets go whatever ends the process, and
writes ahead into a log: a point costs no wait for the disk.  When it has ended all is in the file
alone, which can be copied or sent.  A file in a folder that several machines share cannot have
such a log, which lies in memory that only one machine's processes share: there the older journal is
used.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from machines.diagnostics import InputError, input_error

VERSION = 4
"""Of the tables; a file of another version is refused."""
PATIENCE = 30
"""Seconds that a program waits for another that holds the file."""
MOST_COPIES = 20
"""That are begun of a store that is being written."""
_LOG = "-wal"
_ENDINGS = ("", _LOG)
"""Of a store and of what was written ahead."""
_NO_FILES_BESIDE = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}
"""Errors of who reads a log where no file can be made."""
_NETWORK = ("nfs", "nfs4", "cifs", "smb3", "smbfs", "lustre", "gpfs", "beegfs", "ceph", "9p", "afs",
            "fuse.sshfs", "fuse.glusterfs", "glusterfs", "virtiofs")  # fmt: skip
"""File systems whose files several machines may have open."""

_TABLES = """
CREATE TABLE IF NOT EXISTS studies (
    name TEXT PRIMARY KEY, text TEXT NOT NULL, trials INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS results (
    key TEXT PRIMARY KEY, status TEXT NOT NULL, identity TEXT NOT NULL, document BLOB NOT NULL,
    diagnostics TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS points (
    study TEXT NOT NULL, name TEXT NOT NULL, position INTEGER NOT NULL,
    role TEXT NOT NULL, cycle_limit INTEGER,
    status TEXT NOT NULL, key TEXT, diagnostics TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (study, name)
);
CREATE INDEX IF NOT EXISTS points_of_results ON points (key);
CREATE TABLE IF NOT EXISTS seconds (key TEXT PRIMARY KEY, seconds REAL NOT NULL);
"""


@contextmanager
def opened(path: Path, writes: bool) -> Iterator[sqlite3.Connection]:
    """A store's file, open: by who writes it alone, else for reading.

    Raises InputError for a file that is none, is damaged, or that another process writes.
    """
    with ExitStack() as left:
        if writes:
            left.callback(os.close, _lock(path))
        connection = left.enter_context(_connected(path, writes))
        try:
            yield connection
        except sqlite3.DatabaseError as error:
            raise damaged(path, error) from None
        finally:
            if writes:
                _leave_whole(connection)


@contextmanager
def _connected(path: Path, writes: bool) -> Iterator[sqlite3.Connection]:
    if not writes and not path.is_file():
        raise input_error(f"there is no store {path}", hint="simrun study FILE makes it")
    if path.exists() and not path.is_file():
        raise input_error(f"{path} is no file", hint="--store names a file")
    with _to_write(path) if writes else _to_read(path) as connection:
        try:
            _check(connection, path, writes)
            if writes:
                _make_ready(connection, path)
        except sqlite3.DatabaseError as error:
            raise damaged(path, error) from None
        yield connection


@contextmanager
def _to_write(path: Path) -> Iterator[sqlite3.Connection]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=PATIENCE)
    except (OSError, sqlite3.OperationalError) as error:
        raise input_error(f"cannot open store {path}: {error}") from None
    with closing(connection):
        yield connection


@contextmanager
def _to_read(path: Path) -> Iterator[sqlite3.Connection]:
    """Read where it is; where the file has a log that cannot be read there, as that takes a file
    beside it, a copy of both."""
    try:
        connection = _read_only(path)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF not in _NO_FILES_BESIDE:
            raise damaged(path, error) from None
        with TemporaryDirectory() as folder:
            copy = _copied(path, Path(folder))
            with closing(_read_only(copy)) as connection:
                yield connection
        return
    except sqlite3.DatabaseError as error:
        raise damaged(path, error) from None
    with closing(connection):
        yield connection


def _read_only(path: Path) -> sqlite3.Connection:
    """Raises OperationalError if it cannot be read so."""
    address = f"{path.resolve().as_uri()}?mode=ro"
    connection = sqlite3.connect(address, timeout=PATIENCE, uri=True)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
    except sqlite3.DatabaseError:
        connection.close()
        raise
    return connection


def _copied(path: Path, folder: Path) -> Path:
    """A copy of a store and of its log, as both were at one time; raises InputError if another
    process writes them all the while."""
    path, copy = path.resolve(), folder / "copy.sqlite"
    for _ in range(MOST_COPIES):
        before = _states(path)
        try:
            for ending in _ENDINGS:
                shutil.copyfile(f"{path}{ending}", f"{copy}{ending}")
        except FileNotFoundError as error:
            if error.filename == str(path):
                raise input_error(f"cannot read store {path}: {error.strerror}") from None
            Path(f"{copy}{_LOG}").unlink(missing_ok=True)  # it has no log
        except OSError as error:
            raise input_error(f"cannot read store {path}: {error.strerror}") from None
        if _states(path) == before:
            return copy
    hint = "read it where files can be made beside it, or when the study has ended"
    raise input_error(f"store {path} is written all the while", hint=hint)


def _states(path: Path) -> list[tuple[int, ...] | None]:
    """What tells that a store or its log was written: sizes, times, inodes."""
    found: list[tuple[int, ...] | None] = []
    for ending in _ENDINGS:
        try:
            status = os.stat(f"{path}{ending}")
            found.append((status.st_size, status.st_mtime_ns, status.st_ino))
        except OSError:
            found.append(None)
    return found


def _check(connection: sqlite3.Connection, path: Path, writes: bool) -> None:
    """Raise InputError unless a file is a store, or may become one."""
    [[version]] = connection.execute("PRAGMA user_version").fetchall()
    [[tables]] = connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
    if not version and not tables and not writes:
        raise input_error(f"{path} is empty", hint="simrun study FILE fills it")
    if version != VERSION and (tables or version):
        message = f"{path} is no store of studies that this version reads"
        raise input_error(message, hint="name another by --store")


def _make_ready(connection: sqlite3.Connection, path: Path) -> None:
    """Make the tables, and choose how it is written."""
    mode, often = ("DELETE", "FULL") if is_shared(path) else ("WAL", "NORMAL")
    connection.execute(f"PRAGMA journal_mode = {mode}").fetchall()
    connection.execute(f"PRAGMA synchronous = {often}")
    connection.executescript(_TABLES + f"PRAGMA user_version = {VERSION};")


def _leave_whole(connection: sqlite3.Connection) -> None:
    """Bring all that lies in the log into the file, so that this is a store without it.

    A program that is in the midst of reading may keep the log from going; who reads the file then
    finds the log beside it.
    """
    with suppress(sqlite3.DatabaseError):
        connection.rollback()
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        connection.execute("PRAGMA busy_timeout = 0")  # who only has it open may keep it so
        connection.execute("PRAGMA journal_mode = DELETE").fetchall()


_STAYS = "what is stored stays: "
_HINTS = {
    sqlite3.SQLITE_BUSY: f"{_STAYS}when no other program holds it, run it again",
    sqlite3.SQLITE_LOCKED: f"{_STAYS}when no other program holds it, run it again",
    sqlite3.SQLITE_FULL: f"{_STAYS}when there is room, run it again",
    sqlite3.SQLITE_IOERR: f"{_STAYS}when the disk can be written and read, run it again",
    sqlite3.SQLITE_READONLY: f"{_STAYS}make it writable, or name another by --store",
    sqlite3.SQLITE_CANTOPEN: f"{_STAYS}see whether its folder may be read and written",
    sqlite3.SQLITE_NOTADB: "name another by --store",
}
"""What to do, by the code of an error that says nothing of what is stored."""


def damaged(path: Path, error: Exception) -> InputError:
    """What is said of a store that cannot be used."""
    code = getattr(error, "sqlite_errorcode", None)
    damage = "remove it, or name another by --store: the study is run again"
    hint = damage if code is None else _HINTS.get(code & 0xFF, damage)
    return input_error(f"cannot use store {path}: {error}", hint=hint)


def is_shared(path: Path, mounts: str = "/proc/self/mounts") -> bool:
    """Whether a file lies in a file system that several machines may use."""
    found, kind = "", ""
    with suppress(OSError):
        for line in Path(mounts).read_text(encoding="utf-8", errors="replace").splitlines():
            _, folder, one, *_ = line.split(" ")
            folder = folder.replace("\\040", " ")
            inside = os.path.join(folder, "")
            if os.path.join(str(path.resolve().parent), "").startswith(inside) and len(
                inside
            ) >= len(found):
                found, kind = inside, one
    return kind in _NETWORK


def _lock(path: Path) -> int:
    """A lock that the system lets go when this process ends, however it ends."""
    import fcntl

    path = path.resolve()  # of a link the lock is that of the file
    file = path.with_name(f"{path.name}.lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(file, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise input_error(f"cannot write {file}: {error.strerror}") from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        hint = "wait for it, or name another by --store"
        raise input_error(f"another process writes store {path}", hint=hint) from None
    return handle
