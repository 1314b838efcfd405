"""Variable arguments: what a `va_list` is, by the target that the file was compiled for.

Callers leave all of them in memory, 8 bytes each (`passing`).  So a va_list says that none is left
in registers, and where the others are:

    System V x86-64        { i32 48, i32 176, the others, nothing }
    AAPCS64                { the others, nothing, nothing, i32 0, i32 0 }
    a pointer              RISC-V, LoongArch, Apple's and Windows' targets
"""

from __future__ import annotations

from compiler.frontends.llvm.lowering.code import Code, Value
from compiler.frontends.llvm.lowering.lower_memory import Place, load_scalar, moved, store_scalar
from compiler.frontends.llvm.reading.instructions import Refused
from compiler.frontends.llvm.reading.tree import Statement
from compiler.frontends.llvm.reading.types import size_of
from machines.types import I32, I64, PTR

SYSTEM_V, AAPCS64, POINTER = "System V", "AAPCS64", "pointer"
_BYTES = {SYSTEM_V: 24, AAPCS64: 32, POINTER: 8}
REGISTERS_USED = (48, 176)
"""In a va_list of System V: that no argument is in a register."""


def kind_of(triple: str) -> str | None:
    """What a va_list is for a target; None if that is not known.  A file without one is of x86-64
    Linux."""
    cpu = triple.split("-")[0]
    if "windows" in triple and cpu in ("x86_64", "aarch64"):
        return POINTER
    if cpu in ("", "x86_64", "unknown"):
        return SYSTEM_V
    if cpu in ("aarch64", "arm64"):
        return POINTER if "-apple-" in triple else AAPCS64
    return POINTER if cpu in ("riscv64", "loongarch64") else None


def _kind(code: Code) -> str:
    kind = kind_of(code.triple)
    if kind is None:
        raise Refused(
            f"variable arguments of the target '{code.triple}' are not supported",
            "compile with --target=x86_64-linux-gnu",
        )
    return kind


def start(code: Code, statement: Statement) -> None:
    """va_start."""
    kind, pointer = _kind(code), code.value(statement.operands[0])
    if kind == SYSTEM_V:
        for k, number in enumerate(REGISTERS_USED):
            store_scalar(code, I32, moved(code, pointer, 4 * k), number, 4)
        store_scalar(code, PTR, moved(code, pointer, 8), code.more, 8)
        return
    store_scalar(code, PTR, pointer, code.more, 8)
    if kind == AAPCS64:
        for k in (24, 28):
            store_scalar(code, I32, moved(code, pointer, k), 0, 4)


def take(code: Code, statement: Statement) -> Value:
    """va_arg, which compilers write where a va_list is a pointer; elsewhere they write what it
    does."""
    if _kind(code) != POINTER:
        raise Refused("'va_arg' is not supported", "compile with --target=x86_64-linux-gnu")
    pointer = code.value(statement.operands[0])
    place = load_scalar(code, PTR, pointer, 8)
    value = Place(code, place, 8).load(statement.type, 0)
    size = -(-size_of(statement.type) // 8) * 8
    store_scalar(code, PTR, pointer, moved(code, place, size), 8)
    return value


def copy(code: Code, statement: Statement) -> None:
    """va_copy."""
    target, source = map(code.value, statement.operands)
    for k in range(0, _BYTES[_kind(code)], 8):
        part = load_scalar(code, I64, moved(code, source, k), 8)
        store_scalar(code, I64, moved(code, target, k), part, 8)


LOWER = {"va_arg": take}
