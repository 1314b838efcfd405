"""What bulk copies that reduce make of an element in global memory and the one that comes to it.

    reduced(kind_of("min", "s32"), 0xFFFFFFFF, 3)  ->  0xFFFFFFFF

Elements are bits, of 64 as signed numbers; of what comes out the lower ones count.  A kind is a
number: the operation, and the type << 4; 0 is no reduction.
"""

from __future__ import annotations

from machines.vocabulary.lanes import bits_of_f16, bits_of_f32, bits_of_f64, f16_from_bits, flush
from machines.vocabulary.numbers import (
    below,
    f32_from_bits,
    f64_from_bits,
    maximum,
    minimum,
    round_f32,
    sign_extend,
)
from machines.vocabulary.small_floats import (
    bf16_from_bits,
    bits_of_bf16,
    nearest_bf16,
    nearest_f16,
)

ADD, MIN, MAX, AND, OR, XOR, INC, DEC = 1, 2, 3, 4, 5, 6, 7, 8
OPERATIONS = {
    "add": ADD, "min": MIN, "max": MAX, "and": AND, "or": OR, "xor": XOR, "inc": INC, "dec": DEC,
}  # fmt: skip
U32, S32, U64, S64, B32, B64, F16, BF16, F32, F64 = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
TYPES = {
    "u32": U32, "s32": S32, "u64": U64, "s64": S64, "b32": B32, "b64": B64, "f16": F16,
    "bf16": BF16, "f32": F32, "f64": F64,
}  # fmt: skip
_HALVES = ("f16", "bf16")
KNOWN = {
    "add": ("u32", "s32", "u64", "f32", "f64", *_HALVES),
    "min": ("u32", "s32", "u64", "s64", *_HALVES), "max": ("u32", "s32", "u64", "s64", *_HALVES),
    "and": ("b32", "b64"), "or": ("b32", "b64"), "xor": ("b32", "b64"), "inc": ("u32",),
    "dec": ("u32",),
}  # fmt: skip
"""Types by operation: PTX ISA, cp.reduce.async.bulk."""


def kind_of(operation: str, type: str) -> int:
    return OPERATIONS[operation] | TYPES[type] << 4


def size_bits(kind):
    """Of how many bytes an element is, as a power of two."""
    type = kind >> 4
    if type in (F16, BF16):
        return 1
    return 3 if type in (U64, S64, B64, F64) else 2


def bytes_of(kind):
    """Of an element."""
    return 1 << size_bits(kind)


def is_known(kind):
    """Whether there is such a reduction: as `KNOWN`."""
    operation, type = kind & 15, kind >> 4
    if operation == ADD:
        return type in (U32, S32, U64, F16, BF16, F32, F64)
    if operation in (MIN, MAX):
        return type in (U32, S32, U64, S64, F16, BF16)
    if operation in (INC, DEC):
        return type == U32
    return type in (B32, U32, S32, B64, U64, S64)


def _lesser(type, old, new):
    """Whether what comes is less."""
    if type == U64:
        return below(new, old)
    if type == S32:
        return sign_extend(new, 32) < sign_extend(old, 32)
    return new < old


def _of_halves(operation, type, old, new):
    if type == F16:
        a, b = f16_from_bits(old), f16_from_bits(new)
        if operation == ADD:
            return bits_of_f16(nearest_f16(a + b))
        return bits_of_f16(minimum(a, b) if operation == MIN else maximum(a, b))
    a, b = bf16_from_bits(old), bf16_from_bits(new)
    if operation == ADD:
        return bits_of_bf16(nearest_bf16(a + b))
    return bits_of_bf16(minimum(a, b) if operation == MIN else maximum(a, b))


def reduced(kind, old, new):
    """What an element becomes."""
    operation, type = kind & 15, kind >> 4
    if type in (F16, BF16):
        return _of_halves(operation, type, old, new)
    if type == F32:
        total = flush(f32_from_bits(old)) + flush(f32_from_bits(new))
        return bits_of_f32(flush(round_f32(total)))
    if type == F64:
        return bits_of_f64(f64_from_bits(old) + f64_from_bits(new))
    result = old + new
    if operation == MIN:
        result = new if _lesser(type, old, new) else old
    elif operation == MAX:
        result = old if _lesser(type, old, new) else new
    elif operation == AND:
        result = old & new
    elif operation == OR:
        result = old | new
    elif operation == XOR:
        result = old ^ new
    elif operation == INC:
        result = 0 if old >= new else old + 1
    elif operation == DEC:
        result = new if old == 0 or old > new else old - 1
    return result
