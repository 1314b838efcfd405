"""Codes of messages: every finding has one, every one a page, and every page's example gives it.

UPDATE_README=1 python -m pytest tests/sim/commands/test_mistakes.py      writes what is said today
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from machines.diagnostics import Diagnostic, InputError, diagnostic, input_error
from machines.mistakes import FOLDER, FROM_PACKAGE, code_of, mistakes
from sim.cli import MISTAKE, SYSTEM, USAGE
from sim.serve.messages import finding_of, plain
from tests.test_pages_name_files import own_files

ROOT = Path(__file__).parents[3]
MAKERS = re.compile(r"(?<!def )\b(?:input_error|diagnostic|Diagnostic|finding|finding_at)\(")
WITHOUT_EXAMPLE = {SYSTEM, MISTAKE}
"""Nobody can be asked to fill a disk, or to find a mistake of ours."""
OF_NO_MODULE = {FROM_PACKAGE, SYSTEM, MISTAKE}

BLOCK = re.compile(r"```(?P<kind>\w+)(?: title=\"(?P<file>[^\"]+)\")?\n(?P<text>.*?)```", re.DOTALL)


class Example(NamedTuple):
    """Of a page: its files, the command or the Python that is wrong, and what is said of it."""

    files: dict[str, str]
    command: str
    python: str
    told: str


def example_of(page: str) -> Example | None:
    files, python, told = {}, "", None
    for block in BLOCK.finditer(page):
        if block["file"]:
            files[block["file"]] = block["text"]
        elif block["kind"] == "python":
            python = block["text"]
        elif block["kind"] == "text":
            told = block["text"]
    if told is None:
        return None
    command = ""
    if told.startswith("$ "):
        command, told = told[2:].split("\n", 1)
    return Example(files, command, python, told)


@pytest.mark.parametrize("code", sorted(mistakes()))
def test_an_example_gives_its_code(code: str, simrun, tmp_path: Path, monkeypatch):
    page = mistakes()[code].page
    example = example_of(page)
    if example is None:
        assert code in WITHOUT_EXAMPLE
        return
    for name, text in example.files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "workloads").symlink_to(ROOT / "workloads")
    monkeypatch.chdir(tmp_path)
    if example.command:
        program, *words = shlex.split(example.command)
        ended = simrun(*words)
        assert (program, ended.code) == ("simrun", 2)
        told = ended.err
    else:
        with pytest.raises(InputError) as error:
            exec(example.python, {"__name__": "mine"})
        told = f"{error.value}\n"
    if "UPDATE_README" in os.environ:
        (FOLDER / f"{code}.md").write_text(page.replace(example.told, told))
    assert f"[{code}]" in told and told == example.told


@cache
def modules_that_find() -> dict[str, int]:
    """How many findings each module of ours makes."""
    found = {}
    for path in (path for part in ("machines", "compiler", "sim") for path in own_files(part)):
        if count := len(MAKERS.findall(path.read_text(encoding="utf-8"))):
            dotted = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            found[dotted.removesuffix(".__init__")] = count
    return {name: count for name, count in found.items() if name != "machines.diagnostics"}


def test_every_module_that_finds_something_has_a_code():
    assert sum(modules_that_find().values()) > 850
    assert [name for name in modules_that_find() if code_of(name) == FROM_PACKAGE] == []


def test_no_page_is_nobodys():
    finders = modules_that_find()
    used = {code_of(name) for name in finders} | OF_NO_MODULE
    assert used == set(mistakes())
    assert {USAGE, SYSTEM, MISTAKE, FROM_PACKAGE} <= set(mistakes())
    for one in mistakes().values():
        for module in one.modules:
            path = ROOT.joinpath(*module.split("."))
            assert path.is_dir() or path.with_suffix(".py").exists(), (one.code, module)


def _in_a_generator() -> Iterator[Diagnostic]:
    yield Diagnostic("wrong")


def test_whoever_finds_it_gives_the_code(monkeypatch):
    monkeypatch.setitem(globals(), "__name__", "sim.workload.inputs")
    of_all = [Diagnostic("wrong"), diagnostic("wrong"), input_error("wrong").diagnostics[0]]
    of_all += [*_in_a_generator(), *(Diagnostic(word) for word in ("a", "b"))]
    assert {one.code for one in of_all} == {"argument"}
    assert (
        Diagnostic("wrong", code="mine").code == input_error("x", code="mine").diagnostics[0].code
    )
    assert str(of_all[0]) == "error: wrong  [argument]"
    assert (
        finding_of(json.loads(json.dumps(plain(Diagnostic("wrong", code="mine"))))).code == "mine"
    )


def test_explain_prints_pages(simrun, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert simrun("explain", "yaml-value").out == mistakes()["yaml-value"].page
    told = json.loads(simrun("explain", "yaml-value", "--format", "json").out)
    assert told["code"] == "yaml-value" and told["page"].startswith("# yaml-value: ")
    assert "yaml-value" in simrun("list", "mistakes").out
    assert simrun("explain", "yaml-valeu").code == 2


def test_what_is_no_finding_has_a_code_too(simrun, monkeypatch):
    first, *_ = simrun("x.yaml", "--jsn").err.splitlines()
    assert "--jsn" in first and first.endswith("  [usage]")

    def fail(*given: object, **also: object) -> None:
        raise given_error

    monkeypatch.setattr("sim.commands.list.print_rows", fail)
    given_error: Exception = OSError(28, "No space left on device")
    assert simrun("list", "mistakes").err.endswith("No space left on device  [system]\n")
    given_error = MemoryError()
    assert simrun("list", "mistakes").err.endswith("there is  [system]\n")
    given_error = RuntimeError("oh")
    told = simrun("list", "mistakes")
    assert told.code == 70 and told.err.splitlines()[0].endswith("RuntimeError: oh  [mistake]")
