"""Where studies keep what they found: a SQLite file that one process at a time writes.

    with Store.open(path) as store:          # raises InputError if another process writes it
        store.begin(study.name, text, points, bases)
        store.put(study.name, point, outcome)      # at once, whole or not at all

`results` are by the key of their identity, so that studies share them; `points` say which result a
point of a study has, or why it has none.  Seconds are kept apart: everything else is the same bytes
however often a study was broken off and gone on with.

How the file is opened, locked and left is said in `store_file.py`.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sim.identity import Identity
from sim.studies.plan import Point
from sim.studies.point import WAITING, Outcome
from sim.studies.store_file import damaged, opened

POINT, BASE = "point", "base"
"""What a point is there for: itself, or others that are compared with it."""


def default_store(file: Path) -> Path:
    """Where the results of a study's file are kept, if nothing is said."""
    return file.with_suffix(".sqlite")


@dataclass(frozen=True)
class Row:
    """A point as it is stored.

    is_base      whether it is there only for others to be compared with
    cycle_limit  at which its run was to end
    key          of what it was run as, None if it was not
    identity     of its result, None if it has none
    document     its result
    """

    coordinates: dict[str, Any]
    is_base: bool
    cycle_limit: int | None
    status: str
    diagnostics: str = ""
    key: str | None = None
    identity: Identity | None = None
    document: dict[str, Any] | None = None

    @property
    def name(self) -> str:
        return json.dumps(self.coordinates)


