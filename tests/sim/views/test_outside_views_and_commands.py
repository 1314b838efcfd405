"""A view of `explain` and a command from an installed package: a file each, nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest

from machines import plugins
from sim.commands import commands
from sim.commands.explain import explain
from sim.views import (
    COMPILED,
    KEYWORDS,
    RESERVED,
    SOURCE,
    Document,
    Option,
    Shown,
    View,
    views,
)

pytestmark = pytest.mark.quick


def show_sizes(compilation, largest: bool = False) -> Shown:
    """How many instructions each function has."""
    sizes = {f.name: len(list(f.instructions())) for f in compilation.functions}
    shown = dict([max(sizes.items(), key=lambda one: one[1])]) if largest else sizes
    return Shown("".join(f"{name} {size}\n" for name, size in shown.items()), shown)


SIZES = View(
    "sizes", "How many instructions functions have.", COMPILED, show_sizes,
    options=(Option("largest", "Only the largest."),),
)  # fmt: skip


@click.command()
@click.argument("word")
def greet(word: str) -> int:
    """Say a word."""
    click.echo(f"hello, {word}")
    return 7


class Point:
    """An entry point that loads to an object."""

    dist = None

    def __init__(self, name: str, loaded: object):
        self.name, self.loaded, self.value = name, loaded, f"package:{name}"

    def load(self) -> object:
        return self.loaded


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Install views as one plugin, or commands by name, until the test has ended."""

    def install(*some: View, **named: click.Command) -> None:
        points = {"simrun.views": [Point("theirs", some)] if some else []}
        points["simrun.commands"] = [Point(name, one) for name, one in named.items()]
        monkeypatch.setattr(plugins, "points_of", lambda group: points.get(group, []))
        monkeypatch.setattr("sim.cli._warned", set())
        forget()

    def forget() -> None:
        views.cache_clear()
        plugins.discover.cache_clear()

    before = dict(plugins.FAILED)
    yield install
    monkeypatch.undo()
    forget()
    plugins.FAILED.clear()
    plugins.FAILED.update(before)


def test_a_view(install, simrun, tiny):
    install(SIZES)
    assert simrun("explain", "tiny.py", "--show", "sizes").out.startswith("saxpy ")
    words = ("explain", "workload.yaml", "--show", "sizes", "--largest", "--format", "json")
    assert list(json.loads(simrun(*words).out)) == ["saxpy"]
    assert "Of sizes: only the largest." in simrun("explain", "--help").out
    assert "How many instructions functions have." in simrun("list", "plugins").out
    ended = simrun("explain", "tiny.py", "--show", "asm", "--largest")
    assert (ended.code, "--show asm --format text takes no --largest" in ended.err) == (2, True)


def test_two_kinds_may_have_a_view_of_one_name(install, simrun, tiny):
    def show(compilation) -> Shown:
        return Shown(f"theirs of {compilation.machine.name}\n", {})

    install(View("dispersal", "Theirs.", COMPILED, show, kinds=("simt",)))
    program = "func @f() {\nentry:\n    return\n}\n"
    (tiny.parent / "f.sir").write_text(program)
    words = ("explain", "f.sir", "--show", "dispersal", "--machine")
    assert simrun(*words, "h200").out == "theirs of h200\n"
    assert "issue groups" in simrun(*words, "epic3").out


def test_a_view_of_files_that_are_no_programs(install, simrun, tiny):
    def show(described, upper: str = "") -> Shown:
        text = described.path.read_text() + described.machine.name
        return Shown(text.upper() if upper == "yes" else text, {})

    needs = Document("notes", "a notebook", "epic3")
    options = (Option("upper", "In capitals.", "WORD", lambda: ("yes", "no")),)
    install(View("notes", "What somebody noted.", needs, show, options=options))
    Path("n.yaml").write_text("notes: [one]\n")
    assert simrun("explain", "n.yaml", "--show", "notes").out == "notes: [one]\nepic3"
    words = ("explain", "n.yaml", "--show", "notes", "--machine", "h200", "--upper", "yes")
    assert simrun(*words).out == "NOTES: [ONE]\nH200"
    for refused, message in {
        ("n.yaml", "--show", "asm"): "a notebook has no view 'asm'  [view]\n    hint: it has notes",
        ("tiny.py", "--show", "notes"): "--show notes shows a notebook, and tiny.py is a program",
        ("n.yaml", "--show", "notes", "--entry", "f"): "a notebook takes no --entry",
        ("n.yaml", "--show", "notes", "--upper", "yess"): "--upper cannot be 'yess'",
    }.items():
        ended = simrun("explain", *refused)
        assert (ended.code, message in ended.err) == (2, True), ended.err


@pytest.mark.parametrize(
    "view, message",
    [
        (
            View("ir", "Theirs.", SOURCE, show_sizes),
            "view 'ir' is provided by both sim.views.ir and package:theirs (unknown package)",
        ),
        (
            View("dispersal", "Theirs.", COMPILED, show_sizes),
            "view 'dispersal' is provided by both package:theirs (unknown package) and "
            "machine kind 'epic'",
        ),
        (
            View("theirs", "Theirs.", SOURCE, show_sizes, options=(Option("explain", "", "N"),)),
            "--explain of the views chains, passes, theirs takes a value in some, in others none",
        ),
    ],
)
def test_what_nobody_could_tell_apart(view: View, message: str, install, simrun, tiny):
    install(view)
    ended = simrun("explain", "tiny.py", "--show", "asm")
    assert (ended.code, message in ended.err) == (2, True)


@pytest.mark.parametrize(
    "view, message",
    [
        *(
            (View("theirs", "", SOURCE, show_sizes, options=(Option(name, "", "N"),)), message)
            for name, message in {
                "machine": "every view has an option --machine already",
                **{
                    name: f"no option of a view can be called '{name}'"
                    for name in ("path", "form", "overrides", "Path", "a_b", "2", "")
                },
            }.items()
        ),
        (View("theirs", "", "assembly", show_sizes), "the view 'theirs' needs 'assembly', not"),
        (View("theirs", "", ["source"], show_sizes), "the view 'theirs' needs ['source'], not"),
        (View("theirs", "", SOURCE, None), "its 'make' is of type NoneType"),
    ],
)
def test_a_view_that_cannot_be_is_left_out(view: View, message: str, install, simrun, tiny):
    install(view)
    ended = simrun("explain", "tiny.py", "--show", "ir")
    assert ended.code == 0
    assert f"package:theirs (unknown package) is left out: {message}" in ended.err


def test_every_keyword_of_the_command_is_reserved():
    names = {name.removeprefix("--") for one in explain.params for name in (one.name, *one.opts)}
    assert {*names, "help"} == {*RESERVED, *KEYWORDS}


def test_a_command(install, simrun):
    install(greet=greet)
    assert (simrun("greet", "you").code, simrun("greet", "you").out) == (7, "hello, you\n")
    assert "Say a word." in simrun("--help").out
    assert "greet" in commands()
    assert "did you mean 'greet'?" in simrun("great").err


def test_a_command_whose_name_is_taken(install, simrun):
    install(theirs=click.Command("check"))
    ended = simrun("--help")
    assert ended.code == 2
    assert "commands plugin 'check' is provided by both sim.commands.check and" in ended.err
