"""Every file of `broken`: one clear message at its place, the exit code, nothing lost.

A case file is: what it shows; `$ command`; `exit code`; `> text` for every text the message must
contain; then the files, each after a line `--- name`.
"""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from sim.cli import command_line

CASES = sorted((Path(__file__).parent / "broken").glob("*.txt"))
EARLIER = "an earlier result\n"


@dataclass(frozen=True)
class Case:
    command: list[str]
    exit_code: int
    texts: list[str]
    files: dict[str, str]


def _read(path: Path) -> Case:
    head, *parts = path.read_text(encoding="utf-8").split("--- ")
    _shows, command, code, *texts = head.splitlines()
    files = dict(part.split("\n", 1) for part in parts)
    assert command.startswith("$ simrun ") and texts
    return Case(
        shlex.split(command)[2:],
        int(code.removeprefix("exit ")),
        [text.removeprefix("> ") for text in texts],
        files,
    )


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_broken_input(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
):
    case = _read(path)
    for name, text in case.files.items():
        target = tmp_path / name
        target.parent.mkdir(exist_ok=True)
        target.write_text(text, encoding="utf-8")
    earlier = tmp_path / "results" / "saxpy.itanium2.json"
    earlier.parent.mkdir()
    earlier.write_text(EARLIER)
    monkeypatch.chdir(tmp_path)
    is_run = case.exit_code == 2 and case.command[0].endswith(".yaml")
    out = ["--out", "results"] if is_run else []
    monkeypatch.setattr(sys, "argv", ["simrun", *case.command, *out])
    with pytest.raises(SystemExit) as ended:
        command_line()
    printed = capsys.readouterr()
    message = printed.err if case.exit_code == 2 and is_run else printed.err + printed.out
    assert "Traceback" not in message
    for text in case.texts:
        assert text in message, message
    assert ended.value.code == case.exit_code, message
    assert earlier.read_text() == EARLIER
    assert [file.name for file in earlier.parent.iterdir()] == [earlier.name]


def test_there_are_at_least_forty():
    assert len(CASES) >= 40
