"""Lines of PTX beside ptxas: what it refuses is refused here, and what it takes is taken or is said
to be not supported; constant expressions have its values.

pytest -m campaign tests/compiler/frontends/test_ptx_against_ptxas.py       all of the table
"""

from __future__ import annotations

import random
import re
import struct
import subprocess
from functools import cache
from pathlib import Path

import pytest

from compiler.frontends.ptx import PLUGIN
from compiler.frontends.ptx.types import words
from machines.diagnostics import InputError
from tests.campaign.seeds import short_form
from tests.compiler.frontends.ptx_runs import HEADER, kernel, only
from tests.compiler.frontends.ptxas import (
    BY_HAND,
    PTXAS,
    lines,
    needs_ptxas,
    refused_by_ptxas,
    refused_here,
)

PARTS = 24
"""Of the table; a run of all tests takes one, the campaign all."""
TAKEN_BY_PTXAS_ONLY = re.compile(
    r"(addc|subc|madc)\..*[us]16 "  # the ISA has none of 16 bits
    r"|ld\.global\.u8 %r1, gl\[%r1\]"  # an element whose number is in a register
    r"|lop3.* 256;"  # a table of more than 8 bits
)


@cache
def table() -> list[str]:
    """The lines in an order that spreads each form over all parts."""
    found = list(dict.fromkeys(lines()))
    random.Random(3).shuffle(found)
    return found


def differences(asked: list[str], theirs: dict[int, str]) -> list[str]:
    """Lines that only one of the two takes."""
    ours, found = refused_here(asked), []
    for number, line in enumerate(asked):
        if (number in ours) == (number in theirs) or TAKEN_BY_PTXAS_ONLY.match(line):
            continue
        if number in theirs or "not supported" not in ours[number]:
            found.append(f"{line}   ptxas: {theirs.get(number)}   here: {ours.get(number)}")
    return found


@needs_ptxas
@pytest.mark.parametrize("part", short_form(range(PARTS), 1))
def test_a_line_is_taken_by_both_or_by_neither(part: int, tmp_path: Path):
    asked = table()[part::PARTS]
    assert differences(asked, refused_by_ptxas(asked, tmp_path)) == []


@needs_ptxas
@pytest.mark.parametrize("part", short_form(range(PARTS), 1))
def test_a_line_by_hand_is_taken_by_both_or_by_neither(part: int, tmp_path: Path):
    for line in BY_HAND[part::PARTS]:
        assert differences([line], refused_by_ptxas([line], tmp_path)) == []


# ── constant expressions ─────────────────────────────────────────────────────────────────────

_BINARY = words("|| && | ^ & == != < <= > >= << >> + - * / %")
_LITERALS = words(
    "0 1 2 3 7 63 64 65 255 0xff 0b101 017 5U 1U 0x7fffffffffffffff 0x8000000000000000 "
    "0xffffffffffffffff 9223372036854775807 10000000000000000000"
)


def expression(rng: random.Random, depth: int = 0) -> str:
    """A random integer expression."""
    kind = rng.random()
    if depth > 3 or kind < 0.2:
        return rng.choice(_LITERALS)
    if kind < 0.35:
        return rng.choice(["-", "~", "!", "+", "(.s64) ", "(.u64) "]) + primary(rng, depth)
    if kind < 0.42:
        parts = (primary(rng, depth) for _ in range(3))
        return "{} ? {} : {}".format(*parts)
    parts = [primary(rng, depth)]
    for _ in range(rng.randint(1, 3)):
        parts += [rng.choice(_BINARY), primary(rng, depth)]
    return " ".join(parts)


def primary(rng: random.Random, depth: int) -> str:
    inner = expression(rng, depth + 1)
    return inner if re.fullmatch(r"\w+", inner) else f"({inner})"


def value_here(text: str) -> int | None:
    """The value, in 64 bits; None if the expression is refused."""
    try:
        module = PLUGIN.read(f"{HEADER}.global .u64 t = {text};\n{READER}", "test.ptx")
    except InputError:
        return None
    data = module.buffers["t"].data
    return int.from_bytes(data or bytes(8), "little")


READER = ".entry k(.param .u64 p) { .reg .b64 %rd<3>; mov.u64 %rd1, t; ret; }"


