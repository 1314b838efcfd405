"""Every byte and every escape of every text form that bytes are written in, read back.

A byte that is read wrongly looks like a right one, so all 256 are tried, in every place that the
form has for them, alone and beside bytes that could be taken for a part of an escape.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from compiler.frontends.ia64.data import DataBuffer, append
from compiler.frontends.ia64.expressions import evaluate
from compiler.frontends.ia64.statements import Statement
from compiler.frontends.llvm import PLUGIN as LLVM
from compiler.frontends.llvm.reading.lexer import unescape
from compiler.frontends.ptx import PLUGIN as PTX
from compiler.ir.module import Buffer, Module
from compiler.ir.printer import print_module
from compiler.text_form import parse
from machines.description.strict_yaml import read_yaml
from machines.diagnostics import InputError, Location
from machines.types import TYPES
from sim.forms import Wanted
from sim.workload.inputs import make_input

ALL = bytes(range(256))
NEIGHBOURS = b'\\"0x5Cn4 \x00\xff'
"""Bytes that begin, or go on with, an escape of one of the forms."""


def samples() -> list[bytes]:
    """Each byte alone, before and behind each neighbour, all bytes, and random ones."""
    one = [bytes([b]) for b in ALL]
    two = [x for b in one for n in NEIGHBOURS for x in (b + bytes([n]), bytes([n]) + b)]
    chance = random.Random(1)
    longer = [bytes(chance.choices(NEIGHBOURS + ALL, k=12)) for _ in range(200)]
    return [*one, *two, *longer, ALL, ALL[::-1]]


# LLVM


def as_llvm_prints(data: bytes) -> str:
    """As LLVM's `printEscapedString` does it."""
    return "".join(
        "\\\\" if b == 0x5C else chr(b) if 32 <= b < 127 and b != 0x22 else f"\\{b:02X}"
        for b in data
    )


def test_unescape():
    for data in samples():
        assert unescape(as_llvm_prints(data)) == data
        assert unescape("".join(f"\\{b:02x}" for b in data)) == data


@pytest.mark.parametrize("written", [as_llvm_prints, lambda d: "".join(f"\\{b:02X}" for b in d)])
def test_a_variable_in_llvm_ir(written: Callable[[bytes], str]):
    """LLVM reads and prints the file before our front end sees it."""
    texts = [*samples()[::37], ALL]
    variables = "\n".join(
        f'@"t{k}" = global [{len(text)} x i8] c"{written(text)}"' for k, text in enumerate(texts)
    )
    reads = "\n".join(f"  %v{k} = load i8, ptr @t{k}" for k in range(len(texts)))
    module = LLVM.read(f"{variables}\ndefine void @f() {{\n{reads}\n  ret void\n}}\n", "t.ll")
    for k, text in enumerate(texts):
        held = module.buffers[f"t{k}"]
        assert (held.data or bytes(held.size)) == text


def test_a_name_in_llvm_ir():
    name = as_llvm_prints(b'a\\5Cb"c')
    body = f'  %v = load i32, ptr @"{name}"\n  ret i32 %v\n'
    text = f'@"{name}" = global i32 7\ndefine i32 @f() {{\n{body}}}\n'
    assert [b.data for b in LLVM.read(text, "t.ll").buffers.values()] == [struct.pack("<i", 7)]


# Our IR


