"""Tutorials say what is true: each is done in a folder of its own, from its first line to its last.

Files of a tutorial are blocks with a title, written where that says; commands stand in console
blocks, each with what it prints.  `pip install -e` leaves here what an installer leaves.

UPDATE_README=1 python -m pytest tests/test_tutorials.py      writes what is printed into them
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.conftest import ANNOUNCED
from tests.outside.test_outside_kinds import simrun_in
from tests.sim.commands.test_new import RUN_TESTS, note_as_installed

ROOT = Path(__file__).parent.parent
TUTORIALS = sorted(path for path in ROOT.glob("**/TUTORIAL.md") if ".venv" not in path.parts)
BLOCK = re.compile(r"```(?P<kind>\w+)(?: title=\"(?P<file>[^\"]+)\")?\n(?P<text>.*?)```", re.DOTALL)
CODE = re.compile(r" +# exit code (\d+)$")


class Terminal:
    """A folder in which commands are typed; packages that are installed are found by the next."""

    def __init__(self, folder: Path, stack: ExitStack):
        self.work, self.site, self.stack = folder / "work", folder / "site", stack
        self.work.mkdir()
        self.site.mkdir()
        (self.work / "workloads").symlink_to(ROOT / "workloads")
        self.start()

    def start(self) -> None:
        """A process that has imported nothing of the packages yet."""
        self.run = self.stack.enter_context(simrun_in(self.site))
        self.run("-c", f"import os; os.chdir({str(self.work)!r})")

    def type(self, command: str) -> str:
        """What a command prints."""
        code = int(found[1]) if (found := CODE.search(command)) else 0
        words = shlex.split(command, comments=True)
        match words:
            case ["simrun", *rest]:
                ended = self.run(*rest, code=code)
                told = ended.stdout + ANNOUNCED.sub("", ended.stderr)
                return told.replace(f"{self.work}/", "")
            case ["pip", "install", "-e", package]:
                note_as_installed(self.work / package, self.site)
                self.start()
                return ""
            case ["pytest", "-q", *rest]:
                ended = self.run("-c", RUN_TESTS.format(rest[0]))
                passed = re.search(r"\d+ passed", ended.stdout)[0]
                return f"{ended.stdout.partition(chr(10))[0]}\n{passed} in 0.10s\n"
            case ["sed" | "cat", *_]:
                ended = subprocess.run(
                    words, cwd=self.work, capture_output=True, text=True, check=True
                )
                if words[-1].endswith(".py"):
                    self.start()
                return ended.stdout
        raise AssertionError(f"a tutorial types {command}")


def commands(block: str) -> Iterator[tuple[str, str]]:
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE):
        if part:
            command, _, shown = part.partition("\n")
            yield command, shown


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.parent.name)
def test_a_tutorial_is_done(page: Path, tmp_path: Path):
    text = page.read_text(encoding="utf-8")
    with ExitStack() as stack:
        terminal = Terminal(tmp_path, stack)

        def done(block: re.Match) -> str:
            if block["file"]:
                path = terminal.work / block["file"]
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(block["text"], encoding="utf-8")
            elif block["kind"] == "console":
                told = (f"$ {c}\n{terminal.type(c)}" for c, _ in commands(block["text"]))
                return f"```console\n{''.join(told)}```"
            return block[0]

        today = BLOCK.sub(done, text)
    if "UPDATE_README" in os.environ:
        page.write_text(today, encoding="utf-8")
    assert today == text


def test_there_are_tutorials():
    assert len(TUTORIALS) >= 6
    assert all("```console" in page.read_text(encoding="utf-8") for page in TUTORIALS)
