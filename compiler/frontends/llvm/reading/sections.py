"""Where a global variable lies in an object file: what LLVM and clang do with it for ELF.

    @a = global [6 x i64] zeroinitializer, align 16                     ->  .bss, at multiples of 16
    @t = internal unnamed_addr constant [4 x i32] [i32 1, …], align 16  ->  .rodata.cst16
    @s = private unnamed_addr constant [3 x i8] c"ab\\00", align 1       ->  .rodata.str1

`TargetLoweringObjectFile::getKindForGlobal` of LLVM says the section; names here have no first dot
and stand for what a linker puts into 'rodata', 'data' and 'bss'.  Equal constants are not merged.
"""

from __future__ import annotations

from compiler.frontends.llvm.reading.tree import LlvmGlobal
from compiler.frontends.llvm.reading.types import Array, Structure, alignment_of, size_of
from machines.types import I8, I16, I32

MERGED_SIZES = (4, 8, 16, 32)
"""Bytes of constants that a linker may merge."""
LARGE = 16
"""Bytes; what is larger and has no alignment written is aligned to as many."""


def input_section(variable: LlvmGlobal, data: bytes | None, has_addresses: bool) -> str:
    """The section of a variable with these bytes, None for zeros; whether it holds addresses."""
    if not variable.constant:
        return "data" if data or has_addresses else "bss"
    size = size_of(variable.type)
    if not variable.merges or has_addresses:
        return "rodata"
    if _is_text(variable, data):
        return f"rodata.str{variable.type.element.bytes}"
    return f"rodata.cst{size}" if size in MERGED_SIZES else "rodata"


def alignment_of_global(variable: LlvmGlobal) -> int:
    """In bytes: as written, else what `DataLayout::getPreferredAlign` of LLVM gives."""
    if variable.alignment is not None:
        return variable.alignment
    natural = alignment_of(variable.type)
    if size_of(variable.type) > LARGE:
        return max(natural, LARGE)
    return max(natural, 8) if isinstance(variable.type, Structure) else natural


def _is_text(variable: LlvmGlobal, data: bytes | None) -> bool:
    """Whether it is characters with a zero at the end and none before."""
    if not isinstance(variable.type, Array) or variable.type.element not in (I8, I16, I32):
        return False
    if data is None:
        return variable.type.count == 1
    width = variable.type.element.bytes
    units = [data[at : at + width] for at in range(0, len(data), width)]
    return bool(units) and not any(units[-1]) and all(any(unit) for unit in units[:-1])
