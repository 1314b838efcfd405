"""What kernels store, as expressions: of ptxas' machine code, and of our rows.

    FFMA R7, -R0, R7, R9   ->   fma(-i0 i1 i2)          %s = neg.f32 %a …   ->   the same

An expression says what is rounded with what, and nothing of the order of commuting operands, of
where a sign stands in a product, nor of copies.  Guards hold, and comparisons with zero are true.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from compiler.ir.module import Function, Instruction

_LINE = re.compile(r"/\*[0-9a-f]{4}\*/\s+(.*?) ;")
_ADDRESS = re.compile(r"\[U?R\d+\.64(?:\+0x([0-9a-f]+))?\]")
_ARITHMETIC = {
    **{f"{t}{op}": op.lower() for t in "FD" for op in ("ADD", "MUL")},
    "FFMA": "fma", "DFMA": "fma",
}  # fmt: skip
PARAMETER = "[0x220]"
"""Where in the constants of a launch on sm_90 the third parameter stands, behind two pointers."""
_NUMBER = re.compile(r"[+-]?(\d|\.\d)")


def opposite(value: str) -> str:
    return value[1:] if value.startswith("-") else f"-{value}"


def product(mode: str, one: str, other: str) -> str:
    negative = one.startswith("-") != other.startswith("-")
    first, second = sorted(value.removeprefix("-") for value in (one, other))
    if negative and "sat" in mode:
        return f"mul{mode}(-{first} {second})"
    return f"{'-' * negative}mul{mode}({first} {second})"


def total(mode: str, one: str, other: str) -> str:
    first, second = sorted((one, other))
    if first == "-0" and not mode:
        return second  # how ptxas changes a sign
    return f"add{mode}({first} {second})"


def fused(mode: str, one: str, other: str, addend: str) -> str:
    negative = one.startswith("-") != other.startswith("-")
    first, second = sorted(value.removeprefix("-") for value in (one, other))
    if addend == "-0":
        return product(mode, f"-{first}" if negative else first, second)
    return f"fma{mode}({'-' * negative}{first} {second} {addend})"


_MADE: dict[str, Callable[..., str]] = {"add": total, "mul": product, "fma": fused}


def number(text: str) -> str:
    return f"{float(text):g}"


# ── ptxas ────────────────────────────────────────────────────────────────────────────────────


def of_machine_code(text: str, size: int) -> dict[int, str]:
    """Output -> expression of a kernel that nvdisasm printed, numbers of `size` bytes."""
    registers: dict[str, str] = {}
    predicates: dict[str, bool] = {"PT": True}
    stored: dict[int, str] = {}
    for line in _LINE.findall(text):
        guard, _, rest = line.partition(" ") if line.startswith("@") else ("", "", line)
        if guard and predicates[guard.strip("@!")] == ("!" in guard):
            continue
        opcode, _, operands = rest.strip().partition(" ")
        name, *modifiers = opcode.split(".")
        given = [part.strip().replace(".reuse", "") for part in operands.split(",")]
        mode = "".join(sorted(f".{m.lower()}" for m in modifiers if m in ("FTZ", "SAT")))
        values = [_value(operand, registers) for operand in given[1:]]
        if name == "LDG":
            registers[given[0]] = f"i{_offset(operands) // size}"
        elif name == "STG":
            stored[_offset(operands) // size] = values[-1]
        elif name in _ARITHMETIC:
            opcode = _ARITHMETIC[name]
            registers[given[0]] = _MADE[opcode](mode, *values[: 3 if opcode == "fma" else 2])
        elif name in ("FSETP", "DSETP"):
            predicates[given[0]] = modifiers[0] in ("GT", "GTU")
        elif name in ("FSEL", "SEL"):
            holds = predicates[given[3].strip("!")] != ("!" in given[3])
            registers[given[0]] = values[0] if holds else values[1]
        elif name in ("LDC", "ULDC") and PARAMETER in operands:
            registers[given[0]] = "p"
        elif name == "MOV" or opcode.startswith("IMAD.MOV"):
            registers[given[0]] = values[-1]
    return stored


def _offset(operands: str) -> int:
    return int(_ADDRESS.search(operands)[1] or "0", 16)


def _value(operand: str, registers: dict[str, str]) -> str:
    sign, plain = operand.startswith("-"), operand.removeprefix("-")
    if _NUMBER.match(plain):
        return number(operand)
    if PARAMETER in plain:
        return opposite("p") if sign else "p"
    value = "0" if plain == "RZ" else registers.get(plain, plain)
    return opposite(value) if sign else value


# ── ours ─────────────────────────────────────────────────────────────────────────────────────


def of_rows(function: Function, size: int) -> dict[int, str]:
    """Output -> expression of a kernel's rows."""
    registers: dict[str, str] = {}
    stored: dict[int, str] = {}
    block = function.entry
    while block is not None:
        for row in block.instructions[:-1]:
            _run(row, registers, stored, size)
        last = block.instructions[-1]
        # A branch of these kernels goes away if the first input is not above zero.
        ways = block.successors
        straight = [name for name in ways if name == _behind(function, block.name)]
        block = function.blocks[(straight or ways)[0]] if ways else None
        assert last.operation.is_terminator
    return stored


def _behind(function: Function, name: str) -> str:
    names = [*function.blocks, ""]
    return names[names.index(name) + 1]


def _run(row: Instruction, registers: dict[str, str], stored: dict[int, str], size: int) -> None:
    opcode, *parts = row.operation.name.split(".")
    mode = "".join(sorted(f".{part}" for part in parts if part in ("ftz", "sat")))
    values = [_operand(value, registers) for value in row.operands]
    if row.operation.name.startswith("ld.global"):
        registers[row.results[0]] = f"i{row.operands[1] // size}"
    elif row.operation.name.startswith("ld.param") and row.operands[0] == 16:
        registers[row.results[0]] = "p"
    elif row.operation.name.startswith("st.global"):
        stored[row.operands[1] // size] = values[2]
    elif parts and parts[-1] in ("f32", "f64") and opcode in (*_MADE, "sub", "neg"):
        registers[row.results[0]] = _made(opcode, mode, values)
    elif opcode == "mov" and row.results:
        registers[row.results[0]] = values[0] if values else "?"


def _made(opcode: str, mode: str, values: Sequence[str]) -> str:
    if opcode == "neg":
        return opposite(values[0])
    if opcode == "sub":
        return total(mode, values[0], opposite(values[1]))
    return _MADE[opcode](mode, *values)


def _operand(value: object, registers: dict[str, str]) -> str:
    if isinstance(value, str):
        return registers.get(value, value)
    return number(str(value))
