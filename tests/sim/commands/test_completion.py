"""Completion of a line by a shell, and how much commands say."""

from __future__ import annotations

import io
import os
import pty
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.sim.conftest import UPDATE

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    "line, expected",
    [
        (["simrun", "ch"], ["plain,check", "file,ch"]),
        (["simrun", "check", "--upd"], ["plain,--update"]),
        (["simrun", "workload.yaml", "--js"], ["plain,--json"]),
        (["simrun", "explain", "wo"], ["plain,workload", "file,wo"]),
        (["simrun", "run", "x.yaml", "--out", "re"], ["file,re"]),
        (["simrun", "run", "--arg", "n"], []),
    ],
)
def test_what_a_shell_is_told(line, expected, simrun, monkeypatch):
    monkeypatch.setenv("_SIMRUN_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", " ".join(line))
    monkeypatch.setenv("COMP_CWORD", str(len(line) - 1))
    ended = simrun()
    assert ended.code == 0 and ended.out.split() == expected and not ended.err


WORKLOAD = "workloads/saxpy/workload.yaml"


@pytest.mark.parametrize(
    "line, first, last",
    [
        ("simrun ch", "plain,check", "file,ch"),
        ("simrun list ma", "plain,machines", "plain,machines"),
        ("simrun new ki", "plain,kind", "plain,kind"),
        (f"simrun {WORKLOAD} --machine epi", "plain,epic3", "file,epi"),
        (f"simrun {WORKLOAD} --machine=epi", "plain,epic3", "file,epi"),
        (f"simrun {WORKLOAD} --set memory.l3.si", "plain,memory.l3.size=", "plain,memory.l3.size="),
        (f"simrun {WORKLOAD} --machine h200 --set reconvergence.po", "plain,reconvergence.policy=",
         "plain,reconvergence.policy="),
        (f"simrun {WORKLOAD} --arg ", "plain,n=", "plain,y="),
        (f"simrun {WORKLOAD} --passes default,-num", "plain,default,-number_values",
         "plain,default,-number_values"),
        (f"simrun {WORKLOAD} --passes default,mine@after=num", "plain,number_values",
         "plain,number_values"),
        (f"simrun {WORKLOAD} --machine h200 --passes spl", "plain,split_pairs",
         "plain,split_pairs"),
        (f"simrun history {WORKLOAD} BE_RSE", "plain,BE_RSE_BUBBLE.ALL",
         "plain,BE_RSE_BUBBLE.UNDERFLOW"),
        (f"simrun {WORKLOAD} --report qu", "plain,quiet", "plain,quiet"),
        (f"simrun explain {WORKLOAD} --show disp", "plain,dispersal", "plain,dispersal"),
        ("simrun machines show h200 --only memory.l2.si", "plain,memory.l2.size",
         "plain,memory.l2.size"),
        ("simrun machines diff itanium2 h200 --set reg", "plain,register_file.banks=",
         "plain,register_file.reuse_cache="),
        (f'simrun {WORKLOAD} --set "memory.l3.si', "plain,memory.l3.size=",
         "plain,memory.l3.size="),
        ("simrun nothing.yaml --set memory.l3.si", "plain,memory.l3.size=",
         "plain,memory.l3.size="),
    ],
)  # fmt: skip
def test_words_of_a_line(line, first, last, simrun, monkeypatch):
    """A shell is told of what the machine, the workload and the doors that are named have."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("_SIMRUN_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_LINE", line)
    monkeypatch.setenv("COMP_POINT", str(len(line.encode())))
    ended = simrun()
    told = ended.out.splitlines()
    assert (ended.code, ended.err, told[0], told[-1]) == (0, "", first, last)


@pytest.fixture
def shell_folder(tmp_path: Path) -> Path:
    """A folder with a command `simrun`, the scripts of all shells, and a few files."""
    command = tmp_path / "bin" / "simrun"
    command.parent.mkdir()
    text = f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m sim "$@"\n'
    command.write_text(text)
    command.chmod(0o755)
    for name in ("two words.yaml", "check.yaml"):
        (tmp_path / name).touch()
    (tmp_path / "folder").mkdir()
    return tmp_path


def script_of(shell: str, folder: Path) -> Path:
    environment = {**os.environ, "_SIMRUN_COMPLETE": f"{shell}_source"}
    command = [folder / "bin" / "simrun"]
    told = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    script = folder / f"completion.{shell}"
    script.write_text(told.stdout)
    return script


def needs(shell: str) -> Callable:
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"there is no {shell}")


@contextmanager
def typed(folder: Path, *command: str) -> Iterator[Callable[[str, str], None]]:
    """A shell at a terminal: `type_and_see(keys, text)` types and waits until it shows a text."""
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(folder)
        path = f"{folder / 'bin'}:{os.environ['PATH']}"
        os.execvpe(
            command[0], [*command], {**os.environ, "PATH": path, "TERM": "dumb", "PS1": "$ "}
        )

    def type_and_see(keys: str, text: str) -> None:
        os.write(terminal, keys.encode())
        seen, until = "", time.monotonic() + 30
        while text not in seen.replace("\r\n", ""):
            assert time.monotonic() < until, seen
            if select.select([terminal], [], [], 1)[0]:
                seen += os.read(terminal, 65536).decode(errors="replace")

    try:
        yield type_and_see
    finally:
        os.close(terminal)
        os.waitpid(process, 0)


@needs("bash")
def test_bash_completes(shell_folder: Path):
    """Words and files alike; a word that goes on has no blank behind it."""
    script = script_of("bash", shell_folder)
    with typed(shell_folder, "bash", "--norc", "--noprofile", "-i") as type_and_see:
        type_and_see(f"source {script}; echo r''eady\n", "ready")
        type_and_see("simrun mach\t", "simrun machines ")
        type_and_see("\x15simrun two\t", "simrun two\\ words.yaml ")
        type_and_see("\x15simrun x.yaml --set=memory.l3.si\tX", "--set=memory.l3.size=X")


@needs("zsh")
@pytest.mark.campaign
def test_zsh_completes(shell_folder: Path):
    script = script_of("zsh", shell_folder)
    with typed(shell_folder, "zsh", "-f", "-i") as type_and_see:
        setting = "autoload -U compinit; compinit -u -D; unsetopt zle_bracketed_paste"
        type_and_see(f"{setting}; source {script}; echo r''eady\n", "ready")
        type_and_see("simrun mach\t", "simrun machines ")
        type_and_see("\x15simrun x.yaml --set memory.l3.si\tX", "--set memory.l3.size=X")


@needs("fish")
@pytest.mark.campaign
def test_fish_completes(shell_folder: Path):
    script = script_of("fish", shell_folder)
    path = f"{shell_folder / 'bin'}:{os.environ['PATH']}"

    def told(line: str) -> list[str]:
        command = ["fish", "--no-config", "-c", f"source {script}; complete -C '{line}'"]
        ended = subprocess.run(
            command, capture_output=True, text=True, cwd=shell_folder, check=True,
            env={**os.environ, "PATH": path},
        )  # fmt: skip
        return [one.partition("\t")[0] for one in ended.stdout.splitlines()]

    assert told("simrun chec") == ["check", "check.yaml"]
    assert told("simrun x.yaml --set memory.l3.si") == ["memory.l3.size="]


def test_quiet_is_quiet_until_something_is_wrong(tiny: Path, simrun):
    ended = simrun(tiny.name, "--quiet")
    assert (ended.code, ended.out, ended.err) == (0, "", "")
    assert simrun(tiny.name, "-q", "--json").code == 2
    tiny.write_text(tiny.read_text().replace("a * x + y", "a * x"))
    ended = simrun(tiny.name, "--quiet")
    assert ended.code == 1 and ended.out.startswith("tiny on itanium2: done, OUTPUTS WRONG\n  y")
    assert len(ended.out.splitlines()) == 2


def test_quiet_checks_and_studies_tell_failures(tiny: Path, simrun):
    simrun("check", tiny.name, *UPDATE)
    ended = simrun("check", tiny.name, "--quiet")
    assert (ended.code, ended.out, ended.err) == (0, "", "")
    tiny.write_text(tiny.read_text().replace("n: 8", "n: 7").replace("[8]", "[7]"))
    ended = simrun("check", tiny.name, "-q")
    assert ended.code == 1 and "1 checked, 1 failed" in ended.out


def test_verbose_tells_what_was_done_beside_the_result(tiny: Path, simrun):
    told, silent = simrun(tiny.name, "--verbose"), simrun(tiny.name)
    assert told.out == silent.out and not silent.err
    assert [line.split(":")[0] for line in told.err.splitlines()] == ["simrun"] * 4
    assert "machine" in told.err and "itanium2.yaml" in told.err and "simulated" in told.err


class Terminal(io.TextIOWrapper):
    """Takes what is written to a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("words", [["workload.yaml"], ["check", "workload.yaml"]])
def test_no_colour_where_none_is_wanted(words, tiny: Path, simrun, monkeypatch):
    """At a terminal, as anywhere else there is none; an empty NO_COLOR says nothing."""
    simrun("check", tiny.name, *UPDATE)
    monkeypatch.setenv("TERM", "xterm")
    seen = {}
    for value in ("", "1"):
        terminal = Terminal(io.BytesIO(), "utf-8", write_through=True)
        monkeypatch.setenv("NO_COLOR", value)
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stdout", terminal)
            assert simrun(*words).code == 0
        seen[value] = terminal.buffer.getvalue()
    assert b"32m" in seen[""] and b"32m" not in seen["1"]
