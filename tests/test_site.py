"""The documentation is built as a site, strictly: every link leads somewhere."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from machines.description.load import machine_names
from machines.mistakes import mistakes

ROOT = Path(__file__).parent.parent
SITE = ROOT / ".ci" / "site"


@pytest.mark.campaign
@pytest.mark.skipif(importlib.util.find_spec("mkdocs") is None, reason="there is no mkdocs")
def test_the_site_is_built_and_needs_no_network(tmp_path: Path):
    ended = subprocess.run([sys.executable, SITE, tmp_path], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    pages = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.html")}
    assert {f"machine/{name}.html" for name in machine_names()} <= pages
    assert {f"machines/mistakes/{code}.html" for code in mistakes()} <= pages
    assert {
        "index.html",
        "sim/TUTORIAL.html",
        "instructions/ptx.html",
        "api/sim.door.html",
    } <= pages
    text = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert '<script src="http' not in text and 'stylesheet" href="http' not in text
