"""What does not fit is said before anything is installed."""

import os
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parent.parent


def _refused(folder: Path, **surroundings: str) -> str:
    ended = subprocess.run(
        ["bash", ROOT / ".ci" / "environment", folder],
        env={**os.environ, **surroundings},
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 1
    assert not ended.stdout
    return ended.stderr


def test_a_python_that_is_too_old(tmp_path: Path):
    old = tmp_path / "python3"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    said = f"simrun: needs Python 3.11 or newer; {old} is none\n"
    assert _refused(tmp_path / "made", PYTHON=str(old)) == said
    assert not (tmp_path / "made").exists()


def test_an_environment_whose_python_is_gone(tmp_path: Path):
    pip = tmp_path / "bin" / "pip"
    pip.parent.mkdir()
    pip.write_text("")
    pip.chmod(0o755)
    assert _refused(tmp_path).startswith(f"simrun: the Python of {tmp_path} is older than 3.11, or")
