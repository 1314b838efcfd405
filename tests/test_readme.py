"""The pages say what is true: their commands run, and print what they show.

UPDATE_README=1 python -m pytest tests/test_readme.py      writes today's output into them
"""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from machines.description.load import load_machine
from sim.commands import commands
from sim.workload.functions import FUNCTIONS

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PAGES = sorted(
    p for p in ROOT.glob("**/*.md") if ".venv" not in p.parts and p.name != "TUTORIAL.md"
)
"""Tutorials are done by `test_tutorials.py`."""
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)


def _commands(text: str) -> list[tuple[str, str]]:
    """The commands of console blocks with the output shown for each."""
    parts = [part for block in BLOCK.findall(text) for part in re.split(r"^\$ ", block, flags=re.M)]
    return [tuple(part.split("\n", 1)) for part in parts if part]


def _run(command: str) -> str:
    words = shlex.split(command)
    assert words[0] == "simrun"
    return subprocess.run(
        [sys.executable, "-m", "sim", *words[1:]],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
    ).stdout


@pytest.mark.skipif("UPDATE_README" not in os.environ, reason="only on request")
def test_write_the_output_into_the_pages():
    def fresh(block: re.Match) -> str:
        commands = [command for command, _ in _commands(block[0])]
        return "```console\n" + "".join(f"$ {c}\n{_run(c)}" for c in commands) + "```"

    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        if BLOCK.search(text):
            page.write_text(BLOCK.sub(fresh, text), encoding="utf-8")


@pytest.mark.parametrize(
    "command, shown", [c for page in PAGES for c in _commands(page.read_text(encoding="utf-8"))]
)
def test_console_blocks_show_the_real_output(
    command: str, shown: str, simrun, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(ROOT)
    program, *words = shlex.split(command)
    ended = simrun(*words)
    assert (program, ended.code, ended.err) == ("simrun", 0, "")
    assert ended.out == shown


def _other_commands(page: Path) -> list[str]:
    """The commands of a page's shell blocks, and those of simrun in its sentences."""
    text = page.read_text(encoding="utf-8")
    shell = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    whole = [re.sub(r"\\\n\s*", "", block) for block in shell]  # lines that go on in the next
    lines = [line.split("#")[0] for block in whole for line in block.splitlines()]
    spoken = [c.replace("\n", " ") for c in re.findall(r"`(simrun [a-z][^`]*)`", text)]
    return [c for line in lines for c in line.split("&&")] + spoken


def test_pages_have_commands():
    assert len(_other_commands(README)) >= 6
    assert sum(len(_other_commands(page)) for page in PAGES) >= 30


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_other_commands_of_a_page_exist(page: Path):
    """Scripts, modules and workloads are there, options and commands are known."""
    for command in _other_commands(page):
        words = shlex.split(command)
        words = [word for word in words if not re.fullmatch(r"[A-Z_]+=\S+", word)]
        if not words:
            continue
        if words[0] == "bash":
            subprocess.run(["bash", "-n", words[1]], cwd=ROOT, check=True)
        elif words[:2] == ["python", "-m"]:
            assert importlib.util.find_spec(words[2]), command
        elif words[0] != "pytest":
            assert Path(words[0]).name == "simrun", command
            name = words[1] if words[1] in commands() else "run"
            known = _options(commands()[name])
            assert {word for word in words if word.startswith("--")} <= known, command
            files = [word for word in words[1:] if word.startswith("workloads/")]
            assert all(any(ROOT.glob(file)) for file in files), command


def test_the_machines_of_the_page_can_be_read(tmp_path: Path):
    page = (ROOT / "machines" / "README.md").read_text(encoding="utf-8")
    machines = {}
    for number, example in enumerate(re.findall(r"```yaml\n(extends.*?)```", page, re.DOTALL)):
        path = tmp_path / f"machine_{number}.yaml"
        path.write_text(example, encoding="utf-8")
        machine = load_machine(str(path))
        machines[machine.name] = machine.description
    assert machines["wide_load"].memory.l3 is None
    assert machines["h200_memory"].energy is not None


def _options(command: click.Command) -> set[str]:
    parts = command.commands.values() if isinstance(command, click.Group) else [command]
    taken = [parameter for part in parts for parameter in part.get_params(click.Context(part))]
    return {option for parameter in taken for option in parameter.opts}


def test_every_function_of_the_expression_language_is_documented():
    text = (ROOT / "sim" / "README.md").read_text(encoding="utf-8")
    listed = re.search(r"functions\n`(.*?)`", text, re.DOTALL)[1].split()
    assert sorted(listed) == sorted(FUNCTIONS)
