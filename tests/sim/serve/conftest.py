"""A store with a small program, and what lies outside of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from machines import confinement
from tests.opened_files import Watched
from tests.sim.conftest import KERNEL, WORKLOAD

SECRET = "nobody_may_read_this"
OWN_MACHINE = "extends: itanium2\nname: mine\nsource: 'assumed: a test'\nclock: 2 GHz\n"
RULES = "@rewrite(x * 1)\ndef times_one(x):\n    return x\n"


@dataclass
class Store:
    """The folder that is served, and one beside it with a file of every kind."""

    folder: Path
    outside: Path
    watched: Watched

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path


def make_store(folder: Path) -> tuple[Path, Path]:
    """A store and what lies outside of it, which is as good as what lies in it."""
    store, outside = folder / "store", folder / "outside"
    for one in (store, outside):
        one.mkdir()
        (one / "tiny.py").write_text(f"# {SECRET}\n" * (one is outside) + KERNEL)
        (one / "workload.yaml").write_text(WORKLOAD)
    (outside / "machine.yaml").write_text(OWN_MACHINE)
    (outside / "rules.py").write_text(RULES)
    (outside / "own.py").write_text("def same(y):\n    return y\n")
    np.save(outside / "x.npy", np.arange(8, dtype="<f4"))
    return store, outside


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A store to which this process is confined while the test runs."""
    folder, outside = make_store(tmp_path)
    monkeypatch.chdir(folder)
    monkeypatch.setattr(confinement, "_store", folder.resolve())
    with Watched(outside) as watched:
        yield Store(folder, outside, watched)
