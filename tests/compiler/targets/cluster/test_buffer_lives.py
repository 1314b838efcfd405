"""Which buffers may be read before they are written, and which are alive together."""

from __future__ import annotations

import pytest

from compiler.targets.cluster.buffer_lives import alive_together, read_as_they_were
from compiler.text_form import parse

HEAD = """x: f32[64] in dram
a: f32[64] in nram
b: f32[64] in nram

func @f(n: i64) {
entry:
    p = gt_s.i64 n, 3
"""
WHOLE = "tensor.copy.f32 a[0:64], x[0:64]"
READ = "tensor.copy.f32 x[0:64], a[0:64]"


def early(*lines: str) -> set[str]:
    code = "".join(f"    {line}\n" if line[-1] != ":" else f"{line}\n" for line in lines)
    function = parse(f"{HEAD}{code}    return\n}}\n").functions["f"]
    return read_as_they_were(function, {"a", "b"})


@pytest.mark.parametrize(
    "lines",
    [
        [WHOLE, READ],
        ["tensor.fill.f32 a[0:32], 0.0", "tensor.fill.f32 a[32:64], 0.0", READ],
        ["tensor.fill.f32 a[0:8, 8 by 8], 0.0", READ],
        [WHOLE, "tensor.copy.f32 x[0:n], a[0:n]"],
        ["branch p, l, r", "l:", WHOLE, "jump m", "r:", WHOLE, "jump m", "m:", READ],
        [WHOLE, "jump l", "l:", READ, "branch p, l, m", "m:"],
    ],
)
def test_what_has_been_written_is_not_read_as_it_was(lines: list[str]):
    assert early(*lines) == set()


@pytest.mark.parametrize(
    "lines",
    [
        [READ],
        ["tensor.fill.f32 a[0:63], 0.0", READ],
        ["tensor.fill.f32 a[0:7, 8 by 8], 0.0", READ],
        [f"@p {WHOLE}", READ],
        ["tensor.copy.f32 a[0:n], x[0:n]", READ],
        ["tensor.fill.f32 any(a[0:64], b[0:64]), 0.0", READ],
        ["branch p, l, m", "l:", WHOLE, "jump m", "m:", READ],
        ["jump l", "l:", READ, WHOLE, "branch p, l, m", "m:"],
        ["tensor.add.f32 a[0:64], a[0:64], a[0:64]", READ],
    ],
)
def test_what_may_not_have_been_written_is(lines: list[str]):
    assert early(*lines) == {"a"}


def test_what_is_read_as_it_was_is_alive_from_the_beginning():
    text = f"{HEAD}    tensor.fill.f32 b[0:64], 1.0\n    tensor.copy.f32 x[0:64], b[0:64]\n"
    function = parse(f"{text}    {READ}\n    return\n}}\n").functions["f"]
    assert alive_together(function, {"a", "b"}) == {"a": {"b"}, "b": {"a"}}
    function = parse(f"{text}    {WHOLE}\n    {READ}\n    return\n}}\n").functions["f"]
    assert alive_together(function, {"a", "b"}) == {"a": set(), "b": set()}
