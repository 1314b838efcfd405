"""Lines of every combination of modifiers that instructions of small floats might have: of few of
them there is an instruction, as ptxas knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

from compiler.frontends.ptx.types import words

HALVES = ["f16", "f16x2", "bf16", "bf16x2"]
FLOATS = ["f16", "bf16", "f32", "f64", "tf32", "f16x2", "bf16x2", "e4m3x2", "e5m2x2"]
INTEGERS = ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"]
FTZ, SAT, RELU, NOFTZ = ["", "ftz"], ["", "sat"], ["", "relu"], ["", "noftz"]
RELATIONS = words("eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan")
CLAMPS = ["", "sat", "satfinite"]
ROUNDINGS = ["", "rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi"]
REGISTERS = {
    "f16": "%rs", "bf16": "%rs", "b16": "%rs", "u16": "%rs", "s16": "%rs", "u8": "%rs",
    "s8": "%rs", "e4m3x2": "%rs", "e5m2x2": "%rs", "f16x2": "%r", "bf16x2": "%r", "b32": "%r",
    "u32": "%r", "s32": "%r", "tf32": "%r", "s16x2": "%r", "u16x2": "%r", "f32": "%f",
    "f64": "%fd", "u64": "%rd", "s64": "%rd",
}  # fmt: skip
"""Registers of `ptxas.HEADER`."""

TABLE: list[tuple[str, str, list[Sequence[str]]]] = [
    ("add sub mul", "t t t", [ROUNDINGS[:5], FTZ, SAT, RELU, [*HALVES, "s16x2", "u16x2"]]),
    ("fma", "t t t t", [ROUNDINGS[:5], ["", "oob"], FTZ, ["", "sat", "relu"], HALVES]),
    ("mad", "t t t t", [["", "rn"], FTZ, ["", "sat", "relu"], HALVES]),
    ("min max", "t t t", [FTZ, ["", "NaN"], ["", "xorsign.abs"], RELU,
        [*HALVES, "f32", "s16x2", "u16x2", "s32", "u32", "s16"]]),
    ("neg abs", "t t", [FTZ, [*HALVES, "s16x2", "u16x2"]]),
    ("ex2 tanh lg2 sin rcp sqrt rsqrt", "t t", [["", "approx"], FTZ, HALVES]),
    ("div copysign rem", "t t t", [HALVES]),
    ("testp", "p t", [["finite"], HALVES]),
    ("setp", "p t t", [RELATIONS, FTZ, [*HALVES, "s16x2"]]),
    ("setp", "p t t p", [RELATIONS[::5], ["and", "or", "xor"], FTZ, [*HALVES, "f32"]]),
    ("setp", "pq t t", [RELATIONS[::4], FTZ, HALVES]),
    ("setp", "pq t t p", [["lt", "geu"], ["and", "xor"], FTZ, HALVES]),
    ("set", "d t t", [["eq", "lt", "lo", "ltu", "nan"], FTZ,
        [*HALVES, "u16", "s16", "u32", "s32", "f32", "b32", "u64"],
        [*HALVES, "f32", "f64", "s32", "u32", "s16"]]),
    ("set", "d t t p", [["ne"], ["and"], FTZ, [*HALVES, "u32", "f32"], [*HALVES, "f64"]]),
    ("cvt", "d t", [ROUNDINGS, FTZ, CLAMPS, RELU, FLOATS, [*FLOATS, *INTEGERS]]),
    ("cvt", "d t", [ROUNDINGS, FTZ, CLAMPS, RELU, INTEGERS, FLOATS]),
    ("cvt", "d t", [["relu.rn.satfinite", "satfinite.rn", "relu.rn"], FLOATS, FLOATS]),
    ("cvt.pack", "r r r r", [SAT, ["s2", "u4", "s8", "u8", "s16"], ["s32", "u32"], ["", "b32"]]),
    ("cvt.pack", "r r r", [SAT, ["u8", "s16", "u16"], ["s32", "u32"], ["", "b32"]]),
    ("vabsdiff2 vabsdiff4", "r r r r", [["u32", "s32"], ["u32", "s32", "u16"], ["u32", "s32"],
        ["", "add", "sat", "ftz"]]),
    ("cvt", "d t t", [["", "rn", "rz", "rna"], CLAMPS, RELU, FLOATS[5:], ["f32", "f16", "f64"]]),
    ("atom", "t [rd] t", [["", "global", "shared"], ["add", "min", "exch"], NOFTZ,
        [*HALVES, "f32", "f64", "b16"]]),
    ("red", "[rd] t", [["", "global", "shared"], ["add", "max", "and"], NOFTZ,
        [*HALVES, "f32", "f64", "b16"]]),
    ("atom", "t [rd] t t", [["", "shared"], ["cas"], NOFTZ, [*HALVES, "b16"]]),
    ("atom", "v [rd] v", [["", "global", "shared"], ["add", "max", "exch"], NOFTZ,
        ["v2", "v4", "v8"], [*HALVES, "f32", "f64", "b32", "u32"]]),
    ("red", "[rd] v", [["", "global", "shared"], ["v2", "v4", "v8"], ["add", "min"], NOFTZ,
        [*HALVES, "f32", "f64", "u32"]]),
]  # fmt: skip
"""Opcodes, what their operands are, and their modifiers, one of each list: t is a register of the
last type, d one of the type before, v a vector."""
TARGETS = ("sm_90", "sm_89", "sm_86", "sm_80", "sm_75", "sm_70")
NOT_TAKEN = re.compile(r"fma\.r[zmp]\.|fma\..*oob")
"""What ptxas takes and is refused here (see PTX.md, "What is not taken")."""


@cache
def lines() -> list[str]:
    found = (line for row in TABLE for line in _lines(*row))
    return list(dict.fromkeys(found))


def _lines(opcodes: str, shapes: str, choices: list[Sequence[str]]) -> Iterator[str]:
    for opcode in opcodes.split():
        for parts in product(*choices):
            name = ".".join(part for part in (opcode, *parts) if part)
            number, operands = iter(range(1, 20)), []
            for shape in shapes.split():
                operands.append(_operand(shape, number, parts))
            yield f"{name} {', '.join(operands)};"


def _operand(shape: str, number: Iterator[int], parts: Sequence[str]) -> str:
    if shape == "[rd]":
        return "[%rd9]"
    if shape in ("p", "pq"):
        return f"%p{next(number)}" if shape == "p" else "%p8|%p9"
    if shape == "r":
        return f"%r{next(number)}"
    register = REGISTERS[parts[-2] if shape == "d" else parts[-1]]
    if shape != "v":
        return f"{register}{next(number)}"
    [length] = [int(part[1:]) for part in parts if re.fullmatch(r"v\d", part)]
    return "{" + ", ".join(f"{register}{next(number)}" for _ in range(length)) + "}"
