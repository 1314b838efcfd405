"""Every workload tells what it does and what it costs, with the figures of its baselines."""

from __future__ import annotations

from pathlib import Path

import pytest

from workloads.tables import MARK, readmes, update


@pytest.mark.parametrize("readme", readmes(), ids=lambda path: path.parent.name)
def test_tables_are_those_of_the_baselines(readme: Path):
    """If this fails: python -m workloads.tables"""
    text = readme.read_text(encoding="utf-8")
    assert MARK.search(text), "no table"
    assert update(readme) == text
