"""Steps of a translation as text: one line each, in columns, with the rewrites below."""

from __future__ import annotations

from compiler.graph.context_text import Step, context_text


def test_columns():
    steps = [
        Step("x", "name", (), 1),
        Step("f(x,\n  y)", "call", (1, 12), 13, ("an equal node: s13", "inlined")),
        Step("a" * 99, "name", (), 2),
    ]
    assert [line.split() for line in context_text(steps).splitlines()] == [
        ["node", "rule", "arguments", "symbol"],
        ["x", "name", "s1"],
        ["f(x,", "y)", "call", "s1,", "s12", "s13"],
        ["rewritten:", "an", "equal", "node:", "s13"],
        ["rewritten:", "inlined"],
        ["a" * 47 + "…", "name", "s2"],
    ]
    lines = context_text(steps).splitlines()
    assert {
        line.index(word) for line, word in zip(lines, ("rule", "name", "call"), strict=False)
    } == {50}


def test_no_steps():
    assert context_text([]) == "node  rule  arguments  symbol\n"