def values_of_ptxas(texts: list[str], folder: Path) -> list[int]:
    """What ptxas makes of expressions, found between two marks in what it writes."""
    marks = 0x1234_5678_9ABC_DEF1, 0x0FED_CBA9_8765_4321
    values = ", ".join([hex(marks[0]), *texts, hex(marks[1])])
    source, made = folder / "t.ptx", folder / "t.cubin"
    source.write_text(
        f"{HEADER}.global .align 8 .u64 t[{len(texts) + 2}] = {{{values}}};\n"
        ".visible .entry k(.param .u64 p) { .reg .b64 %rd<3>; ld.param.u64 %rd1, [p];\n"
        "mov.u64 %rd2, t; st.global.u64 [%rd1], %rd2; ret; }\n"
    )
    subprocess.run([PTXAS, "-arch=sm_90", source, "-o", made], check=True)
    data = made.read_bytes()
    begin = data.index(struct.pack("<Q", marks[0])) + 8
    end = begin + 8 * len(texts)
    assert data[end : end + 8] == struct.pack("<Q", marks[1])
    return list(struct.unpack(f"<{len(texts)}Q", data[begin:end]))


@needs_ptxas
@pytest.mark.parametrize("seed", short_form(range(20), 1))
def test_expressions_have_the_values_of_ptxas(seed: int, tmp_path: Path):
    rng = random.Random(seed)
    texts = [expression(rng) for _ in range(300)]
    ours = {text: value for text in texts if (value := value_here(text)) is not None}
    assert len(ours) > 150
    theirs = values_of_ptxas(list(ours), tmp_path)
    different = [
        (text, ours[text], value)
        for text, value in zip(ours, theirs, strict=True)
        if ours[text] != value
    ]
    assert different == []


@pytest.mark.parametrize(
    "text, value",
    [
        ("3*4+(1<<2)", 16), ("1 - 2 - 3", -4), ("-7 / 2", -3), ("-7 % 2", 1), ("1 << 64", 1),
        ("-8 >> 1", -4), ("0xfffffffffffffff8 >> 60", 15), ("-1 < 1U", 0), ("-1 < 1", 1),
        ("1 ? 2 : 3", 2), ("~0 > 7", 1), ("2 % -2 < -1", 1),
        ("(.u64) -1 / 2 >> 62", 1), ("1 | 2 ^ 3 & 4", 3),
    ],
)  # fmt: skip
def test_expressions(text: str, value: int):
    def literals(operand: str) -> list:
        function = only(kernel(f"mov.b64 %rd1, {operand};"))
        return [i.operands for _, i in function.instructions() if i.operation.name == "mov.b64"][
            -1:
        ]

    assert literals(text) == literals(str(value))


@pytest.mark.parametrize(
    "code, message",
    [
        ("mov.u64 %rd1, 9 ¦/ 0;", "a division by zero"),
        ("mov.u64 %rd1, 2.0 ¦* 3;", "'*' takes two integers or two floats"),
        ("mov.u64 %rd1, 1.0 ¦% 3.0;", "'%' takes integers"),
        ("mov.f32 %f1, 0f3F800000 ¦+ 0f3F800000;", "not of 32 bits"),
        ("mov.u64 %rd1, ¦~1.0;", "'~' takes an integer"),
        ("mov.u64 %rd1, (1 + 2¦;", "expected ')' after the expression"),
        ("mov.u64 %rd1, 1 ? 2 ¦;", "expected ':' between the values"),
        ("mov.u64 %rd1, ¦1.0 ? 2 : 3;", "a condition and its values are integers"),
        ("mov.u64 %rd1, 1 +¦;", "expected a number"),
        (f"mov.u64 %rd1, {'(' * 31}¦1{')' * 31};", "nested more than 30 levels deep"),
        ("mov.u64 %rd1, 99999999999999999999 ¦+ 1;", "has more than 64 bits"),
    ],
)
def test_expressions_that_are_none(code: str, message: str):
    """¦ stands before the place that the finding points at."""
    marked = kernel(code)
    with pytest.raises(InputError) as caught:
        PLUGIN.read(marked.replace("¦", ""), "test.ptx")
    [found] = caught.value.diagnostics
    assert message in found.message
    before = marked[: marked.index("¦")]
    place = before.count("\n") + 1, len(before) - before.rfind("\n")
    assert (found.location.line, found.location.column) == place


@pytest.mark.parametrize("space", ["global", "shared"])
def test_an_element_is_found_by_its_number(space: str):
    """`table[3]` is 3 elements behind the array's beginning, whatever is loaded."""

    def code(operand: str, moved: str) -> list:
        body = f"ld.{space}.u8 %r1, {operand}; mov.u64 %rd1, {moved};"
        function = only(kernel(body, f".{space} .b32 table[8];"))
        return [(i.operation.name, i.operands) for _, i in function.instructions()]

    assert code("table[3]", "table[1+1]") == code("[table+12]", "table+8")
