"""Options of all tests, the quick ones, and that code is verified after every pass."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from compiler.pipelines import EVERY_PASS

SELDOM = 100_000
"""New objects until Python looks for cycles; among all that these tests import, to look after a few
hundred of them, as usual, takes a tenth of their time."""
QUICK = "pytestmark = pytest.mark.quick"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="write what passes make now to golden files"
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With `-m quick` only files that are quick are read: to collect all tests takes longer."""
    is_test = collection_path.name.startswith("test_") and collection_path.suffix == ".py"
    if config.option.markexpr != "quick" or not is_test:
        return None
    return QUICK not in collection_path.read_text(encoding="utf-8") or None


def pytest_configure() -> None:
    EVERY_PASS.set(True)
    gc.set_threshold(SELDOM)


def pytest_collection_finish() -> None:
    """Modules and tests stay: they are not looked through again."""
    gc.freeze()
