"""A function may say that it reads nothing of a buffer that it has not written."""

from __future__ import annotations

from compiler import compile
from compiler.targets.cluster.buffer_lives import alive_together
from compiler.text_form import parse
from machines.description.load import load_machine
from machines.kinds.cluster.code import ADDRESSES

TEXT = """x: f32[2048] in dram
a: f32[800] in nram
b: f32[800] in nram

func @f(n: i64) {{
{note}entry:
    tensor.copy.f32 a[0:n], x[0:n]
    tensor.copy.f32 x[0:n], a[0:n]
    tensor.copy.f32 b[0:n], x[0:n]
    tensor.copy.f32 x[0:n], b[0:n]
    return
}}
"""
NOTE = '    scratch = ("a", "b")\n'


def test_what_it_writes_lives_from_there():
    for note, together in (("", {"b"}), (NOTE, set())):
        function = parse(TEXT.format(note=note)).functions["f"]
        assert alive_together(function, {"a", "b"})["a"] == together


def test_so_that_two_share_their_place():
    machine = load_machine("teaching_chip")
    code = compile("f.sir", source=TEXT.format(note=NOTE), machine=machine, entry="f")
    assert ADDRESSES.of(code.function) == {"a": 0, "b": 0}
