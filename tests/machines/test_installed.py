"""Which packages count for results, and what is said of those that moved."""

from __future__ import annotations

import importlib
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from machines import plugins
from machines.cache import installed as counted
from machines.cache.installed import LIBRARIES, imports_of, installed, moved

ROOT = Path(__file__).parents[2]
FOR_PEOPLE = {"click", "rich"}
"""What simrun requires to print and to read command lines."""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Installs a package in a folder of the test."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def install(name: str, version: str, modules: str = "", points: str = "", *requires: str):
        folder = tmp_path / f"{name}-{version}.dist-info"
        folder.mkdir()
        wanted = "".join(f"Requires-Dist: {one}\n" for one in requires)
        (folder / "METADATA").write_text(f"Name: {name}\nVersion: {version}\n{wanted}\n")
        (folder / "entry_points.txt").write_text(points)
        (folder / "top_level.txt").write_text(modules)
        clear()

    def clear() -> None:
        importlib.invalidate_caches()
        for kept in (counted._versions, counted._of_plugins, plugins._entry_points):
            kept.cache_clear()

    yield install
    sys.path.remove(str(tmp_path))
    clear()


def test_all_that_simrun_requires_counts_or_is_for_people():
    content = tomllib.loads((ROOT / "pyproject.toml").read_text())
    required = {one.partition(">=")[0] for one in content["project"]["dependencies"]}
    assert required - FOR_PEOPLE == {*LIBRARIES} - {"pydantic-core"}
    assert set(LIBRARIES) <= installed().keys()


def test_what_a_plugin_hangs_on_counts(package: Callable[..., None]):
    before = installed()
    package("unrelated", "1.0", "unrelated\n")
    assert installed() == before
    points = "[simrun.kinds]\ntheirs = theirs:KIND\n"
    package("their_machines", "2.0", "theirs\n", points, "simrun", "their.tables >=3",
            "drawing; extra == 'plots'")  # fmt: skip
    package("their_tables", "3.1", "tables\n", "", "base-of-tables")
    package("Base_Of_Tables", "4.0", "base\n")
    package("drawing", "5.0", "drawing\n")
    package("undeclared_too", "6.0", "sly\n")
    new = {"their-machines": "2.0", "their-tables": "3.1", "base-of-tables": "4.0"}
    assert installed() == {**before, **new}
    assert installed(["sly", "math", "nowhere"]) == {**before, **new, "undeclared-too": "6.0"}


def test_imports_are_found_anywhere_in_a_module():
    text = b"import numpy as np\nfrom .own import x\ndef f():\n    from scipy.linalg import lu\n"
    assert imports_of(text) == {"numpy", "scipy"}


def test_what_moved_is_named():
    before = {"Python": "3.11", "numba": "0.66", "scipy": "1.0", "numpy": "2.4"}
    now = {"Python": "3.11", "numba": "0.68", "numpy": "2.4", "tables": "3"}
    assert moved(before, now) == "numba from 0.66 to 0.68, scipy 1.0 is gone, tables 3 is new"
    assert moved(now, now) == ""