@pytest.mark.parametrize("dtype", ["i8", "i16", "i32", "i64", "f32", "f64"])
def test_a_buffer_in_the_text_form(dtype: str):
    """Floats too: a NaN keeps its sign and its payload."""
    t, chance = TYPES[dtype], random.Random(2)
    odd = [b"\xff" * t.bytes, b"\xff" * (t.bytes - 1) + b"\x7f", b"\0" * (t.bytes - 1) + b"\x80"]
    if t.is_float:
        exponent = 0x7F80_0000 if t.bits == 32 else 0x7FF0_0000_0000_0000
        sign = 1 << (t.bits - 1)
        odd += [
            (s | exponent | low).to_bytes(t.bytes, "little")
            for s in (0, sign)
            for low in (0, 1, 2, exponent & -exponent >> 1)
        ]
    data = ALL + ALL[::-1] + chance.randbytes(64 * t.bytes) + b"".join(odd)
    module = Module(buffers={"b": Buffer("b", t, len(data) // t.bytes, data=data)})
    again = parse(print_module(module))
    assert again.buffers["b"].data == data


@pytest.mark.parametrize("value", ["nan(0x0)", "nan(1)", "nan(-0x1)", "nan(0x7f800000)", "nan(x)"])
def test_bits_that_are_no_nan(value: str):
    with pytest.raises(InputError, match="NaN"):
        parse(f"b: f32[1] in global = [{value}]\n")


# IA-64 assembly


def gas(text: str) -> bytes:
    buffer = DataBuffer("b")
    statement = Statement("directive", f".ascii {text}", Location("strings.s", 1), text)
    append(buffer, ".ascii", text, {}, 1 << 20, statement)
    return bytes(buffer.data)


def test_a_string_in_assembly():
    plain = {8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\"}
    for data in samples():
        for each in (
            lambda b: f"\\{b:03o}",
            lambda b: plain.get(b) or (chr(b) if 32 <= b < 127 else f"\\{b:03o}"),
        ):
            assert gas('"' + "".join(map(each, data)) + '"') == data
    for byte in ALL:
        assert gas(f'"\\x{byte:x}"') == gas(f'"\\X{byte:02X}z"')[:1] == bytes([byte])
        assert gas(f'"a", "\\{byte:03o},;"') == b"a" + bytes([byte]) + b",;"


@pytest.mark.parametrize(
    ("text", "data"),
    [('"\\x414243"', b"C"), ('"\\x41g"', b"Ag"), ('"\\0"', b"\0"), ('"\\08"', b"\x008"),
     ('"\\777"', b"\xff"), ('"\\q"', b"q"), ('"\\x"', b"x"), ('"é"', "é".encode()),
     ('"€\\351"', "€".encode() + b"\xe9")],
)  # fmt: skip
def test_odd_escapes_in_assembly(text: str, data: bytes):
    """What GNU as 2.40 makes of them."""
    assert gas(text) == data


def test_characters_in_assembly():
    for byte in range(32, 127):
        if chr(byte) not in "\\'":
            assert evaluate(f"'{chr(byte)}'", {}) == byte
    for escape, value in zip("bfnrt0\\'\"", (8, 12, 10, 13, 9, 0, 92, 39, 34), strict=True):
        assert evaluate(f"'\\{escape}'", {}) == value


# PTX


@pytest.mark.parametrize("written", ["{}", "0x{:x}", "0{:o}", "{}U"])
def test_bytes_in_ptx(written: str):
    values = ", ".join(written.format(b) for b in ALL)
    text = (
        ".version 7.0\n.target sm_70\n.address_size 64\n"
        f".global .align 1 .b8 t[256] = {{{values}}};\n"
        ".const .align 4 .f32 f[3] = {0fFF800001, 0f7FC00000, 0f5C5C5C5C};\n"
        ".visible .entry k()\n{\n\t.reg .b64 %rd<3>;\n\t.reg .b16 %h<2>;\n\t.reg .f32 %f<2>;\n"
        "\tld.global.u8 %h1, [t];\n\tld.const.f32 %f1, [f];\n\tret;\n}\n"
    )
    buffers = PTX.read(text, "t.ptx").buffers
    assert buffers["t"].data == ALL
    assert buffers["f"].data == struct.pack("<3I", 0xFF800001, 0x7FC00000, 0x5C5C5C5C)


# YAML


def made(document: dict, folder: Path, **style) -> bytes:
    node = read_yaml(yaml.safe_dump(document, **style), "w.yaml")
    return bytes(make_input(node, Wanted("x", "u8", (None,)), folder))


@pytest.mark.parametrize("style", [{"default_style": '"'}, {"allow_unicode": True}])
def test_bytes_in_a_workload(style: dict, tmp_path: Path):
    texts = [chr(n) for n in (*range(0x180), 0x20AC, 0x1F600)] + ["\\n", "\\\\", '\\"', "\\x5C"]
    if "allow_unicode" in style:
        texts.remove("\x85")  # written as it is, it ends a line
    for text in (*texts, "".join(texts)):
        assert made({"dtype": "u8", "text": text}, tmp_path, **style) == text.encode()
    assert made({"dtype": "u8", "values": [*ALL]}, tmp_path) == ALL
