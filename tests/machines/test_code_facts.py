"""What kinds declare of their code: memories and notes, each once, and said in the text."""

from __future__ import annotations

import pytest

from compiler.ir import facts
from compiler.ir.module import Block, Function
from compiler.ir.printer import print_module
from compiler.text_form import parse
from machines.code_facts import CodeFacts, Note, Space
from machines.diagnostics import InputError
from machines.kinds import kinds

TEXT = """\
x: f32[64] in dram
a: f32[64] in nram

func @main() {
    beside = {mem: "load"}
    addresses = {a: 64}
entry: {marker: true, reconverge: "last"}
    jump last
last: {marker_after: true}
    return
}

func @load() {
entry:
    return
}
"""


def declared(what: str) -> list[str]:
    named = (kind.part("code", CodeFacts) for kind in kinds().values() if kind.code)
    return [one.name for facts in named for one in getattr(facts, what)]


def test_no_name_is_declared_twice():
    for what, known in (
        ("functions", facts.function_notes()),
        ("blocks", facts.block_notes()),
        ("spaces", facts.spaces()),
    ):
        names = declared(what)
        assert len(set(names)) == len(names) and set(names) <= set(known)
    assert [*facts.spaces()][:4] == ["global", "shared", "local", "constant"]


def test_the_text_says_what_is_noted():
    module = parse(TEXT)
    assert print_module(module) == TEXT
    main = module.functions["main"]
    assert [*facts.companions(main)] == ["load"] and facts.places(main) == {"a": 64}
    assert set(main.notes) | set(main.blocks["entry"].notes) <= {
        *facts.function_notes(), *facts.block_notes()
    }  # fmt: skip


def test_what_is_said_as_by_default_is_not_noted():
    for make in (lambda: Function("f"), lambda: Block("b")):
        one, note = make(), Note("depth", int, int)
        assert note.of(one) == 0
        note.say(one, 3)
        assert note.of(one) == 3 and one.notes == {"depth": 3}
        note.say(one, 0)
        assert note.of(one) == 0 and not one.notes


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("in nram", "in nrom", "there is no memory space 'nrom'"),
        ("{mem:", "{mem: 3, x:", "'beside' cannot be"),
        ("marker: true", "marker: 3", "'marker' cannot be 3"),
        ("marker: true", "maker: true", "a block has no 'maker'"),
        ('    beside = {mem: "load"}\n', '    beside = {mem: "load"}\n' * 2, "is said twice"),
        ("    addresses", "    rotating = 8\n    addresses", "'rotating' is said of machine code"),
    ],
)
def test_what_cannot_be_said(old, new, message):
    assert old in TEXT
    with pytest.raises(InputError, match=message):
        parse(TEXT.replace(old, new, 1))


def test_two_memories_of_one_name(monkeypatch):
    twice = {"a": CodeFacts(spaces=(Space("pad"),)), "b": CodeFacts(spaces=(Space("pad"),))}
    monkeypatch.setattr(facts, "parts", lambda name, wanted: twice)
    with pytest.raises(InputError, match="two kinds of machine have a memory 'pad'"):
        facts.spaces.__wrapped__()