class Store:
    """A store's file, open."""

    def __init__(self, connection: sqlite3.Connection, path: Path):
        self._connection = connection
        self.path = path

    @classmethod
    @contextmanager
    def open(cls, path: Path, writes: bool = True) -> Iterator[Store]:
        """The store in a file, which is made if need be; who only reads need not be alone.

        Raises InputError for a file that is none, is damaged, or that another process writes.
        """
        with opened(path, writes) as connection:
            yield cls(connection, path)

    def begin(self, study: str, text: str, points: Iterable[Point], bases: Iterable[Point]) -> None:
        """Make the points of a study known, in their order, and those that they are compared with;
        those that it has no longer go."""
        with self._connection as db:
            db.execute("INSERT OR REPLACE INTO studies VALUES (?, ?, 0)", (study, text))
            rows = _rows(study, 0, points, bases)
            names = {name for _, name, *_ in rows}
            known = db.execute("SELECT name FROM points WHERE study = ?", (study,)).fetchall()
            gone = [(study, name) for (name,) in known if name not in names]
            db.executemany("DELETE FROM points WHERE study = ? AND name = ?", gone)
            db.executemany(
                f"{_INSERT} ON CONFLICT DO UPDATE SET position = excluded.position, "
                "role = excluded.role, cycle_limit = excluded.cycle_limit",
                rows,
            )

    def add(self, study: str, points: Iterable[Point], bases: Iterable[Point]) -> None:
        """Make more points known, behind the others; one that others were compared with may become
        a point."""
        [[first]] = self._connection.execute(
            "SELECT coalesce(max(position) + 1, 0) FROM points WHERE study = ?", (study,)
        ).fetchall()
        with self._connection as db:
            rows = _rows(study, first, points, bases)
            promote = f"DO UPDATE SET role = '{POINT}' WHERE excluded.role = '{POINT}'"
            db.executemany(f"{_INSERT} ON CONFLICT {promote}", rows)

    def put(self, study: str, point: Point, outcome: Outcome) -> None:
        """Keep what a point came to; other points of the same run came to that too."""
        with self._connection as db:
            if outcome.document is not None:
                identity = json.dumps(asdict(outcome.identity))
                document = zlib.compress(outcome.document.encode(), 6)
                row = (outcome.key, outcome.status, identity, document, outcome.diagnostics)
                db.execute("INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?)", row)
                took = (outcome.key, outcome.seconds)
                db.execute("INSERT OR REPLACE INTO seconds VALUES (?, ?)", took)
                ended = (outcome.status, outcome.key)
                db.execute("UPDATE points SET status = ?, diagnostics = '' WHERE key = ?", ended)
            diagnostics = outcome.diagnostics if outcome.document is None else ""
            db.execute(
                "UPDATE points SET status = ?, key = ?, diagnostics = ? "
                "WHERE study = ? AND name = ?",
                (outcome.status, outcome.key, diagnostics, study, point.name),
            )

    def count_trials(self, study: str, more: int) -> None:
        """A search has told what became of so many more."""
        with self._connection as db:
            db.execute("UPDATE studies SET trials = trials + ? WHERE name = ?", (more, study))

    def begun(self, study: str) -> tuple[str, int]:
        """The text by which a study was begun, and how many trials its search has made."""
        query = "SELECT text, trials FROM studies WHERE name = ?"
        return self._connection.execute(query, (study,)).fetchone() or ("", 0)

    def status(self, key: str) -> str | None:
        """How the run of that key ended; None if there is no result."""
        found = self._connection.execute("SELECT status FROM results WHERE key = ?", (key,))
        row = found.fetchone()
        return row[0] if row else None

    def has_results(self) -> bool:
        """Whether anything is known at all."""
        return self._connection.execute("SELECT 1 FROM results LIMIT 1").fetchone() is not None

    def keys(self) -> set[str]:
        """The keys of all results."""
        return {key for (key,) in self._connection.execute("SELECT key FROM results")}

    def rows(self, study: str) -> list[Row]:
        """The points of a study in their order, with their results."""
        query = f"{_ROWS} WHERE p.study = ? ORDER BY p.position"
        stored = self._connection.execute(query, (study,)).fetchall()  # and it holds no lock
        return [self._row(*row) for row in stored]

    def row(self, study: str, point: Point) -> Row | None:
        """One of them; None if there is none."""
        query = f"{_ROWS} WHERE p.study = ? AND p.name = ?"
        row = self._connection.execute(query, (study, point.name)).fetchone()
        return None if row is None else self._row(*row)

    def _row(
        self, name: str, role: str, limit: int | None, status: str, why: str, key: str | None,
        identity: str | None, document: bytes | None, kept_why: str | None,
    ) -> Row:  # fmt: skip
        if identity is None or why:  # it has no result, or had one that is gone
            status = status if why else WAITING
            return Row(json.loads(name), role == BASE, limit, status, why, key)
        try:
            content = json.loads(zlib.decompress(document))
            known = Identity(**json.loads(identity))
        except (zlib.error, ValueError, TypeError) as error:
            raise damaged(self.path, error) from None
        return Row(json.loads(name), role == BASE, limit, status, kept_why, key, known, content)

    def studies(self) -> dict[str, dict[str, int]]:
        """How many points of each study have which status."""
        found: dict[str, dict[str, int]] = {
            name: {} for (name,) in self._connection.execute("SELECT name FROM studies")
        }
        query = "SELECT study, status, count(*) FROM points GROUP BY study, status"
        for name, status, count in self._connection.execute(query):
            found.setdefault(name, {})[status] = count
        return found

    def mean_seconds(self, study: str) -> float | None:
        """What a run of a study's points took on average; None if nothing is known."""
        query = (
            "SELECT avg(seconds) FROM seconds WHERE key IN (SELECT key FROM points WHERE study = ?)"
        )
        return self._connection.execute(query, (study,)).fetchone()[0]

    def forget_failures(self, study: str, statuses: Iterable[str]) -> int:
        """Let the points of a study that ended so wait again, without their results; so do points
        of other studies that share these."""
        statuses = list(statuses)
        marks = ", ".join("?" * len(statuses))
        where = f"study = ? AND status IN ({marks})"
        keys = f"SELECT key FROM points WHERE {where} AND key IS NOT NULL"
        given = (study, *statuses)
        again = f"status = '{WAITING}', key = NULL, diagnostics = ''"
        with self._connection as db:
            [[count]] = db.execute(f"SELECT count(*) FROM points WHERE {where}", given).fetchall()
            shared = [key for (key,) in db.execute(keys, given)]
            db.execute(f"UPDATE points SET {again} WHERE {where}", given)
            for key in shared:
                db.execute(f"UPDATE points SET {again} WHERE key = ?", (key,))
                db.execute("DELETE FROM results WHERE key = ?", (key,))
        return count

    def collect(self, studies: Iterable[str]) -> int:
        """Remove studies, and the results that no study has; how many results went."""
        with self._connection as db:
            for name in studies:
                db.execute("DELETE FROM points WHERE study = ?", (name,))
                db.execute("DELETE FROM studies WHERE name = ?", (name,))
            gone = db.execute(
                "DELETE FROM results WHERE key NOT IN "
                "(SELECT key FROM points WHERE key IS NOT NULL)"
            ).rowcount
            db.execute("DELETE FROM seconds WHERE key NOT IN (SELECT key FROM results)")
        self._connection.execute("VACUUM")
        return gone


_ROWS = (
    "SELECT p.name, p.role, p.cycle_limit, p.status, p.diagnostics, p.key, r.identity, "
    "r.document, r.diagnostics FROM points p LEFT JOIN results r ON r.key = p.key"
)
_INSERT = (
    "INSERT INTO points (study, name, position, role, cycle_limit, status) "
    "VALUES (?, ?, ?, ?, ?, ?)"
)


def _rows(study: str, first: int, points: Iterable[Point], bases: Iterable[Point]) -> list[tuple]:
    """The rows of new points, for `_INSERT`."""
    both = [*((point, POINT) for point in points), *((base, BASE) for base in bases)]
    return [
        (study, point.name, first + k, role, point.setting.cycle_limit, WAITING)
        for k, (point, role) in enumerate(both)
    ]
